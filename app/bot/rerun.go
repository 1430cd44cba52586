package bot

import (
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
)

// rerunMachines runs the failed points of a finished sweep again where the
// settings allow it and only machines failed (docs/results.md, re-runs). It is
// decided from GitHub's own facts about the jobs: a report comes from a run of
// the pull request, which could ask for re-runs of itself.
func rerunMachines(s config.Rerun, pr *PullRequest, run *Run, planned *Planned, jobs []Job, out *Decided) {
	if !s.Infrastructure || planned == nil || planned.Plan == nil {
		return
	}
	points, list := results.PlannedPoints(planned.Families)
	if list.Refused() {
		return
	}
	covered := results.Cover(points, results.Harvest{}, outcomesOf(jobs), results.Thresholds{})
	policy := failure.Policy{Enabled: true, PerJob: s.PerPoint, PerRun: s.PerRun}
	decision := results.DecideRerun(policy, covered, run.ID, run.HeadSHA == pr.HeadSHA)
	if !decision.Rerun || !decision.All {
		return
	}
	why := note("bot.rerun", "run", strconv.FormatInt(run.ID, 10), "count", strconv.Itoa(len(decision.Jobs)))
	out.add(&RerunFailed{RunID: run.ID, Attempt: run.Attempt, Jobs: decision.Jobs}, why)
}

// outcomesOf are the jobs of a run with what their facts tell of a failure.
func outcomesOf(jobs []Job) []results.Job {
	out := make([]results.Job, len(jobs))
	for i, j := range jobs {
		out[i] = results.Job{ID: j.ID, Name: j.Name, Attempt: j.Attempt, Conclusion: j.Conclusion, URL: j.URL}
		switch j.Conclusion {
		case "", "success", "skipped", "neutral":
		default:
			verdict := reasonOfJob(point{Job: j})
			out[i].Failure = &verdict
		}
	}
	return out
}
