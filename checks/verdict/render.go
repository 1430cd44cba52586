package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// MaxBody is the length of a comment in bytes: GitHub takes 65,536 characters.
const MaxBody = 60_000

// Comment is a verdict as it is published.
type Comment struct {
	Marker  Marker
	Body    string
	Overall Overall
	// Findings say why the rows made no valid verdict; Body is then the
	// fallback and Overall Rejected.
	Findings diag.List
}

// Render writes the comment for results in the layout of spec/verdict.md
// section 3, and holds it against section 4: what is not consistent is replaced
// by the fallback. The error is a marker that can't be made, before anything is
// written.
func Render(c checks.Case, results []checks.Result) (Comment, error) {
	key := ""
	if c.SignOff != nil {
		key = c.SignOff.Key
	}
	marker, err := NewMarker(c.Settings.Checks.Verdict.Mode, key, c.Head)
	if err != nil {
		return Comment{}, err
	}
	w := writer{c: c, marker: marker, overall: Of(results), rows: make([]row, len(results))}
	for i, r := range results {
		w.rows[i] = row{r, w.reason(r.Reason)}
	}
	body := w.fit(MaxBody)
	out := Comment{Marker: marker, Body: body, Overall: w.overall, Findings: Validate(body, c.Profile, c.Settings.Checks)}
	if out.Findings.Refused() {
		out.Body, out.Overall = Fallback(marker, c.Head), Rejected
	}
	return out, nil
}

// row is a result with its reason made safe.
type row struct {
	checks.Result
	text string
}

// writer writes one comment.
type writer struct {
	c       checks.Case
	marker  Marker
	overall Overall
	rows    []row
}

// reason is a reason as a row has it; never empty, a row has to say something.
func (w *writer) reason(text string) string {
	text = OneLine(Safe(text, w.allowed()...), MaxReason)
	if text == "" {
		return "no reason was recorded"
	}
	return text
}

// allowed are the logins that a row may mention: the author of the sign-off and
// the configured ones.
func (w *writer) allowed() []string {
	return append(slices.Clone(w.c.Settings.Checks.Verdict.Mentions), w.c.Signer)
}

func (r row) line() string {
	return fmt.Sprintf("%s Check %d (%s): %s — %s", r.Status.Emoji(), r.Number, r.Name, r.Status, r.text)
}

// fit writes the body; above the limit the longest reasons of passed rows give
// way first, then those of others. No row is ever dropped.
func (w *writer) fit(limit int) string {
	for {
		body := w.write()
		if len(body) <= limit || !w.shorten() {
			return body
		}
	}
}

// shortest is the length in bytes below which a reason is not cut.
const shortest = 60

// shorten halves one reason; it reports whether there was one.
func (w *writer) shorten() bool {
	at := -1
	for _, quiet := range []bool{true, false} {
		for i, r := range w.rows {
			if passed(r.Status) == quiet && len(r.text) > shortest && (at < 0 || len(r.text) > len(w.rows[at].text)) {
				at = i
			}
		}
		if at >= 0 {
			w.rows[at].text = OneLine(w.rows[at].text, max(shortest, len(w.rows[at].text)/2))
			return true
		}
	}
	return false
}

func passed(s checks.Status) bool { return s == checks.Pass || s == checks.NotApplicable }

// write writes the body in the layout of the mode.
func (w *writer) write() string {
	var b strings.Builder
	if w.c.Settings.Checks.Verdict.Mode != config.VerdictCheckRun {
		b.WriteString(w.marker.String() + "\n")
	}
	b.WriteString(headers[w.overall] + "\n")
	if w.c.Settings.Checks.Verdict.Mode == config.VerdictBySHA {
		w.august(&b)
	} else {
		w.grouped(&b)
	}
	return b.String()
}

// august is the layout until August 2026: all rows in the order of their
// numbers, the mention right below the header.
func (w *writer) august(b *strings.Builder) {
	if s := w.summary(); s != "" {
		b.WriteString(s + "\n")
	}
	for _, r := range w.rows {
		b.WriteString("\n" + r.line() + "\n")
	}
}

// grouped is the layout since September 2026: what failed or warns, then the
// rest in a collapsed group, then the assessed commit.
func (w *writer) grouped(b *strings.Builder) {
	for _, paragraph := range []string{w.escalation(), w.summary(), w.note()} {
		if paragraph != "" {
			b.WriteString("\n" + paragraph + "\n")
		}
	}
	var group []row
	for _, status := range []checks.Status{checks.Fail, checks.Warn} {
		for _, r := range w.rows {
			if r.Status == status {
				b.WriteString("\n" + r.line() + "\n")
			}
		}
	}
	for _, r := range w.rows {
		if passed(r.Status) {
			group = append(group, r)
		}
	}
	if len(group) > 0 {
		b.WriteString("\n<details>\n<summary>Passed and not applicable checks</summary>\n")
		for _, r := range group {
			b.WriteString("\n" + r.line() + "\n")
		}
		b.WriteString("\n</details>\n")
	}
	fmt.Fprintf(b, "\nAssessed commit: `%s`.\n", w.c.Head)
	if w.c.Settings.Checks.Verdict.Mode == config.VerdictCarry {
		fmt.Fprintf(b, "Covered commit: `%s`.\n", w.c.Head)
	}
}

// escalation calls the configured logins when the Pareto coverage is open.
func (w *writer) escalation() string {
	for _, r := range w.rows {
		if r.Topic != checks.TopicPareto || r.Status != checks.Warn {
			continue
		}
		text := "⚠️ Pareto coverage needs additional review"
		if mentions := w.c.Settings.Checks.Verdict.Mentions; len(mentions) > 0 {
			text += ": @" + strings.Join(mentions, " @")
		}
		return text + ". Fewer than 5 verified frontier points, or unverifiable coverage, on an affected curve: merge only with a " +
			"recorded admin bypass for the assessed commit. This comment neither grants nor enforces one."
	}
	return ""
}

// note says that the head moved while the checks ran.
func (w *writer) note() string {
	if w.c.MovedTo == "" || w.c.MovedTo == w.c.Head {
		return ""
	}
	return fmt.Sprintf("The PR head moved to `%s` during verification; it is not assessed.", w.c.MovedTo[:min(8, len(w.c.MovedTo))])
}
