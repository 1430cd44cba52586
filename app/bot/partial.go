package bot

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// Partial says that a plan leaves points out because an older measurement of
// them is still current. Such a plan cannot stand in for a full one.
type Partial struct {
	// Since is the commit whose measurement stands for the points left out, Run
	// the run that measured it; 0 where a commit was named and no run.
	Since string
	Run   int64
	// Current are the points left out.
	Current int
}

// KeepOnly leaves of a plan the rows that keep accepts, and marks it partial.
// since says what stands for the others; its count is filled in. A plan that
// is partial already stays so, whatever is kept.
func KeepOnly(p Planned, since Partial, keep func(*matrix.Row) bool) (Planned, diag.List) {
	plan := *p.Plan
	left := &Partial{Since: since.Since, Run: since.Run}
	filter := func(rows []*matrix.Row) []*matrix.Row {
		var out []*matrix.Row
		for _, r := range rows {
			if keep(r) {
				out = append(out, r)
			} else {
				left.Current++
			}
		}
		return out
	}
	plan.SingleNode, plan.MultiNode = keptBuckets(plan.SingleNode, filter), keptBuckets(plan.MultiNode, filter)
	plan.Evals, plan.AgenticEvals = filter(plan.Evals), filter(plan.AgenticEvals)
	plan.MultiEvals, plan.MultiAgenticEvals = filter(plan.MultiEvals), filter(plan.MultiAgenticEvals)
	families, list := matrix.Families(&plan, p.Settings.Sweep)
	if list.Refused() {
		return p, list
	}
	p.Plan, p.Families, p.Partial = &plan, families, left
	if p.Canary != nil {
		p.Canary = matrix.PickCanary(&plan, p.Settings.Sweep)
	}
	p.Findings = append(p.Findings, left.finding(countRows(families)))
	return p, nil
}

// finding says what a partial plan leaves out, and that it is none for a full
// sweep.
func (p *Partial) finding(points int) diag.Finding {
	code, args := "bot.partial-plan", []string{"since", p.Since, "count", strconv.Itoa(p.Current), "points", strconv.Itoa(points), "total", strconv.Itoa(points + p.Current)}
	switch {
	case p.Run != 0 && points == 0:
		code = "bot.partial-nothing"
	case p.Run != 0:
		code = "bot.partial-run"
	}
	return diag.New(code, diag.Place{}, append(args, "run", strconv.FormatInt(p.Run, 10))...).WithSeverity(diag.Warning)
}

func countRows(families []matrix.Family) int {
	n := 0
	for _, f := range families {
		n += len(f.Rows)
	}
	return n
}

func keptBuckets(buckets []matrix.Bucket, filter func([]*matrix.Row) []*matrix.Row) []matrix.Bucket {
	var out []matrix.Bucket
	for _, b := range buckets {
		if b.Rows = filter(b.Rows); len(b.Rows) > 0 {
			out = append(out, b)
		}
	}
	return out
}

func partialMember(p *Partial) ordjson.Value {
	out := ordjson.Map()
	out.Add("since", ordjson.Str(p.Since))
	if p.Run != 0 {
		out.Add("run", ordjson.Int(p.Run))
	}
	out.Add("current", ordjson.Int(int64(p.Current)))
	return out
}
