package matrix

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
)

// Canary is the one point that runs before all others.
type Canary struct {
	// Bucket is a path such as single_node.8k1k; Index is the position in it.
	Bucket string
	Index  int
	Row    *Row
}

// canaryBuckets are the single-node buckets in which a canary is looked for,
// in order.
var canaryBuckets = []string{"1k1k", "8k1k"}

// PickCanary chooses the canary of a plan: the first row of the lowest
// concurrency among the single-node candidates, or with AgenticCanary and no
// such candidate among the multi-node agentic rows. Rows that are evaluated
// never are canaries. nil means that the plan has none
// (spec/labels-and-sweeps.md section 6, spec/matrix.md section 15).
func PickCanary(p *Plan, sweep config.Sweep) *Canary {
	names := canaryBuckets
	if sweep.AgenticCanary {
		names = append(slices.Clone(names), "agentic")
	}
	if c := lowest("single_node", p.SingleNode, names); c != nil || !sweep.AgenticCanary {
		return c
	}
	return lowest("multi_node", p.MultiNode, []string{"agentic"})
}

func lowest(kind string, buckets []Bucket, names []string) *Canary {
	var best *Canary
	for _, name := range names {
		at := slices.IndexFunc(buckets, func(b Bucket) bool { return b.Name == name })
		if at < 0 {
			continue
		}
		for i, r := range buckets[at].Rows {
			if r.RunEval == Yes || len(r.Conc) == 0 {
				continue
			}
			if best == nil || r.Conc[0] < best.Row.Conc[0] {
				best = &Canary{Bucket: kind + "." + name, Index: i, Row: r}
			}
		}
	}
	return best
}
