package sandbox

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

type ctx = context.Context

// archive packs one file.
func archive(t testing.TB, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f := must(z.Create(name))(t)
	must(f.Write([]byte(text)))(t)
	ok(t, z.Close())
	return b.Bytes()
}

// finished starts a run by hand, with two jobs, logs and an artifact.
func finished(t testing.TB, s *Server) int64 {
	t.Helper()
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	h, _ := s.Run(id)
	h.SetTitle("e2e Test - x")
	j := h.StartJob(JobSpec{Name: "single-node 1k1k / p1.0 | dsr1 c4", Labels: []string{"self-hosted", "h200"}, Runner: "h200_01"})
	j.StartStep("Launch")
	j.Log("hello\nworld %d", 1)
	j.FinishStep("success")
	j.StartStep("Check")
	j.Log("checked")
	ok(t, j.Summary("## Done\n"))
	j.Annotate("warning", "README.md", 1, "look here")
	j.Finish("success")
	j = h.StartJob(JobSpec{Name: "second"})
	j.StartStep("Fail")
	j.Log("no luck")
	j.Finish("failure")
	must(h.UploadArtifact("results_bmk", bytes.NewReader(archive(t, "agg_bmk.json", "[]"))))(t)
	h.Finish()
	return id
}

// follow goes to where an answer redirects, without a token, as GitHub's
// storage wants it.
func (r reply) follow() []byte {
	r.t.Helper()
	resp, err := http.Get(r.is(302).header.Get("Location"))
	ok(r.t, err)
	defer resp.Body.Close()
	return must(io.ReadAll(resp.Body))(r.t)
}

func unzip(t testing.TB, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	ok(t, err)
	files := make(map[string]string)
	for _, f := range z.File {
		r := must(f.Open())(t)
		files[f.Name] = string(must(io.ReadAll(r))(t))
	}
	return files
}

func TestRunsJobsAndLogs(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	s.SetNextRunID(40578080205)
	id := finished(t, s)
	if id != 40578080205 {
		t.Errorf("run id %d", id)
	}
	a := as(t, s, "walt-write")
	run := "actions/runs/" + itoa(id)
	a.get(run).is(200).has("display_title", "e2e Test - x", "conclusion", "failure", "path", ".github/workflows/e2e-tests.yml", "run_number", 1, "event", "workflow_dispatch", "head_branch", "main")
	jobs := a.get(run+"/jobs").is(200).has("total_count", 2, "jobs.0.runner_name", "h200_01", "jobs.0.labels.1", "h200", "jobs.0.steps.1.name", "Check", "jobs.0.steps.1.conclusion", "success")
	job := itoa(int64(jobs.at("jobs.0.id").(float64)))
	a.get("actions/jobs/"+job).is(200).has("run_id", id)
	a.get("check-runs/"+job).is(200).has("app.slug", "github-actions", "output.annotations_count", 1)
	if log := string(a.get("actions/jobs/" + job + "/logs").follow()); !strings.HasSuffix(log, " checked\n") || !strings.Contains(log, "Z world 1\n") {
		t.Errorf("log: %q", log)
	}
	files := unzip(t, a.get(run+"/logs").follow())
	if log := files["single-node 1k1k  p1.0  dsr1 c4/1_Launch.txt"]; !strings.Contains(log, "hello") || strings.Contains(log, "checked") {
		t.Errorf("files: %q", files)
	}
	if len(unzip(t, a.get(run+"/attempts/1/logs").follow())) != len(files) {
		t.Error("logs of the attempt differ")
	}
	as(t, s, "").get(run + "/logs").is(403)
	a.get("actions/runs?status=failure&event=workflow_dispatch&branch=main&head_sha="+s.Tip("main")).is(200).has("total_count", 1)
	a.get("actions/runs?event=push").is(200).has("total_count", 0)
	a.get("actions/runs?created=>=2026-11-20").is(200).has("total_count", 1)
	a.get("actions/runs?created=2026-11-19").is(200).has("total_count", 0)
	a.get("actions/runs?created=2026-11-01..2026-11-20").is(200).has("total_count", 1)
	a.get("actions/workflows").is(200).has("total_count", 3)
	w := itoa(int64(a.get("actions/workflows/e2e-tests.yml").is(200).has("name", "e2e Test", "state", "active").at("id").(float64)))
	a.get("actions/workflows/"+w+"/runs").is(200).has("total_count", 1)
	a.get("actions/workflows/run-sweep.yml/runs").is(200).has("total_count", 0)
	a.do("PUT", "actions/workflows/"+w+"/disable", nil).is(204)
	a.do("POST", "actions/workflows/"+w+"/dispatches", doc{"ref": "main", "inputs": doc{"test-name": "x"}}).is(422)
	a.do("PUT", "actions/workflows/"+w+"/enable", nil).is(204)
	a.do("POST", run+"/rerun", nil).is(201)
	a.do("POST", run+"/rerun", nil).is(403)
	a.do("DELETE", run, nil).is(403)
	a.do("POST", run+"/force-cancel", nil).is(202)
	a.do("POST", run+"/cancel", nil).is(409)
	a.do("DELETE", run, nil).is(204)
	a.get(run).is(404)
	a.get("actions/runs/x").is(404)
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	id := finished(t, s)
	a := as(t, s, "walt-write")
	list := a.get("actions/runs/"+itoa(id)+"/artifacts").is(200).has("total_count", 1, "artifacts.0.name", "results_bmk", "artifacts.0.expired", false)
	artifact := int64(list.at("artifacts.0.id").(float64))
	path := "actions/artifacts/" + itoa(artifact)
	if got := unzip(t, a.get(path+"/zip").follow()); got["agg_bmk.json"] != "[]" {
		t.Errorf("content: %v", got)
	}
	if !strings.HasPrefix(list.at("artifacts.0.digest").(string), "sha256:") {
		t.Errorf("digest: %v", list.at("artifacts.0.digest"))
	}
	as(t, s, "").get(path + "/zip").is(403)
	a.get(path + "/tar").is(404)

	// S54: one name in two attempts; in one attempt it is refused.
	ok(t, s.As("walt-write").Rerun(t.Context(), id, false))
	h, _ := s.Run(id)
	must(h.UploadArtifact("results_bmk", bytes.NewReader(archive(t, "agg_bmk.json", "[1]"))))(t)
	if _, err := h.UploadArtifact("results_bmk", strings.NewReader("")); err == nil {
		t.Error("the same name twice in an attempt")
	}
	if _, err := h.UploadArtifact("a/b", strings.NewReader("")); err == nil {
		t.Error("a name with a slash")
	}
	a.get("actions/runs/"+itoa(id)+"/artifacts?name=results_bmk").is(200).has("total_count", 2)
	if data, found := h.Artifact("results_bmk"); !found || unzip(t, data)["agg_bmk.json"] != "[1]" {
		t.Error("the handle does not give the newest")
	}
	ok(t, s.ExpireArtifact(artifact))
	a.get(path).is(200).has("expired", true)
	a.get(path + "/zip").is(410)
	a.get("actions/artifacts").is(200).has("total_count", 2)
	a.do("DELETE", path, nil).is(204)
	a.get(path).is(404)
}

