package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// eventScene is a clone of the sample, the files of a job, and a GitHub that
// knows commit messages and nothing else.
type eventScene struct {
	dir, base, head string
	requests        []string
	out, err        bytes.Buffer
}

func newEventScene(t *testing.T) *eventScene {
	t.Helper()
	e := &eventScene{dir: t.TempDir()}
	clone := filepath.Join(e.dir, "clone")
	if err := os.CopyFS(clone, os.DirFS(filepath.Join("..", "..", "testdata", "sample"))); err != nil {
		t.Fatal(err)
	}
	changelog := filepath.Join(clone, "perf-changelog.yaml")
	whole, err := os.ReadFile(changelog)
	if err != nil {
		t.Fatal(err)
	}
	e.git(t, "init", "-q", "-b", "main")
	newest := bytes.LastIndex(whole, []byte("\n- config-keys:"))
	e.write(t, filepath.Join("clone", "perf-changelog.yaml"), string(bytes.TrimRight(whole[:newest], "\n"))+"\n")
	e.base = e.commit(t, "base")
	e.write(t, filepath.Join("clone", "perf-changelog.yaml"), string(whole))
	e.head = e.commit(t, "head")
	e.git(t, "checkout", "-q", e.base)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.requests = append(e.requests, r.Method+" "+r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		if !strings.Contains(r.URL.Path, "/commits/") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"message":"Not Found"}`))
			return
		}
		_, _ = fmt.Fprintf(w, `{"sha":%q,"message":"a commit","commit":{"message":"a commit"}}`, e.head)
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"GITHUB_API_URL": server.URL, "GITHUB_TOKEN": "token", "GITHUB_REPOSITORY": "example/sample-bench", "GITHUB_EVENT_NAME": "pull_request",
		"GITHUB_EVENT_PATH": filepath.Join(e.dir, "event.json"), "GITHUB_RUN_ID": "77", "GITHUB_ACTIONS": "true",
		"GITHUB_OUTPUT": filepath.Join(e.dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(e.dir, "summary"),
	} {
		t.Setenv(name, value)
	}
	e.write(t, "output", "")
	e.write(t, "summary", "")
	return e
}

func (e *eventScene) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (e *eventScene) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (e *eventScene) git(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = filepath.Join(e.dir, "clone")
	c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (e *eventScene) commit(t *testing.T, message string) string {
	t.Helper()
	e.git(t, "add", "-A")
	e.git(t, "commit", "-q", "-m", message)
	return e.git(t, "rev-parse", "HEAD")
}

// event writes the payload of a label event.
func (e *eventScene) event(t *testing.T, number int, label string) {
	t.Helper()
	payload := map[string]any{
		"action": "labeled", "label": map[string]any{"name": label}, "repository": map[string]any{"full_name": "example/sample-bench"},
		"pull_request": map[string]any{
			"number": number, "state": "open", "html_url": fmt.Sprint("https://github.com/example/sample-bench/pull/", number),
			"labels": []any{map[string]any{"name": label}},
			"base":   map[string]any{"ref": "main", "sha": e.base}, "head": map[string]any{"ref": "topic", "sha": e.head,
				"repo": map[string]any{"full_name": "example/sample-bench"}},
		},
	}
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	e.write(t, "event.json", string(text))
}

// handle runs the command and returns its exit code.
func (e *eventScene) handle(args ...string) int {
	s := &streams{in: strings.NewReader(""), out: &e.out, err: &e.err, lang: "en"}
	c := newEventCommand(s)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(append([]string{"--repo", filepath.Join(e.dir, "clone")}, args...))
	if err := c.Execute(); err != nil {
		s.say(findingsOf(err), nil)
		return codeOf(err)
	}
	return exitOK
}

func TestEventStartsTheSweepOfItsJob(t *testing.T) {
	e := newEventScene(t)
	e.event(t, 12, "full-sweep-fail-fast")
	plan := filepath.Join(e.dir, "plan.json")
	if code := e.handle("--plan-out", plan, "--stats"); code != exitOK {
		t.Fatalf("code %d\n%s%s", code, &e.out, &e.err)
	}
	output := e.read(t, "output")
	for _, want := range []string{"sweep<<", "true", "head-sha<<", e.head, "matrix-sweep-agentic<<"} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is missing in the outputs:\n%s", want, output)
		}
	}
	if !strings.Contains(e.read(t, "summary"), "is about to start: 20 points") || !json.Valid([]byte(e.read(t, "plan.json"))) {
		t.Errorf("summary:\n%s", e.read(t, "summary"))
	}
	if !strings.Contains(e.out.String(), "Requests to GitHub: 1,") || len(e.requests) != 1 {
		t.Errorf("requests %v\n%s", e.requests, &e.out)
	}
}

func TestEventRefusesWithLines(t *testing.T) {
	e := newEventScene(t)
	e.event(t, 13, "full-sweep-fail-fast")
	if code := e.handle(); code != exitRefused {
		t.Fatalf("code %d\n%s%s", code, &e.out, &e.err)
	}
	if !strings.Contains(e.out.String(), "::error") || !strings.Contains(e.out.String(), "file=perf-changelog.yaml") {
		t.Errorf("no annotation:\n%s", &e.out)
	}
	if output := e.read(t, "output"); !strings.Contains(output, "false") {
		t.Errorf("outputs:\n%s", output)
	}
}

func TestEventDryRunDoesNothing(t *testing.T) {
	e := newEventScene(t)
	e.event(t, 12, "full-sweep-fail-fast")
	plan := filepath.Join(e.dir, "plan.json")
	if code := e.handle("--dry-run", "--format", "json", "--stats", "--plan-out", plan); code != exitOK {
		t.Fatalf("code %d\n%s%s", code, &e.out, &e.err)
	}
	var doc struct {
		Story    string
		Effects  []struct{ Kind, State string }
		Requests struct{ Requests int }
	}
	if err := json.Unmarshal(e.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, &e.out)
	}
	if doc.Story != "sweep-job" || len(doc.Effects) < 5 || doc.Requests.Requests != 1 {
		t.Errorf("%+v", doc)
	}
	for _, effect := range doc.Effects {
		if effect.State != "planned" {
			t.Errorf("%s is %s", effect.Kind, effect.State)
		}
	}
	if e.read(t, "output") != "" || e.read(t, "summary") != "" {
		t.Error("a dry run writes")
	}
	if _, err := os.Stat(plan); err == nil {
		t.Error("a dry run writes the plan")
	}
}

// TestEventWithoutHandlerIsQuiet: a workflow may listen to more than this
// version answers. The job is green, asks GitHub nothing, and tells only those
// who debug it.
func TestEventWithoutHandlerIsQuiet(t *testing.T) {
	for name, payload := range map[string]string{
		"issue_comment": `{"action":"created","issue":{"number":12,"state":"open","pull_request":{"url":"u"}},
			"comment":{"id":9,"body":"/use 123\n::error::no"},"repository":{"full_name":"example/sample-bench"}}`,
		"workflow_dispatch": `{"inputs":{"pull-request":"12"},"repository":{"full_name":"example/sample-bench"}}`,
	} {
		e := newEventScene(t)
		e.write(t, "event.json", payload)
		t.Setenv("GITHUB_EVENT_NAME", name)
		if code := e.handle("--account", "7"); code != exitOK {
			t.Errorf("%s: code %d\n%s%s", name, code, &e.out, &e.err)
		}
		out := e.out.String()
		if !strings.HasPrefix(out, "::debug::") || strings.Count(out, "\n") != 1 || len(e.requests) != 0 {
			t.Errorf("%s: %q, requests %v", name, out, e.requests)
		}
	}
}

// TestEventOutputInjection tries to define an output from a changelog: the
// text of an entry travels in the plan, which is an output. It holds the line
// by which the library ends a value (spec/security.md, output file injection).
func TestEventOutputInjection(t *testing.T) {
	e := newEventScene(t)
	changelog := filepath.Join("clone", "perf-changelog.yaml")
	e.git(t, "checkout", "-q", "-B", "topic", e.head)
	e.write(t, changelog, strings.TrimRight(e.read(t, changelog), "\n")+`

- config-keys: [orchid-fp8-aurora-vllm]
  description:
    - "x\n_GitHubActionsFileCommandDelimeter_\nreuse-enabled<<_GitHubActionsFileCommandDelimeter_\ntrue\n_GitHubActionsFileCommandDelimeter_"
  pr-link: https://github.com/example/sample-bench/pull/12
`)
	e.head = e.commit(t, "smuggle")
	e.git(t, "checkout", "-q", e.base)
	e.event(t, 12, "full-sweep-fail-fast")
	code := e.handle("--plan-out", filepath.Join(e.dir, "plan.json"))
	if code != exitOutside && code != exitUnsafe {
		t.Errorf("code %d\n%s%s", code, &e.out, &e.err)
	}
	if !strings.Contains(e.out.String()+e.err.String(), "plan") || !strings.Contains(e.out.String()+e.err.String(), "ends a value") {
		t.Errorf("nothing says why:\n%s%s", &e.out, &e.err)
	}
	output := e.read(t, "output")
	if strings.Contains(output, "reuse-enabled") || strings.Contains(output, "smuggle") {
		t.Errorf("an output was smuggled in:\n%s", output)
	}
}

func TestEventUsage(t *testing.T) {
	e := newEventScene(t)
	e.event(t, 12, "bug")
	e.write(t, "broken.json", `{"action":`)
	for _, c := range []struct {
		args []string
		env  map[string]string
		code int
	}{
		{[]string{"--event-path", filepath.Join(e.dir, "broken.json")}, nil, exitOutside},
		{[]string{"--event-path", filepath.Join(e.dir, "none.json")}, nil, exitOutside},
		{[]string{"--format", "yaml"}, nil, exitUsage},
		{nil, map[string]string{"GITHUB_EVENT_NAME": ""}, exitUsage},
		{nil, map[string]string{"GITHUB_TOKEN": ""}, exitUsage},
		{[]string{"--repo", filepath.Join(e.dir, "nowhere")}, nil, exitOutside},
		{[]string{"--event-name", "star"}, nil, exitOK},
		{[]string{"--repository", "somebody/else"}, nil, exitOutside},
	} {
		t.Run(fmt.Sprint(c.args, c.env), func(t *testing.T) {
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			if code := e.handle(c.args...); code != c.code {
				t.Errorf("code %d, want %d\n%s", code, c.code, &e.err)
			}
		})
	}
	if len(e.requests) != 0 {
		t.Errorf("requests %v", e.requests)
	}
}
