package checks

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// collected is a source whose runs left aggregates, by artifact and file.
type collected struct {
	givenSource
	files map[string]string
}

func (s collected) Artifacts(_ context.Context, run int64) ([]Artifact, error) {
	return []Artifact{{ID: 1, Name: "results_bmk"}, {ID: 2, Name: "eval_results_all"}}, nil
}

func (s collected) ArtifactFile(_ context.Context, _ int64, name string, _ int64) ([]byte, error) {
	text, ok := s.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// sweepsOf are a failed newest sweep, the green one before it, and a green one
// on a commit that left the pull request.
func sweepsOf(middle string) givenSource {
	run := func(id int64, sha, conclusion string, hour int) Run {
		return Run{
			ID: id, HeadSHA: sha, HeadBranch: "topic", Event: "pull_request", Conclusion: conclusion, Status: "completed",
			Created: time.Date(2026, 11, 18, hour, 0, 0, 0, time.UTC), URL: fmt.Sprint("https://x/runs/", id),
		}
	}
	job := func(id int64, attempt int, name, conclusion string) Job {
		return Job{ID: id, Name: name, Conclusion: conclusion, Attempt: attempt, URL: fmt.Sprint("https://x/jobs/", id)}
	}
	return givenSource{
		pull: &Pull{Head: Ref{Ref: "topic", SHA: headSHA}},
		runs: map[int64]Run{
			7: run(7, middle, "success", 9), 8: run(8, headSHA, "failure", 10), 6: run(6, baseSHA, "success", 11),
		},
		jobs: map[int64][]Job{
			7: {
				job(1, 1, "sweep / agentic / / p1 | a c4", "failure"), job(2, 2, "sweep / agentic / / p1 | a c4", "success"),
				job(3, 1, "agentic / / p1 | a c8", "success"), job(4, 1, "agentic eval / / p1 | a c8", "success"),
				job(5, 1, "single-node 8k1k /", "skipped"), job(6, 1, "collect-evals / x", "success"),
			},
			8: {job(9, 1, "agentic / / p1 | a c4 [x]", "failure"), job(10, 1, "agentic / / p1 | a c8", "")},
		},
	}
}

// evalRow is a row of the collected evals.
func evalRow(conc int, score string) string {
	return fmt.Sprintf(`{"is_multinode":false,"model_prefix":"orion2","model":"m","hw":"B200-X","framework":"vllm","precision":"fp8","spec_decoding":"mtp",
		"isl":0,"osl":0,"tp":8,"ep":1,"prefill_tp":8,"prefill_ep":1,"prefill_num_workers":1,"decode_tp":8,"decode_ep":1,"decode_num_workers":1,"conc":%d,
		"dp_attention":"false","prefill_dp_attention":"false","decode_dp_attention":"false","task":"gsm8k","em_strict":%s,"em_strict_se":0.005,"em_flexible":null,
		"em_flexible_se":null,"n_eff":1319,"source":"x","infrastructure_success":true,"integration_error":null,"score":%s,"score_name":"em_strict","score_se":0.005,
		"image":"vllm/vllm-openai:v1"}`, conc, score, score)
}

// pointRow is a row of the collected points.
func pointRow(conc int, latency, throughput float64) string {
	return fmt.Sprintf(`{"result_schema_version":1,"hw":"b200-x","conc":%d,"image":"vllm/vllm-openai:v1","model":"m","infmax_model_prefix":"orion2","framework":"vllm",
		"precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"is_multinode":false,"tp":8,"pp":1,"dcp_size":1,
		"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":%v,"output_tput_per_gpu":1,"input_tput_per_gpu":1,"median_e2el":%v}`, conc, throughput, latency)
}

// TestStatements holds what a draft is told of a pull request with sweeps,
// evals, a drafting agentic key, an image with a digest and a patch.
func TestStatements(t *testing.T) {
	const middle = "1111111111111111111111111111111111111111"
	const script = "benchmarks/single_node/agentic/orion2_fp8_b200_vllm_mtp.sh"
	digest := "@sha256:" + strings.Repeat("ab", 32)
	base := repo(old)
	base["golden_al_distribution/orion2_mtp.yaml"] = "orion2:\n  thinking_on:\n    2: 2.50\n    3: 2.99\n"
	head := repo(old+logged("a"), entry{key: "a", scenario: "agentic", spec: "mtp", image: "vllm/vllm-openai:v1" + digest})
	head[script] = `#!/bin/bash
SPEC='{"method":"mtp","num_speculative_tokens":3,"rejection_sample_method":"synthetic","synthetic_acceptance_length":2.99,"quantization":"fp8"}'
vllm serve $MODEL --tensor-parallel-size $TP --speculative-config "$SPEC"
`
	head["benchmarks/single_node/agentic/fix.patch"] = "x"
	s := situation{
		base: base, head: head, commits: []gitrepo.Commit{{ID: headSHA}, {ID: middle}},
		settings: func(c *config.Settings) { c.Launch.Acceptance = config.AcceptanceSetting },
	}
	e := s.evidence(t)
	e.source = collected{sweepsOf(middle), map[string]string{
		"agg_eval_all.json": "[" + evalRow(4, "0.962") + "," + evalRow(8, "0.84") + ", 7]",
		"agg_bmk.json":      "[" + pointRow(4, 1, 10) + "," + pointRow(8, 2, 30) + "," + pointRow(16, 3, 20) + "," + pointRow(32, 0, 20) + ", {}]",
	}}
	list, err := e.Statements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		text := string(f.Topic) + ": " + f.Text
		if f.Ask {
			text = "? " + text
		}
		got = append(got, strings.ReplaceAll(text, "https://github.com/acme/bench/blob/", "~/"))
	}
	want := []string{
		"sweep: run [8](https://x/runs/8) on head 4ead0000: failure; jobs 0/2 agentic; failed [`agentic / / p1 | a c4 (x)`](https://x/jobs/9).",
		"sweep: run [7](https://x/runs/7) on in-PR commit 11111111: success; jobs 2/2 agentic, 1/1 agentic eval.",
		"evals: run [7](https://x/runs/7): 1/1 agentic eval jobs succeeded.",
		"evals: `orion2` `gsm8k` em_strict 0.840-0.962 over 2 rows (n_eff 1319) against 0.85, 1 below, on `vllm/vllm-openai:v1` (run [7](https://x/runs/7)).",
		"? evals: 1 eval row of run [7](https://x/runs/7) could not be read.",
		"? recipe: the merged recipe change or published page of vLLM for `a`.",
		"images: `vllm/vllm-openai:v1" + digest + "` for [`a`](~/" + headSHA + "/configs/nvidia-master.yaml#L1).",
		"? engine-patches: the change adds or modifies [`benchmarks/single_node/agentic/fix.patch`](~/" + headSHA + "/benchmarks/single_node/agentic/fix.patch), and there is no `docs/waiver/12.md` at the head: does it patch the engine, and if so, where is the waiver?",
		"golden-al: `a` drafts MTP3; golden AL 2.99 ([`orion2_mtp.yaml:4`](~/" + baseSHA + "/golden_al_distribution/orion2_mtp.yaml#L4), thinking_on); the effective recipe simulates AL 2.99 (`synthetic_acceptance_length=2.99`, [`orion2_fp8_b200_vllm_mtp.sh:2`](~/" + headSHA + "/" + script + "#L2)).",
		"? draft-precision: `a` drafts MTP3; the launch names no draft model beside `acme/orion2`; `speculative-config.quantization=fp8`, [`orion2_fp8_b200_vllm_mtp.sh:2`](~/" + headSHA + "/" + script + "#L2). Draft checkpoint or embedded head? Stored precision? How does the image handle it, and in which precision is it served?",
		"pareto: `orion2 8k1k, b200 vllm fp8, none`: 2 of 4 measured points on the frontier (run [7](https://x/runs/7)), 1 invalid.",
		"? pareto: 1 row of run [7](https://x/runs/7) could not be read.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestStatementsOfNothing holds that what was not given is left out, and that
// a pull request without sweeps is asked for one.
func TestStatementsOfNothing(t *testing.T) {
	s := situation{base: repo(old), head: map[string]string{"README.md": "x"}}
	for want, source := range map[int]givenSource{0: {}, 1: {runs: map[int64]Run{}, pull: &Pull{}}} {
		s.source = source
		list, err := s.evidence(t).Statements(t.Context())
		if err != nil || len(list) != want {
			t.Errorf("%d statements, want %d: %v, %v", len(list), want, list, err)
		}
	}
}

// TestLanes has names of jobs as GitHub makes them.
func TestLanes(t *testing.T) {
	for job, want := range map[string]string{
		"agentic / / p4 | glm5.2":                          "agentic",
		"multi-node agentic eval / 1 / p4 | x":             "multi-node agentic eval",
		"call / single-node 8k1k / 00112233445566778 / p1": "single-node 8k1k",
		"canary / / p1 | x":                                "canary",
		"collect-evals / collect":                          "",
		"agentic":                                          "",
		"note | agentic / x":                               "",
	} {
		if got := laneOf(job); got != want {
			t.Errorf("%q is of %q, want %q", job, got, want)
		}
	}
}

// TestSimulatedLength has the settings of every engine (spec/checks.md, check
// 11).
func TestSimulatedLength(t *testing.T) {
	for _, c := range []struct {
		name, framework, serve string
		want                   string
	}{
		{"SGLang", "sglang", "SGLANG_SIMULATE_ACC_LEN=2.50 python3 -m sglang.launch_server --speculative-algorithm EAGLE --speculative-num-steps 2", "SGLANG_SIMULATE_ACC_LEN 2.5"},
		{"vLLM", "vllm", `vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":3,"rejection_sample_method":"synthetic","synthetic_acceptance_length":2.99}'`, "synthetic_acceptance_length 2.99"},
		{"vLLM without the method", "vllm", `vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":3,"synthetic_acceptance_length":2.99}'`, " 0"},
		{"ATOM rate", "atom", "python -m atom.entrypoints.openai_server --method mtp --num-speculative-tokens 3 --spec-decode-acceptance-rate 0.663333", "spec-decode-acceptance-rate 2.989999"},
		{"ATOM length", "atom", "python -m atom.entrypoints.openai_server --method mtp --num-speculative-tokens 3 --spec-decode-acceptance-length 2.99", "spec-decode-acceptance-length 2.99"},
		{"G1 none", "sglang", "python3 -m sglang.launch_server --speculative-algorithm EAGLE --speculative-num-steps 2", " 0"},
	} {
		x := entry{key: "a", scenario: "agentic", spec: "mtp", framework: c.framework}
		suffix := map[string]string{"vllm": "_vllm", "sglang": "_sglang", "atom": "_atom"}[c.framework]
		head := repo(old+logged("a"), x)
		head["benchmarks/single_node/agentic/orion2_fp8_b200"+suffix+"_mtp.sh"] = "#!/bin/bash\n" + c.serve + "\n"
		e := situation{base: repo(old), head: head}.evidence(t)
		affected, err := e.Affected(t.Context())
		if err != nil || len(affected.Keys) != 1 {
			t.Fatal(err, affected)
		}
		list, _, err := e.Draftings(t.Context(), affected.Keys[0])
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d draftings, %v", c.name, len(list), err)
			continue
		}
		if got := fmt.Sprint(list[0].Simulated.Knob, " ", list[0].Simulated.Length); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
