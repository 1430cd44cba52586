package ghapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
)

// storage is another host that holds archives. It fails the test when it is
// shown an identity.
func storage(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "Cookie", "Referer"} {
			if v := r.Header.Get(name); v != "" {
				t.Errorf("the storage was shown %s: %s", name, v)
			}
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// redirect answers with another address.
func redirect(code int, to string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(code)
	}
}

// raw answers with bytes.
func raw(code int, text string) reply {
	return status(code, text, "Content-Type", "application/zip")
}

// TestOpenArtifact streams an archive from another host, which never learns
// who we are.
func TestOpenArtifact(t *testing.T) {
	tests := []struct {
		name    string
		storage []reply
		asked   int // how often GitHub is asked for an address
		want    string
		code    string
	}{
		{"at once", []reply{raw(200, "PK archive")}, 1, "PK archive", ""},
		{"signature ran out", []reply{raw(403, "expired"), raw(200, "PK")}, 2, "PK", ""},
		{"storage is busy", []reply{raw(503, ""), raw(500, ""), raw(200, "PK")}, 3, "PK", ""},
		{"storage is down", []reply{raw(503, ""), raw(503, ""), raw(503, ""), raw(503, "")}, 4, "", "ghapi.unexpected"},
		{"blob is gone", []reply{raw(404, "")}, 1, "", "ghapi.not-found"},
		{"moved within the storage", []reply{redirect(307, "/elsewhere"), raw(200, "PK")}, 1, "PK", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			other := storage(t, script(t, tt.storage...))
			addresses := make([]reply, tt.asked)
			for i := range addresses {
				addresses[i] = redirect(302, other+"/blob?sig=secret")
			}
			repo, _ := newRepo(t, routes{"GET /repos/acme/bench/actions/artifacts/9/zip": script(t, addresses...)}.serve(t))
			r, err := repo.OpenArtifact(t.Context(), 9)
			if codeOf(err) != tt.code {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			defer r.Close()
			if got, err := io.ReadAll(r); err != nil || string(got) != tt.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// TestJobLog reads a log the way an archive is read; one that is gone is not
// found.
func TestJobLog(t *testing.T) {
	other := storage(t, script(t, raw(200, "line\n")))
	repo, _ := newRepo(t, routes{
		"GET /repos/acme/bench/actions/jobs/9/logs": script(t, redirect(302, other+"/log?sig=secret")),
		"GET /repos/acme/bench/actions/jobs/8/logs": script(t, raw(410, "")),
	}.serve(t))
	logs := repo.(interface {
		JobLog(ctx context.Context, job int64) (io.ReadCloser, error)
	})
	if _, err := logs.JobLog(t.Context(), 8); err == nil {
		t.Error("a log that is gone was opened")
	}
	r, err := logs.JobLog(t.Context(), 9)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "line\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestArtifactLimits: archives beyond the limit end in an error, announced or
// not, and other hosts only by https.
func TestArtifactLimits(t *testing.T) {
	long := strings.Repeat("x", 3000)
	announced := storage(t, reply(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "3000")
		io.WriteString(w, long)
	}))
	unannounced := storage(t, reply(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		io.WriteString(w, long)
	}))
	to := func(address string) reply { return redirect(302, address) }
	repo, _ := newRepo(t, routes{
		"GET /repos/acme/bench/actions/artifacts/1/zip": to(announced),
		"GET /repos/acme/bench/actions/artifacts/2/zip": to(unannounced),
		"GET /repos/acme/bench/actions/artifacts/3/zip": to("http://storage.example.com/x"),
		"GET /repos/acme/bench/actions/artifacts/4/zip": to("file:///etc/passwd"),
		"GET /repos/acme/bench/actions/artifacts/5/zip": to("%zz"),
		"GET /repos/acme/bench/actions/artifacts/6/zip": status(410, `{"message":"Artifact has expired"}`),
		"GET /repos/acme/bench/actions/artifacts/7/zip": doc(`{"no":"archive"}`),
		"GET /repos/acme/bench/actions/artifacts/8/zip": status(403, `{"message":"no"}`),
	}.serve(t), func(o *Options) { o.MaxArtifact = 1000 })
	if _, err := repo.OpenArtifact(t.Context(), 1); !errors.Is(err, ErrTooLarge) {
		t.Error("announced:", err)
	}
	r, err := repo.OpenArtifact(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, err := io.ReadAll(r); !errors.Is(err, ErrTooLarge) || len(got) != 1000 {
		t.Errorf("unannounced: %d bytes, %v", len(got), err)
	}
	for id, want := range map[int64]string{3: "ghapi.bad-answer", 4: "ghapi.bad-answer", 5: "ghapi.moved", 6: "ghapi.gone", 7: "ghapi.unexpected", 8: "ghapi.forbidden"} {
		if _, err := repo.OpenArtifact(t.Context(), id); codeOf(err) != want {
			t.Errorf("%d: %v, want %s", id, err, want)
		}
	}
}

// TestArtifacts lists every upload, those of one name included.
func TestArtifacts(t *testing.T) {
	repo, _ := newRepo(t, routes{"GET /repos/acme/bench/actions/runs/3/artifacts": doc(`{"total_count":2,"artifacts":[
		{"id":1,"name":"a","size_in_bytes":5,"digest":"sha256:00","expired":true,"created_at":"2026-11-01T00:00:00Z","workflow_run":{"id":3}},
		{"id":2,"name":"a","size_in_bytes":6}]}`)}.serve(t))
	got, err := repo.Artifacts(t.Context(), 3)
	want := []bot.Artifact{
		{ID: 1, Name: "a", Size: 5, Digest: "sha256:00", Expired: true, RunID: 3, CreatedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)},
		{ID: 2, Name: "a", Size: 6, RunID: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestRedirects: the API may move a repository; another host is never asked,
// and a write is not turned into a read.
func TestRedirects(t *testing.T) {
	other := storage(t, reply(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("another host got %s %s", r.Method, r.URL) }))
	repo, _ := newRepo(t, routes{
		"GET /repos/acme/bench/issues/comments/1":   redirect(301, "/repositories/5/issues/comments/1"),
		"GET /repositories/5/issues/comments/1":     doc(`{"id":1}`),
		"GET /repos/acme/bench/issues/comments/2":   redirect(302, other+"/x"),
		"GET /repos/acme/bench/issues/comments/3":   redirect(301, "/repos/acme/bench/issues/comments/3"),
		"PATCH /repos/acme/bench/issues/comments/4": redirect(301, "/repositories/5/issues/comments/4"),
		"PATCH /repos/acme/bench/issues/comments/5": redirect(307, "/repositories/5/issues/comments/5"),
		"PATCH /repositories/5/issues/comments/5":   doc(`{"id":5}`),
	}.serve(t))
	ctx := t.Context()
	if c, err := repo.Comment(ctx, 1); err != nil || c.ID != 1 {
		t.Error(c, err)
	}
	for _, id := range []int64{2, 3} {
		if _, err := repo.Comment(ctx, id); codeOf(err) != "ghapi.moved" {
			t.Error(id, err)
		}
	}
	if err := repo.UpdateComment(ctx, 4, "x"); codeOf(err) != "ghapi.moved" {
		t.Error(err)
	}
	if err := repo.UpdateComment(ctx, 5, "x"); err != nil {
		t.Error(err)
	}
}
