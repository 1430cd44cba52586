package results

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sweep is a plan of three single-node points with what each measured.
func sweep(t *testing.T) (planned []Planned, r *run) {
	r = newRun(t)
	for _, conc := range []int{4, 16, 64} {
		row, points, artifact := numbered(t, conc)
		planned = append(planned, points...)
		r.point(artifact, row)
	}
	return planned, r
}

func job(conc int, conclusion string, attempt int) Job {
	name := fmt.Sprintf("single-node 8k1k / / p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c%d", conc)
	return Job{ID: int64(100*attempt + conc), Name: name, Attempt: attempt, Conclusion: conclusion}
}

// states tells state and reason of each point.
func states(c Coverage) []string {
	var out []string
	for _, p := range c.Points {
		out = append(out, fmt.Sprintf("%d %s %s", p.Planned.Point.Conc, p.State, p.Reason))
	}
	return out
}

func TestCoverComplete(t *testing.T) {
	planned, r := sweep(t)
	jobs := []Job{job(4, "success", 1), job(16, "failure", 1), job(16, "success", 2), job(64, "success", 1), {Name: "collect-results / collect", Conclusion: "success"}}
	c := Cover(planned, r.ingest(Newest()), jobs, Thresholds{})
	if c.Outcome() != Complete || c.Findings != nil || c.UnknownJobs != nil {
		t.Errorf("%s %v %v %v", c.Outcome(), c.Findings, c.UnknownJobs, states(c))
	}
	want := []Group{{"b200-dgxc", Counts{Planned: 3, Passed: 3}}}
	if diff := cmp.Diff(want, c.ByHardware); diff != "" {
		t.Error(diff)
	}
	if len(c.Points[1].Jobs) != 2 || c.Points[1].Jobs[1].Attempt != 2 {
		t.Errorf("jobs of the second point: %+v", c.Points[1].Jobs)
	}
}

// TestF45 holds that nothing measured is never a success, whatever the jobs say.
func TestF45(t *testing.T) {
	planned, r := sweep(t)
	empty := newRun(t).add("results_bmk", files{"agg_bmk.json": "[]"}).ingest(Newest())
	green := []Job{job(4, "success", 1), job(16, "success", 1), job(64, "success", 1)}
	c := Cover(planned, empty, green, Thresholds{})
	if c.Outcome() != Nothing || c.Total.Missing != 3 {
		t.Errorf("%s %+v", c.Outcome(), c.Total)
	}
	c = Cover(nil, r.ingest(Newest()), green, Thresholds{})
	if c.Outcome() != Nothing || !c.Findings.Refused() || len(c.Unplanned) != 3 || len(c.UnknownJobs) != 3 {
		t.Errorf("empty plan: %s %v", c.Outcome(), c.Findings)
	}
	row, points, artifact := numbered(t, 8)
	row = with(t, row, `{"benchmark_outcome":{"status":"failed","requested":10,"completed":0,"failed":10,"max_failure_rate":0.05}}`)
	c = Cover(points, newRun(t).point(artifact, row).ingest(Newest()), []Job{job(8, "success", 1)}, Thresholds{})
	if diff := cmp.Diff([]string{"8 failed requests"}, states(c)); diff != "" {
		t.Error(diff)
	}
}

// TestF46S59 has a cancelled run of which some points are good.
func TestF46S59(t *testing.T) {
	planned, _ := sweep(t)
	r := newRun(t)
	for _, conc := range []int{4, 16} {
		row, _, artifact := numbered(t, conc)
		r.point(artifact, row)
	}
	jobs := []Job{job(4, "success", 1), job(16, "cancelled", 1), job(64, "failure", 1)}
	c := Cover(planned, r.ingest(Newest()), jobs, Thresholds{})
	want := []string{"4 passed row", "16 cancelled cancelled", "64 failed failure"}
	if diff := cmp.Diff(want, states(c)); diff != "" || c.Outcome() != Partial {
		t.Errorf("%s %s", diff, c.Outcome())
	}
	if c.Points[1].Row == nil || c.Points[2].Row != nil {
		t.Error("rows are not kept as evidence")
	}
}

// TestS58 maps every conclusion.
func TestS58(t *testing.T) {
	_, points, _ := numbered(t, 4)
	for conclusion, want := range map[string]State{
		"": Pending, "failure": Failed, "timed_out": Failed, "startup_failure": Failed, "action_required": Failed, "new_word": Failed,
		"cancelled": Canceled, "stale": Canceled, "skipped": Skipped, "neutral": Skipped, "success": Missing,
	} {
		c := Cover(points, Harvest{}, []Job{job(4, conclusion, 1)}, Thresholds{})
		if c.Points[0].State != want {
			t.Errorf("%q: %s", conclusion, c.Points[0].State)
		}
	}
	if c := Cover(points, Harvest{}, []Job{job(4, "", 1)}, Thresholds{}); c.Outcome() != Running {
		t.Error(c.Outcome())
	}
}

