package bot

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/labels"
)

// sweeping is a stage whose labelled pull request has a run of GitHub's.
func sweeping(t tester) (*stage, *Run) {
	s := newStage(t, InActions)
	s.planner.err = errors.New("the commits of the pull request are not here")
	s.label(maintainer, labels.Labeled, failFast)
	return s, s.start(maintainer)
}

// plannedPoints are the names of the jobs of all points of the sample's plan.
func plannedPoints(t *testing.T, labels ...string) []string {
	t.Helper()
	p, err := samplePlan(ctx, &samplePlanner{}, PlanOrder{Labels: labels, PR: 12})
	if err != nil {
		t.Fatal(err)
	}
	families, _, _ := planFamilies(p)
	var names []string
	for _, f := range families {
		for i := range f.Planned {
			names = append(names, fmt.Sprint(f.Name, " / point ", i))
		}
	}
	return names
}

// F12: points that the plan has and no job ran are missed, green as the run
// may be.
func TestF12LostPointsAreMissed(t *testing.T) {
	all := plannedPoints(t, failFast)
	for lost, want := range map[int]string{0: fmt.Sprintf("%d of %d points passed", len(all), len(all)), 1: "is incomplete"} {
		s, run := sweeping(t)
		s.planner.err = nil
		s.finish(run, all[lost:]...)
		s.handle(s.runEvent(run))
		if body := s.bodies(12)[0]; !strings.Contains(body, want) {
			t.Errorf("%d lost:\n%s", lost, body)
		}
	}
}

// A finished run: one comment with its links, within the budget of requests.
func TestFinishedRun(t *testing.T) {
	s, run := sweeping(t)
	var points []string
	for i := range 60 {
		points = append(points, fmt.Sprint("single-node 1k1k / point ", i))
	}
	s.finish(run, points...)
	decided, results := s.handle(s.runEvent(run))
	if err := results.Err(); err != nil {
		t.Fatal(err)
	}
	from := Provenance{Repository: repoName, Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", RunID: run.ID, Attempt: 1,
		HeadRepo: repoName, HeadBranch: "topic", HeadSHA: shaA}
	if diff := cmp.Diff(&from, decided.From); diff != "" {
		t.Error(diff)
	}
	// The budget is 15; docs/effects.md has this number.
	if s.total() != 8 {
		t.Errorf("%d requests: %v", s.total(), s.log)
	}
	if got := kinds(results); got != "comment" {
		t.Errorf("GitHub itself shows the run on the pull request: %s", got)
	}
	body := s.bodies(12)[0]
	for _, want := range []string{"60 of 60 points passed", "inference?unofficialRun=", "evaluation?unofficialRun=", "label `full-sweep-fail-fast`"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing:\n%s", want, body)
		}
	}
}

// F22: a green run that measured nothing replaces no links.
func TestF22GateRunReplacesNothing(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	s.handle(s.runEvent(run))
	gate := s.start(author)
	gate.Status, gate.Conclusion = "completed", "success"
	s.jobs[gate.ID] = []Job{job(1, "reuse-sweep-gate", "success"), job(2, "eval /", "skipped")}
	s.handle(s.runEvent(gate))
	if body := s.bodies(12)[0]; !strings.Contains(body, "1 of 1 points passed") || strings.Contains(body, fmt.Sprint("unofficialRun=", gate.ID)) {
		t.Errorf("%s", body)
	}
}

