package matrix

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// aSwitch is a setting with what it does on both sides.
type aSwitch struct {
	base func(testing.TB, ...func(*config.Settings)) config.Settings
	set  func(s *config.Settings, on bool)
	run  func(t testing.TB, s config.Settings) string
	// want is the outcome with the switch off and on.
	want [2]string
}

// outcome plans an entry for every toy config of files, all of them in the
// first master file, and shows the plan, or the code of the refusal.
func outcome(text string, more ...string) func(testing.TB, config.Settings) string {
	return func(t testing.TB, s config.Settings) string {
		t.Helper()
		files := recipeFiles()
		if !s.Matrix.Clusters {
			files = augustFiles()
		}
		files = files.with(amdFile, text, nvidiaFile, "{}")
		p, list := NewPlan(s, changeOf(files, files, entryText(`"*"`, more...)))
		if f := list.First(); f != nil {
			checkTexts(t, *f)
			return f.Code
		}
		return strings.ReplaceAll(strings.TrimSuffix(summary(p), "\n"), "\n", "; ")
	}
}

// field shows one member of the first throughput row of the plan.
func field(text, name string) func(testing.TB, config.Settings) string {
	return func(t testing.TB, s config.Settings) string {
		t.Helper()
		files := recipeFiles().with(amdFile, text, nvidiaFile, "{}")
		p := mustPlan(t, s, changeOf(files, files, entryText(`"*"`)))
		v, written := throughput(p)[0].Document().Get(name)
		if !written {
			return "absent"
		}
		return compact(v)
	}
}

// evalsWith shows the evals that a mode selects.
func evalsWith(mode EvalMode, rows func() []*Row) func(testing.TB, config.Settings) string {
	return func(_ testing.TB, s config.Settings) string { return evalsOf(SelectEvals(rows(), mode, s.Matrix)) }
}

func matrixSwitch(name string) func(*config.Settings, bool) {
	return func(s *config.Settings, on bool) { reflect.ValueOf(&s.Matrix).Elem().FieldByName(name).SetBool(on) }
}

const anEntry = "- { tp: 4, conc-list: [16] }"

