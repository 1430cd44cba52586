package workflows

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/jobs"
	"github.com/sweepbot/sweepbot/labels"
)

const sweepFile = ".github/workflows/sweep.yml"

// The families of a plan, by job id (spec/labels-and-sweeps.md section 8).
var familyPrefixes = map[string]string{
	"sweep-single-node-1k1k": "single-node 1k1k /", "sweep-single-node-8k1k": "single-node 8k1k /", "sweep-agentic": "agentic /",
	"sweep-multi-node-1k1k": "multi-node 1k1k /", "sweep-multi-node-8k1k": "multi-node 8k1k /", "sweep-multi-node-agentic": "multi-node agentic /",
	"sweep-evals": "eval /", "sweep-agentic-evals": "agentic eval /", "sweep-multi-node-evals": "multi-node eval /",
	"sweep-multi-node-agentic-evals": "multi-node agentic eval /", "sweep-other": "",
}

// TestEveryEventRunsTheJobsThatAreDecided holds the graph against the decision
// for every action, label set, reuse state and repository (rows N1 to N23).
func TestEveryEventRunsTheJobsThatAreDecided(t *testing.T) {
	policy := newest(t)
	message, marked := "a change", "a change [skip-sweep]"
	sets := [][]string{
		nil, {"other"}, {"full-sweep-fail-fast"}, {"full-sweep-enabled"}, {"non-canary-full-sweep-enabled"}, {"full-sweep-enabled", "all-evals"},
		{"full-sweep-enabled", "evals-only"}, {"full-sweep-enabled", "agentx-fast"}, {"full-sweep-enabled", "only-stale"}, {"full-sweep-enabled", "full-sweep-fail-fast"},
		{"all-evals"}, {"evals-only"}, {"full-sweep-fail-fast", "other"}, {"FULL-SWEEP-ENABLED"},
	}
	n := 0
	for _, action := range []string{"synchronize", "labeled", "unlabeled"} {
		for _, set := range sets {
			for _, changed := range []string{"full-sweep-enabled", "all-evals", "only-stale", "other", "full-sweep-fail-fast-no-canary"} {
				for _, reuse := range []labels.Reuse{labels.ReuseNone, labels.ReuseValid, labels.ReuseInvalid} {
					for _, head := range []*string{&message, &marked} {
						for variant := range 3 {
							if n++; testing.Short() && n%11 != 0 {
								continue
							}
							e := labels.Event{
								Name: labels.PullRequest, Action: action, Label: changed, Labels: set, Number: 7, RunID: 77, HeadSHA: "abc",
								BaseBranch: "main", SameRepo: variant != 1, TouchesChangelog: true, HeadMessage: head, Reuse: reuse, Validator: labels.Accepted,
							}
							if variant == 2 {
								e.Validator = labels.Rejected
							}
							want := labels.Decide(policy.Labels, "main", e)
							got, _ := sweep{event: e, families: everyFamily()}.simulate(t)
							compare(t, e, want, got)
						}
					}
				}
			}
		}
	}
	t.Logf("%d events", n)
}

// compare holds the results of the first jobs against a decision.
func compare(t *testing.T, e labels.Event, want labels.Decision, got map[string]string) {
	t.Helper()
	result := map[labels.Outcome]string{labels.Run: "success", labels.Fail: "failure", labels.Skip: "skipped"}
	for job, step := range map[string]labels.Step{"check-changelog": want.Validate, "reuse-sweep-gate": want.Gate, "setup": want.Sweep} {
		expect := result[step.Outcome]
		if job == "setup" && step.Outcome == labels.Fail {
			expect = "skipped" // the gate is red
		}
		if got[job] != expect {
			t.Errorf("%s %s on %v by %+v: %s, decided %s (%s)", e.Action, e.Label, e.Labels, e.Reuse, got[job], step.Outcome, step.Reason.Code)
		}
		if t.Failed() {
			t.Fatalf("%s: same repository %t, validator %s, message %s", job, e.SameRepo, e.Validator, *e.HeadMessage)
		}
	}
}