// F30: a run of a fork lists no pull request; it is found by its head.
func TestF30RunIsMappedByItsHead(t *testing.T) {
	for name, c := range map[string]struct {
		set   func(*stage, *Run)
		found bool
	}{
		"empty list":              {func(*stage, *Run) {}, true},
		"wrong list":              {func(_ *stage, r *Run) { r.PullRequests = []int{99} }, true},
		"head moved":              {func(s *stage, _ *Run) { s.push(shaB) }, true},
		"foreign commit":          {func(_ *stage, r *Run) { r.HeadSHA = shaC }, false},
		"same branch of another":  {func(_ *stage, r *Run) { r.HeadRepo = "other/fork" }, false},
		"other branch":            {func(_ *stage, r *Run) { r.HeadBranch = "other" }, false},
		"head repository deleted": {func(s *stage, r *Run) { s.pr().HeadRepo, r.HeadRepo = "", "" }, false},
		"other base branch":       {func(s *stage, _ *Run) { s.pr().BaseBranch = "release" }, false},
		"closed":                  {func(s *stage, _ *Run) { s.pr().State = "closed" }, false},
		"pull_request_target":     {func(_ *stage, r *Run) { r.Event = "pull_request_target" }, false},
		"push":                    {func(_ *stage, r *Run) { r.Event = "push" }, false},
		"other workflow":          {func(_ *stage, r *Run) { r.Workflow = ".github/workflows/ci.yml" }, false},
		"workflow elsewhere":      {func(_ *stage, r *Run) { r.Workflow = "run-sweep.yml" }, false},
	} {
		s, run := sweeping(t)
		s.finish(run, "eval / a")
		c.set(s, run)
		decided, _ := s.handle(s.runEvent(run))
		if got := len(s.bodies(12)) == 1; got != c.found {
			t.Errorf("%s: commented %v (%s)", name, got, codes(decided))
		}
	}
}

// F56: what is said of a commit that is not the head any more is marked.
func TestF56SupersededCommitIsMarked(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	s.push(shaB)
	s.handle(s.runEvent(run))
	if body := s.bodies(12)[0]; !strings.Contains(body, "the head of the pull request is now `b2b2b2b2b2b2`") {
		t.Errorf("%s", body)
	}
}

// F52: the label of a run is the one that was set when it was created.
func TestF52LabelOfTheRun(t *testing.T) {
	s, run := sweeping(t)
	s.label(maintainer, labels.Unlabeled, failFast)
	s.label(maintainer, labels.Labeled, "full-sweep-enabled")
	s.finish(run, "eval / a")
	s.handle(s.runEvent(run))
	if body := s.bodies(12)[0]; !strings.Contains(body, "label `full-sweep-fail-fast`") {
		t.Errorf("%s", body)
	}
}

// F51: the empty run of the head does not hide the run with results, whatever
// comes first; and the job writes with the rights of the default branch.
func TestF51EarlierResultsStay(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	first := *run
	s.push(shaB)
	empty := s.start(author)
	empty.Status, empty.Conclusion = "completed", "success"
	s.handle(s.runEvent(empty))
	s.handle(s.runEvent(&first))
	if body := s.bodies(12)[0]; !strings.Contains(body, fmt.Sprint("unofficialRun=", first.ID)) {
		t.Errorf("%s", body)
	}
}

// A dispatched run is shown on the pull request by a check run on its commit.
func TestDispatchedRunGetsACheck(t *testing.T) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	run := &s.runs[0]
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{job(1, "eval / a", "in_progress")}
	_, results := s.handle(s.runEvent(run))
	if got := kinds(results); got != "comment check" {
		t.Fatalf("%s", got)
	}
	begun := s.shown(shaA, sweepName)
	if begun.Status != "in_progress" || runIn(begun.DetailsURL) != run.ID || !strings.Contains(begun.Summary, "Plan `"+s.started[0]["plan-id"]+"`") {
		t.Errorf("%+v", begun)
	}
	late := s.runEvent(run)
	s.handle(late)
	if s.calls["UpdateCheckRun"] != 0 {
		t.Error("a redelivery wrote the check run again")
	}
	s.jobs[run.ID] = nil
	s.finish(run, plannedPoints(t, failFast)...)
	s.handle(s.runEvent(run))
	over := s.shown(shaA, sweepName)
	if over.ID != begun.ID || over.Status != "completed" || over.Conclusion != "success" || len(s.statuses[shaA]) != 0 {
		t.Errorf("%+v, %+v", over, s.statuses)
	}
	golden(t, "check/passed.md", over.Title+"\n\n"+over.Summary+"\n\n"+over.Text+"\n")
	// The title decides nothing on another branch.
	run.HeadBranch = "somewhere"
	if decided, _ := s.handle(s.runEvent(run)); codes(decided) != "bot.run-no-pull" {
		t.Errorf("%s", codes(decided))
	}
}

