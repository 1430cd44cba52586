package matrix

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// nodeCount is the number of nodes that a multi-node row occupies, at least 1
// (spec/matrix.md section 8).
func (g *Generator) nodeCount(r *Row) (int64, *diag.Finding) {
	n, f := g.countNodes(r)
	if f == nil && n < 1 {
		refused := diag.New("matrix.node-count", r.Entry.Place, "value", strconv.FormatInt(n, 10)).In("matrix-row-schema").At(r.Config.Key)
		f = &refused
	}
	return n, f
}

func (g *Generator) countNodes(r *Row) (int64, *diag.Finding) {
	e := r.Entry
	if !r.Config.disaggregated() {
		return e.NumNodes, nil
	}
	if e.Prefill == nil || e.Decode == nil || e.NumNodes != 0 {
		f := diag.New("matrix.r12-disaggregated", e.Place).In("matrix-row-schema").At(r.Config.Key)
		return 0, &f
	}
	if e.Recipe != nil && g.recipes.files != nil {
		n, known, f := g.recipes.nodes(r.Config, e.Recipe)
		if f != nil || known {
			return n, f
		}
	}
	prefill, f := g.roleNodes(r, e.Prefill, "PREFILL_NODES")
	if f != nil {
		return 0, f
	}
	decode, f := g.roleNodes(r, e.Decode, "DECODE_NODES")
	return prefill + decode, f
}

// roleNodes is the number of nodes of one role: what its settings say, or as
// many as its GPUs fill.
func (g *Generator) roleNodes(r *Row, w *Worker, setting string) (int64, *diag.Finding) {
	refuse := func(code string, args ...string) (int64, *diag.Finding) {
		f := diag.New(code, w.Place, args...).In("matrix-row-schema").At(r.Config.Key)
		return 0, &f
	}
	declared := int64(0)
	for _, text := range w.Settings {
		value, ok := strings.CutPrefix(text, setting+"=")
		if !ok || value == "" || strings.Trim(value, "0123456789") != "" {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n <= 0 || declared != 0 && declared != n {
			return refuse("matrix.role-nodes", "setting", setting, "value", value)
		}
		declared = n
	}
	if declared != 0 {
		return declared, nil
	}
	label := r.Config.Runner
	if w.Hardware != "" {
		label = w.Hardware
	}
	perNode, candidates := g.inventory.gpusPerNode(label)
	if perNode == 0 {
		return refuse("matrix.gpus-per-node", "runner", label, "count", strconv.Itoa(candidates))
	}
	workers, _, _ := asInt(w.NumWorker, intLenient)
	tp, _, _ := asInt(w.TP, intLenient)
	gpus := multiply(workers, tp, orElse(w.PP, one).Int, orElse(w.PCP, one).Int)
	return gpus/perNode + min(gpus%perNode, 1), nil
}

// multiply is the product of counts, the largest number where it overflows.
// Negative counts, which schemas let pass, count as none.
func multiply(counts ...int64) int64 {
	product := uint64(1)
	for _, n := range counts {
		over, low := bits.Mul64(product, uint64(max(n, 0)))
		if over != 0 || low > math.MaxInt64 {
			return math.MaxInt64
		}
		product = low
	}
	return int64(product)
}

// gpusPerNode resolves a label: its own record, or the one value that all
// clusters of its family share. candidates counts the distinct values.
func (inv *Inventory) gpusPerNode(label string) (gpus int64, candidates int) {
	if facts, ok := inv.Facts[label]; ok {
		return facts.GPUsPerNode, 1
	}
	if facts, ok := inv.Facts["cluster:"+label]; ok {
		return facts.GPUsPerNode, 1
	}
	distinct := make(map[int64]bool)
	for name, facts := range inv.Facts {
		if family(name) == family(label) {
			distinct[facts.GPUsPerNode] = true
			gpus = facts.GPUsPerNode
		}
	}
	if len(distinct) != 1 {
		return 0, len(distinct)
	}
	return gpus, 1
}

// family is the hardware that a label begins with: b200 of cluster:b200-dgxc.
func family(label string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(label, "cluster:"), "-")
	return name
}
