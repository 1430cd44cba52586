package contract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/checks"
)

// wiretap is a transport that holds what passes through it against the
// description: requests and answers.
type wiretap struct {
	in   *inspector
	root string // of the API
}

// RoundTrip sends a request on.
func (w wiretap) RoundTrip(req *http.Request) (*http.Response, error) {
	path, isAPI := strings.CutPrefix(req.URL.EscapedPath(), w.root)
	if !isAPI {
		return http.DefaultTransport.RoundTrip(req) // storage
	}
	var sent []byte
	if req.Body != nil {
		var err error
		if sent, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	r := w.in.find(req.Method, path)
	if r.operation == nil {
		return nil, fmt.Errorf("%s %s is not in GitHub's description", req.Method, path)
	}
	w.in.request(r, req, sent)
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(bytes.NewReader(sent))
	resp, err := http.DefaultTransport.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && resp.StatusCode != http.StatusNotModified {
		w.in.answer(req.Method+" "+r.name, req, resp.StatusCode, resp.Header, data)
	}
	return resp, nil
}

// client is the client as the App of a sandbox, under a wiretap.
func client(t *testing.T, in *inspector, s *sandbox.Server) *ghapi.Client {
	t.Helper()
	key, err := s.AppKey()
	noError(t, err)
	id, installation := s.AppID()
	c, err := ghapi.New(t.Context(), ghapi.Options{
		App:     &ghapi.App{ID: id, PrivateKey: key, InstallationID: installation},
		BaseURL: s.URL() + "/api/v3", Transport: wiretap{in, "/api/v3"},
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, // the sandbox needs no sparing
	})
	noError(t, err)
	return c
}

// calls are steps of the client's tour, with the methods that they stand for.
type calls struct {
	t    *testing.T
	made map[string]bool
}

// did notes that a method was called, and fails when it failed.
func (c calls) did(method string, err error) {
	c.t.Helper()
	c.made[method] = true
	if err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
}

// TestClient calls every method of the client. Its requests fit GitHub's
// description, and so do the answers that it gets.
func TestClient(t *testing.T) {
	in := newInspector(t)
	s := start(t, in)
	top := client(t, in, s)
	owner, name, _ := strings.Cut(s.Repository(), "/")
	gh := top.Repository(owner, name)
	c := calls{t, make(map[string]bool)}

	number := clientPull(t, c, s, gh)
	clientComments(t.Context(), c, gh, number)
	clientChecks(t.Context(), c, gh, s.Tip("feat"))
	clientRuns(t, c, s, gh)
	clientReviews(t, c, s, gh, number)
	clientBeyond(t, c, s, top, number)
	clientApp(t, c, s, top)

	var want []string
	for _, room := range []reflect.Type{
		reflect.TypeFor[bot.GitHub](), reflect.TypeFor[bot.Reviews](), reflect.TypeFor[bot.Pushes](), reflect.TypeFor[bot.Beyond](), reflect.TypeFor[jobLogs](), reflect.TypeFor[ghapi.Deliveries](), reflect.TypeFor[*ghapi.Client](),
	} {
		for i := range room.NumMethod() {
			want = append(want, room.Method(i).Name)
		}
	}
	silent := []string{"Beyond", "Deliveries", "Image", "Page", "Quota", "Repository", "Stats"} // they send nothing
	want = slices.DeleteFunc(want, func(name string) bool { return slices.Contains(silent, name) })
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(c.made))); diff != "" {
		t.Errorf("methods that must be called and are (-want +got):\n%s", diff)
	}
	t.Logf("%d methods, %d operations: %s", len(c.made), len(in.seen), strings.Join(slices.Sorted(maps.Keys(in.seen)), ", "))
}