// Between the events about a run its comment follows the points by the clock.
func TestScheduleFollowsRunningSweeps(t *testing.T) {
	s, run := sweeping(t)
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{job(1, "eval / a", "in_progress"), job(2, "eval / b", "queued")}
	s.handle(s.runEvent(run))
	s.jobs[run.ID] = []Job{job(1, "eval / a", "success"), job(2, "eval / b", "in_progress")}
	gone := s.start(author)
	gone.Status, gone.HeadBranch = "in_progress", "of-nobody"
	clock := Delivery{Name: "schedule", Repository: repoName}
	decided, results := s.handle(clock)
	if err := results.Err(); err != nil || codes(decided) != "bot.run-no-pull bot.run-state" {
		t.Errorf("%s: %v", codes(decided), err)
	}
	if body := s.bodies(12); len(body) != 1 || !strings.Contains(body[0], "1 of 2 points done") {
		t.Errorf("%q", body)
	}
	writes := s.calls["UpdateComment"]
	s.handle(clock)
	if s.calls["UpdateComment"] != writes {
		t.Error("written without a change")
	}
	s.runs = nil
	if decided, _ := s.handle(clock); codes(decided) != "bot.schedule-idle" {
		t.Errorf("%s", codes(decided))
	}
}

// The run of a label that means nothing does not push the sweep in progress
// out of the headline.
func TestQueuedRunWaitsBehindTheMeasuringOne(t *testing.T) {
	s, run := sweeping(t)
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{job(1, "eval / a", "in_progress")}
	first := *run
	s.handle(s.runEvent(run))
	s.handle(s.runEvent(s.start(maintainer)))
	if body := s.bodies(12)[0]; !strings.Contains(strings.SplitN(body, "\n\n", 3)[1], fmt.Sprint("run ", first.ID)) {
		t.Errorf("%s", body)
	}
	// Once the older one is over, the newer one counts.
	s.run(first.ID).Status, s.run(first.ID).Conclusion = "completed", "cancelled"
	s.jobs[first.ID] = []Job{job(1, "eval / a", "cancelled")}
	s.handle(s.runEvent(s.run(first.ID)))
	if body := s.bodies(12)[0]; !strings.Contains(body, "is waiting for its jobs") {
		t.Errorf("%s", body)
	}
}

// The relay's run says that a pull request was opened.
func TestRelayGreets(t *testing.T) {
	s, run := sweeping(t)
	run.Workflow = ".github/workflows/" + "sweepbot-relay.yml"
	for range 2 {
		s.handle(s.runEvent(run))
	}
	if bodies := s.bodies(12); len(bodies) != 1 || !strings.HasPrefix(bodies[0], "<!-- sweepbot:welcome") {
		t.Errorf("%q", bodies)
	}
}

// approve lets a maintainer put the sweep label on a fork's pull request, and
// GitHub start the run that follows.
func approve(s *stage, person User) *Run {
	s.label(person, labels.Labeled, failFast)
	return s.start(person)
}

