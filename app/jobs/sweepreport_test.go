package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/results/report"
)

// listed is a run whose jobs GitHub lists; err is what it says instead.
type listed struct {
	bot.Runs
	jobs []bot.Job
	err  error
}

func (l listed) Jobs(context.Context, int64, int) ([]bot.Job, error) { return l.jobs, l.err }

const (
	sampleRow  = `[{"hw":"aurora","conc":4,"image":"i","model":"m","infmax_model_prefix":"orchid","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":1024,"osl":1024,"is_multinode":false,"tp":1,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":100,"output_tput_per_gpu":50,"input_tput_per_gpu":50,"median_ttft":0.2,"median_e2el":1}]`
	sampleEval = `[{"is_multinode":false,"model_prefix":"orchid","model":"m","hw":"AURORA","framework":"vllm","precision":"fp8","spec_decoding":"none","isl":8192,"osl":1024,"tp":1,"ep":1,"conc":16,"dp_attention":"false","prefill_tp":1,"prefill_ep":1,"prefill_num_workers":1,"decode_tp":1,"decode_ep":1,"decode_num_workers":1,"prefill_dp_attention":"false","decode_dp_attention":"false","task":"gsm8k","em_strict":%[1]v,"em_strict_se":0.01,"em_flexible":%[1]v,"em_flexible_se":0.01,"n_eff":1319,"source":"eval_results/eval_x/results.json","score":%[1]v,"score_name":"em_strict","score_se":0.01}]`
)

// jobsOf makes a job for each point, named as the workflows name them; every
// other single-node point of 1k1k never reached a runner.
func jobsOf(s *scene, families string) []bot.Job {
	s.t.Helper()
	var all Families
	if err := json.Unmarshal([]byte(families), &all); err != nil {
		s.t.Fatal(err)
	}
	var out []bot.Job
	for _, shard := range all["sweep-single-node-1k1k"] {
		for i, p := range shard.Points {
			j := bot.Job{ID: int64(100 + i), Attempt: 1, Conclusion: "success", RunnerName: "aurora_0", URL: fmt.Sprintf("https://github.com/x/y/actions/runs/99/job/%d", 100+i)}
			if j.Name = "sweep / single-node 1k1k / / " + p.ID + " / " + p.Title; i%2 == 1 {
				j.Conclusion, j.RunnerName = "failure", ""
			}
			out = append(out, j)
		}
	}
	return append(out, bot.Job{ID: 1, Name: "sweep / setup", Attempt: 1, Conclusion: "success"}, bot.Job{ID: 2, Name: "sweep / report / report", Attempt: 1})
}

// TestReportJob makes the report of a planned sweep of which one point has a
// row, some jobs failed on their machine, and the others left nothing.
func TestReportJob(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	out := s.planned()
	jobs := jobsOf(s, out["families"])
	s.env["SWEEPBOT_RESULTS"] = "canary-sweep=success sweep-agentic=failure"
	s.write(filepath.Join(s.temp, "sweepbot", inFolder, "results_bmk", rowsFile), sampleRow)
	wantCode(t, Report(t.Context(), s.host(), listed{jobs: jobs}), "jobs.not-successful")
	summary := s.read(s.env["GITHUB_STEP_SUMMARY"])
	for _, want := range []string{
		"### Verdict", "### Sweep results", "no result was found", "[run 99](https://github.com/example/sample-bench/actions/runs/99)",
		"| failed | infrastructure |", "[log](https://github.com/x/y/actions/runs/99/job/101)",
		"Automatic re-runs are switched off (sweep.rerun.infrastructure); switched on,", "| yes | only its machine failed |",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary lacks %q: %s", want, summary)
		}
	}
	r := readReport(s)
	served := slices.ContainsFunc(r.Points, func(p report.Point) bool { return len(p.Serve) > 0 && len(p.Serve[0].Argv) > 0 })
	linked := slices.ContainsFunc(r.Points, func(p report.Point) bool { return len(p.Jobs) == 1 && p.Jobs[0].URL == jobs[0].URL })
	if !served || !linked {
		t.Errorf("serve commands %t, links to jobs %t", served, linked)
	}
	for _, name := range []string{"report.html", "report.csv"} {
		if text := s.read(filepath.Join(s.temp, "sweepbot", outFolder, name)); !strings.Contains(text, "orchid") {
			t.Errorf("%s: %.200s", name, text)
		}
	}
	if pictures, err := filepath.Glob(filepath.Join(s.temp, "sweepbot", outFolder, "pareto-*")); err != nil || len(pictures) < 2 {
		t.Errorf("pictures %v %v", pictures, err)
	}
	if log := s.log.String(); !strings.Contains(log, "::error file=configs/aurora-master.yaml,line=") || !strings.Contains(log, "did not pass") {
		t.Errorf("no annotation at the config: %.500s", log)
	}
}

