package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// A dispatch names its plan where the workflow takes a name; the plan's check
// and the run's title have the same one.
func TestPlanID(t *testing.T) {
	for _, inputs := range []string{"title: {}\n      plan-id: {}", "title: {}"} {
		s := newStage(t, AsApp)
		s.planner.files[".github/workflows/run-sweep.yml"] = "on:\n  workflow_dispatch:\n    inputs:\n      " + inputs + "\n"
		s.handle(s.label(maintainer, labels.Labeled, failFast))
		got, declared := s.started[0][planInput]
		if declared != strings.Contains(inputs, planInput) {
			t.Fatalf("%s: %v", inputs, s.started[0])
		}
		id := planIDOf(s.runs[0].Title)
		if len(id) != 21 || declared && got != id {
			t.Errorf("the title has %q, the input %q", id, got)
		}
		if check := s.shown(shaA, checkName); !strings.Contains(check.Summary, "Plan `"+id+"`") {
			t.Errorf("%s", check.Summary)
		}
	}
	// A workflow that cannot be read is for GitHub to answer.
	s := newStage(t, AsApp)
	delete(s.planner.files, ".github/workflows/run-sweep.yml")
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	if len(s.started) != 1 {
		t.Errorf("%d dispatches", len(s.started))
	}
	for title, want := range map[string]string{
		"Sweep PR #12 @ a1a1a1a1a1a1 [0a.b1]": "0a.b1", "Sweep PR #12 @ a1a1a1a1a1a1": "", "Some run [0a.b1]": "", "": "",
		"e2e Test - External PR #12 @ a1a1a1a1a1a1": "",
	} {
		if got := planIDOf(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}

// In a job a dispatched run gets a status, and no check run of the same name.
func TestJobsSetAStatus(t *testing.T) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	s.bot.Setting = InActions
	run := &s.runs[0]
	s.handle(s.runEvent(run))
	s.finish(run, plannedPoints(t, failFast)...)
	s.handle(s.runEvent(run))
	var got []string
	for _, st := range s.statuses[shaA] {
		got = append(got, st.State)
	}
	if diff := cmp.Diff([]string{"success", "pending"}, got); diff != "" || s.shown(shaA, sweepName).ID != 0 {
		t.Errorf("%s, %+v", diff, s.shown(shaA, sweepName))
	}
}

// Whatever order events come in, and however often, the check run says how the
// newest run stands.
func TestSweepCheckInAnyOrder(t *testing.T) {
	var states []RunProgress
	for id := int64(1); id <= 2; id++ {
		for attempt := 1; attempt <= 2; attempt++ {
			for _, phase := range phaseOrder {
				r := RunProgress{ID: id, Attempt: attempt, SHA: shaA, Phase: phase}
				if phase == PhaseFinished {
					r.Outcome = OutcomePassed
				}
				states = append(states, r)
			}
		}
	}
	effect := func(r RunProgress) *PublishCheck {
		run := Run{Title: fmt.Sprintf("Sweep PR #12 @ %s [%d.%d]", shaA[:12], r.ID, r.ID)}
		return sweepCheck(Progress{Number: 12, Site: site, Runs: []RunProgress{r}}, &run, nil)
	}
	rapid.Check(t, func(t *rapid.T) {
		g := newFake(t)
		x := &Executor{World: g.world()}
		for _, r := range rapid.Permutation(slices.Concat(states, states)).Draw(t, "order") {
			if _, err := x.Perform(ctx, []Intent{{Effect: effect(r)}}); err != nil {
				t.Fatal(err)
			}
		}
		got := g.shown(shaA, sweepName)
		if want := effect(states[len(states)-1]); got.ExternalID != want.mark() || got.Status != "completed" || runIn(got.DetailsURL) != 2 {
			t.Fatalf("%+v", got)
		}
	})
}

// titled returns the job of a row of the sample's plan, as GitHub names it.
func titled(id int64, f matrix.Family, r *matrix.Row, conclusion string) Job {
	j := job(id, f.Prefix+" p3.5 | "+JobTitle(r), conclusion)
	j.StartedAt, j.CompletedAt, j.RunnerName = epoch, epoch.Add(time.Duration(100-id)*time.Minute), "boreal-0"
	return j
}

// Every point that failed is marked at the line of the config that asks for it,
// the first failure first.
func TestFailedPointsAreMarked(t *testing.T) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	run := &s.runs[0]
	run.Status, run.Conclusion = "completed", "failure"
	p, err := samplePlan(ctx, &samplePlanner{}, PlanOrder{Labels: []string{failFast}, PR: 12})
	if err != nil {
		t.Fatal(err)
	}
	var want []CheckAnnotation
	for _, f := range p.Families {
		for _, r := range f.Rows {
			id := int64(len(want) + 1)
			j := titled(id, f, r, "failure")
			text := JobTitle(r)
			if id == 2 {
				j.RunnerName = ""
				text += "\nthe machine failed, not the change (runner ?, node ?): no-runner\nrun the failed job again"
			}
			s.jobs[run.ID] = append(s.jobs[run.ID], j)
			want = append(want, CheckAnnotation{
				Path: r.Entry.Place.File, StartLine: r.Entry.Place.Line, EndLine: r.Entry.Place.Line, Level: "failure",
				Title:   "A point that this line asks for failed",
				Message: fmt.Sprintf("p3.5 | %s\n%s/actions/runs/%d/job/%d", text, site, run.ID, id),
			})
		}
	}
	s.jobs[run.ID] = append(s.jobs[run.ID], job(99, "eval / of nobody's plan", "failure"))
	slices.Reverse(want) // as they ended
	s.handle(s.runEvent(run))
	got := s.shown(shaA, sweepName)
	if diff := cmp.Diff(want, got.Annotations); diff != "" || got.Conclusion != "failure" || want[0].StartLine < 2 {
		t.Error(diff)
	}
	if !strings.Contains(got.Text, "of nobody's plan") {
		t.Errorf("a point without a line is in the text:\n%s", got.Text)
	}
	s.handle(s.runEvent(run))
	if n := len(s.shown(shaA, sweepName).Annotations); n != len(want) {
		t.Errorf("%d annotations after a redelivery", n)
	}
}

