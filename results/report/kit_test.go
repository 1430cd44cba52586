package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/failure"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s: %s", name, cmp.Diff(string(want), string(got)))
	}
}

// fatal is what helpers need of a test, and of a property.
type fatal interface {
	Helper()
	Fatal(...any)
}

func jsonOf(t fatal, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	return v
}

// harvest reads artifacts: their files by artifact and name.
func harvest(t fatal, files map[string]string) results.Harvest {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	tree, list, err := results.OpenTree(fsys, archive.DefaultLimits())
	if err != nil || list != nil {
		t.Fatal(err, list)
	}
	return results.HarvestTree(tree, results.Newest())
}

const walkthroughImage = "rocm/atom-dev:nightly_202611080900"

// walkthrough is the nine-point recipe of spec/walkthrough.md part A with the
// figures of its last run, as they are told there. They hold no end-to-end
// latency.
func walkthrough(t *testing.T) Input {
	t.Helper()
	data, err := os.ReadFile("../testdata/walkthrough-a.json")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	var rows, evals []string
	for i, p := range jsonOf(t, string(data)).Members[2].Value.Items {
		text := func(path ...string) string { return member(p, path...).Text }
		workers, dcp, conc := text("decode", "num-worker"), text("decode", "dcp-size"), text("conc")
		row := fmt.Sprintf(`{"image":%q,"model":"zai-org/GLM-5.2","model-prefix":"glm5.2","precision":"fp4","framework":"atom-disagg","spec-decoding":"mtp","runner":"cluster:mi355x-amds","prefill":{"num-worker":1,"tp":1,"pp":4,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false,"additional-settings":["MTP=3"]},"decode":{"num-worker":%s,"tp":4,"pp":1,"dcp-size":%s,"pcp-size":1,"ep":1,"dp-attn":false},"conc":[%s],"kv-offloading":"none","total-cpu-dram-gb":1499,"duration":3600,"exp-name":"glm5.2_agentic","disagg":true,"scenario-type":"agentic-coding"`, walkthroughImage, workers, dcp, conc)
		rows = append(rows, fmt.Sprintf(`{"id":"%016x","key":"glm5.2-fp4-mi355x-atom-disagg-agentic-mtp","source":"configs/amd-master.yaml:%d:9","row":%s}}`, i+1, 100+i, row))
		layout := fmt.Sprintf(`"prefill_num_workers":1,"prefill_tp":1,"prefill_pp":4,"prefill_dcp_size":1,"prefill_pcp_size":1,"prefill_ep":1,"decode_num_workers":%s,"decode_tp":4,"decode_pp":1,"decode_dcp_size":%s,"decode_pcp_size":1,"decode_ep":1`, workers, dcp)
		files[fmt.Sprintf("bmk_agentic_glm5.2_%dd_c%s/row.json", len(workers), workers+"-"+conc)] = fmt.Sprintf(`{"hw":"mi355x-amds","conc":%s,"image":%q,"recipe_fingerprint":"","model":"zai-org/GLM-5.2","infmax_model_prefix":"glm5.2","framework":"atom-disagg","precision":"fp4","spec_decoding":"mtp","disagg":true,"scenario_type":"agentic-coding","is_multinode":true,"num_gpus":8,"tp":5,"ep":1,"dp_attention":"false","kv_offloading":"none","kv_offload_backend":null,"allocated_cpu_dram_gb":1499,"num_requests_total":100,"num_requests_successful":100,"request_accounting":{"records_total":100,"records_profiled":100,"records_dropped_total":0,"records_warmup_dropped":0,"records_error_dropped":0,"error_categories":{}},%s,"prefill_dp_attention":"false","decode_dp_attention":"false","num_prefill_gpu":4,"num_decode_gpu":%s,"request_metrics":{"latency":{"ttft":{"p50":%s,"p90":%s}},"throughput":{"per_gpu":{"total_tput_tps":%s}}},"server_metrics":{},"kv_cache_pool_tokens":null}`,
			conc, walkthroughImage, layout, map[string]string{"1": "4", "2": "8", "3": "12"}[workers], text("p50_ttft"), text("p90_ttft"), text("tput_per_gpu"))
		if score := text("gsm8k"); score != "" {
			evals = append(evals, fmt.Sprintf(`{"id":"%016x","key":"glm5.2-fp4-mi355x-atom-disagg-agentic-mtp","source":"configs/amd-master.yaml:%d:9","row":%s,"run-eval":true,"eval-only":true,"eval-conc":%s}}`, i+101, 100+i, row, conc))
			name := "eval_glm5.2_" + workers + "d_c" + conc
			files[name+"/meta_env.json"] = fmt.Sprintf(`{"is_multinode":true,"framework":"atom-disagg","precision":"fp4","spec_decoding":"mtp","conc":%s,%s,"infmax_model_prefix":"glm5.2","hw":"mi355x-amds","isl":"0","osl":"0","image":%q}`, conc, layout, walkthroughImage)
			files[name+"/results.json"] = fmt.Sprintf(`{"lm_eval_version":"0.4.11","model_name":"zai-org/GLM-5.2","results":{"gsm8k":{"exact_match,strict-match":%s,"exact_match_stderr,strict-match":0.0050}},"configs":{"gsm8k":{"metric_list":[{"metric":"exact_match"}],"filter_list":[{"name":"strict-match"}]}},"n-samples":{"gsm8k":{"original":1319,"effective":1319}}}`, score)
		}
	}
	plan, list := ReadPlan(jsonOf(t, `{"canary":{"point":"0000000000000001"},"families":[{"job":"sweep-multi-node-agentic","prefix":"multi-node agentic /","points":[`+strings.Join(rows, ",")+
		`]},{"job":"sweep-multi-node-agentic-evals","prefix":"multi-node agentic eval /","points":[`+strings.Join(evals, ",")+`]}]}`))
	if list != nil {
		t.Fatal(list)
	}
	bars, _ := results.ReadThresholds("t.yaml", []byte("default: {gsm8k: 0.90}"))
	return Input{
		Run: &Run{
			Repository: "acme/bench", ID: 40578080205, Attempt: 1, URL: "https://github.com/acme/bench/actions/runs/40578080205", Pull: 2601,
			Label: "full-sweep-fail-fast", Head: "45743f9f45743f9f45743f9f45743f9f45743f9f", Seconds: 7980,
		},
		Harvest: harvest(t, files), Plan: plan, HasPlan: true, Bars: bars,
		Curves: results.CurveOptions{Run: "run-40578080205"},
	}
}

