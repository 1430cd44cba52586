package ghapi

import (
	"context"
	"fmt"
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
	return toInline(c), nil
}

func toInline(c *github.PullRequestComment) bot.Comment {
	return bot.Comment{
		ID: c.GetID(), Author: toUser(c.GetUser()), AuthorAssociation: c.GetAuthorAssociation(), Body: c.GetBody(), URL: c.GetHTMLURL(),
		CreatedAt: timeOf(c.CreatedAt), UpdatedAt: timeOf(c.UpdatedAt),
	}
}

// ReviewComments lists the hundred inline comments of a pull request that were
// changed last, newest change first.
func (r *repository) ReviewComments(ctx context.Context, number int) ([]bot.Comment, error) {
	options := github.PullRequestListCommentsOptions{Sort: "updated", Direction: "desc", ListOptions: github.ListOptions{PerPage: perPage}}
	all, _, err := r.gh.PullRequests.ListComments(ctx, r.owner, r.name, number, &options)
	out := make([]bot.Comment, len(all))
	for i, c := range all {
		out[i] = toInline(c)
	}
	return out, r.fail("GET", "pulls/{number}/comments", err)
}

// maxTimeline is how many pages of a timeline are read, the newest.
const maxTimeline = 3

// reviewed is a review in a timeline: the only answer of the REST API that
// tells when it was changed.
type reviewed struct {
	Event       string            `json:"event"`
	ID          int64             `json:"id"`
	User        *github.User      `json:"user"`
	Body        string            `json:"body"`
	State       string            `json:"state"`
	URL         string            `json:"html_url"`
	Association string            `json:"author_association"`
	Submitted   *github.Timestamp `json:"submitted_at"`
	Updated     *github.Timestamp `json:"updated_at"`
}

// ReviewSummaries lists the reviews among the newest 300 events of a pull
// request, oldest first, without those that are pending or dismissed. Where
// GitHub does not tell when one was changed, that is when it was submitted.
func (r *repository) ReviewSummaries(ctx context.Context, number int) ([]bot.Comment, error) {
	events, last, err := r.timeline(ctx, number, 1)
	if err != nil {
		return nil, err
	}
	if last > maxTimeline {
		events = nil // the oldest page
	}
	for n := max(2, last-maxTimeline+1); n <= last; n++ {
		more, _, err := r.timeline(ctx, number, n)
		if err != nil {
			return nil, err
		}
		events = append(events, more...)
	}
	var out []bot.Comment
	for _, e := range events {
		if state := strings.ToLower(e.State); e.Event != "reviewed" || state == "pending" || state == "dismissed" {
			continue
		}
		c := bot.Comment{
			ID: e.ID, Author: toUser(e.User), AuthorAssociation: e.Association, Body: e.Body, URL: e.URL, CreatedAt: timeOf(e.Submitted), UpdatedAt: timeOf(e.Updated),
		}
		if c.UpdatedAt.Before(c.CreatedAt) {
			c.UpdatedAt = c.CreatedAt
		}
		out = append(out, c)
	}
	return out, nil
}

// timeline reads one page of it, and tells which page is the last.
func (r *repository) timeline(ctx context.Context, number, n int) (events []reviewed, last int, err error) {
	const form = "issues/{number}/timeline"
	resp, err := r.get(ctx, fmt.Sprintf("issues/%d/timeline?per_page=%d&page=%d", number, perPage, n), &events)
	if err != nil {
		return nil, 0, r.fail("GET", form, err)
	}
	return events, resp.LastPage, nil
}

// ofPull reports whether an inline comment belongs to a pull request.
func ofPull(c *github.PullRequestComment, number int) bool {
	return strings.HasSuffix(c.GetPullRequestURL(), "/pulls/"+strconv.Itoa(number))
}
