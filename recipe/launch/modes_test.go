package launch

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// disaggMaster is one key of five points on two nodes, as spec/walkthrough.md
// scenario B has it.
const disaggMaster = `larch-fp4-gx-sglang-disagg-agentic-hicache:
  image: registry.example/sglang-rocm:v0.5.16
  model: acme/Larch-FP4
  model-prefix: larch
  precision: fp4
  framework: sglang-disagg
  runner: cluster:gx
  multinode: true
  disagg: true
  kv-p2p-transfer: mori
  scenarios:
    agentic-coding:
    - dram-utilization: 0.80
      search-space:
      - spec-decoding: mtp
        kv-offloading: dram
        kv-offload-backend: { name: hicache }
        conc-list: [2, 4, 8, 16, 32]
        prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, additional-settings: [PREFILL_NODES=1] }
        decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, additional-settings: [DECODE_NODES=1, DECODE_MTP_SIZE=2] }
`

// The launcher, the job and the server of each role. Length 2.50 is that of
// two draft tokens, by a case of globs, for throughput runs only.
var disaggScripts = []string{
	launcher, "export MODEL_NAME=${MODEL##*/}\nbash \"$GITHUB_WORKSPACE/benchmarks/multi_node/agentic/larch_fp4_gx_sglang-disagg.sh\"\n",
	"benchmarks/multi_node/agentic/larch_fp4_gx_sglang-disagg.sh", "source \"$(dirname \"$0\")/../larch_utils/env.sh\"\nsbatch -N 2 -n 2 $GITHUB_WORKSPACE/benchmarks/multi_node/larch_utils/job.slurm\n",
	"benchmarks/multi_node/larch_utils/env.sh", "export LARCH_KERNELS=1\n",
	"benchmarks/multi_node/larch_utils/job.slurm", "srun bash $GITHUB_WORKSPACE/benchmarks/multi_node/larch_utils/server.sh\n",
	"benchmarks/multi_node/larch_utils/server.sh", `SPEC=()
if [ "${DECODE_MTP_SIZE:-0}" -gt 0 ]; then
  SPEC=(--speculative-algorithm EAGLE --speculative-num-steps "$DECODE_MTP_SIZE" --speculative-num-draft-tokens $((DECODE_MTP_SIZE + 1)))
fi
ACCEPT=()
if [ "$IS_AGENTIC" = 1 ] && [ "$EVAL_ONLY" != true ] && [ "$RUN_EVAL" != true ]; then
  case "${MODEL_NAME}:${DECODE_MTP_SIZE}" in
    *Larch*:2) LENGTH=2.50 ;;
    *Larch*:3) LENGTH=2.99 ;;
    *) LENGTH= ;;
  esac
  [ -n "$LENGTH" ] && export SGLANG_SIMULATE_ACC_LEN=$LENGTH SGLANG_SIMULATE_ACC_METHOD=match-expected SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token
fi
if [ "$SLURM_PROCID" -eq 0 ]; then
  env -u SGLANG_SIMULATE_ACC_LEN -u SGLANG_SIMULATE_ACC_METHOD -u SGLANG_SIMULATE_ACC_TOKEN_MODE \
    python3 -m sglang.launch_server --model-path "$MODEL" --tp-size "$PREFILL_TP" --disaggregation-mode prefill --enable-hierarchical-cache "${SPEC[@]}" &
else
  python3 -m sglang.launch_server --model-path "$MODEL" --tp-size "$DECODE_TP" --disaggregation-mode decode --max-running-requests "$CONC" "${SPEC[@]}" &
fi
wait
`,
}

