package changelog

import (
	"bytes"
	"strconv"

	"github.com/sweepbot/sweepbot/changelog/linediff"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Fixed is what Fix made of a head file.
type Fixed struct {
	Data []byte
	// Changed is false when there was nothing to mend.
	Changed bool
	// Mended are the problems that are gone.
	Mended []Problem
}

// Diff returns the change from head to the mended file as a unified diff, or
// "" when nothing changed or the texts are too different to show.
func (f Fixed) Diff(name string, head []byte) string {
	old, new := linediff.Split(head), linediff.Split(f.Data)
	script, err := linediff.Compare(old, new)
	if err != nil {
		return ""
	}
	return linediff.Unified("a/"+name, "b/"+name, old, new, script)
}

// Fix mends what can be mended without judgement: it restores history, moves
// new entries to the end byte for byte, sets separators and line ends, and
// makes links canonical (spec/changelog.md section 2). The result passes the
// strict gate.
//
// The error is a diag.List with everything that stands in the way. Fix refuses
// rather than lose a line that says something.
func Fix(rules Rules, base, head []byte, pr PR) (Fixed, error) {
	strict := rules
	strict.Gate, strict.LinkInPlan = Gate{}, GradeError
	strict.CorrectionsPass, strict.LastKeyWins = true, false
	readable := dedented(strict, base, head, pr)
	c, a := check(strict, base, readable, pr)
	problems := c.report.Problems
	if first := Check(strict, base, head, pr); len(first.Problems) > 0 {
		problems = append(problems, onlyIndented(first.Problems)...)
	}
	if blockers := unmendable(problems); blockers != nil {
		return Fixed{}, blockers
	}
	out, findings := rebuild(c, a, base)
	if findings != nil {
		return Fixed{}, findings
	}
	if findings := verifyFix(strict, base, head, out, pr, c); findings != nil {
		return Fixed{}, findings
	}
	return Fixed{Data: out, Changed: !bytes.Equal(head, out), Mended: problems}, nil
}

func unmendable(problems []Problem) diag.List {
	var list diag.List
	for _, p := range problems {
		if !p.Mendable {
			list = append(list, p.Finding)
		}
	}
	return list
}

func onlyIndented(problems []Problem) []Problem {
	var list []Problem
	for _, p := range problems {
		if p.Code == "changelog.entry-indented" {
			list = append(list, p)
		}
	}
	return list
}

// maxDedents bounds how many indented entries are mended.
const maxDedents = 64

// dedented moves entries that are only indented by mistake to the first
// column: the first line alone, or the whole entry, whichever can be read.
func dedented(rules Rules, base, head []byte, pr PR) []byte {
	for range maxDedents {
		problem := onlyIndented(Check(rules, base, head, pr).Problems)
		if len(problem) == 0 {
			return head
		}
		next, ok := dedent(rules, base, head, pr, problem[0].Line)
		if !ok {
			return head
		}
		head = next
	}
	return head
}

func dedent(rules Rules, base, head []byte, pr PR, line int) ([]byte, bool) {
	lines := bytes.SplitAfter(head, []byte{'\n'})
	indent := len(lines[line-1]) - len(bytes.TrimLeft(lines[line-1], " "))
	end := line
	for end < len(lines) && !beginsEntry(lines[end]) {
		end++
	}
	for _, last := range []int{line, end} {
		next := append([][]byte{}, lines...)
		for n := line - 1; n < last; n++ {
			blanks := len(next[n]) - len(bytes.TrimLeft(next[n], " "))
			next[n] = next[n][min(indent, blanks):]
		}
		candidate := bytes.Join(next, nil)
		if !brokenAt(Check(rules, base, candidate, pr), line, end) {
			return candidate, true
		}
	}
	return nil, false
}

// brokenAt reports whether an entry within some lines cannot be read.
func brokenAt(r Report, from, to int) bool {
	for _, p := range r.Problems {
		if p.Class == ClassEntry && p.Line >= from && p.Line <= to {
			return true
		}
	}
	return false
}

// rebuild writes the base, with corrected links, and the new entries.
func rebuild(c *checker, a analysis, base []byte) ([]byte, diag.List) {
	out, f := correctedBase(c, a, base)
	if f != nil {
		return nil, diag.List{*f}
	}
	out = withFinalLF(out)
	for n, j := range c.blocks {
		text, f := mendedBlock(c, c.report.Added[n], a.head[j].text)
		if f != nil {
			return nil, diag.List{*f}
		}
		if n == 0 && a.appended {
			text = withComments(text, a.head[0].text)
		}
		out = append(out[:len(out):len(out)], separatorAfter(out)...)
		out = append(out, text...)
	}
	return out, nil
}

// correctedBase is the base with the links that the change corrects.
func correctedBase(c *checker, a analysis, base []byte) ([]byte, *diag.Finding) {
	if len(c.corrected) == 0 {
		return base, nil
	}
	links := make(map[int]string)
	for _, corrected := range c.corrected {
		links[a.from[corrected.block]] = corrected.link
	}
	var out []byte
	for i, b := range a.base {
		text := b.text
		if link, found := links[i]; found {
			replaced, ok := replaceLink(text, link)
			if !ok {
				f := diag.New("changelog.link-line-missing", c.rules.place(b.line), "entry", show(link))
				return nil, &f
			}
			text = replaced
		}
		out = append(append(out, text...), b.gap...)
	}
	return out, nil
}

// mendedBlock is a new entry with LF line ends, without TABs, and with its
// link in the accepted form.
func mendedBlock(c *checker, entry Entry, text []byte) ([]byte, *diag.Finding) {
	text = withFinalLF(bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'}))
	if plain, ok := withoutTabs(text); ok {
		text = plain
	}
	link := entry.PRLink
	if right, ok := c.rules.mendedLink(link, c.pr); ok && !c.rules.accepted(link, c.pr) {
		link = right
	}
	if c.pr > 0 && c.rules.isPlaceholder(link) {
		link = c.rules.CanonicalLink(c.pr)
	}
	if link == entry.PRLink {
		return text, nil
	}
	replaced, ok := replaceLink(text, link)
	if !ok {
		f := linkLineMissing(c.rules, entry.Raw)
		return nil, &f
	}
	return replaced, nil
}

// withComments moves comments that stand before an entry below its first line:
// before it, the strict gate allows an empty line only.
func withComments(text, comments []byte) []byte {
	if len(comments) == 0 {
		return text
	}
	first := bytes.IndexByte(text, '\n') + 1
	out := append([]byte{}, text[:first]...)
	for _, line := range bytes.SplitAfter(comments, []byte{'\n'}) {
		if !isBlank(line) {
			out = append(out, line...)
		}
	}
	return append(out, text[first:]...)
}

// maxTabs bounds how many TABs of an entry are mended.
const maxTabs = 64

// withoutTabs replaces every TAB by its escape or by a blank, whichever leaves
// all values as they are. ok is false when one cannot be replaced.
func withoutTabs(text []byte) (out []byte, ok bool) {
	if count := bytes.Count(text, []byte{'\t'}); count == 0 || count > maxTabs {
		return text, count == 0
	}
	want, err := yamlpos.Parse("", text, yamlpos.Options{})
	if err != nil {
		return nil, false
	}
	for {
		at := bytes.IndexByte(text, '\t')
		if at < 0 {
			return text, true
		}
		replaced := false
		for _, instead := range []string{" ", `\t`} {
			candidate := append(append(append([]byte{}, text[:at]...), instead...), text[at+1:]...)
			if v, err := yamlpos.Parse("", candidate, yamlpos.Options{}); err == nil && v.Equal(want) {
				text, replaced = candidate, true
				break
			}
		}
		if !replaced {
			return nil, false
		}
	}
}

// verifyFix makes sure that the mended file passes the strict gate and that
// nothing of the head was lost. A base that cannot be read itself is no
// obstacle to appending: then Check has the word.
func verifyFix(rules Rules, base, head, out []byte, pr PR, c *checker) diag.List {
	whole := withFinalLF(base)
	if _, findings := parseFile(rules.on("base"), whole); findings == nil {
		if v := Strict(rules, whole, out, pr); !v.Accepted {
			return postCheck(rules, v)
		}
	} else if again := Check(rules, whole, out, pr); len(again.Problems) > 0 {
		return append(postCheck(rules, Verdict{Findings: again.Findings()}), findings...)
	}
	links := make(map[string]bool)
	for _, entry := range c.report.Added {
		links[entry.PRLink] = true
	}
	if line, text, lost := lostLine(head, out); lost {
		return diag.List{diag.New("changelog.fix-loses", rules.place(line), "text", showLine(text), "line", strconv.Itoa(line))}
	}
	return nil
}

// lostLine returns the first line of head that says something and that out
// does not have. Links are left out: changing them is part of mending, and
// the strict gate has seen the new ones.
func lostLine(head, out []byte) (line int, text []byte, lost bool) {
	have := make(map[string]int)
	for _, text := range bytes.Split(out, []byte{'\n'}) {
		have[meaningOfLine(text)]++
	}
	for n, text := range bytes.Split(bytes.ReplaceAll(head, []byte{'\r'}, []byte{'\n'}), []byte{'\n'}) {
		key := meaningOfLine(text)
		if key == "" || bytes.HasPrefix([]byte(key), []byte("pr-link:")) {
			continue
		}
		if have[key]--; have[key] < 0 {
			return n + 1, text, true
		}
	}
	return 0, nil, false
}

// meaningOfLine is a line without the blanks around it, the byte order mark,
// and the form of TABs.
func meaningOfLine(line []byte) string {
	line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	line = bytes.ReplaceAll(line, []byte(`\t`), []byte{' '})
	return string(bytes.TrimSpace(bytes.ReplaceAll(line, []byte{'\t'}, []byte{' '})))
}