// TestS55Marked holds that a point whose row was refused is shown as failed, not
// dropped.
func TestS55Marked(t *testing.T) {
	row, points, artifact := numbered(t, 4)
	refused := newRun(t).point(artifact, with(t, row, `{"tput_per_gpu":NaN}`))
	c := Cover(points, refused.ingest(Newest()), nil, Thresholds{})
	if diff := cmp.Diff([]string{"4 failed row-refused"}, states(c)); diff != "" {
		t.Error(diff)
	}
	expired := newRun(t).point(artifact, row)
	expired.uploads[0].Expired = true
	c = Cover(points, expired.ingest(Newest()), nil, Thresholds{})
	if diff := cmp.Diff([]string{"4 missing expired"}, states(c)); diff != "" {
		t.Error(diff)
	}
	wrong := newRun(t).point(artifact, with(t, row, `{"hw":"h200-cw"}`))
	c = Cover(points, wrong.ingest(Newest()), nil, Thresholds{})
	if len(c.Unplanned) != 1 || c.Points[0].State != Missing {
		t.Errorf("wrong hardware: %v", states(c))
	}
}

const plannedAgentic = `{"image":"lmsysorg/sglang-rocm:v0.5.21","model":"zai-org/GLM-5.2","model-prefix":"glm5.2","precision":"fp4","framework":"sglang","runner":"cluster:mi355x-amds","tp":4,"pp":1,"dcp-size":1,"pcp-size":1,"ep":4,"dp-attn":false,"spec-decoding":"mtp","conc":48,"kv-offloading":"dram","kv-offload-backend":{"name":"hicache"},"total-cpu-dram-gb":1499,"duration":3600,"exp-name":"glm5.2_agentic","scenario-type":"agentic-coding"}`

const plannedMulti = `{"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","model-prefix":"dsv4","precision":"fp8","framework":"dynamo-vllm","spec-decoding":"mtp","runner":"cluster:h200-cw","node-count":3,"isl":8192,"osl":1024,"prefill":{"num-worker":2,"tp":4,"pp":1,"dcp-size":1,"pcp-size":1,"ep":4,"dp-attn":true,"additional-settings":[]},"decode":{"num-worker":2,"tp":8,"pp":1,"dcp-size":1,"pcp-size":1,"ep":8,"dp-attn":false,"additional-settings":[]},"conc":[4,64],"exp-name":"dsv4_8k1k","disagg":true,"run-eval":false,"eval-only":false,"eval-all-concs":false}`

// TestPlannedShapes holds that the points of a plan are those of the rows, for
// every shape.
func TestPlannedShapes(t *testing.T) {
	planned := planRow(t, plannedMulti, "sweep-multi-node-8k1k", "multi-node 8k1k /")
	planned = append(planned, planRow(t, plannedAgentic, "sweep-agentic", "agentic /")...)
	planned = append(planned, planRow(t, plannedSingle, "sweep-single-node-8k1k", "single-node 8k1k /")...)
	h := newRun(t).
		point("bmk_1", jsonOf(t, singleRow)).
		add("bmk_2", files{"agg_4.json": with(t, jsonOf(t, multiRow), `{"conc":4}`).String(), "agg_64.json": multiRow}).
		add("bmk_agentic_3", files{"3.json": agenticRow}).
		ingest(Newest())
	c := Cover(planned, h, nil, Thresholds{})
	if c.Outcome() != Complete || c.Total.Planned != 4 || c.Unplanned != nil {
		t.Errorf("%s %v %v", c.Outcome(), states(c), c.Findings)
	}
	titles := []string{
		"dsv4 fp8 cluster:h200-cw dynamo-vllm 2P (TP4/EP4/DPA) x 2D (TP8/EP8) mtp c4x64",
		"glm5.2 fp4 cluster:mi355x-amds sgl TP4/EP4 mtp dram KV offload hicache c48",
		"dsv4 fp8 cluster:b200-dgxc vllm TP8 c16",
	}
	for i, at := range []int{0, 2, 3} {
		if planned[at].Title != titles[i] {
			t.Errorf("title %q, want %q", planned[at].Title, titles[i])
		}
	}
	names := []string{
		"bmk_dsv4_8k1k_fp8_dynamo-vllm_prefill-tp4-pp1-dcp1-pcp1-ep4-dptrue-nw2_decode-tp8-pp1-dcp1-pcp1-ep8-dpfalse-nw2_disagg-true_spec-mtp_conc4x64_",
		"bmk_agentic_glm5.2_agentic_fp4_sglang_tp4-pp1-dcp1-pcp1-ep4-dpafalse_disagg-false_spec-mtp_conc48_",
		"bmk_dsv4_8k1k_fp8_vllm_tp8-pp1-dcp1-pcp1-ep1-dpafalse_disagg-false_spec-none_conc16_",
	}
	for i, at := range []int{0, 2, 3} {
		if planned[at].Artifact != names[i] {
			t.Errorf("artifact %q, want %q", planned[at].Artifact, names[i])
		}
	}
}

