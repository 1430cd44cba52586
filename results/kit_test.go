package results

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// json parses a document of a test.
func jsonOf(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := document.Parse([]byte(text), document.Options{NonFinite: true})
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// with returns a copy of an object with members replaced or added; a member
// given as "-" is taken out.
func with(t testing.TB, v ordjson.Value, changes string) ordjson.Value {
	t.Helper()
	out := ordjson.Map(append([]ordjson.Member(nil), v.Members...)...)
	for _, m := range jsonOf(t, changes).Members {
		if m.Value.Kind == ordjson.String && m.Value.Text == "-" {
			for i := range out.Members {
				if out.Members[i].Name == m.Name {
					out.Members = append(out.Members[:i], out.Members[i+1:]...)
					break
				}
			}
			continue
		}
		set(&out, m.Name, m.Value)
	}
	return out
}

const singleRow = `{"hw":"b200-dgxc","conc":16,"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"is_multinode":false,"tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":2469.0,"output_tput_per_gpu":274.5,"input_tput_per_gpu":2194.5,"median_ttft":0.28725,"p99.9_ttft":0.9905,"median_tpot":0.012,"median_intvty":83.33,"median_e2el":12.4005,"p90_e2el":15.25}`

const multiRow = `{"hw":"h200-cw","conc":64,"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","framework":"dynamo-vllm","precision":"fp8","spec_decoding":"mtp","disagg":true,"recipe_fingerprint":"","isl":8192,"osl":1024,"kv_p2p_transfer":"nixl","is_multinode":true,"prefill_tp":4,"prefill_pp":1,"prefill_dcp_size":1,"prefill_pcp_size":1,"prefill_ep":4,"prefill_dp_attention":"true","prefill_num_workers":2,"decode_tp":8,"decode_pp":1,"decode_dcp_size":1,"decode_pcp_size":1,"decode_ep":8,"decode_dp_attention":"false","decode_num_workers":2,"num_prefill_gpu":8,"num_decode_gpu":16,"tput_per_gpu":3292.0,"output_tput_per_gpu":549.0,"input_tput_per_gpu":8778.0,"median_e2el":12.4005,"power_metric_schema_version":2,"power_valid":0,"power_invalid_reasons":["validation_artifact_unavailable"]}`

const agenticRow = `{"hw":"mi355x-amds","conc":48,"image":"lmsysorg/sglang-rocm:v0.5.21","recipe_fingerprint":"","model":"zai-org/GLM-5.2","infmax_model_prefix":"glm5.2","framework":"sglang","precision":"fp4","spec_decoding":"mtp","disagg":false,"scenario_type":"agentic-coding","is_multinode":false,"num_gpus":4,"tp":4,"ep":4,"dp_attention":"false","kv_offloading":"dram","kv_offload_backend":{"name":"hicache"},"allocated_cpu_dram_gb":1499,"num_requests_total":1929,"num_requests_successful":1920,"request_accounting":{"records_total":1929,"records_profiled":1920,"records_dropped_total":9,"records_warmup_dropped":8,"records_error_dropped":1,"error_categories":{"TimeoutError":1}},"pp":1,"dcp_size":1,"pcp_size":1,"request_metrics":{"latency":{"ttft":{"p50":0.9,"p90":2.4},"e2el":{"p50":11,"p90":29.5}},"throughput":{"per_gpu":{"total_tput_tps":3726}}},"server_metrics":{"cache":{"gpu_cache_hit_rate":0.88}},"kv_cache_pool_tokens":1250000}`

// evalMeta and evalResult are what an eval job of singleRow's point leaves.
const evalMeta = `{"is_multinode":false,"framework":"vllm","precision":"fp8","spec_decoding":"none","tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"conc":16,"ep":1,"dp_attention":false,"model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","hw":"b200-dgxc","isl":"8192","osl":"1024"}`

const gsm8kResult = `{"lm_eval_version":"0.4.11","model_name":"deepseek-ai/DeepSeek-V4","results":{"gsm8k":{"exact_match,strict-match":0.957,"exact_match_stderr,strict-match":0.0056,"exact_match,flexible-extract":0.961,"exact_match_stderr,flexible-extract":0.0054}},"configs":{"gsm8k":{"metric_list":[{"metric":"exact_match"}],"filter_list":[{"name":"strict-match"},{"name":"flexible-extract"}]}},"n-samples":{"gsm8k":{"original":1319,"effective":1319}}}`

// plannedSingle is the plan row that singleRow measures.
const plannedSingle = `{"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","model-prefix":"dsv4","precision":"fp8","framework":"vllm","spec-decoding":"none","runner":"cluster:b200-dgxc","isl":8192,"osl":1024,"tp":8,"pp":1,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false,"conc":16,"max-model-len":9416,"exp-name":"dsv4_8k1k","disagg":false,"run-eval":false,"eval-only":false}`

// files are the files of one artifact by name.
type files map[string]string

// zipOf packs files, sorted by name.
func zipOf(t testing.TB, content files) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range sortedNames(content) {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, content[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sortedNames(content files) []string {
	var names []string
	for name := range content {
		names = append(names, name)
	}
	sortTexts(names)
	return names
}

func sortTexts(list []string) {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// bytesBlob is an archive in memory.
type bytesBlob struct{ *bytes.Reader }

func (bytesBlob) Close() error { return nil }

// store is a platform that holds artifacts.
type store map[int64][]byte

func (s store) open(_ context.Context, u Upload) (Blob, error) {
	data, ok := s[u.ID]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return bytesBlob{bytes.NewReader(data)}, nil
}

// run is a run under construction.
type run struct {
	t       testing.TB
	store   store
	uploads []Upload
}

func newRun(t testing.TB) *run { return &run{t: t, store: store{}} }

func ordinal(n int) time.Duration { return time.Duration(n) * time.Hour }

var epoch = time.Date(2026, 9, 14, 10, 0, 0, 0, time.UTC)

// add uploads an artifact; later calls are later uploads.
func (r *run) add(name string, content files) *run { return r.addRaw(name, zipOf(r.t, content)) }

func (r *run) addRaw(name string, data []byte) *run {
	id := int64(len(r.uploads) + 1)
	r.store[id] = data
	r.uploads = append(r.uploads, Upload{ID: id, Name: name, Size: int64(len(data)), Created: epoch.Add(time.Duration(id) * time.Minute)})
	return r
}

// point uploads the artifact of a row.
func (r *run) point(name string, row ordjson.Value) *run {
	return r.add(name, files{"agg_" + name + ".json": row.String()})
}

func (r *run) ingest(rules Rules) Harvest {
	r.t.Helper()
	h, err := Ingest(context.Background(), r.uploads, r.store.open, rules)
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

// codes are the codes of findings with their files, in order.
func codes(list diag.List) []string {
	var out []string
	for _, f := range list {
		out = append(out, strings.TrimPrefix(f.Code, "results.")+" "+f.File)
	}
	return out
}

// planRow makes planned points from a plan row.
func planRow(t testing.TB, text, family, prefix string) []Planned {
	t.Helper()
	planned, list := PlannedRow(jsonOf(t, text), family, prefix)
	if list != nil {
		t.Fatal(list)
	}
	return planned
}

// numbered returns singleRow, its plan row, and its artifact name for a
// concurrency.
func numbered(t testing.TB, conc int) (row ordjson.Value, planned []Planned, artifact string) {
	t.Helper()
	change := fmt.Sprintf(`{"conc":%d}`, conc)
	planned = planRow(t, with(t, jsonOf(t, plannedSingle), change).String(), "sweep-single-node-8k1k", "single-node 8k1k /")
	return with(t, jsonOf(t, singleRow), change), planned, planned[0].Artifact + "b200-dgxc_07"
}
