package labels

import (
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// listens reports whether the sweep workflow is started by an action. Opening,
// reopening and editing are absent on purpose: a pull request that already
// carries a label must not sweep again for them
// (spec/labels-and-sweeps.md section 2.1).
func listens(policy config.Labels, action string) bool {
	switch action {
	case Synchronize, Labeled, Unlabeled:
		return true
	case ReadyForReview:
		return policy.ReadyForReviewRuns
	}
	return false
}

// blocked says why GitHub starts no sweep run, or returns nil where it does.
// The order is the one in which a person would have to mend it.
func blocked(policy config.Labels, base string, e Event) *diag.Finding {
	isPush := e.Name == Push
	conditions := []condition{
		require(isPush || e.Name == PullRequest, "labels.no-run-event", "event", shown(e.Name)),
		require(isPush || listens(policy, e.Action), "labels.no-run-action", "action", shown(e.Action)),
		require(onBase(base, e), "labels.no-run-base", "branch", shown(e.BaseBranch), "base", shown(base)),
		require(e.TouchesChangelog, "labels.no-run-changelog"),
		require(!isPush || policy.PushSweeps, "labels.no-run-push", "base", shown(base)),
	}
	if s := first(conditions...); s != nil {
		return &s.Reason
	}
	if e.Conflict && !isPush {
		f := diag.New("labels.no-run-conflict", diag.Place{}, "base", shown(base)).WithSeverity(diag.Warning)
		return &f
	}
	return nil
}

// onBase reports whether the event concerns the base branch. An unset base
// branch matches nothing.
func onBase(base string, e Event) bool { return base != "" && e.BaseBranch == base }

// group returns the concurrency group of the run and whether it is the group
// in which runs cancel each other. It is decided before any condition of a
// job, so that a run all of whose jobs are skipped still cancels the sweep in
// progress (spec/labels-and-sweeps.md section 2.2; known failure F01).
func group(known vocabulary, e Event) (name string, active bool) {
	key := "sweep-" + e.HeadSHA + "-"
	if e.Number > 0 {
		key = "sweep-" + strconv.Itoa(e.Number) + "-"
	}
	if !e.labelEvent() || known.has(e.Label) {
		return key + "active", true
	}
	if e.RunID <= 0 {
		return key + "<run id>", false
	}
	return key + strconv.FormatInt(e.RunID, 10), false
}