// More failures than one request takes go in pages, and no more than 200.
func TestSweepCheckWithManyFailures(t *testing.T) {
	failed := make([]failedPoint, 230)
	for i := range failed {
		failed[i] = failedPoint{title: fmt.Sprint("point ", i), url: site, place: diag.Place{File: "configs/a.yaml", Line: i + 1}}
	}
	r := RunProgress{ID: 5, Attempt: 1, SHA: shaA, Phase: PhaseFinished, Outcome: OutcomeFailed}
	g := newFake(t)
	x := &Executor{World: g.world()}
	for range 2 {
		perform(t, x, Intent{Effect: sweepCheck(Progress{Number: 12, Site: site, Runs: []RunProgress{r}}, &Run{}, failed)})
	}
	got := g.shown(shaA, sweepName)
	if len(g.checks) != 1 || len(got.Annotations) != 200 || got.Annotations[0].StartLine != 1 || !strings.Contains(got.Summary, "30 more") {
		t.Errorf("%d checks, %d annotations\n%s", len(g.checks), len(got.Annotations), got.Summary)
	}
}

// Branch rules take neutral and skipped for success: no outcome but a pass is
// either, and a partial sweep in which nothing is stale, which has a name of its
// own.
func TestConclusions(t *testing.T) {
	for _, o := range outcomes {
		for _, run := range []string{"", "success", "failure", "cancelled", "neutral", "skipped", "stale", "action_required"} {
			got := conclusionOf(o, run)
			if (got == "success") != (o == OutcomePassed || o == OutcomeCurrent) || got == "neutral" || got == "skipped" {
				t.Errorf("%q of a run that ended %q: %s", o, run, got)
			}
		}
	}
}
