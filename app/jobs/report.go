package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results/report"
)

// Report is the last job: the verdict. It goes by the jobs that produce, since
// collectors can be green although every producer failed (known failure F45).
// The jobs of the points are asked from GitHub for the report alone: without
// them the verdict is the same.
func Report(ctx context.Context, h *Host, runs bot.Runs) error {
	s, err := h.sweep()
	if err != nil {
		return err
	}
	plan, err := h.plan(s)
	if err != nil {
		return err
	}
	text, err := h.value("SWEEPBOT_RESULTS")
	if err != nil {
		return err
	}
	verdict := Judge(plan, readResults(text))
	made, err := h.sweepReport(ctx, s, plan, runs, h.either("GITHUB_SERVER_URL", "https://github.com"))
	if err != nil {
		return err
	}
	if err := h.summary(verdict.table() + "\n" + made.Markdown(report.ForSummary())); err != nil {
		return err
	}
	h.annotate(unpassed(made))
	if verdict.Findings.Refused() {
		return verdict.Findings
	}
	return nil
}

// readResults reads job=result words.
func readResults(text string) map[string]string {
	out := make(map[string]string)
	for _, word := range strings.Fields(text) {
		job, result, _ := strings.Cut(word, "=")
		out[job] = result
	}
	return out
}

// Verdict is what became of a sweep, family by family.
type Verdict struct {
	Lines    []VerdictLine
	Findings diag.List
}

// VerdictLine is one job that produces results, or collects them.
type VerdictLine struct {
	Job, Result string
	Points      int // planned, 0 for collectors
}

// The jobs that must succeed besides the families: collectors where there is
// something to collect.
const (
	collectResults = "collect-results"
	collectEvals   = "collect-evals"
)

// Judge holds the results of the jobs against the plan. Every planned family
// must have succeeded; skipped and cancelled are no success. The one exception
// is a family that the canary was the only point of.
func Judge(plan *localrun.Plan, results map[string]string) Verdict {
	var v Verdict
	var need []string
	for _, f := range plan.Families {
		points, canary := len(f.Rows), holdsCanary(plan, f)
		need = append(need, collectorOf(f))
		if canary {
			job := "canary-sweep"
			if strings.HasPrefix(f.Job, "sweep-multi-node-") {
				job = "canary-multi-node-sweep"
			}
			v.add(job, results[job], 1)
			points--
		}
		if points > 0 {
			v.add(f.Job, results[jobOf(f.Job)], points)
		}
	}
	slices.Sort(need)
	for _, job := range slices.Compact(need) {
		v.add(job, results[job], 0)
	}
	return v
}

func holdsCanary(plan *localrun.Plan, f localrun.Family) bool {
	// A canary that did not run because the labels ask for none is no canary.
	return plan.Canary != "" && slices.ContainsFunc(f.Rows, func(r localrun.PlanRow) bool { return r.ID == plan.Canary })
}

func collectorOf(f localrun.Family) string {
	if f.EvalOnly {
		return collectEvals
	}
	return collectResults
}

func (v *Verdict) add(job, result string, points int) {
	v.Lines = append(v.Lines, VerdictLine{job, result, points})
	if result != "success" {
		v.Findings = append(v.Findings, diag.New("jobs.not-successful", diag.Place{}, "job", job, "result", orNone(result)))
	}
}

func orNone(result string) string {
	if result == "" {
		return "missing"
	}
	return result
}

func (v Verdict) table() string {
	var b strings.Builder
	b.WriteString("### Verdict\n\n| job | points | result |\n| --- | --- | --- |\n")
	for _, l := range v.Lines {
		points := ""
		if l.Points > 0 {
			points = fmt.Sprint(l.Points)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", plain(l.Job), points, plain(orNone(l.Result)))
	}
	return b.String()
}
