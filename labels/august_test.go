package labels

import "testing"

// augustExamples are the rows of spec/labels-and-sweeps.md section 3.3, in its
// order; the reuse command is authorised where the row says so.
func augustExamples() []example {
	return []example{
		{"A1", happens(with(enabled)), "active V:run G:run(run) S:run canary"},
		{"A2", happens(with(enabled), reuse(ReuseValid)), "active V:run G:run(skip) S:skip"},
		{"A2 unchecked source", happens(with(enabled), reuse(ReuseInvalid)), "active V:run G:run(skip) S:skip"},
		{"A3", happens(with(enabled, failFast), reuse(ReuseValid)), "active V:fail G:skip S:skip"},
		{"A4", happens(with(enabled), validator(Rejected)), "active V:fail G:skip S:skip"},
		{"A5", happens(with(trimmed)), "active V:run G:skip S:run trim"},
		{"A6 all-evals", happens(with(allEvals)), "active V:run G:skip S:skip"},
		{"A6 evals-only", happens(with(evalsOnly)), "active V:run G:skip S:skip"},
		{"A6 agentx-fast", happens(with(fast)), "active V:run G:skip S:skip"},
		{"A7", happens(with(enabled, allEvals), reuse(ReuseValid)), "active V:run G:run(skip) S:skip"},
		{"A8", happens(with(enabled, evalsOnly), reuse(ReuseValid)), "active V:run G:skip S:run evals-only"},
		{"A8 both", happens(with(enabled, evalsOnly, allEvals), reuse(ReuseValid)), "active V:run G:skip S:run all-evals evals-only"},
		{"A9", happens(with(enabled, fast), reuse(ReuseValid)), "active V:run G:skip S:run canary fast"},
		{"A10", happens(), "active V:run G:skip S:skip"},
		{"A11", happens(fork, with(enabled)), "active V:run G:run(run) S:skip"},
		{"A12", happens(added(enabled), with(enabled)), "active V:run G:skip S:run canary"},
		{"A13 all-evals", happens(added(allEvals), with(allEvals)), "active V:run G:skip S:skip"},
		{"A13 evals-only", happens(added(evalsOnly), with(evalsOnly)), "active V:run G:skip S:skip"},
		{"A13 agentx-fast", happens(added(fast), with(fast)), "active V:run G:skip S:skip"},
		{"A14 all-evals", happens(added(allEvals), with(enabled, allEvals)), "active V:run G:skip S:run canary all-evals"},
		{"A14 evals-only", happens(added(evalsOnly), with(enabled, evalsOnly)), "active V:run G:skip S:run evals-only"},
		{"A14 agentx-fast", happens(added(fast), with(enabled, fast)), "active V:run G:skip S:run canary fast"},
		{"A15 skip_queue", happens(added("skip_queue"), with(enabled, "skip_queue")), "active V:run G:skip S:run canary"},
		{"A15 ci-patchwork", happens(removed("ci-patchwork"), with(noCanary)), "active V:run G:skip S:run fail-fast"},
		{"A16", happens(added("bug"), with(enabled, "bug")), "apart V:skip G:skip S:skip"},
		{"A17", happens(removed(enabled)), "active V:run G:skip S:skip"},
		{"A18", happens(draft, with(enabled)), "active V:skip G:skip S:skip"},
		{"A18 added", happens(draft, added(enabled), with(enabled)), "active V:skip G:skip S:skip"},
		{"A19", happens(action(ReadyForReview), with(enabled)), "active V:run G:skip S:run canary"},
		{"A20", happens(with(enabled), marked), "active V:run G:run(run) S:skip"},
		{"A21", happens(pushed, marked), "active V:skip G:skip S:run"},
		{"A21 reuse", happens(pushed, reuse(ReuseValid)), "active V:skip G:skip S:run reuses"},
		{"A21 bad source", happens(pushed, reuse(ReuseInvalid)), "active V:skip G:skip S:fail"},
	}
}

func TestAugustTable(t *testing.T) { runExamples(t, august(), augustExamples()) }

func TestAugustMore(t *testing.T) {
	runExamples(t, august(), []example{
		{"push without changelog", happens(pushed, noChangelog), "none"},
		{"push to a branch", happens(pushed, toBranch("feature")), "none"},
		{"push, conflict means nothing", happens(pushed, conflicting), "active V:skip G:skip S:run"},
		{"opened", happens(action("opened"), with(enabled)), "none"},
		{"closed", happens(action(Closed), with(enabled)), "none"},
		{"draft, unrelated label", happens(draft, added("bug"), with("bug")), "apart V:skip G:skip S:skip"},
		{"fork, labelled", happens(fork, added(enabled), with(enabled)), "active V:run G:skip S:skip"},
		{"fork, two primaries", happens(fork, with(enabled, trimmed)), "active V:fail G:skip S:skip"},
		{"fast fork", happens(fork, with(enabled, fast)), "active V:run G:skip S:skip"},
	})
}

// septemberExamples show the transition of section 3.4.
func septemberExamples() []example {
	return []example{
		{"T1", happens(draft, with(enabled)), "active V:run G:run(run) S:run canary"},
		{"T2", happens(action(ReadyForReview), with(enabled)), "none"},
		{"T3", happens(fork, with(enabled)), "active V:skip G:skip S:skip"},
		{"T4", happens(), "active V:run G:run(run) S:skip"},
		{"T5", happens(with(trimmed)), "active V:run G:run(run) S:run trim"},
		{"T6", happens(added("skip_queue"), with(noCanary, "skip_queue")), "active V:run G:skip S:run fail-fast"},
		{"T7", happens(with(enabled), validator(Rejected)), "active V:fail G:skip S:skip"},
		{"T8", happens(pushed), "active V:skip G:skip S:run"},
		{"T9", happens(pushed, reuse(ReuseValid)), "active V:skip G:skip S:run reuses"},
	}
}

func TestSeptemberTable(t *testing.T) { runExamples(t, september(), septemberExamples()) }

// TestGroups pins the exact names of concurrency groups (section 2.2).
func TestGroups(t *testing.T) {
	for name, c := range map[string]struct {
		event Event
		want  string
	}{
		"push to the pull request": {happens(), "sweep-10-active"},
		"recognised label":         {happens(added(fast)), "sweep-10-active"},
		"F01 unrelated label":      {happens(added("reuse-full-sweep-results"), with(enabled)), "sweep-10-7001"},
		"F37 nested name":          {happens(added("full-sweep-enabled/x"), with(enabled)), "sweep-10-7001"},
		"stale label on a push":    {happens(func(e *Event) { e.Label = "bug" }), "sweep-10-active"},
		"run id not known":         {happens(added("bug"), func(e *Event) { e.RunID = 0 }), "sweep-10-<run id>"},
		"push to the base branch":  {happens(pushed), "sweep-ca89ac21-active"},
		"no run":                   {happens(noChangelog), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Decide(august(), base, c.event).Group; got != c.want {
				t.Errorf("group %q, want %q", got, c.want)
			}
		})
	}
	if got := Decide(newest(), base, happens(pushed)); got.IngestGroup != "merge-ingest-ca89ac21" || got.Group != "" {
		t.Errorf("ingest group %q, sweep group %q", got.IngestGroup, got.Group)
	}
	if got := Decide(newest(), base, happens(added("skip_queue"), with(enabled))).Group; got != "sweep-10-7001" {
		t.Errorf("a label of August lands in %q", got)
	}
}
