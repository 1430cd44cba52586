package changelog

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/changelog/linediff"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// ExtractAdditions returns the entries that a change adds, as the planner of
// the reference reads them: the added lines of git's line diff between the two
// blobs, joined and parsed on their own (spec/changelog.md section 6.1). A nil
// slice is a file that does not exist and counts as empty.
//
// The list is nil when the change is accepted; otherwise it holds every
// deletion, or every violation of the entry schema, or the one reason why the
// text could not be read. Categories are the planner's of the corpus.
func ExtractAdditions(rules Rules, base, head []byte) ([]Entry, diag.List) {
	added, findings := addedText(rules, base, head)
	if findings != nil {
		return nil, findings
	}
	return readAdditions(rules, added)
}

// addition is the text that a change adds. Lines that are not next to each
// other in head come together in it.
type addition struct {
	text []byte
	// first is the head line of the first line. lines gives the head line of
	// each line where the text is not one piece; else it is nil.
	first int
	lines []int
}

// line maps a line of the text, counted from 1, to its line in head.
func (a addition) line(n int) int {
	if a.lines == nil {
		return a.first + n - 1
	}
	if len(a.lines) == 0 {
		return 0
	}
	return a.lines[min(max(n, 1), len(a.lines))-1]
}

func addedText(rules Rules, base, head []byte) (addition, diag.List) {
	for _, data := range [][]byte{base, head} {
		if f := rules.tooLarge(data); f != nil {
			return addition{}, diag.List{*f}
		}
	}
	if suffix, ok := rules.appended(base, head); ok {
		added, f := rules.piece(suffix, 1+bytes.Count(head[:len(head)-len(suffix)], []byte{'\n'}))
		if f != nil {
			return addition{}, diag.List{*f}
		}
		return added, nil
	}
	return diffedText(rules, linediff.Split(base), linediff.Split(head))
}

// appended returns what follows the base in head, when head is the base with
// something after its last line. Then nothing of the base need be read.
func (r Rules) appended(base, head []byte) (suffix []byte, ok bool) {
	if !bytes.HasPrefix(head, base) {
		return nil, false
	}
	suffix = head[len(base):]
	switch {
	case len(base) == 0 || base[len(base)-1] == '\n':
		return suffix, true
	case r.UnterminatedDeletes || len(suffix) > 0 && suffix[0] != '\n':
		return nil, false
	default:
		return bytes.TrimPrefix(suffix, []byte{'\n'}), true
	}
}

// diffedText collects added lines from a line diff and refuses deletions.
func diffedText(rules Rules, base, head linediff.Text) (addition, diag.List) {
	script, err := linediff.Compare(base, head)
	if err != nil {
		return addition{}, diag.List{diag.New("changelog.too-different", rules.place(0)).In("changelog-deletion")}
	}
	if deletions := deletedLines(rules, base, script); deletions != nil {
		return addition{}, deletions
	}
	a := addition{lines: []int{}}
	for j, inserted := range script.Inserted {
		if !inserted {
			continue
		}
		piece, f := rules.piece(head.Line(j), j+1)
		if f != nil {
			return addition{}, diag.List{*f}
		}
		for n := range bytes.Count(piece.text, []byte{'\n'}) {
			a.lines = append(a.lines, piece.line(n+1))
		}
		a.text = append(a.text, piece.text...)
	}
	return a, nil
}

// piece turns head lines into text for the parser: ends of lines become LF and
// invalid UTF-8 is refused. With HeaderLikeLines it loses what the
// reference's diff reader loses.
func (r Rules) piece(lines []byte, first int) (addition, *diag.Finding) {
	if !utf8.Valid(lines) {
		f := diag.New("changelog.not-utf8", r.place(first+bytes.Count(lines[:invalidAt(lines)], []byte{'\n'}))).In("not-utf8")
		return addition{}, &f
	}
	a := addition{text: lines, first: first}
	if bytes.IndexByte(lines, '\r') >= 0 {
		a.text = bytes.ReplaceAll(lines, []byte("\r\n"), []byte{'\n'})
		if at := bytes.IndexByte(a.text, '\r'); at >= 0 && !r.HeaderLikeLines {
			f := diag.New("changelog.lone-cr", r.place(first+bytes.Count(a.text[:at], []byte{'\n'}))).In("cr")
			return addition{}, &f
		}
	}
	if len(a.text) > 0 && a.text[len(a.text)-1] != '\n' {
		a.text = append(bytes.Clone(a.text), '\n')
	}
	if r.HeaderLikeLines {
		return a.asDiffReader(), nil
	}
	return a, nil
}

// asDiffReader drops lines that look like the header of a diff and what
// follows a lone CR on its line.
func (a addition) asDiffReader() addition {
	if bytes.IndexByte(a.text, '\r') < 0 && !bytes.HasPrefix(a.text, []byte("++")) && !bytes.Contains(a.text, []byte("\n++")) {
		return a
	}
	out := addition{first: a.first, lines: []int{}}
	for n, line := range bytes.SplitAfter(a.text, []byte{'\n'}) {
		if len(line) == 0 || bytes.HasPrefix(line, []byte("++")) {
			continue
		}
		out.lines = append(out.lines, a.line(n+1))
		if at := bytes.IndexByte(line, '\r'); at >= 0 {
			line = append(line[:at:at], '\n')
		}
		out.text = append(out.text, line...)
	}
	return out
}

// shownDeletions bounds how many deletions are reported one by one.
const shownDeletions = 20

