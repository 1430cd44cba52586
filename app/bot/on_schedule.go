package bot

import (
	"context"
	"errors"

	"github.com/sweepbot/sweepbot/labels"
)

// maxFollowed bounds the runs of one workflow that a schedule looks at.
const maxFollowed = 30

// tellSchedule brings the comments of running sweeps up to date: GitHub sends
// events when a run starts and ends, and none when a point does.
func tellSchedule(ctx context.Context, b *Bot, _ *Delivery, out *Decided) error {
	settings, err := b.Planner.Settings(ctx, "")
	if err != nil {
		return err
	}
	for _, workflow := range []string{settings.Workflows.Sweep, settings.Workflows.Manual} {
		if workflow == "" {
			continue
		}
		runs, err := b.GitHub.WorkflowRuns(ctx, workflow, RunFilter{Status: "in_progress", Limit: maxFollowed})
		switch {
		case errors.Is(err, ErrNotFound):
			continue // the repository has no such workflow
		case err != nil:
			return err
		}
		for i := range runs {
			pr, from, why, err := b.belongs(ctx, settings, &runs[i])
			switch {
			case err != nil:
				return err
			case why != nil:
				out.Reasons = append(out.Reasons, *why)
				continue
			}
			if from.Fork && runs[i].Event == labels.PullRequest {
				continue // measures nothing; its approval is an event of its own
			}
			if err := b.tellSweepRun(ctx, settings, pr, &runs[i], from, out); err != nil {
				return err
			}
		}
	}
	if len(out.Reasons) == 0 {
		out.because("bot.schedule-idle")
	}
	return nil
}
