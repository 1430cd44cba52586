package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// Configs that tests break. Those with "next" are of the newest layout.
const (
	okSingle = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 4, conc-list: [16] }
`
	okMulti = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [16]
        prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }
        decode: { num-worker: 2, tp: 8, ep: 2, dp-attn: true }
`
	okAgentic = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: false
  scenarios:
    agentic-coding:
    - dram-utilization: 0.5
      search-space:
      - { tp: 4, kv-offloading: dram, kv-offload-backend: { name: b }, conc-list: [16] }
`
	okMultiAgentic = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  scenarios:
    agentic-coding:
    - search-space:
      - conc-list: [16]
        prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }
        decode: { num-worker: 2, tp: 8, ep: 2, dp-attn: true }
`
	nextSingleOK = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: false
  srt-recipe-dir: d
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 4, conc-list: [16], srt-recipe: r.yaml }
`
	nextAggregateOK = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: true
  srt-recipe-dir: d
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [16]
        num-nodes: 2
        srt-recipe: r.yaml
        worker: { tp: 4, ep: 1, dp-attn: false }
`
	nextAgenticOK = `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: true
  srt-recipe-dir: d
  scenarios:
    agentic-coding:
    - dram-utilization: 0.5
      search-space:
      - conc-list: [16]
        num-nodes: 2
        srt-recipe: r.yaml
        worker: { tp: 4, ep: 1, dp-attn: false }
`
)

const masterName = "configs/m.yaml"

// loadCodes loads one master file and lists the findings as line:column code.
func loadCodes(t testing.TB, s config.Settings, text string) []string {
	t.Helper()
	_, list := Load([]Source{{masterName, []byte(text)}}, rulesOf(s), false)
	for _, f := range list {
		if f.File != masterName {
			t.Errorf("%s: file %q", f.Code, f.File)
		}
	}
	return codes(t, list)
}

// broken is a config with changes, and the findings it must give: their codes
// in order, at the places of the markers, or at the place before a blank.
type broken struct {
	rule  string
	text  string
	swaps []string
	want  []string
}

func (b broken) run(t *testing.T, s config.Settings) {
	t.Helper()
	text, places := marked(swap(t, b.text, b.swaps...))
	want := append([]string(nil), b.want...)
	for i, code := range want {
		if !strings.Contains(code, " ") {
			if len(places) == 0 {
				t.Fatalf("%s: no marker for %s", b.rule, code)
			}
			want[i] = places[0] + " " + code
			places = places[1:]
		}
	}
	if len(places) > 0 {
		t.Fatalf("%s: markers without a finding: %v", b.rule, places)
	}
	same(t, fmt.Sprintf("%s %q", b.rule, b.swaps), want, loadCodes(t, s, text))
}

func TestConfigsOfTheTestsAreValid(t *testing.T) {
	for _, text := range []string{okSingle, okMulti, okAgentic, okMultiAgentic} {
		same(t, "august", []string(nil), loadCodes(t, august(t), text))
		same(t, "reference", []string(nil), loadCodes(t, reference(t), text))
	}
	for _, text := range []string{nextSingleOK, nextAggregateOK, nextAgenticOK} {
		same(t, "newest", []string(nil), loadCodes(t, newest(t), text))
	}
}

const agenticEntry = "{ tp: 4, kv-offloading: dram, kv-offload-backend: { name: b }, conc-list: [16] }"

