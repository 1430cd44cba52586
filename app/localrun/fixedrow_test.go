package localrun

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// aggregation is a case of the results corpus.
type aggregation struct {
	What  string `json:"what"`
	Input struct {
		Env       rowEnv                     `json:"env"`
		Benchmark json.RawMessage            `json:"benchmark"`
		Files     map[string]json.RawMessage `json:"files"`
	} `json:"input"`
	Expect map[string]struct {
		Error   bool           `json:"error"`
		File    string         `json:"file"`
		Row     map[string]any `json:"row"`
		Rows    map[string]any `json:"rows"`
		Summary struct {
			Missing    []int64 `json:"missing_concurrencies"`
			Unexpected []int64 `json:"unexpected_concurrencies"`
			Exit       int     `json:"exit_code"`
			Points     []struct {
				Source string `json:"source"`
				Conc   int64  `json:"concurrency"`
				Exit   int    `json:"exit_code"`
				Error  string `json:"error"`
			} `json:"points"`
		} `json:"summary"`
	} `json:"expect"`
}

// resultsCorpus is the folder of recorded results of the reference.
func resultsCorpus(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus-results")
	if corpus := os.Getenv("SWEEPBOT_CORPUS"); corpus != "" {
		dir = filepath.Clean(corpus) + "-results"
	}
	if _, err := os.Stat(filepath.Join(dir, "cases.jsonl")); err != nil {
		if os.Getenv("SWEEPBOT_REQUIRE_CORPUS") == "1" {
			t.Fatalf("the corpus is required and not found: %v", err)
		}
		t.Skip("no results corpus found; it lies beside the corpus that SWEEPBOT_CORPUS names")
	}
	return dir
}

func TestRowsOfTheCorpus(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(resultsCorpus(t), "aggregation", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var kind struct{ What string }
		if err := json.Unmarshal(data, &kind); err != nil {
			t.Fatal(err)
		}
		if kind.What != "fixed-row" && kind.What != "multinode-batch" {
			continue
		}
		var c aggregation
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		cases++
		t.Run(filepath.Base(name), func(t *testing.T) {
			if kind.What == "fixed-row" {
				c.checkRow(t)
			} else {
				c.checkBatch(t)
			}
		})
	}
	if cases == 0 {
		t.Error("the corpus has no case of fixed-sequence rows")
	}
}

func (c aggregation) checkRow(t *testing.T) {
	for profile, want := range c.Expect {
		raw, err := parseDocument(c.Input.Benchmark)
		if err != nil {
			t.Fatal(err)
		}
		row, err := fixedRow(c.Input.Env, raw, profile == "2026-11")
		if (err != nil) != want.Error {
			t.Fatalf("%s: %v, refused is %t", profile, err, want.Error)
		}
		if err == nil {
			sameRow(t, profile, want.Row, row.String())
		}
	}
}

// sameRow compares a row with the recorded one, without its power fields.
func sameRow(t *testing.T, name string, want any, got string) {
	t.Helper()
	var row map[string]any
	if err := json.Unmarshal([]byte(got), &row); err != nil {
		t.Fatal(err)
	}
	recorded, _ := want.(map[string]any)
	for key := range recorded {
		if strings.HasPrefix(key, "power_") {
			delete(recorded, key)
		}
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) })
	if diff := cmp.Diff(recorded, row, near); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// batchErrors are the corpus's words for our codes.
var batchErrors = map[string]string{
	"name-unparsable": "localrun.batch-name", "conc-mismatch": "localrun.batch-conc", "conc-duplicate": "localrun.batch-twice",
	"roles-missing": "localrun.batch-roles", "roles-sum": "localrun.batch-sum", "aggregate-with-roles": "localrun.batch-aggregate",
}

func (c aggregation) checkBatch(t *testing.T) {
	want := c.Expect["2026-11"]
	var files []rawFile
	for name, data := range c.Input.Files {
		files = append(files, rawFile{name, data})
	}
	points, err := batch(c.Input.Env, files)
	if (err != nil) != (want.Summary.Exit != 0) {
		t.Errorf("exit %d: %v", want.Summary.Exit, err)
	}
	if len(points) != len(want.Summary.Points) {
		t.Fatalf("%d points, want %d", len(points), len(want.Summary.Points))
	}
	for i, p := range points {
		w := want.Summary.Points[i]
		if p.file != w.Source || p.conc != w.Conc || codeOf(p.err) != batchErrors[w.Error] {
			t.Errorf("%s conc %d: %v, want %+v", p.file, p.conc, p.err, w)
		}
		if p.err == nil {
			sameRow(t, p.file, want.Rows["agg_"+p.file], p.row.String())
		}
	}
}

// rowInput is an environment and a raw result that make a row.
func rowInput() (rowEnv, string) {
	return rowEnv{
		"RUNNER_TYPE": "aurora", "FRAMEWORK": "vllm", "PRECISION": "fp8", "SPEC_DECODING": "none", "RESULT_FILENAME": "x", "ISL": "1024", "OSL": "1024",
		"DISAGG": "false", "MODEL_PREFIX": "orchid", "IMAGE": "i", "TP": "2", "EP_SIZE": "1", "DP_ATTENTION": "false",
	}, `{"model_id":"m","max_concurrency":4,"total_token_throughput":100,"output_throughput":40,"median_tpot_ms":8,"x_tpot":4}`
}

