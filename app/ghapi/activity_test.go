package ghapi

import (
	"errors"
	"net/http"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
)

// The newest record of the branch of a fork, and what is none of a push.
func TestLastPush(t *testing.T) {
	const list = "GET /repos/fork/bench/activity"
	one := func(ref, before string) string {
		return `[{"before":"` + before + `","after":"` + shaB + `","ref":"` + ref + `","activity_type":"push","actor":{"id":4,"login":"nia","type":"User"}}]`
	}
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"push": {one("refs/heads/x", shaA), true}, "no record": {"[]", false}, "another branch": {one("refs/heads/y", shaA), false},
		"creation": {one("refs/heads/x", "0000000000000000000000000000000000000000"), false},
	} {
		repo, _ := newRepo(t, routes{list: script(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("ref") != "refs/heads/x" {
				t.Error(r.URL)
			}
			doc(c.body)(w, r)
		})}.serve(t))
		push, actor, err := repo.(bot.Pushes).LastPush(t.Context(), "fork/bench", "x")
		if ok := err == nil && push.Before == shaA && push.After == shaB && actor.ID == 4; ok != c.ok || !c.ok && !errors.Is(err, bot.ErrNotFound) {
			t.Errorf("%s: %+v %+v %v", name, push, actor, err)
		}
	}
	repo, _ := newRepo(t, routes{}.serve(t))
	if _, _, err := repo.(bot.Pushes).LastPush(t.Context(), "../x", "x"); !errors.Is(err, bot.ErrNotFound) {
		t.Error(err)
	}
}
