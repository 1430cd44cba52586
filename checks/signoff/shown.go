package signoff

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// MaxBody is the length in bytes up to which a body is read: GitHub allows
// 65,536 characters of up to four bytes, of which a checklist needs few.
const MaxBody = 4 * 65536

// maxQuotes is the depth of quotations and lists that is looked at in one line:
// no checklist is deeper, and deep ones make block parsing slow.
const maxQuotes = 8

// blocks reads block structure only: inline marks decide nothing here, and
// hostile runs of them are what makes Markdown slow.
var blocks = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(util.Prioritized(asText{}, 1)))
})

// asText is an inline parser that is never triggered.
type asText struct{}

func (asText) Trigger() []byte { return nil }

func (asText) Parse(ast.Node, text.Reader, parser.Context) ast.Node { return nil }

// place says how a line is shown.
type place uint8

const (
	own      place = iota // the author's words
	indented              // indented code
	code                  // fenced code
	quoted                // a quotation
	nowhere               // an HTML comment
)

// line is one line of a body.
type line struct {
	text  string
	place place
}

// lines splits a body and says how each line is shown. Line ends are those of
// any system.
func lines(body string) []line {
	if len(body) > MaxBody {
		body = strings.ToValidUTF8(body[:MaxBody], "")
	}
	body = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(body)
	list := strings.Split(body, "\n")
	starts := make([]int, len(list))
	var source strings.Builder
	for i, one := range list {
		starts[i] = source.Len()
		source.WriteString(shallow(one))
		source.WriteByte('\n')
	}
	out := make([]line, len(list))
	for i, one := range list {
		out[i].text = one
	}
	mark(out, starts, []byte(source.String()))
	hideComments(out)
	return out
}

// CommandLines are the lines of a comment on which a command counts: neither
// quoted nor fenced nor hidden (spec/checks.md, check 4).
func CommandLines(body string) []string {
	var out []string
	for _, l := range lines(body) {
		if l.place == own || l.place == indented {
			out = append(out, l.text)
		}
	}
	return out
}

// shallow cuts a deep run of quotation marks and bullets down to the depth that
// is looked at.
func shallow(one string) string {
	rest, marks := one, 0
	for {
		at := opener().FindStringIndex(rest)
		if at == nil {
			return one
		}
		rest = rest[at[1]:]
		if marks++; marks == maxQuotes {
			return one[:len(one)-len(rest)] + strings.TrimLeft(rest, "> \t-+*.)0123456789")
		}
	}
}

// opener is what opens one more level of blocks at the start of a line.
var opener = pattern.Lazy(`^[ \t]*(?:>[ \t]?|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$))`)

// mark walks the blocks and marks the lines of quotations and code.
func mark(out []line, starts []int, source []byte) {
	doc := blocks().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		how := own
		switch n.Kind() {
		case ast.KindFencedCodeBlock:
			how = code
		case ast.KindCodeBlock:
			how = indented
		}
		if inQuote(n) {
			how = quoted
		}
		if how == own {
			return ast.WalkContinue, nil
		}
		segments := n.Lines()
		for i := range segments.Len() {
			if at := lineAt(starts, segments.At(i).Start); out[at].place == own {
				out[at].place = how
			}
		}
		return ast.WalkContinue, nil
	})
}

func inQuote(n ast.Node) bool {
	for p := n; p != nil; p = p.Parent() {
		if p.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}

// lineAt finds the line that holds an offset.
func lineAt(starts []int, offset int) int {
	low, high := 0, len(starts)
	for high-low > 1 {
		if mid := (low + high) / 2; starts[mid] <= offset {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// hideComments cuts HTML comments out of the author's own lines; one that does
// not end hides the rest, as it does on the page.
func hideComments(out []line) {
	open := false
	for i := range out {
		if out[i].place != own {
			continue
		}
		var shown strings.Builder
		rest, cut := out[i].text, open
		for rest != "" {
			if open {
				end := strings.Index(rest, "-->")
				if end < 0 {
					break
				}
				open, rest = false, rest[end+3:]
				continue
			}
			start := strings.Index(rest, "<!--")
			if start < 0 {
				shown.WriteString(rest)
				break
			}
			shown.WriteString(rest[:start])
			open, cut, rest = true, true, rest[start+4:]
		}
		if !cut {
			continue
		}
		out[i].text = shown.String()
		if strings.TrimSpace(out[i].text) == "" {
			out[i].place = nowhere
		}
	}
}

// OwnLines are the lines of a Markdown text that are the author's own words:
// neither quoted nor code nor hidden.
func OwnLines(body string) []string {
	var out []string
	for _, l := range lines(body) {
		if l.place == own {
			out = append(out, l.text)
		}
	}
	return out
}