// augustRows are the rows of one config of the August layout.
func augustRows(t *testing.T, tree memTree, master string) ([]*matrix.Row, *Resolver) {
	t.Helper()
	tree.MapFS["configs/runners.yaml"] = &fstest.MapFile{Data: []byte(runnersYAML)}
	tree.MapFS["configs/nvidia-master.yaml"] = &fstest.MapFile{Data: []byte(master)}
	tree.MapFS["configs/amd-master.yaml"] = &fstest.MapFile{Data: []byte("{}\n")}
	s, _ := config.Preset(config.PresetAugust)
	rows, list := matrix.Generate(s, tree, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() {
		t.Fatal(list)
	}
	inventory, list := matrix.ReadRunners(s, tree)
	if list.Refused() {
		t.Fatal(list)
	}
	r, err := New(s, inventory, tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows, r
}

// Scenario B: acceptance is simulated in the five throughput runs, and in none
// of their eval-only runs (spec/walkthrough.md).
func TestScenarioB(t *testing.T) {
	rows, r := augustRows(t, tree(disaggScripts...), disaggMaster)
	got := map[string][]string{}
	for _, row := range rows {
		for _, conc := range row.Conc {
			for _, mode := range []Mode{Throughput, Eval} {
				e := inMode(t, r, row, mode)
				if !e.Complete() || len(e.Serving()) != 2 {
					t.Fatalf("%s: %d roles, %+v", mode, len(e.Serving()), e.Gaps())
				}
				for _, c := range e.Serving() {
					length, _ := c.Variable("SGLANG_SIMULATE_ACC_LEN")
					s, _ := SpeculationOf(c)
					key := fmt.Sprintf("%s %s %s%d", mode, c.Role, s.Method, s.Tokens)
					got[key] = append(got[key], fmt.Sprintf("c%d=%s", conc, length.Lit))
				}
			}
		}
	}
	want := map[string][]string{
		"throughput prefill eagle2": {"c2=", "c4=", "c8=", "c16=", "c32="},
		"throughput decode eagle2":  {"c2=2.50", "c4=2.50", "c8=2.50", "c16=2.50", "c32=2.50"},
		"eval prefill eagle2":       {"c2=", "c4=", "c8=", "c16=", "c32="},
		"eval decode eagle2":        {"c2=", "c4=", "c8=", "c16=", "c32="},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// An eval-only run of the August layout takes the recipe of evals and does not
// simulate, also where the launcher leaves the choice to the workflow.
func TestEvalRecipeOfSettings(t *testing.T) {
	master := strings.ReplaceAll(multi("agentic-coding", "CONFIG_FILE=r.yaml:base", "EVAL_CONFIG_FILE=e.yaml", "SYNTHETIC_ACCEPTANCE=true", "SYNTHETIC_ACCEPTANCE_LENGTH=2.40"), "RUNNER", "cluster:gx")
	files := tree(launcher, "python3 $GITHUB_WORKSPACE/runners/inject_synthetic_acceptance.py r.yaml $FRAMEWORK\nsrtctl apply -f $CONFIG_FILE\n", "r.yaml", bundle,
		"e.yaml", "backend: { type: vllm, vllm_config: { aggregated: { max-num-seqs: 5, speculative-config: '{\"method\":\"mtp\",\"num_speculative_tokens\":3}' } } }\n")
	rows, r := augustRows(t, files, master)
	for mode, want := range map[Mode]string{Throughput: "decode 2.40", Eval: "agg "} {
		worker := generation(inMode(t, r, rows[0], mode))
		f := worker.Flag("speculative-config")
		length, _ := f.JSON.Get("synthetic_acceptance_length")
		if got := worker.Role + " " + length.Text; got != want {
			t.Errorf("%s: %q, want %q", mode, got, want)
		}
	}
}

// An unknown number costs a row its completeness only where a check reads the
// flag that it stands in (spec/checks.md section 4.2).
func TestUnknownNumbers(t *testing.T) {
	script := func(flag string) string {
		return "compute_eval_context_length() { curl -s http://hub/config.json | python3 -c 'import json; print(json.load(open(0))[\"max\"])'; }\n" +
			"N=$(compute_eval_context_length \"$MODEL\")\nvllm serve \"$MODEL\" --tensor-parallel-size \"$TP\" " + flag + " \"$N\" &\n"
	}
	for flag, complete := range map[string]bool{"--max-model-len": true, "--context-length": true, "--data-parallel-size": false, "--kv-cache-dtype": false} {
		e := resolve(t, tree(launcher, "bash s.sh\n", "s.sh", script(flag)), singleYAML, "gx", nil)
		c := e.Serving()
		if len(c) != 1 || c[0].Flag(recipe.FlagName(flag)) == nil || c[0].Flag(recipe.FlagName(flag)).Known() {
			t.Fatalf("%s: %s", flag, shown(e))
		}
		if e.Complete() != complete {
			t.Errorf("%s: complete is %t, want %t", flag, e.Complete(), complete)
		}
	}
}

// A command of an EXIT trap runs when serving has ended: it serves nothing.
func TestTrapsServeNothing(t *testing.T) {
	e := resolve(t, tree(launcher, "bash s.sh\n", "s.sh", "cleanup() { vllm serve other --port 1; }\ntrap cleanup EXIT INT\ntrap 'vllm serve third' TERM\n"+serve+"exit 0\n"), singleYAML, "gx", nil)
	if n := len(e.Serving()); n != 1 || !e.Complete() {
		t.Errorf("%d servers: %s", n, shown(e))
	}
}

// A variable that env takes away is not there for what it starts, be that a
// server or another script.
func TestEnvTakesAway(t *testing.T) {
	e := resolve(t, tree(launcher, "export KNOB=1 OTHER=2\nenv -u KNOB --unset=OTHER bash s.sh\n", "s.sh", "vllm serve $MODEL --max-num-seqs ${KNOB:-7} --block-size ${OTHER:-8}\n"), singleYAML, "gx", nil)
	c := e.Serving()[0]
	for flag, want := range map[string]string{"max-num-seqs": "7", "block-size": "8"} {
		if got, _ := c.Flag(flag).Value(); got != want {
			t.Errorf("%s is %s, want %s", flag, got, want)
		}
	}
	for _, name := range []string{"KNOB", "OTHER"} {
		if _, ok := c.Variable(name); ok {
			t.Errorf("%s is still there", name)
		}
	}
}
