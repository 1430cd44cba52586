package matrix

import (
	"fmt"
	"testing"
)

func bucketed(name string, rows ...*Row) Bucket { return Bucket{Name: name, Rows: rows} }

// spec/matrix.md section 15 and spec/labels-and-sweeps.md section 6.
func TestCanary(t *testing.T) {
	evaluated := func(r *Row) *Row { r.RunEval = Yes; return r }
	for _, c := range []struct {
		name           string
		plan           Plan
		august, newest string
	}{
		{"no rows", Plan{}, "", ""},
		{"the lowest", Plan{SingleNode: []Bucket{bucketed("8k1k", fixedRow(8), fixedRow(4), fixedRow(4))}}, "single_node.8k1k/1", "single_node.8k1k/1"},
		{"1k1k before 8k1k, wherever they stand", Plan{SingleNode: []Bucket{bucketed("8k1k", fixedRow(4)), bucketed("1k1k", fixedRow(8), fixedRow(4))}}, "single_node.1k1k/1", "single_node.1k1k/1"},
		{"the lower of the two", Plan{SingleNode: []Bucket{bucketed("8k1k", fixedRow(4)), bucketed("1k1k", fixedRow(8))}}, "single_node.8k1k/0", "single_node.8k1k/0"},
		{"evaluated rows are none", Plan{SingleNode: []Bucket{bucketed("1k1k", evaluated(fixedRow(1)), fixedRow(8))}}, "single_node.1k1k/1", "single_node.1k1k/1"},
		{"other lengths are none", Plan{SingleNode: []Bucket{bucketed("2048_128", fixedRow(1))}}, "", ""},
		{"agentic", Plan{SingleNode: []Bucket{bucketed("agentic", agenticRow(2)), bucketed("1k1k", fixedRow(4))}}, "single_node.1k1k/0", "single_node.agentic/0"},
		{"agentic comes last", Plan{SingleNode: []Bucket{bucketed("agentic", agenticRow(4)), bucketed("1k1k", fixedRow(4))}}, "single_node.1k1k/0", "single_node.1k1k/0"},
		{"agentic alone", Plan{SingleNode: []Bucket{bucketed("agentic", agenticRow(4))}}, "", "single_node.agentic/0"},
		{"multi-node agentic, first value", Plan{MultiNode: []Bucket{bucketed("agentic", multi(agenticRow(8)), multi(agenticRow(2)))}}, "", "multi_node.agentic/1"},
		{"single-node first", Plan{SingleNode: []Bucket{bucketed("1k1k", fixedRow(64))}, MultiNode: []Bucket{bucketed("agentic", multi(agenticRow(2)))}}, "single_node.1k1k/0", "single_node.1k1k/0"},
		{"multi-node fixed never", Plan{MultiNode: []Bucket{bucketed("8k1k", multi(fixedRow(1))), bucketed("agentic")}}, "", ""},
		{"evals never", Plan{Evals: []*Row{fixedRow(1)}, AgenticEvals: []*Row{agenticRow(1)}}, "", ""},
	} {
		show := func(found *Canary) string {
			if found == nil {
				return ""
			}
			return fmt.Sprintf("%s/%d", found.Bucket, found.Index)
		}
		same(t, c.name+", august", c.august, show(PickCanary(&c.plan, august(t).Sweep)))
		same(t, c.name+", newest", c.newest, show(PickCanary(&c.plan, newest(t).Sweep)))
	}
}

// A canary is one row of the plan, and its place leads to it.
func TestCanaryPlace(t *testing.T) {
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"toy-*"`)))
	c := PickCanary(p, august(t).Sweep)
	same(t, "bucket", "single_node.1k1k", c.Bucket)
	if p.SingleNode[1].Rows[c.Index] != c.Row {
		t.Error("the row is another one")
	}
}
