package matrix

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// maxDRAMMiB caps the memory of a node that points may use, in MiB (3 TB).
const maxDRAMMiB = 2861022

// dram computes total-cpu-dram-gb of an agentic entry, in units of 10^9 bytes:
// the entry's share of its node's memory (spec/matrix.md section 7). It is 0
// without DRAM offloading.
func (g *Generator) dram(c *Config, block *Agentic, e *Entry) (int64, *diag.Finding) {
	if e.KVOffloading != offloadDRAM && e.KVOffloading != offloadTiered {
		return 0, nil
	}
	facts, f := g.nodeFacts(c, e)
	if f != nil {
		return 0, f
	}
	gpus, f := gpusOfShare(c, e, facts.GPUsPerNode)
	if f != nil {
		return 0, f
	}
	return share(facts, block.DRAMUtilization, gpus), nil
}

// share is floor(MiB * 2^20 * utilization * gpus / gpus-per-node / 10^9),
// exactly.
func share(facts NodeFacts, utilization string, gpus int64) int64 {
	total, ok := new(big.Rat).SetString(utilization)
	if !ok {
		return 0
	}
	total.Mul(total, big.NewRat(min(facts.DRAMMiB, maxDRAMMiB)*(1<<20), 1))
	total.Mul(total, big.NewRat(gpus, facts.GPUsPerNode))
	total.Mul(total, big.NewRat(1, 1_000_000_000))
	return new(big.Int).Quo(total.Num(), total.Denom()).Int64()
}

// nodeFacts returns the complete facts of the config's runner.
func (g *Generator) nodeFacts(c *Config, e *Entry) (NodeFacts, *diag.Finding) {
	facts, known := g.inventory.Facts[c.Runner]
	missing := ""
	switch {
	case !known:
		missing = "record"
	case facts.GPUsPerNode == 0:
		missing = "gpus-per-node"
	case facts.DRAMMiB == 0:
		missing = "available-cpu-dram-mib"
	default:
		return facts, nil
	}
	f := diag.New("matrix.dram-facts-missing", e.Place, "runner", c.Runner, "missing", missing,
		"known", strings.Join(sortedKeys(g.inventory.Facts), ", ")).In("runner-hardware-missing").At(c.Key)
	return facts, &f
}

// gpusOfShare is the number of GPUs of one node whose share of memory an
// entry gets.
func gpusOfShare(c *Config, e *Entry, perNode int64) (int64, *diag.Finding) {
	if !c.Multinode {
		gpus, f := product(c, e, e.TP, e.PP, e.PCP)
		if f == nil && gpus > perNode {
			refused := dramFinding("matrix.dram-tp-exceeds-node", "dram-tp-exceeds-node", c, e, gpus, perNode)
			return 0, &refused
		}
		return gpus, f
	}
	w, _ := e.sides()
	gpus, f := product(c, e, w.TP, w.PP, w.PCP)
	switch {
	case f != nil:
		return 0, f
	case gpus > perNode && gpus%perNode == 0:
		return perNode, nil
	case gpus > perNode:
		refused := dramFinding("matrix.dram-worker-span", "dram-worker-span", c, e, gpus, perNode)
		return 0, &refused
	case gpus <= 0 || perNode%gpus != 0:
		refused := dramFinding("matrix.dram-worker-tile", "dram-worker-tile", c, e, gpus, perNode)
		return 0, &refused
	}
	return gpus, nil
}

func dramFinding(code, category string, c *Config, e *Entry, gpus, perNode int64) diag.Finding {
	return diag.New(code, e.Place, "gpus", strconv.FormatInt(gpus, 10), "per-node", strconv.FormatInt(perNode, 10)).In(category).At(c.Key)
}

// product multiplies tp, pp and pcp-size; dcp-size does not count. A tp that
// is text cannot be multiplied.
func product(c *Config, e *Entry, tp, pp, pcp *yamlpos.Value) (int64, *diag.Finding) {
	if tp.Kind == yamlpos.String {
		f := diag.New("matrix.tp-as-text", e.Place, "value", tp.Text).In("unhandled-TypeError").At(c.Key)
		return 0, &f
	}
	n, _, _ := asInt(tp, intLenient)
	return multiply(n, orElse(pp, one).Int, orElse(pcp, one).Int), nil
}
