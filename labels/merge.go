package labels

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
)

// SweepRun is a run of the sweep workflow, as GitHub lists it.
type SweepRun struct {
	ID         int64
	Event      string
	Status     string
	HeadRepo   string // owner/name
	HeadBranch string
	HeadSHA    string
}

// MergedHead identifies the head of a merged pull request. Branch names repeat
// across forks, so that a branch alone names nothing.
type MergedHead struct {
	Repo    string // owner/name
	Branch  string
	Commits []string // the commits of the pull request
	// Pinned are the runs that reuse commands name: they are to be published.
	Pinned []int64
}

// CancelOnMerge returns the runs that a merge makes pointless, sorted: the
// unfinished sweep runs of the merged pull request itself. It returns none
// unless the policy asks for it (spec/labels-and-sweeps.md section 17). Runs
// must be those of the sweep workflow.
func CancelOnMerge(policy config.Labels, base string, e Event, head MergedHead, runs []SweepRun) []int64 {
	merge := e.Name == PullRequest && e.Action == Closed && e.Merged
	if !policy.CancelOnMerge || !merge || !onBase(base, e) || !e.TouchesChangelog {
		return nil
	}
	var pointless []int64
	for i := range runs {
		if head.owns(&runs[i]) && unfinished(runs[i].Status) && !slices.Contains(head.Pinned, runs[i].ID) {
			pointless = append(pointless, runs[i].ID)
		}
	}
	slices.Sort(pointless)
	return slices.Compact(pointless)
}

func (h MergedHead) owns(r *SweepRun) bool {
	return r.Event == PullRequest && h.Repo != "" && r.HeadRepo == h.Repo && r.HeadBranch == h.Branch &&
		slices.Contains(h.Commits, r.HeadSHA)
}

func unfinished(status string) bool {
	return status == "in_progress" || status == "queued" || status == "waiting"
}
