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
	// Since is the commit whose measurement stands for the points left out.
	Since string
	// Current are the points left out.
	Current int
}

// KeepOnly leaves of a plan the rows that keep accepts, and marks it partial.
// since is the commit that was measured.
func KeepOnly(p Planned, since string, keep func(*matrix.Row) bool) (Planned, diag.List) {
	plan := *p.Plan
	left := &Partial{Since: since}
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
	note := diag.New("bot.partial-plan", diag.Place{}, "since", since, "count", strconv.Itoa(left.Current)).WithSeverity(diag.Warning)
	p.Findings = append(p.Findings, note)
	return p, nil
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

func partialDocument(p *Partial) ordjson.Value {
	out := ordjson.Map()
	out.Add("since", ordjson.Str(p.Since))
	out.Add("current", ordjson.Int(int64(p.Current)))
	return out
}
