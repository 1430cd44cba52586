package chaos

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/testdata"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The people and things of the scenarios.
const (
	repository = "example/sample-bench"
	author     = "nora-author"
	maintainer = "milo-maintains"
	stranger   = "otto-outside"
	sweepLabel = "full-sweep-fail-fast"
	secret     = "chaos"
	pullNumber = 13 // the changelog entry names it
)

// event is a delivery as GitHub sends it.
type event struct {
	name   string
	header http.Header
	body   []byte
}

// world is a GitHub on which one scenario is acted out.
type world struct {
	t      *testing.T
	ctx    context.Context
	github *sandbox.Server
	clock  *sandbox.Clock
	dir    string // what a server keeps on disk
	key    []byte
	app    int64

	mu   sync.Mutex
	sent []event // that nobody got yet
	pull int
	// author opened the pull request.
	author string

	canary *sandbox.JobHandle // that has begun
}

// file is a file of the stories.
func file(t testing.TB, name string) string {
	t.Helper()
	return string(must(os.ReadFile(filepath.Join("..", "story", "files", name)))(t))
}

func seed(t testing.TB) fstest.MapFS {
	files := must(testdata.Sample())(t)
	files[".github/workflows/run-sweep.yml"] = &fstest.MapFile{Data: []byte(file(t, "run-sweep.yml")), Mode: 0o644}
	return files
}

// newWorld makes the GitHub of a scenario, on which sweepbot is an App.
func newWorld(t *testing.T, s scenario) *world {
	return newWorldOf(t, sandbox.Options{Seed: seed(t), App: sandbox.App{Events: s.events}})
}

// newWorldOf makes a GitHub. Its clock stands still unless an actor acts, so
// that how often something is tried leaves no trace in what is seen.
func newWorldOf(t *testing.T, o sandbox.Options) *world {
	w := &world{t: t, ctx: t.Context(), clock: sandbox.NewClock(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), 0), dir: t.TempDir()}
	collector := httptest.NewServer(http.HandlerFunc(w.collect))
	t.Cleanup(collector.Close)
	o.Repository, o.Clock, o.Random = repository, w.clock.Now, 1
	o.People = []sandbox.Account{{Login: author, Role: "write"}, {Login: maintainer, Role: "maintain"}, {Login: stranger, Role: "none"}}
	o.Labels = map[string]string{sweepLabel: "", "all-evals": "", "docs": ""}
	o.Limits = sandbox.Limits{AnonymousHour: -1, UserHour: -1, AppHour: -1, RunHour: -1, WritesMinute: -1, WritesHour: -1, PointsMinute: -1}
	if o.Engine == nil {
		o.App.WebhookURL, o.App.Secret = collector.URL, secret
	}
	w.github = must(sandbox.Start(context.Background(), o))(t)
	t.Cleanup(func() { ok(t, w.github.Close()) })
	w.key = must(w.github.AppKey())(t)
	w.app, _ = w.github.AppID()
	w.github.SetNextPR(pullNumber)
	return w
}

// collect keeps the deliveries that GitHub sends.
func (w *world) collect(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // this process wrote it
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, event{r.Header.Get("X-Github-Event"), r.Header.Clone(), body})
}

// take returns the deliveries that were sent since it was last called.
func (w *world) take() []event {
	w.t.Helper()
	ok(w.t, w.github.Settle(w.ctx))
	w.mu.Lock()
	defer w.mu.Unlock()
	sent := w.sent
	w.sent = nil
	return sent
}

// orders are those of a server on this world.
func (w *world) orders() orders {
	return orders{
		API: w.github.URL() + "/api/v3", Repository: repository, Dir: w.dir, AppID: w.app, Key: string(w.key), Secret: secret,
	}
}

// api is GitHub as a person sees it.
func (w *world) api() bot.GitHub {
	token := must(w.github.Token(author))(w.t)
	client := must(ghapi.New(w.ctx, ghapi.Options{Token: token, BaseURL: w.github.URL() + "/api/v3"}))(w.t)
	return client.Repository("example", "sample-bench")
}

// send sends a request that must succeed to the API.
func send(t testing.TB, method, address, token string) []byte {
	t.Helper()
	req := must(http.NewRequest(method, address, nil))(t)
	req.Header.Set("Authorization", "Bearer "+token)
	resp := must(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, address, resp.Status)
	}
	return must(io.ReadAll(resp.Body))(t)
}

// newest is the newest run of the sweep workflow that is not over.
func (w *world) newest() *sandbox.RunHandle {
	w.t.Helper()
	runs := w.github.Runs()
	for i := len(runs) - 1; i >= 0; i-- {
		if isSweep(&runs[i]) && runs[i].Status != "completed" {
			h, _ := w.github.Run(runs[i].ID)
			return h
		}
	}
	w.t.Fatalf("no sweep goes on: %+v", runs)
	return nil
}
