package sandbox

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recorder is an engine that keeps what it is given and does as told.
type recorder struct {
	mu   sync.Mutex
	reqs []RunRequest
	run  func(ctx context.Context, req RunRequest)
}

func (r *recorder) Start(ctx context.Context, req RunRequest) {
	r.mu.Lock()
	r.reqs = append(r.reqs, req)
	r.mu.Unlock()
	if r.run != nil {
		r.run(ctx, req)
	}
}

func (r *recorder) requests() []RunRequest {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reqs)
}

// green runs one job that succeeds.
func green(_ context.Context, req RunRequest) {
	req.Handle.StartJob(JobSpec{Name: "all"}).Finish("success")
}

func TestSourceOfWorkflowFile(t *testing.T) {
	t.Parallel()
	rec := &recorder{run: green}
	s := start(t, Options{Engine: rec, Secrets: map[string]string{"HF_TOKEN": "made-up"}})
	ctx := t.Context()
	n := openPR(t, s, "walt-write", "feat", false)
	sha := must(s.As("walt-write").Push(ctx, n, Edit{Files: map[string]string{
		".github/workflows/run-sweep.yml": sweep + "# changed by the pull request\n",
		".github/workflows/use.yml":       onCommentFile + "# changed too\n",
	}}))(t)
	must(s.As("remy-read").Comment(ctx, n, "/use 1"))(t)
	must(s.As("walt-write").Dispatch(ctx, "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	settle(t, s)

	p, _ := s.Pull(n)
	want := map[string]struct{ workflow, sha, ref string }{
		"pull_request":      {p.MergeSHA, p.MergeSHA, "refs/pull/1/merge"},
		"issue_comment":     {s.Tip("main"), s.Tip("main"), "refs/heads/main"},
		"workflow_dispatch": {s.Tip("main"), s.Tip("main"), "refs/heads/main"},
	}
	for _, req := range rec.requests() {
		w := want[req.Event]
		if req.WorkflowSHA != w.workflow || req.SHA != w.sha || req.Ref != w.ref {
			t.Errorf("%s runs %s at %s %s", req.Event, req.WorkflowSHA, req.SHA, req.Ref)
		}
		if req.Secrets["HF_TOKEN"] != "made-up" {
			t.Errorf("%s has secrets %v", req.Event, req.Secrets)
		}
		delete(want, req.Event)
	}
	if len(want) > 0 {
		t.Errorf("not started: %v", want)
	}
	if r := s.Runs()[0]; r.HeadSHA != sha || r.Conclusion != "success" {
		t.Errorf("the run of the push: %+v", r)
	}
}

func TestForkGetsReadOnlyTokenAndNoSecrets(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	done := make(chan struct{})
	rec.run = func(context.Context, RunRequest) { <-done }
	s := start(t, Options{Engine: rec, Secrets: map[string]string{"HF_TOKEN": "made-up"}, Seed: overlay(map[string]string{
		".github/workflows/run-sweep.yml": strings.Replace(sweep, "contents: read", "write-all", 1),
		".github/workflows/target.yml":    "name: Target\non:\n  pull_request_target:\n    types: [labeled]\npermissions:\n  pull-requests: write\n",
	})})
	n := openPR(t, s, "otto-outside", "feat", true)
	ok(t, s.As("tess-triage").AddLabel(t.Context(), n, "full-sweep-enabled"))
	for len(rec.requests()) < 2 {
		runtime.Gosched()
	}
	for _, req := range rec.requests() {
		a := api{t, s, req.Token}
		post := func() reply { return a.do("POST", "issues/1/comments", words{"hello"}) }
		switch req.Event {
		case "pull_request":
			if req.Secrets != nil {
				t.Errorf("the fork's run has secrets %v", req.Secrets)
			}
			post().is(403).has("message", "Resource not accessible by integration")
			a.get("pulls/1").is(200)
		case "pull_request_target":
			if req.Secrets == nil || req.WorkflowSHA != s.Tip("main") {
				t.Errorf("pull_request_target: %+v", req)
			}
			post().is(201).has("user.login", "github-actions[bot]")
			a.get("contents/README.md").is(403)
		}
	}
	close(done)
	settle(t, s)
	for _, req := range rec.requests() {
		api{t, s, req.Token}.get("pulls/1").is(401) // the token ends with the run
	}
}

// overlay is the sample with some files replaced.
func overlay(files map[string]string) sampleFS {
	fsys := sample()
	for name, text := range files {
		f := *fsys[".github/workflows/run-sweep.yml"]
		f.Data = []byte(text)
		fsys[name] = &f
	}
	return fsys
}

func TestRecursionGuard(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	rec.run = func(ctx context.Context, req RunRequest) {
		if req.Event == "issue_comment" {
			a := api{t, serverOf(req), req.Token}
			a.do("POST", "issues/1/comments", words{"from the workflow"}).is(201)
			a.do("POST", "issues/1/labels", []string{"full-sweep-enabled"}).is(200)
			a.do("POST", "actions/workflows/e2e-tests.yml/dispatches", doc{"ref": "main", "inputs": doc{"test-name": "x"}}).is(403)
		}
		green(ctx, req)
	}
	hook := newReceiver(t)
	s := start(t, Options{Engine: rec, Hooks: []Hook{{URL: hook.url, Secret: "s"}}})
	n := openPR(t, s, "walt-write", "feat", false)
	must(s.As("walt-write").Comment(t.Context(), n, "go"))(t)
	settle(t, s)
	var events []string
	for _, r := range s.Runs() {
		events = append(events, r.Event)
	}
	if !slices.Equal(events, []string{"issue_comment"}) {
		t.Errorf("F05: runs %v", events)
	}
	if got := hook.count("issue_comment"); got != 2 {
		t.Errorf("webhooks of comments: %d, want 2", got)
	}
	ok(t, s.As("tess-triage").RemoveLabel(t.Context(), n, "full-sweep-enabled"))
	if got := s.Runs(); len(got) != 2 || got[1].Event != "pull_request" {
		t.Errorf("the same by a person starts a run: %+v", got)
	}
}

// serverOf is the sandbox behind a request.
func serverOf(req RunRequest) *Server { return req.Handle.s }

func TestDispatchByWorkflowTokenStarts(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	rec.run = func(ctx context.Context, req RunRequest) {
		if req.Event == "issue_comment" {
			a := api{t, serverOf(req), req.Token}
			a.do("POST", "actions/workflows/e2e-tests.yml/dispatches", doc{"ref": "main", "inputs": doc{"test-name": "x"}}).is(204)
			a.do("POST", "dispatches", doc{"event_type": "go", "client_payload": doc{"a": 1}}).is(403)
		}
		green(ctx, req)
	}
	s := start(t, Options{Engine: rec, Seed: overlay(map[string]string{
		".github/workflows/use.yml": strings.Replace(onCommentFile, "actions: read", "actions: write", 1),
	})})
	n := openPR(t, s, "walt-write", "feat", false)
	must(s.As("walt-write").Comment(t.Context(), n, "go"))(t)
	settle(t, s)
	if got := s.Runs(); len(got) != 2 || got[1].Event != "workflow_dispatch" {
		t.Errorf("runs: %+v", got)
	}
}

// The rows of spec/labels-and-sweeps.md 3.2 that say whether a run is created.
func TestWhichEventsStartTheSweep(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ctx, walt, tess := t.Context(), s.As("walt-write"), s.As("tess-triage")
	n := openPR(t, s, "walt-write", "feat", false)
	starts := func(rule string, want int, err error) {
		t.Helper()
		ok(t, err)
		got := 0
		for _, r := range s.Runs() {
			if r.Path == ".github/workflows/run-sweep.yml" {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d runs, want %d", rule, got, want)
		}
	}
	starts("N27 opened", 0, nil)
	_, err := walt.Push(ctx, n, Edit{Files: map[string]string{"x": "1"}})
	starts("N1 synchronize that does not touch the changelog itself", 1, err)
	starts("N21 unrelated label", 2, tess.AddLabel(ctx, n, "docs"))
	starts("N19 unlabeled", 3, tess.RemoveLabel(ctx, n, "docs"))
	starts("N27 edited", 3, walt.EditPR(ctx, n, "New title", ""))
	starts("N27 closed", 3, walt.Close(ctx, n))
	starts("N27 reopened", 3, walt.Reopen(ctx, n))
	starts("N27 draft", 3, walt.MarkDraft(ctx, n))
	starts("N27 ready_for_review", 3, walt.MarkReady(ctx, n))
	_, err = walt.Push(ctx, n, Edit{Message: "x [skip ci]", Files: map[string]string{"x": "2"}})
	starts("a commit that asks for no run", 3, err)

	other := must(walt.OpenPR(ctx, PullSpec{Title: "Docs", Branch: "docs", Edit: Edit{Files: map[string]string{"d": "d"}}}))(t)
	starts("N25 changelog not in the diff", 3, tess.AddLabel(ctx, other, "full-sweep-enabled"))
	_, err = walt.PushBranch(ctx, "release", Edit{Files: map[string]string{"r": "r"}})
	ok(t, err)
	ok(t, walt.Retarget(ctx, n, "release"))
	starts("N24 base is not main", 3, tess.AddLabel(ctx, n, "full-sweep-enabled"))
}

func TestConcurrencyGroups(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	begin := func(label string) *RunHandle {
		ok(t, s.As("tess-triage").AddLabel(t.Context(), n, label))
		runs := s.Runs()
		h, _ := s.Run(runs[len(runs)-1].ID)
		return h
	}
	state := func(h *RunHandle) string {
		for _, r := range s.Runs() {
			if r.ID == h.ID() {
				return stateWord(r.Status, r.Conclusion)
			}
		}
		return ""
	}
	one := begin("a")
	ok(t, one.JoinGroup(t.Context(), Group{Name: "sweep-1-active", CancelInProgress: true}))
	one.StartJob(JobSpec{Name: "setup"})
	other := begin("b")
	ok(t, other.JoinGroup(t.Context(), Group{Name: "sweep-1-77", CancelInProgress: true}))
	if state(one) != "in_progress" {
		t.Errorf("F01: a run of another group made the first %s", state(one))
	}
	two := begin("c")
	ok(t, two.JoinGroup(t.Context(), Group{Name: "SWEEP-1-active", CancelInProgress: true}))
	if state(one) != "cancelled" || state(two) != "queued" {
		t.Errorf("the newest does not win: %s, %s", state(one), state(two))
	}

	waiting := make(chan error, 2)
	ctx, cancel := context.WithCancelCause(t.Context())
	three, four := begin("d"), begin("e")
	go func() { waiting <- three.JoinGroup(ctx, Group{Name: "sweep-1-active"}) }()
	for state(three) != "pending" {
		runtime.Gosched()
	}
	go func() { waiting <- four.JoinGroup(t.Context(), Group{Name: "sweep-1-active"}) }()
	for state(three) != "cancelled" {
		runtime.Gosched()
	}
	cancel(errCancelled)
	if err := <-waiting; !errors.Is(err, errCancelled) {
		t.Errorf("the older that waited got %v", err)
	}
	two.StartJob(JobSpec{Name: "x"}).Finish("success")
	two.Finish()
	ok(t, <-waiting)
	if state(two) != "success" || state(four) != "queued" {
		t.Errorf("after the end of the holder: %s, %s", state(two), state(four))
	}
}

func TestQueueMaxKeepsAll(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	var handles []*RunHandle
	got := make(chan int64, 3)
	for i, label := range []string{"a", "b", "c"} {
		ok(t, s.As("tess-triage").AddLabel(t.Context(), n, label))
		h, _ := s.Run(s.Runs()[i].ID)
		handles = append(handles, h)
		go func() {
			if h.JoinGroup(t.Context(), Group{Name: "verdict-1", QueueMax: true}) == nil {
				got <- h.ID()
			}
		}()
		for {
			s.mu.Lock()
			g := s.group(s.main, "verdict-1")
			count := len(g.waiting)
			held := g.holder != nil
			s.mu.Unlock()
			if held && count == i {
				break
			}
		}
	}
	for _, h := range handles {
		if id := <-got; id != h.ID() {
			t.Errorf("order: %d before %d", id, h.ID())
		}
		h.Finish()
	}
}

func TestCancelReachesTheEngine(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	rec := &recorder{run: func(ctx context.Context, req RunRequest) {
		j := req.Handle.StartJob(JobSpec{Name: "long"})
		req.Handle.StartJob(JobSpec{Name: "done"}).Finish("success")
		close(started)
		<-ctx.Done()
		if !errors.Is(context.Cause(ctx), errCancelled) {
			j.Finish("failure")
		}
	}}
	s := start(t, Options{Engine: rec})
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	<-started
	if err := s.As("remy-read").Cancel(t.Context(), id); err == nil {
		t.Error("a reader may cancel")
	}
	ok(t, s.As("walt-write").Cancel(t.Context(), id))
	settle(t, s)
	r := s.Runs()[0]
	if r.Conclusion != "cancelled" || !slices.Equal(r.Jobs, []JobResult{{"long", "cancelled"}, {"done", "success"}}) {
		t.Errorf("after the cancel: %+v", r)
	}
	var refused *APIError
	if err := s.As("walt-write").Cancel(t.Context(), id); !errors.As(err, &refused) || refused.Status != 409 {
		t.Errorf("cancelling again: %v", err)
	}
}

func TestRerunFailedJobs(t *testing.T) {
	t.Parallel()
	rec := &recorder{run: func(_ context.Context, req RunRequest) {
		for _, name := range []string{"good", "bad"} {
			if req.Only != nil && !slices.Contains(req.Only, name) {
				continue
			}
			conclusion := "success"
			if name == "bad" && req.Attempt == 1 {
				conclusion = "failure"
			}
			req.Handle.StartJob(JobSpec{Name: name}).Finish(conclusion)
		}
	}}
	s := start(t, Options{Engine: rec})
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	settle(t, s)
	ok(t, s.As("mina-maintain").Rerun(t.Context(), id, true))
	settle(t, s)
	req := rec.requests()[1]
	if !slices.Equal(req.Only, []string{"bad"}) || !slices.Equal(req.Kept, []JobResult{{"good", "success"}}) || req.TriggeringActor != "mina-maintain" || req.Actor != "walt-write" {
		t.Errorf("the second attempt: %+v", req)
	}
	a, run := as(t, s, "walt-write"), "actions/runs/"+itoa(id)
	a.get(run).is(200).has("run_attempt", 2, "conclusion", "success", "triggering_actor.login", "mina-maintain")
	a.get(run+"/attempts/1").is(200).has("run_attempt", 1, "conclusion", "failure")
	if got := a.get(run+"/jobs").texts("jobs", "name"); !slices.Equal(got, []string{"good", "bad"}) {
		t.Errorf("latest jobs: %v", got)
	}
	a.get(run+"/jobs?filter=all").has("total_count", 4)
	a.get(run+"/attempts/1/jobs").has("total_count", 2)
	if err := s.As("walt-write").Rerun(t.Context(), id, true); err == nil {
		t.Error("nothing failed, and yet it is run again")
	}
}

func TestRerunLimit(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Engine: &recorder{run: green}})
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	settle(t, s)
	for range maxReruns {
		ok(t, s.As("walt-write").Rerun(t.Context(), id, false))
		settle(t, s)
	}
	if err := s.As("walt-write").Rerun(t.Context(), id, false); err == nil || !strings.Contains(err.Error(), "50 times") {
		t.Errorf("the 51st re-run: %v", err)
	}
}

func TestWorkflowRunFollowsAndStops(t *testing.T) {
	t.Parallel()
	rec := &recorder{run: green}
	s := start(t, Options{Engine: rec, Seed: overlay(map[string]string{
		".github/workflows/after.yml": "name: After\non:\n  workflow_run:\n    workflows: [e2e Test, After]\n    types: [completed]\n",
	})})
	must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	settle(t, s)
	var got []string
	for _, r := range s.Runs() {
		got = append(got, r.Event)
	}
	if want := "workflow_dispatch workflow_run workflow_run workflow_run"; strings.Join(got, " ") != want {
		t.Errorf("runs %v, want %s", got, want)
	}
}

func TestDispatchInputs(t *testing.T) {
	t.Parallel()
	rec := &recorder{run: green}
	s := start(t, Options{Engine: rec})
	a := as(t, s, "walt-write")
	post := func(body doc) reply { return a.do("POST", "actions/workflows/e2e-tests.yml/dispatches", body) }
	for name, body := range map[string]doc{
		"Unexpected inputs provided": {"ref": "main", "inputs": doc{"test-name": "x", "nope": "1"}},
		"Required input 'test-name'": {"ref": "main"},
		"No ref found for: gone":     {"ref": "gone", "inputs": doc{"test-name": "x"}},
		"Provided value 'c'":         {"ref": "main", "inputs": doc{"test-name": "x", "kind": "c"}},
	} {
		if message := post(body).is(422).at("message").(string); !strings.HasPrefix(message, name) {
			t.Errorf("%s, want %s", message, name)
		}
	}
	a.do("POST", "actions/workflows/run-sweep.yml/dispatches", doc{"ref": "main"}).is(422)
	a.do("POST", "actions/workflows/none.yml/dispatches", doc{"ref": "main"}).is(404)
	as(t, s, "remy-read").do("POST", "actions/workflows/e2e-tests.yml/dispatches", doc{"ref": "main", "inputs": doc{"test-name": "x"}}).is(403)
	post(doc{"ref": "main", "inputs": doc{"test-name": "x", "trim-conc": true}}).is(204)
	details := post(doc{"ref": "refs/heads/main", "inputs": doc{"test-name": "y"}, "return_run_details": true}).is(200)
	settle(t, s)
	a.get("actions/runs/"+itoa(int64(details.at("workflow_run_id").(float64)))).is(200).has("event", "workflow_dispatch")
	byName := make(map[string]map[string]string)
	for _, req := range rec.requests() {
		byName[req.Inputs["test-name"]] = req.Inputs
	}
	if x, y := byName["x"], byName["y"]; x["trim-conc"] != "true" || y["trim-conc"] != "false" || y["kind"] != "a" {
		t.Errorf("inputs: %v, %v", x, y)
	}
}

func TestScheduleAndRepositoryDispatch(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Seed: overlay(map[string]string{
		".github/workflows/night.yml": "name: Night\non:\n  schedule:\n    - cron: '0 3 * * *'\n",
	})})
	if got := s.Schedule("0 4 * * *"); len(got) != 0 {
		t.Errorf("started %v", got)
	}
	if got := s.Schedule("0 3 * * *"); len(got) != 1 {
		t.Errorf("started %v", got)
	}
	a := as(t, s, "walt-write")
	a.do("POST", "dispatches", doc{"event_type": "other"}).is(204)
	a.do("POST", "dispatches", doc{"event_type": "go", "client_payload": doc{"pr": 1}}).is(204)
	a.do("POST", "dispatches", doc{}).is(422)
	runs := s.Runs()
	if len(runs) != 2 || runs[1].Event != "repository_dispatch" {
		t.Errorf("runs: %+v", runs)
	}
}

