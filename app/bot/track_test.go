package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// job is a finished job of a point.
func job(id int64, name, conclusion string) Job {
	j := Job{ID: id, Attempt: 1, Name: name, Status: "completed", Conclusion: conclusion, RunnerName: "aurora-rack_00",
		StartedAt: epoch, CompletedAt: epoch.Add(time.Duration(id) * time.Minute)}
	switch conclusion {
	case "in_progress", "queued", "waiting", "pending":
		j.Status, j.Conclusion, j.CompletedAt = conclusion, "", time.Time{}
	}
	return j
}

func finishedRun(conclusion string) Run {
	return Run{ID: 9, Attempt: 1, HeadSHA: shaA, Status: "completed", Conclusion: conclusion, Event: "pull_request", UpdatedAt: epoch}
}

var uploaded = []Artifact{{ID: 1, Name: "results_bmk"}}

func TestTrackOutcomes(t *testing.T) {
	point := "single-node 1k1k / p1.000 | orchid fp8"
	for name, c := range map[string]struct {
		t    Tracked
		want RunOutcome
	}{
		"all green":             {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "success")}, Artifacts: uploaded}, OutcomePassed},
		"agentic upload counts": {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, "agentic / x", "success")}, Artifacts: []Artifact{{Name: "bmk_agentic_x"}}}, OutcomePassed},
		"F22 gate only":         {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, "reuse-sweep-gate", "success"), job(2, "single-node 1k1k /", "skipped")}}, OutcomeNothing},
		"F22 no artifact":       {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "success")}}, OutcomeNoResults},
		"expired artifact":      {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "success")}, Artifacts: []Artifact{{Name: "results_bmk", Expired: true}}}, OutcomeNoResults},
		"collector is green":    {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "failure"), job(2, "collect-results", "success")}, Artifacts: uploaded}, OutcomeFailed},
		"fail-fast ends so":     {Tracked{Run: finishedRun("cancelled"), Jobs: []Job{job(1, point, "failure"), job(2, point+"2", "cancelled")}, Artifacts: uploaded}, OutcomeFailed},
		"S59 cancelled":         {Tracked{Run: finishedRun("cancelled"), Jobs: []Job{job(1, point, "success"), job(2, point+"2", "cancelled")}, Artifacts: uploaded}, OutcomeCancelled},
		"superseded":            {Tracked{Run: finishedRun("cancelled")}, OutcomeNothing},
		"validator failed":      {Tracked{Run: finishedRun("failure"), Jobs: []Job{job(1, "check-changelog", "failure")}}, OutcomeRefused},
		"never started":         {Tracked{Run: finishedRun("startup_failure")}, OutcomeRefused},
		"F57 awaits approval":   {Tracked{Run: finishedRun("action_required")}, OutcomeWaiting},
		"F12 points are lost": {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "success")}, Artifacts: uploaded,
			Planned: []FamilyProgress{{Name: "single-node 1k1k", Tally: Tally{Planned: 1}}, {Name: "eval", Tally: Tally{Planned: 2}}}}, OutcomeIncomplete},
		"F10 points were planned and all skipped": {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, "sweep / setup", "success"), job(2, "eval /", "skipped")},
			Planned: []FamilyProgress{{Name: "eval", Tally: Tally{Planned: 5}}}}, OutcomeIncomplete},
		"a gate that skips the plan": {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, "sweep / setup", "skipped"), job(2, "eval /", "skipped")},
			Planned: []FamilyProgress{{Name: "eval", Tally: Tally{Planned: 5}}}}, OutcomeNothing},
		"S58 neutral proves nothing": {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "neutral")}, Artifacts: uploaded}, OutcomeIncomplete},
		"S58 unknown word":           {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "victory")}, Artifacts: uploaded}, OutcomeIncomplete},
		"S58 no conclusion":          {Tracked{Run: finishedRun("success"), Jobs: []Job{job(1, point, "")}, Artifacts: uploaded}, OutcomeIncomplete},
		"S58 timed out":              {Tracked{Run: finishedRun("failure"), Jobs: []Job{job(1, point, "timed_out")}, Artifacts: uploaded}, OutcomeFailed},
	} {
		r := track(c.t)
		if r.Outcome != c.want {
			t.Errorf("%s: %s, want %s (%+v)", name, r.Outcome, c.want, r.Points)
		}
		if !r.plausible() {
			t.Errorf("%s: %+v would not be remembered", name, r)
		}
	}
}

