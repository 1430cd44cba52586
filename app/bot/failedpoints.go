package bot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results/failure"
	"github.com/sweepbot/sweepbot/results/report"
)

// failedPoints are the points of a run that failed, the first one first: each
// with the line of its plan row, where the plan is at hand, and with the reason,
// as the report has it from logs, or else as far as the job alone tells it.
func failedPoints(t *Tracked, planned *Planned, made *report.Report, site string) []failedPoint {
	var out []failedPoint
	reasons := reasonsOf(made)
	for _, p := range inOrderOfFailure(pointsOf(latest(t.Jobs))) {
		f := failedPoint{
			title: shorten(p.title, maxTitle),
			url:   site + "/actions/runs/" + strconv.FormatInt(t.Run.ID, 10) + "/job/" + strconv.FormatInt(p.ID, 10),
		}
		row, id := plannedRow(planned, p)
		if row != nil {
			f.place = row.Entry.Place
		}
		known, ok := reasons[id]
		if !ok {
			known = reasonOfJob(p)
		}
		if known.Class != failure.Unclassified {
			f.why = known.Finding("")
		}
		out = append(out, f)
	}
	return out
}

// inOrderOfFailure are the points that failed by the time at which they ended:
// the first one is what made a fail-fast family stop.
func inOrderOfFailure(points []point) []point {
	failed := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return p.state != pointFailed })
	slices.SortStableFunc(failed, func(a, b point) int {
		return cmp.Or(a.CompletedAt.Compare(b.CompletedAt), cmp.Compare(a.ID, b.ID))
	})
	return failed
}

// queueMark is what the workflow files put before the title of a point for the
// scheduler (spec/matrix.md section 14).
var queueMark = pattern.Lazy(`^p\d+(?:\.\d+)? \| `)

// plannedRow finds the row that a point runs, by its title; where rows of
// several families share one, by its family. The canary has a family of its own.
func plannedRow(planned *Planned, p point) (row *matrix.Row, id string) {
	if planned == nil || planned.Plan == nil {
		return nil, ""
	}
	title := queueMark().ReplaceAllString(p.title, "")
	for _, f := range planned.Families {
		for _, r := range f.Rows {
			same := strings.TrimSuffix(f.Prefix, " /") == p.family
			if JobTitle(r) == title && (row == nil || same) {
				row = r
				if same {
					return row, pointIDs(planned.Families)[row]
				}
			}
		}
	}
	return row, pointIDs(planned.Families)[row]
}

// classes are those that a report may name: it comes from a run of the pull
// request, so that nothing else in it is taken for one.
var classes = []failure.Class{
	failure.Configuration, failure.Runtime, failure.OutOfMemory, failure.NotReady, failure.Infrastructure,
	failure.BySibling, failure.Superseded, failure.Cancelled,
}

// reasonsOf are the reasons that a report gives, by the ids of the plan.
func reasonsOf(made *report.Report) map[string]failure.Verdict {
	out := make(map[string]failure.Verdict)
	if made == nil {
		return out
	}
	for i := range made.Points {
		p := &made.Points[i]
		if f := p.Failure; f != nil && p.PlanID != "" && slices.Contains(classes, f.Class) {
			out[p.PlanID] = failure.Verdict{Class: f.Class, Line: shorten(f.Line, maxQuoted), Runner: shorten(f.Runner, maxTitle), Node: shorten(f.Node, maxTitle)}
		}
	}
	return out
}

// reasonOfJob is what the job of a point tells without its log.
func reasonOfJob(p point) failure.Verdict {
	rules, err := failure.BuiltIn()
	if err != nil {
		return failure.Verdict{Class: failure.Unclassified}
	}
	return rules.Classify(failure.Facts{
		Job: p.ID, Attempt: p.Attempt, Family: p.family, Conclusion: p.Conclusion, Runner: diag.Printable(p.RunnerName),
	})
}
