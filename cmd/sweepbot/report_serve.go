package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results/report"
)

// serve gives planned points the commands that serve them, as the recipes of a
// clone have it at a revision.
func (f *reportFlags) serve(ctx context.Context, in *report.Input) error {
	if f.repo == "" || len(in.Plan) == 0 {
		return nil
	}
	reader, err := (&recipeFlags{repo: f.repo}).open(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	at := f.at
	if at == "" && in.Run != nil {
		at = in.Run.Head
	}
	side, _, err := reader.side(ctx, at, nil, keysOf(in.Plan)...)
	if err != nil {
		return err
	}
	ids, rows := plannedRows(in.Plan, side.Rows)
	served, err := collect.ResolveServe(ctx, side.Resolver, ids, rows)
	if err != nil {
		return err
	}
	served.Fill(in.Plan)
	return nil
}

// keysOf are the config keys of a plan, each once.
func keysOf(plan []report.PlannedPoint) []string {
	var out []string
	for _, p := range plan {
		if p.Key != "" && !slices.Contains(out, p.Key) {
			out = append(out, p.Key)
		}
	}
	return out
}

// chosen are the fields of a row that planning sets by labels: which of the
// concurrencies are measured, and what is evaluated.
var chosen = []string{
	"conc", "run-eval", "eval-only", "eval-conc", "eval-all-concs", "eval-framework", "eval-suite", "require-power", "recipe-fingerprint", "score", "queue-token",
}

// plannedRows finds the generated row of every row of a plan. The plan may have
// fewer concurrencies of it, and then the row is taken with those.
func plannedRows(plan []report.PlannedPoint, generated []*matrix.Row) (ids []string, rows []*matrix.Row) {
	byKind := make(map[string][]*matrix.Row)
	for _, r := range generated {
		kind := kindOfRow(r.Config.Key, r.Document())
		byKind[kind] = append(byKind[kind], r)
	}
	seen := map[string]bool{"": true}
	for _, p := range plan {
		if seen[p.PlanID] {
			continue
		}
		seen[p.PlanID] = true
		concs := concsOf(p.Row)
		for _, r := range byKind[kindOfRow(p.Key, p.Row)] {
			if len(concs) == 0 || !containsAll(r.Conc, concs) {
				continue
			}
			row := *r
			only, _ := p.Row.Get("eval-only")
			row.Conc, row.EvalOnly = concs, only.Text == "true"
			ids, rows = append(ids, p.PlanID), append(rows, &row)
			break
		}
	}
	return ids, rows
}

// kindOfRow is a row without what planning chooses.
func kindOfRow(key string, row ordjson.Value) string {
	kept := ordjson.Map()
	for _, m := range row.Members {
		if !slices.Contains(chosen, m.Name) {
			kept.Add(m.Name, m.Value)
		}
	}
	return key + " " + string(kept.Append(nil, ordjson.Canonical))
}

// concsOf are the concurrencies of a row of a plan.
func concsOf(row ordjson.Value) []int64 {
	value, _ := row.Get("conc")
	items := value.Items
	if value.Kind != ordjson.Array {
		items = []ordjson.Value{value}
	}
	var out []int64
	for _, item := range items {
		if n, err := strconv.ParseInt(item.Text, 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func containsAll(all, some []int64) bool {
	return !slices.ContainsFunc(some, func(n int64) bool { return !slices.Contains(all, n) })
}
