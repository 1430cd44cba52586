package bot

import (
	"context"
	"slices"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// sweepFacts are what the decision about a sweep stands on.
type sweepFacts struct {
	pr       *PullRequest
	settings config.Settings
	event    labels.Event
	// planned is nil where the decision did not ask for a plan.
	planned *Planned
	// others are the unfinished sweeps that we dispatched for it, wish is what
	// asks for another one.
	others []Run
	wish   string
	// inputs are those that the workflow of the sweep declares.
	inputs []string
}

// decide is the decision on what is known so far.
func (f *sweepFacts) decide() labels.Decision {
	return labels.Decide(f.settings.Labels, f.settings.Layout.BaseBranch, f.event)
}

// gatherSweep reads the facts about an event on a pull request. It asks for
// each fact only where the decision is still open without it.
func (b *Bot) gatherSweep(ctx context.Context, pr *PullRequest, event labels.Event) (*sweepFacts, error) {
	f := &sweepFacts{pr: pr, event: event}
	var err error
	if f.settings, err = b.Planner.Settings(ctx, pr.BaseSHA); err != nil {
		return f, err
	}
	f.event.TouchesChangelog = true
	if f.decide().Starts {
		if f.event.TouchesChangelog, err = b.touchesChangelog(ctx, f.settings, pr.BaseSHA, pr.HeadSHA); err != nil {
			return f, err
		}
	}
	for _, learn := range []func(context.Context, *sweepFacts) error{b.learnPlan, b.learnReuse, b.learnMessage} {
		if err := learn(ctx, f); err != nil {
			return f, err
		}
	}
	return f, nil
}

// changedFiles lists what a change touches: from the clone where the commits
// are at hand, else from GitHub. complete is false when GitHub cut the list.
func (b *Bot) changedFiles(ctx context.Context, base, head string) (files []string, complete bool, err error) {
	if files, err = b.Planner.Changed(ctx, base, head); err == nil {
		return files, true, nil
	}
	return b.GitHub.ChangedFiles(ctx, base, head)
}

// touchesChangelog reports whether a change touches the changelog at any root
// of the layout. Where the list is cut it may, so that the plan decides.
func (b *Bot) touchesChangelog(ctx context.Context, s config.Settings, base, head string) (bool, error) {
	files, complete, err := b.changedFiles(ctx, base, head)
	if err != nil {
		return false, err
	}
	return !complete || slices.ContainsFunc(below(s.Layout.Roots, s.Layout.Changelog), func(name string) bool {
		return slices.Contains(files, name)
	}), nil
}

// below returns a path of the layout at each of the roots.
func below(roots []string, name string) []string {
	var out []string
	for _, root := range roots {
		if root == "" {
			out = append(out, name)
		} else {
			out = append(out, root+"/"+name)
		}
	}
	return out
}

// learnPlan plans the change where the changelog check is open.
func (b *Bot) learnPlan(ctx context.Context, f *sweepFacts) error {
	if d := f.decide(); d.Validate.Outcome != labels.Unknown {
		return nil
	}
	planned, err := b.Planner.Plan(ctx, PlanOrder{Base: f.pr.BaseSHA, Head: f.event.HeadSHA, Labels: f.event.Labels, PR: f.pr.Number})
	if err != nil {
		return err
	}
	f.planned = &planned
	f.event.Validator = labels.Rejected
	if planned.Plan != nil {
		f.event.Validator = labels.Accepted
	}
	return nil
}

// learnReuse asks for reuse commands where the gate is open.
func (b *Bot) learnReuse(ctx context.Context, f *sweepFacts) error {
	if d := f.decide(); d.Gate.Outcome != labels.Unknown {
		return nil
	}
	var err error
	f.event.Reuse, err = b.Reuse.State(ctx, f.pr)
	return err
}

// learnMessage reads the head commit message where the sweep depends on it.
func (b *Bot) learnMessage(ctx context.Context, f *sweepFacts) error {
	if d := f.decide(); d.Sweep.Outcome != labels.Unknown || d.Sweep.Reason.Code != "labels.message-open" {
		return nil
	}
	message, err := b.GitHub.CommitMessage(ctx, f.event.HeadSHA)
	f.event.HeadMessage = &message
	return err
}

// findings are those of the plan, or the reason why a step refuses.
func (f *sweepFacts) findings(d labels.Decision) diag.List {
	if f.planned != nil {
		return f.planned.Findings
	}
	return d.Selection.Findings
}

// refusal is the reason of the first step that refuses, nil if none does. A
// sweep that is still open after all facts were asked for is refused too:
// nothing may run on what is not known.
func refusal(d labels.Decision) *diag.Finding {
	for _, step := range []labels.Step{d.Validate, d.Gate, d.Sweep} {
		if step.Outcome == labels.Fail {
			return &step.Reason
		}
	}
	if d.Sweep.Outcome == labels.Unknown {
		why := diag.New("bot.sweep-open", diag.Place{}, "reason", d.Sweep.Reason.Message(catalog.English))
		return &why
	}
	return nil
}
