package matrix

import (
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// EvalMode says which rows are evaluated (spec/matrix.md section 9.1).
type EvalMode uint8

// The modes. Subset keeps only selected rows, All first widens the selection
// to every row that can be evaluated, Smoke runs each recipe once.
const (
	EvalNone EvalMode = iota
	EvalDefault
	EvalSubset
	EvalAll
	EvalSmoke
)

// frameworkLMEval is the eval framework of rows without a vendor suite.
const frameworkLMEval = "lm-eval"

// SelectEvals marks rows for evaluation and, except in the modes none and
// default, keeps only the marked ones. Rows are changed in place, as the
// generator owns them.
func SelectEvals(rows []*Row, mode EvalMode, rules config.Matrix) []*Row {
	switch mode {
	case EvalNone:
		return rows
	case EvalDefault:
		return mark(rows, rules, rules.AgenticEvals)
	case EvalSmoke:
		return smoke(rows, rules)
	}
	rows = mark(rows, rules, true)
	if mode == EvalAll {
		rows = expandAll(rows, rules)
	}
	kept := rows[:0:0]
	for _, r := range rows {
		if r.RunEval == Yes {
			r.EvalOnly, r.NoPower = true, true
			kept = append(kept, r)
		}
	}
	return kept
}

// mark sets run-eval on every row. It returns the rows, with copies of vendor
// rows appended where those run a second eval.
func mark(rows []*Row, rules config.Matrix, agentic bool) []*Row {
	picks := make(map[*Row]int64) // selected rows, with eval-conc of multi-node ones
	markFixedSingle(rows, rules, picks)
	markMulti(rows, rules, picks, func(r *Row) bool { return !r.Agentic() && r.Is8k1k() })
	var copies []*Row
	if agentic {
		copies = markAgentic(rows, rules, picks)
	}
	for _, r := range rows {
		conc, selected := picks[r]
		r.RunEval = No
		if selected {
			r.RunEval, r.EvalConc = Yes, conc
		}
		if selected && rules.EvalSuites && !r.HasSuite {
			r.HasSuite, r.EvalFramework = true, frameworkLMEval
		}
	}
	rows = append(rows, copies...)
	if rules.EvalIdentity {
		rows = dropUnselected(removeCollisions(rows))
	}
	return rows
}

// dropUnselected removes eval-only rows that lost their eval.
func dropUnselected(rows []*Row) []*Row {
	return slices.DeleteFunc(rows, func(r *Row) bool { return r.EvalOnly && r.RunEval != Yes })
}

// evalGroup identifies the curve that single-node evals sample.
type evalGroup struct {
	model, runner, framework, precision, spec, dpAttn, image string
}

// markFixedSingle selects, of the eligible concurrencies of each group, the
// highest and the median, for every row that has one of them.
func markFixedSingle(rows []*Row, rules config.Matrix, picks map[*Row]int64) {
	groups := make(map[evalGroup][]*Row)
	for _, r := range rows {
		if !r.Multinode() && r.Is8k1k() && r.Conc[0] >= int64(rules.MinEvalConc) {
			c := r.Config
			key := evalGroup{c.Model, r.Runner, c.Framework, c.Precision, r.Entry.SpecDecoding, equalKey(orElse(r.Entry.DPAttn, falsy)), ""}
			groups[key] = append(groups[key], r)
		}
	}
	for _, group := range groups {
		var concs []int64
		for _, r := range group {
			concs = append(concs, r.Conc[0])
		}
		concs = sortedDistinct(concs)
		highest, median := concs[len(concs)-1], concs[len(concs)/2]
		for _, r := range group {
			if r.Conc[0] == highest || r.Conc[0] == median {
				picks[r] = 0
			}
		}
	}
}

// equalKey is equal for values that compare equal: 1, 1.0 and true are one.
func equalKey(v *yamlpos.Value) string {
	switch v.Kind {
	case yamlpos.Int, yamlpos.Bool:
		return strconv.FormatInt(v.Int, 10)
	case yamlpos.Float:
		return shortest(v.Float)
	}
	return "text " + v.Text
}

func sortedDistinct(values []int64) []int64 {
	out := slices.Clone(values)
	slices.Sort(out)
	return slices.Compact(out)
}

// markMulti selects one multi-node row of each parallelism key: the first that offers
// the largest eligible concurrency.
func markMulti(rows []*Row, rules config.Matrix, picks map[*Row]int64, eligible func(*Row) bool) []*Row {
	type offer struct {
		row  *Row
		conc int64
	}
	best := make(map[string]*offer)
	var order []*offer
	for _, r := range rows {
		if !r.Multinode() || !eligible(r) {
			continue
		}
		conc := int64(0)
		for _, c := range r.Conc {
			if c >= int64(rules.MinEvalConc) {
				conc = max(conc, c)
			}
		}
		if conc == 0 {
			continue
		}
		key := r.recipeKey()
		switch o := best[key]; {
		case o == nil:
			best[key] = &offer{r, conc}
			order = append(order, best[key])
		case conc > o.conc:
			o.row, o.conc = r, conc
		}
	}
	picked := make([]*Row, len(order))
	for i, o := range order {
		picks[o.row] = o.conc
		picked[i] = o.row
	}
	return picked
}
