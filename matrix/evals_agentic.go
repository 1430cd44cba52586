package matrix

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
)

// markAgentic selects agentic rows (spec/matrix.md section 9.3) and returns
// the copies that vendor rows run in addition.
func markAgentic(rows []*Row, rules config.Matrix, picks map[*Row]int64) []*Row {
	picked := highestSingle(rows, rules, picks)
	offered := make(map[*Row]int64)
	multi := markMulti(rows, rules, offered, (*Row).Agentic)
	if rules.AgenticEvals {
		multi = append(multi, fallback(rows, offered)...)
	}
	for _, r := range multi {
		picks[r] = offered[r]
	}
	if len(rules.VendorSuites) == 0 {
		return nil
	}
	picked = append(picked, multi...)
	return vendorSuites(rows, picked, rules, picks)
}

// highestSingle selects the row of the highest concurrency in each group of
// single-node agentic rows. There is no lower bound.
func highestSingle(rows []*Row, rules config.Matrix, picks map[*Row]int64) []*Row {
	best := make(map[evalGroup]int)
	var order []*Row
	for _, r := range rows {
		if r.Multinode() || !r.Agentic() {
			continue
		}
		c := r.Config
		key := evalGroup{model: c.Model, runner: r.Runner, framework: c.Framework, precision: c.Precision}
		if rules.AgenticEvals {
			key.spec, key.dpAttn, key.image = r.Entry.SpecDecoding, equalKey(orElse(r.Entry.DPAttn, falsy)), c.Image
		}
		at, seen := best[key]
		switch {
		case !seen:
			best[key] = len(order)
			order = append(order, r)
		case r.Conc[0] > order[at].Conc[0]:
			order[at] = r
		}
	}
	for _, r := range order {
		picks[r] = 0
	}
	return order
}

// fallback picks, for every multi-node deployment without a pick, the first
// row of its highest concurrency.
func fallback(rows []*Row, offered map[*Row]int64) []*Row {
	deployment := func(r *Row) evalGroup {
		return evalGroup{model: r.Config.Model, runner: r.Runner, framework: r.Config.Framework, precision: r.Config.Precision}
	}
	covered := make(map[evalGroup]bool)
	for r := range offered {
		covered[deployment(r)] = true
	}
	best := make(map[evalGroup]*Row)
	var order []evalGroup
	for _, r := range rows {
		if !r.Multinode() || !r.Agentic() || len(r.Conc) == 0 || covered[deployment(r)] {
			continue
		}
		key := deployment(r)
		if best[key] == nil {
			order = append(order, key)
		}
		if best[key] == nil || slices.Max(r.Conc) > slices.Max(best[key].Conc) {
			best[key] = r
		}
	}
	var picked []*Row
	for _, key := range order {
		r := best[key]
		offered[r] = slices.Max(r.Conc)
		picked = append(picked, r)
	}
	return picked
}

// vendorSuites routes every agentic row of a vendor's model to its suite. Rows
// that were also picked for the common eval run it as an eval-only copy.
func vendorSuites(rows, picked []*Row, rules config.Matrix, picks map[*Row]int64) []*Row {
	var copies []*Row
	for _, r := range picked {
		if vendorOf(r, rules) == nil {
			continue
		}
		twin := *r
		twin.RunEval, twin.EvalOnly, twin.NoPower = Yes, true, true
		twin.HasSuite, twin.EvalFramework, twin.EvalSuite = true, frameworkLMEval, ""
		twin.EvalConc = picks[r]
		copies = append(copies, &twin)
	}
	for _, r := range rows {
		vendor := vendorOf(r, rules)
		if vendor == nil {
			continue
		}
		picks[r] = 0
		if r.Multinode() && len(r.Conc) > 0 {
			picks[r] = slices.Max(r.Conc)
		}
		r.HasSuite, r.EvalFramework, r.EvalSuite = true, vendor.Framework, vendor.Suite
	}
	return copies
}

func vendorOf(r *Row, rules config.Matrix) *config.VendorSuite {
	if !r.Agentic() {
		return nil
	}
	for i := range rules.VendorSuites {
		if rules.VendorSuites[i].ModelPrefix == r.Config.ModelPrefix {
			return &rules.VendorSuites[i]
		}
	}
	return nil
}