// deletedLines reports every run of deleted lines that are not blank.
func deletedLines(rules Rules, base linediff.Text, script linediff.Script) diag.List {
	var list diag.List
	more := 0
	for _, run := range deletedRuns(rules, base, script) {
		if len(list) == shownDeletions {
			more++
			continue
		}
		list = append(list, run.finding(rules, base))
	}
	if more > 0 {
		list = append(list, diag.New("changelog.more-deletions", rules.place(0), "count", strconv.Itoa(more)).In("changelog-deletion"))
	}
	return list
}

// deletedRun is a run of deleted base lines, from its first to its last line
// that is not blank; head is the head line at its place.
type deletedRun struct{ from, to, head int }

func deletedRuns(rules Rules, base linediff.Text, script linediff.Script) []deletedRun {
	var runs []deletedRun
	common := 0 // lines of both sides before this one
	at := headLines(script)
	open := false
	for i, deleted := range script.Deleted {
		if !deleted {
			common++
			open = false
			continue
		}
		line := base.Line(i)
		if at := bytes.IndexByte(line, '\r'); at >= 0 && rules.HeaderLikeLines {
			line = line[:at]
		}
		if isBlank(line) || rules.HeaderLikeLines && bytes.HasPrefix(line, []byte("--")) {
			continue
		}
		if !open {
			runs = append(runs, deletedRun{from: i, head: at[common]})
			open = true
		}
		runs[len(runs)-1].to = i
	}
	return runs
}

// headLines returns, for each number of common lines, the head line number at
// which a deletion after them stands: the first line inserted there, or the
// next common one.
func headLines(script linediff.Script) []int {
	lines := []int{1}
	for j, inserted := range script.Inserted {
		if !inserted {
			lines = append(lines, j+2)
		}
	}
	return lines
}

func (r deletedRun) finding(rules Rules, base linediff.Text) diag.Finding {
	code := "changelog.line-deleted"
	if r.to > r.from {
		code = "changelog.lines-deleted"
	}
	f := diag.New(code, rules.place(r.head), "line", strconv.Itoa(r.from+1), "last", strconv.Itoa(r.to+1),
		"text", showLine(base.Line(r.from))).In("changelog-deletion")
	f.Related = []diag.Place{{File: rules.on("base").File, Line: r.from + 1}}
	return f
}

// readAdditions parses added text and validates every entry in it.
func readAdditions(rules Rules, a addition) ([]Entry, diag.List) {
	if isBlank(a.text) {
		return nil, diag.List{diag.New("changelog.no-additions", rules.place(0)).In("no-additions")}
	}
	root, f := a.parse(rules.File, yamlpos.Options{LastKeyWins: rules.LastKeyWins})
	if f != nil {
		return nil, diag.List{*f}
	}
	if isEmpty(root) {
		return nil, diag.List{diag.New("changelog.no-entries", rules.place(a.line(1))).In("no-entries")}
	}
	if root.Kind != yamlpos.Sequence {
		return nil, diag.List{diag.New("changelog.additions-not-list", root.Place(rules.File), "kind", root.Kind.String()).In(categorySchema)}
	}
	return decodeAll(rules, root.Items)
}

func decodeAll(rules Rules, items []*yamlpos.Value) ([]Entry, diag.List) {
	entries := make([]Entry, len(items))
	var findings diag.List
	for i, item := range items {
		entry, list := decodeEntry(rules, i, item.Line, item)
		entries[i] = entry
		findings = append(findings, list...)
	}
	if findings != nil {
		return nil, findings
	}
	return entries, nil
}

// parse reads the text as YAML, with positions in head.
func (a addition) parse(file string, opt yamlpos.Options) (*yamlpos.Value, *diag.Finding) {
	if a.lines == nil {
		opt.FirstLine = a.first
	}
	root, err := yamlpos.Parse(file, a.text, opt)
	switch {
	case err != nil && a.lines == nil:
		f := asFinding(err)
		return nil, &f
	case err != nil:
		f := a.relocateFinding(asFinding(err))
		return nil, &f
	case a.lines != nil:
		relocate(root, a, make(map[*yamlpos.Value]bool))
	}
	return root, nil
}

// relocateFinding moves the places of a finding, those among its arguments
// included, from the added text to head.
func (a addition) relocateFinding(f diag.Finding) diag.Finding {
	f.Line = a.line(f.Line)
	for i := range f.Related {
		f.Related[i].Line = a.line(f.Related[i].Line)
	}
	for i := 0; i+1 < len(f.Args); i += 2 {
		if n, err := strconv.Atoi(f.Args[i+1]); err == nil && (f.Args[i] == "first" || f.Args[i] == "second") {
			f.Args[i+1] = strconv.Itoa(a.line(n))
		}
	}
	return f
}

// relocate moves the positions of a value from the added text to head. Values
// reached twice through aliases are moved once.
func relocate(v *yamlpos.Value, a addition, done map[*yamlpos.Value]bool) {
	if done[v] {
		return
	}
	done[v] = true
	v.Line = a.line(v.Line)
	for _, item := range v.Items {
		relocate(item, a, done)
	}
	for _, f := range v.Fields {
		relocate(f.Key, a, done)
		relocate(f.Value, a, done)
	}
}

// isEmpty reports whether a document holds nothing: null, or an empty or zero
// value of any kind.
func isEmpty(v *yamlpos.Value) bool {
	switch v.Kind {
	case yamlpos.Null:
		return true
	case yamlpos.String:
		return v.Text == ""
	case yamlpos.Sequence:
		return len(v.Items) == 0
	case yamlpos.Mapping:
		return len(v.Fields) == 0
	case yamlpos.Bool, yamlpos.Int:
		return v.Int == 0
	case yamlpos.Float:
		return v.Float == 0
	}
	return false
}
