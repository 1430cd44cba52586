package workflows

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// projects are the workflows that the project has for itself; all others are
// reusable.
var projects = []string{"ci.yml", "release.yml"}

// ours are the reusable workflows.
func ours(t *testing.T) []workflow {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var out []workflow
	for _, name := range names {
		if base := filepath.Base(name); !slices.Contains(projects, base) {
			out = append(out, load(t, ".github/workflows/"+base))
		}
	}
	if len(out) == 0 {
		t.Fatal("no workflows found")
	}
	return out
}

// rights are all rights beyond reading contents, by workflow and job, each for
// what docs/security.md names. What starts on a pull request writes nothing.
var rights = map[string]map[string]string{
	"signoff.yml event":           {"actions": "read", "checks": "read", "contents": "read", "issues": "write", "pull-requests": "write", "statuses": "write"},
	"reuse.yml event":             {"actions": "read", "contents": "read", "issues": "write", "pull-requests": "write"},
	"sweep-stale.yml event":       {"actions": "write", "contents": "read", "issues": "write", "pull-requests": "write"},
	"merge-ingest.yml event":      {"actions": "write", "contents": "read", "issues": "read", "pull-requests": "read"},
	"welcome.yml event":           {"contents": "read", "issues": "write", "pull-requests": "write"},
	"fork-dispatch.yml event":     {"actions": "write", "contents": "read", "issues": "write", "pull-requests": "write"},
	"progress.yml event":          {"actions": "read", "contents": "read", "issues": "write", "pull-requests": "write", "statuses": "write"},
	"sweep.yml setup":             {"actions": "read", "contents": "read", "pull-requests": "read"},
	"sweep.yml reuse-sweep-gate":  {"contents": "read", "issues": "read", "pull-requests": "read"},
	"sweep.yml calc-success-rate": {"contents": "read", "actions": "read"},
	"sweep.yml report":            {"contents": "read", "actions": "read"},
	"sweep-stats.yml collect":     {"contents": "read", "actions": "read"},
}

// handles is the step of every workflow that handles an event.
const handles = `sweepbot event --account "$ACCOUNT"`

// keeps is how the step is called that also keeps the evidence of a verdict.
const keeps = handles + ` --bundle-out "$RUNNER_TEMP/signoff-evidence.zip"`

// collects is the step of the collectors that ask GitHub.
const collects = "read -ra words <<< \"$COMMAND\"\n\"$RUNNER_TEMP/sweepbot/bin/sweepbot\" actions \"${words[@]}\""

// credentials are the steps that get a secret or the token in their
// environment.
var credentials = map[string][]string{
	"signoff.yml event " + keeps:                       {"GITHUB_TOKEN"},
	"reuse.yml event " + handles:                       {"GITHUB_TOKEN"},
	"sweep-stale.yml event " + handles:                 {"GITHUB_TOKEN"},
	"merge-ingest.yml event " + handles:                {"GITHUB_TOKEN"},
	"welcome.yml event " + handles:                     {"GITHUB_TOKEN"},
	"fork-dispatch.yml event " + handles:               {"GITHUB_TOKEN"},
	"progress.yml event " + handles:                    {"GITHUB_TOKEN"},
	"sweep.yml reuse-sweep-gate sweepbot actions gate": {"GITHUB_TOKEN"},
	"sweep.yml setup sweepbot actions plan":            {"GITHUB_TOKEN"},
	"sweep-stats.yml collect " + collects:              {"GITHUB_TOKEN"},
	"sweep-point.yml benchmark exec \"$RUNNER_TEMP/sweepbot/bin/sweepbot\" actions point run": {"HF_TOKEN", "MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET"},
}

// untrusted are parts of the event that anybody writes. No step sees them but
// through the file of the event.
var untrusted = regexp.MustCompile(`github\.(?:head_ref|actor|triggering_actor|event\.(?:comment|review|issue|head_commit|commits|pages|discussion)|event\.pull_request\.(?:title|body|head\.ref|head\.label|user))`)

// offences holds one workflow against the rules that the general ones of
// internal/house do not know.
func offences(w workflow) []string {
	var out []string
	name := filepath.Base(w.name)
	say := func(format string, args ...any) { out = append(out, name+": "+fmt.Sprintf(format, args...)) }
	on := child(w.data, "on")
	if _, ok := on["workflow_call"]; !ok || len(on) != 1 {
		say("starts on more than a call")
	}
	if top := child(w.data, "permissions"); len(top) != 1 || top["contents"] != "read" {
		say("the rights of the workflow are %v", top)
	}
	for _, job := range slices.Sorted(maps.Keys(w.jobs())) {
		jobOffences(name, job, w.job(job), say)
	}
	return out
}

