package collect

import (
	"strconv"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
	"github.com/sweepbot/sweepbot/results/report"
)

func runOf(x *index) *report.Run {
	run := &report.Run{
		Repository: x.Repository, ID: x.Run.ID, Attempt: x.Run.Attempt, URL: x.Run.URL, Title: x.Run.Title, Head: x.Run.HeadSHA,
	}
	if len(x.Run.PullRequests) > 0 {
		run.Pull = x.Run.PullRequests[0]
	}
	if !x.Run.CreatedAt.IsZero() && x.Run.UpdatedAt.After(x.Run.CreatedAt) {
		run.Seconds = int64(x.Run.UpdatedAt.Sub(x.Run.CreatedAt).Seconds())
	}
	return run
}

// Jobs are the jobs of a run with why they did not succeed, by their facts and,
// where they are given, by the ends of their logs. failFast tells the families,
// by the id of their job, in which the first failure cancels the rest.
func Jobs(jobs []bot.Job, logs map[int64]string, plan []report.PlannedPoint, failFast map[string]bool) []results.Job {
	rules, err := failure.BuiltIn()
	if err != nil {
		panic("collect: " + err.Error()) // the rules are part of the program
	}
	planned := make([]results.Planned, len(plan))
	for i, p := range plan {
		planned[i] = p.Planned
	}
	family := results.Families(planned)
	failed := make(map[string]bool) // families in an attempt
	key := func(j bot.Job) (string, string) {
		name := family(j.Name)
		return name, name + " " + strconv.Itoa(j.Attempt)
	}
	for _, j := range jobs {
		if _, attempt := key(j); j.Conclusion == "failure" || j.Conclusion == "timed_out" {
			failed[attempt] = true
		}
	}
	out := make([]results.Job, len(jobs))
	for i, j := range jobs {
		out[i] = results.Job{ID: j.ID, Name: j.Name, Attempt: j.Attempt, Conclusion: j.Conclusion, URL: j.URL}
		if j.Conclusion == "" || j.Conclusion == "success" || j.Conclusion == "skipped" || j.Conclusion == "neutral" {
			continue
		}
		name, attempt := key(j)
		v := rules.Classify(failure.Facts{
			Job: j.ID, Attempt: j.Attempt, Family: name, Conclusion: j.Conclusion, Runner: j.RunnerName,
			FailFast: failFast[name], SiblingFailed: failed[attempt], Log: logs[j.ID],
		})
		out[i].Failure = &v
	}
	return out
}

// conclusions are the words of the platform for what a local sweep recorded.
var conclusions = map[localrun.Status]string{
	localrun.Passed: "success", localrun.Failed: "failure", localrun.Cancelled: "cancelled", localrun.Skipped: "skipped",
}

// jobsOf makes a job of every point that a local sweep has run.
func jobsOf(plan []report.PlannedPoint, outcomes map[string]localrun.Outcome) []results.Job {
	var out []results.Job
	seen := make(map[string]bool)
	for _, p := range plan {
		o, ok := outcomes[p.PlanID]
		if !ok || seen[p.PlanID] || conclusions[o.Status] == "" {
			continue
		}
		seen[p.PlanID] = true
		job := results.Job{ID: int64(len(out) + 1), Name: p.Prefix + " / p0 | " + p.Title, Attempt: o.Attempt, Conclusion: conclusions[o.Status]}
		if o.Status == localrun.Failed || o.Status == localrun.Cancelled {
			v := failure.Verdict{Job: job.ID, Attempt: o.Attempt, Class: failure.Unclassified}
			if o.Status == localrun.Cancelled {
				v.Class = failure.Cancelled
			}
			if o.Why != nil {
				v.Rule, v.Line = o.Why.Code, o.Why.Message(catalog.English)
			}
			job.Failure = &v
		}
		out = append(out, job)
	}
	return out
}
