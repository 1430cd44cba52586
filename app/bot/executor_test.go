package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// fakeHost is a job that keeps what it is told.
type fakeHost struct {
	outputs   []Output
	summaries []string
	shown     diag.List
	err       error
}

func (h *fakeHost) SetOutput(name, value string) error {
	h.outputs = append(h.outputs, Output{name, value})
	return h.err
}

func (h *fakeHost) Summary(markdown string) error {
	h.summaries = append(h.summaries, markdown)
	return h.err
}

func (h *fakeHost) Annotate(list diag.List) error {
	h.shown = append(h.shown, list...)
	return h.err
}

func (h *fakeHost) output(name string) string {
	value := "" // the last one counts
	for _, o := range h.outputs {
		if o.Name == name {
			value = o.Value
		}
	}
	return value
}

// states are the states of results, in order.
func states(results Results) []State {
	var out []State
	for _, r := range results {
		out = append(out, r.State)
	}
	return out
}

func perform(t *testing.T, x *Executor, intents ...Intent) Results {
	t.Helper()
	results, err := x.Perform(context.Background(), intents)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestExecutorGoesOnAfterFailures(t *testing.T) {
	g := newFake(t)
	g.fail = func(method string, _ int) error {
		if method == "Comments" || method == "CancelRun" {
			return errors.New("broken")
		}
		return nil
	}
	g.runs = []Run{{ID: 1, Status: "queued"}}
	host := &fakeHost{}
	w := g.world()
	w.Host = host
	comment := &UpsertComment{Number: 1, Topic: "x", content: fixed{"x", "what was found out"}}
	cancel := &CancelRun{RunID: 1}
	results := perform(t, &Executor{World: w},
		Intent{Effect: comment, Courtesy: true},
		Intent{Effect: cancel},
		Intent{Effect: &React{2, "eyes"}, Needs: []string{cancel.Key()}},
		Intent{Effect: &SetOutput{Output: Output{"a", "b"}}},
		Intent{Effect: &SetOutput{Output: Output{"a", "c"}}},
	)
	want := []State{StateFailed, StateFailed, StateHeld, StateDone, StateDuplicate}
	if diff := cmp.Diff(want, states(results)); diff != "" {
		t.Error(diff)
	}
	if host.output("a") != "b" || len(host.outputs) != 1 {
		t.Errorf("outputs %v", host.outputs)
	}
	if len(host.summaries) != 1 || !strings.Contains(host.summaries[0], "what was found out") {
		t.Errorf("F50: the text of the comment is lost: %v", host.summaries)
	}
	if err := results.Err(); err == nil || strings.Count(err.Error(), "broken") != 1 {
		t.Errorf("only the cancel fails the event: %v", err)
	}
}

// F50: a throttled comment loses nothing and changes no outcome.
func TestF50ThrottledCommentIsPostponed(t *testing.T) {
	g := newFake(t)
	limit := &RateLimitError{Until: epoch.Add(72 * time.Second), Secondary: true}
	g.fail = func(method string, n int) error {
		if method == "CreateComment" && n == 1 {
			return limit
		}
		return nil
	}
	w := g.world()
	host := &fakeHost{}
	w.Host = host
	intents := []Intent{
		{Effect: &UpsertComment{Number: 1, Topic: "x", content: fixed{"x", "expensive"}}, Courtesy: true},
		{Effect: &SetOutput{Output: Output{"sweep", "true"}}},
	}
	results := perform(t, &Executor{World: w}, intents...)
	if diff := cmp.Diff([]State{StatePostponed, StateDone}, states(results)); diff != "" {
		t.Fatal(diff)
	}
	if results.Err() != nil || host.output("sweep") != "true" || len(host.summaries) != 1 {
		t.Errorf("err %v, outputs %v, summaries %d", results.Err(), host.outputs, len(host.summaries))
	}
	later := perform(t, &Executor{World: w}, results.Postponed()...)
	if diff := cmp.Diff([]State{StateDone}, states(later)); diff != "" || len(g.bodies(1)) != 1 {
		t.Errorf("%s, comments %q", diff, g.bodies(1))
	}
}

// brokenJournal fails to open or to close.
type brokenJournal struct{ open, close error }

func (j brokenJournal) Open(context.Context, string, ordjson.Value) (bool, error) {
	return false, j.open
}

func (j brokenJournal) Close(context.Context, string, error) error { return j.close }

func TestJournal(t *testing.T) {
	g := newFake(t)
	w := g.world()
	journal := &MemoryJournal{}
	intent := Intent{Effect: &UpsertComment{Number: 1, Topic: "x", content: fixed{"x", "text"}}}
	perform(t, &Executor{World: w, Journal: journal}, intent)
	before := g.total()
	results := perform(t, &Executor{World: w, Journal: journal}, intent)
	if diff := cmp.Diff([]State{StateAlready}, states(results)); diff != "" || g.total() != before {
		t.Errorf("%s; %d requests for what is recorded as done", diff, g.total()-before)
	}

	// Without a record nothing is done.
	g = newFake(t)
	_, err := (&Executor{World: g.world(), Journal: brokenJournal{open: errors.New("disk full")}}).Perform(context.Background(), []Intent{intent})
	if err == nil || g.total() != 0 {
		t.Errorf("err %v, %d requests", err, g.total())
	}
	// A crash before the second record: the next attempt finds the comment.
	g = newFake(t)
	for range 2 {
		_, err = (&Executor{World: g.world(), Journal: brokenJournal{close: errors.New("crash")}}).Perform(context.Background(), []Intent{intent})
	}
	if err == nil || len(g.bodies(1)) != 1 {
		t.Errorf("err %v, comments %q", err, g.bodies(1))
	}
	// A failed effect is not recorded as done.
	failing := &MemoryJournal{}
	g.fail = func(string, int) error { return errors.New("down") }
	perform(t, &Executor{World: g.world(), Journal: failing}, intent)
	g.fail = nil
	if diff := cmp.Diff([]State{StateAlready}, states(perform(t, &Executor{World: g.world(), Journal: failing}, intent))); diff != "" || g.calls["Comments"] == 0 {
		t.Error(diff)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	g := newFake(t)
	g.say(1, User{ID: botID}, seal{}.write("old", "same", ""))
	d := Decided{Story: "pull-request", Number: 1, Reasons: diag.List{note("bot.welcome-why")}}
	d.add(&SetOutput{Output: Output{"sweep", "false"}}, note("labels.gate-none"))
	d.inform(&UpsertComment{Number: 1, Topic: "new", content: fixed{"new", "text"}}, note("bot.welcome-why"))
	d.inform(&UpsertComment{Number: 1, Topic: "old", content: fixed{"old", "same"}}, note("bot.welcome-why"))
	why := diag.New("bot.publish-not-authorised", diag.Place{}, "commit", shaA)
	d.add(&Refuse{Finding: why}, why)
	x := &Executor{World: g.world(), DryRun: true}
	results := perform(t, x, d.Intents...)
	if diff := cmp.Diff([]State{StatePlanned, StatePlanned, StateAlready, StatePlanned}, states(results)); diff != "" {
		t.Error(diff)
	}
	for _, method := range g.log {
		if !slices.Contains([]string{"Comments", "WorkflowRuns"}, method) {
			t.Errorf("a dry run calls %s", method)
		}
	}
	var table, doc strings.Builder
	if err := RenderEffects(&table, d, results, TableStyle{Language: "en", Columns: 100}); err != nil {
		t.Fatal(err)
	}
	golden(t, "effects/dry-run.txt", table.String())
	doc.Write(EventDocument(d, results, "en").Append(nil, ordjson.Compact))
	golden(t, "effects/dry-run.json", doc.String()+"\n")
	if results.Err() != nil {
		t.Errorf("a dry run fails: %v", results.Err())
	}
	// Offline too.
	results = perform(t, &Executor{DryRun: true}, d.Intents...)
	if diff := cmp.Diff([]State{StatePlanned, StatePlanned, StatePlanned, StatePlanned}, states(results)); diff != "" {
		t.Error(diff)
	}
}

func TestRefusalEndsRed(t *testing.T) {
	why := diag.New("bot.publish-not-authorised", diag.Place{}, "commit", shaA)
	results := perform(t, &Executor{World: newFake(t).world()}, Intent{Effect: &Refuse{Finding: why}})
	var list diag.List
	if !errors.As(results.Err(), &list) || list[0].Code != why.Code || results[0].State != StateRefused {
		t.Errorf("%v: %v", states(results), results.Err())
	}
}

func TestInterruptedWorkDoesNothingMore(t *testing.T) {
	g := newFake(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	results, err := (&Executor{World: g.world(), Journal: &MemoryJournal{}}).Perform(ctx, []Intent{{Effect: &React{1, "eyes"}}})
	if err != nil || results[0].State != StateFailed || g.total() != 0 {
		t.Errorf("%v %v, %d requests", states(results), err, g.total())
	}
}

func TestHostEffectsNeedAHost(t *testing.T) {
	results := perform(t, &Executor{World: newFake(t).world()},
		Intent{Effect: &SetOutput{Output: Output{"a", "b"}}}, Intent{Effect: &WriteSummary{Markdown: "x"}}, Intent{Effect: &Annotations{}})
	if diff := cmp.Diff([]State{StateFailed, StateFailed, StateFailed}, states(results)); diff != "" {
		t.Error(diff)
	}
}