func TestBrokenWorkflowFails(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	must(s.As("walt-write").PushBranch(t.Context(), "x", Edit{Files: map[string]string{".github/workflows/bad.yml": "on: [push\n"}}))(t)
	runs := s.Runs()
	if len(runs) != 1 || runs[0].Conclusion != "startup_failure" || !strings.Contains(runs[0].Title, "bad.yml") {
		t.Errorf("runs: %+v", runs)
	}
}

func TestRunConclusions(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{
		"success": {"success", "skipped", "neutral"}, "failure": {"success", "failure", "cancelled"},
		"cancelled": {"success", "cancelled"}, "skipped": {"skipped", "skipped"}, "startup_failure": nil,
	}
	for want, jobs := range cases {
		s := start(t, Options{Engine: EngineFunc(func(_ context.Context, req RunRequest) {
			for _, c := range jobs {
				req.Handle.StartJob(JobSpec{Name: c}).Finish(c)
			}
			if jobs != nil {
				req.Handle.StartJob(JobSpec{Name: "tolerated", ContinueOnError: true}).Finish(map[bool]string{true: "skipped", false: "failure"}[want == "skipped"])
			}
		})})
		must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
		settle(t, s)
		if got := s.Runs()[0].Conclusion; got != want {
			t.Errorf("%v make %s, want %s", jobs, got, want)
		}
	}
}

