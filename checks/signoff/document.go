package signoff

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Phrase makes a body a sign-off; Marker starts every verdict, so that what
// starts with it never is one, whatever it quotes (spec/verdict.md section 1.1).
const (
	Phrase = "As a PR reviewer and CODEOWNER"
	Marker = "<!-- codeowner-signoff-verify"
)

// Placeholder is the bullet of the template's detail section that nobody filled
// in, in lower case.
const Placeholder = "insert any additional info here"

// Is reports whether a body is a sign-off: it holds the phrase in the author's
// own words. A quoted checklist, one in a code block or in an HTML comment is
// none.
func Is(body string) bool {
	if strings.HasPrefix(body, Marker) || !strings.Contains(body, Phrase) {
		return false
	}
	return slices.ContainsFunc(lines(body), func(l line) bool { return l.place == own && says(l.text) })
}

// says reports whether a line holds the phrase outside of code: a reminder names
// the words that a sign-off needs, as `code`, and says none of them itself.
func says(line string) bool {
	for rest, open := line, 0; ; {
		before, after, found := strings.Cut(rest, Phrase)
		if !found {
			return false
		}
		if open += strings.Count(before, "`"); open%2 == 0 || !strings.Contains(after, "`") {
			return true
		}
		rest = after
	}
}

// Item is a check box with its text.
type Item struct {
	// Text is one line: continuation lines are joined by a space.
	Text string
	// Checked is whether the box holds an x.
	Checked bool
	// Line is the number of its first line in the body, from 1; Indent the
	// width of what stands before its bullet.
	Line, Indent int
}

// Document is a sign-off as it was understood.
type Document struct {
	Items []Item
	// Detail is the additional detail section without empty bullets and the
	// template's placeholder, trimmed; "" when nothing was filled in.
	Detail string
	// DetailLine is the line of its heading, 0 without one.
	DetailLine int
	// Signed is what stands behind "Signed:".
	Signed string
	// Links are all URLs in order of appearance, each once.
	Links []Link
}

// Link is a URL of a sign-off.
type Link struct {
	URL string
	// Detail says that it stands in the additional detail section.
	Detail bool
	// Item is the index of the item that it stands in, or -1.
	Item int
}

// Run returns the number of the workflow run that the link leads to.
func (l Link) Run() (int64, bool) {
	m := runLink().FindStringSubmatch(l.URL)
	if m == nil {
		return 0, false
	}
	id, err := strconv.ParseInt(m[1], 10, 64)
	return id, err == nil
}

var (
	boxLine = pattern.Lazy(`^([ \t]*)[-*+][ \t]+\[([ xX])\][ \t]*(.*)$`)
	bullet  = pattern.Lazy(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)`)
	webURL  = pattern.Lazy(`https?://[^\s<>"'` + "`" + `|\\^{}\[\]]+`)
	runLink = pattern.Lazy(`/actions/runs/([1-9][0-9]{0,17})(?:[/?#]|$)`)
)

const (
	detailHeading = "additional detail section"
	signature     = "signed:"
)

// Parse reads a sign-off, or a template, which has the same form.
func Parse(body string) Document {
	var d Document
	var detail []string
	var open *openItem
	for i, l := range lines(body) {
		visible := l.place == own
		head := strings.ToLower(strings.TrimSpace(l.text))
		switch {
		case visible && strings.HasPrefix(strings.TrimLeft(head, "*_ "), signature):
			_, d.Signed, _ = strings.Cut(l.text, ":")
			d.Signed = strings.Trim(d.Signed, " \t`*_@<>")
			d.finish(detail)
			return d
		case d.DetailLine > 0:
			if l.place != nowhere {
				detail = append(detail, l.text)
				d.addLinks(l.text, true, -1)
			}
		case visible && strings.Contains(head, detailHeading) && !boxLine().MatchString(l.text) && !open.holds(l.text):
			d.DetailLine, open = i+1, nil
		case visible:
			open = d.read(open, i+1, l.text)
		default:
			open = nil
		}
	}
	d.finish(detail)
	return d
}

// openItem is the item that following lines may belong to.
type openItem struct{ index, indent int }

// holds reports whether a line goes on with the item: it is indented deeper and
// starts no item of its own.
func (o *openItem) holds(text string) bool {
	return o != nil && strings.TrimSpace(text) != "" && width(text) > o.indent && !bullet().MatchString(text)
}

// read takes one line of the list.
func (d *Document) read(open *openItem, number int, text string) *openItem {
	if m := boxLine().FindStringSubmatch(text); m != nil {
		item := Item{Text: strings.TrimSpace(m[3]), Checked: m[2] != " ", Line: number, Indent: width(m[1])}
		d.Items = append(d.Items, item)
		d.addLinks(text, false, len(d.Items)-1)
		return &openItem{index: len(d.Items) - 1, indent: item.Indent}
	}
	if open.holds(text) {
		d.Items[open.index].Text += " " + strings.TrimSpace(text)
		d.addLinks(text, false, open.index)
		return open
	}
	d.addLinks(text, false, -1)
	if strings.TrimSpace(text) == "" {
		return open
	}
	return nil
}

// width is the indentation of a line; a tab counts four.
func width(text string) int {
	n := 0
	for _, r := range text {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// finish sets the detail section without what nobody wrote.
func (d *Document) finish(detail []string) {
	kept := detail[:0]
	for _, text := range detail {
		bare := strings.ToLower(strings.Trim(bulletMark().ReplaceAllString(text, ""), " \t."))
		if bare == Placeholder || bare == "" && strings.TrimSpace(text) != "" {
			continue
		}
		kept = append(kept, text)
	}
	d.Detail = strings.TrimSpace(strings.Join(kept, "\n"))
}

var bulletMark = pattern.Lazy(`^[ \t]*[-*+](?:[ \t]+|$)`)

// addLinks collects the URLs of a line: targets of Markdown links, autolinks
// and bare ones.
func (d *Document) addLinks(text string, detail bool, item int) {
	for _, at := range webURL().FindAllStringIndex(text, -1) {
		url := trimURL(text[at[0]:at[1]])
		if slices.ContainsFunc(d.Links, func(l Link) bool { return l.URL == url && l.Detail == detail && l.Item == item }) {
			continue
		}
		d.Links = append(d.Links, Link{URL: url, Detail: detail, Item: item})
	}
}

// trimURL drops the punctuation behind a URL; a closing parenthesis stays when
// the URL opened it.
func trimURL(url string) string {
	// The target of a link ends at the parenthesis that nothing in it opened.
	depth := 0
	for i, r := range url {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return strings.TrimRight(url[:i], ".,;:!*_")
			}
		}
	}
	return strings.TrimRight(url, ".,;:!*_")
}

// Mentions reports whether the detail section holds a word, compared without
// case at word borders.
func (d Document) Mentions(word string) bool {
	if word == "" {
		return false
	}
	re, err := regexp.Compile(`(?i)(?:^|[^\p{L}\p{N}_])` + regexp.QuoteMeta(word) + `(?:[^\p{L}\p{N}_]|$)`)
	return err == nil && re.MatchString(d.Detail)
}

// Runs are the workflow runs that the sign-off links to, in order, each once.
func (d Document) Runs() []int64 {
	var ids []int64
	for _, l := range d.Links {
		if id, ok := l.Run(); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
