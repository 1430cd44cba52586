package bot

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// F05: no chain hangs on an event that our own token would have to cause, since
// GitHub raises none for it. F07: nothing marks a pull request ready or asks
// for reviews. Nobody who has no way to do it does it by mistake: this is all
// that the bot can write.
func TestF05F07WhatTheBotCanWrite(t *testing.T) {
	reads := []string{
		"Artifacts", "ChangedFiles", "CheckRuns", "Comment", "Comments", "CommitMessage", "Jobs", "LabelEvents", "OpenArtifact", "Permission",
		"PullRequest", "PullRequestCommits", "PullRequestsFor", "ReadFile", "Statuses", "WorkflowRun", "WorkflowRuns",
	}
	writes := []string{
		"CancelRun", "CreateCheckRun", "CreateComment", "DeleteComment", "Dispatch", "React", "RerunFailed", "SetStatus", "UpdateCheckRun", "UpdateComment",
	}
	methods := reflect.TypeFor[GitHub]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		if !slices.Contains(reads, name) && !slices.Contains(writes, name) {
			t.Errorf("%s: what does it cause? Labels, readiness and reviews are people's", name)
		}
	}
}

// F10: a final state is not green when what was to be produced was skipped.
// F46: points that failed do not discard the results of the others.
func TestF46ResultsOfTheOthersStay(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a", "eval / b")
	s.jobs[run.ID][1].Conclusion = "failure"
	run.Conclusion = "failure"
	s.handle(s.runEvent(run))
	body := s.bodies(12)[0]
	for _, want := range []string{"1 of 2 points failed", "Failed, the first one first", "unofficialRun="} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing:\n%s", want, body)
		}
	}
}

// F42: a sweep whose runners never come is not reported as one that runs.
func TestF42PointsThatNoRunnerTakes(t *testing.T) {
	hours := func(n int) time.Time { return epoch.Add(time.Duration(n) * time.Hour) }
	late := func(j Job, h int) Job {
		j.StartedAt = hours(h)
		return j
	}
	for name, c := range map[string]struct {
		jobs []Job
		now  int
		want string // in the comment, "" for a sweep that goes on
	}{
		"nobody for 6 hours":         {[]Job{queuedJob(1, "x")}, 6, "wait for a runner with the labels `x`: 1."},
		"not for so long yet":        {[]Job{queuedJob(1, "x")}, 5, ""},
		"one is at work":             {[]Job{queuedJob(1, "x"), at(2, "x", 0)}, 9, ""},
		"one ended not long ago":     {[]Job{queuedJob(1, "x"), ran(2, "x", 0, 200)}, 9, ""},
		"queued not long ago":        {[]Job{late(queuedJob(1, "x"), 4)}, 9, ""},
		"others are at work":         {[]Job{queuedJob(1, "x"), at(2, "y", 0)}, 7, "wait for a runner with the labels `x`: 1."},
		"nothing waits":              {[]Job{at(1, "x", 0)}, 99, ""},
		"no clock":                   {[]Job{queuedJob(1, "x")}, 0, ""},
		"the queue of another moves": {[]Job{queuedJob(1, "x"), ran(2, "y", 0, 500)}, 9, "wait for a runner with the labels `x`: 1."},
	} {
		s, run := sweeping(t)
		run.Status = "in_progress"
		s.jobs[run.ID] = c.jobs
		if c.now > 0 {
			s.bot.Now = func() time.Time { return hours(c.now) }
		}
		s.handle(Delivery{Name: "schedule", Repository: repoName})
		body := s.bodies(12)[0]
		if got := strings.Contains(body, "wait for a runner"); got != (c.want != "") || !strings.Contains(body, c.want) {
			t.Errorf("%s:\n%s", name, body)
		}
		running := slices.ContainsFunc(c.jobs, func(j Job) bool { return j.Status == "in_progress" })
		if stuck := strings.Contains(body, "is stuck"); stuck != (c.want != "" && !running) {
			t.Errorf("%s: stuck %v", name, stuck)
		}
		if list := readState(mustRead(t, body).State); len(list) != 1 {
			t.Errorf("%s: the state is not taken back", name)
		}
	}
	// Once a runner comes, the sweep runs as any other.
	s, run := sweeping(t)
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{queuedJob(1, "x")}
	s.bot.Now = func() time.Time { return hours(7) }
	s.handle(Delivery{Name: "schedule", Repository: repoName})
	s.jobs[run.ID] = []Job{late(at(1, "x", 0), 7)}
	s.handle(Delivery{Name: "schedule", Repository: repoName})
	if body := s.bodies(12)[0]; strings.Contains(body, "stuck") {
		t.Errorf("%s", body)
	}
}

// dispatchedSweep is a stage of a server with a finished sweep that it started.
func dispatchedSweep(t *testing.T) (*stage, *Run) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, "labeled", failFast))
	if len(s.runs) != 1 {
		t.Fatalf("%d runs", len(s.runs))
	}
	s.planner.err = errAway
	run := &s.runs[0]
	run.HeadSHA = shaC // the commit of its workflow file, on main
	s.finish(run, "eval / a")
	s.handle(s.runEvent(run))
	return s, run
}

// F59: what GitHub cannot answer takes nothing back that was verified.
func TestF59OutageTakesNothingBack(t *testing.T) {
	s, run := dispatchedSweep(t)
	before, body := s.shown(shaA, sweepName), s.bodies(12)
	if before.Conclusion != "success" {
		t.Fatalf("%+v", before)
	}
	for _, method := range []string{"WorkflowRun", "PullRequest", "LabelEvents", "Jobs", "Artifacts"} {
		s.fail = failing(method, errors.New("502"))
		decided, err := s.bot.Decide(ctx, s.runEvent(run))
		if err == nil || len(decided.Intents) != 0 {
			t.Errorf("%s: %v, %d effects", method, err, len(decided.Intents))
		}
	}
	s.fail = nil
	if diff := cmp.Diff(before, s.shown(shaA, sweepName)); diff != "" || s.bodies(12)[0] != body[0] {
		t.Error(diff)
	}
}

// F62: the verdict on a sweep that we started stands on the head of the pull
// request, not on the commit of the base branch that its workflow is of.
func TestF62StatusStandsOnTheHead(t *testing.T) {
	s, _ := dispatchedSweep(t)
	if s.shown(shaA, sweepName).ID == 0 || s.shown(shaC, sweepName).ID != 0 {
		t.Errorf("on the head %+v, on the base %+v", s.shown(shaA, sweepName), s.shown(shaC, sweepName))
	}
	// A new head says at once where it stands.
	s.planner.err = nil
	s.handle(s.push(shaB))
	if body := strings.Join(s.bodies(12), "\n"); !strings.Contains(body, "b2b2b2b2b2b2") {
		t.Errorf("%s", body)
	}
}