// spec/matrix.md section 4.8: the rules that both eras have.
func TestCrossFieldRules(t *testing.T) {
	const singleEntry = "- { tp: 4, conc-list: [16] }"
	const prefill = "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false }"
	const decode = "{ num-worker: 2, tp: 8, ep: 2, dp-attn: true }"
	for _, b := range []broken{
		{"R1", okSingle, []string{"scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n      - { tp: 4, conc-list: [16] }\n", "scenarios: §{}\n"}, []string{"matrix.r1-no-scenario"}},
		{"R1", okSingle, []string{"scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n      - { tp: 4, conc-list: [16] }\n", "scenarios: §{ fixed-seq-len: [], agentic-coding: null }\n"}, []string{"matrix.r1-no-scenario"}},

		{"R2 both", okSingle, []string{singleEntry, "- §{ tp: 4, conc-list: [16], conc-start: 1, conc-end: 2 }"}, []string{"matrix.r2-list-and-range"}},
		{"R2 neither", okSingle, []string{singleEntry, "- §{ tp: 4 }"}, []string{"matrix.r2-missing"}},
		{"R2 half a range", okSingle, []string{singleEntry, "- §{ tp: 4, conc-start: 4 }"}, []string{"matrix.r2-missing"}},
		{"R2 null range", okSingle, []string{singleEntry, "- §{ tp: 4, conc-start: 4, conc-end: null }"}, []string{"matrix.r2-missing"}},
		{"R2 start of 0", okSingle, []string{singleEntry, "- { tp: 4, conc-start: §0, conc-end: 2 }"}, []string{"matrix.r2-not-positive"}},
		{"R2 end below 0", okSingle, []string{singleEntry, "- { tp: 4, conc-start: §1, conc-end: -2 }"}, []string{"matrix.r2-not-positive"}},
		{"R2 order", okSingle, []string{singleEntry, "- { tp: 4, conc-start: §3, conc-end: 2 }"}, []string{"matrix.r2-start-above-end"}},
		{"R2 list value", okSingle, []string{singleEntry, "- { tp: 4, conc-list: [1, §0, §-5] }"}, []string{"matrix.r2-not-positive", "matrix.r2-not-positive"}},
		{"R2 multi", okMulti, []string{"conc-list: [16]", "§conc-list: [16]\n        conc-start: 1\n        conc-end: 2"}, []string{"matrix.r2-list-and-range"}},
		{"R2 agentic", okAgentic, []string{"[16]", "[§0]"}, []string{"matrix.r2-not-positive"}},

		{"R3 entry", okSingle, []string{singleEntry, "- §{ tp: 4, dcp-size: 3, conc-list: [16] }"}, []string{"matrix.r3-tp-divisible"}},
		{"R3 worker", okMulti, []string{prefill, "§{ num-worker: 1, tp: 4, dcp-size: 8, ep: 1, dp-attn: false }"}, []string{"matrix.r3-tp-divisible"}},
		{"R3 agentic", okAgentic, []string{"- { tp: 4,", "- §{ tp: 4, dcp-size: 3,"}, []string{"matrix.r3-tp-divisible"}},

		{"R4 none", okMultiAgentic, []string{"      - conc-list: [16]\n        prefill: " + prefill + "\n        decode: " + decode, "      - §conc-list: [16]"}, []string{"matrix.r4-topology"}},
		{"R4 half", okMultiAgentic, []string{"      - conc-list", "      - §conc-list", "        decode: " + decode + "\n", ""}, []string{"matrix.r4-topology"}},
		{"R4 two", okMultiAgentic, []string{"      - conc-list", "      - §tp: 4\n        kv-offloading: none\n        conc-list"}, []string{"matrix.r4-topology"}},
		{"R4a", okAgentic, []string{agenticEntry, "§{ tp: 4, conc-list: [16] }"}, []string{"matrix.r4a-offloading-required"}},
		{"R4a null", okAgentic, []string{agenticEntry, "§{ tp: 4, kv-offloading: null, conc-list: [16] }"}, []string{"matrix.r4a-offloading-required"}},
		{"R4b", okMultiAgentic, []string{"      - conc-list", "      - §pp: 1\n        conc-list"}, []string{"matrix.r4b-single-fields"}},
		{"R4b", okMultiAgentic, []string{"      - conc-list", "      - §dcp-size: 1\n        pcp-size: 1\n        conc-list"}, []string{"matrix.r4b-single-fields"}},

		{"R5", okMulti, []string{"      - conc-list", "      - §conc-list", prefill, "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false, hardware: h }"}, []string{"matrix.r5-hardware"}},
		{"R5 null is unset", okMulti, []string{"      - conc-list", "      - §conc-list", decode, "{ num-worker: 2, tp: 8, ep: 2, dp-attn: true, hardware: h }", prefill, "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false, hardware: null }"}, []string{"matrix.r5-hardware"}},
		{"R5 agentic", okMultiAgentic, []string{"      - conc-list", "      - §conc-list", prefill, "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false, hardware: h }"}, []string{"matrix.r5-hardware"}},

		{"R7", okAgentic, []string{"- dram-utilization: 0.5\n      search", "- search", "- { tp: 4, kv", "- §{ tp: 4, kv"}, []string{"matrix.r7-dram-needs-utilization"}},
		{"R7a unset", okMultiAgentic, []string{"      - conc-list: [16]", "      - §conc-list: [16]\n        kv-offload-backend: { name: b }"}, []string{"matrix.r7a-backend-without-offloading"}},
		{"R7a none", okAgentic, []string{agenticEntry, "§{ tp: 4, kv-offloading: none, kv-offload-backend: { name: b }, conc-list: [16] }"}, []string{"matrix.r7a-backend-with-none"}},
		{"R7b", okAgentic, []string{agenticEntry, "§{ tp: 4, kv-offloading: dram, conc-list: [16] }"}, []string{"matrix.r7b-backend-required"}},

		{"R8 router", okSingle, []string{"k:\n", "§k:\n", "  scenarios:", "  router: { name: a, version: b }\n  scenarios:", singleEntry, "- { tp: 4, conc-list: [16], router: { name: a, version: b } }"}, []string{"matrix.r8-both-levels"}},
		{"R8 transfer", okMulti, []string{"k:\n", "§k:\n", "conc-list: [16]", "conc-list: [16]\n        kv-p2p-transfer: nixl"}, []string{"matrix.r8-both-levels"}},
		{"R9", okAgentic, []string{"k:\n", "§k:\n", "conc-list: [16]", "conc-list: [16], kv-p2p-transfer: nixl"}, []string{"matrix.r9-transfer-single-node"}},
		{"R10 nowhere", okMulti, []string{"k:\n", "§k:\n", "  kv-p2p-transfer: nixl\n", ""}, []string{"matrix.r10-disagg-needs-transfer"}},
		{"R10 no entries", okMulti, []string{"k:\n", "§k:\n", "  kv-p2p-transfer: nixl\n", "", "      - conc-list: [16]\n        prefill: " + prefill + "\n        decode: " + decode + "\n", "        []\n"}, []string{"matrix.r10-disagg-needs-transfer"}},
		{"R13", okAgentic, []string{"k:\n", "§k:\n", "runner: cluster:c", "runner: c"}, []string{"matrix.r13-runner-not-cluster"}},
		{"two rules at once", okAgentic, []string{"k:\n", "§k:\n", "runner: cluster:c", "runner: c", "conc-list: [16]", "conc-list: [16], kv-p2p-transfer: nixl"}, []string{"1:1 matrix.r13-runner-not-cluster", "matrix.r9-transfer-single-node"}},
	} {
		b.run(t, august(t))
	}
}

