package workflows

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/labels"
)

const callerFile = "docs/examples/run-sweep.yml"

// The callers of the two eras, in this order.
const augustFile = "docs/examples/run-sweep-2026-08.yml"

var eras = []struct {
	file   string
	august bool
}{{callerFile, false}, {augustFile, true}}

// TestF01CallerGroupsAreThoseDecided evaluates the concurrency group of the
// examples for every action and label, and for pushes.
func TestF01CallerGroupsAreThoseDecided(t *testing.T) {
	for _, era := range eras {
		group := text(child(load(t, era.file).data, "concurrency")["group"])
		policy := sweep{august: era.august}.policy(t)
		evaluated := func(event map[string]any) string {
			return text(interpolate(t, group, scope{contexts: map[string]any{"github": map[string]any{"run_id": "77", "sha": "abc", "event": event}}}))
		}
		for _, action := range []string{"synchronize", "labeled", "unlabeled", "ready_for_review"} {
			for _, changed := range []string{
				"full-sweep-fail-fast", "full-sweep-enabled", "non-canary-full-sweep-enabled", "all-evals", "evals-only", "agentx-fast", "only-stale",
				"other", "full-sweep-fail-fast-no-canary", "full-sweep", "All-Evals", "skip_queue", "ci-checklist-complete", "sweep-enabled",
			} {
				e := started()
				e.Action, e.Label = action, changed
				want := labels.Decide(policy.Labels, "main", e)
				got := evaluated(map[string]any{"action": action, "label": map[string]any{"name": changed}, "pull_request": map[string]any{"number": 7.0}})
				if want.Starts && got != want.Group {
					t.Errorf("%s: %s %s: group %s, want %s", era.file, action, changed, got, want.Group)
				}
			}
		}
		push := labels.Event{Name: labels.Push, HeadSHA: "abc", BaseBranch: "main", TouchesChangelog: true, RunID: 77}
		if want := labels.Decide(policy.Labels, "main", push); want.Starts && evaluated(map[string]any{}) != want.Group {
			t.Errorf("%s: push: group %s, want %s", era.file, evaluated(map[string]any{}), want.Group)
		}
	}
}

// TestCallersListenToWhatIsDecided compares the triggers of the examples with
// the actions that start a run (rows N24, N25, N27), and with pushes.
func TestCallersListenToWhatIsDecided(t *testing.T) {
	for _, era := range eras {
		on := child(load(t, era.file).data, "on")
		pull := child(on, "pull_request")
		var types []string
		for _, one := range pull["types"].([]any) {
			types = append(types, text(one))
		}
		policy := sweep{august: era.august}.policy(t)
		for _, action := range []string{"synchronize", "labeled", "unlabeled", "opened", "reopened", "ready_for_review", "edited", "closed"} {
			e := started()
			e.Action = action
			if got, want := slices.Contains(types, action), labels.Decide(policy.Labels, "main", e).Starts; got != want {
				t.Errorf("%s: %s: the example starts %t, want %t", era.file, action, got, want)
			}
		}
		if got := text(pull["branches"].([]any)[0]); got != policy.Layout.BaseBranch {
			t.Errorf("%s: base branch %s", era.file, got)
		}
		push := labels.Event{Name: labels.Push, HeadSHA: "abc", BaseBranch: "main", TouchesChangelog: true}
		_, listens := on["push"]
		if want := labels.Decide(policy.Labels, "main", push).Starts; listens != want || len(on) != 1+map[bool]int{true: 1}[want] {
			t.Errorf("%s starts on %v, pushes %t", era.file, on, want)
		}
	}
}

// call is a job of an example that calls a workflow of ours.
type call struct {
	example, job string
	workflow     string // its file
	data         map[string]any
}

// calls are all of them.
func calls(t *testing.T) []call {
	t.Helper()
	var out []call
	for _, w := range examples(t) {
		for name := range w.jobs() {
			if path, ok := strings.CutPrefix(text(w.job(name)["uses"]), "sweepbot/sweepbot/"); ok {
				path, pin, _ := strings.Cut(path, "@")
				if pin != "SHA" {
					t.Errorf("%s %s is not pinned where SHA is to be replaced: %s", w.name, name, pin)
				}
				out = append(out, call{w.name, name, path, w.job(name)})
			}
		}
	}
	return out
}

