package localrun

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// judged checks files against the first point of a family.
func judged(t *testing.T, family string, c Contract, files map[string]string) error {
	t.Helper()
	for _, p := range onePerFamily(t, c) {
		if p.Family != family {
			continue
		}
		named := make(map[string]string)
		for name, text := range files {
			named[strings.ReplaceAll(name, "RF", p.ResultName)] = text
		}
		j := judge{point: p, contract: c, root: rootWith(t, named)}
		return j.check(context.Background())
	}
	t.Fatalf("no family %s", family)
	return nil
}

const (
	goodRaw     = `{"model_id":"m","max_concurrency":%d,"completed":9,"num_prompts":9,"total_token_throughput":100,"output_throughput":10,"median_ttft_ms":5,"median_tpot_ms":2}`
	goodAgentic = `{"num_requests_successful":3}`
	goodSummary = `{"request_count":{"avg":9},"error_request_count":{"avg":1}}`
	goodEval    = `{"results":{"gsm8k":{"exact_match,strict-match":0.9}}}`
)

func raw(conc int) string { return fmt.Sprintf(goodRaw, conc) }

// Families of the sample by the shape of their rows.
const (
	singleFixed, singleAgentic = "sweep-single-node-1k1k", "sweep-agentic"
	multiFixed, multiAgentic   = "sweep-multi-node-8k1k", "sweep-multi-node-agentic"
	singleEval                 = "sweep-evals"
)

func TestWhatAPointMustProduce(t *testing.T) {
	const summary = "results/aiperf_artifacts/profile_export_aiperf.json"
	three := map[string]string{"RF_conc8_gpus_12_ctx_4_gen_8.json": raw(8), "RF_conc32_gpus_12_ctx_4_gen_8.json": raw(32), "RF_conc128_gpus_12_ctx_4_gen_8.json": raw(128)}
	tests := []struct {
		name, family string
		files        map[string]string
		want         string
	}{
		{"single fixed", singleFixed, map[string]string{"RF.json": raw(4)}, ""},
		{"single fixed, nothing", singleFixed, nil, "localrun.no-result"},
		{"single fixed, other name", singleFixed, map[string]string{"RF_x.json": raw(4)}, "localrun.no-result"},
		{"single fixed, no throughput", singleFixed, map[string]string{"RF.json": `{"max_concurrency":4}`}, "results.raw-field"},
		{"single fixed, F45", singleFixed, map[string]string{"RF.json": strings.Replace(raw(4), `"completed":9`, `"completed":0`, 1)}, "localrun.nothing-completed"},
		{"single agentic", singleAgentic, map[string]string{"RF.json": goodAgentic, summary: goodSummary}, ""},
		{"single agentic, in a run folder", singleAgentic, map[string]string{"RF.json": goodAgentic, "results/aiperf_artifacts/run1/profile_export_aiperf.json": goodSummary}, ""},
		{"single agentic, nothing", singleAgentic, map[string]string{summary: goodSummary}, "localrun.no-result"},
		{"single agentic, no summary", singleAgentic, map[string]string{"RF.json": goodAgentic}, "localrun.no-file"},
		{"single agentic, too many errors", singleAgentic, map[string]string{"RF.json": goodAgentic, summary: `{"request_count":{"avg":8},"error_request_count":{"avg":1}}`}, "results.agentic-failures"},
		{"single agentic, no success", singleAgentic, map[string]string{"RF.json": `{"num_requests_successful":0}`, summary: goodSummary}, "localrun.no-successes"},
		{"multi fixed", multiFixed, three, ""},
		{"multi fixed, nothing", multiFixed, nil, "localrun.no-results"},
		{"multi fixed, one missing", multiFixed, map[string]string{"RF_conc8_gpus_12_ctx_4_gen_8.json": raw(8)}, "localrun.batch-set"},
		{"multi agentic", multiAgentic, map[string]string{"RF_conc4.json": goodAgentic}, ""},
		{"multi agentic, nothing", multiAgentic, nil, "localrun.agentic-count"},
		{"multi agentic, too many", multiAgentic, map[string]string{"RF_conc4.json": goodAgentic, "RF_conc5.json": goodAgentic}, "localrun.agentic-count"},
		{"multi agentic, no success", multiAgentic, map[string]string{"RF_conc4.json": `{"num_requests_successful":0}`}, "localrun.no-successes"},
		{"eval", singleEval, map[string]string{"results_1.json": goodEval}, ""},
		{"eval, nothing", singleEval, map[string]string{"RF.json": raw(16)}, "localrun.no-eval-results"},
		{"eval, below the bar", singleEval, map[string]string{"results.json": strings.Replace(goodEval, "0.9", "0.84", 1)}, "localrun.eval-score"},
		{"eval, nothing judged", singleEval, map[string]string{"results.json": `{"results":{"gsm8k":{"acc,none":"0.9"}}}`}, "results.judge-nothing-checked"},
	}
	for _, tt := range tests {
		if err := judged(t, tt.family, newestContract, tt.files); codeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestMessagesOfTheResultCheck pins the sentences that people search logs for
// (spec/labels-and-sweeps.md section 9.9).
func TestMessagesOfTheResultCheck(t *testing.T) {
	for want, f := range map[string]diag.Finding{
		"Eval-only run failed: no results*.json files found.":        diag.New("localrun.no-eval-results", diag.Place{}),
		"Run failed: Benchmark result a_b.json not found.":           diag.New("localrun.no-result", diag.Place{}, "name", "a_b"),
		"Run failed: expected 3 agentic results, found 2.":           diag.New("localrun.agentic-count", diag.Place{}, "want", "3", "got", "2"),
		"Run failed: a_conc4.json has zero successful requests.":     diag.New("localrun.no-successes", diag.Place{}, "file", "a_conc4.json"),
		"Run failed: No benchmark result files found for a_b_*.json": diag.New("localrun.no-results", diag.Place{}, "name", "a_b"),
	} {
		if got := f.Message(catalog.English); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestRowsAreWrittenOverLinks(t *testing.T) {
	root := rootWith(t, map[string]string{"target": "untouched"})
	if err := root.Symlink("target", "agg_x.json"); err != nil {
		t.Fatal(err)
	}
	j := judge{root: root}
	if err := j.writeRow(results.Built{File: "agg_x.json", Row: parse(t, `{"a":1}`)}); err != nil {
		t.Fatal(err)
	}
	data, err := root.ReadFile("target")
	if err != nil || string(data) != "untouched" {
		t.Errorf("%q %v", data, err)
	}
	if info, err := root.Lstat("agg_x.json"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v %v", info, err)
	}
}

func TestLargeResultsAreRefused(t *testing.T) {
	root := rootWith(t, nil)
	f, err := root.Create("big.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxResultBytes + 1); err != nil { // takes no space
		t.Fatal(err)
	}
	f.Close()
	if _, err := readRegular(root, "big.json", maxResultBytes); codeOf(err) != "localrun.too-large" {
		t.Error(err)
	}
	if _, err := readRegular(root, "absent.json", 1); !os.IsNotExist(err) {
		t.Error(err)
	}
}
