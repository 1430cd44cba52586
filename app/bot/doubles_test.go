package bot

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// dispatched starts runs of one title, of which GitHub lists the first two to
// nobody who asks in between.
func dispatched(t *testing.T, n int) (*stage, []*Run) {
	t.Helper()
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, "labeled", failFast))
	if len(s.runs) != 1 {
		t.Fatalf("%d runs", len(s.runs))
	}
	runs := []*Run{&s.runs[0]}
	for range n - 1 {
		double := s.runs[0]
		double.ID = s.id()
		s.runs = append(s.runs, double)
	}
	runs = runs[:0]
	for i := range s.runs {
		runs = append(runs, &s.runs[i])
	}
	return s, runs
}

// An event of a double cancels it and is told about the run that stays.
func TestDoubleOfADispatchIsToldOfAndCancelled(t *testing.T) {
	s, runs := dispatched(t, 3)
	for _, r := range runs {
		s.handle(s.runEvent(r))
	}
	var states []string
	for _, r := range s.runs {
		states = append(states, r.Conclusion)
	}
	if diff := cmp.Diff([]string{"", "cancelled", "cancelled"}, states); diff != "" {
		t.Error(diff)
	}
	now := s.shown(shaA, sweepName)
	if runIn(now.DetailsURL) != s.runs[0].ID || now.Status != "queued" {
		t.Errorf("%+v", now)
	}
	// Doubles that were told of before they could be recognised are replaced.
	double := sweepCheck(Progress{Number: 12, Site: site, Runs: []RunProgress{{
		ID: s.runs[2].ID, Attempt: 1, SHA: shaA, Phase: PhaseFinished, Outcome: OutcomeCancelled,
	}}}, &s.runs[2], nil)
	perform(t, &Executor{World: s.world()}, Intent{Effect: double})
	if now = s.shown(shaA, sweepName); runIn(now.DetailsURL) != s.runs[2].ID {
		t.Fatalf("%+v", now)
	}
	s.handle(s.runEvent(&s.runs[1]))
	if now = s.shown(shaA, sweepName); runIn(now.DetailsURL) != s.runs[0].ID || now.Status != "queued" {
		t.Errorf("%+v", now)
	}
}

// A double that was told of before the list showed the original disappears from
// the comment.
func TestDoubleDisappearsFromTheComment(t *testing.T) {
	s, runs := dispatched(t, 2)
	original, double := strconv.FormatInt(runs[0].ID, 10), strconv.FormatInt(runs[1].ID, 10)
	seen := func() string {
		body, _, _ := strings.Cut(s.bodies(12)[0], stateStart)
		return body
	}
	s.hidden[runs[0].ID] = 1
	s.handle(s.runEvent(runs[1]))
	if body := seen(); !strings.Contains(body, double) {
		t.Fatalf("the list does not lag:\n%s", body)
	}
	s.handle(s.runEvent(&s.runs[1]))
	s.handle(s.runEvent(&s.runs[1])) // it is cancelled by now
	if body := seen(); !strings.Contains(body, original) || strings.Contains(body, double) {
		t.Errorf("the double is still there:\n%s", body)
	}
}

// The original is the oldest that was not cancelled, whichever was read.
func TestOriginalIsTheSameForAll(t *testing.T) {
	s, runs := dispatched(t, 3)
	settings, err := s.bot.Planner.Settings(t.Context(), shaC)
	if err != nil {
		t.Fatal(err)
	}
	runs[0].Status, runs[0].Conclusion = "completed", "cancelled"
	for _, r := range runs {
		got, doubles, err := s.bot.original(context.Background(), settings, *r)
		if err != nil || got.ID != runs[1].ID || len(doubles) != 2 {
			t.Errorf("of %d: %d with %d doubles, %v", r.ID, got.ID, len(doubles), err)
		}
	}
	for what, change := range map[string]func(r *Run){
		"that GitHub starts":     func(r *Run) { r.Event = "pull_request" },
		"without a wish of ours": func(r *Run) { r.Title = "Sweep PR #12 @ " + shaA[:12] },
	} {
		change(runs[0])
		change(runs[1])
		if got, doubles, err := s.bot.original(context.Background(), settings, *runs[1]); err != nil || got.ID != runs[1].ID || doubles != nil {
			t.Errorf("a run %s has doubles: %+v, %v, %v", what, got, doubles, err)
		}
	}
}

// A late event of an older run of a commit does not replace what the status
// says about a newer one.
func TestStatusOfANewerRunStays(t *testing.T) {
	g := newFake(t)
	x := &Executor{World: g.world()}
	set := func(run int64, state string, doubles ...int64) int64 {
		t.Helper()
		perform(t, x, Intent{Effect: &SetStatus{SHA: shaA, Doubles: doubles, Status: Status{Context: sweepName, State: state, TargetURL: site + "/actions/runs/" + strconv.FormatInt(run, 10)}}})
		return runIn(g.statuses[shaA][0].TargetURL)
	}
	for i, c := range []struct{ got, want int64 }{
		{set(2, "pending"), 2}, {set(1, "success"), 2}, {set(2, "failure"), 2}, {set(3, "pending"), 3}, {set(2, "failure", 3), 2}, {set(10, "pending"), 10},
	} {
		if c.got != c.want {
			t.Errorf("%d: the status is about run %d, want %d", i, c.got, c.want)
		}
	}
	for page, want := range map[string]int64{"": 0, "https://ci.example/1": 0, site + "/actions/runs/7/job/8": 0, site + "/actions/runs/7": 7} {
		if got := runIn(page); got != want {
			t.Errorf("%s: %d", page, got)
		}
	}
}

// Of runs for one approval of a fork the oldest counts; another approval is a
// wish of its own, although the title is the same.
func TestDoublesOfAnApproval(t *testing.T) {
	s := newStage(t, AsApp)
	settings, err := s.bot.Planner.Settings(t.Context(), shaC)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	s.labelEvents[12] = []LabelEvent{
		{ID: 1, Label: failFast, Added: true, CreatedAt: at}, {ID: 2, Label: failFast, CreatedAt: at.Add(time.Hour)},
		{ID: 3, Label: failFast, Added: true, CreatedAt: at.Add(2 * time.Hour)},
	}
	for i, created := range []time.Time{at, at.Add(time.Second), at.Add(2*time.Hour - 2*time.Second), at.Add(3 * time.Hour)} {
		s.runs = append(s.runs, Run{
			ID: int64(i + 1), Workflow: ".github/workflows/e2e-tests.yml", Event: "workflow_dispatch", Status: "queued",
			Title: "e2e Test - External PR #12 @ " + shaA[:12], CreatedAt: created,
		})
	}
	for i, want := range []int64{1, 1, 3, 3} {
		got, doubles, err := s.bot.original(t.Context(), settings, s.runs[i])
		if err != nil || got.ID != want || len(doubles) != 1 {
			t.Errorf("of run %d: %d with %d doubles, %v", i+1, got.ID, len(doubles), err)
		}
	}
}