// examples are the workflows that people copy.
func examples(t *testing.T) []workflow {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs/examples/*.yml"))
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	var out []workflow
	for _, name := range names {
		out = append(out, load(t, "docs/examples/"+filepath.Base(name)))
	}
	return out
}

// TestCallersGiveWhatIsAskedFor: secrets and inputs are those that the called
// workflow declares, by the same names, and rights are exactly the union of
// what its jobs ask for, since GitHub refuses a call with less.
func TestCallersGiveWhatIsAskedFor(t *testing.T) {
	for _, c := range calls(t) {
		declared := child(child(load(t, c.workflow).data, "on"), "workflow_call")
		passed := child(c.data, "secrets")
		for name := range child(declared, "secrets") {
			// The token of an App is for those who have one.
			if want := "${{ secrets." + name + " }}"; passed[name] != want && name != "SWEEPBOT_TOKEN" {
				t.Errorf("%s %s: secret %s is passed as %v", c.example, c.job, name, passed[name])
			}
		}
		for name, value := range passed {
			if _, ok := child(declared, "secrets")[name]; !ok || value != "${{ secrets."+name+" }}" {
				t.Errorf("%s %s: secret %s is %v", c.example, c.job, name, value)
			}
		}
		for name := range child(c.data, "with") {
			if child(declared, "inputs")[name] == nil {
				t.Errorf("%s %s gives %s, which %s does not know", c.example, c.job, name, c.workflow)
			}
		}
		union := make(map[string]any)
		unite(t, union, c.workflow)
		if diff := cmp.Diff(union, child(c.data, "permissions")); diff != "" {
			t.Errorf("%s %s: %s", c.example, c.job, diff)
		}
	}
}

// unite adds the rights that a workflow and those below it ask for.
func unite(t *testing.T, union map[string]any, name string) {
	t.Helper()
	w := load(t, name)
	add := func(rights map[string]any) {
		for scope, right := range rights {
			if union[scope] != "write" {
				union[scope] = right
			}
		}
	}
	for job := range w.jobs() {
		asked := child(w.job(job), "permissions")
		if len(asked) == 0 {
			asked = child(w.data, "permissions")
		}
		add(asked)
		if below, ok := strings.CutPrefix(text(w.job(job)["uses"]), "./"); ok {
			unite(t, union, below)
		}
	}
}

// TestExamplesAreGuarded: nothing beyond what is granted to a job, no secret
// that is not named, no time without an end, and no workflow that starts
// itself.
func TestExamplesAreGuarded(t *testing.T) {
	for _, w := range examples(t) {
		if top, ok := w.data["permissions"].(map[string]any); !ok || len(top) != 0 {
			t.Errorf("%s: the rights at the top are %v", w.name, w.data["permissions"])
		}
		for name := range w.jobs() {
			job := w.job(name)
			if job["steps"] != nil && job["timeout-minutes"] == nil {
				t.Errorf("%s %s may run for ever", w.name, name)
			}
			if job["secrets"] == "inherit" {
				t.Errorf("%s %s hands over every secret", w.name, name)
			}
			for i, step := range steps(job) {
				if strings.Contains(text(step["run"]), "${{") {
					t.Errorf("%s %s step %d: an expression inside run", w.name, name, i)
				}
			}
		}
		on := child(w.data, "on")
		if started := fmt.Sprint(child(on, "workflow_run")["workflows"]); strings.Contains(" "+strings.Trim(started, "[]")+" ", " "+text(w.data["name"])+" ") {
			t.Errorf("%s starts itself", w.name)
		}
		if _, ok := on["pull_request_target"]; ok {
			t.Errorf("%s starts on pull_request_target", w.name)
		}
		for name := range w.jobs() {
			if _, onPull := on["pull_request"]; onPull && strings.Contains(fmt.Sprint(w.job(name)["permissions"]), "write") {
				t.Errorf("%s %s may write, by a file that a pull request brings", w.name, name)
			}
		}
	}
}

// TestEventsFindTheirJob routes every event through the caller and the called
// workflows: which of them run.
func TestEventsFindTheirJob(t *testing.T) {
	comment := func(body, before string, pull any) map[string]any {
		return map[string]any{"issue": map[string]any{"number": 7.0, "pull_request": pull}, "comment": map[string]any{"body": body},
			"changes": map[string]any{"body": map[string]any{"from": before}}}
	}
	run := func(path, event, repo, action string) map[string]any {
		return map[string]any{"action": action, "workflow_run": map[string]any{"path": path, "event": event,
			"head_repository": map[string]any{"full_name": repo}, "head_branch": "x"}}
	}
	const sign = "As a PR reviewer and CODEOWNER, I have reviewed this and have"
	const runSweep, relay = ".github/workflows/run-sweep.yml", ".github/workflows/sweepbot-relay.yml"
	pull := map[string]any{"url": "u"}
	for _, tt := range []struct {
		name, event string
		payload     map[string]any
		want        string
	}{
		{"sign-off", "issue_comment", comment(sign+": all", "", pull), "signoff"},
		{"sign-off taken back", "issue_comment", comment("", sign, pull), "signoff"},
		{"sign-off with a command", "issue_comment", comment(sign+"\n/use 1", "", pull), "signoff"},
		{"draft", "issue_comment", comment("/signoff-draft", "", pull), "signoff"},
		{"draft on an issue", "issue_comment", comment("/signoff-draft", "", nil), ""},
		{"command", "issue_comment", comment("well\n/use 1", "", pull), "reuse"},
		{"long command", "issue_comment", comment("/reuse-sweep-run 1", "", pull), "reuse"},
		{"command taken back", "issue_comment", comment("no", "/use 1", pull), "reuse"},
		{"a partial sweep", "issue_comment", comment("/sweep-stale 7", "", pull), "sweep-stale"},
		{"a partial sweep beside a command", "issue_comment", comment("/use 1\n/sweep-stale", "", pull), "sweep-stale"},
		{"talk", "issue_comment", comment("looks good", "", pull), ""},
		{"command on an issue", "issue_comment", comment("/use 1", "", nil), ""},
		{"asked again", "workflow_dispatch", map[string]any{"inputs": map[string]any{"pr-number": "7", "comment_url": "u"}}, "signoff"},
		{"merge", "push", map[string]any{"deleted": false}, "merge-ingest"},
		{"time", "schedule", map[string]any{}, "progress"},
		{"sweep", "workflow_run", run(runSweep, "pull_request", "o/r", "completed"), "progress"},
		{"dispatched sweep", "workflow_run", run(runSweep, "workflow_dispatch", "o/r", "in_progress"), "progress"},
		{"sweep of a fork", "workflow_run", run(runSweep, "pull_request", "fork/r", "requested"), "fork-dispatch"},
		{"opened", "workflow_run", run(relay, "pull_request", "o/r", "requested"), "welcome"},
		{"opened from a fork", "workflow_run", run(relay, "pull_request", "fork/r", "requested"), "welcome"},
		{"the relay ends", "workflow_run", run(relay, "pull_request", "fork/r", "completed"), ""},
		{"reviewed", "workflow_run", run(relay, "pull_request_review", "o/r", "completed"), "signoff"},
		{"reviewed on a fork", "workflow_run", run(relay, "pull_request_review", "fork/r", "completed"), "signoff"},
		{"a line reviewed", "workflow_run", run(relay, "pull_request_review_comment", "fork/r", "completed"), "signoff"},
		{"a review begins to be relayed", "workflow_run", run(relay, "pull_request_review", "o/r", "requested"), ""},
		{"a review's sweep, which there is none", "workflow_run", run(runSweep, "pull_request_review", "fork/r", "completed"), "progress"},
	} {
		sc := scope{succeeds: true, contexts: map[string]any{"github": map[string]any{"event_name": tt.event, "repository": "o/r", "event": tt.payload}}}
		var got []string
		for _, c := range calls(t) {
			if c.example != "docs/examples/sweepbot.yml" || !condition(t, text(c.data["if"]), sc) {
				continue
			}
			inputs := make(map[string]any)
			declared := child(child(child(load(t, c.workflow).data, "on"), "workflow_call"), "inputs")
			for name := range declared {
				inputs[name] = child(declared, name)["default"]
			}
			below := scope{succeeds: true, contexts: map[string]any{"github": sc.contexts["github"], "inputs": inputs}}
			if condition(t, text(load(t, c.workflow).job("event")["if"]), below) {
				got = append(got, c.job)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v run, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDispatchedCallerDeclaresWhatIsSent: GitHub rejects a dispatch with an
// input that the workflow does not declare, and the server finds its run by the
// title.
func TestDispatchedCallerDeclaresWhatIsSent(t *testing.T) {
	w := load(t, "docs/examples/run-sweep-dispatched.yml")
	declared := child(child(child(w.data, "on"), "workflow_dispatch"), "inputs")
	for _, name := range []string{"title", "pull-request", "head-sha", "base-sha", "labels"} {
		if child(declared, name)["required"] != true {
			t.Errorf("input %s is not required", name)
		}
	}
	if child(declared, "plan-id")["default"] != "" || child(declared, "since")["default"] != "" || len(declared) != 7 {
		t.Errorf("inputs %v", declared)
	}
	if w.data["run-name"] != "${{ inputs.title }}" || len(child(w.data, "on")) != 1 || w.data["concurrency"] != nil {
		t.Errorf("title %v, starts on %v, group %v", w.data["run-name"], w.data["on"], w.data["concurrency"])
	}
}
