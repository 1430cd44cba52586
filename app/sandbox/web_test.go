package sandbox

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// hostile is a text that tries to become markup.
const hostile = `<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) "><b onclick=x>y</b>`

// dangerous finds what must not be in a page.
var dangerous = regexp.MustCompile(`(?i)<script>|<img src=x|(?:href|src)="?javascript:|<b onclick|onerror=[^&]*>`)

func TestPagesShowEverythingAndEscapeIt(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ctx := t.Context()
	n := must(s.As("walt-write").OpenPR(ctx, PullSpec{Title: hostile, Body: hostile, Branch: "feat", Edit: Edit{
		Message: hostile, Files: map[string]string{"perf-changelog.yaml": hostile + "\n", "a<b>.md": hostile},
	}}))(t)
	must(s.As("otto-outside").Comment(ctx, n, hostile))(t)
	must(s.As("mina-maintain").Review(ctx, n, "APPROVE", hostile))(t)
	must(s.As("mina-maintain").CommentOnLine(ctx, n, "README.md", 1, hostile))(t)
	ok(t, s.As("tess-triage").AddLabel(ctx, n, `<script>alert(1)</script>`))
	p, _ := s.Pull(n)
	a := asInstallation(t, s, nil)
	check := int64(a.do("POST", "check-runs", doc{
		"name": hostile, "head_sha": p.HeadSHA, "status": "completed", "conclusion": "failure",
		"output": doc{"title": hostile, "summary": hostile, "annotations": []doc{{"path": "a<b>.md", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": hostile}}},
	}).is(201).at("id").(float64))
	a.do("POST", "statuses/"+p.HeadSHA, doc{"state": "failure", "description": `<script>alert(1)</script>`}).is(201)
	a.do("POST", "issues", doc{"title": hostile, "body": hostile}).is(201)
	id := s.Runs()[0].ID
	h, _ := s.Run(id)
	h.SetTitle(hostile)
	j := h.StartJob(JobSpec{Name: hostile, Runner: hostile})
	j.StartStep(hostile)
	j.Log("%s", hostile)
	ok(t, j.Summary(hostile))
	artifact := must(h.UploadArtifact("results_bmk", strings.NewReader("zip")))(t)

	repo := "/" + s.Repository()
	for path, want := range map[string]string{
		"/": "otto-outside", "/acme-bench": "inference", repo: "A sample.", repo + "/pulls": "#1", repo + "/pull/1": "mina-maintain",
		repo + "/pull/1/checks": "failure", repo + "/pull/1/files": "perf-changelog.yaml", repo + "/issues/2": "sweepbot[bot]",
		repo + "/actions": "Run Sweep", repo + "/actions?workflow=.github/workflows/e2e-tests.yml": "No runs yet",
		fmt.Sprintf("%s/actions/runs/%d", repo, id):                "results_bmk",
		fmt.Sprintf("%s/actions/runs/%d/job/%d", repo, id, j.ID()): "alert(1)",
		fmt.Sprintf("%s/runs/%d", repo, check):                     "a&lt;b&gt;.md:1",
		repo + "/commit/" + p.HeadSHA:                              "Walt",
		repo + "/tree/main":                                        "benchmarks", repo + "/tree/main/benchmarks": "run.sh",
		repo + "/blob/" + p.HeadSHA + "/a%3Cb%3E.md": "alert(3)",
	} {
		r := as(t, s, "").page(path).is(200)
		if !strings.Contains(string(r.body), want) {
			t.Errorf("%s does not show %q", path, want)
		}
		if found := dangerous.Find(r.body); found != nil {
			t.Errorf("%s has %q", path, found)
		}
		if csp := r.header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	raw := as(t, s, "").page(repo + "/raw/" + p.HeadSHA + "/a%3Cb%3E.md").is(200)
	if raw.header.Get("Content-Type") != "text/plain; charset=utf-8" || raw.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("raw file: %v", raw.header)
	}
	if got := as(t, s, "").page(fmt.Sprintf("%s/actions/runs/%d/artifacts/%d", repo, id, artifact)).follow(); string(got) != "zip" {
		t.Errorf("artifact: %q", got)
	}
	for path, status := range map[string]int{
		repo + "/pull/99": 404, "/none/none": 404, "/none": 404, repo + "/blob/main/none": 404, repo + "/nothing": 404,
		repo + "/issues/1": 302, "/_sandbox/style.css": 200, "/_sandbox/live.js": 200, "/_sandbox/avatar/9200001": 200, "/_sandbox/download/x": 404,
	} {
		if got := as(t, s, "").page(path); got.status != status {
			t.Errorf("%s: %d, want %d", path, got.status, status)
		}
	}
}

func TestLivePartOfARun(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	id := must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
	h, _ := s.Run(id)
	path := fmt.Sprintf("/%s/actions/runs/%d/live", s.Repository(), id)
	live := func() (string, bool) {
		r := as(t, s, "").page(path).is(200)
		return r.at("html").(string), r.at("done").(bool)
	}
	if html, done := live(); done || !strings.Contains(html, "No jobs yet") {
		t.Errorf("at the start: %v %s", done, html)
	}
	j := h.StartJob(JobSpec{Name: "single-node 1k1k / c4"})
	if html, _ := live(); !strings.Contains(html, "in_progress") || !strings.Contains(html, "single-node 1k1k") {
		t.Errorf("running: %s", html)
	}
	j.Finish("failure")
	h.Finish()
	if html, done := live(); !done || !strings.Contains(html, `class="point failure"`) {
		t.Errorf("at the end: %v %s", done, html)
	}
	if page := string(as(t, s, "").page(strings.TrimSuffix(path, "/live")).body); strings.Contains(page, "data-running") {
		t.Error("a finished run is still followed")
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**b** `c`":               "<p><strong>b</strong> <code>c</code></p>\n",
		"- [x] done":              "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n",
		"| a |\n| - |\n":          "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>\n",
		"a <!-- x --> b":          "<p>a  b</p>\n",
		"<!-- marker -->\n\ntext": "\n<p>text</p>\n",
		"<details>\n<summary>中文</summary>\n\n*x*\n\n</details>":    "<details>\n<summary>中文</summary>\n<p><em>x</em></p>\n</details>",
		"<details open ontoggle=x>\n":                              "&lt;details open ontoggle=x&gt;\n",
		"<a href=x>y</a>":                                          "<p>&lt;a href=x&gt;y&lt;/a&gt;</p>\n",
		"x <br> y <sub>2</sub>":                                    "<p>x <br> y <sub>2</sub></p>\n",
		"![x](https://example.org/x.png) [y](javascript:alert(1))": "<p><img src=\"https://example.org/x.png\" alt=\"x\"> <a href=\"\">y</a></p>\n",
		"<script>\nalert(1)\n</script>":                            "&lt;script&gt;\nalert(1)\n&lt;/script&gt;",
		strings.Repeat("x", 4*maxBody) + "<":                       "<pre>" + strings.Repeat("x", 4*maxBody) + "&lt;</pre>",
	} {
		if got := string(render(text)); got != want {
			t.Errorf("%.60q\n got %.200q\nwant %.200q", text, got, want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{hostile, "<details><summary>x</summary>", "<!-- <script> -->", "<b <script>x", "<details\n open>", "`<script>`"} {
		f.Add(text)
	}
	tag := regexp.MustCompile(`(?i)<\s*(script|iframe|object|embed|style|link|meta|form|svg|base)\b`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			t.Skip("long texts are slow, and cut elsewhere")
		}
		if found := tag.FindString(string(render(text))); found != "" {
			t.Errorf("%q renders %q", text, found)
		}
	})
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	for host, want := range map[string]int{
		"": 200, "localhost:80": 200, "[::1]:80": 200, "api.github.localhost": 200, "evil.example": 421, "127.0.0.1.evil.example": 421, "192.0.2.1": 421,
	} {
		req := must(http.NewRequest("GET", s.URL()+"/rate_limit", nil))(t)
		req.Host = host
		if got := (api{t, s, ""}).send(req); got.status != want {
			t.Errorf("host %q: %d, want %d", host, got.status, want)
		}
	}
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("address %s", s.URL())
	}
	for address, want := range map[string]bool{
		"http://127.0.0.1:1/": true, "http://localhost/": true, "https://[::1]:9/x": true, "http://example.org/": false,
		"http://127.0.0.1.example.org/": false, "ftp://localhost/": false, "": false, "http://10.0.0.1/": false,
	} {
		if isLocal(address) != want {
			t.Errorf("hook at %q: %v", address, !want)
		}
	}
}

func TestControls(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	send := func(method, name, body string, header bool) reply {
		req := must(http.NewRequest(method, s.URL()+"/_sandbox/"+name, strings.NewReader(body)))(t)
		if header {
			req.Header.Set(controlHeader, "1")
		}
		return api{t, s, ""}.send(req)
	}
	send("PUT", "faults", `{}`, false).is(403)
	send("POST", "token", `{"login":"walt-write"}`, false).is(403)
	token := send("POST", "token", `{"login":"walt-write"}`, true).is(200).at("token").(string)
	api{t, s, token}.get("/user").is(200).has("login", "walt-write")
	send("PUT", "faults", `{"Requests":[{"kind":"status","status":500,"times":1}],"Lag":{"runs":1}}`, true).is(200)
	send("GET", "faults", "", true).is(200).has("Requests.0.kind", "status", "Lag.runs", 1)
	api{t, s, token}.get("").is(500)
	send("PUT", "faults", `{"Requests":[{"kind":"x"}]}`, true).is(422)
	send("PUT", "faults", `{`, true).is(400)
	send("POST", "settle", "", true).is(200)
	run := itoa(finished(t, s))
	api{t, s, token}.get("actions/runs/" + run).is(404) // it lags
	artifact := itoa(int64(api{t, s, token}.get("actions/artifacts").is(200).at("artifacts.0.id").(float64)))
	send("POST", "expire", `{"artifact":`+artifact+`}`, true).is(200)
	api{t, s, token}.get("actions/artifacts/" + artifact + "/zip").is(410)
	send("POST", "expire", `{"artifact":1}`, true).is(404)
	send("POST", "expire", ``, true).is(200)
	send("POST", "nothing", "", true).is(404)
}

func TestStartRefuses(t *testing.T) {
	for code, o := range map[string]Options{
		"sandbox.bad-repository": {Repository: "repos/x"},
		"sandbox.bad-role":       {People: []Account{{Login: "x", Role: "king"}}},
		"sandbox.bad-seed":       {Seed: fstest.MapFS{}},
		"sandbox.bad-label":      {Labels: map[string]string{" ": ""}},
		"sandbox.bad-hook":       {Hooks: []Hook{{URL: "http://example.org/"}}},
	} {
		s, err := Start(t.Context(), o)
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: started", code)
			continue
		}
		if !strings.Contains(err.Error(), "["+code+"]") {
			t.Errorf("%s: %v", code, err)
		}
	}
	t.Setenv("PATH", "")
	if _, err := Start(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "sandbox.no-git") {
		t.Errorf("without git: %v", err)
	}
}

func TestAnotherRepositoryTakesDispatches(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	s := start(t, Options{App: App{WebhookURL: hook.url, Secret: "s"}})
	ok(t, s.AddRepository("app", map[string]string{".github/workflows/ingest.yml": "name: Ingest\non:\n  repository_dispatch:\n    types: [ingest-results]\n"}))
	a := as(t, s, "walt-write")
	a.do("POST", "/repos/acme-bench/app/dispatches", doc{"event_type": "ingest-results", "client_payload": doc{"source-run-id": "1", "merge-run-id": "2"}}).is(204)
	a.get("/repos/acme-bench/app/actions/runs").is(200).has("total_count", 1, "workflow_runs.0.event", "repository_dispatch")
	settle(t, s)
	got := hook.deliveries("repository_dispatch")
	if len(got) != 1 || got[0].payload["client_payload"].(map[string]any)["merge-run-id"] != "2" || got[0].payload["action"] != "ingest-results" {
		t.Errorf("deliveries: %+v", got)
	}
}