// switches has every field of config.Matrix and config.Sweep.
func switches(t testing.TB) map[string]aSwitch {
	aggregate := swap(t, nextAggregate, "  srt-recipe-dir: toy\n", "", "        srt-recipe: bundle.yaml:base\n", "", "        eval-srt-recipe: bundle.yaml:override_eval\n", "")
	plainNewest := func(t testing.TB, edits ...func(*config.Settings)) config.Settings {
		return newest(t, append([]func(*config.Settings){withoutRecipes}, edits...)...)
	}
	agents := func() []*Row {
		other := agenticRow(4)
		other.Entry.SpecDecoding = "mtp"
		return []*Row{agenticRow(8), other, multi(agenticRow(2))}
	}
	twins := func() []*Row {
		other := fixedRow(16)
		other.Config.Image = "other"
		return []*Row{fixedRow(16), other}
	}
	return map[string]aSwitch{
		"LenientTypes":   {august, matrixSwitch("LenientTypes"), outcome(swap(t, okSingle, "tp: 4", `tp: "4"`)), [2]string{"matrix.wrong-type", "single_node.8k1k: 16; evals: 16"}},
		"UnderscoreKeys": {august, matrixSwitch("UnderscoreKeys"), outcome(swap(t, okSingle, anEntry, "- { tp: 4, conc-list: [16], spec_decoding: mtp }")), [2]string{"matrix.unknown-field-near", "single_node.8k1k: 16; evals: 16"}},
		"LastKeyWins":    {august, matrixSwitch("LastKeyWins"), outcome(swap(t, okSingle, "tp: 4", "tp: 4, tp: 8")), [2]string{"yaml.duplicate-key", "single_node.8k1k: 16; evals: 16"}},
		"EmptyConcList":  {august, matrixSwitch("EmptyConcList"), outcome(swap(t, okSingle, "conc-list: [16]", "conc-list: [], conc-start: 16, conc-end: 16")), [2]string{"matrix.empty-conc-list", ""}},
		"GlobResolvedKeys": {august, matrixSwitch("GlobResolvedKeys"), func(t testing.TB, s config.Settings) string {
			files := augustFiles().with(amdFile, swap(t, okSingle, "k:\n", "\"k?\":\n")+swap(t, okSingle, "k:\n", "kx:\n"), nvidiaFile, "{}")
			return summary(mustPlan(t, s, changeOf(files, files, entryText(`"k?"`))))
		}, [2]string{"single_node.8k1k: 16\nevals: 16\n", "single_node.8k1k: 16 16\nevals: 16 16\n"}},
		"NullAsAbsent": {august, matrixSwitch("NullAsAbsent"), outcome(swap(t, okSingle, "    fixed", "    agentic-coding: null\n    fixed")), [2]string{"matrix.null-scenario", "single_node.8k1k: 16; evals: 16"}},

		"Clusters": {august, matrixSwitch("Clusters"), func(t testing.TB, s config.Settings) string {
			var out []string
			for _, text := range []string{okHardware, okClusters} {
				_, list := LoadRunners(Source{"r.yaml", []byte(text)}, rulesOf(s))
				out = append(out, fmt.Sprint(!list.Refused()))
			}
			return strings.Join(out, " ")
		}, [2]string{"true false", "false true"}},
		"AggregateWorker": {plainNewest, func(s *config.Settings, on bool) {
			s.Matrix.AggregateWorker = on
			s.Matrix.TopologyScope = s.Matrix.TopologyScope && on // a need of the settings
			s.Matrix.NodeCount = s.Matrix.NodeCount && on
		}, outcome(aggregate), [2]string{"matrix.missing-field", "multi_node.8k1k: [8,64]; multinode_evals: [8,64]@64"}},
		"TopologyScope": {plainNewest, matrixSwitch("TopologyScope"), outcome(swap(t, aggregate, "        num-nodes: 2\n", "        prefill: { num-worker: 1, tp: 1, ep: 1, dp-attn: false }\n        num-nodes: 2\n")), [2]string{"multi_node.8k1k: [8,64]; multinode_evals: [8,64]@64", "matrix.r6-topology"}},
		"NodeCount":     {plainNewest, matrixSwitch("NodeCount"), field(aggregate, "node-count"), [2]string{"absent", "2"}},
		"Recipes": {newest, func(s *config.Settings, on bool) {
			s.Matrix.Recipes = on
			if !on {
				s.Matrix.Fingerprint = config.FingerprintRow
			}
		}, outcome(nextAggregate), [2]string{"matrix.unknown-field", "multi_node.8k1k: [8,64]; multinode_evals: [8,64]@64"}},
		"Power":         {plainNewest, matrixSwitch("Power"), outcome(aggregate), [2]string{"matrix.unknown-field", "multi_node.8k1k: [8,64]; multinode_evals: [8,64]@64"}},
		"TieredOffload": {plainNewest, matrixSwitch("TieredOffload"), tiered, [2]string{"matrix.bad-value", `["dram","nvme"] 838 p_tp4_conc16_kvdram+nvme-b`}},

		"AgenticEvals": {newest, func(s *config.Settings, on bool) { s.Matrix.AgenticEvals, s.Matrix.VendorSuites = on, nil }, evalsWith(EvalDefault, agents), [2]string{"", "0:8 lm-eval/, 1:4 lm-eval/, 2:[2]@2 lm-eval/"}},
		"EvalSuites": {newest, func(s *config.Settings, on bool) {
			s.Matrix.EvalSuites, s.Matrix.VendorSuites, s.Matrix.EvalIdentity = on, nil, false
		}, func(_ testing.TB, s config.Settings) string {
			_, written := SelectEvals([]*Row{fixedRow(16)}, EvalSubset, s.Matrix)[0].Document().Get("eval-suite")
			return fmt.Sprint(written)
		}, [2]string{"false", "true"}},
		"VendorSuites": {newest, func(s *config.Settings, on bool) {
			if !on {
				s.Matrix.VendorSuites = nil
			}
		}, evalsWith(EvalSubset, func() []*Row { return []*Row{vendor(agenticRow(1), "kimik3"), vendor(agenticRow(2), "kimik3")} }),
			[2]string{"0:2! lm-eval/", "0:1! kimi-vendor/kimi_tool_call_schema_full, 1:2! kimi-vendor/kimi_tool_call_schema_full, 2:2! lm-eval/"}},
		"EvalIdentity": {newest, matrixSwitch("EvalIdentity"), evalsWith(EvalSubset, twins), [2]string{"0:16! lm-eval/, 1:16! lm-eval/", "0:16! lm-eval/"}},
		"Smoke": {newest, matrixSwitch("Smoke"), func(t testing.TB, s config.Settings) string {
			_, list := request(t, s.Matrix, CommandFullSweep, "--smoke")
			return fmt.Sprint(!list.Refused())
		}, [2]string{"false", "true"}},
		"TrimMerges": {newest, matrixSwitch("TrimMerges"), func(_ testing.TB, s config.Settings) string {
			return briefs(Trim([]*Row{multi(agenticRow(2)), multi(agenticRow(16))}, s.Matrix))
		}, [2]string{"[2] [16]", "[2]"}},
		"MinEvalConc": {august, func(s *config.Settings, on bool) {
			if on {
				s.Matrix.MinEvalConc = 4
			}
		}, outcome(swap(t, okSingle, "[16]", "[4, 8]")), [2]string{"single_node.8k1k: 4 8", "single_node.8k1k: 4 8; evals: 8"}},

		"BaseValidated": {plainNewest, matrixSwitch("BaseValidated"), func(t testing.TB, s config.Settings) string {
			base := newestFiles().with(amdFile, curveText, nvidiaFile, "bad: 1\n")
			head := base.with(amdFile, swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 128]"), nvidiaFile, "{}")
			return refusal(t, s, changeOf(base, head, entryText("toy-curve", "append-only: true"))).Code
		}, [2]string{"plan.append-unrelated", "matrix.config-not-mapping"}},
		"Fingerprint": {newest, func(s *config.Settings, on bool) {
			if !on {
				s.Matrix.Fingerprint = config.FingerprintRow
			}
		}, func(t testing.TB, s config.Settings) string {
			p := mustPlan(t, s, changeOf(recipeFiles(), recipeFiles(), entryText("toy-fp8-gx100-vllm")))
			row := *p.SingleNode[0].Rows[0]
			return fmt.Sprint(row.Fingerprint == fingerprint(row.Generator()))
		}, [2]string{"true", "false"}},

		"AgenticCanary": {august, func(s *config.Settings, on bool) { s.Sweep.AgenticCanary = on }, func(_ testing.TB, s config.Settings) string {
			c := PickCanary(&Plan{SingleNode: []Bucket{bucketed("agentic", agenticRow(1))}}, s.Sweep)
			return fmt.Sprint(c != nil)
		}, [2]string{"false", "true"}},
		"PriorityLabels": {newest, func(s *config.Settings, on bool) { s.Sweep.PriorityLabels = on }, func(t testing.TB, s config.Settings) string {
			out, list := policy(t, augustPolicy, s).Annotate(ordjson.Map(
				ordjson.Member{Name: "runner", Value: ordjson.Str("r")}, ordjson.Member{Name: "framework", Value: ordjson.Str("vllm")}),
				Scoring{Labels: []string{"engine-patch"}})
			if list != nil {
				t.Fatal(list)
			}
			return textAt(t, out, "priority")
		}, [2]string{"1.500", "0.000"}},
		"UndispatchedBuckets": {newest, func(s *config.Settings, on bool) {
			if on {
				s.Sweep.UndispatchedBuckets = config.UndispatchedDispatch
			}
		}, func(_ testing.TB, s config.Settings) string {
			families, list := Families(fullPlan(), s.Sweep)
			return fmt.Sprintf("%d families, refused %v", len(families), list.Refused())
		}, [2]string{"10 families, refused true", "11 families, refused false"}},
	}
}

