package changelog

import (
	"bytes"
	"strconv"

	"github.com/sweepbot/sweepbot/changelog/linediff"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// shownHistory bounds how many problems of history are reported one by one.
const shownHistory = 40

// history reports what happened to old entries.
func (c *checker) history(a analysis) {
	if a.appended {
		c.continuation(a.head[0])
		return
	}
	more := 0
	for i := range a.base {
		if len(c.report.Problems) >= shownHistory {
			if a.to[i] < 0 || a.moved[i] || !bytes.Equal(a.base[i].text, a.head[a.to[i]].text) {
				more++
			}
			continue
		}
		c.oldBlock(a, i)
	}
	if more > 0 {
		c.add(ClassHistory, false, diag.New("changelog.more-changes", c.rules.place(0), "count", strconv.Itoa(more)).In("changelog-deletion"))
	}
}

// continuation checks what follows the base before the first new entry: only
// comments and blank lines may, everything else continues the last entry.
func (c *checker) continuation(b block) {
	line, text, found := firstContent(b)
	if !found {
		return
	}
	if _, indent := entryIndent(b.text); indent > 0 {
		c.unreadable(b, diag.Finding{Category: "yaml-invalid"})
		return
	}
	c.add(ClassHistory, false, diag.New("changelog.line-added", c.rules.place(line), "text", showLine(text)).In("entry-changed"))
}

// firstContent returns the first line of a block that is neither blank nor a
// comment nor a document marker.
func firstContent(b block) (line int, text []byte, found bool) {
	for n, text := range bytes.SplitAfter(b.text, []byte{'\n'}) {
		trimmed := bytes.TrimSpace(text)
		if len(trimmed) > 0 && trimmed[0] != '#' && string(trimmed) != "---" {
			return b.line + n, text, true
		}
	}
	return 0, nil, false
}

func (c *checker) oldBlock(a analysis, i int) {
	j := a.to[i]
	switch {
	case j < 0:
		c.deleted(a, i)
	case a.moved[i]:
		f := diag.New("changelog.entry-moved", c.rules.place(a.head[j].line), "line", strconv.Itoa(a.base[i].line)).In("changelog-deletion")
		f.Related = []diag.Place{{File: c.rules.on("base").File, Line: a.base[i].line}}
		c.add(ClassHistory, true, f)
	case !bytes.Equal(withFinalLF(a.base[i].text), withFinalLF(a.head[j].text)): // a missing LF is reported as such
		c.edited(a.base[i], a.head[j], j)
	}
}

// deleted reports a base entry that head lacks, at the head line where it
// stood.
func (c *checker) deleted(a analysis, i int) {
	line := 1
	for k := i - 1; k >= 0; k-- {
		if j := a.to[k]; j >= 0 && !a.moved[k] {
			line = a.head[j].end()
			break
		}
	}
	f := diag.New("changelog.entry-deleted", c.rules.place(line), "line", strconv.Itoa(a.base[i].line),
		"text", showLine(tellingLine(a.base[i]))).In("changelog-deletion")
	f.Related = []diag.Place{{File: c.rules.on("base").File, Line: a.base[i].line}}
	c.add(ClassHistory, true, f)
}

// tellingLine is the first line of a block that says which entry it is.
func tellingLine(b block) []byte {
	for _, line := range bytes.Split(b.text, []byte{'\n'}) {
		if text := bytes.TrimSpace(line); telling(text) {
			return bytes.TrimPrefix(text, []byte("- "))
		}
	}
	return b.text
}

// edited reports the lines in which an old entry differs, unless its link was
// corrected and nothing else.
func (c *checker) edited(old, new block, j int) {
	if line, ok := correctedLine(old, new); ok && c.correction(old, new, line, j) {
		return
	}
	if unreadable(old) && !unreadable(new) {
		c.add(ClassHistory, false, diag.New("changelog.history-unreadable", c.rules.place(new.line)).In("changelog-deletion"))
		return
	}
	oldText, newText := linediff.Split(old.text), linediff.Split(new.text)
	script, err := linediff.Compare(oldText, newText)
	if err != nil {
		c.add(ClassHistory, false, diag.New("changelog.too-different", c.rules.place(new.line)).In("changelog-deletion"))
		return
	}
	for _, h := range hunks(script) {
		c.hunk(h, old, new, oldText, newText)
	}
}

func unreadable(b block) bool {
	_, err := yamlpos.Parse("", withFinalLF(b.text), yamlpos.Options{LastKeyWins: true})
	return err != nil
}

// hunk is a run of deleted lines and of inserted lines at the same place; the
// ends are excluded.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

func hunks(s linediff.Script) []hunk {
	var list []hunk
	for i, j := 0, 0; i < len(s.Deleted) || j < len(s.Inserted); {
		h := hunk{oldFrom: i, newFrom: j}
		for i < len(s.Deleted) && s.Deleted[i] {
			i++
		}
		for j < len(s.Inserted) && s.Inserted[j] {
			j++
		}
		if h.oldTo, h.newTo = i, j; h.oldTo > h.oldFrom || h.newTo > h.newFrom {
			list = append(list, h)
		} else {
			i, j = i+1, j+1
		}
	}
	return list
}

// hunk reports one changed place inside an old entry.
func (c *checker) hunk(h hunk, old, new block, oldText, newText linediff.Text) {
	place := c.rules.place(new.line + h.newFrom)
	was := strconv.Itoa(old.line + h.oldFrom)
	var f diag.Finding
	mendable := true
	switch {
	case h.newFrom == h.newTo && h.oldTo == h.oldFrom+1:
		f = diag.New("changelog.line-deleted", place, "line", was, "text", showLine(oldText.Line(h.oldFrom)))
	case h.newFrom == h.newTo:
		f = diag.New("changelog.lines-deleted", place, "line", was, "last", strconv.Itoa(old.line+h.oldTo-1),
			"text", showLine(oldText.Line(h.oldFrom)))
	case h.oldFrom == h.oldTo:
		f = diag.New("changelog.line-added", place, "text", showLine(newText.Line(h.newFrom)))
		mendable = onlyBlank(newText, h.newFrom, h.newTo)
	default:
		code := "changelog.line-changed"
		if mendable = sameButBlanks(h, oldText, newText); mendable {
			code = "changelog.line-whitespace"
		}
		shownOld, shownNew := showChange(oldText.Line(h.oldFrom), newText.Line(h.newFrom))
		f = diag.New(code, place, "line", was, "old", shownOld, "new", shownNew)
	}
	f.Related = []diag.Place{{File: c.rules.on("base").File, Line: old.line + h.oldFrom}}
	c.add(ClassHistory, mendable, f.In("changelog-deletion"))
}

func onlyBlank(text linediff.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if !isBlank(text.Line(i)) {
			return false
		}
	}
	return true
}

