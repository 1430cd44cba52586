package results

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/results/archive"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// TestContractAccepts has the examples of spec/results.md section 13.
func TestContractAccepts(t *testing.T) {
	for name, v := range map[string]string{
		"single": singleRow, "multi": multiRow, "agentic": agenticRow,
		"stamped": with(t, jsonOf(t, singleRow), `{"result_schema_version":1}`).String(),
		"router":  with(t, jsonOf(t, singleRow), `{"router":{"name":"a","version":"1"}}`).String(),
		"outcome": with(t, jsonOf(t, singleRow), `{"benchmark_outcome":{"status":"passed","requested":10,"completed":10,"failed":0,"max_failure_rate":0.05}}`).String(),
	} {
		if problems := CheckRow(jsonOf(t, v), defaultBounds()); problems != nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// TestContractRefuses has one offence each, with its type and field.
func TestContractRefuses(t *testing.T) {
	for _, c := range []struct{ row, change, want string }{
		{singleRow, `{"hw":1}`, "string_type hw"},
		{singleRow, `{"image":null}`, "string_type image"},
		{singleRow, `{"conc":0}`, "greater_than conc"},
		{singleRow, `{"conc":16.0}`, "int_type conc"},
		{singleRow, `{"conc":true}`, "int_type conc"},
		{singleRow, `{"isl":"8192"}`, "int_type isl"},
		{singleRow, `{"disagg":0}`, "bool_type disagg"},
		{singleRow, `{"dp_attention":false}`, "literal_error dp_attention"},
		{singleRow, `{"dp_attention":"False"}`, "literal_error dp_attention"},
		{singleRow, `{"recipe_fingerprint":"ABC"}`, "string_pattern_mismatch recipe_fingerprint"},
		{singleRow, `{"tput_per_gpu":NaN}`, "finite_number tput_per_gpu"},
		{singleRow, `{"median_ttft":"0.2"}`, "float_type median_ttft"},
		{singleRow, `{"p99.9_itl":Infinity}`, "finite_number p99.9_itl"},
		{singleRow, `{"note":1}`, "extra_forbidden note"},
		{singleRow, `{"p99_unknown":1}`, "extra_forbidden p99_unknown"},
		{singleRow, `{"prefill_tp":1}`, "extra_forbidden prefill_tp"},
		{singleRow, `{"router":{"name":"a"}}`, "missing router"},
		{singleRow, `{"router":{"name":"a","version":"1","x":1}}`, "extra_forbidden router"},
		{singleRow, `{"router":null}`, "dict_type router"},
		{singleRow, `{"kv_p2p_transfer":null}`, "string_type kv_p2p_transfer"},
		{singleRow, `{"benchmark_outcome":{"status":"great","requested":1,"completed":1,"failed":0,"max_failure_rate":0.05}}`, "literal_error benchmark_outcome"},
		{singleRow, `{"result_schema_version":2}`, "literal_error result_schema_version"},
		{singleRow, `{"result_schema_version":"1"}`, "int_type result_schema_version"},
		{singleRow, `{"tp":"-"}`, "missing tp"},
		{multiRow, `{"decode_pp":0}`, "greater_than decode_pp"},
		{multiRow, `{"decode_tp":-1}`, "greater_than_equal decode_tp"},
		{multiRow, `{"prefill_hw":"gb300"}`, "value_error prefill_hw"},
		{multiRow, `{"power_valid":"0"}`, "float_type power_valid"},
		{multiRow, `{"tp":1}`, "extra_forbidden tp"},
		{agenticRow, `{"scenario_type":"agentic"}`, "literal_error scenario_type"},
		{agenticRow, `{"isl":1}`, "extra_forbidden isl"},
		{agenticRow, `{"median_ttft":1}`, "extra_forbidden median_ttft"},
		{agenticRow, `{"kv_offload_backend":null}`, "value_error kv_offload_backend"},
		{agenticRow, `{"kv_offloading":"none"}`, "value_error kv_offload_backend"},
		{agenticRow, `{"num_gpus":"-"}`, "missing num_gpus"},
		{agenticRow, `{"request_accounting":{"records_total":1}}`, "missing request_accounting"},
		{agenticRow, `{"request_metrics":{"a":{"b":[1,NaN]}}}`, "finite_number request_metrics"},
		{agenticRow, `{"warnings":["a",1]}`, "string_type warnings"},
	} {
		problems := CheckRow(with(t, jsonOf(t, c.row), c.change), Bounds{})
		if len(problems) != 1 || problems[0].Type+" "+problems[0].Field != c.want {
			t.Errorf("%s: got %v, want %s", c.change, problems, c.want)
		}
	}
	if problems := CheckRow(jsonOf(t, `{"is_multinode":false}`), Bounds{}); len(problems) < 10 {
		t.Errorf("an almost empty row: %v", problems)
	}
	for text, want := range map[string]string{`{}`: problemMissing, `{"is_multinode":"true"}`: problemBool, `{"is_multinode":1}`: problemBool} {
		if problems := CheckRow(jsonOf(t, text), Bounds{}); len(problems) != 1 || problems[0].Type != want || problems[0].Field != "is_multinode" {
			t.Errorf("%s: %v", text, problems)
		}
	}
	for _, text := range []string{"[]", "1", "null", `"x"`} {
		if problems := CheckRow(jsonOf(t, text), Bounds{}); len(problems) != 1 || problems[0].Field != "row" {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct{ row, change string }{
		{singleRow, `{"tput_per_gpu":-0.1}`}, {singleRow, `{"input_tput_per_gpu":1e9}`}, {singleRow, `{"median_ttft":-1}`}, {singleRow, `{"p90_e2el":1e8}`},
		{singleRow, `{"median_intvty":1e9}`}, {singleRow, `{"conc":100000000}`}, {singleRow, `{"isl":1000000000}`}, {multiRow, `{"num_decode_gpu":1000000}`},
		{agenticRow, `{"request_metrics":{"throughput":{"per_gpu":{"total_tput_tps":-1}}}}`}, {agenticRow, `{"request_metrics":{"latency":{"e2el":{"p90":1e9}}}}`},
	} {
		v := with(t, jsonOf(t, c.row), c.change)
		if CheckRow(v, Bounds{}) != nil {
			t.Errorf("%s breaks the contract itself", c.change)
		}
		if CheckRow(v, defaultBounds()) == nil {
			t.Errorf("%s is believed", c.change)
		}
	}
}

func TestMetricFamily(t *testing.T) {
	for name, want := range map[string]string{
		"mean_ttft": "ttft", "median_intvty": "intvty", "std_itl": "itl", "p99.9_e2el": "e2el", "p5_tpot": "tpot",
		"p_ttft": "", "p9._ttft": "", "p.9_ttft": "", "p9.9.9_ttft": "", "max_ttft": "", "ttft": "", "p90_x": "", "p9e1_ttft": "", "mean_ttft_x": "", "90_ttft": "",
	} {
		if got, ok := metricFamily(name); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v", name, got, ok)
		}
	}
}

func TestEvalContract(t *testing.T) {
	row := `{"is_multinode":false,"model_prefix":"dsv4","model":"m","hw":"B200-DGXC","framework":"vllm","precision":"fp8","spec_decoding":"none","isl":8192,"osl":1024,"tp":8,"ep":1,"prefill_tp":8,"prefill_ep":1,"prefill_num_workers":1,"decode_tp":8,"decode_ep":1,"decode_num_workers":1,"conc":16,"dp_attention":"false","prefill_dp_attention":"false","decode_dp_attention":"false","task":"gsm8k","em_strict":0.957,"em_strict_se":"N/A","em_flexible":null,"em_flexible_se":null,"n_eff":1319,"source":"eval_results/x/results.json","infrastructure_success":true,"integration_error":null,"score":0.957,"score_name":"em_strict","score_se":0.0056}`
	if problems := CheckEvalRow(jsonOf(t, row)); problems != nil {
		t.Error(problems)
	}
	for change, want := range map[string]string{
		`{"conc":0}`: "greater_than conc", `{"score":1.2}`: "less_than_equal score", `{"score":NaN}`: "finite_number score", `{"score":"0.9"}`: "float_type score",
		`{"task":""}`: "string_too_short task", `{"n_eff":-1}`: "greater_than_equal n_eff", `{"score_se":"n/a"}`: "float_type score_se", `{"x":1}`: "extra_forbidden x", `{"task":"-"}`: "missing task",
	} {
		problems := CheckEvalRow(with(t, jsonOf(t, row), change))
		if len(problems) != 1 || problems[0].Type+" "+problems[0].Field != want {
			t.Errorf("%s: %v", change, problems)
		}
	}
}

// collectTree is a download of five artifacts, two of them unusable.
func collectTree(t *testing.T) fstest.MapFS {
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		"bmk_a/agg_a.json":      singleRow,
		"bmk_b/deep/agg_b.json": multiRow,
		"bmk_agentic_c/c.json":  with(t, jsonOf(t, agenticRow), `{"dataset":{"hf_dataset_name":"exämple/ü"}}`).String(),
		"bmk_d/agg_d.json":      with(t, jsonOf(t, singleRow), `{"isl":0,"median_ttft":NaN}`).String(),
		"bmk_e/agg_e.json":      "{",
		"bmk_f/notes.txt":       "x",
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// TestCollect holds the bytes of the published files.
func TestCollect(t *testing.T) {
	content, err := archive.OpenFolder(collectTree(t), ".", archive.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c, err := CollectBenchmarks(content, &out, Newest())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "agg_bmk.json", out.Bytes())
	golden(t, "rejected_rows.json", []byte(c.RejectedDocument().String()+"\n"))
	if !c.Failed() || len(c.Accepted) != 3 {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff([]string{"row-rejected bmk_d/agg_d.json", "json-unreadable bmk_e/agg_e.json"}, codes(c.Findings)); diff != "" {
		t.Error(diff)
	}
}

// TestEmptyCollection holds that a collector without rows is never green.
func TestEmptyCollection(t *testing.T) {
	content, err := archive.OpenFolder(fstest.MapFS{"x/a.txt": {Data: nil}}, ".", archive.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for rules, failed := range map[*Rules]bool{ptr(Newest()): true, ptr(August()): true, ptr(Reference()): false} {
		var out strings.Builder
		c, err := CollectBenchmarks(content, &out, *rules)
		if err != nil || c.Failed() != failed || out.String() != "[]" {
			t.Errorf("%v %v %q", err, c.Failed(), out.String())
		}
	}
}

func ptr[T any](v T) *T { return &v }

// TestF44 counts the jobs of the run itself.
func TestF44(t *testing.T) {
	var jobs []JobOutcome
	for range 30 {
		jobs = append(jobs, JobOutcome{"p5 | dsv4 fp8 cluster:b200-dgxc vllm TP8 c4", "success"})
	}
	jobs = append(jobs, JobOutcome{"p5 | dsv4 fp8 b200-dgxc vllm TP8 c4", "skipped"})
	counts := CountSuccess([]string{"cluster:mi355x-amds", "cluster:b200-dgxc", "b200-dgxc"}, jobs)
	want := []ClusterSuccess{{"b200-dgxc", Success{30, 30}}, {"mi355x-amds", Success{0, 0}}}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
	if got := RunStatsDocument(counts).String(); got != `{"b200-dgxc":{"n_success":30,"total":30},"mi355x-amds":{"n_success":0,"total":0}}` {
		t.Error(got)
	}
	for word, is := range map[string]bool{"h200": true, "x h200-dgxc y": true, "h200x": false, "xh200": false, "h2000": false, "h200_07": true, "éh200": false} {
		if containsWord(word, "h200") != is {
			t.Error(word)
		}
	}
	for text, want := range map[string]string{`[]`: "wrong-shape f", `{"a":{"n_success":2,"total":1}}`: "run-stats-count f", `{"a":{"n_success":"1","total":1}}`: "run-stats-count f", `{`: "json-unreadable f"} {
		if _, list := ReadRunStats("f", []byte(text)); len(list) != 1 || codes(list)[0] != want {
			t.Errorf("%s: %v", text, list)
		}
	}
}

func TestMetadata(t *testing.T) {
	doc := jsonOf(t, `{"base_ref":"3b1f","head_ref":"9c0d","entries":[{"config-keys":["a"],"description":["é"],"pr-link":null,"evals-only":false}]}`)
	golden(t, "changelog_metadata.json", MetadataDocument(doc))
	for _, text := range []string{`[]`, `{"base_ref":"a"}`, `{"base_ref":1,"head_ref":"b","entries":[]}`, `{"base_ref":"a","head_ref":"b","entries":[{"config-keys":[1]}]}`, `{"base_ref":"a","head_ref":"b","entries":[1]}`, "x"} {
		if _, list := ReadMetadata("f", []byte(text)); !list.Refused() {
			t.Errorf("%s: accepted", text)
		}
	}
}