// tiered shows the offload fields of a row with the list form.
func tiered(t testing.TB, s config.Settings) string {
	t.Helper()
	text := swap(t, okAgentic, "kv-offloading: dram", "kv-offloading: [dram, nvme]", "dram-utilization: 0.5", "dram-utilization: 0.8", "cluster:c", "cluster:gx100-a")
	files := newestFiles().with(amdFile, text, nvidiaFile, "{}")
	rows, list := Generate(s, files, Request{})
	if f := list.First(); f != nil {
		checkTexts(t, *f)
		return f.Code
	}
	offloading, _ := rows[0].Document().Get("kv-offloading")
	return fmt.Sprintf("%s %d %s", compact(offloading), rows[0].DRAM, rows[0].ExpName)
}

func TestSwitchesOnBothSides(t *testing.T) {
	for name, c := range switches(t) {
		t.Run(name, func(t *testing.T) {
			for side, on := range []bool{false, true} {
				s := c.base(t, func(s *config.Settings) { c.set(s, on) })
				same(t, fmt.Sprintf("%s %v", name, on), c.want[side], c.run(t, s))
			}
			if c.want[0] == c.want[1] {
				t.Error("the switch does nothing")
			}
		})
	}
}

// A new switch needs a test on both sides. Re-runs are of jobs, not of rows:
// their switch is tested where jobs are looked at (app/bot).
func TestEverySwitchHasATest(t *testing.T) {
	tested := switches(t)
	elsewhere := []string{"Rerun"}
	known := make(map[string]bool)
	for _, typ := range []reflect.Type{reflect.TypeFor[config.Matrix](), reflect.TypeFor[config.Sweep]()} {
		for i := range typ.NumField() {
			name := typ.Field(i).Name
			known[name] = true
			if _, ok := tested[name]; !ok && !slices.Contains(elsewhere, name) {
				t.Errorf("%s.%s has no entry in switches", typ.Name(), name)
			}
		}
	}
	for name := range tested {
		if !known[name] {
			t.Errorf("%s is no switch", name)
		}
	}
}