func TestJobTokens(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	h, _ := s.Run(id)
	j := h.StartJob(JobSpec{Name: "comment", Permissions: map[string]string{"pull-requests": "write"}})
	a := api{t, s, j.Token()}
	a.do("POST", "issues/1/comments", words{"x"}).is(201)
	a.do("POST", "statuses/"+s.Tip("main"), doc{"state": "success"}).is(403)
	a.get("contents/README.md").is(403)
	if other := h.StartJob(JobSpec{Name: "plain"}); other.Token() != "" {
		t.Error("a job without permissions of its own has a token of its own")
	}
	h.Finish()
	a.get("pulls/1").is(401)
}

// F30: runs of forks list no pull request, and others lose it when the head
// moves.
func TestPullRequestsOfRuns(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	mine, theirs := openPR(t, s, "walt-write", "feat", false), openPR(t, s, "otto-outside", "feat", true)
	for _, n := range []int{mine, theirs} {
		ok(t, s.As("tess-triage").AddLabel(t.Context(), n, "full-sweep-enabled"))
	}
	a := as(t, s, "")
	a.get("actions/runs").is(200).has("workflow_runs.0.head_repository.full_name", "otto-outside/inference", "workflow_runs.1.pull_requests.0.number", mine)
	if got := a.get("actions/runs").count("workflow_runs.0.pull_requests"); got != 0 {
		t.Errorf("the fork's run lists %d pull requests", got)
	}
	must(s.As("walt-write").Push(t.Context(), mine, Edit{Files: map[string]string{"x": "x"}}))(t)
	if got := a.get("actions/runs").count("workflow_runs.2.pull_requests"); got != 0 {
		t.Errorf("after a push the old run lists %d", got)
	}
}

