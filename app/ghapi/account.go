package ghapi

import (
	"context"
	"net/http"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Account is the account as which the App writes: slug[bot], by its numeric
// id. Comments are recognised as ours by it, since logins prove nothing. The
// error is a diag.Finding where the client is none of an installed App.
func (c *Client) Account(ctx context.Context) (bot.User, error) {
	if c.asApp == nil || c.main == nil {
		return bot.User{}, diag.New("ghapi.no-app", diag.Place{}).In("usage")
	}
	app, _, err := c.asApp.gh.Apps.Get(ctx, "")
	if err != nil {
		return bot.User{}, c.asApp.pipe.translate("GET app", err)
	}
	login := app.GetSlug() + "[bot]"
	if !loginForm().MatchString(login) {
		return bot.User{}, newError(0, "ghapi.bad-answer", nil, "request", "GET app", "detail", "the App has no slug")
	}
	user, _, err := c.main.gh.Users.Get(ctx, login)
	if err != nil {
		return bot.User{}, c.main.pipe.translate("GET users/{login}", err)
	}
	return toUser(user), nil
}

// GitToken returns a token of the installation, for git over HTTPS: user
// x-access-token. It holds for at least a minute. It is a secret: callers must
// not log it, nor put it into an argument of a process.
func (c *Client) GitToken(ctx context.Context) (string, error) {
	if c.main == nil {
		return "", diag.New("ghapi.no-installation", diag.Place{}).In("usage")
	}
	i, ok := c.main.pipe.who.(*installation)
	if !ok {
		return c.options.Token, nil
	}
	i.mu.Lock()
	current := i.current
	i.mu.Unlock()
	if err := haveToken(ctx, current); err != nil {
		return "", c.main.pipe.translate(http.MethodPost+" app/installations/{id}/access_tokens", err)
	}
	return current.Token(ctx)
}
