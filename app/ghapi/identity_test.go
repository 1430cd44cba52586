package ghapi

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
)

// appKey is the private key of the App of these tests.
var appKey = sync.OnceValue(func() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
})

// asApp makes a client that of an App.
func asApp(app App) func(*Options) {
	app.ID, app.PrivateKey = 42, appKey()
	return func(o *Options) { o.Token, o.App = "", &app }
}

// tokens hands out installation tokens ghs_token_1, ghs_token_2 and so on.
type tokens struct {
	mu     sync.Mutex
	issued int
}

func (k *tokens) issue(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if jwt := r.Header.Get("Authorization"); !strings.HasPrefix(jwt, "Bearer eyJ") {
		status(401, `{"message":"a signed token is needed"}`)(w, r)
		return
	}
	k.issued++
	status(201, fmt.Sprintf(`{"token":"ghs_token_%d","expires_at":"2199-01-01T00:00:00Z"}`, k.issued))(w, r)
}

// need answers only requests with the nth token.
func need(n int, next reply) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != fmt.Sprintf("token ghs_token_%d", n) {
			status(401, `{"message":"Bad credentials"}`)(w, r)
			return
		}
		next(w, r)
	}
}

// TestS71TokenExpires: a token that GitHub no longer accepts in the middle of
// a list is replaced by a new one, once, and the list is complete.
func TestS71TokenExpires(t *testing.T) {
	var k tokens
	first, second := make([]int, 100), make([]int, 30)
	for i := range first {
		first[i] = i + 1
	}
	for i := range second {
		second[i] = 101 + i
	}
	pages := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "1" {
			need(1, status(200, comments(first...), "Link", `<http://x/?page=2>; rel="next"`))(w, r)
			return
		}
		need(2, doc(comments(second...)))(w, r)
	}
	repo, _ := newRepo(t, routes{
		"POST /app/installations/7/access_tokens":   k.issue,
		"GET /repos/acme/bench/issues/5/comments":   pages,
		"POST /repos/acme/bench/issues/5/comments":  need(2, doc(`{"id":500}`)),
		"GET /repos/acme/bench/issues/comments/404": need(3, doc(`{}`)),
	}.serve(t), asApp(App{InstallationID: 7}))
	all, err := repo.Comments(t.Context(), 5)
	if err != nil || len(all) != 130 || k.issued != 2 {
		t.Fatalf("%d comments, %d tokens, %v", len(all), k.issued, err)
	}
	if _, err := repo.CreateComment(t.Context(), 5, "x"); err != nil {
		t.Error("write with the new token:", err)
	}
	k.issued = 90 // never the third: a new token is tried once
	if _, err := repo.Comment(t.Context(), 404); codeOf(err) != "ghapi.unauthorized" || k.issued != 91 {
		t.Errorf("%v after %d tokens", err, k.issued)
	}
}

// TestTokenTrouble: what happens when a token cannot be had. Nothing has been
// sent then, so that even a write may try again.
func TestTokenTrouble(t *testing.T) {
	var k tokens
	tests := []struct {
		name    string
		tokens  []reply
		created bool
		code    string
	}{
		{"server failure", []reply{html(502), k.issue}, true, ""},
		{"broken document", []reply{doc(`{"token":`), k.issue}, true, ""},
		{"connection lost", []reply{cutOff(`{`), k.issue}, true, ""},
		{"suspended", []reply{status(403, `{"message":"This installation has been suspended"}`)}, false, "ghapi.no-token"},
		{"not installed", []reply{status(404, `{}`)}, false, "ghapi.no-token"},
		{"failing for good", []reply{html(502), html(502), html(502), html(502)}, false, "ghapi.server-error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := routes{"POST /app/installations/7/access_tokens": script(t, tt.tokens...)}
			if tt.created {
				m["POST /repos/acme/bench/issues/5/comments"] = script(t, doc(`{"id":1}`))
			}
			repo, _ := newRepo(t, m.serve(t), asApp(App{InstallationID: 7}))
			_, err := repo.CreateComment(t.Context(), 5, "x")
			if codeOf(err) != tt.code || errors.Is(err, ErrOutcomeUnknown) {
				t.Error(err)
			}
		})
	}
}

// TestInstallations: an App finds its installation by a repository, keeps one
// client for each, and each has a cache of its own within the common one.
func TestInstallations(t *testing.T) {
	var k tokens
	var validators []string
	read := func(w http.ResponseWriter, r *http.Request) {
		validators = append(validators, r.Header.Get("If-None-Match"))
		status(200, `{"id":1}`, "ETag", `"e"`)(w, r)
	}
	m := routes{
		"GET /repos/acme/bench/installation":      doc(`{"id":7}`),
		"GET /repos/acme/other/installation":      status(404, `{"message":"Not Found"}`),
		"POST /app/installations/7/access_tokens": k.issue,
		"POST /app/installations/8/access_tokens": k.issue,
		"GET /repos/acme/bench/issues/comments/1": read,
	}
	client, _ := newClientOn(t, m.serve(t), asApp(App{Repository: "acme/bench"}))
	seven, err := client.ForInstallation(7)
	if err != nil || seven != client {
		t.Errorf("two clients for one installation, %v", err)
	}
	eight, err := client.ForInstallation(8)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Client{seven, eight, seven, eight} {
		if _, err := c.Repository("acme", "bench").Comment(t.Context(), 1); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"", "", `"e"`, `"e"`}, validators); diff != "" {
		t.Error(diff)
	}
	if _, err := client.ForRepository(t.Context(), "acme/other"); !errors.Is(err, bot.ErrNotFound) {
		t.Error(err)
	}
	if _, err := client.ForRepository(t.Context(), "no-repository"); codeOf(err) != "ghapi.no-app" {
		t.Error(err)
	}
}

