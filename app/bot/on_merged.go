package bot

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// tellMerged handles a closed pull request in a server: what a merge makes
// pointless is cancelled.
func tellMerged(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	pr, err := b.GitHub.PullRequest(ctx, d.PR.Number)
	if err != nil {
		return err
	}
	out.Number = pr.Number
	settings, err := b.Planner.Settings(ctx, pr.BaseSHA)
	if err != nil {
		return err
	}
	return b.cancelMerged(ctx, settings, &pr, out)
}

// cancelMerged cancels the unfinished sweeps of a merged pull request, if the
// policy asks for it, and never one that a reuse command may name
// (spec/labels-and-sweeps.md section 17).
func (b *Bot) cancelMerged(ctx context.Context, s config.Settings, pr *PullRequest, out *Decided) error {
	if !pr.Merged || !s.Labels.CancelOnMerge {
		out.because("bot.merge-cancels-nothing")
		return nil
	}
	event := labels.Event{
		Name: labels.PullRequest, Action: labels.Closed, Merged: true, Number: pr.Number, HeadSHA: pr.HeadSHA,
		BaseBranch: pr.BaseBranch, SameRepo: b.sameRepo(pr),
	}
	var err error
	if event.TouchesChangelog, err = b.touchesChangelog(ctx, s, pr.BaseSHA, pr.HeadSHA); err != nil {
		return err
	}
	head := labels.MergedHead{Repo: pr.HeadRepo, Branch: pr.HeadBranch}
	if head.Commits, err = b.GitHub.PullRequestCommits(ctx, pr.Number); err != nil {
		return err
	}
	if head.Pinned, err = b.Reuse.Pinned(ctx, pr); err != nil {
		return err
	}
	runs, err := b.sweepRuns(ctx, s, pr, head.Commits)
	if err != nil {
		return err
	}
	for _, id := range labels.CancelOnMerge(s.Labels, s.Layout.BaseBranch, event, head, runs) {
		out.add(&CancelRun{RunID: id}, note("bot.merge-cancels", "number", strconv.Itoa(pr.Number)))
	}
	if len(out.Intents) == 0 {
		out.because("bot.merge-nothing-left")
	}
	return nil
}

// sweepRuns lists the sweeps of a pull request: those that GitHub started for
// it, and those that we dispatched, which carry its commit in their title.
func (b *Bot) sweepRuns(ctx context.Context, s config.Settings, pr *PullRequest, commits []string) ([]labels.SweepRun, error) {
	all, err := b.GitHub.WorkflowRuns(ctx, s.Workflows.Sweep, RunFilter{Since: pr.CreatedAt})
	if err != nil {
		return nil, err
	}
	var runs []labels.SweepRun
	for _, r := range all {
		run := labels.SweepRun{ID: r.ID, Event: r.Event, Status: r.Status, HeadRepo: r.HeadRepo, HeadBranch: r.HeadBranch, HeadSHA: r.HeadSHA}
		if ref, ok := titleOf(r.Title); ok && r.Event == "workflow_dispatch" && ref.number == pr.Number {
			run.Event, run.HeadRepo, run.HeadBranch = labels.PullRequest, pr.HeadRepo, pr.HeadBranch
			run.HeadSHA = fullSHA(commits, ref.short)
		}
		runs = append(runs, run)
	}
	return runs, nil
}