func clientPull(t *testing.T, c calls, s *sandbox.Server, gh bot.GitHub) int {
	ctx := t.Context()
	files := map[string]string{"large": strings.Repeat("x", 1<<20+1)}
	for i := range 301 {
		files[fmt.Sprintf("many/%03d", i)] = "x"
	}
	number, err := s.As("walt-write").OpenPR(ctx, sandbox.PullSpec{Title: "Feat", Branch: "feat", Edit: sandbox.Edit{Message: "m", Files: files}})
	noError(t, err)
	noError(t, s.As("walt-write").AddLabel(ctx, number, "bug"))
	pr, err := gh.PullRequest(ctx, number)
	c.did("PullRequest", err)
	found, err := gh.PullRequestsFor(ctx, pr.HeadRepo, pr.HeadBranch, pr.HeadSHA)
	c.did("PullRequestsFor", err)
	commits, err := gh.PullRequestCommits(ctx, number)
	c.did("PullRequestCommits", err)
	events, err := gh.LabelEvents(ctx, number)
	c.did("LabelEvents", err)
	message, err := gh.CommitMessage(ctx, pr.HeadSHA)
	c.did("CommitMessage", err)
	if len(found) != 1 || len(commits) != 1 || len(events) != 1 || message != "m" {
		t.Errorf("%d pull requests, %d commits, %d label events, message %q", len(found), len(commits), len(events), message)
	}
	for _, path := range []string{"README.md", "large"} { // the second comes as a blob
		_, err = gh.ReadFile(ctx, pr.HeadSHA, path)
		c.did("ReadFile", err)
	}
	changed, complete, err := gh.ChangedFiles(ctx, pr.BaseSHA, pr.HeadSHA) // compared by trees
	c.did("ChangedFiles", err)
	if len(changed) != 302 || !complete {
		t.Errorf("%d changed files, complete %v", len(changed), complete)
	}
	for login, want := range map[string]string{"walt-write": "write", "tess-triage": "triage", "otto-outside": "read"} {
		got, err := gh.Permission(ctx, login)
		c.did("Permission", err)
		if got != want {
			t.Errorf("%s has %q, want %q", login, got, want)
		}
	}
	return number
}

func clientComments(ctx context.Context, c calls, gh bot.GitHub, number int) {
	made, err := gh.CreateComment(ctx, number, "hello")
	c.did("CreateComment", err)
	_, err = gh.Comments(ctx, number)
	c.did("Comments", err)
	_, err = gh.Comment(ctx, made.ID)
	c.did("Comment", err)
	c.did("UpdateComment", gh.UpdateComment(ctx, made.ID, "hello again"))
	c.did("React", gh.React(ctx, made.ID, "rocket"))
	c.did("DeleteComment", gh.DeleteComment(ctx, made.ID))
}

func clientChecks(ctx context.Context, c calls, gh bot.GitHub, sha string) {
	run, err := gh.CreateCheckRun(ctx, bot.CheckRun{Name: "verdict", HeadSHA: sha, ExternalID: "x", Status: "in_progress", Title: "t", Summary: "s"})
	c.did("CreateCheckRun", err)
	run.Status, run.Conclusion, run.Text, run.DetailsURL = "completed", "failure", "text", "https://example.org/"
	for i := range 60 { // two requests
		run.Annotations = append(run.Annotations, bot.CheckAnnotation{Path: "README.md", StartLine: 1, EndLine: 1, Level: "failure", Title: "t", Message: fmt.Sprint(i)})
	}
	c.did("UpdateCheckRun", gh.UpdateCheckRun(ctx, run))
	_, err = gh.CheckRuns(ctx, sha, "verdict")
	c.did("CheckRuns", err)
	c.did("SetStatus", gh.SetStatus(ctx, sha, bot.Status{Context: "c", State: "success", Description: "d", TargetURL: "https://example.org/"}))
	_, err = gh.Statuses(ctx, sha)
	c.did("Statuses", err)
}

// jobLogs is what collecting wants beside a bot.GitHub.
type jobLogs interface {
	JobLog(ctx context.Context, job int64) (io.ReadCloser, error)
}