// What the rules let pass.
func TestCrossFieldRulesAccept(t *testing.T) {
	const singleEntry = "- { tp: 4, conc-list: [16] }"
	for _, b := range []broken{
		{"R1 one is enough", okSingle, []string{"    fixed-seq-len:", "    agentic-coding: []\n    fixed-seq-len:"}, nil},
		{"R2 a lone start next to a list", okSingle, []string{singleEntry, "- { tp: 4, conc-list: [16], conc-start: 4 }"}, nil},
		{"R2 any order and repeats", okSingle, []string{"[16]", "[4, 2, 4, 1]"}, nil},
		{"R3", okSingle, []string{singleEntry, "- { tp: 4, dcp-size: 2, conc-list: [16] }"}, nil},
		{"R4 tp only for R3", okMultiAgentic, []string{"tp: 4,", "tp: 4, dcp-size: 4, pp: 3,"}, nil},
		{"R5 both", okMulti, []string{"tp: 4,", "tp: 4, hardware: a,", "tp: 8,", "tp: 8, hardware: b,"}, nil},
		{"R7 utilization without any offload", okAgentic, []string{agenticEntry, "{ tp: 4, kv-offloading: none, conc-list: [16] }"}, nil},
		{"R8 null in the entry", okSingle, []string{"  scenarios:", "  router: { name: a, version: b }\n  scenarios:", singleEntry, "- { tp: 4, conc-list: [16], router: null }"}, nil},
		{"R10 on every entry", okMulti, []string{"  kv-p2p-transfer: nixl\n", "", "conc-list: [16]", "conc-list: [16]\n        kv-p2p-transfer: nixl"}, nil},
		{"R13 fixed only", okSingle, []string{"cluster:c", "c"}, nil},
		{"empty search space", okSingle, []string{"\n      " + singleEntry, " []"}, nil},
		{"lengths of 0", okSingle, []string{"8192", "0", "1024", "0"}, nil},
		{"no worker", okMulti, []string{"num-worker: 1", "num-worker: 0"}, nil},
		{"empty image", okSingle, []string{"image: i", `image: ""`}, nil},
		{"ep of a multi-node agentic entry", okMultiAgentic, []string{"conc-list: [16]", "conc-list: [16]\n        ep: 3\n        dp-attn: true"}, nil},
		{"nulls where they are allowed", okSingle, []string{singleEntry, "- { tp: 4, ep: null, dp-attn: null, conc-start: null, conc-list: [16] }"}, nil},
	} {
		b.run(t, august(t))
	}
}