// TestSharedWorkers has workers that serve both roles: what is said about the
// idle role does not make another point of it.
func TestSharedWorkers(t *testing.T) {
	planned := planRow(t, with(t, jsonOf(t, plannedMulti), `{"disagg":false,"conc":[64],"decode":{"num-worker":0,"tp":4,"pp":1,"dcp-size":1,"pcp-size":1,"ep":4,"dp-attn":true,"additional-settings":[]}}`).String(), "f", "")
	row := with(t, jsonOf(t, multiRow), `{"disagg":false,"decode_tp":0,"decode_ep":0,"decode_num_workers":0,"num_decode_gpu":0,"num_aggregate_gpu":8}`)
	c := Cover(planned, newRun(t).point("bmk_x", row).ingest(Newest()), nil, Thresholds{})
	if c.Outcome() != Complete {
		t.Errorf("%v %v", states(c), c.Findings)
	}
	if got := planned[0].Point.Topology(); got != "2 x TP4/EP4/DPA" {
		t.Error(got)
	}
}

func TestPlannedRefuses(t *testing.T) {
	for _, change := range []string{`{"conc":"-"}`, `{"conc":0}`, `{"conc":[]}`, `{"conc":["4"]}`, `{"runner":"-"}`, `{"model-prefix":""}`} {
		if points, list := PlannedRow(with(t, jsonOf(t, plannedSingle), change), "f", ""); points != nil || !list.Refused() {
			t.Errorf("%s: %v", change, points)
		}
	}
	_, points, _ := numbered(t, 4)
	c := Cover(append(points, points...), Harvest{}, nil, Thresholds{})
	if diff := cmp.Diff([]string{"planned-twice "}, codes(c.Findings)); diff != "" {
		t.Error(diff)
	}
}

