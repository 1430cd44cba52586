package results

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

func singleEnv() Environment {
	return Environment{
		"RUNNER_TYPE": "b200-dgxc", "FRAMEWORK": "vllm", "PRECISION": "fp8", "SPEC_DECODING": "none", "RESULT_FILENAME": "r", "ISL": "8192", "OSL": "1024",
		"DISAGG": "false", "MODEL_PREFIX": "dsv4", "IMAGE": "i:1", "TP": "8", "EP_SIZE": "1", "DP_ATTENTION": "false",
	}
}

func multiEnv() Environment {
	e := singleEnv()
	maps.Copy(e, Environment{
		"IS_MULTINODE": "TRUE", "DISAGG": "true", "PREFILL_GPUS": "8", "DECODE_GPUS": "16", "PREFILL_NUM_WORKERS": "2", "PREFILL_TP": "4", "PREFILL_EP": "4", "PREFILL_DP_ATTN": "true",
		"DECODE_NUM_WORKERS": "2", "DECODE_TP": "8", "DECODE_EP": "8", "DECODE_DP_ATTN": "false",
	})
	return e
}

func changed(e Environment, names ...string) Environment {
	e = maps.Clone(e)
	for i := 0; i+1 < len(names); i += 2 {
		if e[names[i]] = names[i+1]; names[i+1] == "-" {
			delete(e, names[i])
		}
	}
	return e
}

const rawResult = `{"model_id":"m","max_concurrency":16,"total_token_throughput":19752,"output_throughput":2196.0,"median_ttft_ms":287.25,"mean_tpot_ms":12.5,"completed":160,"num_prompts":160}`

func TestFixedRow(t *testing.T) {
	built, list := BuildFixedRow(changed(singleEnv(), "PP_SIZE", "2", "PCP_SIZE", "2", "DCP_SIZE", "4", "ROUTER_METADATA", `{"name":"a","version":"1"}`), jsonOf(t, rawResult), Newest())
	if list != nil {
		t.Fatal(list)
	}
	want := `{"hw":"b200-dgxc","conc":16,"image":"i:1","model":"m","infmax_model_prefix":"dsv4","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"router":{"name":"a","version":"1"},"is_multinode":false,"tp":8,"pp":2,"dcp_size":4,"pcp_size":2,"ep":1,"dp_attention":"false","tput_per_gpu":617.25,"output_tput_per_gpu":68.625,"input_tput_per_gpu":548.625,"median_ttft":0.28725,"mean_tpot":0.0125,"mean_intvty":80.0}`
	if diff := cmp.Diff(want, built.Row.String()); diff != "" || built.File != "agg_r.json" || built.Failed {
		t.Errorf("%s %+v", diff, built)
	}
	if problems := CheckRow(built.Row, defaultBounds()); problems != nil {
		t.Error(problems)
	}
}

