package workflows

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/labels"
)

const callerFile = "docs/examples/run-sweep.yml"

// TestF01CallerGroupsAreThoseDecided evaluates the concurrency group of the
// example for every action and label.
func TestF01CallerGroupsAreThoseDecided(t *testing.T) {
	group := text(child(load(t, callerFile).data, "concurrency")["group"])
	policy := newest(t)
	for _, action := range []string{"synchronize", "labeled", "unlabeled"} {
		for _, changed := range []string{
			"full-sweep-fail-fast", "full-sweep-enabled", "non-canary-full-sweep-enabled", "all-evals", "evals-only", "agentx-fast",
			"other", "full-sweep-fail-fast-no-canary", "full-sweep", "All-Evals",
		} {
			e := started()
			e.Action, e.Label = action, changed
			want := labels.Decide(policy.Labels, "main", e).Group
			got := text(interpolate(t, group, scope{contexts: map[string]any{"github": map[string]any{"run_id": "77", "event": map[string]any{
				"action": action, "label": map[string]any{"name": changed}, "pull_request": map[string]any{"number": 7.0},
			}}}}))
			if got != want {
				t.Errorf("%s %s: group %s, want %s", action, changed, got, want)
			}
		}
	}
}

// TestCallerListensToWhatIsDecided compares the triggers of the example with
// the actions that start a run (rows N24, N25, N27).
func TestCallerListensToWhatIsDecided(t *testing.T) {
	on := child(load(t, callerFile).data, "on")
	if len(on) != 1 {
		t.Errorf("the example starts on more than pull requests: %v", on)
	}
	pull := child(on, "pull_request")
	var types []string
	for _, one := range pull["types"].([]any) {
		types = append(types, text(one))
	}
	policy := newest(t)
	for _, action := range []string{"synchronize", "labeled", "unlabeled", "opened", "reopened", "ready_for_review", "edited", "closed"} {
		e := started()
		e.Action = action
		if got, want := slices.Contains(types, action), labels.Decide(policy.Labels, "main", e).Starts; got != want {
			t.Errorf("%s: the example starts %t, want %t", action, got, want)
		}
	}
	if got := text(pull["branches"].([]any)[0]); got != policy.Layout.BaseBranch {
		t.Errorf("base branch %s", got)
	}
}

// TestCallerPassesWhatTheSweepAsksFor: names are equal, rights are the union of
// what the jobs below ask for, and nothing is inherited.
func TestCallerPassesWhatTheSweepAsksFor(t *testing.T) {
	caller := load(t, callerFile).job("sweep")
	asked := child(child(child(load(t, sweepFile).data, "on"), "workflow_call"), "secrets")
	passed := child(caller, "secrets")
	for name := range asked {
		if passed[name] != "${{ secrets."+name+" }}" {
			t.Errorf("secret %s is passed as %v", name, passed[name])
		}
	}
	if len(passed) != len(asked) {
		t.Errorf("%d secrets passed, %d asked for", len(passed), len(asked))
	}
	union := make(map[string]any)
	for _, w := range ours(t) {
		for scope, right := range child(w.data, "permissions") {
			union[scope] = right
		}
		for name := range w.jobs() {
			for scope, right := range child(w.job(name), "permissions") {
				union[scope] = right
			}
		}
	}
	if diff := cmp.Diff(union, child(caller, "permissions")); diff != "" {
		t.Error(diff)
	}
	if uses := text(caller["uses"]); !strings.HasPrefix(uses, "sweepbot/sweepbot/"+sweepFile+"@") {
		t.Errorf("the example calls %s", uses)
	}
}
