package labels

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const approvedSHA = "f59e286c562c027072bfb852139f3e00e981cbc5"

// forkEvent is a sweep label added to a fork's pull request.
func forkEvent(changes ...change) Event {
	e := happens(fork, added(failFast), with(failFast, allEvals))
	e.Name, e.HeadSHA = PullRequestTarget, approvedSHA
	for _, apply := range changes {
		apply(&e)
	}
	return e
}

// forkState is a pull request in which nothing stands against the dispatch.
func forkState() ForkState {
	return ForkState{
		MayWrite: true, Open: true, HeadSHA: approvedSHA, BaseSHA: "ba5e", MergeSHA: "3e49e", Labels: []string{failFast, allEvals},
	}
}

func TestForkDispatch(t *testing.T) {
	got := DecideFork(newest(), base, forkEvent(), forkState())
	want := Dispatch{
		Step:     step(Run, "labels.dispatch-runs", "head", "f59e286c562c", "label", failFast),
		TestName: "External PR #10 @ f59e286c562c", Ref: "3e49e", BaseSHA: "ba5e", HeadSHA: approvedSHA,
		FailFast: true, Modifiers: Modifiers{AllEvals: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	now := forkState()
	now.Labels = []string{trimmed}
	got = DecideFork(august(), base, forkEvent(added(trimmed)), now)
	if !got.Trim || got.FailFast || got.Outcome != Run {
		t.Errorf("August, %s: %+v", trimmed, got)
	}
}

// TestForkDispatchChecks are the checks of section 13 in their order, S33 among
// them, and F57.
func TestForkDispatchChecks(t *testing.T) {
	state := func(edit func(*ForkState)) func(*ForkState) { return edit }
	for _, c := range []struct {
		name  string
		event Event
		edit  func(*ForkState)
		want  string
	}{
		{"other label", forkEvent(added("bug")), nil, "labels.dispatch-not-asked"},
		{"modifier", forkEvent(added(fast)), nil, "labels.dispatch-not-asked"},
		{"label of August", forkEvent(added(trimmed)), nil, "labels.dispatch-not-asked"},
		{"label removed", forkEvent(removed(failFast)), nil, "labels.dispatch-not-asked"},
		{"push", forkEvent(action(Synchronize)), nil, "labels.dispatch-not-asked"},
		{"other base", forkEvent(toBranch("release")), nil, "labels.dispatch-not-asked"},
		{"same repository", forkEvent(func(e *Event) { e.SameRepo = true }), nil, "labels.dispatch-not-asked"},
		{"other event", forkEvent(func(e *Event) { e.Name = PullRequest }), nil, "labels.dispatch-not-asked"},
		{"1 permission", forkEvent(), state(func(s *ForkState) { *s = ForkState{} }), "labels.dispatch-permission"},
		{"2 closed", forkEvent(), state(func(s *ForkState) { s.Open, s.Draft = false, true }), "labels.dispatch-closed"},
		{"2 draft", forkEvent(), state(func(s *ForkState) { s.Draft, s.SameRepo = true, true }), "labels.dispatch-draft"},
		{"3 same repository", forkEvent(), state(func(s *ForkState) { s.SameRepo, s.HeadSHA = true, "" }), "labels.dispatch-same-repo"},
		{"4 S33 head moved", forkEvent(), state(func(s *ForkState) { s.HeadSHA, s.Labels = "e3f27cd4", nil }), "labels.dispatch-moved"},
		{"5 label gone", forkEvent(), state(func(s *ForkState) { s.Labels, s.MergeSHA = []string{enabled}, "" }), "labels.dispatch-label-gone"},
		{"5 two labels", forkEvent(), state(func(s *ForkState) { s.Labels = []string{enabled, failFast} }), "labels.dispatch-label-gone"},
		{"6 conflict", forkEvent(), state(func(s *ForkState) { s.MergeSHA, s.AwaitsApproval = "", true }), "labels.dispatch-conflict"},
		{"F57 newcomer", forkEvent(), state(func(s *ForkState) { s.AwaitsApproval = true }), "labels.dispatch-awaits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := forkState()
			if c.edit != nil {
				c.edit(&now)
			}
			got := DecideFork(newest(), base, c.event, now)
			if got.Reason.Code != c.want || got.Outcome == Run || got.Ref != "" {
				t.Errorf("%s %s, want %s", got.Outcome, got.Reason.Code, c.want)
			}
		})
	}
}

// TestForkCommitIsTheApprovedOne whatever else holds.
func TestForkCommitIsTheApprovedOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, now := forkEvent(), forkState()
		e.HeadSHA = rapid.SampledFrom([]string{approvedSHA, "e3f27cd4", ""}).Draw(t, "event")
		now.HeadSHA = rapid.SampledFrom([]string{approvedSHA, "e3f27cd4", ""}).Draw(t, "now")
		now.MayWrite = rapid.Bool().Draw(t, "may write")
		got := DecideFork(newest(), base, e, now)
		if got.Outcome == Run && (got.HeadSHA != e.HeadSHA || got.HeadSHA == "" || !now.MayWrite) {
			t.Fatalf("dispatches %q for an approval of %q", got.HeadSHA, e.HeadSHA)
		}
	})
}