func readReport(s *scene) report.Report {
	s.t.Helper()
	r, list := report.Read("report.json", []byte(s.read(filepath.Join(s.temp, "sweepbot", outFolder, "report.json"))))
	if list != nil {
		s.t.Fatal(list)
	}
	return r
}

// TestReportJobJudgesEvals holds the score of an eval against the bars of the
// measured commit, which the plan carries, and not against what anybody wrote
// into the folder since.
func TestReportJobJudgesEvals(t *testing.T) {
	for score, want := range map[float64]string{0.2: report.ScoreBelow, 0.99: report.ScorePassed} {
		s := newScene(t, sampleEntry, nil)
		s.planned()
		s.env["SWEEPBOT_RESULTS"] = "x=y"
		s.write(filepath.Join(s.temp, "sweepbot", inFolder, "eval_results_all", evalsFile), fmt.Sprintf(sampleEval, score))
		wantCode(t, Report(t.Context(), s.host(), listed{}), "jobs.not-successful")
		var got []string
		for _, p := range readReport(s).Points {
			for _, score := range p.Scores {
				got = append(got, score.Verdict)
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%v: %q, want %s: %+v", score, got, want, readReport(s).Findings)
		}
		s.write(filepath.Join(s.temp, "sweepbot", collect.ThresholdsFile), "default: {gsm8k: 0}")
		wantCode(t, Report(t.Context(), s.host(), listed{}), "jobs.digest")
	}
}

// TestReportJobWithoutJobs still makes the report when GitHub does not answer.
func TestReportJobWithoutJobs(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.planned()
	s.env["SWEEPBOT_RESULTS"] = "x=y"
	wantCode(t, Report(t.Context(), s.host(), listed{err: errors.New("no rights")}), "jobs.not-successful")
	r := readReport(s)
	if !slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Code == "jobs.no-jobs" && f.Severity == "warning" }) || r.Coverage.Total.Missing == 0 {
		t.Errorf("%+v %+v", r.Coverage.Total, r.Findings)
	}
}

// TestPlanTellsOfMovedBars warns where a change moves what its evals are judged
// by.
func TestPlanTellsOfMovedBars(t *testing.T) {
	for moved, want := range map[string]bool{"": false, "default: {gsm8k: 0.1}\n": true} {
		s := newScene(t, sampleEntry, nil)
		if moved != "" {
			s.git("checkout", "-q", "change")
			s.write(filepath.Join(s.dir, "configs/eval-thresholds.yaml"), moved)
			s.head = s.commit("Lower the bars")
			s.git("checkout", "-q", "--detach", s.base)
			s.git("merge", "-q", "--no-ff", "-m", "merge", s.head)
			s.sha = s.git("rev-parse", "HEAD")
			s.env["GITHUB_SHA"] = s.sha
			s.event("labeled", "full-sweep-fail-fast")
		}
		s.planned()
		if got := strings.Contains(s.log.String(), "moves the bars"); got != want {
			t.Errorf("moved %q: warned %t", moved, got)
		}
		if moved != "" && s.read(filepath.Join(s.temp, "sweepbot", collect.ThresholdsFile)) != moved {
			t.Error("the plan has other bars than the measured commit")
		}
	}
}