// TestAppWithoutInstallation reads deliveries only.
func TestAppWithoutInstallation(t *testing.T) {
	client, _ := newClientOn(t, routes{}.serve(t), asApp(App{}))
	if _, err := client.Repository("acme", "bench").Comment(t.Context(), 1); codeOf(err) != "ghapi.no-installation" {
		t.Error(err)
	}
	if _, err := client.Deliveries(); err != nil {
		t.Error(err)
	}
	if q := client.Quota(); q.Limit != 0 {
		t.Errorf("quota %+v", q)
	}
}

// TestOptions: identities and addresses that are refused before any request.
func TestOptions(t *testing.T) {
	tests := []struct {
		name    string
		options Options
		code    string
	}{
		{"nobody", Options{}, "ghapi.no-identity"},
		{"two", Options{Token: "x", App: &App{ID: 1}}, "ghapi.no-identity"},
		{"token with a line break", Options{Token: "gh\nX-Evil: 1"}, "ghapi.bad-token"},
		{"broken key", Options{App: &App{ID: 1, PrivateKey: []byte("-----BEGIN RSA PRIVATE KEY-----\ns3cr3t\n")}}, "ghapi.bad-key"},
		{"plain http", Options{Token: "x", BaseURL: "http://github.example.com/api/v3"}, "ghapi.bad-address"},
		{"password in the address", Options{Token: "x", BaseURL: "https://user:s3cr3t@github.example.com/"}, "ghapi.bad-address"},
		{"query in the address", Options{Token: "x", BaseURL: "https://github.example.com/?s3cr3t=1"}, "ghapi.bad-address"},
		{"no address", Options{Token: "x", BaseURL: "github.example.com"}, "ghapi.bad-address"},
		{"enterprise", Options{Token: "x", BaseURL: "https://github.example.com/api/v3"}, ""},
		{"defaults", Options{Token: " x\n"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(t.Context(), tt.options)
			if codeOf(err) != tt.code || (err == nil) != (tt.code == "") {
				t.Errorf("error %v, want %q", err, tt.code)
			}
			if err != nil && strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
}

// TestEnterpriseAddress: the path of the API comes before that of the call,
// for the token as well.
func TestEnterpriseAddress(t *testing.T) {
	var paths []string
	repo, _ := newRepo(t, http.NotFoundHandler(), asApp(App{InstallationID: 7}), overWire(func(r *http.Request) (*http.Response, error) {
		paths = append(paths, r.URL.String())
		if strings.HasSuffix(r.URL.Path, "access_tokens") {
			return document(201, `{"token":"t","expires_at":"2199-01-01T00:00:00Z"}`), nil
		}
		return document(200, `{"id":1}`), nil
	}), func(o *Options) { o.BaseURL = "https://github.example.com/api/v3" })
	if _, err := repo.Comment(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	want := []string{"https://github.example.com/api/v3/app/installations/7/access_tokens", "https://github.example.com/api/v3/repos/acme/bench/issues/comments/1"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
}

// TestNames: names that could change an address reach no network.
func TestNames(t *testing.T) {
	client, _ := newClientOn(t, routes{}.serve(t))
	for _, name := range [][2]string{{"acme", ".."}, {"acme", "a/b"}, {"", "b"}, {"a b", "c"}, {"-a", "b"}, {"a", "b?x"}, {"a/../b", "c"}} {
		repo := client.Repository(name[0], name[1])
		if _, err := repo.PullRequest(t.Context(), 1); codeOf(err) != "ghapi.bad-repository" {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := repo.OpenArtifact(t.Context(), 1); codeOf(err) != "ghapi.bad-repository" {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := repo.Jobs(t.Context(), 1, 0); codeOf(err) != "ghapi.bad-repository" {
			t.Errorf("%q: %v", name, err)
		}
	}
	repo := client.Repository("acme", "bench")
	for _, sha := range []string{"", "main", shaA[:39], shaA + "/x", strings.ToUpper(shaA)} {
		_, err1 := repo.CommitMessage(t.Context(), sha)
		_, err2 := repo.CheckRuns(t.Context(), sha, "x")
		_, err3 := repo.CreateCheckRun(t.Context(), bot.CheckRun{HeadSHA: sha})
		_, err4 := repo.ReadFile(t.Context(), sha, "x")
		_, err5 := repo.Statuses(t.Context(), sha)
		_, _, err6 := repo.ChangedFiles(t.Context(), shaA, sha)
		for i, err := range []error{err1, err2, err3, err4, err5, err6, repo.SetStatus(t.Context(), sha, bot.Status{})} {
			if codeOf(err) != "ghapi.bad-sha" {
				t.Errorf("%q, call %d: %v", sha, i+1, err)
			}
		}
	}
}
