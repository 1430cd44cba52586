package localrun

import "testing"

const bar = `{"default":{"gsm8k":0.90,"free":0},"models":{"orchid":{"gsm8k":0.95},"other":{"gsm8k":0.99}}}`

func TestThresholds(t *testing.T) {
	files := map[string]*thresholds{
		"sections": readThresholds("t", []byte(bar)),
		"flat":     readThresholds("t", []byte("gsm8k: 0.7\n")),
		"broken":   readThresholds("t", []byte("a: [")),
		"list":     readThresholds("t", []byte("[1]")),
		"none":     nil,
	}
	tests := []struct {
		file, model, task string
		want              float64
	}{
		{"sections", "orchid", "gsm8k", 0.95}, {"sections", "basalt", "gsm8k", 0.90}, {"sections", "orchid", "free", 0}, {"sections", "orchid", "x", 0.85},
		{"flat", "orchid", "gsm8k", 0.7}, {"broken", "orchid", "gsm8k", 0.85}, {"list", "a", "gsm8k", 0.85}, {"none", "a", "gsm8k", 0.85},
	}
	for _, tt := range tests {
		if got := files[tt.file].bar(tt.model, tt.task); got != tt.want {
			t.Errorf("%s %s %s: %v, want %v", tt.file, tt.model, tt.task, got, tt.want)
		}
	}
}

func TestScores(t *testing.T) {
	tests := []struct {
		name   string
		newest string // the wanted code by contract
		august string
		result string
	}{
		{"good", "", "", `{"results":{"gsm8k":{"exact_match,strict-match":0.96,"exact_match_stderr,strict-match":0.01}}}`},
		{"one of two below", "localrun.eval-score", "localrun.eval-score", `{"results":{"gsm8k":{"exact_match,strict-match":0.96,"exact_match,flexible-extract":0.94}}}`},
		{"equal to the bar", "", "", `{"results":{"gsm8k":{"exact_match,strict-match":0.95}}}`},
		{"declared metric", "", "localrun.eval-nothing", `{"results":{"x":{"acc,none":0.9}},"configs":{"x":{"metric_list":[{"metric":"acc"}]}}}`},
		{"declared metric below", "localrun.eval-score", "localrun.eval-nothing", `{"results":{"x":{"acc,none":0.8}},"configs":{"x":{"metric_list":[{"metric":"acc"}]}}}`},
		{"not a number", "localrun.eval-score", "localrun.eval-score", `{"results":{"gsm8k":{"exact_match,strict-match":NaN}}}`},
		{"text", "localrun.eval-nothing", "localrun.eval-nothing", `{"results":{"gsm8k":{"exact_match,strict-match":"1.0"}}}`},
		{"broken eval", "localrun.eval-integration", "", `{"integration_error":{"type":"x"},"results":{"gsm8k":{"exact_match,strict-match":0.96}}}`},
		{"no samples", "localrun.eval-samples", "", `{"n-samples":{"gsm8k":{"effective":0}},"results":{"gsm8k":{"exact_match,strict-match":0.96}}}`},
		{"samples", "", "", `{"n-samples":{"gsm8k":{"effective":10}},"results":{"gsm8k":{"exact_match,strict-match":0.96}}}`},
		{"empty", "localrun.eval-nothing", "localrun.eval-nothing", `{}`},
	}
	for _, tt := range tests {
		for contract, want := range map[Contract]string{newestContract: tt.newest, augustContract: tt.august} {
			point := &Point{Row: parse(t, `{"model-prefix":"orchid"}`), EvalOnly: true}
			j := judge{point: point, contract: contract, root: rootWith(t, map[string]string{"results_1.json": tt.result}), bars: readThresholds("t", []byte(bar))}
			if err := j.scores(); codeOf(err) != want {
				t.Errorf("%s, suites %t: %v, want %s", tt.name, contract.Suites, err, want)
			}
		}
	}
}

func TestBatchedEvalsNeedEveryConcurrency(t *testing.T) {
	const good = `{"results":{"gsm8k":{"exact_match,strict-match":0.96}}}`
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{[]string{"results_x_conc8.json", "results_x_conc32_2.json"}, ""},
		{[]string{"results_x_conc8.json"}, "localrun.eval-missing"},
		{[]string{"results_x.json", "results_y_conc328.json"}, "localrun.eval-missing"},
	} {
		files := make(map[string]string)
		for _, name := range tt.files {
			files[name] = good
		}
		point := &Point{Multinode: true, EvalOnly: true, Env: Environment{{"EVAL_CONC", "8 32"}}}
		j := judge{point: point, contract: newestContract, root: rootWith(t, files)}
		if err := j.scores(); codeOf(err) != tt.want {
			t.Errorf("%v: %v, want %s", tt.files, err, tt.want)
		}
	}
}
