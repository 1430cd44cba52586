package contract

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

type object = map[string]any

const r = "/repos/{owner}/{repo}"

// engine runs two jobs, one of which fails, with steps and an artifact.
func engine(_ context.Context, req sandbox.RunRequest) {
	h := req.Handle
	j := h.StartJob(sandbox.JobSpec{Name: "points / c4", Labels: []string{"self-hosted"}, Runner: "h200_01"})
	j.StartStep("Launch")
	j.Log("hello")
	j.Annotate("warning", "README.md", 1, "look")
	j.Finish("success")
	h.StartJob(sandbox.JobSpec{Name: "points / c8"}).Finish("failure")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	_, _ = z.Create("agg_bmk.json")
	_ = z.Close()
	_, _ = h.UploadArtifact("results_bmk", &b)
}

func start(t *testing.T, in *inspector) *sandbox.Server {
	t.Helper()
	receiver := httptest.NewServer(in)
	t.Cleanup(receiver.Close)
	s, err := sandbox.Start(t.Context(), sandbox.Options{
		Engine: sandbox.EngineFunc(engine), Teams: map[string][]string{"core": {"ada-admin"}}, Labels: map[string]string{"bug": "Something is wrong"},
		App: sandbox.App{WebhookURL: receiver.URL, Secret: "s", Events: []string{"*"}}, Limits: sandbox.Limits{WritesMinute: -1, WritesHour: -1, PointsMinute: -1},
		Clock: sandbox.NewClock(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), time.Second).Now,
		Seed: fstest.MapFS{
			"README.md": {Data: []byte("# Bench\n")}, "docs/a.md": {Data: []byte("a\n")},
			".github/workflows/sweep.yml": {Data: []byte("name: Sweep\non:\n  pull_request:\n    types: [synchronize, labeled]\n")},
			".github/workflows/test.yml":  {Data: []byte("name: Test\non:\n  workflow_dispatch:\n")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestContract walks through every operation of the sandbox.
func TestContract(t *testing.T) {
	in := newInspector(t)
	s := start(t, in)
	person := func(login string) visitor {
		token, err := s.Token(login)
		if err != nil {
			t.Fatal(err)
		}
		return visitor{t, in, s, token}
	}
	app := visitor{t, in, s, jwt(t, s)}
	bot := tourApp(app)
	walt, mina, admin := person("walt-write"), person("mina-maintain"), person("ada-admin")
	tourRepository(walt, admin)
	tourPull(t, walt, mina)
	tourIssue(walt)
	tourChecks(walt, bot)
	tourRuns(t, walt)
	tourHooks(t, admin, app, in)
	bot.do(204, "DELETE /installation/token", nil, nil)

	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, op := range sandbox.Operations() {
		method, path, _ := strings.Cut(op, " ")
		if !in.seen[method+" "+shape(path)] {
			t.Errorf("the tour leaves out %s", op)
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(hooks)), slices.Sorted(maps.Keys(in.hook))); diff != "" {
		t.Errorf("webhooks that the tour must cause and does (-want +got):\n%s", diff)
	}
	t.Logf("%d operations, %d webhooks", len(in.seen), len(in.hook))
}

// jwt is a token of the App.
func jwt(t *testing.T, s *sandbox.Server) string {
	t.Helper()
	text, err := s.AppKey()
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	part := func(v any) string {
		b, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	id, _ := s.AppID()
	head := part(object{"alg": "RS256"}) + "." + part(object{"iss": id, "iat": time.Now().Unix(), "exp": time.Now().Add(5 * time.Minute).Unix()})
	sum := sha256.Sum256([]byte(head))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return head + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func tourApp(app visitor) visitor {
	app.do(200, "GET /app", nil, nil)
	app.do(200, "GET /apps/{slug}", []any{"sweepbot"}, nil)
	id := at(app.do(200, "GET /app/installations", nil, nil), "0.id")
	app.do(200, "GET /app/installations/{id}", []any{id}, nil)
	app.do(200, "GET "+r+"/installation", nil, nil)
	app.do(200, "GET /orgs/{org}/installation", []any{"acme-bench"}, nil)
	app.do(404, "GET /users/{org}/installation", []any{"walt-write"}, nil)
	app.do(201, "POST /app/installations/{id}/access_tokens", []any{id}, object{"repositories": []string{"inference"}})
	token := at(app.do(201, "POST /app/installations/{id}/access_tokens", []any{id}, nil), "token").(string)
	bot := visitor{app.t, app.in, app.s, token}
	bot.do(200, "GET /installation/repositories", nil, nil)
	return bot
}

func tourRepository(v, admin visitor) {
	v.do(200, "GET /", nil, nil, "application/json")
	v.in.seen["GET /"] = true // the root lists what GitHub has and the sandbox has not
	v.do(200, "GET /rate_limit", nil, nil)
	v.do(200, "GET /meta", nil, nil)
	v.do(200, "GET /user", nil, nil)
	v.do(200, "GET /users/{login}", []any{"remy-read"}, nil)
	v.do(404, "GET /users/{login}", []any{"nobody-here"}, nil)
	v.do(200, "GET "+r, nil, nil)
	v.do(200, "GET "+r+"/branches", nil, nil)
	v.do(200, "GET "+r+"/branches/{branch}", []any{"main"}, nil)
	v.do(200, "GET "+r+"/forks", nil, nil)
	v.do(204, "POST "+r+"/dispatches", nil, object{"event_type": "sample.collected", "client_payload": object{"a": 1}})
	v.do(200, "GET "+r+"/collaborators", nil, nil)
	v.do(204, "GET "+r+"/collaborators/{username}", []any{"walt-write"}, nil)
	v.do(404, "GET "+r+"/collaborators/{username}", []any{"otto-outside"}, nil)
	v.do(200, "GET "+r+"/collaborators/{username}/permission", []any{"tess-triage"}, nil)
	v.do(200, "GET "+r+"/labels", nil, nil)
	v.do(201, "POST "+r+"/labels", nil, object{"name": "x", "color": "ff0000"})
	v.do(422, "POST "+r+"/labels", nil, object{"name": "x", "color": "ff0000"})
	v.do(200, "GET "+r+"/labels/{name}", []any{"x"}, nil)
	v.do(200, "PATCH "+r+"/labels/{name}", []any{"x"}, object{"description": "d"})
	v.do(204, "DELETE "+r+"/labels/{name}", []any{"x"}, nil)
	admin.do(204, "GET /orgs/{org}/members/{login}", []any{"acme-bench", "ada-admin"}, nil)
	admin.do(200, "GET /orgs/{org}/memberships/{login}", []any{"acme-bench", "ada-admin"}, nil)
	admin.do(200, "GET /orgs/{org}/teams/{team}/members", []any{"acme-bench", "core"}, nil)
	admin.do(200, "GET /orgs/{org}/teams/{team}/memberships/{login}", []any{"acme-bench", "core", "ada-admin"}, nil)

	file := v.do(200, "GET "+r+"/contents/{path}", []any{"README.md"}, nil)
	v.do(200, "GET "+r+"/contents/{path}", []any{"docs"}, nil)
	v.do(404, "GET "+r+"/contents/{path}", []any{"none"}, nil)
	v.in.seen["GET "+shape(r+"/contents")] = true // the description has the one path for both
	put := object{"message": "m", "content": base64.StdEncoding.EncodeToString([]byte("x")), "sha": at(file, "sha")}
	v.do(200, "PUT "+r+"/contents/{path}", []any{"README.md"}, put)
	delete(put, "sha")
	v.do(201, "PUT "+r+"/contents/{path}", []any{"new.md"}, put)
	tip := at(v.do(200, "GET "+r+"/commits", nil, nil), "0.sha")
	v.do(200, "GET "+r+"/commits/{ref}", []any{tip}, nil)
	v.do(200, "GET "+r+"/compare/{basehead}", []any{"main...main"}, nil)
	tourGit(v, tip)
}

func tourGit(v visitor, tip any) {
	tree := at(v.do(200, "GET "+r+"/git/commits/{sha}", []any{tip}, nil), "tree.sha")
	v.do(200, "GET "+r+"/git/trees/{sha}", []any{tree}, nil)
	v.do(200, "GET "+r+"/git/trees/{sha}?recursive=1", []any{tree}, nil)
	blob := at(v.do(201, "POST "+r+"/git/blobs", nil, object{"content": "x", "encoding": "utf-8"}), "sha")
	v.do(200, "GET "+r+"/git/blobs/{sha}", []any{blob}, nil)
	made := at(v.do(201, "POST "+r+"/git/trees", nil, object{"base_tree": tree, "tree": []object{{"path": "b", "mode": "100644", "type": "blob", "sha": blob}}}), "sha")
	commit := at(v.do(201, "POST "+r+"/git/commits", nil, object{"message": "m", "tree": made, "parents": []any{tip}}), "sha")
	v.do(201, "POST "+r+"/git/refs", nil, object{"ref": "refs/heads/feat", "sha": commit})
	v.do(201, "POST "+r+"/git/refs", nil, object{"ref": "refs/heads/gone", "sha": commit})
	v.do(204, "DELETE "+r+"/git/refs/{ref}", []any{"heads/gone"}, nil)
	v.do(200, "PATCH "+r+"/git/refs/{ref}", []any{"heads/feat"}, object{"sha": commit})
	v.do(200, "GET "+r+"/git/ref/{ref}", []any{"heads/feat"}, nil)
	v.do(200, "GET "+r+"/git/matching-refs/{ref}", []any{"heads/"}, nil)
	v.do(200, "GET "+r+"/compare/{basehead}", []any{"main...feat"}, nil)
}

func tourPull(t *testing.T, v, mina visitor) {
	s := v.s
	v.do(201, "POST "+r+"/pulls", nil, object{"title": "Feat", "head": "feat", "base": "main", "body": "b"})
	v.do(422, "POST "+r+"/pulls", nil, object{"title": "Feat", "head": "feat", "base": "main"})
	v.do(200, "GET "+r+"/pulls", nil, nil)
	n := []any{1}
	v.do(200, "GET "+r+"/pulls/{number}", n, nil)
	v.do(200, "PATCH "+r+"/pulls/{number}", n, object{"title": "New"})
	v.do(200, "GET "+r+"/pulls/{number}/files", n, nil)
	v.do(200, "GET "+r+"/pulls/{number}/commits", n, nil)
	p, _ := s.Pull(1)
	v.do(200, "GET "+r+"/commits/{ref}/pulls", []any{p.HeadSHA}, nil)
	_, err := s.As("walt-write").PushBranch(t.Context(), "main", sandbox.Edit{Files: map[string]string{"m": "m"}})
	noError(t, err)
	v.do(202, "PUT "+r+"/pulls/{number}/update-branch", n, object{})
	for _, action := range []func(context.Context, int) error{
		s.As("walt-write").MarkDraft, s.As("walt-write").MarkReady, s.As("walt-write").Close, s.As("walt-write").Reopen,
	} {
		noError(t, action(t.Context(), 1))
	}
	tourReviews(v, mina)
	v.do(200, "POST "+r+"/issues/{number}/labels", n, object{"labels": []string{"bug", "x"}})
	v.do(200, "PUT "+r+"/issues/{number}/labels", n, object{"labels": []string{"bug"}})
	v.do(404, "GET "+r+"/pulls/{number}/merge", n, nil)
	mina.do(409, "PUT "+r+"/pulls/{number}/merge", n, object{"sha": strings.Repeat("0", 40)})
	mina.do(200, "PUT "+r+"/pulls/{number}/merge", n, object{"merge_method": "squash"})
	v.do(204, "GET "+r+"/pulls/{number}/merge", n, nil)
	v.do(200, "GET "+r+"/pulls/{number}", n, nil)
	v.do(200, "GET "+r+"/issues/{number}/events", n, nil)
	v.do(200, "GET "+r+"/issues/{number}/timeline", n, nil)
	_, err = s.As("otto-outside").OpenPR(t.Context(), sandbox.PullSpec{Title: "Fork", Branch: "f", Fork: true, Edit: sandbox.Edit{Files: map[string]string{"f": "f"}}})
	noError(t, err)
	v.do(200, "GET "+r+"/pulls/{number}", []any{2}, nil)
	v.do(200, "GET "+r+"/forks", nil, nil)
	v.do(200, "GET "+r+"/pulls?state=all", nil, nil)
}

func tourReviews(v, mina visitor) {
	v.do(200, "GET "+r+"/activity", nil, nil)
	n := []any{1}
	id := at(mina.do(200, "POST "+r+"/pulls/{number}/reviews", n, object{"event": "APPROVE", "body": "b", "comments": []object{{"path": "b", "line": 1, "body": "x"}}}), "id")
	v.do(200, "GET "+r+"/pulls/{number}/reviews", n, nil)
	mina.do(200, "GET "+r+"/pulls/{number}/reviews/{review}", []any{1, id}, nil)
	mina.do(200, "PUT "+r+"/pulls/{number}/reviews/{review}", []any{1, id}, object{"body": "c"})
	mina.do(200, "PUT "+r+"/pulls/{number}/reviews/{review}/dismissals", []any{1, id}, object{"message": "m"})
	pending := at(mina.do(200, "POST "+r+"/pulls/{number}/reviews", n, object{"body": "b"}), "id")
	mina.do(200, "POST "+r+"/pulls/{number}/reviews/{review}/events", []any{1, pending}, object{"event": "COMMENT"})
	note := at(v.do(201, "POST "+r+"/pulls/{number}/comments", n, object{"path": "b", "line": 1, "body": "x", "commit_id": "x"}), "id")
	v.do(201, "POST "+r+"/pulls/{number}/comments/{id}/replies", []any{1, note}, object{"body": "y"})
	v.do(200, "GET "+r+"/pulls/{number}/comments", n, nil)
	v.do(200, "GET "+r+"/pulls/comments", nil, nil)
	v.do(200, "GET "+r+"/pulls/comments/{id}", []any{note}, nil)
	v.do(200, "PATCH "+r+"/pulls/comments/{id}", []any{note}, object{"body": "z"})
	tourReactions(v, r+"/pulls/comments/{id}", note)
	v.do(204, "DELETE "+r+"/pulls/comments/{id}", []any{note}, nil)
}

func tourReactions(v visitor, path string, id any) {
	reaction := at(v.do(201, "POST "+path+"/reactions", []any{id}, object{"content": "eyes"}), "id")
	v.do(200, "POST "+path+"/reactions", []any{id}, object{"content": "eyes"})
	v.do(200, "GET "+path+"/reactions", []any{id}, nil)
	v.do(204, "DELETE "+path+"/reactions/{reaction}", []any{id, reaction}, nil)
}

func tourIssue(v visitor) {
	n := []any{at(v.do(201, "POST "+r+"/issues", nil, object{"title": "t", "body": "b", "labels": []string{"bug"}}), "number")}
	v.do(200, "GET "+r+"/issues", nil, nil)
	v.do(200, "GET "+r+"/issues/{number}", n, nil)
	v.do(200, "GET "+r+"/issues/{number}", []any{1}, nil)
	v.do(200, "GET "+r+"/issues/{number}/labels", n, nil)
	v.do(200, "POST "+r+"/issues/{number}/labels", n, object{"labels": []string{"x"}})
	v.do(200, "DELETE "+r+"/issues/{number}/labels/{name}", append(slices.Clone(n), "x"), nil)
	v.do(204, "DELETE "+r+"/issues/{number}/labels", n, nil)
	id := at(v.do(201, "POST "+r+"/issues/{number}/comments", n, object{"body": "hello"}), "id")
	v.do(422, "POST "+r+"/issues/{number}/comments", n, object{"body": strings.Repeat("x", 65_537)})
	v.do(200, "GET "+r+"/issues/{number}/comments", n, nil)
	v.do(200, "GET "+r+"/issues/comments", nil, nil)
	v.do(200, "GET "+r+"/issues/comments/{id}", []any{id}, nil)
	v.do(200, "PATCH "+r+"/issues/comments/{id}", []any{id}, object{"body": "edited"})
	tourReactions(v, r+"/issues/comments/{id}", id)
	tourReactions(v, r+"/issues/{number}", n[0])
	v.do(200, "PATCH "+r+"/issues/{number}", n, object{"state": "closed", "state_reason": "completed", "title": "new"})
	v.do(200, "PATCH "+r+"/issues/{number}", n, object{"state": "open"})
	v.do(200, "GET "+r+"/issues/{number}/timeline", n, nil)
	v.do(204, "DELETE "+r+"/issues/comments/{id}", []any{id}, nil)
}

func tourChecks(v, bot visitor) {
	tip := []any{v.s.Tip("main")}
	id := at(bot.do(201, "POST "+r+"/check-runs", nil, object{"name": "verdict", "head_sha": tip[0], "status": "in_progress"}), "id")
	bot.do(200, "PATCH "+r+"/check-runs/{id}", []any{id}, object{"conclusion": "failure", "output": object{"title": "t", "summary": "s", "annotations": []object{
		{"path": "README.md", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m", "title": "t"},
	}}})
	bot.do(422, "POST "+r+"/check-runs", nil, object{"name": "x", "head_sha": strings.Repeat("0", 40)}, "application/json")
	v.do(200, "GET "+r+"/check-runs/{id}", []any{id}, nil)
	v.do(200, "GET "+r+"/check-runs/{id}/annotations", []any{id}, nil)
	v.do(200, "GET "+r+"/commits/{ref}/check-runs", tip, nil)
	suite := at(v.do(200, "GET "+r+"/commits/{ref}/check-suites", tip, nil), "check_suites.0.id")
	v.do(200, "GET "+r+"/check-suites/{id}", []any{suite}, nil)
	v.do(200, "GET "+r+"/check-suites/{id}/check-runs", []any{suite}, nil)
	v.do(201, "POST "+r+"/statuses/{sha}", tip, object{"state": "success", "context": "c", "description": "d", "target_url": "https://example.org/"})
	v.do(200, "GET "+r+"/commits/{ref}/statuses", tip, nil)
	v.do(200, "GET "+r+"/commits/{ref}/status", tip, nil)
}

func tourRuns(t *testing.T, v visitor) {
	v.do(200, "GET "+r+"/actions/workflows", nil, nil)
	w := []any{"test.yml"}
	v.do(200, "GET "+r+"/actions/workflows/{workflow}", w, nil)
	v.do(204, "PUT "+r+"/actions/workflows/{workflow}/disable", w, nil)
	v.do(204, "PUT "+r+"/actions/workflows/{workflow}/enable", w, nil)
	v.do(204, "POST "+r+"/actions/workflows/{workflow}/dispatches", w, object{"ref": "main"})
	run := []any{at(v.do(200, "POST "+r+"/actions/workflows/{workflow}/dispatches", w, object{"ref": "main", "return_run_details": true}), "workflow_run_id")}
	noError(t, v.s.Settle(t.Context()))
	v.do(200, "GET "+r+"/actions/workflows/{workflow}/runs", w, nil)
	v.do(200, "GET "+r+"/actions/runs", nil, nil)
	v.do(200, "GET "+r+"/actions/runs/{run}", run, nil)
	job := at(v.do(200, "GET "+r+"/actions/runs/{run}/jobs", run, nil), "jobs.0.id")
	v.do(200, "GET "+r+"/actions/jobs/{job}", []any{job}, nil)
	v.do(302, "GET "+r+"/actions/jobs/{job}/logs", []any{job}, nil)
	v.do(302, "GET "+r+"/actions/runs/{run}/logs", run, nil)
	first := []any{run[0], 1}
	v.do(200, "GET "+r+"/actions/runs/{run}/attempts/{attempt}", first, nil)
	v.do(200, "GET "+r+"/actions/runs/{run}/attempts/{attempt}/jobs", first, nil)
	v.do(302, "GET "+r+"/actions/runs/{run}/attempts/{attempt}/logs", first, nil)
	artifact := at(v.do(200, "GET "+r+"/actions/runs/{run}/artifacts", run, nil), "artifacts.0.id")
	v.do(200, "GET "+r+"/actions/artifacts", nil, nil)
	v.do(200, "GET "+r+"/actions/artifacts/{artifact}", []any{artifact}, nil)
	v.do(302, "GET "+r+"/actions/artifacts/{artifact}/{format}", []any{artifact, "zip"}, nil)
	noError(t, v.s.ExpireArtifact(artifact.(int64)))
	v.do(410, "GET "+r+"/actions/artifacts/{artifact}/{format}", []any{artifact, "zip"}, nil)
	v.do(204, "DELETE "+r+"/actions/artifacts/{artifact}", []any{artifact}, nil)
	v.do(409, "POST "+r+"/actions/runs/{run}/cancel", run, nil)
	v.do(409, "POST "+r+"/actions/runs/{run}/force-cancel", run, nil)
	v.do(201, "POST "+r+"/actions/runs/{run}/rerun-failed-jobs", run, nil)
	noError(t, v.s.Settle(t.Context()))
	v.do(201, "POST "+r+"/actions/runs/{run}/rerun", run, nil)
	noError(t, v.s.Settle(t.Context()))
	v.do(201, "POST "+r+"/actions/jobs/{job}/rerun", []any{job}, nil)
	noError(t, v.s.Settle(t.Context()))
	v.do(200, "GET "+r+"/actions/runs/{run}", run, nil)
	v.do(204, "DELETE "+r+"/actions/runs/{run}", run, nil)
}

func tourHooks(t *testing.T, admin, app visitor, in *inspector) {
	receiver := httptest.NewServer(in)
	t.Cleanup(receiver.Close)
	id := at(admin.do(201, "POST "+r+"/hooks", nil, object{"config": object{"url": receiver.URL, "secret": "s"}, "events": []string{"status"}}), "id")
	admin.do(200, "GET "+r+"/hooks", nil, nil)
	admin.do(200, "GET "+r+"/hooks/{hook}", []any{id}, nil)
	admin.do(204, "POST "+r+"/hooks/{hook}/pings", []any{id}, nil)
	noError(t, admin.s.Settle(t.Context()))
	delivery := at(admin.do(200, "GET "+r+"/hooks/{hook}/deliveries", []any{id}, nil), "0.id")
	admin.do(200, "GET "+r+"/hooks/{hook}/deliveries/{delivery}", []any{id, delivery}, nil)
	admin.do(202, "POST "+r+"/hooks/{hook}/deliveries/{delivery}/attempts", []any{id, delivery}, nil)
	admin.do(204, "DELETE "+r+"/hooks/{hook}", []any{id}, nil)
	app.do(200, "GET /app/hook/config", nil, nil)
	delivery = at(app.do(200, "GET /app/hook/deliveries", nil, nil), "0.id")
	app.do(200, "GET /app/hook/deliveries/{delivery}", []any{delivery}, nil)
	app.do(202, "POST /app/hook/deliveries/{delivery}/attempts", []any{delivery}, nil)
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
