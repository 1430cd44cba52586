package ghapi

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
)

// roles are the words that Permission returns.
var roles = []string{"admin", "maintain", "write", "triage", "read", "none"}

// Permission returns what a user may do now, by the endpoint for
// collaborators: the association in events and comments is computed without a
// viewer and says too little of members and teams (spec/security.md S29). A
// custom role counts as the standard one that GitHub maps it to. Any error
// means "not known".
func (r *repository) Permission(ctx context.Context, login string) (string, error) {
	const form = "collaborators/{login}/permission"
	if !loginForm().MatchString(login) {
		return "none", newError(0, "ghapi.bad-login", []error{bot.ErrNotFound}, "login", r.pipe.scrub.detail(login))
	}
	var level struct {
		Permission string `json:"permission"`
		Role       string `json:"role_name"`
		User       *struct {
			Login string `json:"login"`
		} `json:"user"`
	}
	if _, err := r.get(ctx, "collaborators/"+url.PathEscape(login)+"/permission", &level); err != nil {
		return "none", r.fail("GET", form, err)
	}
	if level.User == nil || !strings.EqualFold(level.User.Login, login) {
		return "none", newError(0, "ghapi.bad-answer", nil, "request", "GET repos/{owner}/{repo}/"+form, "detail", "it is about another user")
	}
	if level.Permission == "none" {
		return "none", nil
	}
	for _, word := range []string{level.Role, level.Permission} {
		if slices.Contains(roles, word) {
			return word, nil
		}
	}
	return "none", newError(0, "ghapi.bad-answer", nil, "request", "GET repos/{owner}/{repo}/"+form, "detail", "an unknown permission")
}
