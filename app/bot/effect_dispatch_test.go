package bot

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// startable is a fake with an open pull request 12 at commit A.
func startable(t *testing.T) *fakeGitHub {
	g := newFake(t)
	g.pulls[12] = &PullRequest{Number: 12, State: "open", HeadSHA: shaA}
	return g
}

func dispatch(title string) *DispatchWorkflow {
	return &DispatchWorkflow{
		Workflow: "run-sweep.yml", Ref: "main", Title: title, Live: "Sweep PR #12 @ a1a1a1a1a1a1 [k.",
		Inputs: map[string]string{"title": title}, PR: 12, HeadSHA: shaA,
	}
}

const titleOne = "Sweep PR #12 @ a1a1a1a1a1a1 [k.1]"

func TestDispatchOnce(t *testing.T) {
	g := startable(t)
	x := &Executor{World: g.world()}
	for range 3 {
		perform(t, x, Intent{Effect: dispatch(titleOne)})
	}
	if len(g.started) != 1 {
		t.Fatalf("%d runs", len(g.started))
	}
	// Another wish for the same work waits for the run in progress ...
	second := dispatch("Sweep PR #12 @ a1a1a1a1a1a1 [k.2]")
	if got := states(perform(t, x, Intent{Effect: second})); got[0] != StateAlready || second.RunID == 0 {
		t.Errorf("%v, run %d", got, second.RunID)
	}
	// ... and is fulfilled anew once that is over; the first wish is not.
	g.runs[0].Status, g.runs[0].Conclusion = "completed", "success"
	perform(t, x, Intent{Effect: dispatch(titleOne)})
	perform(t, x, Intent{Effect: dispatch("Sweep PR #12 @ a1a1a1a1a1a1 [k.2]")})
	if len(g.started) != 2 {
		t.Errorf("%d runs", len(g.started))
	}
}

// S33: what moved between the decision and the start is not started.
func TestS33DispatchRefusesMovedHead(t *testing.T) {
	g := startable(t)
	g.pulls[12].HeadSHA = shaB
	results := perform(t, &Executor{World: g.world()}, Intent{Effect: dispatch(titleOne)})
	if results[0].State != StateRefused || len(g.started) != 0 {
		t.Errorf("%v, %d runs", states(results), len(g.started))
	}
	g.pulls[12].HeadSHA, g.pulls[12].State = shaA, "closed"
	results = perform(t, &Executor{World: g.world()}, Intent{Effect: dispatch(titleOne)})
	if results[0].State != StateRefused || len(g.started) != 0 {
		t.Errorf("%v, %d runs", states(results), len(g.started))
	}
}

// F08: a dispatch that GitHub refuses is an error, never overlooked.
func TestF08DispatchFailsLoudly(t *testing.T) {
	g := startable(t)
	g.fail = func(method string, _ int) error {
		if method == "Dispatch" {
			return ErrNotFound
		}
		return nil
	}
	results := perform(t, &Executor{World: g.world()}, Intent{Effect: dispatch(titleOne)})
	if results[0].State != StateFailed || !errors.Is(results.Err(), ErrNotFound) {
		t.Errorf("%v: %v", states(results), results.Err())
	}
}

func TestDispatchFindsItsRun(t *testing.T) {
	g := startable(t)
	g.unnamed, g.lag = true, 3
	e := dispatch(titleOne)
	perform(t, &Executor{World: g.world()}, Intent{Effect: e})
	if e.RunID == 0 || e.RunID != g.runs[0].ID {
		t.Errorf("run %d", e.RunID)
	}
	g = startable(t)
	g.unnamed, g.lag = true, 1000
	e = dispatch(titleOne)
	results := perform(t, &Executor{World: g.world()}, Intent{Effect: e})
	if got := states(results); got[0] != StateDone || e.RunID != 0 {
		t.Errorf("%v, run %d", got, e.RunID)
	}
	if got := codeOf(results.Err()); got != "bot.dispatch-unseen" {
		t.Errorf("F05: nobody is told that no run appeared: %q", got)
	}
	if n := g.calls["WorkflowRuns"]; n > maxPolls+2 {
		t.Errorf("%d looks", n)
	}
}

// The answer is lost, but the run is there.
func TestDispatchLostAnswer(t *testing.T) {
	g := startable(t)
	g.fail = func(method string, n int) error {
		if method == "Dispatch" {
			g.runs = append(g.runs, Run{ID: 50, Title: titleOne, Workflow: ".github/workflows/run-sweep.yml", Event: "workflow_dispatch", Status: "queued"})
			return errors.New("connection reset")
		}
		return nil
	}
	e := dispatch(titleOne)
	if got := states(perform(t, &Executor{World: g.world()}, Intent{Effect: e})); got[0] != StateDone || e.RunID != 50 {
		t.Errorf("%v, run %d", got, e.RunID)
	}
}

// Two servers at once: of the doubles the oldest goes on.
func TestDispatchDoublesAreCancelled(t *testing.T) {
	g := startable(t)
	g.after = func(method string, _ int) {
		if method == "Dispatch" {
			double := g.runs[0]
			double.ID = g.id()
			g.runs = append(g.runs, double)
		}
	}
	e := dispatch(titleOne)
	perform(t, &Executor{World: g.world()}, Intent{Effect: e})
	if diff := cmp.Diff([]int64{g.runs[1].ID}, g.canceled); diff != "" || e.RunID != g.runs[0].ID {
		t.Errorf("%s, run %d", diff, e.RunID)
	}
}