// The list form of offloading: its values, and its need of a memory share.
func TestTieredOffload(t *testing.T) {
	on := newest(t, withoutRecipes, func(s *config.Settings) { s.Matrix.TieredOffload = true })
	for _, b := range []broken{
		{"order", okAgentic, []string{"kv-offloading: dram", "kv-offloading: §[nvme, dram]"}, []string{"matrix.bad-value"}},
		{"one", okAgentic, []string{"kv-offloading: dram", "kv-offloading: §[dram]"}, []string{"matrix.bad-value"}},
		{"share", okAgentic, []string{"- dram-utilization: 0.5\n      search", "- search", "- { tp", "- §{ tp", "kv-offloading: dram", "kv-offloading: [dram, nvme]"}, []string{"matrix.r7-dram-needs-utilization"}},
		{"backend", okAgentic, []string{"- { tp", "- §{ tp", "kv-offloading: dram, kv-offload-backend: { name: b }", "kv-offloading: [dram, nvme]"}, []string{"matrix.r7b-backend-required"}},
	} {
		b.run(t, on)
	}
}

// GlobResolvedKeys once more: a pattern that does not match itself selects
// nothing, as in the reference.
func TestGlobResolvedKeyWithoutMatch(t *testing.T) {
	files := augustFiles().with(amdFile, swap(t, okSingle, "k:\n", "\"k?[x]\":\n"), nvidiaFile, "{}")
	change := changeOf(files, files, entryText(`"k?[x]"`))
	same(t, "literal", "single_node.8k1k: 16\nevals: 16\n", summary(mustPlan(t, august(t), change)))
	globbed := august(t, func(s *config.Settings) { s.Matrix.GlobResolvedKeys = true })
	same(t, "as a pattern", "matrix.pattern-no-match", refusal(t, globbed, change).Code)
}

// The base side of an append-only change follows the same rule.
func TestGlobResolvedKeysOfBase(t *testing.T) {
	text := swap(t, okSingle, "k:\n", "\"k?\":\n") + swap(t, okSingle, "k:\n", "kx:\n", "image: i", "image: j", "precision: fp8", "precision: fp4")
	head := strings.Replace(text, "[16]", "[16, 32]", 1)
	files := func(text string) memFiles { return augustFiles().with(amdFile, text, nvidiaFile, "{}") }
	globbed := august(t, func(s *config.Settings) { s.Matrix.GlobResolvedKeys = true })
	p := mustPlan(t, globbed, changeOf(files(text), files(head), entryText(`"k?"`, "append-only: true")))
	same(t, "plan", "single_node.8k1k: 32\n", summary(p))
}
