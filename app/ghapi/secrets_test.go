package ghapi

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// logBuffer collects what a client logs.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBuffer) use(o *Options) {
	o.Log = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// unwrapped returns every error of a tree as text, in all the ways that people
// print one.
func unwrapped(err error) string {
	if err == nil {
		return ""
	}
	text := fmt.Sprintf("%v\n%+v\n%#v\n", err, err, err)
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		text += unwrapped(x.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			text += unwrapped(e)
		}
	}
	return text
}

// TestSecretsStayHidden plants secrets wherever GitHub, a proxy or a storage
// could hand them back to us, and looks for them in errors and logs.
func TestSecretsStayHidden(t *testing.T) {
	const canary = "canary-0123456789"
	echo := func(w http.ResponseWriter, r *http.Request) {
		status(403, `{"message":"bad header `+r.Header.Get("Authorization")+` and ghp_`+strings.Repeat("C4n4ry", 6)+`"}`)(w, r)
	}
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1:1/blob?sig="+canary+"&se=1")
		w.WriteHeader(302)
	}
	var log logBuffer
	repo, _ := newRepo(t, routes{
		"GET /repos/acme/bench/issues/comments/1":       echo,
		"GET /repos/acme/bench/actions/artifacts/1/zip": elsewhere,
		"GET /repos/acme/bench/issues/comments/2":       elsewhere,
		"GET /repos/acme/bench/issues/comments/3":       status(200, `{}`, "Sunset", "soon "+canary, "Link", "<https://x?token="+canary+">"),
	}.serve(t), log.use, func(o *Options) { o.Token = canary })
	var errs []error
	_, err := repo.Comment(t.Context(), 1)
	errs = append(errs, err)
	_, err = repo.OpenArtifact(t.Context(), 1)
	errs = append(errs, err)
	_, err = repo.Comment(t.Context(), 2)
	errs = append(errs, err)
	for _, err := range errs {
		if err == nil {
			t.Fatal("no error")
		}
	}
	if _, err := repo.Comment(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	said := unwrapped(errors.Join(errs...)) + log.String()
	for _, secret := range []string{canary, "C4n4ry", "Bearer c"} {
		if strings.Contains(said, secret) {
			t.Errorf("%q was said:\n%s", secret, said)
		}
	}
	if !strings.Contains(said, hidden) {
		t.Errorf("nothing was hidden:\n%s", said)
	}
}

// TestScrub lists the forms of secrets that are known without having seen
// them, and texts that must stay as they are.
func TestScrub(t *testing.T) {
	c := scrubber{known: []string{"s3cr3t", ""}}
	tests := []struct{ in, want string }{
		{"the s3cr3t itself", "the [hidden] itself"},
		{"ghs_16C7e42F292c6912E7710c838347Ae178B4a", "[hidden]"},
		{"ghs_123_eyJhbGciOi.eyJpc3MiOi.c2lnbmF0dXJl end", "[hidden] end"},
		{"github_pat_11ABCDEFG0abcdefghij_xyz", "[hidden]"},
		{"jwt eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.abc-_9", "jwt [hidden]"},
		{"Authorization: Bearer abcdef123456", "Authorization: [hidden]"},
		{"https://x.blob/y?se=2026&sig=AbC%2B&a=1", "https://x.blob/y[hidden][hidden]&a=1"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- tail", "[hidden] tail"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE without end", "[hidden]"},
		{"a token for the repository, see /settings/tokens", "a token for the repository, see /settings/tokens"},
		{"commit " + shaA, "commit " + shaA},
	}
	for _, tt := range tests {
		if got := c.text(tt.in); got != tt.want {
			t.Errorf("text(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := c.detail(strings.Repeat("é", 400)); len(got) > maxDetail+3 || !strings.HasSuffix(got, "...") {
		t.Errorf("detail of %d bytes: %q", len(got), got)
	}
	if got := c.detail("a\n::error::b\x1b[31m"); strings.ContainsAny(got, "\n\x1b") {
		t.Errorf("detail %q", got)
	}
}
