package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// evalsOf shows every row that is evaluated, with suite, kind and position.
func evalsOf(rows []*Row) string {
	var out []string
	for i, r := range rows {
		if r.RunEval == Yes {
			kind := ""
			if r.EvalOnly {
				kind = "!"
			}
			out = append(out, fmt.Sprintf("%d:%s%s %s/%s", i, brief(r), kind, r.EvalFramework, r.EvalSuite))
		}
	}
	return strings.Join(out, ", ")
}

func vendor(r *Row, prefix string) *Row {
	r.Config.ModelPrefix = prefix
	return r
}

// spec/matrix.md section 9.3 steps 1, 4 and 5: every agentic row of a vendor's
// model runs the vendor's suite, and picks get a copy for the common one.
func TestVendorSuites(t *testing.T) {
	rows := []*Row{vendor(agenticRow(1), "kimik3"), vendor(agenticRow(4), "kimik3"), fixedRow(16), vendor(multi(agenticRow(8)), "minimaxm3"), vendor(fixedRow(16), "kimik3")}
	for _, r := range rows {
		r.Config.Model = r.Config.ModelPrefix
	}
	got := SelectEvals(rows, EvalDefault, newestMatrix())
	same(t, "default", "0:1 kimi-vendor/kimi_tool_call_schema_full, 1:4 kimi-vendor/kimi_tool_call_schema_full, 2:16 lm-eval/, "+
		"3:[8]@8 minimax-vendor/minimax_m3_full, 4:16 lm-eval/, 5:4! lm-eval/, 6:[8]@8! lm-eval/", evalsOf(got))
	for _, r := range got[5:] {
		if !r.NoPower {
			t.Error("a copy keeps require-power")
		}
	}
}

// Section 9.3 step 2: groups of single-node agentic rows.
func TestAgenticGroups(t *testing.T) {
	rows := func() []*Row {
		spec, attention, image := agenticRow(2), agenticRow(3), agenticRow(5)
		spec.Entry.SpecDecoding = "mtp"
		attention.Entry.DPAttn = yamlpos.NewBool(true)
		image.Config.Image = "other"
		return []*Row{agenticRow(8), spec, attention, image, agenticRow(8).withTP(2)}
	}
	same(t, "newest", "8 2 3 5", selected(SelectEvals(rows(), EvalSubset, newestMatrix())))
	same(t, "august", "8", selected(SelectEvals(rows(), EvalSubset, augustMatrix())))
}

// Section 9.3 step 3: without an eligible value the deployment's highest one.
func TestAgenticFallback(t *testing.T) {
	rows := func() []*Row {
		small, other := multi(agenticRow(15)), multi(agenticRow(4))
		other.Runner = "other"
		wide := multi(agenticRow(15))
		wide.Entry.Prefill = &Worker{NumWorker: yamlpos.NewInt(9), TP: yamlpos.NewInt(4), EP: yamlpos.NewInt(1), DPAttn: yamlpos.NewBool(false)}
		return []*Row{multi(agenticRow(2)), small, wide, other}
	}
	got := SelectEvals(rows(), EvalSubset, newestMatrix())
	same(t, "newest", "[15]@15 [4]@4", selected(got))
	same(t, "the first of the highest", int64(1), got[0].Entry.Prefill.NumWorker.Int)
	same(t, "august", "", selected(SelectEvals(rows(), EvalSubset, augustMatrix())))

	// A deployment with a pick has no fallback.
	covered := append(rows(), multi(agenticRow(16)))
	same(t, "covered", "[4]@4 [16]@16", selected(SelectEvals(covered, EvalSubset, newestMatrix())))
}

// spec/matrix.md section 9.4: all, with and without vendor suites.
func TestExpandAll(t *testing.T) {
	rows := func() []*Row {
		other := fixedRow(16)
		other.Seq = &FixedSeq{ISL: yamlpos.NewInt(1024), OSL: yamlpos.NewInt(1024)}
		return []*Row{multi(fixedRow(8, 64, 32)), other, fixedRow(4), multi(fixedRow(64, 128)), multi(agenticRow(4)), multi(agenticRow(16)), multi(agenticRow(64)), agenticRow(1)}
	}
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		got := SelectEvals(rows(), EvalAll, rules)
		same(t, "rows", "[8,32,64,128] all 4 [4,16,64]@64 1", briefs(got))
		for _, r := range got {
			if !r.EvalOnly || r.RunEval != Yes {
				t.Errorf("%s: run-eval %v, eval-only %v", brief(r), r.RunEval, r.EvalOnly)
			}
		}
	})

	// A merged row keeps its place, its other fields and its exp-name.
	first, second := multi(agenticRow(4)), multi(agenticRow(16))
	first.ExpName, second.ExpName = "conc4", "conc16"
	same(t, "name", "conc4", SelectEvals([]*Row{first, second}, EvalAll, newestMatrix())[0].ExpName)

	// Vendor rows: one vendor row each, then the merged common one.
	vendors := []*Row{vendor(multi(agenticRow(4)), "kimik3"), vendor(multi(agenticRow(16)), "kimik3"), vendor(agenticRow(2), "kimik3")}
	same(t, "vendors", "0:[4]@4! kimi-vendor/kimi_tool_call_schema_full, 1:[4,16]@16! lm-eval/, 2:[16]@16! kimi-vendor/kimi_tool_call_schema_full, "+
		"3:2! kimi-vendor/kimi_tool_call_schema_full, 4:2! lm-eval/", evalsOf(SelectEvals(vendors, EvalAll, newestMatrix())))
}