// fixedRow is a single-node row with a change of its throughput and latency.
func fixedRow(conc int, speed float64) string {
	tput, ttft, e2el := float64(conc)*400/(1+float64(conc)/60)*speed, 0.15+float64(conc)*0.004/speed, 6.5+float64(conc)*0.11/speed
	return fmt.Sprintf(`{"hw":"b200-dgxc","conc":%d,"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"is_multinode":false,"tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":%.3f,"output_tput_per_gpu":%.3f,"input_tput_per_gpu":%.3f,"median_ttft":%.5f,"p90_ttft":%.5f,"median_tpot":0.012,"median_intvty":83.33,"median_e2el":%.4f,"p90_e2el":%.4f}`,
		conc, tput, tput/9, tput*8/9, ttft, ttft*2.2, e2el, e2el*1.3)
}

// hostile is what a pull request might put wherever it may write.
const hostile = "</script><script>alert(1)</script> | @everyone `x` [a](javascript:alert(1)) <!-- x --> =cmd() \u202e"

// mixed is a sweep in which everything that can happen happened: points that
// passed, failed, were cancelled and are missing, an eval below its bar, rows
// nobody planned, a hostile one among them, and a baseline with repeats.
func mixed(t *testing.T) Input {
	t.Helper()
	files := make(map[string]string)
	var rows []string
	var jobs []results.Job
	var base Baseline
	for i, conc := range []int{4, 8, 16, 32, 64, 128} {
		rows = append(rows, fmt.Sprintf(`{"id":"%016x","key":"dsv4-fp8-b200-vllm","source":"configs/nvidia-master.yaml:%d:7","row":{"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","model-prefix":"dsv4","precision":"fp8","framework":"vllm","spec-decoding":"none","runner":"cluster:b200-dgxc","isl":8192,"osl":1024,"tp":8,"pp":1,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false,"conc":%d,"max-model-len":9416,"exp-name":"dsv4_8k1k","disagg":false,"run-eval":%t,"eval-only":false}}`, i+1, 40+i, conc, conc == 16))
		job := results.Job{
			ID: int64(900 + i), Attempt: 1, Conclusion: "success", URL: fmt.Sprintf("https://github.com/acme/bench/actions/runs/7/job/%d", 900+i),
			Name: fmt.Sprintf("single-node 8k1k / / p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c%d", conc),
		}
		if conc == 16 {
			job.Name += " | eval"
		}
		switch conc {
		case 64:
			job.Conclusion = "failure"
			job.Failure = &failure.Verdict{Class: failure.OutOfMemory, Phase: failure.PhaseMeasure, Rule: "gpu-memory", Line: "CUDA out of memory " + hostile, Runner: "b200-dgxc_07"}
		case 128:
			job.Conclusion = "cancelled"
			job.Failure = &failure.Verdict{Class: failure.BySibling, Rule: "fail-fast"}
		case 32: // green, and left nothing
		default:
			speed := map[int]float64{4: 1.12, 8: 0.88, 16: 1.004}[conc]
			files[fmt.Sprintf("bmk_dsv4_c%d/agg.json", conc)] = fixedRow(conc, speed)
		}
		jobs = append(jobs, job)
		for _, repeat := range []float64{0.99, 1, 1.01} {
			if conc == 4 && repeat != 1 {
				continue // measured once: nobody can tell
			}
			base.Rows = append(base.Rows, rowOf(t, fixedRow(conc, repeat)))
		}
	}
	base.Source = "main, 3 runs"
	files["bmk_other/agg.json"] = strings.Replace(fixedRow(2, 1), `"model":"deepseek-ai/DeepSeek-V4"`, fmt.Sprintf(`"model":%q`, strings.ReplaceAll(hostile, "\u202e", "")), 1)
	files["bmk_broken/agg.json"] = strings.Replace(fixedRow(3, 1), `"conc":3`, `"conc":-3`, 1)
	files["eval_dsv4_c16/meta_env.json"] = `{"is_multinode":false,"framework":"vllm","precision":"fp8","spec_decoding":"none","tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"conc":16,"ep":1,"dp_attention":false,"model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","hw":"b200-dgxc","isl":"8192","osl":"1024"}`
	files["eval_dsv4_c16/results.json"] = `{"lm_eval_version":"0.4.11","model_name":"m","results":{"gsm8k":{"exact_match,strict-match":0.857,"exact_match_stderr,strict-match":0.0096}},"configs":{"gsm8k":{"metric_list":[{"metric":"exact_match"}],"filter_list":[{"name":"strict-match"}]}},"n-samples":{"gsm8k":{"original":1319,"effective":1319}}}`
	plan, list := ReadPlan(jsonOf(t, `{"canary":null,"families":[{"job":"sweep-single-node-8k1k","prefix":"single-node 8k1k /","points":[`+strings.Join(rows, ",")+`]}]}`))
	if list != nil {
		t.Fatal(list)
	}
	plan[0].Serve = []Command{{Role: "server", Argv: []string{"vllm", "serve", "deepseek-ai/DeepSeek-V4", "--tensor-parallel-size", "8"}, Env: []Setting{{"VLLM_USE_V1", "1"}}, File: "benchmarks/dsv4.sh", Line: 12}}
	bars, _ := results.ReadThresholds("t.yaml", []byte("default: {gsm8k: 0.91}"))
	return Input{
		Run:     &Run{Repository: "acme/bench", ID: 7, Attempt: 2, URL: "https://github.com/acme/bench/actions/runs/7", Pull: 12, Label: "full-sweep-fail-fast", Head: "ca89ac21ca89ac21ca89ac21ca89ac21ca89ac21", Seconds: 3725},
		Harvest: harvest(t, files), Plan: plan, HasPlan: true, Jobs: jobs, Bars: bars, Baseline: &base,
		Rerun:    &failure.Policy{PerJob: 1, PerRun: 16},
		Clusters: []results.ClusterSuccess{{Cluster: "b200-dgxc", Success: results.Success{Succeeded: 4, Total: 6}}},
		Curves:   results.CurveOptions{Run: "run-7"},
	}
}

func rowOf(t fatal, text string) results.Row {
	t.Helper()
	row, list := results.ReadRow("main", jsonOf(t, text), results.Newest())
	if list.Refused() {
		t.Fatal(list)
	}
	return row
}
