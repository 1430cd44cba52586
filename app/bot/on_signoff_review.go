package bot

import (
	"context"
	"errors"
	"strconv"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/trigger"
)

// Reviews reads what is said in reviews. Review and ReviewComment answer
// ErrNotFound for what belongs to another pull request.
type Reviews interface {
	Review(ctx context.Context, number int, id int64) (Comment, error)
	ReviewComment(ctx context.Context, number int, id int64) (Comment, error)
	// ReviewSummaries lists the newest reviews, without those that are pending or
	// dismissed; UpdatedAt is when one was last changed. Those before the newest
	// 300 events of the pull request are left out.
	ReviewSummaries(ctx context.Context, number int) ([]Comment, error)
	// ReviewComments lists the hundred inline comments that were changed last,
	// newest change first.
	ReviewComments(ctx context.Context, number int) ([]Comment, error)
}

// signOffEvents are the events of reviews by what they hold.
var signOffEvents = map[string]checks.SignOffKind{
	"pull_request_review": checks.ReviewSummary, "pull_request_review_comment": checks.InlineComment,
}

func (b *Bot) wantsReview(d *Delivery) bool {
	_, ok := signOffEvents[d.Name]
	return ok && b.SignOffs != nil && d.PR != nil && d.Comment != nil
}

// reviewEvent is what the event alone tells.
func reviewEvent(d *Delivery) trigger.Event {
	return trigger.Event{
		Kind: signOffEvents[d.Name], Action: d.Action, OnPull: true, Body: d.Comment.Body, Author: accountOf(d.Comment.Author),
		Actor: accountOf(d.Sender), State: d.PR.State, Draft: d.PR.Draft,
	}
}

func seeReview(_ *Bot, d *Delivery, out *Decided) {
	if why := trigger.AtSight(reviewEvent(d)); why != trigger.Goes {
		out.because(string(why))
	}
}

// tellReview verifies a sign-off in a review, as it is now on the pull request
// as it is now.
func tellReview(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	out.Number = d.PR.Number
	return b.SignOffs.named(ctx, trigger.Target{Kind: signOffEvents[d.Name], ID: d.Comment.ID, PR: d.PR.Number}, request{action: d.Action, actor: d.Sender}, out)
}

// The inputs of a manual dispatch (spec/verdict.md section 1.2).
const (
	inputNumber  = "pr-number"
	inputAddress = "comment_url"
)

func (b *Bot) wantsAddress(d *Delivery) bool {
	return d.Name == "workflow_dispatch" && b.SignOffs != nil && d.Inputs[inputAddress] != ""
}

// tellAddress verifies the sign-off that somebody named by its address.
func tellAddress(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	number, _ := strconv.Atoi(d.Inputs[inputNumber]) // what is no number is refused as 0
	target, err := trigger.ParseAddress(d.Inputs[inputAddress], b.Repository, number)
	if err != nil {
		return err
	}
	out.Number = number
	return b.SignOffs.named(ctx, target, request{actor: d.Sender, manual: true}, out)
}

// named reads a sign-off and its pull request, and verifies it.
func (o *SignOffs) named(ctx context.Context, target trigger.Target, r request, out *Decided) error {
	comment, err := o.read(ctx, target)
	switch {
	case errors.Is(err, ErrNotFound):
		out.because("bot.comment-gone", "number", strconv.Itoa(target.PR))
		return nil
	case err != nil:
		return err
	}
	pr, err := o.GitHub.PullRequest(ctx, target.PR)
	if err != nil {
		return err
	}
	r.kind, r.comment, r.pr = target.Kind, comment, &pr
	return o.verify(ctx, r, out)
}

// read reads the text of a target. A comment of the conversation is looked for
// in that conversation, since its id alone proves nothing.
func (o *SignOffs) read(ctx context.Context, target trigger.Target) (Comment, error) {
	switch {
	case target.Kind == checks.ConversationComment:
		all, err := o.GitHub.Comments(ctx, target.PR)
		if err != nil {
			return Comment{}, err
		}
		for _, c := range all {
			if c.ID == target.ID {
				return c, nil
			}
		}
		return Comment{}, ErrNotFound
	case o.Reviews == nil:
		return Comment{}, ErrNotFound
	case target.Kind == checks.ReviewSummary:
		return o.Reviews.Review(ctx, target.PR, target.ID)
	}
	return o.Reviews.ReviewComment(ctx, target.PR, target.ID)
}
