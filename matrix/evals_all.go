package matrix

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
)

// expandAll widens marked rows to everything that can be evaluated
// (spec/matrix.md section 9.4). Multi-node rows of one topology merge into the
// first of them, which keeps its place and its other fields.
func expandAll(rows []*Row, rules config.Matrix) []*Row {
	first := make(map[string]*Row)
	var out []*Row
	for _, r := range rows {
		if r.EvalOnly {
			continue
		}
		if vendorOf(r, rules) != nil {
			vendor := *r
			vendor.RunEval = Yes
			if r.Multinode() {
				vendor.Conc = sortedDistinct(r.Conc)
				vendor.EvalConc = slices.Max(r.Conc)
			}
			out = append(out, &vendor)
			plain := *r
			plain.HasSuite, plain.EvalFramework, plain.EvalSuite, plain.EvalConc = false, "", "", 0
			r = &plain
		}
		switch {
		case !r.Agentic() && !r.Is8k1k():
			out = append(out, r)
		case !r.Multinode():
			r.RunEval = Yes
			out = append(out, r)
		default:
			key := r.recipeKey()
			if merged := first[key]; merged != nil {
				merged.Conc = append(merged.Conc, r.Conc...)
				merged.allConcs()
				continue
			}
			first[key] = r
			r.RunEval = Yes
			r.allConcs()
			out = append(out, r)
		}
	}
	if rules.EvalSuites {
		for _, r := range out {
			if r.RunEval == Yes && !r.HasSuite {
				r.HasSuite, r.EvalFramework = true, frameworkLMEval
			}
		}
	}
	if rules.EvalIdentity {
		out = removeCollisions(out)
	}
	return out
}

// allConcs makes a merged row evaluate all its concurrencies: as one batch for
// fixed sequences, at the highest one for agentic rows.
func (r *Row) allConcs() {
	r.Conc = sortedDistinct(r.Conc)
	if r.Agentic() {
		r.EvalConc = r.Conc[len(r.Conc)-1]
		return
	}
	r.EvalAllConcs, r.EvalConc = Yes, 0
}