func TestLaggingReads(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	a := as(t, s, "walt-write")
	ok(t, s.SetFaults(Faults{Lag: map[string]int{"comments": 2, "runs": 1, "pulls": 1, "mergeable": 1}}))
	id := int64(a.do("POST", "issues/1/comments", words{"x"}).is(201).at("id").(float64))
	a.get("issues/comments/" + itoa(id)).is(200)
	var counts []int
	for range 4 {
		counts = append(counts, a.get("issues/1/comments").count(""))
	}
	if !slices.Equal(counts, []int{0, 0, 1, 1}) {
		t.Errorf("S70: comments in the list: %v", counts)
	}
	run := int64(a.do("POST", "actions/workflows/e2e-tests.yml/dispatches", doc{"ref": "main", "inputs": doc{"test-name": "x"}, "return_run_details": true}).at("workflow_run_id").(float64))
	a.get("actions/runs/" + itoa(run)).is(404)
	a.get("actions/runs/" + itoa(run)).is(200)
	was, _ := s.Pull(1)
	sha := must(s.As("walt-write").Push(t.Context(), 1, Edit{Files: map[string]string{"x": "x"}}))(t)
	a.get("pulls/1").is(200).has("head.sha", was.HeadSHA, "mergeable", nil)
	a.get("pulls/1").is(200).has("head.sha", sha, "mergeable", true)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Limits: Limits{UserHour: -1, WritesMinute: -1, WritesHour: -1, PointsMinute: -1}})
	openPR(t, s, "walt-write", "feat", false)
	a := as(t, s, "walt-write")
	for name, c := range map[string]struct {
		fault  Fault
		status int
		check  func(r reply) bool
	}{
		"5xx":            {Fault{Kind: "status", Status: 503}, 503, func(r reply) bool { return r.at("message") == "Service Unavailable" }},
		"status 500":     {Fault{Kind: "status", Status: 500}, 500, nil},
		"error page":     {Fault{Kind: "html"}, 502, func(r reply) bool { return bytes.HasPrefix(r.body, []byte("<!DOCTYPE")) }},
		"200 error page": {Fault{Kind: "ok-html"}, 200, func(r reply) bool { return bytes.HasPrefix(r.body, []byte("<!DOCTYPE")) }},
		"429":            {Fault{Kind: "rate-limit", RetryAfter: 7}, 429, func(r reply) bool { return r.header.Get("Retry-After") == "7" }},
		"secondary":      {Fault{Kind: "secondary"}, 403, func(r reply) bool { return r.header.Get("Retry-After") == "60" }},
		"bare secondary": {Fault{Kind: "secondary-bare"}, 403, func(r reply) bool { return r.header.Get("Retry-After") == "" }},
		"slow":           {Fault{Kind: "slow", Delay: 1}, 200, func(r reply) bool { return r.at("number") == 1.0 }},
		"truncated":      {Fault{Kind: "truncate"}, 200, func(r reply) bool { return r.body[len(r.body)-1] != '}' }},
		"other path":     {Fault{Kind: "status", Path: "/repos/*/*/issues/*"}, 200, nil},
		"other method":   {Fault{Kind: "status", Method: "POST"}, 200, nil},
	} {
		ok(t, s.SetFaults(Faults{Requests: []Fault{c.fault}}))
		if r := a.get("pulls/1").is(c.status); c.check != nil && !c.check(r) {
			t.Errorf("%s: %v %s", name, r.header, r.body)
		}
	}
	ok(t, s.SetFaults(Faults{Requests: []Fault{{Kind: "reset"}}}))
	if resp, err := http.Get(s.URL() + "/api/v3/repos/" + s.Repository()); err == nil {
		if _, err = io.ReadAll(resp.Body); err == nil {
			t.Error("the connection did not break")
		}
	}
	ok(t, s.SetFaults(Faults{Requests: []Fault{{Kind: "status", Path: "/repos/*/*/pulls/*", Skip: 1, Times: 2}}}))
	var got []int
	for range 5 {
		got = append(got, a.get("pulls/1").status)
	}
	if !slices.Equal(got, []int{200, 502, 502, 200, 200}) {
		t.Errorf("skip and times: %v", got)
	}
	ok(t, s.SetFaults(Faults{Requests: []Fault{{Kind: "move-head", Pull: 1, Times: 1, Path: "/repos/*/*/pulls/*"}}}))
	was, _ := s.Pull(1)
	if a.get("pulls/1").at("head.sha") == was.HeadSHA {
		t.Error("the head did not move")
	}
	if err := s.SetFaults(Faults{Requests: []Fault{{Kind: "none"}}}); err == nil {
		t.Error("an unknown kind is accepted")
	}
}

func TestFaultsAreDeterministic(t *testing.T) {
	t.Parallel()
	outcome := func(seed uint64) string {
		s := start(t, Options{Random: seed})
		ok(t, s.SetFaults(Faults{Requests: []Fault{{Kind: "status", Probability: 0.5}}}))
		a, out := as(t, s, "walt-write"), ""
		for range 20 {
			out += fmt.Sprint(a.get("").status, " ")
		}
		return out
	}
	if one, two := outcome(1), outcome(1); one != two {
		t.Errorf("the same seed gives %s and %s", one, two)
	}
	if one, two := outcome(1), outcome(2); one == two {
		t.Errorf("all seeds give %s", one)
	}
}

// Two runs of one story give the same ids, times, commits and tokens.
func TestStoriesRepeat(t *testing.T) {
	t.Parallel()
	story := func() string {
		s := start(t, Options{Engine: &recorder{run: green}})
		n := openPR(t, s, "otto-outside", "feat", true)
		ok(t, s.As("tess-triage").AddLabel(t.Context(), n, "full-sweep-enabled"))
		settle(t, s)
		must(s.As("walt-write").Comment(t.Context(), n, "hi"))(t)
		settle(t, s)
		p, _ := s.Pull(n)
		return fmt.Sprintf("%+v %+v %s", p, s.Comments(n), must(s.Token("ada-admin"))(t))
	}
	if one, two := story(), story(); one != two {
		t.Errorf("%s\n%s", one, two)
	}
}
