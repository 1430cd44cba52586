package jobs

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestReportJob makes the report of a planned sweep of which one point has a
// row, and the others nothing.
func TestReportJob(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.planned()
	s.env["SWEEPBOT_RESULTS"] = "canary-sweep=success sweep-agentic=failure"
	s.write(filepath.Join(s.temp, "sweepbot", inFolder, "results_bmk", rowsFile),
		`[{"hw":"aurora-rack","conc":4,"image":"i","model":"m","infmax_model_prefix":"orchid","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":1024,"osl":1024,"is_multinode":false,"tp":1,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":100,"output_tput_per_gpu":50,"input_tput_per_gpu":50,"median_ttft":0.2,"median_e2el":1}]`)
	wantCode(t, Report(s.host()), "jobs.not-successful")
	summary := s.read(s.env["GITHUB_STEP_SUMMARY"])
	for _, want := range []string{"### Verdict", "### Sweep results", "no result was found", "[run 99](https://github.com/example/sample-bench/actions/runs/99)"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q: %s", want, summary)
		}
	}
	out := filepath.Join(s.temp, "sweepbot", outFolder)
	for _, name := range []string{"report.html", "report.json", "report.csv"} {
		if text := s.read(filepath.Join(out, name)); !strings.Contains(text, "orchid") {
			t.Errorf("%s: %.200s", name, text)
		}
	}
	if pictures, err := filepath.Glob(filepath.Join(out, "pareto-*")); err != nil || len(pictures) < 2 {
		t.Errorf("pictures %v %v", pictures, err)
	}
	if log := s.log.String(); !strings.Contains(log, "::error file=configs/aurora-master.yaml,line=") || !strings.Contains(log, "did not pass") {
		t.Errorf("no annotation at the config: %.500s", log)
	}
}
