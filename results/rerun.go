package results

import (
	"github.com/sweepbot/sweepbot/results/failure"
)

// pointKey names the job of a point across attempts.
func pointKey(p Planned) string { return p.Family + "|" + p.Title }

// DecideRerun decides about running failed points of a covered run again, from
// the jobs of the coverage alone: every job that is of a later attempt than the
// first counts as one re-run of its point, whoever asked for it, so that the
// bounds hold without a record (docs/results.md). Finished says that the jobs of
// all points have ended, Current that the run still counts for its change.
func DecideRerun(policy failure.Policy, c Coverage, run int64, current bool) failure.Decision {
	state := failure.RunState{Run: run, Attempt: 1, Finished: c.Total.Pending == 0, Current: current}
	var failed []failure.Candidate
	seen, recorded := make(map[string]bool), make(map[int64]bool)
	for _, p := range c.Points {
		key := pointKey(p.Planned)
		for _, j := range p.Jobs {
			state.Attempt = max(state.Attempt, j.Attempt)
			if j.Attempt > 1 && !recorded[j.ID] {
				recorded[j.ID] = true
				state.Reruns = append(state.Reruns, failure.Record{Run: run, Attempt: j.Attempt, Jobs: []failure.RecordedJob{{Job: j.ID, Key: key}}})
			}
		}
		job, known := decisive(p.Jobs)
		if seen[key] || !known || job.Failure == nil || p.State != Failed && p.State != Canceled {
			continue
		}
		seen[key] = true
		verdict := *job.Failure
		verdict.Job = job.ID
		failed = append(failed, failure.Candidate{Key: key, Verdict: verdict})
	}
	return failure.DecideRerun(policy, state, failed)
}
