package ghapi

import (
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
)

// TestAccount: the App says its slug, the installation looks up the account.
func TestAccount(t *testing.T) {
	var k tokens
	client, _ := newClientOn(t, routes{
		"GET /app": doc(`{"id":42,"slug":"sweeper"}`),
		"POST /app/installations/7/access_tokens": k.issue,
		"GET /users/sweeper[bot]":                 need(1, doc(`{"id":4711,"login":"sweeper[bot]","type":"Bot"}`)),
	}.serve(t), asApp(App{InstallationID: 7}))
	got, err := client.Account(t.Context())
	if want := (bot.User{ID: 4711, Login: "sweeper[bot]", Bot: true}); err != nil || got != want {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if token, err := client.GitToken(t.Context()); err != nil || token != "ghs_token_1" {
		t.Errorf("token %q, %v", token, err)
	}
}

// TestAccountOfNobody: a client without an installation has no account.
func TestAccountOfNobody(t *testing.T) {
	client, _ := newClientOn(t, routes{}.serve(t), asApp(App{}))
	if _, err := client.Account(t.Context()); codeOf(err) != "ghapi.no-app" {
		t.Error(err)
	}
	if _, err := client.GitToken(t.Context()); codeOf(err) != "ghapi.no-installation" {
		t.Error(err)
	}
}
