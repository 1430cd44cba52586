package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// jobEvent is the event about a job as it is.
func (s *stage) jobEvent(run *Run, j Job) Delivery {
	j.RunID = run.ID
	return Delivery{Name: "workflow_job", Action: j.Status, ID: "89", Repository: repoName, Job: &j}
}

// inServer is a stage of a server whose sweep has a canary and n points.
func inServer(t tester, n int) (*stage, *Run) {
	s := newStage(t, AsApp)
	s.bot.Dispatches = false
	s.planner.err = errAway
	s.label(maintainer, "labeled", failFast)
	run := s.start(maintainer)
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{named(at(1, "a", 0), "canary / c")}
	for i := range n {
		s.jobs[run.ID] = append(s.jobs[run.ID], queuedJob(int64(i+2), "a"))
	}
	return s, run
}

var errAway = fmt.Errorf("the commits of the pull request are not here")

func named(j Job, name string) Job {
	j.Name = name
	return j
}

// end lets one more point pass at a time, given in seconds.
func (s *stage) end(run *Run, id int64, second int) Job {
	list := s.jobs[run.ID]
	i := slices.IndexFunc(list, func(j Job) bool { return j.ID == id })
	list[i].Status, list[i].Conclusion, list[i].RunnerName = "completed", "success", "aurora_00"
	list[i].StartedAt, list[i].CompletedAt = epoch, epoch.Add(time.Duration(second)*time.Second)
	return list[i]
}

// Jobs that tell nothing, which most are, cost no request.
func TestJobsThatTellNothing(t *testing.T) {
	s, run := inServer(t, 2)
	for _, j := range []Job{
		named(at(1, "a", 0), "setup"), named(ran(1, "a", 0, 1), "collect-results"), named(ran(1, "a", 0, 1), "single-node 1k1k /"),
		queuedJob(2, "a"), at(2, "a", 0), job(2, "eval / x", "skipped"), named(queuedJob(1, "a"), "canary / c"),
	} {
		decided, results := s.handle(s.jobEvent(run, j))
		if codes(decided) != "bot.job-tells-nothing" || len(results) != 0 || s.total() != 0 {
			t.Errorf("%s %s: %s, %v", j.Name, j.Status, codes(decided), s.log)
		}
	}
	s.bot.Setting = InActions // where there is no such event
	if decided, _ := s.handle(s.jobEvent(run, ran(1, "a", 0, 1))); codes(decided) != "bot.event-not-handled" {
		t.Errorf("%s", codes(decided))
	}
}

// The comment follows the points, at most once in the time that the settings
// say, and at once for the canary and the first failure.
func TestJobsKeepTheCommentInStep(t *testing.T) {
	s, run := inServer(t, 300)
	tell := func(j Job) string {
		t.Helper()
		decided, results := s.handle(s.jobEvent(run, j))
		if err := results.Err(); err != nil {
			t.Fatal(err)
		}
		return codes(decided)
	}
	body := func() string { return s.bodies(12)[0] }
	tell(s.jobs[run.ID][0])
	if !strings.Contains(body(), "canary is running") {
		t.Errorf("%s", body())
	}
	if tell(s.end(run, 1, 5)); !strings.Contains(body(), "canary passed") {
		t.Errorf("%s", body())
	}
	for i, want := range map[int]string{10: "bot.job-too-soon", 64: "bot.job-too-soon", 65: "bot.run-state"} {
		s, run := inServer(t, 300)
		s.handle(s.jobEvent(run, s.end(run, 1, 5)))
		if decided, _ := s.handle(s.jobEvent(run, s.end(run, 2, i))); codes(decided) != want {
			t.Errorf("after %d seconds: %s, want %s", i-5, codes(decided), want)
		}
	}
	bad := s.end(run, 2, 7)
	s.jobs[run.ID][1].Conclusion, bad.Conclusion = "failure", "failure"
	if got := tell(bad); got != "bot.run-state" || !strings.Contains(body(), "Failed, the first one first") {
		t.Errorf("the first failure waits: %s\n%s", got, body())
	}
	if got := tell(bad); got != "bot.job-too-soon" {
		t.Errorf("a redelivery: %s", got)
	}
}

