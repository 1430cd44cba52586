package bot

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// column is one column of a table. Columns that wrap give way when the table
// is wider than the terminal.
type column struct {
	title string
	wraps bool
}

// narrowest is how far a wrapping column can shrink, widest how wide a column
// that does not wrap can be.
const (
	narrowest = 12
	widest    = 30
)

// gap is the space between two columns.
const gap = "  "

// table lays out rows of cells for a terminal. Cells are made printable.
type table struct {
	columns []column
	rows    [][]string
}

func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = diag.Printable(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// lines returns the table as lines of at most total columns, titles first.
// Columns without content are left out.
func (t *table) lines(total int) []string {
	widths := t.fit(total - len(gap))
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.title
	}
	out := t.layout(titles, widths)
	for _, row := range t.rows {
		out = append(out, t.layout(row, widths)...)
	}
	return out
}

// fit returns the width of every column, 0 for those that are empty.
func (t *table) fit(total int) []int {
	widths := make([]int, len(t.columns))
	used := -len(gap)
	for i, c := range t.columns {
		for _, row := range t.rows {
			widths[i] = max(widths[i], diag.Columns(row[i]))
		}
		if widths[i] == 0 {
			continue
		}
		widths[i] = max(widths[i], diag.Columns(c.title))
		if !c.wraps {
			widths[i] = min(widths[i], widest)
		}
		used += widths[i] + len(gap)
	}
	for used > total && t.shrinkWidest(widths) {
		used--
	}
	return widths
}

// shrinkWidest takes one column from the widest wrapping column.
func (t *table) shrinkWidest(widths []int) bool {
	at := -1
	for i, c := range t.columns {
		if c.wraps && widths[i] > narrowest && (at < 0 || widths[i] > widths[at]) {
			at = i
		}
	}
	if at >= 0 {
		widths[at]--
	}
	return at >= 0
}

// layout writes one row, on several lines where cells wrap.
func (t *table) layout(cells []string, widths []int) []string {
	parts := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		parts[i] = []string{diag.Cut(cell, widths[i])}
		if t.columns[i].wraps {
			parts[i] = wrap(cell, widths[i])
		}
		height = max(height, len(parts[i]))
	}
	lines := make([]string, height)
	for n := range lines {
		var b strings.Builder
		for i, width := range widths {
			if width == 0 {
				continue
			}
			text := ""
			if n < len(parts[i]) {
				text = parts[i][n]
			}
			text = strings.ReplaceAll(text, noBreak, " ")
			b.WriteString(gap + text + strings.Repeat(" ", max(0, width-diag.Columns(text))))
		}
		lines[n] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// noBreak is a blank at which cells do not wrap.
const noBreak = "\u00a0"

// wrap breaks text at blanks into lines of at most width columns.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		word = diag.Cut(word, width)
		switch {
		case line == "":
			line = word
		case diag.Columns(line)+1+diag.Columns(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
