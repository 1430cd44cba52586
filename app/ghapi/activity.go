package ghapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

var _ bot.Pushes = (*repository)(nil)

// LastPush returns the newest record of a branch of any repository that the
// token can read: its heads before and after, and who pushed. bot.ErrNotFound
// means that there is none.
func (r *repository) LastPush(ctx context.Context, repository, branch string) (bot.Push, bot.User, error) {
	const form = "activity"
	owner, name, ok := splitRepository(repository)
	ref := "refs/heads/" + branch
	var list []struct {
		Before string       `json:"before"`
		After  string       `json:"after"`
		Ref    string       `json:"ref"`
		Actor  *github.User `json:"actor"`
	}
	if ok {
		req, err := r.gh.NewRequest(http.MethodGet, "repos/"+owner+"/"+name+"/activity?per_page=1&ref="+url.QueryEscape(ref), nil)
		if err != nil {
			return bot.Push{}, bot.User{}, err
		}
		if _, err := r.gh.Do(ctx, req, &list); err != nil {
			return bot.Push{}, bot.User{}, r.fail("GET", form, err)
		}
	}
	if len(list) == 0 || list[0].Ref != ref || strings.Trim(list[0].Before, "0") == "" {
		return bot.Push{}, bot.User{}, newError(0, "ghapi.bad-answer", []error{bot.ErrNotFound}, "request", "GET repos/{owner}/{repo}/"+form, "detail", "no push of the branch is recorded")
	}
	return bot.Push{Ref: ref, Branch: branch, Before: list[0].Before, After: list[0].After}, toUser(list[0].Actor), nil
}