// sameButBlanks reports whether the lines of a hunk differ only in the blanks
// around them.
func sameButBlanks(h hunk, old, new linediff.Text) bool {
	if h.oldTo-h.oldFrom != h.newTo-h.newFrom {
		return false
	}
	for n := range h.oldTo - h.oldFrom {
		if !bytes.Equal(bytes.TrimSpace(old.Line(h.oldFrom+n)), bytes.TrimSpace(new.Line(h.newFrom+n))) {
			return false
		}
	}
	return true
}

// correctedLine returns the one line in which two blocks differ, counted from
// 0, when it is the line of the link on both sides.
func correctedLine(old, new block) (line int, ok bool) {
	a, b := bytes.SplitAfter(old.text, []byte{'\n'}), bytes.SplitAfter(new.text, []byte{'\n'})
	if len(a) != len(b) {
		return 0, false
	}
	line = -1
	for i := range a {
		if bytes.Equal(a[i], b[i]) {
			continue
		}
		if line >= 0 || !isLinkLine(a[i]) || !isLinkLine(b[i]) {
			return 0, false
		}
		line = i
	}
	return line, line >= 0
}

// correction judges a changed link line; it returns false when the link is the
// same and only its form changed.
func (c *checker) correction(old, new block, line, j int) bool {
	was, okOld := linkOfLine(old, line)
	link, okNew := linkOfLine(new, line)
	if !okOld || !okNew || was == link {
		return false
	}
	place := c.rules.place(new.line + line)
	switch what, number := c.rules.meaning(link); {
	case !c.rules.CorrectionsPass:
		c.add(ClassHistory, false, diag.New("changelog.correction-refused", place, "old", show(was), "new", show(link)).In("changelog-deletion"))
	case c.rules.canonical(link):
		c.report.Corrections = append(c.report.Corrections, Correction{Line: place.Line, Old: was, New: link})
		c.corrected = append(c.corrected, correctedBlock{block: j, link: link})
	default:
		mendable := what == linkNumber
		c.add(ClassHistory, mendable, diag.New("changelog.correction-not-canonical", place, "link", show(link),
			"form", c.rules.linkPrefix()+"<number>").In("correction-not-canonical"))
		if mendable {
			c.corrected = append(c.corrected, correctedBlock{block: j, link: c.rules.CanonicalLink(number)})
		}
	}
	return true
}

// linkOfLine reads the value of a link line.
func linkOfLine(b block, line int) (link string, ok bool) {
	text := bytes.SplitAfter(b.text, []byte{'\n'})[line]
	v, err := yamlpos.Parse("", bytes.TrimLeft(text, " "), yamlpos.Options{})
	if err != nil {
		return "", false
	}
	value := v.Get(keyPRLink)
	if value == nil || value.Kind != yamlpos.String {
		return "", false
	}
	return value.Text, true
}