// TestFanOut is the waiting rule of sections 6 and 7, with the selector that
// dies (section 19) and the skipped job (F09).
func TestFanOut(t *testing.T) {
	ahead := func(edit func(*Ahead)) Ahead {
		jobs := Ahead{Setup: Success, Select: Success, Canary: Success, MultiNodeCanary: Skipped}
		edit(&jobs)
		return jobs
	}
	for _, c := range []struct {
		name   string
		canary bool
		jobs   Ahead
		want   string
	}{
		{"canary passed", true, ahead(func(*Ahead) {}), "run labels.fanout-runs"},
		{"no candidate", true, ahead(func(a *Ahead) { a.Canary = Skipped }), "run labels.fanout-runs"},
		{"no canary wanted", false, Ahead{Setup: Success, Select: Skipped, Canary: Skipped, MultiNodeCanary: Skipped}, "run labels.fanout-runs"},
		{"canary failed", true, ahead(func(a *Ahead) { a.Canary = Failure }), "skip labels.fanout-canary"},
		{"canary cancelled", true, ahead(func(a *Ahead) { a.Canary = Cancelled }), "skip labels.fanout-canary"},
		{"multi-node canary failed", true, ahead(func(a *Ahead) { a.Canary, a.MultiNodeCanary = Skipped, Failure }), "skip labels.fanout-canary"},
		{"selector failed", true, ahead(func(a *Ahead) { a.Select, a.Canary = Failure, Skipped }), "skip labels.fanout-selector"},
		{"selector skipped", true, ahead(func(a *Ahead) { a.Select, a.Canary = Skipped, Skipped }), "skip labels.fanout-selector"},
		{"set-up failed", true, ahead(func(a *Ahead) { a.Setup = Failure }), "skip labels.fanout-setup"},
		{"set-up skipped", true, ahead(func(a *Ahead) { a.Setup = Skipped }), "skip labels.fanout-setup"},
		{"run cancelled", true, ahead(func(a *Ahead) { a.RunCancelled = true }), "skip labels.fanout-cancelled"},
		{"canary running", true, ahead(func(a *Ahead) { a.Canary = "" }), "unknown labels.fanout-open"},
		{"one failed, one running", true, ahead(func(a *Ahead) { a.Canary, a.MultiNodeCanary = "", Failure }), "skip labels.fanout-canary"},
		{"odd result", true, ahead(func(a *Ahead) { a.Canary = "neutral\n" }), "skip labels.fanout-canary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := FanOut(c.canary, c.jobs)
			if got := string(s.Outcome) + " " + s.Reason.Code; got != c.want || strings.Contains(s.Reason.Error(), "\n") {
				t.Errorf("got %s, want %s: %v", got, c.want, s.Reason)
			}
		})
	}
}

// TestCancelOnMerge is section 17: only runs of the merged pull request, only
// unfinished ones, never a pinned one, and only where the policy asks.
func TestCancelOnMerge(t *testing.T) {
	policy := newest()
	policy.CancelOnMerge = true
	merged := happens(action(Closed), func(e *Event) { e.Merged = true })
	head := MergedHead{Repo: "o/r", Branch: "new-points", Commits: []string{"aaaa", "bbbb"}, Pinned: []int64{4}}
	run := func(id int64, edit func(*SweepRun)) SweepRun {
		r := SweepRun{ID: id, Event: PullRequest, Status: "in_progress", HeadRepo: "o/r", HeadBranch: "new-points", HeadSHA: "bbbb"}
		edit(&r)
		return r
	}
	runs := []SweepRun{
		run(9, func(r *SweepRun) { r.Status = "waiting" }),
		run(1, func(*SweepRun) {}), run(1, func(*SweepRun) {}),
		run(2, func(r *SweepRun) { r.Status, r.HeadSHA = "queued", "aaaa" }),
		run(3, func(r *SweepRun) { r.Status = "completed" }),
		run(4, func(*SweepRun) {}),
		run(5, func(r *SweepRun) { r.HeadRepo = "other/r" }),
		run(6, func(r *SweepRun) { r.HeadBranch = "new-points-2" }),
		run(7, func(r *SweepRun) { r.HeadSHA = "cccc" }),
		run(8, func(r *SweepRun) { r.Event = Push }),
	}
	if diff := cmp.Diff([]int64{1, 2, 9}, CancelOnMerge(policy, base, merged, head, runs)); diff != "" {
		t.Error(diff)
	}
	for name, c := range map[string]Event{
		"closed, not merged": happens(action(Closed)),
		"other action":       happens(func(e *Event) { e.Merged = true }),
		"other base":         happens(action(Closed), toBranch("release"), func(e *Event) { e.Merged = true }),
		"no changelog":       happens(action(Closed), noChangelog, func(e *Event) { e.Merged = true }),
	} {
		if got := CancelOnMerge(policy, base, c, head, runs); got != nil {
			t.Errorf("%s: cancels %v", name, got)
		}
	}
	gone := MergedHead{Branch: head.Branch, Commits: head.Commits}
	if got := CancelOnMerge(policy, base, merged, gone, []SweepRun{run(1, func(r *SweepRun) { r.HeadRepo = "" })}); got != nil {
		t.Errorf("cancels %v without knowing the repository", got)
	}
	if got := CancelOnMerge(newest(), base, merged, head, runs); got != nil {
		t.Errorf("cancels %v although the policy does not ask for it", got)
	}
}