// spec/matrix.md section 4.8: R6, R11, R12, R14 and R16 of the newest rules.
func TestNewestRules(t *testing.T) {
	const worker = "        worker: { tp: 4, ep: 1, dp-attn: false }\n"
	const roles = "        prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }\n        decode: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }\n"
	disagg := []string{"  multinode: true\n", "  multinode: true\n  disagg: true\n  kv-p2p-transfer: nixl\n"}
	for _, b := range []broken{
		{"R6 neither", nextAggregateOK, []string{"- conc-list", "- §conc-list", worker, ""}, []string{"matrix.r6-topology"}},
		{"R6 both", nextAggregateOK, []string{"- conc-list", "- §conc-list", worker, worker + roles}, []string{"matrix.r6-topology"}},
		{"R6 half", nextAggregateOK, []string{"- conc-list", "- §conc-list", worker, strings.SplitAfter(roles, "\n")[0]}, []string{"matrix.r6-topology"}},
		{"R6 worker and half", nextAggregateOK, []string{"- conc-list", "- §conc-list", worker, worker + strings.SplitAfter(roles, "\n")[1]}, []string{"matrix.r6-topology"}},
		{"R4 worker and tp", nextAgenticOK, []string{"- conc-list", "- §tp: 1\n        kv-offloading: none\n        conc-list"}, []string{"matrix.r4-topology"}},

		{"R11", strings.Replace(nextAgenticOK, "multinode: true", "multinode: false", 1), []string{"- conc-list", "- §conc-list"}, []string{"matrix.r11-single-node"}},
		{"R11 num-nodes alone", okAgentic, []string{"  scenarios:", "  srt-recipe-dir: d\n  scenarios:", "- { tp: 4,", "- §{ tp: 4, num-nodes: 1, srt-recipe: r,"}, []string{"matrix.r11-single-node"}},
		{"R12 disaggregated with a worker", nextAggregateOK, append([]string{"- conc-list", "- §conc-list"}, disagg...), []string{"matrix.r12-disaggregated"}},
		{"R12 disaggregated with num-nodes", nextAggregateOK, append([]string{"- conc-list", "- §conc-list", worker, roles}, disagg...), []string{"matrix.r12-disaggregated"}},
		{"R12 aggregate without num-nodes", nextAggregateOK, []string{"- conc-list", "- §conc-list", "        num-nodes: 2\n", ""}, []string{"matrix.r12-aggregate"}},
		{"R12 aggregate with roles", nextAggregateOK, []string{"- conc-list", "- §conc-list", worker, roles}, []string{"matrix.r12-aggregate"}},
		{"R12 aggregate with tp", nextAgenticOK, []string{"- conc-list", "- §tp: 1\n        kv-offloading: none\n        conc-list", worker, ""}, []string{"matrix.r12-aggregate"}},

		{"R14 no folder", nextSingleOK, []string{"k:\n", "§k:\n", "  srt-recipe-dir: d\n", ""}, []string{"matrix.r14-recipe-dir-required"}},
		{"R14 no recipe", nextSingleOK, []string{"- { tp", "- §{ tp", ", srt-recipe: r.yaml", ""}, []string{"matrix.r14-recipe-required"}},
		{"R14 eval recipe", nextSingleOK, []string{"r.yaml }", "r.yaml, §eval-srt-recipe: r.yaml }"}, []string{"matrix.unknown-field"}},
		{"R14 eval recipe, agentic", okAgentic, []string{"  scenarios:", "  srt-recipe-dir: d\n  scenarios:", "- { tp: 4,", "- §{ tp: 4, srt-recipe: r, eval-srt-recipe: r,"}, []string{"matrix.r14-eval-recipe-multinode"}},
		{"R14 llmd-vllm with a folder", nextAggregateOK, []string{"k:\n", "§k:\n", "framework: f", "framework: llmd-vllm", "        srt-recipe: r.yaml\n", ""}, []string{"matrix.r14-framework-without-recipes"}},
		{"R14 llmd-vllm with a recipe", nextAggregateOK, []string{"- conc-list", "- §conc-list", "framework: f", "framework: llmd-vllm", "  srt-recipe-dir: d\n", ""}, []string{"matrix.r14-framework-without-recipes"}},
		{"R14 llmd-vllm on one node", nextSingleOK, []string{"k:\n", "§k:\n", "framework: f", "framework: llmd-vllm", "  srt-recipe-dir: d\n", ""}, []string{"matrix.r14-recipe-dir-required"}},
		{"R14 older setting", nextAggregateOK, []string{"- conc-list", "- §conc-list", "dp-attn: false }", `dp-attn: false, additional-settings: ["A=1", "CONFIG_FILE=x"] }`}, []string{"matrix.r14-config-file-setting"}},
		{"R14 older eval setting", nextAggregateOK, []string{"- conc-list", "- §conc-list", "dp-attn: false }", `dp-attn: false, additional-settings: [EVAL_CONFIG_FILE] }`}, []string{"matrix.r14-config-file-setting"}},

		{"R16", okAgentic, []string{"  scenarios:", "  srt-recipe-dir: d\n  scenarios:", "- { tp: 4,", "- §{ tp: 4, srt-recipe: r, power: true,"}, []string{"matrix.r16-power"}},
	} {
		b.run(t, newest(t))
	}
	for _, b := range []broken{
		{"R14 llmd-vllm", nextAggregateOK, []string{"framework: f", "framework: llmd-vllm", "        srt-recipe: r.yaml\n", "", "  srt-recipe-dir: d\n", ""}, nil},
		{"R14 eval recipe", nextAggregateOK, []string{"srt-recipe: r.yaml", "srt-recipe: r.yaml\n        eval-srt-recipe: a/b.yaml:zip_override_x-1[12]"}, nil},
		{"R14 other settings", nextAggregateOK, []string{"dp-attn: false }", `dp-attn: false, additional-settings: ["CONFIG_FILES=x", "XCONFIG_FILE=x"] }`}, nil},
		{"R16 of a worker", nextAgenticOK, []string{"- conc-list", "- power: true\n        conc-list"}, nil},
		{"disaggregated", nextAggregateOK, append([]string{worker, roles, "        num-nodes: 2\n", ""}, disagg...), nil},
	} {
		b.run(t, newest(t))
	}
}

// R15 is an error of generation, for the block's lengths.
func TestRequirePowerR15(t *testing.T) {
	text := strings.Replace(nextAggregate, "isl: 8192", "isl: 1024", 1)
	_, list := Generate(newest(t), recipeFiles().with(amdFile, text), Request{})
	same(t, "findings", []string{"12:7 matrix.r15-require-power"}, codes(t, list))
	same(t, "category", "matrix-row-schema", list[0].Category)
	// A block that is filtered out is no error.
	mustRows(t, newest(t), recipeFiles().with(amdFile, text), Request{Filter: Filter{SeqLens: []string{"8k1k"}}})
}

// spec/matrix.md section 6.10: a row of a disaggregated config needs a
// transfer, which a null of the entry takes away.
func TestRowNeedsTransfer(t *testing.T) {
	text := swap(t, okMulti, "conc-list: [16]", "conc-list: [16]\n        kv-p2p-transfer: null")
	_, list := Generate(august(t), augustFiles().with(amdFile, text), Request{})
	same(t, "findings", []string{"16:9 matrix.row-needs-transfer"}, codes(t, list))
}
