package labels

import (
	"slices"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// answers are the outcomes that the formulas of the specification give for a
// pull-request event that started a run.
type answers struct {
	validates, passes, gated, gateFails, sweeps, cancels bool
}

// newestFormulas is section 3.2, "Exact formulas", written down a second time.
func newestFormulas(e Event) answers {
	var a answers
	primaries := count(e.Labels, failFast, enabled, nonCanary)
	eventOK := e.Action == Synchronize || count([]string{e.Label}, failFast, enabled, nonCanary, allEvals, evalsOnly, fast) == 1
	a.cancels = eventOK
	a.validates = e.SameRepo && eventOK
	a.passes = a.validates && primaries <= 1 && e.Validator == Accepted
	a.gated = a.passes && e.Action == Synchronize && count(e.Labels, evalsOnly, fast) == 0
	a.gateFails = a.gated && e.Reuse == ReuseInvalid
	a.sweeps = a.passes && (!a.gated || e.Reuse == ReuseNone) &&
		e.SameRepo && *e.HeadMessage != "[skip-sweep]" && primaries >= 1 && eventOK
	return a
}

// augustFormulas is section 3.3 in the same way.
func augustFormulas(e Event) answers {
	var a answers
	primaries := count(e.Labels, failFast, enabled, nonCanary, noCanary, trimmed)
	labelOK := count([]string{e.Label}, failFast, enabled, nonCanary, noCanary, trimmed, allEvals, evalsOnly, fast,
		"skip_queue", "ci-patchwork", "engine-patch", "ci-patchwork-waived", "ci-checklist-complete") == 1
	eventOK := e.Action != Labeled && e.Action != Unlabeled || labelOK
	a.cancels = eventOK
	a.validates = !e.Draft && eventOK
	a.passes = a.validates && primaries <= 1 && e.Validator == Accepted
	a.gated = a.passes && e.Action == Synchronize && !e.Draft && count(e.Labels, evalsOnly, fast) == 0 &&
		count(e.Labels, failFast, enabled, nonCanary, noCanary) > 0
	a.sweeps = (a.passes || !a.validates) && (!a.gated || e.Reuse == ReuseNone) &&
		!e.Draft && e.SameRepo && *e.HeadMessage != "[skip-sweep]" && primaries >= 1 && eventOK
	return a
}

func count(labels []string, names ...string) int {
	n := 0
	for _, name := range names {
		if slices.Contains(labels, name) {
			n++
		}
	}
	return n
}

func TestNewestFormulas(t *testing.T) {
	changes := []change{action(Synchronize), added(enabled), removed(failFast), added(fast), added("bug"), added(noCanary)}
	holdFormulas(t, newest(), newestFormulas, []string{failFast, enabled, nonCanary, allEvals, evalsOnly, fast, "bug"}, changes)
}

func TestAugustFormulas(t *testing.T) {
	changes := []change{action(Synchronize), action(ReadyForReview), added(noCanary), removed("skip_queue"), added("bug")}
	holdFormulas(t, august(), augustFormulas, []string{failFast, trimmed, noCanary, evalsOnly, fast, "skip_queue"}, changes)
}

// holdFormulas compares Decide with formulas over the product of all label
// sets, changes and facts.
func holdFormulas(t *testing.T, policy config.Labels, formulas func(Event) answers, labels []string, changes []change) {
	t.Helper()
	for mask := range 1 << len(labels) {
		var carried []string
		for i, label := range labels {
			if mask>>i&1 == 1 {
				carried = append(carried, label)
			}
		}
		for _, what := range changes {
			for bits := range 48 {
				e := happens(with(carried...), what, facts(bits))
				compareAnswers(t, policy, e, formulas(e))
			}
		}
	}
}

// facts sets fork, rejected, marked, draft and the reuse state by the digits of
// a number.
func facts(bits int) change {
	return func(e *Event) {
		e.SameRepo = bits&1 == 0
		e.Draft = bits&8 != 0
		if bits&2 != 0 {
			e.Validator = Rejected
		}
		if bits&4 != 0 {
			message("[skip-sweep]")(e)
		}
		e.Reuse = []Reuse{ReuseNone, ReuseValid, ReuseInvalid}[bits/16]
	}
}

func compareAnswers(t *testing.T, policy config.Labels, e Event, want answers) {
	t.Helper()
	d := Decide(policy, base, e)
	for _, c := range []struct {
		step      string
		got, want Outcome
	}{
		{"validate", d.Validate.Outcome, chosen(!want.validates, Skip, chosen(want.passes, Run, Fail))},
		{"gate", d.Gate.Outcome, chosen(!want.gated, Skip, chosen(want.gateFails, Fail, Run))},
		{"sweep", d.Sweep.Outcome, chosen(want.sweeps, Run, Skip)},
	} {
		if c.got != c.want {
			t.Fatalf("%s is %s, want %s, for %+v", c.step, c.got, c.want, e)
		}
	}
	if d.Cancels != want.cancels || !d.Starts {
		t.Fatalf("starts %v, cancels %v, want true, %v, for %+v", d.Starts, d.Cancels, want.cancels, e)
	}
}

func chosen(condition bool, then, otherwise Outcome) Outcome {
	if condition {
		return then
	}
	return otherwise
}
