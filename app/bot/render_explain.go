package bot

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// detailed is up to how many rows everything is said; of more there is a
// table.
const detailed = 2

// RenderExplained writes the answer for people.
func RenderExplained(w io.Writer, e Explained, style TableStyle) error {
	out := bufio.NewWriter(w)
	line := func(text string) { out.WriteString(text + "\n") }
	switch {
	case len(e.Rows) == 0:
		line(e.Why)
	case len(e.Rows) <= detailed:
		for i, r := range e.Rows {
			if i > 0 {
				line("")
			}
			renderRow(line, r, style)
		}
	default:
		renderMany(line, e, style)
	}
	return out.Flush()
}

// renderRow says everything about one row.
func renderRow(line func(string), r RowExplanation, style TableStyle) {
	line(style.paint(boldText, diag.Printable(r.Row+": "+r.Title)))
	canary := style.say("cli.no")
	if r.Canary {
		canary = style.say("cli.yes")
	}
	asked := r.Changelog
	if r.Reason != "" {
		asked += " \"" + r.Reason + "\""
	}
	t := &table{columns: []column{{}, {wraps: true}}}
	for _, field := range [][2]string{
		{"cli.field-changelog", asked}, {"cli.field-filters", strings.Join(r.Filters, "; ")},
		{"cli.field-config", r.Key + ", " + r.Config}, {"cli.field-block", r.Block}, {"cli.field-entry", r.Entry},
		{"cli.field-eval", r.Eval}, {"cli.field-canary", canary}, {"cli.field-job", r.Job},
		{"cli.field-family", r.Family + " / " + r.Shard}, {"cli.field-point", r.Point},
		{"cli.field-fingerprint", r.Fingerprint}, {"cli.field-priority", r.Priority},
	} {
		if field[1] != "" {
			t.add(style.say(field[0]), field[1])
		}
	}
	for _, text := range t.lines(style.Columns)[1:] {
		line(text)
	}
}

// renderMany shows many rows by what they have in common, and how to ask for
// one of them.
func renderMany(line func(string), e Explained, style TableStyle) {
	line(style.paint(boldText, diag.Printable(e.Target)+" · "+style.count("cli.point", "cli.points", len(e.Rows))))
	for _, place := range distinct(e.Rows, func(r RowExplanation) string { return r.Key + ", " + r.Config }) {
		line(gap + style.say("cli.field-config") + " " + diag.Printable(place))
	}
	for _, place := range distinct(e.Rows, func(r RowExplanation) string { return r.Changelog + filtersOf(r) }) {
		line(gap + style.say("cli.field-changelog") + " " + diag.Printable(place))
	}
	line("")
	t := &table{columns: []column{{title: "row"}, {title: "point"}, {title: "runs", wraps: true}, {title: "line"}, {title: "priority"}}}
	for _, r := range e.Rows {
		runs := r.shape
		if r.Canary {
			runs += " | canary"
		}
		t.add(r.Row, r.Point, runs, strconv.Itoa(r.line), r.Priority)
	}
	for i, text := range t.lines(style.Columns) {
		if i == 0 {
			text = style.paint(faintText, text)
		}
		line(text)
	}
	line("")
	line(style.paint(faintText, style.say("cli.explain-one", "row", e.Rows[0].Row)))
}

func filtersOf(r RowExplanation) string {
	if len(r.Filters) == 0 {
		return ""
	}
	return " (" + strings.Join(r.Filters, "; ") + ")"
}

// distinct returns the different values of a field in order.
func distinct(rows []RowExplanation, field func(RowExplanation) string) []string {
	seen := make(map[string]bool)
	var out []string
	for _, r := range rows {
		if value := field(r); !seen[value] {
			seen[value] = true
			out = append(out, value)
		}
	}
	return out
}
