package labels

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// platform acts as GitHub does with concurrency groups: a run that joins a
// group cancels the one in progress there.
type platform struct {
	policy  config.Labels
	nextRun int64
	running map[string]Decision // by group, sweeps in progress
	killed  int
}

func newPlatform(policy config.Labels) *platform {
	return &platform{policy: policy, running: map[string]Decision{}}
}

// send delivers an event and returns its decision.
func (p *platform) send(changes ...change) Decision {
	p.nextRun++
	e := happens(changes...)
	e.RunID = p.nextRun
	d := Decide(p.policy, base, e)
	if !d.Starts {
		return d
	}
	if _, busy := p.running[d.Group]; busy {
		p.killed++
		delete(p.running, d.Group)
	}
	if d.Sweep.Outcome == Run {
		p.running[d.Group] = d
	}
	return d
}

// TestS35LabelAddedAndRemovedManyTimes leaves one live run.
func TestS35LabelAddedAndRemovedManyTimes(t *testing.T) {
	p := newPlatform(newest())
	for range 20 {
		p.send(removed(failFast))
		p.send(added(failFast), with(failFast))
	}
	if len(p.running) != 1 || p.killed != 19 {
		t.Errorf("%d sweeps run, %d were cancelled; want 1 and 19", len(p.running), p.killed)
	}
}

// TestF01UnrelatedLabelLeavesTheSweepAlone, and F02 starts no other.
func TestF01UnrelatedLabelLeavesTheSweepAlone(t *testing.T) {
	p := newPlatform(newest())
	p.send(added(enabled), with(enabled))
	p.send(added("reuse-full-sweep-results"), with(enabled, "reuse-full-sweep-results"))
	if len(p.running) != 1 || p.killed != 0 {
		t.Errorf("%d sweeps run, %d were cancelled; want 1 and 0", len(p.running), p.killed)
	}
}

// TestF03PushToALabelledBranchSweepsTheNewHead.
func TestF03PushToALabelledBranchSweepsTheNewHead(t *testing.T) {
	p := newPlatform(newest())
	p.send(added(failFast), with(failFast))
	p.send(with(failFast), func(e *Event) { e.HeadSHA = "1a153fd1" })
	if got := p.running["sweep-10-active"].HeadSHA; got != "1a153fd1" || p.killed != 1 {
		t.Errorf("sweep of %q runs, %d cancelled", got, p.killed)
	}
}

// TestF04TwoLabelsAddedQuickly: whichever event comes last, the sweep that
// remains acts on both labels.
func TestF04TwoLabelsAddedQuickly(t *testing.T) {
	for _, order := range [][2]string{{fast, failFast}, {failFast, fast}} {
		p := newPlatform(newest())
		p.send(added(order[0]), with(order[0]))
		p.send(added(order[1]), with(order[1], order[0]))
		if d := p.running["sweep-10-active"]; !d.AgentXFast || !d.FailFast {
			t.Errorf("%v: sweep runs with fast %v, fail-fast %v", order, d.AgentXFast, d.FailFast)
		}
	}
}

// TestF21LaterPushIsNotMeasuredAgain while a label still forces a sweep.
func TestF21LaterPushIsNotMeasuredAgain(t *testing.T) {
	p := newPlatform(newest())
	p.send(with(failFast), reuse(ReuseValid))
	if len(p.running) != 0 {
		t.Error("a push sweeps although reuse was authorised")
	}
	p.send(added(failFast), with(failFast), reuse(ReuseValid))
	if len(p.running) != 1 {
		t.Error("the label does not force a sweep")
	}
}