func TestFixedRowMulti(t *testing.T) {
	built, list := BuildFixedRow(changed(multiEnv(), "PREFILL_HARDWARE", "gb300", "DECODE_HARDWARE", "gb200", "KV_P2P_TRANSFER", "nixl"), jsonOf(t, rawResult), Newest())
	if list != nil {
		t.Fatal(list)
	}
	if problems := CheckRow(built.Row, defaultBounds()); problems != nil {
		t.Error(problems)
	}
	for name, want := range map[string]string{"tput_per_gpu": "823.0", "output_tput_per_gpu": "137.25", "input_tput_per_gpu": "2194.5", "num_decode_gpu": "16", "prefill_hw": "gb300"} {
		if got := at(built.Row, name).Text; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	shared, list := BuildFixedRow(changed(multiEnv(), "DISAGG", "false", "PREFILL_GPUS", "0", "DECODE_GPUS", "0", "AGGREGATE_GPUS", "24", "DECODE_NUM_WORKERS", "0"), jsonOf(t, rawResult), Newest())
	if list != nil || at(shared.Row, "num_aggregate_gpu").Text != "24" || at(shared.Row, "decode_tp").Text != "0" || at(shared.Row, "decode_pp").Text != "1" || at(shared.Row, "output_tput_per_gpu").Text != "91.5" {
		t.Errorf("%v %s", list, shared.Row)
	}
}

func TestFixedRowRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		env  Environment
		raw  string
		want string
	}{
		"missing":         {changed(singleEnv(), "IMAGE", "-", "ISL", "-", "TP", "-"), rawResult, "env-missing r.json"},
		"disagg":          {changed(singleEnv(), "DISAGG", "True"), rawResult, "env-disagg r.json"},
		"pp":              {changed(singleEnv(), "PP_SIZE", "0"), rawResult, "env-value r.json,env-gpus r.json"},
		"tp":              {changed(singleEnv(), "TP", "eight"), rawResult, "env-value r.json,env-gpus r.json"},
		"isl":             {changed(singleEnv(), "ISL", "8k"), rawResult, "env-value r.json"},
		"router extra":    {changed(singleEnv(), "ROUTER_METADATA", `{"name":"a","version":"1","x":1}`), rawResult, "env-value r.json"},
		"router empty":    {changed(singleEnv(), "ROUTER_METADATA", `{"name":"a","version":""}`), rawResult, "env-value r.json"},
		"router no JSON":  {changed(singleEnv(), "ROUTER_METADATA", `{`), rawResult, "env-value r.json"},
		"no prefill GPU":  {changed(multiEnv(), "PREFILL_GPUS", "0"), rawResult, "env-gpus r.json"},
		"one hardware":    {changed(multiEnv(), "PREFILL_HARDWARE", "x"), rawResult, "env-pair r.json"},
		"shared disagg":   {changed(multiEnv(), "AGGREGATE_GPUS", "8"), rawResult, "env-aggregate r.json"},
		"no model":        {singleEnv(), `{"max_concurrency":1,"total_token_throughput":1,"output_throughput":1}`, "raw-field r.json"},
		"conc as text":    {singleEnv(), `{"model_id":"m","max_concurrency":"1","total_token_throughput":1,"output_throughput":1}`, "raw-field r.json"},
		"no throughput":   {singleEnv(), `{"model_id":"m","max_concurrency":1,"total_token_throughput":NaN,"output_throughput":1}`, "raw-field r.json"},
		"time as list":    {singleEnv(), strings.Replace(rawResult, "287.25", "[1]", 1), "raw-field r.json"},
		"outcome differs": {singleEnv(), strings.Replace(rawResult, `"completed":160`, `"completed":160,"benchmark_outcome":{"status":"passed","requested":160,"completed":150,"failed":10,"max_failure_rate":0.05}`, 1), "raw-field r.json"},
	} {
		_, list := BuildFixedRow(c.env, jsonOf(t, c.raw), Newest())
		if got := strings.Join(codes(list), ","); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTimesByEra(t *testing.T) {
	for value, c := range map[string]struct{ newest, august string }{
		"12.5":     {"0.0125 80.0", "0.0125 80.0"},
		`"12.5"`:   {"0.0125 80.0", "0.0125 80.0"},
		"0":        {"0.0 ", "refused"},
		"NaN":      {" ", "refused"},
		"Infinity": {" ", "refused"},
		"-1":       {"-0.001 ", "-0.001 -1000.0"},
		`"x"`:      {"refused", "refused"},
		"true":     {"refused", "refused"},
	} {
		raw := jsonOf(t, strings.Replace(rawResult, "12.5", value, 1))
		for era, want := range map[string]string{"newest": c.newest, "august": c.august} {
			rules := map[string]Rules{"newest": Newest(), "august": August()}[era]
			built, list := BuildFixedRow(singleEnv(), raw, rules)
			got := at(built.Row, "mean_tpot").Text + " " + at(built.Row, "mean_intvty").Text
			if list.Refused() {
				got = "refused"
			}
			if got != want {
				t.Errorf("%s %s: %q, want %q", value, era, got, want)
			}
		}
	}
}

func TestOutcome(t *testing.T) {
	for counts, failed := range map[string]bool{
		`"status":"passed","requested":160,"completed":160,"failed":0`: false,
		`"status":"passed","requested":160,"completed":152,"failed":8`: false,
		`"status":"failed","requested":160,"completed":151,"failed":9`: true,
	} {
		completed := jsonOf(t, "{"+counts+"}")
		raw := with(t, jsonOf(t, rawResult), `{"benchmark_outcome":{`+counts+`,"max_failure_rate":0.05},"completed":`+at(completed, "completed").Text+`}`)
		built, list := BuildFixedRow(singleEnv(), raw, Newest())
		if list != nil || built.Failed != failed || at(built.Row, "benchmark_outcome").Kind != ordjson.Object {
			t.Errorf("%s: %v %v", counts, list, built.Failed)
		}
	}
}

func TestBatch(t *testing.T) {
	env := changed(multiEnv(), "CONC_LIST", "4 16 64 128", "PREFILL_GPUS", "-", "DECODE_GPUS", "-")
	raw := func(conc string) []byte {
		return []byte(strings.Replace(rawResult, `"max_concurrency":16`, `"max_concurrency":`+conc, 1))
	}
	b := BuildBatch(env, []RawFile{
		{"r_conc4_gpus_24_ctx_8_gen_16.json", raw("4")},
		{"dir/r_c4_gpus_24_ctx_8_gen_16.json", raw("4")},
		{"r_conc16_gpus_24_ctx_8_gen_12.json", raw("16")},
		{"r_conc64_gpus_24.json", raw("64")},
		{"r_conc128_gpus_24_ctx_8_gen_16.json", raw("127")},
		{"r_conc256_gpus_24_ctx_8_gen_16.json", raw("256")},
		{"r_what.json", raw("1")},
		{"r_conc2_gpus_24_ctx_8_gen_16.json", []byte("{")},
		{"r_conc4_gpus_24_ctx_8_gen_16.pytorch.json", nil},
		{"other_conc4_gpus_24.json", raw("4")},
		{"r_conc4.txt", nil},
	}, Newest())
	want := `{"expected_concurrencies":[4,16,64,128],"missing_concurrencies":[128],"unexpected_concurrencies":[256],"points":[` +
		`{"source":"r_c4_gpus_24_ctx_8_gen_16.json","concurrency":4,"exit_code":0},` +
		`{"source":"r_conc128_gpus_24_ctx_8_gen_16.json","exit_code":1,"error":"conc-mismatch"},` +
		`{"source":"r_conc16_gpus_24_ctx_8_gen_12.json","concurrency":16,"exit_code":1,"error":"roles-sum"},` +
		`{"source":"r_conc256_gpus_24_ctx_8_gen_16.json","concurrency":256,"exit_code":0},` +
		`{"source":"r_conc2_gpus_24_ctx_8_gen_16.json","exit_code":1,"error":"file-unreadable"},` +
		`{"source":"r_conc4_gpus_24_ctx_8_gen_16.json","exit_code":1,"error":"conc-duplicate"},` +
		`{"source":"r_conc64_gpus_24.json","concurrency":64,"exit_code":1,"error":"roles-missing"},` +
		`{"source":"r_what.json","exit_code":1,"error":"name-unparsable"}],` +
		`"ignored_sidecars":["r_conc4_gpus_24_ctx_8_gen_16.pytorch.json"],"exit_code":1}`
	got := b.Summary().String()
	if diff := cmp.Diff(strings.Split(want, "},"), strings.Split(got, "},")); diff != "" {
		t.Error(diff)
	}
	if len(b.Rows) != 2 || b.Rows[0].File != "agg_r_c4_gpus_24_ctx_8_gen_16.json" {
		t.Errorf("%d rows", len(b.Rows))
	}
}

func TestBatchShared(t *testing.T) {
	env := changed(multiEnv(), "CONC_LIST", "16", "DISAGG", "true", "DECODE_NUM_WORKERS", "0")
	for name, failure := range map[string]string{
		"r_conc16_gpus_24.json": "", "r_conc16_gpus_24_ctx_24_gen_0.json": "", "r_conc16_gpus_24_ctx_8_gen_16.json": "aggregate-with-roles",
	} {
		b := BuildBatch(env, []RawFile{{name, []byte(rawResult)}}, Newest())
		if b.Points[0].Failure != failure || b.Failed() != (failure != "") {
			t.Errorf("%s: %+v", name, b.Points[0])
		}
		if failure == "" && (at(b.Rows[0].Row, "num_aggregate_gpu").Text != "24" || at(b.Rows[0].Row, "disagg").Text != "false") {
			t.Errorf("%s: %s", name, b.Rows[0].Row)
		}
	}
	if b := BuildBatch(env, nil, Newest()); !b.Failed() {
		t.Error("an empty batch is good")
	}
	if b := BuildBatch(changed(env, "CONC_LIST", "16 x"), []RawFile{{"r_conc16_gpus_24.json", []byte(rawResult)}}, Newest()); !b.Failed() {
		t.Error("an unreadable request is good")
	}
	august := BuildBatch(env, []RawFile{{"r_conc9_gpus_24.json", []byte(rawResult)}, {"r_x.json", []byte(rawResult)}}, August())
	if len(august.Rows) != 1 || at(august.Rows[0].Row, "num_prefill_gpu").Text != "24" || at(august.Rows[0].Row, "num_decode_gpu").Text != "0" || august.Failed() {
		t.Errorf("%+v", august)
	}
}

func TestAgenticRow(t *testing.T) {
	export := strings.Join([]string{
		`{"metadata":{"request_start_ns":1790000000000000000,"request_end_ns":1790000002000000000},"metrics":{"time_to_first_token":{"value":500},"request_latency":2000,"inter_token_latency":20,"input_sequence_length":100,"output_sequence_length":50}}`,
		``, `{"metadata":{"benchmark_phase":"warmup"},"error":{"status":503}}`, `{"error":"Boom: x\ny"}`, `{"error":{"message":"a: b"}}`, `{"error":""}`, `{"error":{}}`, `{"error":{"x":1}}`,
	}, "\n")
	requests, err := ReadRequests(strings.NewReader(export))
	if err != nil {
		t.Fatal(err)
	}
	if got := requests.Accounting().String(); got != `{"records_total":7,"records_profiled":3,"records_dropped_total":4,"records_warmup_dropped":1,"records_error_dropped":4,"error_categories":{"503":1,"Boom":1,"a":1,"unknown":1}}` {
		t.Error(got)
	}
	env := changed(singleEnv(), "MODEL", "m", "CONC", "8", "TP", "4", "KV_OFFLOADING", "dram", "KV_OFFLOAD_BACKEND", "hicache", "KV_OFFLOAD_BACKEND_METADATA", `{"name":"hicache"}`, "TOTAL_CPU_DRAM_GB", "1499")
	row, list := BuildAgenticRow(AgenticInput{Env: env, Requests: requests, Aggregate: jsonOf(t, `{"metadata":{"dataset":{"a":1}},"theoretical_prefix_cache_hit":{"sum":9,"count":10}}`), Server: jsonOf(t, `{"kv_cache":{"gpu_total_tokens":1250000}}`)})
	if list != nil {
		t.Fatal(list)
	}
	if problems := CheckRow(row, defaultBounds()); problems != nil {
		t.Error(problems)
	}
	for name, want := range map[string]float64{"tput_per_gpu": 18.75, "median_ttft": 0.5, "p90_e2el": 2, "p90_e2e_norm_intvty": 25} {
		if got, ok := MetricOf(row, name); !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	multi := changed(multiEnv(), "MODEL", "m", "CONC", "8", "PREFILL_GPUS", "-", "DECODE_GPUS", "-")
	row, list = BuildAgenticRow(AgenticInput{Env: multi, Requests: requests})
	if list != nil || CheckRow(row, defaultBounds()) != nil || at(row, "num_gpus").Text != "24" || at(row, "tp").Text != "12" || at(row, "dp_attention").Text != "true" {
		t.Errorf("%v %v %s", list, CheckRow(row, defaultBounds()), row)
	}
	for _, e := range []Environment{
		changed(env, "KV_OFFLOADING", "none"), changed(env, "KV_OFFLOAD_BACKEND_METADATA", `{"name":"other"}`), changed(env, "KV_OFFLOAD_BACKEND_METADATA", ""), changed(env, "CONC", "0"), changed(env, "MODEL", "-"),
	} {
		if _, list := BuildAgenticRow(AgenticInput{Env: e, Requests: requests}); !list.Refused() {
			t.Errorf("%v is accepted", e)
		}
	}
}

func TestRequestsRefuse(t *testing.T) {
	if _, err := ReadRequests(strings.NewReader("{}\n{")); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Error(err)
	}
	hostile := `{"metadata":{"request_start_ns":1,"request_end_ns":9223372036854775807}}` + "\n" + `{"metadata":{"request_end_ns":1e300}}` + "\n" + `{"metadata":{"request_end_ns":4000000000000000000}}` + "\n" + `{"metadata":{"request_end_ns":4}}`
	requests, err := ReadRequests(strings.NewReader(hostile))
	if err != nil {
		t.Fatal(err)
	}
	if got := at(requests.Metrics(1, ordjson.Value{}), "qps").String(); got != "{}" {
		t.Errorf("windows of an absurd span: %s", got)
	}
	if got := at(NewRequests().Metrics(1, ordjson.Value{}), "throughput").String(); got != "{}" {
		t.Error(got)
	}
}

func TestAgenticGate(t *testing.T) {
	for text, want := range map[string]string{
		`{"request_count":{"avg":90},"error_request_count":{"avg":10}}`:                                      "",
		`{"request_count":{"avg":89},"error_request_count":{"avg":11}}`:                                      "agentic-failures ",
		`{"request_count":{"avg":5},"completed_request_count":{"avg":100},"error_request_count":{"avg":10}}`: "",
		`{"request_count":{"avg":0}}`:   "agentic-no-request ",
		`{"request_count":{"avg":-1}}`:  "agentic-no-count ",
		`{"request_count":{"avg":"3"}}`: "agentic-no-count ",
		`{"request_count":{"avg":NaN}}`: "agentic-no-count ",
		`[]`:                            "agentic-no-count ",
	} {
		if got := strings.Join(codes(AgenticGate(jsonOf(t, text), 0.10)), ","); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestStatistics(t *testing.T) {
	if got := Percentile([]float64{1, 2, 3, 4}, 90); got < 3.699999 || got > 3.700001 {
		t.Error(got)
	}
	if got := statistics([]float64{2}).String(); got != `{"mean":2,"p50":2,"p75":2,"p90":2,"p95":2,"std":0.0}` {
		t.Error(got)
	}
	if got := rounded(0.123456789).Text + rounded(1.999999).Text + rounded(-0.5).Text; got != "0.123462-0.5" {
		t.Error(got)
	}
}