func TestCancelRun(t *testing.T) {
	g := newFake(t)
	g.runs = []Run{{ID: 1, Status: "in_progress"}, {ID: 2, Status: "completed"}, {ID: 3, Status: "queued"}}
	g.after = nil
	g.fail = func(method string, n int) error {
		if method == "CancelRun" && n == 2 {
			g.run(3).Status = "completed" // finished in between
			return ErrConflict
		}
		return nil
	}
	var intents []Intent
	for id := range int64(4) {
		intents = append(intents, Intent{Effect: &CancelRun{RunID: id + 1}})
	}
	got := states(perform(t, &Executor{World: g.world()}, intents...))
	if diff := cmp.Diff([]State{StateDone, StateAlready, StateDone, StateAlready}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{1}, g.canceled); diff != "" {
		t.Error(diff)
	}
}

func TestReaction(t *testing.T) {
	g := newFake(t)
	for range 2 {
		perform(t, &Executor{World: g.world()}, Intent{Effect: &React{5, "eyes"}})
	}
	if len(g.reactions) != 1 || !g.reactions["5 eyes"] {
		t.Errorf("%v", g.reactions)
	}
}

func TestDispatchInputs(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
		bad  bool
	}{
		"inputs": {"on:\n  workflow_dispatch:\n    inputs:\n      ref: {type: string}\n      trim-conc:\n        type: boolean\njobs: {}\n", []string{"ref", "trim-conc"}, false},
		"none":   {"on:\n  workflow_dispatch:\njobs: {}\n", nil, false},
		"quoted": {"'on':\n  workflow_dispatch: {inputs: {a: {}}}\n", []string{"a"}, false},
		"not":    {"on: push\njobs: {}\n", nil, true},
		"broken": {"on: [\n", nil, true},
		"list":   {"- on\n", nil, true},
	} {
		got, err := dispatchInputs("w.yml", []byte(c.text))
		if (err != nil) != c.bad {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTitles(t *testing.T) {
	for title, want := range map[string]titleRef{
		titleOne: {}, // no digits in the key
		"Sweep PR #12 @ a1a1a1a1a1a1 [0a1b2c.4d5e]":         {12, "a1a1a1a1a1a1", false},
		"e2e Test - External PR #7 @ 0123456789ab":          {7, "0123456789ab", true},
		"my Sweep PR #12 @ a1a1a1a1a1a1 [0a.1b]":            {},
		"e2e Test - PR #7 @ 0123456789ab":                   {},
		"Sweep PR #0 @ a1a1a1a1a1a1 [0a.1b]":                {},
		"Sweep PR #12 @ a1a1a1 [0a.1b]":                     {},
		"Run Sweep - Sweep PR #12 @ a1a1a1a1a1a1 [0a.1b]":   {},
		"Sweep PR #99999999999999 @ a1a1a1a1a1a1 [0a.1b]":   {},
		"Sweep PR #12 @ a1a1a1a1a1a1 [0a.1b]\nSweep PR #13": {},
	} {
		got, ok := titleOf(title)
		if ok != (want != titleRef{}) || got != want {
			t.Errorf("%q: %+v %v", title, got, ok)
		}
	}
}

func TestF52LabelsAt(t *testing.T) {
	at := func(clock string) time.Time {
		v, err := time.Parse("15:04:05", clock)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	events := []LabelEvent{
		{ID: 3, Label: "full-sweep-enabled", Added: true, CreatedAt: at("12:00:09")},
		{ID: 1, Label: "full-sweep-enabled", Added: true, CreatedAt: at("10:00:00")},
		{ID: 2, Label: "Full-Sweep-Enabled", Added: false, CreatedAt: at("12:00:00")},
		{ID: 4, Label: "all-evals", Added: true, CreatedAt: at("10:30:00")},
		{ID: 5, Label: "ghost", Added: true},
	}
	for clock, want := range map[string][]string{
		"09:59:59": nil, "10:00:00": {"full-sweep-enabled"}, "10:05:00": {"full-sweep-enabled"},
		"11:00:00": {"full-sweep-enabled", "all-evals"}, "12:00:05": {"all-evals"}, "13:00:00": {"all-evals", "full-sweep-enabled"},
	} {
		if diff := cmp.Diff(want, LabelsAt(events, at(clock))); diff != "" {
			t.Errorf("%s: %s", clock, diff)
		}
	}
}

// A list that lags shows neither the run of a process that was killed nor our
// own: it is looked at until it shows ours.
func TestDispatchWaitsForTheListBeforeItReconciles(t *testing.T) {
	g := startable(t)
	g.runs = append(g.runs, Run{ID: 40, Title: titleOne, Workflow: ".github/workflows/run-sweep.yml", Event: "workflow_dispatch", Status: "queued"})
	g.hidden[40], g.lag = 3, 2
	e := dispatch(titleOne)
	if got := states(perform(t, &Executor{World: g.world()}, Intent{Effect: e})); got[0] != StateDone || e.RunID != 40 {
		t.Errorf("%v, run %d", got, e.RunID)
	}
	if g.runs[0].Conclusion != "" || g.runs[1].Conclusion != "cancelled" {
		t.Errorf("%q, %q", g.runs[0].Conclusion, g.runs[1].Conclusion)
	}
}