// TestAugustEventsRunTheJobsThatAreDecided is the same for the policy of
// August, with the inputs of its example (rows A1 to A20).
func TestAugustEventsRunTheJobsThatAreDecided(t *testing.T) {
	message, marked := "a change", "a change [skip-sweep]"
	for _, action := range []string{"synchronize", "labeled", "unlabeled", "ready_for_review"} {
		for _, set := range [][]string{
			nil, {"full-sweep-enabled"}, {"sweep-enabled"}, {"full-sweep-enabled", "evals-only"}, {"full-sweep-enabled", "sweep-enabled"}, {"all-evals", "skip_queue"},
		} {
			for _, changed := range []string{"full-sweep-enabled", "skip_queue", "ci-patchwork", "other"} {
				for _, reuse := range []labels.Reuse{labels.ReuseNone, labels.ReuseValid} {
					for variant := range 5 {
						e := labels.Event{
							Name: labels.PullRequest, Action: action, Label: changed, Labels: set, Number: 7, RunID: 77, HeadSHA: "abc", BaseBranch: "main",
							SameRepo: variant != 1, Draft: variant == 3, TouchesChangelog: true, HeadMessage: &message, Reuse: reuse, Validator: labels.Accepted,
						}
						switch variant {
						case 2:
							e.Validator = labels.Rejected
						case 4:
							e.HeadMessage = &marked
						}
						s := sweep{event: e, families: everyFamily(), august: true}
						got, _ := s.simulate(t)
						compare(t, e, labels.Decide(s.policy(t).Labels, "main", e), got)
					}
				}
			}
		}
	}
}

// TestPushSweepsWhereThePolicySaysSo: a push to the base branch measures in
// August unless a command is in force (rows A21), and never in the newest
// policy (row N28), whoever calls the workflow on it.
func TestPushSweepsWhereThePolicySaysSo(t *testing.T) {
	for _, tt := range []struct {
		august             bool
		reuse              labels.Reuse
		gate, setup, point string
	}{
		{true, labels.ReuseNone, "success", "success", "success"},
		{true, labels.ReuseValid, "success", "skipped", "skipped"},
		{true, labels.ReuseInvalid, "failure", "skipped", "skipped"},
		{false, labels.ReuseNone, "skipped", "skipped", "skipped"},
	} {
		marked := "merge [skip-sweep]"
		e := labels.Event{Name: labels.Push, RunID: 77, HeadSHA: "abc", BaseBranch: "main", TouchesChangelog: true, HeadMessage: &marked, Reuse: tt.reuse}
		got, _ := sweep{event: e, families: everyFamily(), august: tt.august}.simulate(t)
		for job, want := range map[string]string{
			"check-changelog": "success", "reuse-sweep-gate": tt.gate, "setup": tt.setup, "sweep-agentic": tt.point, "report": tt.setup,
		} {
			if got[job] != want {
				t.Errorf("%+v: %s is %s, want %s", tt, job, got[job], want)
			}
		}
	}
}

// TestDispatchedSweepRuns: a server has decided; no command is asked for, and
// the trial merge of the pull request is what is checked out.
func TestDispatchedSweepRuns(t *testing.T) {
	s := sweep{event: started(), families: everyFamily(), canary: "single", dispatch: true}
	got, _ := s.simulate(t)
	for job, want := range map[string]string{"check-changelog": "success", "reuse-sweep-gate": "skipped", "setup": "success", "sweep-agentic": "success", "report": "success"} {
		if got[job] != want {
			t.Errorf("%s is %s, want %s", job, got[job], want)
		}
	}
	s.event.Labels = []string{"full-sweep-enabled", "full-sweep-fail-fast"}
	if got, _ := s.simulate(t); got["check-changelog"] != "failure" || got["setup"] != "skipped" {
		t.Errorf("two sweep labels: %v", got)
	}
	for _, dispatch := range []bool{true, false} {
		s.dispatch = dispatch
		var refs []string
		for _, step := range steps(load(t, sweepFile).job("check-changelog")) {
			if with := child(step, "with"); strings.HasPrefix(text(step["uses"]), "actions/checkout@") && with["repository"] == nil {
				refs = append(refs, text(interpolate(t, text(with["ref"]), scope{contexts: map[string]any{"github": s.github()}})))
			}
		}
		if want := map[bool]string{true: "refs/pull/7/merge"}[dispatch]; len(refs) != 1 || refs[0] != want {
			t.Errorf("dispatched %t: %q are checked out", dispatch, refs)
		}
	}
}

