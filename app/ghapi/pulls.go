package ghapi

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// PullRequest returns one pull request.
func (r *repository) PullRequest(ctx context.Context, number int) (bot.PullRequest, error) {
	pr, _, err := r.gh.PullRequests.Get(ctx, r.owner, r.name, number)
	if err != nil {
		return bot.PullRequest{}, r.fail("GET", "pulls/{number}", err)
	}
	return toPullRequest(pr), nil
}

// PullRequestsFor returns the open pull requests from a branch of a
// repository, or with no branch from any, that stand at a commit. An empty
// head repository means a deleted one, an empty commit any.
func (r *repository) PullRequestsFor(ctx context.Context, headRepo, headBranch, headSHA string) ([]bot.PullRequest, error) {
	options := github.PullRequestListOptions{State: "open"}
	if owner, _, ok := strings.Cut(headRepo, "/"); ok && headBranch != "" {
		options.Head = owner + ":" + headBranch
	}
	list := listing[*github.PullRequest, int64]{
		id:    (*github.PullRequest).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, number int) (page[*github.PullRequest], error) {
			options.ListOptions = github.ListOptions{Page: number, PerPage: perPage}
			items, resp, err := r.gh.PullRequests.List(ctx, r.owner, r.name, &options)
			return pageOf(items, -1, resp), r.fail("GET", "pulls", err)
		},
	}
	all, err := list.all(ctx)
	if err != nil {
		return nil, err
	}
	var found []bot.PullRequest
	for _, pr := range all {
		// GitHub's filter knows the owner only, who may have several forks.
		p := toPullRequest(pr)
		if strings.EqualFold(p.HeadRepo, headRepo) && (headBranch == "" || p.HeadBranch == headBranch) && (headSHA == "" || p.HeadSHA == headSHA) {
			found = append(found, p)
		}
	}
	return found, nil
}

// PullRequestCommits returns the ids of the commits of a pull request, oldest
// first. GitHub ends the list at 250.
func (r *repository) PullRequestCommits(ctx context.Context, number int) ([]string, error) {
	all, err := listing[*github.RepositoryCommit, string]{
		id:    (*github.RepositoryCommit).GetSHA,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.RepositoryCommit], error) {
			items, resp, err := r.gh.PullRequests.ListCommits(ctx, r.owner, r.name, number, &github.ListOptions{Page: n, PerPage: perPage})
			return pageOf(items, -1, resp), r.fail("GET", "pulls/{number}/commits", err)
		},
	}.all(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(all))
	for i, c := range all {
		ids[i] = c.GetSHA()
	}
	return ids, nil
}

// LabelEvents returns the history of the labels of a pull request, oldest
// first.
func (r *repository) LabelEvents(ctx context.Context, number int) ([]bot.LabelEvent, error) {
	all, err := listing[*github.IssueEvent, int64]{
		id:    (*github.IssueEvent).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.IssueEvent], error) {
			items, resp, err := r.gh.Issues.ListIssueEvents(ctx, r.owner, r.name, number, &github.ListOptions{Page: n, PerPage: perPage})
			return pageOf(items, -1, resp), r.fail("GET", "issues/{number}/events", err)
		},
	}.all(ctx)
	if err != nil {
		return nil, err
	}
	var events []bot.LabelEvent
	for _, e := range all {
		if kind := e.GetEvent(); kind == "labeled" || kind == "unlabeled" {
			events = append(events, bot.LabelEvent{
				ID: e.GetID(), Label: e.GetLabel().GetName(), Added: kind == "labeled", Actor: toUser(e.GetActor()), CreatedAt: timeOf(e.CreatedAt),
			})
		}
	}
	slices.SortStableFunc(events, func(a, b bot.LabelEvent) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return events, nil
}

// CommitMessage returns the message of a commit.
func (r *repository) CommitMessage(ctx context.Context, sha string) (string, error) {
	if err := r.needSHA(sha); err != nil {
		return "", err
	}
	commit, _, err := r.gh.Git.GetCommit(ctx, r.owner, r.name, sha)
	if err != nil {
		return "", r.fail("GET", "git/commits/{sha}", err)
	}
	return commit.GetMessage(), nil
}

func toPullRequest(pr *github.PullRequest) bot.PullRequest {
	p := bot.PullRequest{
		Number: pr.GetNumber(), Title: pr.GetTitle(), Body: pr.GetBody(), URL: pr.GetHTMLURL(),
		State: pr.GetState(), Draft: pr.GetDraft(), Merged: pr.GetMerged() || pr.MergedAt != nil, Mergeable: pr.Mergeable,
		Author: toUser(pr.GetUser()), AuthorAssociation: pr.GetAuthorAssociation(),
		BaseBranch: pr.GetBase().GetRef(), BaseSHA: pr.GetBase().GetSHA(),
		HeadRepo: pr.GetHead().GetRepo().GetFullName(), HeadBranch: pr.GetHead().GetRef(), HeadSHA: pr.GetHead().GetSHA(),
		MergeSHA: pr.GetMergeCommitSHA(), ChangedFiles: pr.GetChangedFiles(),
		CreatedAt: timeOf(pr.CreatedAt), UpdatedAt: timeOf(pr.UpdatedAt),
	}
	for _, label := range pr.Labels {
		p.Labels = append(p.Labels, label.GetName())
	}
	return p
}