func TestForkIsDispatchedOnce(t *testing.T) {
	s := newStage(t, InActions)
	s.fork()
	run := approve(s, maintainer)
	for range 3 {
		_, results := s.handle(s.runEvent(run))
		if err := results.Err(); err != nil {
			t.Fatal(err)
		}
	}
	// F35: the workflow of the base branch, the commit as an input; only what
	// the workflow declares.
	want := map[string]string{
		"test-name": "External PR #12 @ a1a1a1a1a1a1", "ref": s.pr().MergeSHA, "changelog-base-ref": shaC, "changelog-head-ref": shaA,
		"fail-fast": "true", "agentx-fast": "false",
	}
	if diff := cmp.Diff([]map[string]string{want}, s.started); diff != "" {
		t.Fatal(diff)
	}
	started := s.runs[len(s.runs)-1]
	if started.HeadBranch != "main" || started.Workflow != ".github/workflows/e2e-tests.yml" {
		t.Errorf("%+v", started)
	}
	body := s.bodies(12)
	if len(body) != 1 || !strings.Contains(body[0], fmt.Sprint("/actions/runs/", started.ID)) || !strings.Contains(body[0], "this commit only") {
		t.Errorf("%q", body)
	}
	golden(t, "fork/dispatched.md", body[0])
	// A later push undoes nothing of it.
	s.pr().HeadSHA = shaB
	if decided, results := s.handle(s.runEvent(run)); codes(decided) != "bot.fork-already" || len(results) != 1 || results[0].State != StateAlready {
		t.Errorf("after a push: %s, %s", codes(decided), kinds(results))
	}
	s.pr().HeadSHA = shaA
	// Its own run is followed in the sticky comment.
	s.finish(&s.runs[len(s.runs)-1], "eval / a")
	s.handle(s.runEvent(&s.runs[len(s.runs)-1]))
	if all := strings.Join(s.bodies(12), ""); !strings.Contains(all, "was approved; for later commits") {
		t.Errorf("%s", all)
	}
	// Approved again, measured again.
	s.label(maintainer, labels.Unlabeled, failFast)
	s.handle(s.runEvent(approve(s, maintainer)))
	if len(s.started) != 2 {
		t.Errorf("%d dispatches", len(s.started))
	}
}

func TestForkRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		set    func(*stage) Delivery
		reason string
		red    bool
	}{
		"S33 F53 a push after the approval": {func(s *stage) Delivery {
			run := approve(s, maintainer)
			d := s.runEvent(run)
			s.push(shaB)
			return d
		}, "labels.dispatch-moved", true},
		"the push itself inherits no approval": {func(s *stage) Delivery {
			approve(s, maintainer)
			s.push(shaB)
			return s.runEvent(s.start(author))
		}, "bot.fork-no-approval", false},
		"a push long after, by the same person": {func(s *stage) Delivery {
			approve(s, maintainer)
			s.clock = s.clock.Add(time.Hour)
			s.push(shaB)
			return s.runEvent(s.start(maintainer))
		}, "bot.fork-no-approval", false},
		"S29 F58 label by who may not write": {func(s *stage) Delivery { return s.runEvent(approve(s, bystander)) }, "labels.dispatch-permission", true},
		"permission lost meanwhile": {func(s *stage) Delivery {
			run := approve(s, maintainer)
			s.permissions["maintainer"] = "read"
			return s.runEvent(run)
		}, "labels.dispatch-permission", true},
		"permission unreadable": {func(s *stage) Delivery {
			run := approve(s, maintainer)
			s.fail = failing("Permission", ErrForbidden)
			return s.runEvent(run)
		}, "labels.dispatch-permission", true},
		"re-run by a stranger": {func(s *stage) Delivery {
			run := approve(s, maintainer)
			run.Trigger = bystander
			return s.runEvent(run)
		}, "labels.dispatch-permission", true},
		"S29 ghost": {func(s *stage) Delivery { return s.runEvent(approve(s, User{})) }, "bot.fork-no-approval", false},
		"label removed meanwhile": {func(s *stage) Delivery {
			d := s.runEvent(approve(s, maintainer))
			s.label(author, labels.Unlabeled, failFast)
			return d
		}, "labels.dispatch-label-gone", true},
		"F57 the newcomer's workflows wait": {func(s *stage) Delivery {
			run := approve(s, maintainer)
			run.Status, run.Conclusion = "completed", "action_required"
			return s.runEvent(run)
		}, "labels.dispatch-awaits", false},
		"draft": {func(s *stage) Delivery { s.pr().Draft = true; return s.runEvent(approve(s, maintainer)) }, "labels.dispatch-draft", true},
		"conflict": {func(s *stage) Delivery {
			no := false
			s.pr().Mergeable = &no
			return s.runEvent(approve(s, maintainer))
		}, "labels.dispatch-conflict", true},
		"two labels": {func(s *stage) Delivery {
			s.pr().Labels = []string{"full-sweep-enabled"}
			return s.runEvent(approve(s, maintainer))
		}, "labels.dispatch-label-gone", true},
		"a modifier": {func(s *stage) Delivery {
			s.label(maintainer, labels.Labeled, "all-evals")
			return s.runEvent(s.start(maintainer))
		}, "bot.fork-no-approval", false},
	} {
		s := newStage(t, InActions)
		s.fork()
		decided, results := s.handle(c.set(s))
		if codes(decided) != c.reason || len(s.started) != 0 {
			t.Errorf("%s: %s, %d dispatches", name, codes(decided), len(s.started))
		}
		if red := results.Err() != nil; red != c.red {
			t.Errorf("%s: red %v: %v", name, red, results.Err())
		}
	}
}