func jobOffences(file, name string, job map[string]any, say func(string, ...any)) {
	got := child(job, "permissions")
	want := rights[file+" "+name]
	if len(got) != len(want) {
		say("%s has the rights %v, want %v", name, got, want)
	}
	for scope, right := range got {
		if want[scope] != right {
			say("%s may %v %s", name, right, scope)
		}
	}
	for key, value := range job {
		if key == "secrets" || key == "steps" {
			continue
		}
		if all := fmt.Sprint(value); strings.Contains(all, "secrets.") || strings.Contains(all, "github.token") {
			say("%s: %s holds a credential", name, key)
		}
	}
	if on := text(job["runs-on"]); job["steps"] != nil && on != "ubuntu-latest" && file != "sweep-point.yml" {
		say("%s runs on %s", name, on)
	}
	for from, to := range child(job, "secrets") {
		if to != "${{ secrets."+from+" }}" {
			say("%s: secret %s is %v", name, from, to)
		}
	}
	stepOffences(file, name, steps(job), say)
	if name == "event" {
		eventOffences(name, job, say)
	}
}

// eventOffences are of the jobs that may write: each begins with the events
// that it is for, handles one at a time and loses none, and checks out
// sweepbot and the default branch, whatever the event says.
func eventOffences(name string, job map[string]any, say func(string, ...any)) {
	if !strings.HasPrefix(text(job["if"]), "github.event_name == '") || strings.Contains(text(job["if"]), "'pull_request_target'") {
		say("%s does not say which events it is for", name)
	}
	if c := child(job, "concurrency"); c["queue"] != "max" || c["cancel-in-progress"] != nil || text(c["group"]) == "" {
		say("%s may lose an event: its group is %v", name, c)
	}
	for i, step := range steps(job) {
		with := child(step, "with")
		if strings.HasPrefix(text(step["uses"]), "actions/checkout@") && with["repository"] == nil && with["ref"] != nil {
			say("%s step %d checks out %v beside a token that writes", name, i, with["ref"])
		}
	}
}

// stepOffences follows the steps of a job: what has been checked out, and what
// may be started by then.
func stepOffences(file, job string, list []map[string]any, say func(string, ...any)) {
	checkedOut, verified := false, false
	for i, step := range list {
		all := fmt.Sprint(step)
		uses, run := text(step["uses"]), text(step["run"])
		if untrusted.MatchString(all) {
			say("%s step %d uses text that anybody writes", job, i)
		}
		if strings.Contains(run, "${{") {
			say("%s step %d: an expression inside run", job, i)
		}
		var env []string
		for variable, value := range child(step, "env") {
			if strings.Contains(text(value), "secrets.") || strings.Contains(text(value), "github.token") {
				env = append(env, variable)
			}
		}
		slices.Sort(env)
		if want := credentials[file+" "+job+" "+strings.TrimSpace(run)]; !slices.Equal(env, want) {
			say("%s step %d gets the credentials %v, want %v", job, i, env, want)
		}
		if with := fmt.Sprint(step["with"]); strings.Contains(with, "secrets.") || strings.Contains(with, "github.token") {
			say("%s step %d passes a credential on", job, i)
		}
		switch {
		case strings.HasPrefix(uses, "actions/cache"):
			say("%s step %d shares a cache with pull requests", job, i)
		case strings.HasPrefix(uses, "actions/checkout@"):
			checkedOut = checkedOut || child(step, "with")["repository"] == nil
		case uses == "./.sweepbot":
			verified = true
			if checkedOut {
				say("%s step %d builds sweepbot after a checkout of the pull request", job, i)
			}
		case strings.Contains(run, "sha256sum --check --strict SHA256SUMS"):
			verified = true
		case strings.Contains(run, "sweepbot") && !verified:
			say("%s step %d starts sweepbot before its digest was checked", job, i)
		case checkedOut && run != "" && !starts(run):
			say("%s step %d runs something else than sweepbot beside code of the pull request", job, i)
		}
	}
}

// starts reports that a script does nothing but start sweepbot.
func starts(run string) bool {
	run = strings.TrimPrefix(strings.TrimSpace(run), `[ ! -x "$RUNNER_TEMP/sweepbot/bin/sweepbot" ] || `)
	if run == handles || run == keeps {
		return true
	}
	return regexp.MustCompile(`^(?:exec )?(?:sweepbot|"\$RUNNER_TEMP/sweepbot/bin/sweepbot") actions [a-z ]+$`).MatchString(run)
}

func TestWorkflowsFollowTheRules(t *testing.T) {
	for _, w := range ours(t) {
		for _, o := range offences(w) {
			t.Error(o)
		}
	}
}