// spec/matrix.md section 9.5: one eval for each app identity.
func TestEvalCollisions(t *testing.T) {
	offload := func(r *Row) *Row { r.Entry.KVOffloading = "dram"; return r }
	image := func(r *Row, name string) *Row { r.Config.Image = name; return r }
	yes := func(r *Row) *Row { r.RunEval, r.HasSuite, r.EvalFramework = Yes, true, "lm-eval"; return r }

	// Rows without offloading claim first; the order stays.
	rows := []*Row{yes(offload(agenticRow(8))), yes(image(agenticRow(8), "b")), yes(agenticRow(4))}
	same(t, "offloading", "1:8 lm-eval/, 2:4 lm-eval/", evalsOf(removeCollisions(rows)))
	if r := rows[0]; r.RunEval != No || r.HasSuite || r.EvalFramework != "" || r.EvalConc != 0 || r.EvalAllConcs != Unset {
		t.Errorf("the row that lost: %+v", r)
	}

	// A batch keeps what is free.
	batch := func(r *Row) *Row { r = yes(r); r.EvalAllConcs = Yes; return r }
	kept := removeCollisions([]*Row{batch(multi(fixedRow(8, 16))), batch(image(multi(fixedRow(32, 16, 8)), "b")), batch(image(multi(fixedRow(16, 8)), "c"))})
	same(t, "batches", "[8,16] all [32] all", selected(kept))

	// A multi-node row claims its eval-conc only.
	at := func(r *Row, conc int64) *Row { r = yes(r); r.EvalConc = conc; return r }
	same(t, "eval-conc", "[8,16]@16 [8,16]@8", selected(removeCollisions([]*Row{at(multi(fixedRow(8, 16)), 16), at(image(multi(fixedRow(8, 16)), "b"), 8), at(image(multi(fixedRow(8, 16)), "c"), 8)})))

	for name, change := range map[string]func(*Row){
		"model-prefix": func(r *Row) { r.Config.ModelPrefix = "x" },
		"ep":           func(r *Row) { r.EP = yamlpos.NewInt(8) },
		"dp-attn":      func(r *Row) { r.Entry.DPAttn = yamlpos.NewBool(true) },
		"suite":        func(r *Row) { r.EvalSuite = "x" },
		"spec":         func(r *Row) { r.Entry.SpecDecoding = "mtp" },
		"lengths":      func(r *Row) { r.Seq = &FixedSeq{ISL: yamlpos.NewInt(8192), OSL: yamlpos.NewInt(1024)} },
	} {
		other := yes(agenticRow(8))
		change(other)
		same(t, name+" is part of the identity", "8 8", selected(removeCollisions([]*Row{yes(agenticRow(8)), other})))
	}
	for name, change := range map[string]func(*Row){
		"pp":  func(r *Row) { r.Entry.PP = yamlpos.NewInt(8) },
		"dcp": func(r *Row) { r.Entry.DCP = yamlpos.NewInt(2) },
	} {
		other := yes(agenticRow(8))
		change(other)
		same(t, name+" is not part of the identity", "8", selected(removeCollisions([]*Row{yes(agenticRow(8)), other})))
	}
}

// spec/matrix.md section 9.6: smoke.
func TestSmoke(t *testing.T) {
	rows := []*Row{fixedRow(4), fixedRow(16), fixedRow(64), multi(fixedRow(8, 64, 32)), agenticRow(2), agenticRow(8), vendor(agenticRow(3), "kimik3")}
	for _, r := range rows {
		r.Config.Model = r.Config.ModelPrefix
	}
	got := SelectEvals(rows, EvalSmoke, newestMatrix())
	var show []string
	for _, r := range got {
		show = append(show, fmt.Sprintf("%s:%v:%v", brief(r), r.RunEval == Yes, r.EvalOnly))
	}
	// The fixed eval rows 64 (highest and median) and the throughput rows are
	// separate recipes for the trim.
	same(t, "rows", "4:false:false [8]:false:false 2:false:false 3:false:false "+
		"64:true:true [64]@64:true:true 8:true:true 3:true:true 3:true:true", strings.Join(show, " "))
	for _, r := range got {
		if r.EvalOnly && (!r.NoPower || r.Multinode() && r.EvalAllConcs != No) {
			t.Errorf("%s: %+v", brief(r), r)
		}
	}
}

// Section 6.5 of spec/changelog.md, step 11: collisions across entries.
func TestCollisionsAcrossEntries(t *testing.T) {
	twin := strings.NewReplacer("toy-fp8-gx100-vllm:", "twin-fp8-gx100-vllm:", "example/vllm:v1", "example/vllm:v2").Replace(toySingle)
	files := newestFiles().with(nvidiaFile, toySingle+twin)
	change := changeOf(files, files, entryText("toy-fp8-gx100-vllm"), entryText("twin-fp8-gx100-vllm", "scenario-type: [fixed-seq-len]"))
	p := mustPlan(t, newest(t, withoutRecipes), change)
	same(t, "evals", "64", briefs(p.Evals))
	same(t, "of the first entry", "toy-fp8-gx100-vllm", p.Evals[0].Config.Key)
	s := newest(t, withoutRecipes)
	s.Matrix.EvalIdentity = false
	same(t, "without the rule", "64 64", briefs(mustPlan(t, s, change).Evals))
}