// F04: a modifier right behind the sweep label does not swallow the approval.
func TestF04ForkLabelsInOneSecond(t *testing.T) {
	s := newStage(t, InActions)
	s.fork()
	s.label(maintainer, labels.Labeled, failFast)
	s.clock = s.clock.Add(-time.Minute + time.Second)
	s.label(maintainer, labels.Labeled, "agentx-fast")
	run := s.start(maintainer)
	s.handle(s.runEvent(run))
	if len(s.started) != 1 || s.started[0]["agentx-fast"] != "true" {
		t.Errorf("%v", s.started)
	}
}

// In a server the label's own event tells; the same rules hold.
func TestForkLabelInAServer(t *testing.T) {
	s := newStage(t, AsApp)
	s.fork()
	d := s.label(maintainer, labels.Labeled, failFast)
	s.handle(d)
	s.handle(d)
	if len(s.started) != 1 {
		t.Fatalf("%d dispatches", len(s.started))
	}
	s = newStage(t, AsApp)
	s.fork()
	d = s.label(maintainer, labels.Labeled, failFast)
	s.push(shaB)
	if decided, _ := s.handle(d); codes(decided) != "labels.dispatch-moved" || len(s.started) != 0 {
		t.Errorf("%s, %d dispatches", codes(decided), len(s.started))
	}
	s = newStage(t, AsApp)
	s.fork()
	d = s.label(maintainer, labels.Labeled, failFast)
	d.Sender = bystander // not who the history names
	if decided, _ := s.handle(d); codes(decided) != "bot.fork-no-approval" || len(s.started) != 0 {
		t.Errorf("%s, %d dispatches", codes(decided), len(s.started))
	}
}

// Events about runs come late, twice and in any order, and two jobs may handle
// them at once: the comment is the same in the end.
func TestRunEventsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		build := func() *stage {
			s, _ := sweeping(t)
			s.start(maintainer)
			s.push(shaB)
			s.start(author)
			s.finish(&s.runs[0], "eval / a")
			s.runs[1].Status, s.runs[1].Conclusion = "completed", "cancelled"
			s.runs[2].Status = "in_progress"
			s.jobs[s.runs[2].ID] = []Job{job(1, "eval / a", "success"), job(2, "eval / b", "in_progress")}
			return s
		}
		s := build()
		var events []Delivery
		for i := range s.runs {
			events = append(events, s.runEvent(&s.runs[i]))
		}
		for _, d := range events {
			s.handle(d)
		}
		late := build()
		for _, d := range rapid.Permutation(append(append([]Delivery(nil), events...), events...)).Draw(t, "order") {
			late.handle(d)
		}
		if diff := cmp.Diff(s.bodies(12), late.bodies(12)); diff != "" || len(late.bodies(12)) != 1 {
			t.Fatalf("-once +late:\n%s", diff)
		}
		writes := late.calls["UpdateComment"] + late.calls["CreateComment"]
		late.handle(events[0])
		if late.calls["UpdateComment"]+late.calls["CreateComment"] != writes {
			t.Fatal("a redelivery wrote something")
		}
	})
}
