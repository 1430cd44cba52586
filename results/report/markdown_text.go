package report

import (
	"html"
	"strings"
)

// Foreign text stands in Markdown as code only: in there, GitHub acts upon
// nothing. A bar would still end the cell of a table.

// code is foreign text as a code span.
func code(text string) string {
	text = cutText(hiddenMarks.Replace(oneLine(text)), 160)
	if text == "" {
		return ""
	}
	run, longest := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

// hiddenMarks keep text from opening or closing an HTML comment, in which a
// comment's own marker stands.
var hiddenMarks = strings.NewReplacer("<!--", "<\u200b!--", "-->", "--\u200b>")

// cutText shortens a text to so many characters and says so.
func cutText(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// link is a link with our own text; an address that may be none is left out.
func link(text, address string) string {
	if !plainAddress(address) {
		return text
	}
	return "[" + text + "](" + address + ")"
}

// mdTable is a table in the making.
type mdTable struct {
	head  []string
	right []bool
	rows  [][]string
}

// write returns the table with at most limit lines, and how many were left out.
func (t mdTable) write(limit int) (text string, left int) {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.head)
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---"
		if i < len(t.right) && t.right[i] {
			rule[i] = "---:"
		}
	}
	line(rule)
	for i, row := range t.rows {
		if i == limit {
			return b.String(), len(t.rows) - limit
		}
		line(row)
	}
	return b.String(), 0
}

// folded puts text into a closed block.
func folded(title, body string) string {
	return "<details><summary>" + html.EscapeString(title) + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}
