package ghapi

import (
	"context"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// maxDescription is the length of a status description, in characters.
const maxDescription = 140

func statusesOf(sha string) string { return "statuses/" + sha }

// Statuses lists the statuses of a commit, newest first. One that this client
// has just set is waited for.
func (r *repository) Statuses(ctx context.Context, sha string) ([]bot.Status, error) {
	if err := r.needSHA(sha); err != nil {
		return nil, err
	}
	var statuses []bot.Status
	err := r.fresh.lookAgain(ctx, func() (bool, error) {
		all, err := r.listStatuses(ctx, sha)
		if err != nil {
			return false, err
		}
		statuses = make([]bot.Status, len(all))
		have := make(map[int64]bool, len(all))
		for i, s := range all {
			statuses[i] = toStatus(s)
			have[s.GetID()] = true
		}
		return !r.fresh.missing(statusesOf(sha), have), nil
	})
	if err != nil {
		return nil, err
	}
	return statuses, nil
}

func (r *repository) listStatuses(ctx context.Context, sha string) ([]*github.RepoStatus, error) {
	return listing[*github.RepoStatus, int64]{
		id:    (*github.RepoStatus).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.RepoStatus], error) {
			items, resp, err := r.gh.Repositories.ListStatuses(ctx, r.owner, r.name, sha, &github.ListOptions{Page: n, PerPage: perPage})
			return pageOf(items, -1, resp), r.fail("GET", "commits/{ref}/statuses", err)
		},
	}.all(ctx)
}

// SetStatus sets a commit status. GitHub shows the newest of a context, so
// setting it twice changes nothing.
func (r *repository) SetStatus(ctx context.Context, sha string, s bot.Status) error {
	if err := r.needSHA(sha); err != nil {
		return err
	}
	set, _, err := r.gh.Repositories.CreateStatus(repeatable(ctx), r.owner, r.name, sha, &github.RepoStatus{
		State: &s.State, Context: pointer(s.Context), Description: pointer(ellipsis(s.Description, maxDescription)), TargetURL: pointer(s.TargetURL),
	})
	if err != nil {
		return r.fail("POST", "statuses/{sha}", err)
	}
	r.fresh.created(statusesOf(sha), set.GetID())
	return nil
}

func toStatus(s *github.RepoStatus) bot.Status {
	return bot.Status{Context: s.GetContext(), State: s.GetState(), Description: s.GetDescription(), TargetURL: s.GetTargetURL(), Creator: toUser(s.GetCreator())}
}

// ellipsis shortens one line to so many characters.
func ellipsis(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return string(runes[:limit-1]) + "…"
}
