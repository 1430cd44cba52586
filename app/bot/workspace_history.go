package bot

import (
	"context"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// History is what git holds of a clone, for the checks of a sign-off; ok is
// false for a plain folder, which has none. It lives as long as the workspace.
func (w *Workspace) History() (history checks.History, ok bool) {
	if w.repo == nil {
		return nil, false
	}
	return checks.GitHistory{Repo: w.repo}, true
}

// Sides returns the commits between which a sign-off is judged: the tip of the
// target branch as this clone knows it, and its merge base with the head.
func (w *Workspace) Sides(ctx context.Context, branch, head string) (history checks.History, target, base string, err error) {
	history, ok := w.History()
	if !ok {
		return nil, "", "", diag.New("signoff.no-clone", diag.Place{File: w.dir}).In("usage")
	}
	tip, err := w.repo.Commit(ctx, "origin/"+branch)
	if err != nil {
		if tip, err = w.repo.Commit(ctx, branch); err != nil {
			return nil, "", "", err
		}
	}
	base, err = w.repo.MergeBase(ctx, tip.ID, head)
	return history, tip.ID, base, err
}