// TestSecondPrimaryStopsTheSweep: the sharp edge of section 19 is kept, and
// the run says so.
func TestSecondPrimaryStopsTheSweep(t *testing.T) {
	p := newPlatform(newest())
	p.send(added(failFast), with(failFast))
	d := p.send(added(enabled), with(enabled, failFast))
	if len(p.running) != 0 || p.killed != 1 || d.Why.Code != "labels.run-stops" {
		t.Errorf("%d run, %d cancelled, %v", len(p.running), p.killed, d.Why)
	}
	want := "the sweep labels full-sweep-fail-fast, full-sweep-enabled exclude each other"
	if got := d.Sweep.Reason.Message(catalog.English); got != want {
		t.Errorf("S34: %q, want %q", got, want)
	}
}

// TestF18EverySameRepoChangeIsChecked, whatever its labels.
func TestF18EverySameRepoChangeIsChecked(t *testing.T) {
	for _, policy := range []config.Labels{newest(), august(), september()} {
		d := Decide(policy, base, happens(validator(Rejected)))
		if d.Validate.Outcome != Fail || d.Validate.Reason.Code != "labels.check-failed" {
			t.Errorf("a clean-up without labels: %+v", d.Validate)
		}
	}
}

// TestS39OddPullRequests get defined decisions.
func TestS39OddPullRequests(t *testing.T) {
	for name, c := range map[string]struct {
		change change
		why    string
		sweep  string
	}{
		"retargeted":           {toBranch("release"), "labels.no-run-base", "labels.no-run-base"},
		"head repository gone": {fork, "labels.run-stops", "labels.fork"},
		"no commit":            {func(e *Event) { e.HeadSHA = "" }, "labels.run-restarts", "labels.sweep-runs"},
		"head equals base":     {noChangelog, "labels.no-run-changelog", "labels.no-run-changelog"},
		"nothing known":        {func(e *Event) { *e = Event{} }, "labels.no-run-event", "labels.no-run-event"},
	} {
		d := Decide(newest(), base, happens(with(enabled), c.change))
		if d.Why.Code != c.why || d.Sweep.Reason.Code != c.sweep {
			t.Errorf("%s: run %s, sweep %s", name, d.Why.Code, d.Sweep.Reason.Code)
		}
	}
	if d := Decide(newest(), "", happens(toBranch(""))); d.Starts {
		t.Error("an unset base branch matches")
	}
	if d := Decide(config.Labels{}, base, happens(added(""), with(""))); d.Cancels || d.Sweep.Outcome == Run {
		t.Errorf("an empty policy acts: %+v", d)
	}
}

// TestMissingFactsAreNamed in the reason of each open step.
func TestMissingFactsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change change
		want   [3]string
	}{
		{"validator", func(e *Event) { e.Validator = "" }, [3]string{"labels.check-open", "labels.check-open", "labels.check-open"}},
		{"reuse", func(e *Event) { e.Reuse = "" }, [3]string{"labels.check-passed", "labels.gate-open", "labels.gate-open"}},
		{"message", func(e *Event) { e.HeadMessage = nil }, [3]string{"labels.check-passed", "labels.gate-none", "labels.message-open"}},
	} {
		d := Decide(newest(), base, happens(with(failFast), c.change))
		got := [3]string{d.Validate.Reason.Code, d.Gate.Reason.Code, d.Sweep.Reason.Code}
		if diff := cmp.Diff(c.want, got); diff != "" || d.Sweep.Outcome != Unknown || d.Why.Code != "labels.run-replaces" {
			t.Errorf("%s: %s, sweep %s, %s", c.name, diff, d.Sweep.Outcome, d.Why.Code)
		}
	}
	open := func(e *Event) { e.Validator, e.Reuse, e.HeadMessage = "", "", nil }
	if d := Decide(newest(), base, happens(open)); d.Sweep.Outcome != Skip {
		t.Errorf("no sweep label decides the sweep whatever is open: %v", d.Sweep)
	}
}

func BenchmarkDecide(b *testing.B) {
	policy := newest()
	labels := make([]string, MaxLabels)
	for i := range labels {
		labels[i] = fmt.Sprintf("area/some-label-%d", i)
	}
	labels[50] = failFast
	for b.Loop() {
		Decide(policy, base, happens(with(labels...)))
	}
}
