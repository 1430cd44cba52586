package results

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
)

// evalTree builds a download; values are file contents by path.
func evalTree(t *testing.T, content files) archive.Content {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range content {
		tree[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Unix(1780000000, 0)}
	}
	out, err := archive.OpenFolder(tree, ".", archive.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func rowsOf(t *testing.T, content files, rules Rules) ([]ordjson.Value, []string) {
	t.Helper()
	rows, list, err := EvalRows(evalTree(t, content), rules)
	if err != nil {
		t.Fatal(err)
	}
	return rows, codes(list)
}

func TestEvalRow(t *testing.T) {
	rows, list := rowsOf(t, files{"eval_a/meta_env.json": evalMeta, "eval_a/results_2026-09-14T10-05-00.120034.json": gsm8kResult, "eval_a/notes.json": "{}", "eval_a/deep/results.json": gsm8kResult}, Newest())
	want := `{"is_multinode":false,"model_prefix":"dsv4","model":"deepseek-ai/DeepSeek-V4","hw":"B200-DGXC","framework":"vllm","precision":"fp8","spec_decoding":"none","isl":8192,"osl":1024,"tp":8,"ep":1,"prefill_tp":8,"prefill_ep":1,"prefill_num_workers":1,"decode_tp":8,"decode_ep":1,"decode_num_workers":1,"conc":16,"dp_attention":"false","prefill_dp_attention":"false","decode_dp_attention":"false","task":"gsm8k","em_strict":0.957,"em_strict_se":0.0056,"em_flexible":0.961,"em_flexible_se":0.0054,"n_eff":1319,"source":"eval_results/eval_a/results_2026-09-14T10-05-00.120034.json","infrastructure_success":true,"integration_error":null,"score":0.957,"score_name":"em_strict","score_se":0.0056}`
	if len(rows) != 1 || list != nil {
		t.Fatalf("%d rows, %v", len(rows), list)
	}
	if diff := cmp.Diff(want, rows[0].String()); diff != "" {
		t.Error(diff)
	}
	if problems := CheckEvalRow(rows[0]); problems != nil {
		t.Error(problems)
	}
}

// TestF43 refuses metadata without lengths, naming the artifact.
func TestF43(t *testing.T) {
	content := files{"eval_a/meta_env.json": with(t, jsonOf(t, evalMeta), `{"isl":"-"}`).String(), "eval_a/results.json": gsm8kResult}
	rows, list := rowsOf(t, content, Newest())
	if rows != nil || len(list) != 1 || list[0] != "eval-lengths eval_a/meta_env.json" {
		t.Errorf("%v %v", rows, list)
	}
	if rows, _ := rowsOf(t, content, Reference()); len(rows) != 1 || at(rows[0], "isl").Text != "0" {
		t.Error("the reference's behaviour is not selectable")
	}
}

func TestEvalCollection(t *testing.T) {
	result := func(change string) string { return with(t, jsonOf(t, gsm8kResult), change).String() }
	older := result(`{"results":{"old":{"acc":0.5}},"configs":{},"n-samples":{}}`)
	batch := with(t, jsonOf(t, evalMeta), `{"eval_concs":[4,16],"completed_eval_concs":[16],"failed_eval_concs":[4]}`).String()
	for name, c := range map[string]struct {
		content files
		want    []string
		list    []string
	}{
		"newest by name":  {files{"a/meta_env.json": evalMeta, "a/results_2026-09-14T10-05-00.json": older, "a/results_2026-09-14T10-05-00.5.json": gsm8kResult}, []string{"gsm8k 16"}, nil},
		"flat":            {files{"meta_env.json": evalMeta, "results.json": gsm8kResult}, []string{"gsm8k 16"}, nil},
		"no result":       {files{"a/meta_env.json": evalMeta}, nil, []string{"eval-no-result a"}},
		"no marker":       {files{"a/meta_env.json": evalMeta, "a/results.json": `{"results":{"x":{}}}`}, nil, []string{"eval-no-result a"}},
		"new marker":      {files{"a/meta_env.json": evalMeta, "a/results.json": result(`{"lm_eval_version":"-","result_format":"inferencex-eval-v1"}`)}, []string{"gsm8k 16"}, nil},
		"broken beside":   {files{"a/meta_env.json": evalMeta, "a/results.json": gsm8kResult, "a/results_x.json": "{"}, []string{"gsm8k 16"}, []string{"json-unreadable a/results_x.json"}},
		"batch":           {files{"a/meta_env.json": batch, "a/results_conc4.json": gsm8kResult, "a/results_conc16.json": gsm8kResult, "a/results_conc99.json": gsm8kResult, "a/results.json": gsm8kResult}, []string{"gsm8k 16"}, nil},
		"batch restaged":  {files{"a/meta_env.json": batch, "a/results_conc16.json": older, "a/results_conc16_2.json": gsm8kResult}, []string{"gsm8k 16"}, nil},
		"broken metadata": {files{"a/meta_env.json": "{", "a/results.json": gsm8kResult}, []string{"gsm8k 0"}, []string{"json-unreadable a/meta_env.json"}},
		"no metadata":     {files{"a/results.json": gsm8kResult}, nil, nil},
		"no task":         {files{"a/meta_env.json": evalMeta, "a/results.json": result(`{"results":{}}`)}, nil, []string{"eval-no-task a/results.json"}},
		"two tasks":       {files{"a/meta_env.json": evalMeta, "a/results.json": result(`{"results":{"b":{"acc":0.5},"a":{"acc":0.4}},"n-samples":{"a":{"effective":1},"b":{"effective":1}}}`)}, []string{"b 16", "a 16"}, nil},
	} {
		rows, list := rowsOf(t, c.content, Newest())
		var got []string
		for _, row := range rows {
			got = append(got, at(row, "task").Text+" "+at(row, "conc").Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(c.list, list); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestBrokenEvals has one reason each for which a row has no score.
func TestBrokenEvals(t *testing.T) {
	for change, want := range map[string]string{
		`{"integration_error":{"type":"ServerDied","message":"m"}}`: "ServerDied m",
		`{"integration_error":"boom"}`:                              "IntegrationError boom",
		`{"n-samples":{"gsm8k":{"effective":0}}}`:                   "InvalidEffectiveSampleCount invalid effective sample count: 0",
		`{"n-samples":{"gsm8k":{"effective":"x"}}}`:                 "InvalidEffectiveSampleCount invalid effective sample count: 'x'",
		`{"n-samples":{"gsm8k":{"effective":true}}}`:                "InvalidEffectiveSampleCount invalid effective sample count: True",
		`{"results":{"gsm8k":1}}`:                                   "InvalidTaskResults the results of the task are no object",
		`{"results":{"gsm8k":{"exact_match,strict-match":1.5}}}`:    "InvalidPrimaryScore invalid primary score: 1.5",
		`{"results":{"gsm8k":{"exact_match,strict-match":NaN}}}`:    "InvalidPrimaryScore invalid primary score: nan",
		`{"results":{"gsm8k":{"exact_match,strict-match":true}}}`:   "InvalidPrimaryScore invalid primary score: True",
		`{"results":{"gsm8k":{}}}`:                                  "InvalidPrimaryScore invalid primary score: None",
		`{"configs":{"gsm8k":{"filter_list":[{"name":"resolved"}]}},"results":{"gsm8k":{"exact_match,resolved":0.5}}}`: "InvalidPrimaryScore invalid primary score: None",
	} {
		rows, _ := rowsOf(t, files{"a/meta_env.json": evalMeta, "a/results.json": with(t, jsonOf(t, gsm8kResult), change).String()}, Newest())
		row := rows[0]
		if got := at(row, "integration_error", "type").Text + " " + at(row, "integration_error", "message").Text; got != want {
			t.Errorf("%s: %s", change, got)
		}
		for _, name := range []string{"em_strict", "em_strict_se", "em_flexible", "score", "score_name", "score_se"} {
			if at(row, name).Text != "null" {
				t.Errorf("%s: %s is %s", change, name, at(row, name))
			}
		}
		read, list := ReadEvalRow("s", row, ordjson.Value{}, Newest())
		if list != nil || read.Scored() || read.Broken == "" || !math.IsNaN(read.Score) {
			t.Errorf("%s: read as %+v, %v", change, read, list)
		}
	}
}

func TestScoreFamilies(t *testing.T) {
	for _, c := range []struct {
		task, config   string
		newest, august string
	}{
		{`{"acc":0.7,"acc_stderr":0.1}`, `{}`, "0.7 accuracy", "0.7 accuracy"},
		{`{"exact_match":0.6}`, `{}`, "0.6 em_strict", "0.6 em_strict"},
		{`{"f1":0.6}`, `{"metric_list":[{"metric":"f1"}]}`, "0.6 em_strict", "0.6 em_strict"},
		{`{"exact_match,flexible-extract":0.6}`, `{"filter_list":[{"name":"flexible-extract"}]}`, "0.6 em_flexible", "null null"},
		{`{"acc,none":0.6}`, `{"metric_list":[{"metric":"acc"}],"filter_list":[{"name":"none"}]}`, "0.6 accuracy", "null null"},
		{`{"exact_match,resolved":0.5}`, `{"filter_list":[{"name":"resolved"}]}`, "null null", "0.5 em_strict"},
		{`{"exact_match,strict-1":0.1,"exact_match,strict-2":0.2}`, `{"filter_list":[{"name":"strict-1"},{"name":"strict-2"}]}`, "0.2 em_strict", "0.2 em_strict"},
	} {
		result := with(t, jsonOf(t, gsm8kResult), `{"results":{"gsm8k":`+c.task+`},"configs":{"gsm8k":`+c.config+`}}`).String()
		for era, want := range map[string]string{"newest": c.newest, "august": c.august} {
			rules := map[string]Rules{"newest": Newest(), "august": August()}[era]
			rows, _ := rowsOf(t, files{"a/meta_env.json": evalMeta, "a/results.json": result}, rules)
			if got := at(rows[0], "score").Text + " " + at(rows[0], "score_name").Text; got != want {
				t.Errorf("%s %s: %s, want %s", era, c.task, got, want)
			}
			if _, ok := rows[0].Get("infrastructure_success"); ok != rules.BrokenEvals {
				t.Errorf("%s: infrastructure_success present: %v", era, ok)
			}
		}
	}
}

// TestEvalFolderBudget holds that results that are many and large together are
// refused one by one.
func TestEvalFolderBudget(t *testing.T) {
	large := with(t, jsonOf(t, gsm8kResult), `{"report":[`+strings.TrimSuffix(strings.Repeat("1,", 120_000), ",")+`]}`).String()
	rows, list := rowsOf(t, files{"a/meta_env.json": evalMeta, "a/results_1.json": large, "a/results_2.json": large}, Newest())
	if len(rows) != 1 || len(list) != 1 || list[0] != "json-unreadable a/results_2.json" {
		t.Errorf("%d rows, %v", len(rows), list)
	}
}

func TestEvalLayout(t *testing.T) {
	multi := `{"is_multinode":true,"framework":"dynamo-vllm","precision":"fp8","spec_decoding":"mtp","tp":4,"pp":1,"dcp_size":1,"pcp_size":1,"conc":4,"ep":4,"dp_attention":true,"prefill_tp":4,"prefill_pp":2,"prefill_ep":4,"prefill_dp_attention":true,"prefill_num_workers":2,"decode_tp":8,"decode_ep":8,"decode_dp_attention":false,"decode_num_workers":1,"infmax_model_prefix":"dsv4","hw":"h200-cw","isl":"8192","osl":"1024"`
	for meta, want := range map[string]string{
		multi + `,"disagg":true}`:  `24 16 8 8 1`,
		multi + `,"disagg":false}`: `16 16 0 0 0`,
		multi + `}`:                `    1`,
	} {
		rows, _ := rowsOf(t, files{"a/meta_env.json": meta, "a/results.json": gsm8kResult}, Newest())
		row := rows[0]
		text := func(name string) string { return at(row, name).Text }
		got := strings.Join([]string{text("num_gpus"), text("num_prefill_gpu"), text("num_decode_gpu"), map[bool]string{true: text("decode_tp")}[text("disagg") != ""], text("decode_num_workers")}, " ")
		if got != want {
			t.Errorf("%s: %q, want %q", meta[len(multi):], got, want)
		}
		if got := text("dp_attention"); got != "prefill=true,decode=false" {
			t.Error(got)
		}
		if problems := CheckEvalRow(row); problems != nil {
			t.Errorf("%s: %v", meta[len(multi):], problems)
		}
	}
	rows, _ := rowsOf(t, files{"a/meta_env.json": with(t, jsonOf(t, evalMeta), `{"disagg":false,"pp":2}`).String(), "a/results.json": gsm8kResult}, Newest())
	if row := rows[0]; at(row, "num_gpus").Text != "16" || at(row, "prefill_num_workers").Text != "0" || at(row, "decode_pp").Text != "2" || at(row, "num_prefill_gpu").Text != "" {
		t.Error(rows[0])
	}
}

func TestThresholds(t *testing.T) {
	bars, list := ReadThresholds("t.yaml", []byte(`{"default":{"gsm8k":0.9,"x":"high"},"models":{"dsv4":{"gsm8k":0.91}}}`))
	if !bars.Loaded || len(list) != 1 || codes(list)[0] != "threshold-value t.yaml" {
		t.Errorf("%v", list)
	}
	for _, c := range []struct {
		prefix, task string
		want         Bar
	}{{"dsv4", "gsm8k", Bar{0.91, "models.dsv4"}}, {"glm5", "gsm8k", Bar{0.9, "default"}}, {"dsv4", "x", Bar{0.85, "min-score"}}, {"", "gsm8k", Bar{0.9, "default"}}} {
		if got := bars.Bar(c.prefix, c.task); got != c.want {
			t.Errorf("%s %s: %v", c.prefix, c.task, got)
		}
	}
	for _, text := range []string{"[", "- a", "x", ""} {
		if bars, list := ReadThresholds("t", []byte(text)); bars.Loaded || len(list) != 1 || list.Refused() {
			t.Errorf("%q: %v", text, list)
		}
	}
}

func TestJudge(t *testing.T) {
	bars, _ := ReadThresholds("t", []byte("default: {gsm8k: 0.9}"))
	result := func(score float64) []byte {
		return []byte(strings.ReplaceAll(gsm8kResult, "0.957", fmt.Sprint(score)))
	}
	expected := func(text string) *string { return &text }
	batch := func(lists string) []byte { return []byte(strings.TrimSuffix(evalMeta, "}") + "," + lists + "}") }
	two := []RawFile{{"results_conc4.json", result(0.95)}, {"results_conc16.json", result(0.95)}}
	for name, c := range map[string]struct {
		in   EvalInput
		want string
	}{
		"passes":                {EvalInput{Results: []RawFile{{"results.json", result(0.9)}}, Meta: []byte(evalMeta)}, "2 []"},
		"nothing":               {EvalInput{Meta: []byte(evalMeta)}, "0 [nothing-checked]"},
		"unreadable result":     {EvalInput{Results: []RawFile{{"results.json", []byte("{")}}}, "0 [result-unreadable nothing-checked]"},
		"bad request":           {EvalInput{Results: two, ExpectedConcs: expected("4 4")}, "0 [expected-concs-invalid]"},
		"empty request":         {EvalInput{Results: two, ExpectedConcs: expected("")}, "0 [expected-concs-invalid]"},
		"no metadata, one":      {EvalInput{Results: []RawFile{{"results.json", result(0.95)}}}, "2 []"},
		"no metadata, asked":    {EvalInput{Results: []RawFile{{"results.json", result(0.95)}}, ExpectedConcs: expected("16")}, "2 [batch-metadata-unreadable]"},
		"no metadata, suffixed": {EvalInput{Results: two}, "4 [batch-metadata-unreadable]"},
		"several, unbatched":    {EvalInput{Results: two, Meta: []byte(evalMeta), ExpectedConcs: expected("4 16")}, "4 [batch-metadata-missing]"},
		"one, two files":        {EvalInput{Results: two, Meta: []byte(evalMeta), ExpectedConcs: expected("16")}, "4 [result-count]"},
		"batch":                 {EvalInput{Results: two, Meta: batch(`"eval_concs":[4,16],"completed_eval_concs":[16,4],"failed_eval_concs":[]`), ExpectedConcs: expected("16 4")}, "4 []"},
		"lists":                 {EvalInput{Results: two, Meta: batch(`"eval_concs":[4,16],"completed_eval_concs":[16,4]`)}, "4 [batch-lists-malformed]"},
		"members":               {EvalInput{Results: two, Meta: batch(`"eval_concs":[4,16],"completed_eval_concs":["16",4],"failed_eval_concs":[]`)}, "4 [batch-conc-invalid]"},
		"duplicates":            {EvalInput{Results: two, Meta: batch(`"eval_concs":[4,16,4],"completed_eval_concs":[16,4,16],"failed_eval_concs":[]`)}, "4 [batch-duplicate-expected batch-duplicate-completed]"},
		"unsuffixed":            {EvalInput{Results: append([]RawFile{{"results.json", result(0.95)}}, two...), Meta: batch(`"eval_concs":[4,16],"completed_eval_concs":[16,4],"failed_eval_concs":[]`)}, "6 [batch-result-unsuffixed]"},
		"everything":            {EvalInput{Results: two[:1], Meta: batch(`"eval_concs":[4,16],"completed_eval_concs":[8],"failed_eval_concs":[16]`)}, "2 [batch-failed[16] batch-missing-completed[4 16] batch-unexpected-completed[8] batch-missing-results[16]]"},
		"beyond":                {EvalInput{Results: two, Meta: batch(`"eval_concs":[4],"completed_eval_concs":[4],"failed_eval_concs":[]`)}, "4 [batch-unexpected-results[16]]"},
	} {
		j := JudgeEval(c.in, bars, Newest())
		var failures []string
		for _, f := range j.Failures {
			text := f.Code
			if f.Concs != nil {
				text += fmt.Sprint(f.Concs)
			}
			failures = append(failures, text)
			if message := f.Finding("x").Message("zh"); strings.Contains(message, "results.judge") {
				t.Errorf("%s: %s", name, message)
			}
		}
		if got := fmt.Sprint(len(j.Checks), " ", failures); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if j.Passed() != (len(j.Failures) == 0) {
			t.Errorf("%s: passed %v", name, j.Passed())
		}
	}
	if j := JudgeEval(EvalInput{Results: []RawFile{{"results.json", result(0.8999)}}}, bars, Newest()); j.Passed() || len(j.Failures) != 0 {
		t.Errorf("below the bar: %+v", j)
	}
	if j := JudgeEval(EvalInput{Results: []RawFile{{"results.json", []byte(strings.ReplaceAll(gsm8kResult, "0.957", "NaN"))}}}, bars, Newest()); j.Passed() {
		t.Error("a score that is no number passes")
	}
}

func evalRowWith(score, stdErr, samples float64, conc int64) EvalRow {
	return EvalRow{Source: fmt.Sprint("e", conc), Task: "gsm8k", ScoreName: "em_strict", Score: score, StdErr: stdErr, Samples: samples, Strict: score, Flexible: math.NaN(),
		Point: Point{Prefix: "glm5.2", Framework: "atom", Precision: "fp4", Hardware: "mi355x-amds", Conc: conc}}
}

// TestSiblings has the figures of check 2: 0.931 beside 0.968 with n 1319.
func TestSiblings(t *testing.T) {
	nan := math.NaN()
	rows := []EvalRow{evalRowWith(0.968, nan, 1319, 16), evalRowWith(0.931, nan, 1319, 56), evalRowWith(0.962, nan, 1319, 24)}
	gaps := SiblingGaps(rows, nil)
	if len(gaps) != 2 || !gaps[0].Wide() || gaps[1].Wide() || math.Abs(gaps[0].Limit-0.017) > 0.0005 || math.Abs(gaps[0].Gap-0.037) > 1e-9 {
		t.Errorf("%+v", gaps)
	}
	if got := codes(SiblingFindings(gaps)); len(got) != 1 || got[0] != "eval-sibling-gap e56" {
		t.Error(got)
	}
	other := evalRowWith(0.99, nan, 1319, 8)
	other.Point.Precision = "fp8"
	stored := SiblingGaps(rows[:1], []EvalRow{evalRowWith(0.999, nan, 1319, 1), other})
	if len(stored) != 1 || stored[0].Best.Score != 0.999 {
		t.Errorf("%+v", stored)
	}
	given := SiblingGaps([]EvalRow{evalRowWith(0.9, 0.1, 100, 1), evalRowWith(0.95, 0.1, 100, 2)}, nil)
	if len(given) != 1 || math.Abs(given[0].Limit-2*math.Hypot(0.1, 0.1)) > 1e-12 || given[0].Wide() {
		t.Errorf("%+v", given)
	}
	model, task := evalRowWith(0.99, nan, 10, 3), evalRowWith(0.99, nan, 10, 4)
	model.Point.Prefix, task.Task = "other", "gpqa"
	if gaps := SiblingGaps([]EvalRow{rows[0], model, task}, nil); gaps != nil {
		t.Errorf("%+v", gaps)
	}
}

// TestWalkthroughSiblings has the four lanes of the walkthrough, within two
// sigma.
func TestWalkthroughSiblings(t *testing.T) {
	var rows []EvalRow
	for i, score := range []float64{0.962, 0.965, 0.972, 0.966} {
		rows = append(rows, evalRowWith(score, math.NaN(), 1319, int64(i+1)))
	}
	if list := SiblingFindings(SiblingGaps(rows, nil)); list != nil {
		t.Error(list)
	}
}

func TestBarFindings(t *testing.T) {
	bars, _ := ReadThresholds("t", []byte("models: {glm5.2: {gsm8k: 0.94, record: 0.0}}"))
	low, broken, unknown, record := evalRowWith(0.93, 0, 10, 1), evalRowWith(math.NaN(), 0, 10, 2), evalRowWith(0.99, 0, 0, 3), evalRowWith(0, 0, 10, 4)
	record.Task = "record"
	flexible := evalRowWith(0.97, 0, 10, 5)
	flexible.Flexible = 0.5
	list := BarFindings([]EvalRow{low, broken, unknown, record, flexible, evalRowWith(0.94, 0, 10, 6)}, bars)
	if diff := cmp.Diff([]string{"eval-below-bar e1", "eval-broken e2", "eval-broken e3", "eval-below-bar e5"}, codes(list)); diff != "" {
		t.Error(diff)
	}
}

func TestImages(t *testing.T) {
	digest, other := "@sha256:"+strings.Repeat("a", 64), "@sha256:"+strings.Repeat("b", 64)
	for _, c := range []struct {
		a, b string
		want ImageMatch
	}{
		{"vllm/vllm-openai:v1", "vllm/vllm-openai:v1", SameImage},
		{"vllm/vllm-openai:v1", "docker.io/vllm/vllm-openai:v1", SameImage},
		{"docker://index.docker.io/VLLM/vllm-openai:v1", "vllm/vllm-openai:v1", SameImage},
		{"nvcr.io#nvidia/x:1", "nvcr.io/nvidia/x:1", SameImage},
		{"localhost:5000/x:1", "localhost:5000/x:1", SameImage},
		{"localhost:5000/x:1", "x:1", DifferentImage},
		{"x/y:v1", "x/y:V1", DifferentImage},
		{"x/y:v1", "x/y:v2", DifferentImage},
		{"x/y:v1" + digest, "x/y:v1" + digest, SameImage},
		{"x/y:v1" + digest, "x/y:v2" + digest, SameImage},
		{"x/y:v1" + digest, "x/y:v1" + other, DifferentImage},
		{"x/y:v1" + digest, "x/y:v1", OneSidedImage},
		{"x/y:v1" + digest, "x/y:v2", DifferentImage},
	} {
		if got := CompareImages(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %d", c.a, c.b, got)
		}
		if got := CompareImages(c.b, c.a); got != c.want {
			t.Errorf("%s and %s: %d", c.b, c.a, got)
		}
	}
	state := func(ran string, recorded bool) PointState {
		return PointState{Planned: Planned{Image: "x/y:v1"}, Evals: []EvalRow{{Source: "e", Image: ran, HasImage: recorded}}}
	}
	list := ImageFindings([]PointState{state("x/y:v1", true), state("x/y:v2", true), state("x/y:v1"+digest, true), state("", false)})
	if diff := cmp.Diff([]string{"eval-image-differs e", "eval-image-one-sided e"}, codes(list)); diff != "" {
		t.Error(diff)
	}
}
