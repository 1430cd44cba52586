package bot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func checkOf(annotations int) *PublishCheck {
	run := CheckRun{Name: checkName, HeadSHA: shaA, ExternalID: "sweepbot:plan:12", Status: "completed", Conclusion: "failure", Title: "t", Summary: "s"}
	for i := range annotations {
		level := []string{"notice", "warning", "failure"}[i%3]
		run.Annotations = append(run.Annotations, CheckAnnotation{Path: "f", StartLine: i + 1, EndLine: i + 1, Level: level, Message: fmt.Sprint(i)})
	}
	return &PublishCheck{Run: run}
}

func TestCheckAnnotationsGoInPages(t *testing.T) {
	for _, c := range []struct{ annotations, requests, shown int }{{0, 1, 0}, {50, 1, 50}, {51, 2, 51}, {200, 4, 200}, {301, 4, 200}} {
		g := newFake(t)
		perform(t, &Executor{World: g.world()}, Intent{Effect: checkOf(c.annotations)})
		if writes := g.calls["CreateCheckRun"] + g.calls["UpdateCheckRun"]; writes != c.requests || len(g.checks) != 1 {
			t.Errorf("%d annotations: %d requests, %d checks", c.annotations, writes, len(g.checks))
		}
		run := g.checks[0]
		if len(run.Annotations) != c.shown || run.Status != "completed" || run.Conclusion != "failure" {
			t.Errorf("%d annotations: %d shown, %s %s", c.annotations, len(run.Annotations), run.Status, run.Conclusion)
		}
		for i := range run.Annotations[:max(0, c.shown-1)] {
			if badness(run.Annotations[i].Level) < badness(run.Annotations[i+1].Level) {
				t.Fatalf("%d annotations: not worst first at %d", c.annotations, i)
			}
		}
		if cut := strings.Contains(run.Summary, "more findings"); cut != (c.annotations > c.shown) {
			t.Errorf("%d annotations: cut is said: %v", c.annotations, cut)
		}
	}
}

func TestCheckIsPublishedOnce(t *testing.T) {
	g := newFake(t)
	x := &Executor{World: g.world()}
	other := checkOf(0)
	other.Run.Title = "other"
	got := states(append(append(
		perform(t, x, Intent{Effect: checkOf(0)}), perform(t, x, Intent{Effect: checkOf(0)})...),
		perform(t, x, Intent{Effect: other})...))
	if diff := cmp.Diff([]State{StateDone, StateAlready, StateDone}, got); diff != "" || len(g.checks) != 1 {
		t.Errorf("%s, %d checks", diff, len(g.checks))
	}
	// Old annotations would stay on mended lines: a new run instead.
	perform(t, x, Intent{Effect: checkOf(2)})
	perform(t, x, Intent{Effect: checkOf(0)})
	if len(g.checks) != 3 || len(g.checks[2].Annotations) != 0 {
		t.Errorf("%d checks", len(g.checks))
	}
	// A check of another external id is not ours.
	g.checks = []CheckRun{{ID: 1, Name: checkName, HeadSHA: shaA, ExternalID: "somebody:0"}}
	perform(t, x, Intent{Effect: checkOf(0)})
	if len(g.checks) != 2 || g.checks[0].Title != "" {
		t.Errorf("%+v", g.checks)
	}
}

// A publication that broke off between two pages is not taken for whole.
func TestCheckThatBrokeOffIsRepeated(t *testing.T) {
	g := newFake(t)
	g.fail = func(method string, n int) error {
		if method == "UpdateCheckRun" && n == 1 {
			return ErrForbidden
		}
		return nil
	}
	x := &Executor{World: g.world()}
	if got := states(perform(t, x, Intent{Effect: checkOf(120)})); got[0] != StateFailed || g.checks[0].Status != "in_progress" {
		t.Fatalf("%v %s", got, g.checks[0].Status)
	}
	perform(t, x, Intent{Effect: checkOf(120)})
	if last := g.checks[len(g.checks)-1]; last.Status != "completed" || len(last.Annotations) != 120 {
		t.Errorf("%s with %d annotations", last.Status, len(last.Annotations))
	}
}

func TestCheckTextsFit(t *testing.T) {
	e := checkOf(0)
	e.Run.Summary = strings.Repeat("很长\n", 40_000)
	e.Run.Text = strings.Repeat("x\n", 40_000)
	g := newFake(t)
	perform(t, &Executor{World: g.world()}, Intent{Effect: e})
	if !strings.HasSuffix(g.checks[0].Text, "does not fit here.") {
		t.Error("the cut is not said")
	}
}

// F55: a status that says the same is not written again.
func TestF55StatusOnlyOnChange(t *testing.T) {
	g := newFake(t)
	x := &Executor{World: g.world()}
	status := func(state, description string) Intent {
		return Intent{Effect: &SetStatus{SHA: shaA, Status: Status{Context: sweepName, State: state, Description: description}}}
	}
	long := strings.Repeat("很", 200)
	for range 1000 {
		perform(t, x, status("failure", long))
	}
	if len(g.statuses[shaA]) != 1 {
		t.Fatalf("%d statuses for one fact", len(g.statuses[shaA]))
	}
	perform(t, x, status("success", "done"))
	// The same context by somebody else does not count as ours.
	g.statuses[shaA] = append([]Status{{Context: sweepName, State: "success", Description: "done", Creator: User{ID: 7}}}, g.statuses[shaA]...)
	perform(t, x, status("success", "done"))
	if len(g.statuses[shaA]) != 4 {
		t.Errorf("%d statuses", len(g.statuses[shaA]))
	}
}
