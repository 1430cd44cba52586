package bot

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/trigger"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/config"
)

// A job of a review's event runs the workflow file of the pull request, so that
// nothing is believed of it but that it ran: which run, by whom and on which
// head is GitHub's own record. What was said is looked for by its time
// (docs/security.md).

// How much earlier or later than its event's run a text may have been written.
// GitHub creates the run after the event, mostly within seconds.
const (
	relayBefore = 2 * time.Minute
	relayAfter  = 10 * time.Second
)

// atRun reports whether something happened when a run was created.
func atRun(t time.Time, run *Run) bool {
	return !t.Before(run.CreatedAt.Add(-relayBefore)) && !t.After(run.CreatedAt.Add(relayAfter))
}

// tellRelayed verifies the sign-off that somebody wrote or edited in a review,
// heard of by the end of the relay's run. A run that was repeated tells of
// nothing new. A server hears of reviews by webhook.
func (b *Bot) tellRelayed(ctx context.Context, s config.Settings, d *Delivery, run *Run, kind checks.SignOffKind, out *Decided) error {
	switch {
	case b.Setting != InActions || b.SignOffs == nil || b.SignOffs.Reviews == nil || d.Action != "completed":
		out.because("bot.run-event", "event", run.Event)
		return nil
	case d.Run.Attempt > 1:
		out.because("signoff.relay-repeated", "run", strconv.FormatInt(run.ID, 10))
		return nil
	}
	pr, err := b.byHead(ctx, s, run)
	if err != nil {
		return err
	}
	if pr == nil {
		out.because("bot.run-no-pull", "run", strconv.FormatInt(run.ID, 10))
		return nil
	}
	out.Number = pr.Number
	happened, err := b.SignOffs.happened(ctx, pr, kind, run)
	if err != nil {
		return err
	}
	return b.tellFirst(ctx, s, happened, out)
}

// tellFirst verifies the newest of the sign-offs that were written or edited and
// have no verdict since. Each has a run of its own.
func (b *Bot) tellFirst(ctx context.Context, s config.Settings, happened []request, out *Decided) error {
	var comments []Comment
	for _, r := range happened {
		if why := trigger.AtSight(r.event()); why != trigger.Goes {
			out.because(string(why))
			continue
		}
		if comments == nil {
			var err error
			if comments, err = b.GitHub.Comments(ctx, r.pr.Number); err != nil {
				return err
			}
		}
		if b.judged(s.Checks.Verdict, comments, r) {
			out.because("signoff.judged", "key", trigger.Key(r.kind, r.comment.ID))
			continue
		}
		return b.SignOffs.verify(ctx, r, out)
	}
	if len(out.Reasons) == 0 {
		out.because("signoff.relay-nothing")
	}
	return nil
}

// judged reports whether a sign-off has its verdict on the head of now, given
// since its text was last changed.
func (b *Bot) judged(s config.Verdict, comments []Comment, r request) bool {
	marker, err := verdict.NewMarker(s.Mode, trigger.Key(r.kind, r.comment.ID), r.pr.HeadSHA)
	if err != nil {
		return false
	}
	ours := (&World{Self: b.Self}).writer(s.FormerBots)
	return slices.ContainsFunc(comments, func(c Comment) bool {
		body := strings.ReplaceAll(c.Body, "\r\n", "\n")
		read, ok := verdict.Read(body)
		return ok && ours(c.Author) && strings.HasPrefix(body, marker.String()+"\n") && read.Assessed == r.pr.HeadSHA &&
			!c.UpdatedAt.Before(r.comment.UpdatedAt)
	})
}

// happened returns what may have been the event of a run: texts with the phrase
// that its actor wrote then, and those that somebody edited then; the last
// change first. An edit by another than the author is for trigger.AtSight to
// refuse.
func (o *SignOffs) happened(ctx context.Context, pr *PullRequest, kind checks.SignOffKind, run *Run) ([]request, error) {
	list, action := o.Reviews.ReviewComments, "created"
	if kind == checks.ReviewSummary {
		list, action = o.Reviews.ReviewSummaries, "submitted"
	}
	all, err := list(ctx, pr.Number)
	if err != nil {
		return nil, err
	}
	var out []request
	for _, c := range all {
		r := request{kind: kind, action: action, comment: c, actor: run.Actor, pr: pr}
		if c.UpdatedAt.Sub(c.CreatedAt) > sameMoment {
			r.action = "edited"
		}
		theirs := r.action == action && c.Author.ID != run.Actor.ID // has a run of its own
		if mayBeSignOff(c.Body) && atRun(c.UpdatedAt, run) && !theirs {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(x, y request) int {
		return cmp.Or(y.comment.UpdatedAt.Compare(x.comment.UpdatedAt), cmp.Compare(y.comment.ID, x.comment.ID))
	})
	return out, nil
}

// sameMoment is how far apart GitHub may write the times of one event.
const sameMoment = time.Second
