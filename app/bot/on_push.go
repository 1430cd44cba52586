package bot

import (
	"context"
	"errors"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// tellPush handles a push to the base branch in a job: it publishes the sweep
// that a reuse command names, or ends red and says why. It never measures,
// unless the policy is one of those that measure on push.
func tellPush(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	if b.Setting == AsApp {
		out.because("bot.push-is-a-job")
		return nil
	}
	settings, err := b.Planner.Settings(ctx, "")
	if err != nil {
		return err
	}
	event := labels.Event{Name: labels.Push, BaseBranch: d.Push.Branch, HeadSHA: d.Push.After}
	if d.Push.Branch == settings.Layout.BaseBranch {
		if event.TouchesChangelog, err = b.touchesChangelog(ctx, settings, d.Push.Before, d.Push.After); err != nil {
			return err
		}
	}
	pr, err := b.mergedBy(ctx, d.Push)
	if err != nil {
		return err
	}
	f := &sweepFacts{pr: &PullRequest{BaseSHA: d.Push.Before, HeadSHA: d.Push.After}, settings: settings, event: event}
	if pr != nil {
		out.Number = pr.Number
		if err := b.cancelEnded(ctx, settings, pr, out); err != nil {
			return err
		}
		if err := b.learnPushReuse(ctx, f, pr); err != nil {
			return err
		}
	}
	decision := f.decide()
	switch {
	case decision.Ingest:
		return b.publish(ctx, f, d, pr, out)
	case decision.Starts:
		return b.pushSweep(ctx, f, out)
	}
	out.Reasons = append(out.Reasons, decision.Why)
	return nil
}

// learnPushReuse asks for reuse commands where a push would measure without
// one.
func (b *Bot) learnPushReuse(ctx context.Context, f *sweepFacts, pr *PullRequest) error {
	if d := f.decide(); !d.Starts || d.Sweep.Outcome != labels.Unknown {
		return nil
	}
	var err error
	f.event.Reuse, err = b.Reuse.State(ctx, pr)
	return err
}

// pushSweep plans what a push measures, where the policy measures pushes.
func (b *Bot) pushSweep(ctx context.Context, f *sweepFacts, out *Decided) error {
	if d := f.decide(); d.Sweep.Outcome == labels.Run && !d.Reuses {
		planned, err := b.Planner.Plan(ctx, PlanOrder{Base: f.pr.BaseSHA, Head: f.pr.HeadSHA})
		if err != nil {
			return err
		}
		planned.Canary = nil // it is for pull requests (spec/labels-and-sweeps.md section 6)
		f.planned = &planned
	}
	decideSweepJob(f, b.Options, out)
	return nil
}

// mergeMessage is how the message of a merge or squash names its pull request.
var mergeMessage = pattern.Lazy(`^(?:Merge pull request #([1-9][0-9]{0,8}) |[^\n]*\(#([1-9][0-9]{0,8})\)[ \t]*(?:\n|$))`)

// mergedBy finds the pull request whose merge a push is. The message is only a
// hint: GitHub must say that this commit merged it.
func (b *Bot) mergedBy(ctx context.Context, push *Push) (*PullRequest, error) {
	m := mergeMessage().FindStringSubmatch(push.Message)
	if m == nil {
		return nil, nil
	}
	number, _ := strconv.Atoi(m[1] + m[2])
	pr, err := b.GitHub.PullRequest(ctx, number)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			return nil, nil // an issue, or a number that means something else
		}
		return nil, err
	}
	if !pr.Merged || pr.MergeSHA != push.After {
		return nil, nil
	}
	return &pr, nil
}
