package models

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// table is a Markdown table.
type table struct {
	header []string
	rows   []tableRow
}

type tableRow struct {
	line  int
	cells []string
}

// section is a stretch of the document: a heading, a table or a text.
type section struct {
	line    int
	heading string
	table   *table
	text    string
}

// maxLines bounds a policy document.
const maxLines = 20_000

// sections takes a document apart, in order.
func sections(doc string) []section {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(doc), "\n")
	lines = lines[:min(len(lines), maxLines)]
	var out []section
	fenced := false
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced || line == "":
		case strings.HasPrefix(line, "#"):
			out = append(out, section{line: i + 1, heading: plain(strings.TrimLeft(line, "# "))})
		case i+1 < len(lines) && strings.Contains(line, "|") && delimiter().MatchString(strings.TrimSpace(lines[i+1])):
			t := &table{header: cells(line)}
			start := i + 1
			for i += 2; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
				t.rows = append(t.rows, tableRow{i + 1, cells(lines[i])})
			}
			i--
			out = append(out, section{line: start, table: t})
		default:
			out = append(out, section{line: i + 1, text: line})
		}
	}
	return out
}

var delimiter = pattern.Lazy(`^\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$`)

// cells splits a row of a table; "\|" is no border.
func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	parts := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i, part := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(part, "\x00", "|"))
	}
	return parts
}

// column finds a column by its header, or by the beginning of it.
func (t *table) column(name string, prefix bool) int {
	for i, head := range t.header {
		head = strings.ToLower(plain(head))
		if head == name || prefix && strings.HasPrefix(head, name) {
			return i
		}
	}
	return -1
}

// cell returns a cell of a row; one that is not there is empty.
func (r tableRow) cell(column int) string {
	if column < 0 || column >= len(r.cells) {
		return ""
	}
	return r.cells[column]
}

var (
	link     = pattern.Lazy(`!?\[([^\]]*)\]\([^)]*\)`)
	footnote = pattern.Lazy(`\[\^[^\]]*\]`)
	ticked   = pattern.Lazy("`([^`]+)`")
)

// plain is a text without marks: links are their text, bold and footnote marks
// are dropped.
func plain(text string) string {
	text = footnote().ReplaceAllString(text, "")
	text = link().ReplaceAllString(text, "$1")
	return strings.TrimSpace(strings.NewReplacer("**", "", "__", "").Replace(text))
}

// prefixes are the back-ticked words of a cell, lower case.
func prefixes(cell string) []string {
	var out []string
	for _, m := range ticked().FindAllStringSubmatch(cell, -1) {
		out = append(out, strings.ToLower(strings.TrimSpace(m[1])))
	}
	return out
}