func TestRowArithmetic(t *testing.T) {
	env, raw := rowInput()
	env["PCP_SIZE"], env["DCP_SIZE"] = "2", "2"
	row, err := fixedRow(env, parse(t, raw), true)
	if err != nil {
		t.Fatal(err)
	}
	// DCP shares GPUs, PCP multiplies them.
	for name, want := range map[string]string{
		"tput_per_gpu": "25", "output_tput_per_gpu": "10", "input_tput_per_gpu": "15", "median_tpot": "0.008", "median_intvty": "125", "x_intvty": "250", "x_tpot": "",
	} {
		if got := text(row, name); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
}

func TestRowsThatCannotBe(t *testing.T) {
	type change func(env rowEnv, raw *string)
	set := func(name, value string) change { return func(env rowEnv, _ *string) { env[name] = value } }
	edit := func(old, now string) change {
		return func(_ rowEnv, raw *string) { *raw = strings.Replace(*raw, old, now, 1) }
	}
	tests := []struct {
		name          string
		change        change
		newest, older string
	}{
		{"as it is", func(rowEnv, *string) {}, "", ""},
		{"missing variable", func(env rowEnv, _ *string) { delete(env, "IMAGE") }, "localrun.row-environment", "localrun.row-environment"},
		{"empty variable", set("IMAGE", ""), "", ""},
		{"no PP", set("PP_SIZE", "0"), "localrun.row-number", "localrun.row-number"},
		{"text for TP", set("TP", "two"), "localrun.row-number", "localrun.row-number"},
		{"disaggregated", set("DISAGG", "true"), "localrun.row-disagg", "localrun.row-disagg"},
		{"router", set("ROUTER_METADATA", `{"name":"r","version":"1"}`), "", ""},
		{"router with more", set("ROUTER_METADATA", `{"name":"r","version":"1","x":1}`), "localrun.row-router", "localrun.row-router"},
		{"zero time per token", edit(`ms":8`, `ms":0`), "", "localrun.raw-member"},
		{"latency is no number", edit(`ms":8`, `ms":"8"`), "localrun.raw-member", "localrun.raw-member"},
		{"latency is not finite", edit(`ms":8`, `ms":NaN`), "", "localrun.raw-member"},
		{"throughput is not finite", edit(`throughput":100`, `throughput":Infinity`), "localrun.raw-member", "localrun.raw-member"},
		{"negative throughput", edit(`throughput":100`, `throughput":-1`), "localrun.raw-member", "localrun.raw-member"},
		{"half a request", edit(`rency":4`, `rency":4.5`), "localrun.raw-member", "localrun.raw-member"},
		{"huge concurrency", edit(`rency":4`, `rency":1e400`), "localrun.raw-member", "localrun.raw-member"},
	}
	for _, tt := range tests {
		env, raw := rowInput()
		tt.change(env, &raw)
		doc, err := parseDocument([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fixedRow(env, doc, true); codeOf(err) != tt.newest {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.newest)
		}
		if _, err := fixedRow(env, doc, false); codeOf(err) != tt.older {
			t.Errorf("%s, older rules: %v, want %q", tt.name, err, tt.older)
		}
	}
}

func TestOlderMultiNodeFiles(t *testing.T) {
	env := rowEnv{
		"RUNNER_TYPE": "boreal", "FRAMEWORK": "vllm", "PRECISION": "fp8", "SPEC_DECODING": "none", "ISL": "1", "OSL": "1", "DISAGG": "true", "MODEL_PREFIX": "m",
		"IMAGE": "i", "PREFILL_NUM_WORKERS": "1", "PREFILL_TP": "4", "PREFILL_EP": "1", "PREFILL_DP_ATTN": "false",
		"DECODE_NUM_WORKERS": "1", "DECODE_TP": "8", "DECODE_EP": "1", "DECODE_DP_ATTN": "false",
	}
	file := func(name string) rawFile {
		return rawFile{name, []byte(`{"max_concurrency":4,"total_token_throughput":120,"output_throughput":80}`)}
	}
	points, err := oneByOne(env, []rawFile{file("x_conc4_gpus_12_ctx_4_gen_8.json"), file("x_conc4_gpus_12.json"), file("x_conc4.json")})
	if err != nil || len(points) != 2 {
		t.Fatalf("%v, %d points", err, len(points))
	}
	for i, want := range []string{"4+8 10 10 10", "12+0 10 " + "6.666666666666667 3.3333333333333335"} {
		row := points[i].row
		got := text(row, "num_prefill_gpu") + "+" + text(row, "num_decode_gpu") + " " + text(row, "tput_per_gpu") + " " +
			text(row, "output_tput_per_gpu") + " " + text(row, "input_tput_per_gpu")
		if got != want {
			t.Errorf("point %d: %s, want %s", i, got, want)
		}
	}
	if got := text(points[1].row, "decode_tp"); got != "0" {
		t.Errorf("a role without GPUs has decode_tp %s", got)
	}
}

func TestFirstFindingOfABatchIsNotHidden(t *testing.T) {
	points := []batchPoint{{conc: 1}, {err: diag.New("localrun.batch-name", diag.Place{})}}
	if err := batchError(rowEnv{"CONC_LIST": "1"}, points); codeOf(err) != "localrun.batch-name" {
		t.Error(err)
	}
}
