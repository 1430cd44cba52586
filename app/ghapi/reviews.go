package ghapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

var _ bot.Reviews = (*repository)(nil)

// Review returns the summary of a review of a pull request. The answer is one
// of that pull request by its address.
func (r *repository) Review(ctx context.Context, number int, id int64) (bot.Comment, error) {
	v, _, err := r.gh.PullRequests.GetReview(ctx, r.owner, r.name, number, id)
	if err != nil {
		return bot.Comment{}, r.fail("GET", "pulls/{number}/reviews/{id}", err)
	}
	at := timeOf(v.SubmittedAt)
	return bot.Comment{
		ID: v.GetID(), Author: toUser(v.GetUser()), AuthorAssociation: v.GetAuthorAssociation(), Body: v.GetBody(), URL: v.GetHTMLURL(), CreatedAt: at, UpdatedAt: at,
	}, nil
}

// ReviewComment returns an inline comment of a pull request; one of another
// pull request is bot.ErrNotFound, since ids are those of the repository.
func (r *repository) ReviewComment(ctx context.Context, number int, id int64) (bot.Comment, error) {
	c, _, err := r.gh.PullRequests.GetComment(ctx, r.owner, r.name, id)
	if err != nil {
		return bot.Comment{}, r.fail("GET", "pulls/comments/{id}", err)
	}
	if !ofPull(c, number) {
		return bot.Comment{}, newError(0, "ghapi.bad-answer", []error{bot.ErrNotFound},
			"request", "GET repos/{owner}/{repo}/pulls/comments/{id}", "detail", "it is about another pull request")
	}
	return bot.Comment{
		ID: c.GetID(), Author: toUser(c.GetUser()), AuthorAssociation: c.GetAuthorAssociation(), Body: c.GetBody(), URL: c.GetHTMLURL(),
		CreatedAt: timeOf(c.CreatedAt), UpdatedAt: timeOf(c.UpdatedAt),
	}, nil
}

// ofPull reports whether an inline comment belongs to a pull request.
func ofPull(c *github.PullRequestComment, number int) bool {
	return strings.HasSuffix(c.GetPullRequestURL(), "/pulls/"+strconv.Itoa(number))
}
