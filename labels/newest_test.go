package labels

import (
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// newestExamples are the rows of spec/labels-and-sweeps.md section 3.2.
func newestExamples() []example {
	return []example{
		{"N1", happens(), "active V:run G:run(run) S:skip"},
		{"N2", happens(with(failFast)), "active V:run G:run(run) S:run canary fail-fast"},
		{"N3", happens(with(failFast), reuse(ReuseValid)), "active V:run G:run(skip) S:skip"},
		{"N4", happens(with(failFast), reuse(ReuseInvalid)), "active V:run G:fail S:skip"},
		{"N5", happens(with(enabled)), "active V:run G:run(run) S:run canary"},
		{"N6", happens(with(nonCanary)), "active V:run G:run(run) S:run"},
		{"N7", happens(with(failFast, allEvals)), "active V:run G:run(run) S:run canary fail-fast all-evals"},
		{"N8", happens(with(failFast, evalsOnly), reuse(ReuseValid)), "active V:run G:skip S:run fail-fast evals-only"},
		{"N9", happens(with(enabled, allEvals, evalsOnly), reuse(ReuseValid)), "active V:run G:skip S:run all-evals evals-only"},
		{"N10", happens(with(failFast, fast), reuse(ReuseValid)), "active V:run G:skip S:run canary fail-fast fast"},
		{"N11", happens(with(failFast, enabled)), "active V:fail G:skip S:skip"},
		{"N12", happens(with(allEvals)), "active V:run G:run(run) S:skip"},
		{"N12 blocking", happens(with(evalsOnly, fast)), "active V:run G:skip S:skip"},
		{"N13", happens(with(failFast), marked), "active V:run G:run(run) S:skip"},
		{"N14", happens(with(failFast), validator(Rejected)), "active V:fail G:skip S:skip"},
		{"N15", happens(added(failFast), with(failFast), reuse(ReuseValid)), "active V:run G:skip S:run canary fail-fast"},
		{"N16", happens(added(enabled), with(enabled, failFast)), "active V:fail G:skip S:skip"},
		{"N17 added", happens(added(allEvals), with(enabled, allEvals)), "active V:run G:skip S:run canary all-evals"},
		{"N17 removed", happens(removed(evalsOnly), with(failFast)), "active V:run G:skip S:run canary fail-fast"},
		{"N18", happens(added(allEvals), with(allEvals)), "active V:run G:skip S:skip"},
		{"N19", happens(removed(failFast)), "active V:run G:skip S:skip"},
		{"N20", happens(removed(enabled), with(failFast)), "active V:run G:skip S:run canary fail-fast"},
		{"N21 added", happens(added("bug"), with("bug", failFast)), "apart V:skip G:skip S:skip"},
		{"N21 removed", happens(removed("sweep-enabled"), with(failFast)), "apart V:skip G:skip S:skip"},
		{"N22", happens(added(failFast), with(failFast), marked), "active V:run G:skip S:skip"},
		{"N23", happens(fork, with(failFast)), "active V:skip G:skip S:skip"},
		{"N23 added", happens(fork, added(failFast), with(failFast)), "active V:skip G:skip S:skip"},
		{"N24", happens(with(failFast), toBranch("release")), "none"},
		{"N25", happens(with(failFast), noChangelog), "none"},
		{"N26", happens(added(failFast), with(failFast), conflicting), "none"},
		{"N27 opened", happens(action("opened"), with(failFast)), "none"},
		{"N27 reopened", happens(action("reopened"), with(failFast)), "none"},
		{"N27 ready", happens(action(ReadyForReview), with(failFast)), "none"},
		{"N27 edited", happens(action("edited"), with(failFast)), "none"},
		{"N27 closed", happens(action(Closed), with(failFast)), "none"},
		{"N28", happens(pushed, marked), "none ingest"},
		{"N29", happens(pushed, noChangelog), "none"},
	}
}

// onlyStaleExamples are about the label of ours: like any other modifier, and
// like agentx-fast for reuse.
func onlyStaleExamples() []example {
	return []example{
		{"push", happens(with(failFast, onlyStale), reuse(ReuseValid)), "active V:run G:skip S:run canary fail-fast only-stale"},
		{"alone", happens(added(onlyStale), with(onlyStale)), "active V:run G:skip S:skip"},
		{"added", happens(added(onlyStale), with(enabled, onlyStale)), "active V:run G:skip S:run canary only-stale"},
		{"removed", happens(removed(onlyStale), with(enabled)), "active V:run G:skip S:run canary"},
		{"fork", happens(fork, added(onlyStale), with(enabled, onlyStale)), "active V:skip G:skip S:skip"},
	}
}

// TestOnlyStale also holds that the label means nothing where it is switched
// off, which leaves exactly the rows of the specification.
func TestOnlyStale(t *testing.T) {
	runExamples(t, newest(), onlyStaleExamples())
	exact := newest()
	exact.OnlyStale = ""
	for _, policy := range []config.Labels{exact, august()} {
		runExamples(t, policy, []example{{"off", happens(added(onlyStale), with(failFast, onlyStale)), "apart V:skip G:skip S:skip"}})
		s := Select(policy, []string{failFast, onlyStale})
		if !s.Reusable || s.OnlyStale || len(s.Unrelated) != 1 {
			t.Errorf("switched off, the label is known: %+v", s)
		}
	}
	runExamples(t, exact, newestExamples())
}

func TestNewestTable(t *testing.T) { runExamples(t, newest(), newestExamples()) }