// started is an event that starts a sweep.
func started() labels.Event {
	message := ""
	return labels.Event{
		Name: labels.PullRequest, Action: labels.Labeled, Label: "full-sweep-enabled", Labels: []string{"full-sweep-enabled"},
		Number: 7, RunID: 77, HeadSHA: "abc", BaseBranch: "main", SameRepo: true, TouchesChangelog: true, HeadMessage: &message,
		Validator: labels.Accepted, Reuse: labels.ReuseNone,
	}
}

// TestF09FanOutFollowsTheWaitingRule compares the condition of the fan-out with
// the rule, for every combination of results ahead of it.
func TestF09FanOutFollowsTheWaitingRule(t *testing.T) {
	fanOut := load(t, sweepFile).job("fan-out")
	results := []labels.Result{labels.Success, labels.Failure, labels.Cancelled, labels.Skipped}
	for _, wants := range []bool{true, false} {
		for _, cancelled := range []bool{true, false} {
			for _, setup := range results {
				for _, selected := range results {
					for _, canary := range results {
						for _, multi := range results {
							ahead := labels.Ahead{RunCancelled: cancelled, Setup: setup, Select: selected, Canary: canary, MultiNodeCanary: multi}
							want := labels.FanOut(wants, ahead).Outcome == labels.Run
							result := func(r labels.Result) map[string]any { return map[string]any{"result": string(r)} }
							set := result(setup)
							set["outputs"] = map[string]any{"canary": fmt.Sprint(wants)}
							got := condition(t, text(fanOut["if"]), scope{cancelled: cancelled, contexts: map[string]any{"needs": map[string]any{
								"setup": set, "canary-select": result(selected), "canary-sweep": result(canary), "canary-multi-node-sweep": result(multi),
							}}})
							if got != want {
								t.Fatalf("wants a canary %t, %+v: fan-out %t, want %t", wants, ahead, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestFailingCanaryOrSelectorStopsAllFamilies(t *testing.T) {
	for _, failing := range []string{"canary-sweep", "canary-select", "canary-multi-node-sweep", "setup"} {
		for _, result := range []string{"failure", "cancelled"} {
			kind := "single"
			if failing == "canary-multi-node-sweep" {
				kind = "multi"
			}
			got, _ := sweep{event: started(), families: everyFamily(), canary: kind, results: map[string]string{failing: result}}.simulate(t)
			for job := range familyPrefixes {
				if got[job] != "skipped" {
					t.Errorf("%s %s: %s is %s", failing, result, job, got[job])
				}
			}
			if failing != "setup" && got["report"] != "success" {
				t.Errorf("%s %s: no report", failing, result)
			}
		}
	}
}

// TestFailingFamilyStopsNoOther lets one family after the other fail.
func TestFailingFamilyStopsNoOther(t *testing.T) {
	for failing := range familyPrefixes {
		got, _ := sweep{event: started(), families: everyFamily(), canary: "single", failFast: true, results: map[string]string{failing: "failure"}}.simulate(t)
		for job := range familyPrefixes {
			want := "success"
			if job == failing {
				want = "failure"
			}
			// The canary was the only point of its family.
			if job == "sweep-single-node-1k1k" {
				want = "skipped"
			}
			if got[job] != want {
				t.Errorf("%s fails: %s is %s", failing, job, got[job])
			}
		}
		for _, job := range []string{"collect-results", "collect-evals", "upload-changelog-metadata", "calc-success-rate", "report"} {
			if got[job] != "success" {
				t.Errorf("%s fails: %s is %s", failing, job, got[job])
			}
		}
	}
}

// TestFamiliesGetTheirPoints wants every point in exactly one call, without
// the canary where one was measured, and fail-fast from the labels alone.
func TestFamiliesGetTheirPoints(t *testing.T) {
	for _, kind := range []string{"", "single", "multi"} {
		for _, failFast := range []bool{true, false} {
			_, sim := sweep{event: started(), families: everyFamily(), canary: kind, failFast: failFast}.simulate(t)
			points := ""
			calls := 0
			for job := range familyPrefixes {
				for _, with := range sim.with[job] {
					points += text(with["points"])
					calls++
					if with["fail-fast"] != failFast { // of the points of one shard
						t.Errorf("%s: fail-fast %v, want %t", job, with["fail-fast"], failFast)
					}
				}
			}
			want := len(familyPrefixes) + 1
			if kind != "" {
				want-- // the family of the canary is empty
			}
			if calls != want || strings.Count(points, `"id"`) != want {
				t.Errorf("canary %q: %d calls with %d points, want %d", kind, calls, strings.Count(points, `"id"`), want)
			}
			canary := append(sim.with["canary-sweep"], sim.with["canary-multi-node-sweep"]...)
			if (len(canary) == 1) != (kind != "") {
				t.Errorf("canary %q: %d canaries", kind, len(canary))
			}
		}
	}
}

// TestEmptyFamiliesAreSkipped: missing, null and empty are one (known failure
// F12); nothing to collect is not collected.
func TestEmptyFamiliesAreSkipped(t *testing.T) {
	for job := range familyPrefixes {
		only := jobs.Families{job: everyFamily()[job]}
		got, _ := sweep{event: started(), families: only}.simulate(t)
		if job == "sweep-other" && got["report"] != "success" {
			t.Error("no report on other sequence lengths")
		}
		for other := range familyPrefixes {
			if want := map[bool]string{true: "success", false: "skipped"}[other == job]; got[other] != want {
				t.Errorf("only %s: %s is %s", job, other, got[other])
			}
		}
		evals := strings.HasSuffix(job, "evals")
		for collector, want := range map[string]bool{"collect-results": !evals, "collect-evals": evals} {
			if (got[collector] == "success") != want {
				t.Errorf("only %s: %s is %s", job, collector, got[collector])
			}
		}
	}
}

func TestCancelledRunStartsNoPoint(t *testing.T) {
	got, _ := sweep{event: started(), families: everyFamily(), cancelled: true}.simulate(t)
	for job := range familyPrefixes {
		if got[job] != "skipped" {
			t.Errorf("%s is %s in a cancelled run", job, got[job])
		}
	}
}

// TestJobNames keeps the ids and display prefixes that branch rules and
// dashboards know.
func TestJobNames(t *testing.T) {
	w := load(t, sweepFile)
	want := []string{
		"check-changelog", "reuse-sweep-gate", "setup", "canary-select", "canary-sweep", "canary-multi-node-sweep",
		"collect-results", "collect-evals", "upload-changelog-metadata", "calc-success-rate",
	}
	for _, job := range append(want, slices.Collect(maps.Keys(familyPrefixes))...) {
		if w.job(job) == nil {
			t.Errorf("no job %s", job)
		}
	}
	for job, prefix := range familyPrefixes {
		// Other sequence lengths bring the whole prefix with the shard.
		if got := text(w.job(job)["name"]); got != prefix+"${{ matrix.shard.suffix }}" {
			t.Errorf("%s is shown as %q", job, got)
		}
	}
	for job, prefix := range map[string]string{"canary-sweep": "canary /", "canary-multi-node-sweep": "multi-node canary /"} {
		if got := text(w.job(job)["name"]); got != prefix {
			t.Errorf("%s is shown as %q", job, got)
		}
	}
}

// TestRunnerLabelsOfAPoint evaluates runs-on: the attempt is that of the job,
// not that of the plan.
func TestRunnerLabelsOfAPoint(t *testing.T) {
	job := load(t, ".github/workflows/sweep-point.yml").job("benchmark")
	s := scope{contexts: map[string]any{
		"inputs": map[string]any{"point": `{"id":"x","title":"t","timeout":7,"runs-on":"[\"self-hosted\",\"a{{b}}\",\"ci-attempt-{0}\"]"}`},
		"github": map[string]any{"run_attempt": "3"},
	}}
	if got := fmt.Sprint(interpolate(t, text(job["runs-on"]), s)); got != "[self-hosted a{b} ci-attempt-3]" {
		t.Errorf("labels %s", got)
	}
	if got := interpolate(t, text(job["timeout-minutes"]), s); got != 7.0 {
		t.Errorf("timeout %v", got)
	}
}
