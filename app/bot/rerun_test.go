package bot

import (
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// TestRerunOfMachineFailures holds when failed points run again by themselves:
// only where the settings say so, only when machines failed all of them, only
// while the run counts, and only so often.
func TestRerunOfMachineFailures(t *testing.T) {
	planned, err := samplePlan(ctx, &samplePlanner{}, PlanOrder{Labels: []string{failFast}, PR: 12})
	if err != nil {
		t.Fatal(err)
	}
	// jobs are those of all points, green but for the first, which no runner
	// ever took, and for the second where more is said.
	jobs := func(change func(list []Job)) []Job {
		var out []Job
		for _, f := range planned.Families {
			for _, r := range f.Rows {
				out = append(out, Job{ID: int64(100 + len(out)), Name: f.Prefix + " p1.5 | " + JobTitle(r), Attempt: 1, Status: "completed", Conclusion: "success", RunnerName: "r"})
			}
		}
		out[0].Conclusion, out[0].RunnerName = "failure", ""
		if change != nil {
			change(out)
		}
		return out
	}
	on := config.Rerun{Infrastructure: true, PerPoint: 1, PerRun: 4}
	for name, c := range map[string]struct {
		settings config.Rerun
		head     string
		jobs     []Job
		want     bool
	}{
		"a machine":        {on, shaA, jobs(nil), true},
		"switched off":     {config.Rerun{PerPoint: 1, PerRun: 4}, shaA, jobs(nil), false},
		"an older head":    {on, shaB, jobs(nil), false},
		"a point as well":  {on, shaA, jobs(func(l []Job) { l[1].Conclusion = "failure" }), false},
		"nothing failed":   {on, shaA, jobs(func(l []Job) { l[0].Conclusion = "success" }), false},
		"still going on":   {on, shaA, jobs(func(l []Job) { l[1].Status, l[1].Conclusion = "in_progress", "" }), false},
		"run again before": {on, shaA, append(jobs(nil), jobs(func(l []Job) { l[0].ID, l[0].Attempt = 900, 2 })[0]), false},
	} {
		run := &Run{ID: 7, Attempt: 1, HeadSHA: shaA, Status: "completed"}
		var d Decided
		rerunMachines(c.settings, &PullRequest{Number: 12, HeadSHA: c.head}, run, &planned, c.jobs, &d)
		if got := len(d.Intents) == 1; got != c.want {
			t.Errorf("%s: run again %v, want %v", name, got, c.want)
		}
	}
}

// TestRerunOnce holds that an attempt is run again once, whoever asks how
// often, and that a run that somebody else has started again is left alone.
func TestRerunOnce(t *testing.T) {
	s := newStage(t, AsApp)
	s.runs = append(s.runs, Run{ID: 7, Attempt: 1, Status: "completed", Conclusion: "failure"})
	for i := range 3 {
		var d Decided
		d.add(&RerunFailed{RunID: 7, Attempt: 1}, note("bot.welcome-why"))
		results, err := (&Executor{World: s.world(), Journal: &MemoryJournal{}}).Perform(ctx, d.Intents)
		if err != nil || results.Err() != nil {
			t.Fatal(err, results.Err())
		}
		want := StateAlready
		if i == 0 {
			want = StateDone
		}
		if results[0].State != want {
			t.Errorf("time %d: %s, want %s", i+1, results[0].State, want)
		}
	}
	if run := s.runs[len(s.runs)-1]; run.Attempt != 2 {
		t.Errorf("the run has attempt %d", run.Attempt)
	}
}
