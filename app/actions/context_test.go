package actions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

const (
	headSHA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	baseSHA = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	noSHA   = "0000000000000000000000000000000000000000"
)

// vars are the variables of a step.
type vars map[string]string

func (v vars) get(name string) string { return v[name] }

// with returns a copy with changes, given as name, value pairs.
func (v vars) with(changes ...string) vars {
	out := vars{}
	for name, value := range v {
		out[name] = value
	}
	for i := 0; i < len(changes); i += 2 {
		out[changes[i]] = changes[i+1]
	}
	return out
}

// step is the environment of a step on a pull request.
func step(event string) vars {
	return vars{
		"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": "event.json", "GITHUB_REPOSITORY": "acme/bench",
		"GITHUB_RUN_ID": "40578080205", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_SHA": baseSHA, "GITHUB_REF": "refs/pull/5/merge",
		"GITHUB_SERVER_URL": "https://github.com", "GITHUB_API_URL": "https://api.github.com", "GITHUB_WORKFLOW": "Sweep", "GITHUB_JOB": "plan",
		"GITHUB_WORKSPACE": "/runner/bench",
	}
}

// reading returns a readFile that knows one file.
func reading(payload string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if name != "event.json" {
			return nil, os.ErrNotExist
		}
		return []byte(payload), nil
	}
}

