package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Limits of what one verification reads beyond its repository. What is past
// them is unreadable, so that a text with many links costs no more.
const (
	maxBeyondTeams = 10
	maxBeyondPulls = 4
	// maxUpstreamFiles is the number of files up to which a pull request of
	// another repository is read, a hundred a request.
	maxUpstreamFiles = 300
)

// beyond answers for one verification what lies outside of its repository. Its
// methods may be called at the same time.
type beyond struct {
	client       *Client
	login        string
	teams, pulls atomic.Int32
}

// Beyond returns what answers, for one verification about a signer, what lies
// outside of the repository: memberships of teams as far as the token may read
// them, and public pull requests on github.com (spec/checks.md, checks 0 and
// 3). Pages and image registries are not read.
func (c *Client) Beyond(login string) bot.Beyond { return &beyond{client: c, login: login} }

// Team says whether the signer is an active member of a team. GitHub's "not
// found" means that, and also that the token may not see the team: the answer
// is no only where it can see it. The error is that of a cancelled context.
func (b *beyond) Team(ctx context.Context, org, slug string) (checks.Membership, error) {
	const form = "orgs/{org}/teams/{team}"
	gh := b.client.main
	if gh == nil || !ownerForm().MatchString(org) || !slugForm().MatchString(slug) || !loginForm().MatchString(b.login) || b.teams.Add(1) > maxBeyondTeams {
		return checks.Unreadable, ctx.Err()
	}
	m, _, err := gh.gh.Teams.GetTeamMembershipBySlug(ctx, org, slug, url.PathEscape(b.login))
	if err == nil {
		switch m.GetState() {
		case "active":
			return checks.Member, nil
		case "pending": // invited, and no member yet
			return checks.NotMember, nil
		}
		return checks.Unreadable, nil
	}
	if !errors.Is(gh.pipe.translate("GET "+form+"/memberships/{login}", err), bot.ErrNotFound) {
		return checks.Unreadable, ctx.Err()
	}
	if _, _, err := gh.gh.Teams.GetTeamBySlug(ctx, org, slug); err != nil {
		return checks.Unreadable, ctx.Err()
	}
	return checks.NotMember, nil
}

var slugForm = pattern.Lazy(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

// UpstreamPull reads a public pull request on github.com with its files. One
// that does not exist is fs.ErrNotExist; checks.ErrUnreadable is one that is
// not public, whatever the token may see, that has more than 300 files, or that
// lies beyond the limit of a verification. A client of another GitHub reads
// none.
func (b *beyond) UpstreamPull(ctx context.Context, repository string, number int) (checks.Pull, error) {
	owner, name, ok := splitRepository(repository)
	gh := b.client.main
	if gh == nil || !ok || number <= 0 || b.pulls.Add(1) > maxBeyondPulls {
		return checks.Pull{}, unreadable(ctx, repository, number)
	}
	pr, _, err := gh.gh.PullRequests.Get(ctx, owner, name, number)
	if err != nil {
		err = gh.pipe.translate("GET repos/{owner}/{repo}/pulls/{number}", err)
		if errors.Is(err, bot.ErrNotFound) && b.client.base.String() == PublicAPI {
			return checks.Pull{}, fmt.Errorf("%s#%d: %w", repository, number, fs.ErrNotExist)
		}
		return checks.Pull{}, unreadable(ctx, repository, number)
	}
	if !isPublic(pr, number) || pr.GetChangedFiles() > maxUpstreamFiles {
		return checks.Pull{}, unreadable(ctx, repository, number)
	}
	files, err := upstreamFiles(ctx, gh, owner, name, number)
	if err != nil {
		return checks.Pull{}, unreadable(ctx, repository, number)
	}
	out := upstreamPull(pr)
	out.Files = files
	return out, nil
}

// unreadable is the error for what could not be read, or that of a context that
// ended.
func unreadable(ctx context.Context, repository string, number int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s#%d: %w", repository, number, checks.ErrUnreadable)
}

// isPublic reports whether an answer is about a pull request that everybody
// sees on github.com: what a token alone may see must not get into a comment.
func isPublic(pr *github.PullRequest, number int) bool {
	repo := pr.GetBase().GetRepo()
	return repo != nil && repo.Private != nil && !*repo.Private && pr.GetNumber() == number &&
		strings.HasPrefix(pr.GetHTMLURL(), "https://github.com/") && strings.HasSuffix(pr.GetHTMLURL(), "/pull/"+strconv.Itoa(number))
}

// upstreamFiles reads the files with their patches. A list that is longer than
// its pull request said is an error.
func upstreamFiles(ctx context.Context, gh *actor, owner, name string, number int) ([]checks.PullFile, error) {
	var out []checks.PullFile
	options := github.ListOptions{Page: 1, PerPage: perPage}
	for options.Page != 0 {
		if len(out) >= maxUpstreamFiles {
			return nil, ErrTooLarge
		}
		files, resp, err := gh.gh.PullRequests.ListFiles(ctx, owner, name, number, &options)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			out = append(out, checks.PullFile{Name: f.GetFilename(), Previous: f.GetPreviousFilename(), Status: f.GetStatus(), Patch: f.GetPatch()})
		}
		options.Page = resp.NextPage
	}
	return out, nil
}

// upstreamPull takes over the fields that evidence has.
func upstreamPull(pr *github.PullRequest) checks.Pull {
	out := checks.Pull{
		Number: pr.GetNumber(), Title: pr.GetTitle(), Body: pr.Body, State: pr.GetState(), Draft: pr.GetDraft(), Merged: pr.GetMerged() || pr.MergedAt != nil,
		User:        checks.Account{Login: pr.GetUser().GetLogin(), Type: pr.GetUser().GetType()},
		Association: pr.GetAuthorAssociation(), URL: pr.GetHTMLURL(),
		Head: checks.Ref{Ref: pr.GetHead().GetRef(), SHA: pr.GetHead().GetSHA()}, Base: checks.Ref{Ref: pr.GetBase().GetRef(), SHA: pr.GetBase().GetSHA()},
	}
	if at := timeOf(pr.MergedAt); !at.IsZero() {
		out.MergedAt = &at
	}
	for _, l := range pr.Labels {
		out.Labels = append(out.Labels, checks.Label{Name: l.GetName()})
	}
	return out
}

// Page is not read.
func (b *beyond) Page(context.Context, string) ([]byte, error) { return nil, checks.ErrUnreadable }

// Image is not asked for.
func (b *beyond) Image(context.Context, string) (checks.Image, error) {
	return checks.Image{}, checks.ErrUnreadable
}