func TestTrackFamilies(t *testing.T) {
	for name, want := range map[string]string{
		"single-node 1k1k / p4.500 | dsr1 | eval":          "single-node 1k1k: p4.500 | dsr1 | eval",
		"single-node 1k1k / / p4.500 | dsr1":               "single-node 1k1k: p4.500 | dsr1",
		"multi-node 8k1k 2 / p1 / inner":                   "multi-node 8k1k: inner",
		"multi-node agentic eval / x":                      "multi-node agentic eval: x",
		"agentic / x":                                      "agentic: x",
		"eval / x":                                         "eval: x",
		"canary / x":                                       "canary: x",
		"multi-node canary / x":                            "multi-node canary: x",
		"sweep / single-node 1k1k / / 0123abcd / p1 | x":   "single-node 1k1k: p1 | x",
		"sweep / single-node 1k1k /2 / 0123abcd / TP8/EP8": "single-node 1k1k: TP8/EP8",
		"sweep / canary / / p1 | x":                        "canary: p1 | x",
		"sweep / eval /":                                   "",
		"single-node / x":                                  "single-node: x",
		"single-node 1k1k /":                               "",
		"setup":                                            "",
		"collect-results / x":                              "",
		"evaluation / x":                                   "",
		"my eval / x":                                      "",
		"eval\n/ x":                                        "",
		strings.Repeat("single-node 1k1k ", 1000) + "/ ":   "",
	} {
		family, title, ok := familyOf(name)
		if got := family + ": " + title; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// Re-runs repeat some jobs; of each the newest counts.
func TestTrackAttempts(t *testing.T) {
	first, second := job(1, "eval / a", "failure"), job(5, "eval / a", "success")
	second.Attempt = 2
	run := finishedRun("success")
	run.Attempt = 2
	r := track(Tracked{Run: run, Jobs: []Job{second, first, job(2, "eval / b", "success")}, Artifacts: uploaded})
	if r.Outcome != OutcomePassed || r.Points.Passed != 2 || r.Attempt != 2 {
		t.Errorf("%+v", r)
	}
	// Two points of one name are two.
	if r := track(Tracked{Run: run, Jobs: []Job{job(1, "eval / a", "success"), job(2, "eval / a", "failure")}}); r.Points.Total() != 2 {
		t.Errorf("%+v", r.Points)
	}
}

// The first point that failed is named first, and one that never reached a
// runner is told apart (F64).
func TestTrackFailures(t *testing.T) {
	var jobs []Job
	for i := range 9 {
		j := job(int64(20-i), fmt.Sprint("eval / point ", i), "failure")
		if i == 8 {
			j.RunnerName = ""
		}
		jobs = append(jobs, j)
	}
	r := track(Tracked{Run: finishedRun("failure"), Jobs: jobs})
	if len(r.Failures) != maxFailures || r.MoreFailures != 4 || r.Failures[0] != (FailedPoint{"point 8", 12, true}) || r.Failures[1].NoRunner {
		t.Errorf("%+v and %d more", r.Failures, r.MoreFailures)
	}
}

func TestTrackCanary(t *testing.T) {
	for conclusion, want := range map[string]CanaryState{
		"success": CanaryPassed, "failure": CanaryFailed, "cancelled": CanaryFailed, "neutral": CanaryFailed, "in_progress": CanaryRunning,
		"queued": CanaryWaiting, "skipped": CanaryNone,
	} {
		if got := canaryOf([]Job{job(1, "canary / x", conclusion)}); got != want {
			t.Errorf("%s: %q, want %q", conclusion, got, want)
		}
	}
}

func TestLabelsOfPhases(t *testing.T) {
	for status, want := range map[string]Phase{"completed": PhaseFinished, "in_progress": PhaseRunning, "queued": PhaseQueued,
		"waiting": PhaseQueued, "pending": PhaseQueued, "requested": PhaseQueued, "new word": PhaseQueued} {
		if got := phaseOf(status); got != want {
			t.Errorf("%s: %s", status, got)
		}
	}
}