func TestRulesCanFail(t *testing.T) {
	bad := workflow{name: "bad.yml"}
	if err := yaml.Unmarshal([]byte(`
on: { workflow_call: {}, pull_request_target: {} }
permissions: { contents: write }
jobs:
  one:
    runs-on: self-hosted
    permissions: { issues: write }
    env: { A: "${{ secrets.A }}" }
    steps:
      - uses: actions/checkout@x
      - uses: ./.sweepbot
      - run: make
      - run: echo "${{ github.event.pull_request.title }}"
      - env: { T: "${{ github.token }}" }
        run: sweepbot actions plan
      - uses: actions/cache@x
      - uses: x/y@z
        with: { token: "${{ secrets.B }}" }
  two:
    uses: ./x.yml
    secrets: { A: "${{ secrets.B }}" }
  three:
    runs-on: ubuntu-latest
    steps:
      - run: sweepbot actions plan
  event:
    runs-on: ubuntu-latest
    concurrency: { group: x, cancel-in-progress: true }
    steps:
      - uses: actions/checkout@x
        with: { ref: "${{ github.event.workflow_run.head_sha }}" }
`), &bad.data); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(offences(bad), "\n")
	for _, want := range []string{
		"starts on more than a call", "the rights of the workflow are", "one has the rights", "one may write issues", "one: env holds a credential",
		"one runs on self-hosted", "step 1 builds sweepbot after", "step 2 runs something else", "step 3 uses text that anybody writes",
		"step 3: an expression inside run", "step 4 gets the credentials [T]", "step 5 shares a cache", "step 6 passes a credential on",
		"two: secret A is", "three step 0 starts sweepbot before",
		"event does not say which events", "event may lose an event", "event step 0 checks out",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing says %q in:\n%s", want, got)
		}
	}
}

// The limits of GitHub on called workflows (spec/github-limits.md).
const (
	maxLevels = 4
	maxCalled = 20
	maxBytes  = 500 << 10
	// A workflow is thin. The graph of the sweep is the exception: it has ten
	// families of eight lines each (docs/workflows.md says why).
	maxLines, maxGraph = 120, 367
)

func TestNestingAndSize(t *testing.T) {
	called := make(map[string]bool)
	if got := 1 + depth(t, sweepFile, called); got > maxLevels {
		t.Errorf("%d levels with the caller, %d are allowed", got, maxLevels)
	}
	if len(called) > maxCalled {
		t.Errorf("%d called workflows", len(called))
	}
	for _, call := range calls(t) {
		called["./"+call.workflow] = true
	}
	for _, w := range ours(t) {
		data, err := os.ReadFile(filepath.Join(root, w.name))
		if err != nil {
			t.Fatal(err)
		}
		lines, limit := strings.Count(string(data), "\n"), maxLines
		if w.name == sweepFile {
			limit = maxGraph
		}
		if !called["./"+w.name] {
			t.Errorf("nobody calls %s, and no example shows how", w.name)
		}
		if lines > limit || len(data) > maxBytes {
			t.Errorf("%s has %d lines, %d are allowed", w.name, lines, limit)
		}
	}
}

// depth is the number of levels from a workflow down.
func depth(t *testing.T, name string, called map[string]bool) int {
	t.Helper()
	deepest := 0
	w := load(t, name)
	for job := range w.jobs() {
		if uses := text(w.job(job)["uses"]); uses != "" {
			called[uses] = true
			deepest = max(deepest, depth(t, strings.TrimPrefix(uses, "./"), called))
		}
	}
	return deepest + 1
}

// TestCallsMatch holds every call against what the called workflow declares:
// required inputs are given, and no other than declared ones.
func TestCallsMatch(t *testing.T) {
	for _, w := range ours(t) {
		for name := range w.jobs() {
			job := w.job(name)
			uses := text(job["uses"])
			if uses == "" {
				continue
			}
			declared := child(child(load(t, strings.TrimPrefix(uses, "./")).data, "on"), "workflow_call")
			for input, d := range child(declared, "inputs") {
				spec, _ := d.(map[string]any)
				if _, given := child(job, "with")[input]; !given && spec["required"] == true {
					t.Errorf("%s %s does not give %s", w.name, name, input)
				}
			}
			for input := range child(job, "with") {
				if child(declared, "inputs")[input] == nil {
					t.Errorf("%s %s gives %s, which %s does not know", w.name, name, input, uses)
				}
			}
			for secret := range child(job, "secrets") {
				if _, ok := child(declared, "secrets")[secret]; !ok {
					t.Errorf("%s %s gives the secret %s, which %s does not know", w.name, name, secret, uses)
				}
			}
		}
	}
}

// TestCancellationReachesTheLauncher: the runner signals the process of a step,
// which must be sweepbot itself and no shell that waits for it.
func TestCancellationReachesTheLauncher(t *testing.T) {
	for _, step := range steps(load(t, ".github/workflows/sweep-point.yml").job("benchmark")) {
		if run := text(step["run"]); step["name"] == "Launch" && !strings.HasPrefix(run, "exec ") {
			t.Errorf("the launch is %q", run)
		}
	}
}

// TestPointCleansUpAlways: the steps behind the launch run whatever happens.
func TestPointCleansUpAlways(t *testing.T) {
	list := steps(load(t, ".github/workflows/sweep-point.yml").job("benchmark"))
	behind := false
	for _, step := range list {
		if behind && !strings.HasPrefix(text(step["if"]), "always()") {
			t.Errorf("%v may be left out after a failure", step["name"])
		}
		behind = behind || step["name"] == "Launch"
	}
	last := list[len(list)-1]
	if last["name"] != "Clean up after" || last["if"] != "always()" {
		t.Errorf("the last step is %v, if %v", last["name"], last["if"])
	}
}
