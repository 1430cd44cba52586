package matrix

import (
	"fmt"
	"slices"

	"github.com/sweepbot/sweepbot/config"
)

// Trim keeps the lowest concurrency of every recipe (spec/matrix.md section
// 11): the kept row stands at its own position, the first wins ties. With
// TrimMerges multi-node rows of one recipe merge too; without it each is only
// shrunk to its lowest concurrency.
func Trim(rows []*Row, rules config.Matrix) []*Row {
	best := make(map[string]*trimmed)
	out := make([]*Row, 0, len(rows))
	for _, r := range rows {
		row := *r
		if row.Multinode() && len(row.Conc) > 0 {
			row.Conc = []int64{slices.Min(row.Conc)}
			if row.EvalConc != 0 {
				row.EvalConc = row.Conc[0]
			}
		}
		out = append(out, &row)
		if row.Multinode() && !rules.TrimMerges || len(row.Conc) == 0 {
			continue
		}
		key := row.trimKey(rules)
		group := best[key]
		if group == nil {
			group = &trimmed{}
			best[key] = group
		}
		group.add(&row)
	}
	drop := make(map[*Row]bool)
	for _, group := range best {
		group.finish(drop, rules)
	}
	return slices.DeleteFunc(out, func(r *Row) bool { return drop[r] })
}

// trimmed is one group of rows that trimming reduces to one.
type trimmed struct {
	rows     []*Row
	best     *Row
	eval     bool
	allConcs bool
}

func (g *trimmed) add(r *Row) {
	g.rows = append(g.rows, r)
	g.eval = g.eval || r.RunEval == Yes
	g.allConcs = g.allConcs || r.EvalAllConcs == Yes
	if g.best == nil || r.Conc[0] < g.best.Conc[0] {
		g.best = r
	}
}

func (g *trimmed) finish(drop map[*Row]bool, rules config.Matrix) {
	for _, r := range g.rows {
		if r != g.best {
			drop[r] = true
		}
	}
	if !rules.TrimMerges || !g.eval {
		return
	}
	g.best.RunEval = Yes
	if g.best.Multinode() {
		g.best.EvalConc = g.best.Conc[0]
	}
	if g.allConcs {
		g.best.EvalAllConcs = Yes
	}
}

// trimKey is the group of a row. Merging leaves evals aside, except that
// eval-only rows of one suite are groups of their own.
func (r *Row) trimKey(rules config.Matrix) string {
	switch {
	case !rules.TrimMerges:
		return r.recipeKey() + fmt.Sprint(r.RunEval, r.EvalOnly, r.EvalConc, r.EvalAllConcs, r.HasSuite) + r.EvalFramework + "\x00" + r.EvalSuite
	case r.EvalOnly:
		return r.recipeKey() + "\x00" + r.EvalFramework + "\x00" + r.EvalSuite
	}
	return r.recipeKey()
}

// smoke runs each recipe once: a trimmed throughput part without evals,
// followed by a trimmed copy of every selected row (spec/matrix.md section
// 9.6).
func smoke(rows []*Row, rules config.Matrix) []*Row {
	marked := mark(rows, rules, true)
	var throughput, evals []*Row
	for _, r := range marked {
		if r.RunEval == Yes {
			twin := *r
			twin.EvalOnly, twin.NoPower = true, true
			if r.Multinode() {
				twin.Conc, twin.EvalAllConcs = []int64{r.EvalConc}, No
			}
			evals = append(evals, &twin)
		}
		if r.EvalOnly {
			continue
		}
		plain := *r
		plain.dropEval()
		throughput = append(throughput, &plain)
	}
	return append(Trim(throughput, rules), Trim(evals, rules)...)
}
