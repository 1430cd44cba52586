package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// WriteTable writes the points for a terminal: throughput per GPU in tokens per
// second, median time to first token and end-to-end latency in seconds, and how
// each point stands.
func (r Report) WriteTable(w io.Writer, lang catalog.Language) error {
	out := bufio.NewWriter(w)
	width := len("point")
	for _, p := range r.Points {
		width = max(width, diag.Columns(diag.Printable(p.Label)))
	}
	line := func(label, tput, ttft, e2el, state string) {
		fmt.Fprintf(out, "%s%*s  %9s  %7s  %7s  %s\n", label, width-diag.Columns(label), "", tput, ttft, e2el, state)
	}
	line("point", "tok/s/GPU", "TTFT s", "E2EL s", "status")
	for _, p := range r.Points {
		line(diag.Printable(p.Label), p.metric("tput_per_gpu"), p.metric("median_ttft"), p.metric("median_e2el"), p.status(lang))
	}
	fmt.Fprintf(out, "\n%s\n%s\n", r.headline(lang), r.countLine(lang))
	if r.Comparison != nil {
		fmt.Fprintln(out, r.Comparison.line(lang))
	}
	return out.Flush()
}

func (p Point) metric(name string) string {
	if f, ok := p.Metrics[name]; ok {
		return number(f)
	}
	return ""
}

func (p Point) status(lang catalog.Language) string {
	text := sayOr(lang, "state-", string(p.State))
	if p.Canary {
		text += "  canary"
	}
	for _, s := range p.Scores {
		text += "  " + diag.Printable(s.Task) + " " + scoreText(s)
	}
	if p.State != results.Passed && p.State != results.Pending {
		text += "  " + diag.Printable(p.why(lang))
	}
	return text
}

// WriteCurves writes how many points lie on the frontier of each curve that
// counts.
func (r Report) WriteCurves(w io.Writer, lang catalog.Language) error {
	out := bufio.NewWriter(w)
	for _, c := range r.Curves {
		if c.View != viewLatency {
			continue
		}
		fmt.Fprintf(out, "%s  %d/%d  %s  (%d measured, %d invalid)\n", c.Status, c.Frontier, c.Recommended, diag.Printable(c.Key), c.Measured, c.Invalid)
		for _, m := range c.Points {
			if m.Kept {
				fmt.Fprintf(out, "      %s c%d  %s s  %s tok/s/GPU\n", diag.Printable(m.Topology), m.Conc, numberOf(m.X), numberOf(m.Y))
			}
		}
	}
	fmt.Fprintln(out, say(lang, "frontier-advice", "n", fmt.Sprint(recommended)))
	return out.Flush()
}

// WriteComparison writes the comparison for a terminal: every change that
// counts, or may count.
func (r Report) WriteComparison(w io.Writer, lang catalog.Language) error {
	out := bufio.NewWriter(w)
	c := r.Comparison
	if c == nil {
		fmt.Fprintln(out, say(lang, "no-baseline"))
		return out.Flush()
	}
	for _, p := range c.Points {
		fmt.Fprintf(out, "%s: %s\n", diag.Printable(p.Label), sayOr(lang, "verdict-", string(p.Verdict)))
		for _, ch := range p.Changes {
			if ch.notable() {
				fmt.Fprintf(out, "    %-24s %12s  %12s  %8s  %s\n", ch.Label, numberOf(ch.Base), numberOf(ch.Current), percent(ch.Percent), sayOr(lang, "verdict-", string(ch.Verdict)))
			}
		}
	}
	fmt.Fprintln(out, c.line(lang))
	if c.Unclear > 0 {
		fmt.Fprintln(out, say(lang, "no-repeats"))
	}
	return out.Flush()
}
