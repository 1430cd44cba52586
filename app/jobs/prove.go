package jobs

import (
	"context"
	"os/exec"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// branchOf is the branch that a ref is of, "" for any other ref.
func branchOf(ref string) string {
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// short is a commit id as people read it.
func short(id string) string { return id[:min(len(id), 12)] }

// prove holds what is checked out, and what the run is asked to measure,
// against each other.
func (w *place) prove(ctx context.Context, o order, before gitrepo.Commit) error {
	if o.run.Event == dispatched {
		return w.proveDispatch(ctx, o, before)
	}
	if w.here.ID != o.run.SHA {
		return diag.New("jobs.other-commit", diag.Place{}, "got", w.here.ID, "want", o.run.SHA).In("unsafe")
	}
	return nil
}

// proveDispatch proves by git alone that a dispatched run measures what was
// decided on. The settings come from the base, so that it has to lie on the
// branch that the workflow file is from. The head has to be the tip of a
// branch of this repository: a fork's commit is none, and what was pushed
// since is handled by itself (spec/security.md S33). What is checked out has
// to be the trial merge of that very head.
func (w *place) proveDispatch(ctx context.Context, o order, before gitrepo.Commit) error {
	wrong := func(code string, args ...string) error {
		return diag.New(code, diag.Place{}, append(args, "head", short(o.head))...).In("unsafe")
	}
	left, err := w.repo.MergeBase(ctx, before.ID, o.run.SHA)
	if err != nil {
		return err
	}
	if left != before.ID {
		return wrong("jobs.dispatch-base", "base", short(before.ID), "branch", o.event.BaseBranch)
	}
	tips, err := exec.CommandContext(ctx, "git", "-C", w.repo.Dir(), "for-each-ref", "--count=1", "--points-at="+o.head, "--format=%(refname)", "refs/remotes/origin").Output()
	if err != nil {
		return diag.New("jobs.file", diag.Place{File: ".git"}, "detail", detail(err)).In("unreadable")
	}
	if len(tips) == 0 {
		return wrong("jobs.dispatch-moved")
	}
	if len(w.here.Parents) != 2 || w.here.Parents[1] != o.head {
		return wrong("jobs.dispatch-merge", "got", short(w.here.ID))
	}
	return nil
}
