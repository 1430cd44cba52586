package results

import (
	"testing"

	"github.com/sweepbot/sweepbot/results/failure"
)

// TestDecideRerunFromJobs decides from the jobs of a covered run, without a
// record: a job of a later attempt is a re-run, whoever asked for it.
func TestDecideRerunFromJobs(t *testing.T) {
	planned, _ := sweep(t)
	policy := failure.Policy{Enabled: true, PerJob: 1, PerRun: 8}
	broken := func(conc int, attempt int, class failure.Class) Job {
		j := job(conc, "failure", attempt)
		j.ID, j.Failure = int64(conc*10+attempt), &failure.Verdict{Class: class}
		return j
	}
	first := []Job{broken(16, 1, failure.Infrastructure)}
	for name, c := range map[string]struct {
		jobs    []Job
		current bool
		want    failure.Why
	}{
		"a machine failed":         {first, true, failure.RerunDecided},
		"an older run":             {first, false, failure.RerunSuperseded},
		"the machine failed again": {append(first, broken(16, 2, failure.Infrastructure)), true, failure.RerunLimit},
		"the engine failed":        {[]Job{broken(16, 1, failure.Runtime)}, true, failure.RerunNone},
		"it is still running":      {append(first, job(4, "", 1)), true, failure.RerunUnfinished},
	} {
		d := DecideRerun(policy, Cover(planned, Harvest{}, c.jobs, Thresholds{}), 7, c.current)
		if d.Why != c.want {
			t.Errorf("%s: %+v", name, d)
		}
		if d.Rerun && (len(d.Jobs) != 1 || d.Jobs[0] != 161 || d.Record.Attempt != 2) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