func codeOf(err error) string {
	var f diag.Finding
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// labeled is a pull request from a fork that was given a label.
const labeled = `{"action":"labeled","number":5,"label":{"name":"full-sweep-fail-fast"},"sender":{"id":1,"login":"ann","type":"User"},
	"repository":{"id":9,"full_name":"acme/bench","default_branch":"main","private":false},"installation":{"id":7},
	"pull_request":{"number":5,"title":"fix: a $(b) title","body":null,"html_url":"u","state":"open","draft":true,"merged":false,"mergeable":false,
		"user":{"id":3,"login":"bob","type":"User"},"author_association":"CONTRIBUTOR","labels":[{"name":"full-sweep-fail-fast"},{"name":"evals-only"}],
		"base":{"ref":"main","sha":"` + baseSHA + `","repo":{"full_name":"acme/bench"}},
		"head":{"ref":"x","sha":"` + headSHA + `","repo":{"full_name":"bob/bench"}},"merge_commit_sha":null,"changed_files":3}}`

// TestLoad reads a step as GitHub sets it up.
func TestLoad(t *testing.T) {
	got, err := Load(step("pull_request").get, reading(labeled))
	if err != nil {
		t.Fatal(err)
	}
	no := false
	want := Context{
		Event: "pull_request", Repository: "acme/bench", SHA: baseSHA, Ref: "refs/pull/5/merge", RunID: 40578080205, Attempt: 2,
		Workflow: "Sweep", Job: "plan", ServerURL: "https://github.com", APIURL: "https://api.github.com",
		Delivery: bot.Delivery{
			Name: "pull_request", ID: "40578080205", Action: "labeled", Label: "full-sweep-fail-fast", Sender: bot.User{ID: 1, Login: "ann"},
			Repository: "acme/bench", DefaultBranch: "main",
			PR: &bot.PullRequest{
				Number: 5, Title: "fix: a $(b) title", URL: "u", State: "open", Draft: true, Mergeable: &no, Author: bot.User{ID: 3, Login: "bob"},
				AuthorAssociation: "CONTRIBUTOR", Labels: []string{"full-sweep-fail-fast", "evals-only"}, BaseBranch: "main", BaseSHA: baseSHA,
				HeadRepo: "bob/bench", HeadBranch: "x", HeadSHA: headSHA, ChangedFiles: 3,
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	event := labels.Event{Name: "pull_request", Action: "labeled", Label: "full-sweep-fail-fast", Labels: []string{"full-sweep-fail-fast", "evals-only"},
		Number: 5, RunID: 40578080205, HeadSHA: headSHA, BaseBranch: "main", Draft: true, Conflict: true}
	if diff := cmp.Diff(event, got.LabelsEvent()); diff != "" {
		t.Error(diff)
	}
}

// TestLabelsEvent: the facts that decide where the head lies.
func TestLabelsEvent(t *testing.T) {
	message := "merge: it"
	tests := []struct {
		name, event, payload string
		want                 labels.Event
	}{
		{"same repository", "pull_request", strings.ReplaceAll(labeled, "bob/bench", "Acme/Bench"), labels.Event{SameRepo: true}},
		{"deleted head repository", "pull_request", strings.Replace(labeled, `{"full_name":"bob/bench"}`, "null", 1), labels.Event{}},
		{"push", "push", `{"ref":"refs/heads/main","before":"` + noSHA + `","after":"` + headSHA + `","head_commit":{"message":"merge: it"}}`,
			labels.Event{HeadSHA: headSHA, BaseBranch: "main", HeadMessage: &message}},
		{"deleted branch", "push", `{"ref":"refs/heads/x","before":"` + headSHA + `","after":"` + noSHA + `","head_commit":null}`, labels.Event{BaseBranch: "x"}},
		{"tag", "push", `{"ref":"refs/tags/v1","before":"` + noSHA + `","after":"` + headSHA + `"}`, labels.Event{HeadSHA: headSHA}},
		{"push by a local runner", "push", `{}`, labels.Event{HeadSHA: baseSHA, BaseBranch: "main"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Load(step(tt.event).with("GITHUB_REF", "refs/heads/main").get, reading(tt.payload))
			if err != nil {
				t.Fatal(err)
			}
			got := c.LabelsEvent()
			if tt.event == "pull_request" {
				got = labels.Event{SameRepo: got.SameRepo}
			} else {
				tt.want.Name, tt.want.RunID = "push", 40578080205
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSynchronizeIsNoPush: the two heads of a pull request's push say nothing of
// the branch that it goes to.
func TestSynchronizeIsNoPush(t *testing.T) {
	payload := strings.Replace(strings.Replace(labeled, `"action":"labeled"`, `"action":"synchronize","before":"`+noSHA+`","after":"`+baseSHA+`"`, 1), `"draft":true`, `"draft":false`, 1)
	c, err := Load(step("pull_request").get, reading(payload))
	if err != nil {
		t.Fatal(err)
	}
	got := c.LabelsEvent()
	if got.Action != labels.Synchronize || got.HeadSHA != headSHA || got.BaseBranch != "main" || got.HeadMessage != nil {
		t.Errorf("a push to a pull request is read as %+v", got)
	}
	if h := c.Delivery.Heads; c.Delivery.Push != nil || h == nil || h.Before != noSHA && h.Before != "" || h.After != baseSHA {
		t.Errorf("push %+v, heads %+v", c.Delivery.Push, h)
	}
}

// TestLoadRefuses: environments that no runner makes.
func TestLoadRefuses(t *testing.T) {
	tests := []struct {
		name    string
		changes []string
		payload string
		code    string
	}{
		{"no event name", []string{"GITHUB_EVENT_NAME", ""}, `{}`, "actions.variable-missing"},
		{"event name of another form", []string{"GITHUB_EVENT_NAME", "pull request\n"}, `{}`, "actions.variable-invalid"},
		{"no event file", []string{"GITHUB_EVENT_PATH", ""}, `{}`, "actions.variable-missing"},
		{"event file that is not there", []string{"GITHUB_EVENT_PATH", "none.json"}, `{}`, "actions.event-unreadable"},
		{"no repository", []string{"GITHUB_REPOSITORY", ""}, `{}`, "actions.variable-missing"},
		{"repository of another form", []string{"GITHUB_REPOSITORY", "acme/../x"}, `{}`, "actions.variable-invalid"},
		{"no run", []string{"GITHUB_RUN_ID", ""}, `{}`, "actions.variable-missing"},
		{"run 0", []string{"GITHUB_RUN_ID", "0"}, `{}`, "actions.variable-invalid"},
		{"run in words", []string{"GITHUB_RUN_ID", "1e5"}, `{}`, "actions.variable-invalid"},
		{"attempt -1", []string{"GITHUB_RUN_ATTEMPT", "-1"}, `{}`, "actions.variable-invalid"},
		{"API by plain http", []string{"GITHUB_API_URL", "http://api.example.com"}, `{}`, "actions.variable-invalid"},
		{"server with a password", []string{"GITHUB_SERVER_URL", "https://u:p@example.com"}, `{}`, "actions.variable-invalid"},
		{"event of another repository", nil, `{"repository":{"full_name":"evil/bench"}}`, "actions.other-repository"},
		{"broken event", nil, `{"repository":`, "bot.payload-json"},
		{"fine", []string{"GITHUB_RUN_ATTEMPT", "", "GITHUB_API_URL", "", "GITHUB_SERVER_URL", "http://127.0.0.1:3000/"}, `{"repository":{"full_name":"Acme/Bench"}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Load(step("schedule").with(tt.changes...).get, reading(tt.payload))
			if codeOf(err) != tt.code || (err == nil) != (tt.code == "") {
				t.Fatalf("error %v, want %q", err, tt.code)
			}
			if err == nil && (c.Attempt != 1 || c.APIURL != "https://api.github.com" || c.ServerURL != "http://127.0.0.1:3000") {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestLoadEvent: what is given goes before the environment, and no run has to
// be known.
func TestLoadEvent(t *testing.T) {
	c, err := LoadEvent(vars{"GITHUB_EVENT_NAME": "push"}.get, reading(`{}`), Given{EventPath: "event.json", Event: "star", Repository: "acme/bench"})
	if err != nil || c.Event != "star" || c.RunID != 0 || c.Delivery.ID != "" || c.Delivery.Repository != "acme/bench" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err := LoadEvent(step("push").with("GITHUB_RUN_ID", "x").get, reading(`{}`), Given{}); codeOf(err) != "actions.variable-invalid" {
		t.Error(err)
	}
	if _, err := LoadEvent(step("push").get, reading(`{"repository":{"full_name":"acme/bench"}}`), Given{Repository: "x/y"}); codeOf(err) != "actions.other-repository" {
		t.Error(err)
	}
}

// TestMachine: each thing is asked for by itself, so that what does not need it
// goes on without.
func TestMachine(t *testing.T) {
	for name, ask := range map[string]func(func(string) string) (string, error){
		"RUNNER_TEMP": Temp, "GITHUB_WORKSPACE": Workspace, "RUNNER_NAME": RunnerName, "GITHUB_RUN_ATTEMPT": Attempt,
		"GITHUB_API_URL": APIURL,
		"GITHUB_REPOSITORY": func(getenv func(string) string) (string, error) {
			owner, repo, err := Repository(getenv)
			return owner + "/" + repo, err
		},
	} {
		want := map[string]string{"GITHUB_API_URL": "https://api.example.com", "GITHUB_RUN_ATTEMPT": "3", "GITHUB_REPOSITORY": "acme/bench"}[name]
		if want == "" {
			want = "/x"
		}
		if got, err := ask(vars{name: want}.get); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		got, err := ask(vars{}.get)
		if fallback := map[string]string{"GITHUB_API_URL": "https://api.github.com", "GITHUB_RUN_ATTEMPT": "1"}[name]; fallback != "" {
			if got != fallback || err != nil {
				t.Errorf("no %s: %q, %v", name, got, err)
			}
		} else if codeOf(err) != "actions.variable-missing" {
			t.Errorf("no %s: %q, %v", name, got, err)
		}
	}
	if _, err := Attempt(vars{"GITHUB_RUN_ATTEMPT": "x"}.get); codeOf(err) != "actions.variable-invalid" {
		t.Error(err)
	}
}

// TestUnsteered: nothing that reaches beyond the step is left to a program that
// is not ours.
func TestUnsteered(t *testing.T) {
	given := []string{"PATH=/bin", "GITHUB_OUTPUT=x", "GITHUB_ENV=x", "GITHUB_TOKEN=x", "ACTIONS_RUNTIME_TOKEN=x", "GITHUB_SHA=x", "broken"}
	want := []string{"PATH=/bin", "GITHUB_SHA=x", "broken"}
	if diff := cmp.Diff(want, Unsteered(given)); diff != "" || len(given) != 7 {
		t.Error(diff, given)
	}
}

// TestToken is read by name, and in no Context.
func TestToken(t *testing.T) {
	v := vars{"GITHUB_TOKEN": " ghs_x\n", "EMPTY": " "}
	for name, want := range map[string]string{"GITHUB_TOKEN": "", "EMPTY": "actions.no-token", "NONE": "actions.no-token", "A=B": "actions.variable-name", "": "actions.variable-name"} {
		token, err := Token(v.get, name)
		if codeOf(err) != want || (want == "") != (token == "ghs_x") {
			t.Errorf("%q: %q, %v", name, token, err)
		}
	}
	if !Running(step("push").get) || Running(vars{}.get) {
		t.Error("Running tells it wrong")
	}
}

// TestReadFile is bounded.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	small, big := filepath.Join(dir, "small"), filepath.Join(dir, "big")
	if err := os.WriteFile(small, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(big); err != nil {
		t.Fatal(err)
	} else if err := errors.Join(f.Truncate(bot.MaxPayload+1), f.Close()); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(small); err != nil || string(data) != "{}" {
		t.Error(string(data), err)
	}
	if data, err := ReadFile(big); err != nil || len(data) != bot.MaxPayload+1 {
		t.Error(len(data), err)
	}
	_, err := Load(step("push").with("GITHUB_EVENT_PATH", big).get, ReadFile)
	if codeOf(err) != "bot.payload-size" {
		t.Error(err)
	}
}
