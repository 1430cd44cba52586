package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// spec/matrix.md section 11, the example.
func TestTrimExample(t *testing.T) {
	rows := func() []*Row {
		out := []*Row{multi(fixedRow(8, 64, 32)), multi(agenticRow(2)), multi(agenticRow(16))}
		for _, conc := range []int64{4, 8, 16, 32, 50} {
			out = append(out, fixedRow(conc))
		}
		return out
	}
	same(t, "august", "[8] [2] [16] 4", briefs(Trim(rows(), augustMatrix())))
	same(t, "newest", "[8] [2] 4", briefs(Trim(rows(), newestMatrix())))
}

// F06: the smallest point of each curve, not the largest.
func TestTrimF06(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		var rows []*Row
		for _, conc := range []int64{4, 8, 16, 128} {
			rows = append(rows, fixedRow(conc))
		}
		for _, conc := range []int64{4, 64} {
			rows = append(rows, fixedRow(conc).withTP(8))
		}
		same(t, "kept", "4 4", briefs(Trim(rows, rules)))
	})
}

// The kept row stands at its own position, the first wins ties, and names do
// not separate rows.
func TestTrimPosition(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		a, b, c := fixedRow(8), fixedRow(4), fixedRow(4)
		a.ExpName, b.ExpName, c.ExpName = "a", "b", "c"
		got := Trim([]*Row{a, fixedRow(2).withTP(8), b, c}, rules)
		same(t, "rows", "2 4", briefs(got))
		same(t, "first of the ties", "b", got[1].ExpName)
	})
}

// Newest: evals of a group go to the kept row, eval-only rows are groups of
// their own.
func TestTrimCarriesEvals(t *testing.T) {
	yes := func(r *Row, conc int64) *Row { r.RunEval, r.EvalConc = Yes, conc; return r }
	rows := []*Row{fixedRow(4), yes(fixedRow(16), 0), multi(fixedRow(8)), yes(multi(fixedRow(64, 32)), 64)}
	rows[3].EvalAllConcs = Yes
	got := Trim(rows, newestMatrix())
	same(t, "rows", "4 [8]@8 all", briefs(got))
	for _, r := range got {
		same(t, "run-eval", Yes, r.RunEval)
	}
	only := func(r *Row, suite string) *Row { r.RunEval, r.EvalOnly, r.EvalSuite = Yes, true, suite; return r }
	same(t, "suites", "4 8 16", briefs(Trim([]*Row{fixedRow(4), fixedRow(5), only(fixedRow(8), "a"), only(fixedRow(9), "a"), only(fixedRow(16), "b")}, newestMatrix())))
	same(t, "eval-conc follows", "[32]@32", briefs(Trim([]*Row{yes(multi(fixedRow(64, 32)), 64)}, newestMatrix())))
	if rows[1].RunEval != Yes || len(rows[3].Conc) != 2 {
		t.Error("trimming changed its input")
	}
}

// spec/changelog.md section 6.2 step 9: the planner trims throughput rows of
// all entries together, and no eval row.
func TestTrimPlan(t *testing.T) {
	change := changeOf(augustFiles(), augustFiles(), entryText("toy-fp4-nv4-dyn-disagg"), entryText("toy-fp8-gx100-vllm"))
	change.Trim = true
	evals := "evals: 64\nmultinode_evals: [8,64,32]@64\nmultinode_agentic_evals: [16]@16\n"
	single := "single_node.1k1k: 4\nsingle_node.8k1k: 4\n"
	same(t, "august", single+"multi_node.8k1k: [8]\nmulti_node.agentic: [2] [16]\n"+evals, summary(mustPlan(t, august(t), change)))
	change = changeOf(newestFiles(), newestFiles(), entryText("toy-fp4-nv4-dyn-disagg"), entryText("toy-fp8-gx100-vllm"))
	change.Trim = true
	same(t, "newest", single+"multi_node.8k1k: [8]\nmulti_node.agentic: [2]\n"+evals, summary(mustPlan(t, newest(t, withoutRecipes), change)))
	same(t, "stand-alone", "4 4", generated(t, newest(t, withoutRecipes), newestFiles(), CommandTestConfig, "--config-keys toy-fp8-gx100-vllm --no-evals --trim-conc"))
	if !strings.Contains(generated(t, august(t), augustFiles(), CommandTestConfig, "--config-keys x --trim-conc"), "usage.") {
		t.Error("the rules of August know no --trim-conc")
	}
}