// A sweep of hundreds of points costs a bounded number of requests: three for
// an event that comes too soon, and few for one that does not.
func TestJobsAreBounded(t *testing.T) {
	const points = 300
	s, run := inServer(t, points)
	s.jobs[run.ID] = s.jobs[run.ID][1:]
	writes := func() int { return s.calls["CreateComment"] + s.calls["UpdateComment"] }
	most := 0
	for i := range points { // one every 4 seconds, 20 minutes in all
		before, wrote := s.total(), writes()
		s.handle(s.jobEvent(run, s.end(run, int64(i+2), 4*(i+1))))
		if cost := s.total() - before; writes() == wrote && cost > 3 {
			t.Fatalf("%d requests for an event that is left alone", cost)
		} else {
			most = max(most, cost)
		}
	}
	if got := writes(); got < 19 || got > 21 {
		t.Errorf("%d writes in 20 minutes", got)
	}
	if most > 12 {
		t.Errorf("%d requests for one update", most)
	}
	if body := s.bodies(12); len(body) != 1 || !strings.Contains(body[0], "Done at about") {
		t.Errorf("%s", body)
	}
}

// Events of a run that is over, of an older attempt, of another workflow or of
// nobody's pull request change nothing; after a re-run the comment follows it.
func TestJobsOfOtherTimes(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*stage, *Run)
		want string
	}{
		"over":           {func(s *stage, r *Run) { s.finish(r, "eval / 2"); s.handle(s.runEvent(r)) }, "bot.job-too-soon"},
		"older attempt":  {func(s *stage, r *Run) { r.Attempt = 2; s.handle(s.runEvent(r)) }, "bot.job-too-soon"},
		"other workflow": {func(_ *stage, r *Run) { r.Workflow = ".github/workflows/ci.yml" }, "bot.run-workflow"},
		"no pull":        {func(_ *stage, r *Run) { r.HeadBranch = "other" }, "bot.run-no-pull"},
		"closed":         {func(s *stage, _ *Run) { s.pr().State = "closed" }, "bot.run-no-pull"},
		"comment gone":   {func(s *stage, r *Run) { s.handle(s.runEvent(r)); s.remove(s.comments[12][0].ID) }, "bot.run-state"},
		"a time that somebody wrote": {func(s *stage, r *Run) {
			s.handle(s.runEvent(r))
			c := &s.comments[12][0]
			c.Body = strings.Replace(c.Body, fmt.Sprint(`"at":`, epoch.Unix()), `"at":8000000000`, 1)
		}, "bot.run-state"},
		"comment edited": {func(s *stage, r *Run) { s.handle(s.runEvent(r)); s.comments[12][0].Body = "mine now" }, "bot.run-state"},
	} {
		s, run := inServer(t, 2)
		c.set(s, run)
		if decided, _ := s.handle(s.jobEvent(run, s.end(run, 2, 10))); codes(decided) != c.want {
			t.Errorf("%s: %s, want %s", name, codes(decided), c.want)
		}
	}
	s, run := inServer(t, 2)
	s.handle(s.runEvent(run))
	run.Attempt = 2
	again := s.end(run, 2, 10)
	again.Attempt = 2
	if decided, _ := s.handle(s.jobEvent(run, again)); codes(decided) != "bot.run-state" {
		t.Errorf("the re-run: %s", codes(decided))
	}
}

// What the event alone tells needs nothing but the event: no request, no clone.
func TestAtSight(t *testing.T) {
	b := &Bot{Setting: AsApp, Options: Options{Repository: repoName, Self: []int64{botID}}}
	j := named(ran(1, "a", 0, 1), "setup")
	comment := &Comment{ID: 1, Author: author, Body: "fine"}
	for want, d := range map[string]Delivery{
		"bot.job-tells-nothing":      {Name: "workflow_job", Repository: repoName, Job: &j},
		"bot.comment-nothing":        {Name: "issue_comment", Action: "created", Repository: repoName, Issue: &Issue{Number: 12, IsPullRequest: true}, Comment: comment, Sender: author},
		"bot.event-not-handled":      {Name: "star", Repository: repoName},
		"bot.event-other-repository": {Name: "push", Repository: "example/other", Push: &Push{}},
	} {
		if decided, over := b.AtSight(d); !over || codes(decided) != want || len(decided.Intents) > 0 {
			t.Errorf("%s: %v, %s", want, over, codes(decided))
		}
	}
	if _, over := b.AtSight(Delivery{Name: "push", Repository: repoName, Push: &Push{}}); over {
		t.Error("a push needs a look")
	}
}
