package diag

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// TextStyle says how findings are written for people.
type TextStyle struct {
	Language catalog.Language
	Color    bool
	// Source returns the bytes of a file that findings point into, nil where
	// it is not known. It may itself be nil: then there are no excerpts.
	Source func(file string) []byte
	// Uncounted leaves out the last line, which counts several findings.
	Uncounted bool
}

// The colours of a terminal that the texts use.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	plain  = "\x1b[0m"
)

func (s TextStyle) paint(color, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return color + text + plain
}

// severityColor tells severities apart at a glance.
func severityColor(s Severity) string {
	switch s {
	case Error:
		return red
	case Warning:
		return yellow
	}
	return cyan
}

// severityWord is the text before a message that is no error.
func severityWord(s Severity) string {
	if s == Warning {
		return "cli.word-warning"
	}
	return "cli.word-note"
}

// WriteText writes findings for people, in their order: where and what with
// its code, the line itself with a mark below it, and the mend. Everything is
// made printable. A last line counts them when there are several.
func WriteText(w io.Writer, list List, style TextStyle) error {
	out := bufio.NewWriter(w)
	t := textWriter{out: out, style: style, lines: make(map[string][][]byte)}
	for _, f := range list {
		t.finding(f)
	}
	if len(list) > 1 && !style.Uncounted {
		t.line(style.paint(bold, Summary(list, style.Language)))
	}
	return out.Flush()
}

// Summary counts findings in words, for example "2 errors, 1 warning".
func Summary(list List, lang catalog.Language) string {
	count := [3]int{}
	for _, f := range list {
		count[min(f.Severity, Note)]++
	}
	var parts []string
	for i, noun := range [][2]string{{"cli.error", "cli.errors"}, {"cli.warning", "cli.warnings"}, {"cli.note", "cli.notes"}} {
		if n := count[i]; n > 0 {
			parts = append(parts, catalog.Count(lang, noun[0], noun[1], n))
		}
	}
	if lang == catalog.Chinese {
		return strings.Join(parts, "，")
	}
	return strings.Join(parts, ", ")
}

type textWriter struct {
	out   *bufio.Writer
	style TextStyle
	lines map[string][][]byte // of every file that was asked for
}

func (t *textWriter) line(text string) {
	t.out.WriteString(text)
	t.out.WriteByte('\n')
}

func (t *textWriter) finding(f Finding) {
	head := ""
	if place := Printable(f.Place.String()); place != "" {
		head = t.style.paint(bold, place+":") + " "
	}
	message := Printable(f.Message(t.style.Language))
	if f.Severity == Error {
		message = t.style.paint(bold, message)
	} else {
		message = t.label(severityColor(f.Severity), severityWord(f.Severity)) + message
	}
	t.line(head + message + " " + t.style.paint(severityColor(f.Severity), "["+f.Code+"]"))
	t.excerpt(f.Place)
	if f.Path != "" {
		t.detail("cli.at", f.Path)
	}
	for _, place := range f.Related {
		t.detail("cli.see", place.String())
		t.excerpt(place)
	}
	if mend := f.Mend(t.style.Language); mend != "" {
		t.detail("cli.mend", mend)
	}
}

// label is a word before a text. A full-width colon brings its own space.
func (t *textWriter) label(color, code string) string {
	word := catalog.Message(t.style.Language, code)
	if strings.HasSuffix(word, "：") {
		return t.style.paint(color, word)
	}
	return t.style.paint(color, word) + " "
}

// detail writes one indented line below a finding.
func (t *textWriter) detail(code, text string) {
	t.line("    " + t.label(faint, code) + Printable(text))
}

// excerpt writes the line of a place with a mark under its column.
func (t *textWriter) excerpt(p Place) {
	line, ok := t.sourceLine(p)
	if !ok {
		return
	}
	number := strconv.Itoa(p.Line)
	text, before := excerptOf(line, p.Column)
	bar := t.style.paint(faint, " |")
	t.line(strings.Repeat(" ", max(0, 6-len(number))) + t.style.paint(faint, number) + bar + " " + text)
	if p.Column > 0 {
		t.line("      " + bar + " " + strings.Repeat(" ", before) + t.style.paint(red, "^"))
	}
}

func (t *textWriter) sourceLine(p Place) ([]byte, bool) {
	if t.style.Source == nil || p.Line < 1 || p.File == "" {
		return nil, false
	}
	lines, known := t.lines[p.File]
	if !known {
		if data := t.style.Source(p.File); data != nil {
			lines = bytes.Split(data, []byte("\n"))
		}
		t.lines[p.File] = lines
	}
	if p.Line > len(lines) {
		return nil, false
	}
	return bytes.TrimSuffix(lines[p.Line-1], []byte("\r")), true
}

// excerptColumns is the widest excerpt; of longer lines the part around the
// column is shown.
const excerptColumns = 88

// excerptOf makes a source line printable and returns how many columns stand
// before the character at column (counted in characters, from 1).
func excerptOf(line []byte, column int) (text string, before int) {
	cells := cellsOf(line)
	at := min(max(column, 1)-1, len(cells))
	from, before := at, 0
	for from > 0 && before+cells[from-1].columns <= excerptColumns*2/3 {
		from--
		before += cells[from].columns
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
		before++
	}
	used := before
	for i, c := range cells[from:] {
		if i+from >= at {
			used += c.columns
		}
		if used > excerptColumns {
			b.WriteString("…")
			break
		}
		b.WriteString(c.text)
	}
	return b.String(), before
}

// cell is one character of a line as it is shown.
type cell struct {
	text    string
	columns int
}

// maxExcerpt is how many characters of a line are looked at.
const maxExcerpt = 4096

func cellsOf(line []byte) []cell {
	var cells []cell
	for _, r := range string(line[:min(len(line), 4*maxExcerpt)]) {
		if len(cells) == maxExcerpt {
			break
		}
		shown := "  " // a TAB
		if r != '\t' {
			shown = Printable(string(r))
		}
		cells = append(cells, cell{shown, Columns(shown)})
	}
	return cells
}
