package changelog

import (
	"bytes"
	"errors"
	"sort"
	"strconv"

	"github.com/sweepbot/sweepbot/changelog/linediff"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Check judges a change as its author should hear it: every problem with its
// line, graded, and whether Fix mends it (spec/changelog.md section 2). When
// head begins with the bytes of the base, nothing of the base is read. A nil
// slice is a file that does not exist.
func Check(rules Rules, base, head []byte, pr PR) Report {
	c, _ := check(rules, base, head, pr)
	return c.report
}

// check is Check, with the analysis that Fix goes on with.
func check(rules Rules, base, head []byte, pr PR) (*checker, analysis) {
	c := &checker{rules: rules, pr: pr}
	for _, data := range [][]byte{base, head} {
		if f := rules.tooLarge(data); f != nil {
			c.must(ClassFormat, false, *f)
			return c, analysis{}
		}
	}
	if head == nil {
		if base != nil {
			c.must(ClassHistory, true, fileMissing(rules))
		}
		return c, analysis{}
	}
	a, err := analyze(rules, base, head)
	if errors.Is(err, linediff.ErrTooDifferent) {
		c.must(ClassHistory, false, diag.New("changelog.too-different", rules.place(0)).In("changelog-deletion"))
		return c, a
	}
	c.run(a, base, head)
	sort.SliceStable(c.report.Problems, func(i, j int) bool {
		return c.report.Problems[i].Line < c.report.Problems[j].Line
	})
	return c, a
}

func (c *checker) run(a analysis, base, head []byte) {
	c.history(a)
	c.additions(a)
	c.position(a)
	c.separators(a, base)
	c.characters(a)
	c.ends(a, head)
	c.nothingNew(a)
	if len(c.report.Corrections) > 0 && len(c.report.Added) > 0 {
		c.add(ClassHistory, false, diag.New("changelog.correction-mixed", c.rules.place(c.report.Corrections[0].Line)).In("correction-mixed"))
	}
	c.whole(a, base, head)
}

// additions reads every new block and checks its link and its first line.
func (c *checker) additions(a analysis) {
	for _, j := range a.added() {
		b := a.head[j]
		entry, ok := c.entry(b)
		if !bytes.HasPrefix(b.text, entryStart) {
			c.add(ClassFormat, false, diag.New("changelog.entry-first-line", c.rules.place(b.line)).In("entry-count-mismatch"))
		}
		if !ok {
			continue
		}
		c.report.Added = append(c.report.Added, entry)
		c.blocks = append(c.blocks, j)
		c.link(entry)
	}
}

func (c *checker) link(entry Entry) {
	link := entry.Raw.Get(keyPRLink)
	if link != nil && c.rules.accepted(link.Text, c.pr) {
		return
	}
	f := wrongLink(c.rules, entry.PRLink, entry.Place(c.rules.File, keyPRLink), c.pr)
	if right, ok := c.rules.mendedLink(entry.PRLink, c.pr); ok && link != nil {
		mendable := diag.New("changelog.link-mendable", f.Place, "link", show(entry.PRLink), "right", right).In(f.Category)
		c.add(ClassLink, true, mendable)
		return
	}
	c.add(ClassLink, false, f)
}

// position reports new entries that old ones follow.
func (c *checker) position(a analysis) {
	end := a.firstAtEnd()
	for _, j := range a.added() {
		if j < end {
			c.add(ClassPosition, true, diag.New("changelog.not-at-end", c.rules.place(a.head[j].line)).In("entry-changed"))
		}
	}
}

// separators checks the blank lines between blocks: those of history must not
// change, and a new entry at the end needs one empty line before it.
func (c *checker) separators(a analysis, base []byte) {
	end := a.firstAtEnd()
	for j := range a.head {
		switch {
		case j >= end && j > 0:
			c.separatorBefore(a, j, base)
		case j > 0 && a.kept(j) && a.kept(j-1) && a.from[j] == a.from[j-1]+1 || j == len(a.head)-1 && j < end && a.from[j] == len(a.base)-1:
			c.oldGap(a, j)
		}
	}
}

// oldGap compares the blank lines before a kept block, or after the last one.
func (c *checker) oldGap(a analysis, j int) {
	if a.appended {
		return
	}
	if j == len(a.head)-1 && a.from[j] == len(a.base)-1 && !bytes.Equal(a.head[j].gap, a.base[a.from[j]].gap) {
		c.gapChanged(a.base[a.from[j]], a.head[j])
	}
	if j > 0 && a.kept(j-1) && a.from[j] == a.from[j-1]+1 && !bytes.Equal(a.head[j-1].gap, a.base[a.from[j-1]].gap) {
		c.gapChanged(a.base[a.from[j-1]], a.head[j-1])
	}
}

func (c *checker) gapChanged(old, new block) {
	if !bytes.HasSuffix(new.text, []byte{'\n'}) && len(new.gap) == 0 {
		return // reported as a missing final newline
	}
	f := diag.New("changelog.gap-changed", c.rules.place(new.end()), "old", showGap(old.gap), "new", showGap(new.gap)).In("history-bytes-changed")
	f.Related = []diag.Place{{File: c.rules.on("base").File, Line: old.end()}}
	c.add(ClassFormat, true, f)
}

// showGap names the blank lines of a gap.
func showGap(gap []byte) string {
	if len(gap) == 0 {
		return "-"
	}
	return showLine(bytes.ReplaceAll(gap, []byte{'\n'}, []byte("␊")))
}

// separatorBefore checks the blank lines before a new block at the end.
func (c *checker) separatorBefore(a analysis, j int, base []byte) {
	previous := a.head[j-1]
	ok := false
	code, category := "changelog.separator-between", "separator-between-additions"
	switch {
	case a.from[j-1] < 0:
		ok = endsWithOneEmptyLine(append(bytes.Clone(previous.text), previous.gap...))
	case a.appended && len(base) == 0:
		ok = true // a new file may begin with a comment
	case a.appended:
		before := string(previous.text) + string(previous.gap)
		want := separatorAfter(base)
		if len(base) > 0 && base[len(base)-1] != '\n' {
			want = "\n"
		}
		ok = before == want
		code, category = "changelog.separator-before", "separator-before-addition"
	default:
		old := a.base[a.from[j-1]]
		want := string(old.gap) + separatorAfter(append(bytes.Clone(old.text), old.gap...))
		ok = string(previous.gap) == want
		code, category = "changelog.separator-before", "separator-before-addition"
	}
	if !ok {
		c.add(ClassFormat, true, diag.New(code, c.rules.place(a.head[j].line)).In(category))
	}
}

// characters reports CR and TAB in new blocks, and line ends of history that
// were converted.
func (c *checker) characters(a analysis) {
	if a.bom {
		c.add(ClassHistory, true, diag.New("changelog.bom", c.rules.place(1)).In("changelog-deletion"))
	}
	if a.crLines > 0 {
		c.add(ClassHistory, true, diag.New("changelog.cr-history", c.rules.place(a.crFirst), "count", strconv.Itoa(a.crLines)).In("changelog-deletion"))
	}
	if bytes.IndexByte(a.raw, '\r') < 0 && bytes.IndexByte(a.raw, '\t') < 0 {
		return
	}
	lines := a.rawLines()
	for _, j := range a.added() {
		b := a.head[j]
		c.charactersIn(b, lines[b.line-a.rawLine:b.end()-a.rawLine])
	}
}

func (c *checker) charactersIn(b block, lines [][]byte) {
	for _, forbidden := range []struct {
		char           byte
		code, category string
	}{{'\r', "changelog.cr", "cr"}, {'\t', "changelog.tab", "tab"}} {
		for n, line := range lines {
			if at := bytes.IndexByte(line, forbidden.char); at >= 0 {
				place := c.rules.placeAt(line, at)
				place.Line = b.line + n
				c.add(ClassFormat, c.mendableCharacter(b, forbidden.char), diag.New(forbidden.code, place).In(forbidden.category))
				break
			}
		}
	}
}

// mendableCharacter reports whether the character can go without changing a
// value.
func (c *checker) mendableCharacter(b block, char byte) bool {
	if char == '\r' {
		return true
	}
	_, ok := withoutTabs(b.text)
	return ok
}

// ends checks the end of the file.
func (c *checker) ends(a analysis, head []byte) {
	if !bytes.HasSuffix(head, []byte{'\n'}) {
		report := c.add
		if c.rules.FinalNewline {
			report = c.must
		}
		report(ClassFormat, true, noFinalNewline(c.rules, head))
	}
	last := a.head[len(a.head)-1]
	if a.from[len(a.head)-1] < 0 && bytes.HasSuffix(last.gap, []byte{'\n'}) && bytes.HasSuffix(head, []byte("\n\n")) {
		c.add(ClassFormat, true, trailingBlankLine(c.rules, head))
	}
}

// nothingNew reports bytes after the base that are no entry.
func (c *checker) nothingNew(a analysis) {
	if !a.appended || len(a.added()) > 0 || len(a.raw) == 0 {
		return
	}
	if _, _, found := firstContent(a.head[0]); found {
		return // reported as a continuation of the last entry
	}
	c.add(ClassFormat, isBlank(a.raw), diag.New("changelog.bytes-changed", c.rules.place(a.rawLine)).In("bytes-changed-without-entry"))
}

// whole reads the whole head where its parts do not tell enough: anchors reach
// over entries, and a document marker between them ends the document.
func (c *checker) whole(a analysis, base, head []byte) {
	text := a.raw
	if !a.appended {
		text = text[commonPrefix(base, text):]
	}
	if c.report.Refused() || !needsWhole(text) {
		return
	}
	opt := yamlpos.Options{LastKeyWins: true}
	if _, err := yamlpos.Parse(c.rules.File, base, opt); err != nil {
		return // history cannot be read; that is not this change's doing
	}
	if _, err := yamlpos.Parse(c.rules.File, head, opt); err != nil {
		c.must(ClassEntry, false, asFinding(err))
	}
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// needsWhole reports whether text may hold an anchor, an alias, a directive or
// a document marker.
func needsWhole(text []byte) bool {
	lineStart := true
	for i, c := range text {
		switch {
		case lineStart && (c == '%' || bytes.HasPrefix(text[i:], []byte("---")) || bytes.HasPrefix(text[i:], []byte("..."))):
			return true
		case (c == '&' || c == '*') && i > 0 && bytes.IndexByte([]byte(" \n[,{"), text[i-1]) >= 0:
			return true
		}
		lineStart = c == '\n'
	}
	return false
}