func TestCoverEvals(t *testing.T) {
	planned := planRow(t, with(t, jsonOf(t, plannedSingle), `{"eval-only":true,"run-eval":true,"eval-suite":"gsm8k"}`).String(), "sweep-evals", "eval /")
	bars, _ := ReadThresholds("t.yaml", []byte("default: {gsm8k: 0.90}\nmodels: {dsv4: {gsm8k: 0.91}}\n"))
	low := with(t, jsonOf(t, gsm8kResult), `{"results":{"gsm8k":{"exact_match,strict-match":0.97,"exact_match,flexible-extract":0.905}}}`).String()
	for name, c := range map[string]struct {
		meta, result string
		jobs         []Job
		want         string
	}{
		"passes":        {evalMeta, gsm8kResult, nil, "16 passed row"},
		"below":         {evalMeta, low, nil, "16 failed below-bar"},
		"no samples":    {evalMeta, with(t, jsonOf(t, gsm8kResult), `{"n-samples":{"gsm8k":{"effective":0}}}`).String(), nil, "16 failed eval-broken"},
		"broken":        {evalMeta, with(t, jsonOf(t, gsm8kResult), `{"integration_error":{"type":"ServerDied","message":"x"}}`).String(), nil, "16 failed eval-broken"},
		"other point":   {with(t, jsonOf(t, evalMeta), `{"conc":32}`).String(), gsm8kResult, nil, "16 missing no-row"},
		"other suite":   {with(t, jsonOf(t, evalMeta), `{"eval_suite":"gpqa"}`).String(), gsm8kResult, nil, "16 missing no-row"},
		"other pp":      {with(t, jsonOf(t, evalMeta), `{"pp":2}`).String(), gsm8kResult, nil, "16 missing no-row"},
		"no lengths":    {with(t, jsonOf(t, evalMeta), `{"isl":"-","osl":"-"}`).String(), gsm8kResult, nil, "16 missing no-row"},
		"failed job":    {evalMeta, gsm8kResult, []Job{{Name: "eval / / p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c16 | eval-only", Conclusion: "failure"}}, "16 failed failure"},
		"cancelled job": {evalMeta, gsm8kResult, []Job{{Name: "eval / / p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c16 | eval-only", Conclusion: "cancelled"}}, "16 cancelled cancelled"},
	} {
		h := newRun(t).add("eval_x", files{"meta_env.json": c.meta, "results.json": c.result}).ingest(Newest())
		got := Cover(planned, h, c.jobs, bars)
		if diff := cmp.Diff([]string{c.want}, states(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if name == "passes" && got.Outcome() != EvalsOnly {
			t.Errorf("outcome %s", got.Outcome())
		}
	}
}

func TestJobTitles(t *testing.T) {
	for name, want := range map[string][2]string{
		"single-node 8k1k / / p5 | dsv4 c4":      {"single-node 8k1k", "dsv4 c4"},
		"agentic / / klaud | p0 | glm5.2 fp4 c8": {"agentic", "glm5.2 fp4 c8"},
		"p12.5 | dsv4  fp8   c4":                 {"", "dsv4 fp8 c4"},
		"canary / / p-3 | dsv4 c4":               {"canary", "dsv4 c4"},
		"collect-results / collect":              {},
		"setup":                                  {},
	} {
		prefix, title, _ := jobTitle(name)
		if [2]string{prefix, title} != want {
			t.Errorf("%q: %q %q", name, prefix, title)
		}
	}
	planned, _ := sweep(t)
	canary := job(16, "success", 1)
	canary.Name = "canary / / p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c16"
	if a := attribute(planned, []Job{canary}); len(a.byPoint[1]) != 1 || a.unknown != nil {
		t.Errorf("canary: %+v", a)
	}
	// Reusable workflows name the caller, the shard and the point, too.
	for _, front := range []string{"sweep / single-node 8k1k / / 0123456789abcdef / ", "single-node 8k1k / 2 / 0123456789abcdef-2 / ", "a / b / single-node 8k1k / / ", "sweep / canary / / "} {
		called := job(16, "success", 1)
		called.Name = front + "p1.500 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c16"
		if a := attribute(planned, []Job{called}); len(a.byPoint[1]) != 1 || a.unknown != nil {
			t.Errorf("%s: %+v", called.Name, a)
		}
		if family := Families(planned)(called.Name); strings.Contains(front, "canary") != (family == "") {
			t.Errorf("%s is of %q", called.Name, family)
		}
	}
	both := append(planned, planRow(t, with(t, jsonOf(t, plannedSingle), `{"isl":1024}`).String(), "sweep-single-node-1k1k", "single-node 1k1k /")...)
	if a := attribute(both, []Job{canary}); len(a.unknown) != 1 {
		t.Errorf("a canary of two families: %+v", a)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]Kind{
		"bmk_x": FixedPoint, "bmk_agentic_x": AgenticPoint, "agentic_x": RawAgentic, "eval_x": RawEval, "eval_results_all": EvalAggregate,
		"eval_server_logs_x": OtherKind, "eval_gpu_metrics_x": OtherKind, "results_bmk": BenchmarkAggregate, "results_bmk_2": OtherKind,
		"run-stats": RunStatistics, "changelog-metadata": ChangelogMetadata, "job_event_x": JobEvent, "server_logs_x": OtherKind,
	} {
		if got := KindOf(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, want := range map[string]bool{"results_bmk": true, "eval_results_all": true, "bmk_agentic_x": true, "bmk_x": false, "run-stats": false} {
		if BearsResults(name) != want {
			t.Error(name)
		}
	}
	for name, want := range map[string]batchFile{
		"x_c4_gpus_8.json": {4, 8, -1, -1}, "x_conc16_gpus_24_ctx_8_gen_16.json": {16, 24, 8, 16},
		"x_concurrency_64_req_rate_inf_gpus_8.json": {64, 8, -1, -1}, "x_conc4_gpus_8_c2_gpus_4.json": {2, 4, -1, -1},
	} {
		if got, ok := parseBatchName(name); !ok || got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range []string{"x_conc_4_gpus_8.json", "x_c4_gpus_8_ctx_8.json", "x_c4.json", "x_c4_gpus_8.json.txt", "x_c99999999999999999999_gpus_8.json"} {
		if got, ok := parseBatchName(name); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if n, ok := timeOf("results_2026-09-14T10-05-00.120034.json"); !ok || n != 1789380300120034000 {
		t.Error(n)
	}
	if _, ok := timeOf("results_2026-02-30T10-05-00.json"); ok {
		t.Error("an impossible date is a time")
	}
	name := PointName{Experiment: "e", Precision: "fp8", Framework: "vllm", Spec: "none", Runner: "b200-dgxc_07", Fingerprint: "0123456789abcdef0123", Layout: Role{TP: 8, PP: 1, DCP: 1, PCP: 1, EP: 1}, Conc: []int64{16}}
	if got := name.String(); got != "e_fp8_vllm_tp8-pp1-dcp1-pcp1-ep1-dpafalse_disagg-false_spec-none_conc16_b200-dgxc_07_recipe-0123456789abcdef" {
		t.Error(got)
	}
	if got := SKU("cluster:MI355X-amds"); got != "mi355x" {
		t.Error(got)
	}
}
