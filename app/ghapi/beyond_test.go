package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/checks"
)

// A membership is no only where the token can see the team.
func TestTeamOfSigner(t *testing.T) {
	const team = "/orgs/acme/teams/core"
	const member = "GET " + team + "/memberships/nia"
	none := status(404, `{"message":"Not Found"}`)
	for name, c := range map[string]struct {
		answers routes
		want    checks.Membership
	}{
		"active":               {routes{member: doc(`{"state":"active","role":"member"}`)}, checks.Member},
		"invited":              {routes{member: doc(`{"state":"pending","role":"member"}`)}, checks.NotMember},
		"another state":        {routes{member: doc(`{"state":"?"}`)}, checks.Unreadable},
		"none in a seen team":  {routes{member: none, "GET " + team: doc(`{"id":1,"slug":"core"}`)}, checks.NotMember},
		"team not seen":        {routes{member: none, "GET " + team: none}, checks.Unreadable},
		"team may not be read": {routes{member: none, "GET " + team: status(403, `{"message":"Resource not accessible by integration"}`)}, checks.Unreadable},
		"forbidden":            {routes{member: status(403, `{"message":"Resource not accessible by integration"}`)}, checks.Unreadable},
		"no token":             {routes{member: status(401, `{"message":"Bad credentials"}`)}, checks.Unreadable},
	} {
		client, _ := newClientOn(t, c.answers.serve(t))
		got, err := client.Beyond("nia").Team(t.Context(), "acme", "core")
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
	client, _ := newClientOn(t, routes{}.serve(t)) // asks nothing
	for _, c := range [][3]string{{"a/b", "core", "nia"}, {"acme", "../x", "nia"}, {"acme", "core", "ni/a"}, {"acme", "core", ""}} {
		if got, err := client.Beyond(c[2]).Team(t.Context(), c[0], c[1]); err != nil || got != checks.Unreadable {
			t.Errorf("%v: %s, %v", c, got, err)
		}
	}
}

// The number of teams that one verification asks for has a limit.
func TestTeamsAreBounded(t *testing.T) {
	n := 0
	client, _ := newClientOn(t, reply(func(w http.ResponseWriter, r *http.Request) {
		n++
		doc(`{"state":"active"}`)(w, r)
	}))
	b := client.Beyond("nia")
	for i := range 30 {
		got, err := b.Team(t.Context(), "acme", fmt.Sprint("team-", i))
		if want := i < maxBeyondTeams; err != nil || (got == checks.Member) != want {
			t.Errorf("team %d: %s, %v", i, got, err)
		}
	}
	if n != maxBeyondTeams {
		t.Errorf("%d requests", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Beyond("nia").Team(ctx, "acme", "core"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// upstreamDoc is a pull request of vllm-project/vllm.
func upstreamDoc(change ...string) string {
	return strings.NewReplacer(change...).Replace(`{"number":7,"title":"Add it","body":null,"state":"closed","merged":true,"merged_at":"2026-11-02T03:04:05Z",
		"html_url":"https://github.com/vllm-project/vllm/pull/7","changed_files":2,"user":{"login":"ann","type":"User"},"labels":[{"name":"docs"}],
		"head":{"ref":"topic","sha":"` + shaA + `"},"base":{"ref":"main","sha":"` + shaB + `","repo":{"full_name":"vllm-project/vllm","private":false}}}`)
}

const (
	upstreamPath = "GET /repos/vllm-project/vllm/pulls/7"
	upstreamList = `[{"filename":"docs/a.md","status":"renamed","previous_filename":"docs/b.md","patch":"@@"},{"filename":"c","status":"added"}]`
)

func TestUpstreamPull(t *testing.T) {
	client, _ := newClientOn(t, routes{upstreamPath: doc(upstreamDoc()), upstreamPath + "/files": doc(upstreamList)}.serve(t))
	got, err := client.Beyond("nia").UpstreamPull(t.Context(), "vllm-project/vllm", 7)
	if err != nil || !got.Merged || got.MergedAt == nil || got.Base.Ref != "main" || got.User.Login != "ann" || len(got.Labels) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	want := []checks.PullFile{{Name: "docs/a.md", Previous: "docs/b.md", Status: "renamed", Patch: "@@"}, {Name: "c", Status: "added"}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
}

// What the token alone may see, what is on another GitHub, and what is too
// large is not read into evidence.
func TestUpstreamPullUnreadable(t *testing.T) {
	for name, first := range map[string]reply{
		"private":        doc(upstreamDoc(`"private":false`, `"private":true`)),
		"nobody says":    doc(upstreamDoc(`,"private":false`, ``)),
		"another site":   doc(upstreamDoc("https://github.com/", "https://github.example.com/")),
		"another number": doc(upstreamDoc(`"number":7`, `"number":8`)),
		"large":          doc(upstreamDoc(`"changed_files":2`, `"changed_files":301`)),
		"forbidden":      status(403, `{"message":"Resource not accessible by integration"}`),
		"not there":      status(404, `{"message":"Not Found"}`), // of this GitHub, which is not github.com
	} {
		client, _ := newClientOn(t, routes{upstreamPath: first}.serve(t))
		if _, err := client.Beyond("nia").UpstreamPull(t.Context(), "vllm-project/vllm", 7); !errors.Is(err, checks.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	endless := routes{upstreamPath: doc(upstreamDoc()), upstreamPath + "/files": func(w http.ResponseWriter, r *http.Request) {
		var files []string
		for i := range 100 {
			files = append(files, fmt.Sprintf(`{"filename":"%s-%d","status":"added"}`, r.URL.Query().Get("page"), i))
		}
		status(200, "["+strings.Join(files, ",")+"]", "Link", `<https://x/?page=9>; rel="next"`)(w, r)
	}}
	client, _ := newClientOn(t, endless.serve(t))
	if _, err := client.Beyond("nia").UpstreamPull(t.Context(), "vllm-project/vllm", 7); !errors.Is(err, checks.ErrUnreadable) || client.Stats().Requests > 5 {
		t.Errorf("more files than announced: %v, %d requests", err, client.Stats().Requests)
	}
	b := client.Beyond("nia")
	for range 20 {
		_, _ = b.UpstreamPull(t.Context(), "no/name/that/is", 7)
	}
	if _, err := b.UpstreamPull(t.Context(), "vllm-project/vllm", -1); !errors.Is(err, checks.ErrUnreadable) {
		t.Error(err)
	}
}

// Only github.com itself can say that a pull request does not exist, and four
// are asked for.
func TestUpstreamPullThatIsNone(t *testing.T) {
	n := 0
	client, err := New(t.Context(), Options{Token: "t", Transport: wireFunc(func(*http.Request) (*http.Response, error) {
		n++
		return document(404, `{"message":"Not Found"}`), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	b := client.Beyond("nia")
	for i := range 8 {
		want := fs.ErrNotExist
		if i >= maxBeyondPulls {
			want = checks.ErrUnreadable
		}
		if _, err := b.UpstreamPull(t.Context(), "vllm-project/vllm", 7); !errors.Is(err, want) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if n != maxBeyondPulls {
		t.Errorf("%d requests", n)
	}
	if _, err := b.Page(t.Context(), "https://example.org/"); !errors.Is(err, checks.ErrUnreadable) {
		t.Error(err)
	}
	if _, err := b.Image(t.Context(), "x/y:z"); !errors.Is(err, checks.ErrUnreadable) {
		t.Error(err)
	}
}
