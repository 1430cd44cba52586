package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// fullPlan has a row in every bucket.
func fullPlan() *Plan {
	odd := fixedRow(4)
	odd.Seq = &FixedSeq{ISL: yamlpos.NewInt(2048), OSL: yamlpos.NewInt(128)}
	return &Plan{
		SingleNode: []Bucket{bucketed("agentic", agenticRow(1)), bucketed("2048_128", odd), bucketed("8k1k", fixedRow(4)), bucketed("1k1k", fixedRow(4))},
		MultiNode:  []Bucket{bucketed("8k1k", multi(fixedRow(4))), bucketed("1k1k", multi(fixedRow(4))), bucketed("agentic", multi(agenticRow(1)))},
		Evals:      []*Row{fixedRow(16)}, AgenticEvals: []*Row{agenticRow(16)},
		MultiEvals: []*Row{multi(fixedRow(16))}, MultiAgenticEvals: []*Row{multi(agenticRow(16))},
	}
}

// spec/labels-and-sweeps.md section 8, the table.
func TestFamilies(t *testing.T) {
	families, list := Families(fullPlan(), config.Sweep{UndispatchedBuckets: config.UndispatchedDispatch})
	if list != nil {
		t.Fatal(list)
	}
	var got []string
	for _, f := range families {
		got = append(got, fmt.Sprintf("%s | %s | %s | multi %v, agentic %v, eval %v", f.Bucket, f.Job, f.Prefix, f.Multinode, f.Agentic, f.EvalOnly))
	}
	same(t, "families", []string{
		"single_node.1k1k | sweep-single-node-1k1k | single-node 1k1k / | multi false, agentic false, eval false",
		"single_node.8k1k | sweep-single-node-8k1k | single-node 8k1k / | multi false, agentic false, eval false",
		"single_node.agentic | sweep-agentic | agentic / | multi false, agentic true, eval false",
		"single_node.2048_128 | sweep-single-node-2048_128 | single-node 2048_128 / | multi false, agentic false, eval false",
		"multi_node.1k1k | sweep-multi-node-1k1k | multi-node 1k1k / | multi true, agentic false, eval false",
		"multi_node.8k1k | sweep-multi-node-8k1k | multi-node 8k1k / | multi true, agentic false, eval false",
		"multi_node.agentic | sweep-multi-node-agentic | multi-node agentic / | multi true, agentic true, eval false",
		"evals | sweep-evals | eval / | multi false, agentic false, eval true",
		"agentic_evals | sweep-agentic-evals | agentic eval / | multi false, agentic true, eval true",
		"multinode_evals | sweep-multi-node-evals | multi-node eval / | multi true, agentic false, eval true",
		"multinode_agentic_evals | sweep-multi-node-agentic-evals | multi-node agentic eval / | multi true, agentic true, eval true",
	}, got)
}

// F12: a family runs when it has rows; an empty bucket and a missing one are
// the same.
func TestFamiliesOfEmptyPlan(t *testing.T) {
	p := &Plan{SingleNode: []Bucket{bucketed("1k1k"), bucketed("2048_128")}, MultiNode: []Bucket{bucketed("8k1k")}, Evals: []*Row{}}
	if families, list := Families(p, config.Sweep{}); len(families) > 0 || list != nil {
		t.Errorf("families %v, findings %v", families, list)
	}
}

// spec/matrix.md section 17: a bucket without a job is never dropped silently.
func TestUndispatchedBuckets(t *testing.T) {
	names := func(choice string) (string, []string) {
		families, list := Families(fullPlan(), config.Sweep{UndispatchedBuckets: choice})
		var out []string
		for _, f := range families {
			out = append(out, f.Job)
		}
		return strings.Join(out, " "), codes(t, list)
	}
	without, refused := names(config.UndispatchedRefuse)
	same(t, "refuse", []string{"0:0 plan.bucket-without-job"}, refused)
	ignored, none := names(config.UndispatchedIgnore)
	same(t, "ignore", without, ignored)
	same(t, "ignore", []string(nil), none)
	dispatched, none := names(config.UndispatchedDispatch)
	same(t, "dispatch", []string(nil), none)
	same(t, "dispatch", "sweep-single-node-2048_128", strings.Fields(dispatched)[3])
}

// F13, F14 and spec/matrix.md section 17: matrices of at most 256 rows that
// fit a job output, with stable names.
func TestShards(t *testing.T) {
	rows := make([]*Row, 600)
	for i := range rows {
		rows[i] = fixedRow(int64(i + 1))
	}
	show := func(rows []*Row, limits config.Limits) string {
		shards, list := Family{Job: "j", Rows: rows}.Shards(limits)
		if list != nil {
			t.Fatal(list)
		}
		var out []string
		for _, s := range shards {
			out = append(out, fmt.Sprintf("%s:%d-%d", s.Name, s.Rows[0].Conc[0], s.Rows[len(s.Rows)-1].Conc[0]))
		}
		return strings.Join(out, " ")
	}
	limits := newest(t).Limits
	same(t, "256 rows", "j:1-256 j-2:257-512 j-3:513-600", show(rows, limits))
	same(t, "one shard keeps the plain name", "j:1-256", show(rows[:256], limits))
	same(t, "no rows", "", show(nil, limits))
	limits.OutputChars = 10*rows[599].chars() + 1
	same(t, "ten large rows", "j:591-600", show(rows[590:], limits))
	same(t, "eleven large rows", "j:590-599 j-2:600-600", show(rows[589:], limits))

	limits.OutputChars = rows[0].chars() - 1
	shards, list := Family{Job: "j", Rows: rows[:2]}.Shards(limits)
	same(t, "a row that fits no output", []string{"0:0 plan.row-too-large", "0:0 plan.row-too-large"}, codes(t, list))
	same(t, "shards", 2, len(shards))
}

// The estimate of a row's size is never below what an annotated row takes.
func TestRowSizeEstimate(t *testing.T) {
	doc, list := policy(t, augustPolicy, august(t)).Annotate(toyDocument(t), Scoring{Namespace: "12345678901:99", Labels: []string{"skip_queue"}, PR: 123456})
	if list != nil {
		t.Fatal(list)
	}
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"toy-*"`)))
	for i, r := range p.SingleNode[0].Rows {
		annotated := compact(at(t, doc, "single_node/agentic").Items[i])
		if len(annotated) > r.chars() {
			t.Errorf("%d characters, estimated %d", len(annotated), r.chars())
		}
	}
}
