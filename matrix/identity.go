package matrix

import (
	"slices"
	"strconv"
	"strings"
)

// removeCollisions leaves at most one eval for each app identity
// (spec/matrix.md section 9.5). Rows without KV offloading claim first; the
// order of the list does not change.
func removeCollisions(rows []*Row) []*Row {
	var candidates []*Row
	for _, r := range rows {
		if r.RunEval == Yes {
			candidates = append(candidates, r)
		}
	}
	slices.SortStableFunc(candidates, func(a, b *Row) int { return boolOrder(a.offloads()) - boolOrder(b.offloads()) })
	claimed := make(map[string]bool)
	for _, r := range candidates {
		identity := r.appIdentity()
		var free []int64
		concs := r.evalConcs()
		for _, conc := range concs {
			key := identity + "\x00" + strconv.FormatInt(conc, 10)
			if !claimed[key] {
				claimed[key] = true
				free = append(free, conc)
			}
		}
		switch {
		case len(free) == 0:
			r.dropEval()
		case len(free) < len(concs):
			r.Conc = free
		}
	}
	return rows
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *Row) offloads() bool {
	return r.Entry.KVOffloading != "" && r.Entry.KVOffloading != offloadNone
}

// evalConcs are the concurrencies that the row's eval covers.
func (r *Row) evalConcs() []int64 {
	if r.Multinode() && r.EvalAllConcs != Yes {
		return []int64{r.EvalConc}
	}
	return sortedDistinct(r.Conc)
}

func (r *Row) dropEval() {
	r.RunEval, r.EvalConc, r.EvalAllConcs = No, 0, Unset
	r.HasSuite, r.EvalFramework, r.EvalSuite = false, "", ""
}

// appIdentity is what the results application tells evals apart by, except
// concurrency. Image, offloading, pp, pcp and dcp are not part of it.
func (r *Row) appIdentity() string {
	c := r.Config
	parts := []string{c.Model, c.ModelPrefix, r.Runner, c.Framework, c.Precision, r.Entry.SpecDecoding, r.EvalFramework, r.EvalSuite}
	if c.disaggregated() {
		parts = append(parts, "disagg")
	}
	if r.Seq != nil {
		parts = append(parts, equalKey(r.Seq.ISL), equalKey(r.Seq.OSL))
	}
	if !r.Multinode() {
		parts = append(parts, equalKey(r.Entry.TP), equalKey(orElse(r.EP, one)), equalKey(orElse(r.Entry.DPAttn, falsy)))
		return strings.Join(parts, "\x00")
	}
	prefill, decode := r.Entry.sides()
	workers := r.Entry.workers()
	parts = append(parts, prefill.identity(), equalKey(workers[0]), decode.identity(), equalKey(workers[1]))
	return strings.Join(parts, "\x00")
}

func (w *Worker) identity() string {
	return equalKey(w.TP) + "," + equalKey(w.EP) + "," + equalKey(w.DPAttn)
}
