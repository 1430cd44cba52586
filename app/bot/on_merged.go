package bot

import (
	"context"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// tellMerged handles a closed pull request in a server: what its end makes
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
	return b.cancelEnded(ctx, settings, &pr, out)
}

// cancelEnded cancels the unfinished sweeps of a pull request that was merged,
// or closed without that, as the policy has it for either, and never one that
// a reuse command may name (spec/labels-and-sweeps.md section 17).
func (b *Bot) cancelEnded(ctx context.Context, s config.Settings, pr *PullRequest, out *Decided) error {
	policy, why := s.Labels, "bot.merge-cancels"
	if !pr.Merged {
		policy.CancelOnMerge, why = s.Labels.CancelOnClose, "bot.close-cancels"
	}
	if pr.State == "open" || !policy.CancelOnMerge {
		out.because("bot.merge-cancels-nothing")
		return nil
	}
	event := labels.Event{
		// What a merge makes pointless, closing does as well.
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
	for _, id := range labels.CancelOnMerge(policy, s.Layout.BaseBranch, event, head, runs) {
		out.add(&CancelRun{RunID: id}, note(why, "number", strconv.Itoa(pr.Number)))
	}
	if len(out.Intents) == 0 {
		out.because("bot.merge-nothing-left")
	}
	return nil
}

// sweepRuns lists the sweeps of a pull request: those that GitHub started for
// its branch, and those that we dispatched, in the sweep workflow or for a
// commit of a fork in the manual one, which carry its commit in their title.
func (b *Bot) sweepRuns(ctx context.Context, s config.Settings, pr *PullRequest, commits []string) ([]labels.SweepRun, error) {
	dispatched := RunFilter{Event: "workflow_dispatch", Since: pr.CreatedAt}
	asked := []struct {
		workflow string
		filter   RunFilter
	}{
		{s.Workflows.Sweep, RunFilter{Event: labels.PullRequest, Branch: pr.HeadBranch, Since: pr.CreatedAt}},
		{s.Workflows.Sweep, dispatched},
		{s.Workflows.Manual, dispatched},
	}
	var runs []labels.SweepRun
	for _, a := range asked {
		if a.workflow == "" || a.workflow == s.Workflows.Manual && b.sameRepo(pr) {
			continue
		}
		list, err := b.GitHub.WorkflowRuns(ctx, a.workflow, a.filter)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			runs = append(runs, b.sweepRun(s, pr, commits, &r))
		}
	}
	return runs, nil
}

// sweepRun is a run as it counts for the pull request: one that we dispatched
// stands for the commit that its title names.
func (b *Bot) sweepRun(s config.Settings, pr *PullRequest, commits []string, r *Run) labels.SweepRun {
	run := labels.SweepRun{ID: r.ID, Event: r.Event, Status: r.Status, HeadRepo: r.HeadRepo, HeadBranch: r.HeadBranch, HeadSHA: r.HeadSHA}
	switch r.Status {
	case "requested", "pending": // nobody has taken it yet, or its group is busy
		run.Status = "queued"
	}
	ref, ours := titleOf(r.Title)
	if ours && r.Event == "workflow_dispatch" && ref.number == pr.Number && r.HeadBranch == s.Layout.BaseBranch && strings.EqualFold(r.HeadRepo, b.Repository) {
		run.Event, run.HeadRepo, run.HeadBranch = labels.PullRequest, pr.HeadRepo, pr.HeadBranch
		run.HeadSHA = fullSHA(commits, ref.short)
	}
	return run
}