func clientRuns(t *testing.T, c calls, s *sandbox.Server, gh bot.GitHub) {
	ctx := t.Context()
	id, err := gh.Dispatch(ctx, "test.yml", "main", map[string]string{})
	c.did("Dispatch", err)
	noError(t, s.Settle(ctx))
	runs, err := gh.WorkflowRuns(ctx, "test.yml", bot.RunFilter{Branch: "main", Event: "workflow_dispatch", HeadSHA: s.Tip("main"), Status: "completed", Since: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	c.did("WorkflowRuns", err)
	run, err := gh.WorkflowRun(ctx, id)
	c.did("WorkflowRun", err)
	if len(runs) != 1 || runs[0].ID != id || run.Conclusion != "failure" {
		t.Errorf("run %d is %+v in %d runs", id, run, len(runs))
	}
	for attempt := range 2 {
		_, err = gh.Jobs(ctx, id, attempt)
		c.did("Jobs", err)
	}
	artifacts, err := gh.Artifacts(ctx, id)
	c.did("Artifacts", err)
	archive, err := gh.OpenArtifact(ctx, artifacts[0].ID)
	c.did("OpenArtifact", err)
	_, err = io.Copy(io.Discard, archive)
	noError(t, errors.Join(err, archive.Close()))
	jobs, err := gh.Jobs(ctx, id, 0)
	noError(t, err)
	log, err := gh.(jobLogs).JobLog(ctx, jobs[0].ID)
	c.did("JobLog", err)
	_, err = io.Copy(io.Discard, log)
	noError(t, errors.Join(err, log.Close()))
	c.did("RerunFailed", gh.RerunFailed(ctx, id))
	noError(t, s.Settle(ctx))
	if err = gh.CancelRun(ctx, id); !errors.Is(err, bot.ErrConflict) {
		t.Errorf("a finished run cannot be cancelled, and the client says: %v", err)
	}
	c.did("CancelRun", nil)
}

func clientReviews(t *testing.T, c calls, s *sandbox.Server, gh bot.GitHub, number int) {
	ctx := t.Context()
	reviews := gh.(bot.Reviews)
	id, err := s.As("mina-maintain").Review(ctx, number, "COMMENT", "looked at")
	noError(t, err)
	said, err := reviews.Review(ctx, number, id)
	c.did("Review", err)
	line, err := s.As("mina-maintain").CommentOnLine(ctx, number, "many/001", 1, "why")
	noError(t, err)
	inline, err := reviews.ReviewComment(ctx, number, line)
	c.did("ReviewComment", err)
	if said.Body != "looked at" || inline.Body != "why" {
		t.Errorf("a review says %q, its line %q", said.Body, inline.Body)
	}
	noError(t, s.As("mina-maintain").EditReview(ctx, number, id, "looked at again"))
	noError(t, s.As("mina-maintain").EditLineComment(ctx, number, line, "why not"))
	before := s.Tip("feat")
	after, err := s.As("mina-maintain").PushBranch(ctx, "feat", sandbox.Edit{Files: map[string]string{"pushed": "x"}})
	noError(t, err)
	push, who, err := gh.(bot.Pushes).LastPush(ctx, s.Repository(), "feat")
	c.did("LastPush", err)
	if push.Before != before || push.After != after || who.Login != "mina-maintain" {
		t.Errorf("%s pushed %+v", who.Login, push)
	}
	all, err := reviews.ReviewSummaries(ctx, number)
	c.did("ReviewSummaries", err)
	lines, err := reviews.ReviewComments(ctx, number)
	c.did("ReviewComments", err)
	if len(all) == 0 || all[0].Body != "looked at again" || all[0].ID != id || len(lines) == 0 || lines[0].Body != "why not" {
		t.Errorf("reviews %+v, lines %+v", all, lines)
	}
}

// clientBeyond asks about a member, and about somebody else in a team that the
// sandbox does not show. A pull request that is not on github.com is not read.
func clientBeyond(t *testing.T, c calls, s *sandbox.Server, top *ghapi.Client, number int) {
	ctx := t.Context()
	org, _, _ := strings.Cut(s.Repository(), "/")
	for login, want := range map[string]checks.Membership{"ada-admin": checks.Member, "walt-write": checks.Unreadable} {
		got, err := top.Beyond(login).Team(ctx, org, "core")
		c.did("Team", err)
		if got != want {
			t.Errorf("%s is %s, want %s", login, got, want)
		}
	}
	if _, err := top.Beyond("walt-write").UpstreamPull(ctx, s.Repository(), number); !errors.Is(err, checks.ErrUnreadable) {
		t.Errorf("a pull request of another GitHub: %v", err)
	}
	c.did("UpstreamPull", nil)
}

func clientApp(t *testing.T, c calls, s *sandbox.Server, top *ghapi.Client) {
	ctx := t.Context()
	_, installation := s.AppID()
	_, err := top.Account(ctx)
	c.did("Account", err)
	_, err = top.ForInstallation(installation)
	c.did("ForInstallation", err)
	_, err = top.ForRepository(ctx, s.Repository())
	c.did("ForRepository", err)
	_, err = top.GitToken(ctx)
	c.did("GitToken", err)
	log, err := top.Deliveries()
	noError(t, err)
	list, err := log.Since(ctx, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	c.did("Since", err)
	c.did("Redeliver", log.Redeliver(ctx, list[0].ID))
}
