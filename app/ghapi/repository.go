package ghapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// repository is one repository as one identity sees it.
type repository struct {
	owner, name string
	*actor
	client *Client
}

var _ bot.GitHub = (*repository)(nil)

// perPage is the largest page that GitHub gives.
const perPage = 100

// call sends a request that the library has no method or no field for, and
// decodes the answer into out unless that is nil. The path is below that of
// the repository.
func (r *repository) call(ctx context.Context, method, path string, body, out any) (*github.Response, error) {
	req, err := r.gh.NewRequest(method, fmt.Sprintf("repos/%s/%s/%s", r.owner, r.name, path), body)
	if err != nil {
		return nil, err
	}
	return r.gh.Do(ctx, req, out)
}

// get is call for reading.
func (r *repository) get(ctx context.Context, path string, out any) (*github.Response, error) {
	return r.call(ctx, http.MethodGet, path, nil, out)
}

// fail translates the error of a call to an endpoint of the repository.
func (r *repository) fail(method, path string, err error) error {
	return r.pipe.translate(method+" repos/{owner}/{repo}/"+path, err)
}

var (
	shaForm   = pattern.Lazy(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	loginForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?$`)
)

// needSHA refuses what is no full commit id; it goes into an address.
func (r *repository) needSHA(sha string) error {
	if shaForm().MatchString(sha) {
		return nil
	}
	return newError(0, "ghapi.bad-sha", []error{bot.ErrNotFound}, "sha", r.pipe.scrub.detail(sha))
}

// workflowFile returns the file name of a workflow, given with or without its
// folder, safe for an address.
func workflowFile(workflow string) string {
	return url.PathEscape(workflow[strings.LastIndexByte(workflow, '/')+1:])
}

func toUser(u *github.User) bot.User {
	return bot.User{ID: u.GetID(), Login: u.GetLogin(), Bot: u.GetType() == "Bot"}
}

func timeOf(t *github.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}

// pointer returns nil for "", which GitHub takes for "not given".
func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// cut shortens text to so many characters as GitHub counts them, and says so
// at the end.
func cut(text string, limit int) string {
	n := 0
	note := diag.New("ghapi.cut", diag.Place{}).Message(catalog.English)
	keep := -1
	for i, c := range text {
		// Two for the blank line, one since a character may count twice.
		if keep < 0 && n+len(note)+3 >= limit {
			keep = i
		}
		if n++; c > 0xffff {
			n++
		}
	}
	if n <= limit || keep < 0 {
		return text
	}
	return strings.TrimRight(text[:keep], "\n") + "\n\n" + note
}
