package labels

import (
	"fmt"

	"github.com/sweepbot/sweepbot/config"
)

// ForkState is what is read through the API, after the event, about a pull
// request from a fork (spec/labels-and-sweeps.md section 13).
type ForkState struct {
	// MayWrite says that the actor of the event, and on a re-run the original
	// actor too, may write to the repository. The caller's authorisation
	// decides; what it cannot read is false.
	MayWrite bool
	Open     bool
	Draft    bool
	SameRepo bool
	// HeadSHA, BaseSHA and MergeSHA are the commits now; MergeSHA is "" where
	// GitHub reports none.
	HeadSHA  string
	BaseSHA  string
	MergeSHA string
	Labels   []string
	// AwaitsApproval says that workflow runs of the head wait for the approval
	// of a maintainer, as they do for a newcomer (known failure F57).
	AwaitsApproval bool
}

// Dispatch is the decision on a fork's pull request. The inputs are filled
// only where Step is Run. Such a run has no canary and is not reusable.
type Dispatch struct {
	Step
	TestName string // title of the dispatched run
	Ref      string // merge commit to measure
	BaseSHA  string
	HeadSHA  string // the one commit that was approved
	Trim     bool
	FailFast bool
	Modifiers
}

// DecideFork decides whether a label that was added to a fork's pull request
// dispatches exactly the commit that the person saw. Skip means that the event
// asks for nothing, Fail that the request is refused, Unknown that it is
// deferred and its label kept.
func DecideFork(policy config.Labels, base string, e Event, now ForkState) Dispatch {
	if !asksDispatch(policy, base, e) {
		return Dispatch{Step: step(Skip, "labels.dispatch-not-asked",
			"base", shown(base), "primaries", primaryNames(policy))}
	}
	selected := Select(policy, now.Labels)
	if refusal := refuseFork(base, e, now, selected); refusal != nil {
		return Dispatch{Step: *refusal}
	}
	return Dispatch{
		Step:      step(Run, "labels.dispatch-runs", "head", short(now.HeadSHA), "label", shown(e.Label)),
		TestName:  fmt.Sprintf("External PR #%d @ %s", e.Number, short(now.HeadSHA)),
		Ref:       now.MergeSHA,
		BaseSHA:   now.BaseSHA,
		HeadSHA:   now.HeadSHA,
		Trim:      selected.Trim,
		FailFast:  selected.FailFast,
		Modifiers: selected.Modifiers,
	}
}

// asksDispatch reports whether the event is a sweep label added to a fork's
// pull request to the base branch.
func asksDispatch(policy config.Labels, base string, e Event) bool {
	return e.Name == PullRequestTarget && e.Action == Labeled && onBase(base, e) && !e.SameRepo &&
		len(Select(policy, []string{e.Label}).Primaries) == 1
}

// refuseFork makes the checks in their order, and returns the first refusal.
func refuseFork(base string, e Event, now ForkState, selected Selection) *Step {
	for _, check := range []struct {
		holds   bool
		outcome Step
	}{
		{now.MayWrite, step(Fail, "labels.dispatch-permission")},
		{now.Open, step(Fail, "labels.dispatch-closed")},
		{!now.Draft, step(Fail, "labels.dispatch-draft")},
		{!now.SameRepo, step(Fail, "labels.dispatch-same-repo")},
		{now.HeadSHA != "" && now.HeadSHA == e.HeadSHA, step(Fail, "labels.dispatch-moved",
			"approved", short(e.HeadSHA), "head", short(now.HeadSHA))},
		{selected.Primary != nil && fold(selected.Primary.Name) == fold(e.Label),
			step(Fail, "labels.dispatch-label-gone", "label", shown(e.Label))},
		{now.MergeSHA != "", step(Fail, "labels.dispatch-conflict", "base", shown(base))},
		{!now.AwaitsApproval, step(Unknown, "labels.dispatch-awaits", "head", short(now.HeadSHA))},
	} {
		if !check.holds {
			return &check.outcome
		}
	}
	return nil
}

// short is the part of a commit id that titles and messages show.
func short(sha string) string { return sha[:min(len(sha), 12)] }
