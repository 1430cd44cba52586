package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// maxCitations is how many citations of a row are shown to people.
const maxCitations = 4

// rowOrder is the order of rows for people: what needs them first.
var rowOrder = []checks.Status{checks.Fail, checks.Warn, checks.Unavailable, checks.Pass, checks.NotApplicable}

// renderVerdict prints a verdict for people: the word and what was assessed,
// then the rows, what needs somebody first.
func renderVerdict(s *streams, v *bundle.Verification) error {
	p := &printer{s: s}
	p.line(string(verdict.Of(v.Results)) + "  " + p.text("signoff.assessed", "head", v.Head[:min(8, len(v.Head))], "base", v.Base[:min(8, len(v.Base))],
		"profile", v.Profile.Era, "date", v.Date.Format(time.DateOnly)))
	p.line(countStatuses(v.Results))
	for _, status := range rowOrder {
		for _, r := range v.Results {
			if r.Status == status {
				renderRow(p, r)
			}
		}
	}
	return p.err
}

// countStatuses counts rows by status.
func countStatuses(results []checks.Result) string {
	var parts []string
	for _, status := range rowOrder {
		n := 0
		for _, r := range results {
			if r.Status == status {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	return strings.Join(parts, ", ")
}

// renderRow prints a row with its evidence.
func renderRow(p *printer, r checks.Result) {
	p.line("")
	p.line(rowTitle(r))
	for _, line := range bodyLines(r.Reason, columns(p.s.out)-4) {
		p.line("    " + line)
	}
	for _, remark := range r.Remarks {
		for i, line := range bodyLines(remark, columns(p.s.out)-6) {
			p.line("    " + []string{"+ ", "  "}[min(i, 1)] + line)
		}
	}
	for i, c := range r.Citations {
		if i == maxCitations {
			p.line("    " + p.text("signoff.more-citations", "n", fmt.Sprint(len(r.Citations)-i)))
			break
		}
		p.line("    -> " + citationLine(c))
	}
	if len(r.Missing) > 0 {
		p.line("    " + p.text("signoff.missing", "what", strings.Join(r.Missing, ", ")))
	}
}

// rowTitle is the head of a row. An offline status has no emoji, since no comment
// has it.
func rowTitle(r checks.Result) string {
	mark := r.Status.Emoji()
	if mark == "" {
		mark = "?"
	}
	return fmt.Sprintf("%s %s  Check %d (%s)", mark, r.Status, r.Number, r.Name)
}

// citationLine is a citation as somebody can open it.
func citationLine(c checks.Citation) string {
	where := c.URL
	switch {
	case where != "":
	case c.Path != "":
		place := diag.Place{File: c.Path, Line: c.Line}
		where = place.String()
		if c.Commit != "" {
			where += " @ " + c.Commit[:min(8, len(c.Commit))]
		}
	case c.ID != 0:
		where = fmt.Sprintf("%s %d", c.Kind, c.ID)
	case c.Commit != "":
		where = "commit " + c.Commit
	default:
		where = string(c.Kind)
	}
	if c.Text == "" {
		return where
	}
	return where + "  " + c.Text
}

// bodyLines wraps a text at blanks.
func bodyLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(diag.Printable(text)) {
		switch {
		case line == "":
			line = word
		case diag.Columns(line)+1+diag.Columns(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