func TestGlobs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"main", "main", true}, {"main", "mainly", false}, {"releases/**", "releases/1/x", true}, {"feature/*", "feature/a/b", false},
		{"**.md", "docs/a.md", true}, {"**/docs/**", "docs/a.md", true}, {"*.js", "a/b.js", false}, {"v[12].[0-9]+", "v1.10", true},
		{"configs/*-master.yaml", "configs/amd-master.yaml", true}, {"a.b", "axb", false}, {"?", "?", true}, {"[", "[", true},
	} {
		if got := glob(c.pattern).MatchString(c.name); got != c.want {
			t.Errorf("%s on %s: %v", c.pattern, c.name, got)
		}
	}
	if !matchesAny([]string{"docs/**", "!docs/private/**"}, "docs/a") || matchesAny([]string{"docs/**", "!docs/private/**"}, "docs/private/a") {
		t.Error("negated patterns")
	}
}

func FuzzWorkflowFile(f *testing.F) {
	for _, text := range []string{sweep, onCommentFile, manual, "on: push", "on: [push, x]\npermissions: read-all", "on:\n  schedule: [{cron: x}]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := parseWorkflow(".github/workflows/x.yml", data)
		for event, trigger := range w.on {
			trigger.matches(occasion{event: event, action: "opened", src: source{branch: "main"}})
		}
	})
}
