package ghapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// MaxComment is the length of a comment that GitHub accepts, in characters as
// it counts them (UTF-16). Longer ones are refused with 422; cutting is the
// caller's concern, who knows what may go.
const MaxComment = 65536

func commentsOf(number int) string { return fmt.Sprintf("comments/%d", number) }

// Comments lists the comments of a pull request or issue, oldest first. One
// that this client has just written is waited for.
func (r *repository) Comments(ctx context.Context, number int) ([]bot.Comment, error) {
	var comments []bot.Comment
	err := r.fresh.lookAgain(ctx, func() (bool, error) {
		all, err := r.listComments(ctx, number)
		if err != nil {
			return false, err
		}
		comments = make([]bot.Comment, len(all))
		have := make(map[int64]bool, len(all))
		for i, c := range all {
			comments[i] = toComment(c)
			have[c.GetID()] = true
		}
		return !r.fresh.missing(commentsOf(number), have), nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(comments, func(a, b bot.Comment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return comments, nil
}

func (r *repository) listComments(ctx context.Context, number int) ([]*github.IssueComment, error) {
	return listing[*github.IssueComment, int64]{
		id:    (*github.IssueComment).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.IssueComment], error) {
			options := github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: n, PerPage: perPage}}
			items, resp, err := r.gh.Issues.ListComments(ctx, r.owner, r.name, number, &options)
			return pageOf(items, -1, resp), r.fail("GET", "issues/{number}/comments", err)
		},
	}.all(ctx)
}

// Comment returns one comment as it is now.
func (r *repository) Comment(ctx context.Context, id int64) (bot.Comment, error) {
	c, _, err := r.gh.Issues.GetComment(ctx, r.owner, r.name, id)
	if err != nil {
		return bot.Comment{}, r.fail("GET", "issues/comments/{number}", err)
	}
	return toComment(c), nil
}

// CreateComment writes a comment. It is sent once: where the answer is lost,
// the error is ErrOutcomeUnknown.
func (r *repository) CreateComment(ctx context.Context, number int, body string) (bot.Comment, error) {
	c, _, err := r.gh.Issues.CreateComment(ctx, r.owner, r.name, number, &github.IssueComment{Body: &body})
	if err != nil {
		return bot.Comment{}, r.fail("POST", "issues/{number}/comments", err)
	}
	r.fresh.created(commentsOf(number), c.GetID())
	return toComment(c), nil
}

// UpdateComment replaces the text of a comment.
func (r *repository) UpdateComment(ctx context.Context, id int64, body string) error {
	_, _, err := r.gh.Issues.EditComment(repeatable(ctx), r.owner, r.name, id, &github.IssueComment{Body: &body})
	return r.fail("PATCH", "issues/comments/{number}", err)
}

// DeleteComment deletes a comment; one that is gone is deleted.
func (r *repository) DeleteComment(ctx context.Context, id int64) error {
	_, err := r.gh.Issues.DeleteComment(ctx, r.owner, r.name, id)
	err = r.fail("DELETE", "issues/comments/{number}", err)
	if err != nil && !errors.Is(err, bot.ErrNotFound) {
		return err
	}
	r.fresh.gone("comments/", id)
	return nil
}

// React adds a reaction to a comment; GitHub keeps one of each kind and user.
func (r *repository) React(ctx context.Context, commentID int64, content string) error {
	_, _, err := r.gh.Reactions.CreateIssueCommentReaction(repeatable(ctx), r.owner, r.name, commentID, content)
	return r.fail("POST", "issues/comments/{number}/reactions", err)
}

func toComment(c *github.IssueComment) bot.Comment {
	return bot.Comment{
		ID: c.GetID(), Author: toUser(c.GetUser()), AuthorAssociation: c.GetAuthorAssociation(),
		Body: c.GetBody(), URL: c.GetHTMLURL(), CreatedAt: timeOf(c.CreatedAt), UpdatedAt: timeOf(c.UpdatedAt),
	}
}
