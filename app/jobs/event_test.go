package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/labels"
)

// dispatch makes the run one that a server started, with changes of the
// inputs, and checks out the trial merge as the workflow does.
func (s *scene) dispatch(change map[string]string) {
	inputs := map[string]string{
		"title": "Sweep PR #7", "pull-request": "7", "head-sha": s.head, "base-sha": s.base, "labels": `["full-sweep-fail-fast"]`, "plan-id": "p-1",
	}
	for name, value := range change {
		inputs[name] = value
	}
	text, err := json.Marshal(map[string]any{"inputs": inputs, "ref": "refs/heads/main", "repository": map[string]any{"full_name": "example/sample-bench"}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(s.env["GITHUB_EVENT_PATH"], string(text))
	s.git("update-ref", "refs/remotes/origin/change", s.head)
	s.env["GITHUB_EVENT_NAME"], s.env["GITHUB_SHA"], s.env["GITHUB_REF"] = "workflow_dispatch", s.base, "refs/heads/main"
}

func TestDispatchIsPlannedAsAPullRequest(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	byEvent := s.planned()
	s.dispatch(nil)
	byServer := s.planned()
	if byServer["families"] != byEvent["families"] || byServer["fail-fast"] != "true" || byServer["canary"] != "true" {
		t.Errorf("the dispatch plans %s\nthe event %s", byServer["families"], byEvent["families"])
	}
	var got Sweep
	if err := json.Unmarshal([]byte(byServer["sweep"]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Base != s.base || got.Head != s.head || got.Commit != s.sha || got.Pull != 7 || got.PlanID != "p-1" {
		t.Errorf("pins %+v", got)
	}
	if strings.Contains(byEvent["sweep"], "plan-id") {
		t.Error("an event has no plan of a server")
	}
}

// TestDispatchProvesWhatItMeasures: what a server decided on must be what is
// there (spec/security.md S33); a fork's commit is no branch here.
func TestDispatchProvesWhatItMeasures(t *testing.T) {
	const nowhere = "1111111111111111111111111111111111111111"
	for _, tt := range []struct {
		name   string
		change map[string]string
		then   func(s *scene)
		code   string
	}{
		{"S33 the branch moved", nil, func(s *scene) { s.git("update-ref", "refs/remotes/origin/change", s.base) }, "jobs.dispatch-moved"},
		{"commit of a fork", nil, func(s *scene) { s.git("update-ref", "-d", "refs/remotes/origin/change") }, "jobs.dispatch-moved"},
		{"another merge is checked out", nil, func(s *scene) { s.git("checkout", "-q", s.head) }, "jobs.dispatch-merge"},
		{"settings of a commit off the branch", nil, func(s *scene) {
			s.git("checkout", "-q", "-B", "aside", s.base)
			aside := s.commitEmpty("looser rules")
			s.git("checkout", "-q", s.sha)
			s.dispatch(map[string]string{"base-sha": aside})
		}, "jobs.dispatch-base"},
		{"dispatched on a tag", nil, func(s *scene) { s.env["GITHUB_REF"] = "refs/tags/v1" }, "jobs.dispatch-ref"},
		{"head that nobody has", map[string]string{"head-sha": nowhere}, nil, ""},
		{"branch for a commit", map[string]string{"head-sha": "change"}, nil, "jobs.input"},
		{"short commit", map[string]string{"base-sha": "abc"}, nil, "jobs.input"},
		{"path for a number", map[string]string{"pull-request": "7/../../heads/main"}, nil, "jobs.input"},
		{"labels in words", map[string]string{"labels": "full-sweep-enabled"}, nil, "jobs.input"},
		{"plan with a blank", map[string]string{"plan-id": "a b"}, nil, "jobs.input"},
		{"two sweep labels", map[string]string{"labels": `["full-sweep-enabled","full-sweep-fail-fast"]`}, nil, "labels.conflict"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, sampleEntry, nil)
			s.dispatch(tt.change)
			if tt.then != nil {
				tt.then(s)
			}
			err := Check(t.Context(), s.host())
			if tt.code == "" {
				if err == nil {
					t.Fatal("accepted")
				}
				return
			}
			wantCode(t, err, tt.code)
			if out := s.outputs(); out["sweep"] == "true" {
				t.Errorf("outputs %v start a sweep", out)
			}
		})
	}
}

func (s *scene) commitEmpty(message string) string {
	s.git("commit", "-q", "--allow-empty", "-m", message)
	return s.git("rev-parse", "HEAD")
}

// push makes the run one of a push of the merge to the base branch.
func (s *scene) push(before string) {
	s.write(s.env["GITHUB_EVENT_PATH"], fmt.Sprintf(`{"ref":"refs/heads/main","before":%q,"after":%q,"head_commit":{"message":"Measure again [skip-sweep] (#7)"},
		"repository":{"full_name":"example/sample-bench"}}`, before, s.sha))
	s.env["GITHUB_EVENT_NAME"], s.env["GITHUB_SHA"], s.env["GITHUB_REF"] = "push", s.sha, "refs/heads/main"
}

// pushSweeps are settings of an era in which pushes sweep.
func pushSweeps(s *scene) {
	name := filepath.Join(s.dir, ".github/sweepbot.yml")
	text := s.read(name)
	s.git("checkout", "-q", "main")
	s.write(name, text+"\nlabels:\n  push-sweeps: true\n")
	s.base = s.commit("pushes sweep")
	s.git("merge", "-q", "--no-ff", "-m", "Measure again (#7)", "change")
	s.sha = s.git("rev-parse", "HEAD")
	s.git("checkout", "-q", "--detach")
}

func TestPushMeasuresWhereThePolicySaysSo(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.push(s.base)
	if err := Check(t.Context(), s.host()); err != nil {
		t.Fatal(err)
	}
	if out := s.outputs(); out["sweep"] != "false" || out["gate"] != "false" {
		t.Errorf("the newest policy: outputs %v", out)
	}

	s = newScene(t, sampleEntry, nil)
	pushSweeps(s)
	s.push(s.base)
	if err := Check(t.Context(), s.host()); err != nil {
		t.Fatal(err)
	}
	if out := s.outputs(); out["sweep"] != "true" || out["gate"] != "true" || out["base"] != s.base || out["commit"] != s.sha {
		t.Errorf("pushes sweep: outputs %v", out)
	}
	s.fresh()
	out := s.planned()
	// A push has no labels: nothing is trimmed, no canary, no fail-fast.
	if out["canary"] != "false" || out["fail-fast"] != "false" || len(families(t, out["families"])) == 0 {
		t.Errorf("outputs %v", out)
	}
}

func TestPushWithoutABaseIsRefused(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.push(strings.Repeat("0", 40))
	wantCode(t, Check(t.Context(), s.host()), "jobs.event")
}

// TestGateOfAPush asks the pull request that the push merged.
func TestGateOfAPush(t *testing.T) {
	broken := errors.New("GitHub is down")
	for _, tt := range []struct {
		name   string
		merged *bot.PullRequest
		err    error
		state  labels.Reuse
		skip   string
		code   string
	}{
		{"merge with a command", &bot.PullRequest{Number: 7}, nil, labels.ReuseValid, "true", ""},
		{"merge without one", &bot.PullRequest{Number: 7}, nil, labels.ReuseNone, "false", ""},
		{"merge with a command that nobody can judge", &bot.PullRequest{Number: 7}, nil, "", "", "jobs.gate-open"},
		{"no merge", nil, nil, labels.ReuseInvalid, "false", ""},
		{"not known", nil, broken, labels.ReuseNone, "", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, sampleEntry, nil)
			s.push(s.base)
			err := Gate(t.Context(), s.host(), reuseAnswer(tt.state), func(_ context.Context, push *bot.Push) (*bot.PullRequest, error) {
				if push.After != s.sha {
					t.Errorf("asked for %+v", push)
				}
				return tt.merged, tt.err
			})
			switch tt.code {
			case "":
				if err != nil {
					t.Fatal(err)
				}
			case "-":
				if !errors.Is(err, broken) {
					t.Fatal(err)
				}
			default:
				wantCode(t, err, tt.code)
			}
			if got := s.outputs()["skip-pr-sweep"]; got != tt.skip {
				t.Errorf("skip %q, want %q", got, tt.skip)
			}
		})
	}
}

// TestOtherSequenceLengthsShareAJob: families without a job of their own keep
// their names, and each family of at most 256 points is a shard of its own.
func TestOtherSequenceLengthsShareAJob(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	where := filepath.Join(s.dir, "configs/aurora-master.yaml")
	text := s.read(where)
	at := strings.Index(text, "osl: 1024")
	if at < 0 {
		t.Skip("the sample measures no 1024 tokens")
	}
	s = newScene(t, sampleEntry, map[string]string{
		"configs/aurora-master.yaml": strings.ReplaceAll(text, "osl: 1024", "osl: 2048"),
		".github/sweepbot.yml":       s.read(filepath.Join(s.dir, ".github/sweepbot.yml")) + "\nsweep:\n  undispatched-buckets: dispatch\n",
	})
	out := s.planned()
	var all Families
	if err := json.Unmarshal([]byte(out["families"]), &all); err != nil {
		t.Fatal(err)
	}
	if len(all[otherFamilies]) == 0 {
		t.Fatalf("families %s", out["families"])
	}
	for _, shard := range all[otherFamilies] {
		if !strings.Contains(shard.Suffix, "-node ") || !strings.HasSuffix(shard.Suffix, " /") {
			t.Errorf("shown as %q", shard.Suffix)
		}
	}
	for job := range all {
		if jobOf(job) != job && job != otherFamilies {
			t.Errorf("no job of the workflow runs %s", job)
		}
	}
}

// TestReportJudgesOtherSequenceLengths by the job that they share.
func TestReportJudgesOtherSequenceLengths(t *testing.T) {
	plan := &localrun.Plan{Families: []localrun.Family{{Job: "sweep-single-node-1k8k", Rows: make([]localrun.PlanRow, 1)}}}
	for result, refused := range map[string]bool{"success": false, "failure": true, "skipped": true, "": true} {
		verdict := Judge(plan, map[string]string{otherFamilies: result, collectResults: "success"})
		if verdict.Findings.Refused() != refused {
			t.Errorf("%q: %v", result, verdict.Findings)
		}
	}
}

// TestOutputInjectionOfAJob tries to define an output from a config, by the
// line with which the library ends a value: it travels in the title of a point.
func TestOutputInjectionOfAJob(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	h := s.host()
	err := h.outputs(bot.Output{Name: "sweep", Value: "x"}, bot.Output{
		Name:  "families",
		Value: encode(Families{"sweep-agentic": {{Points: []Ref{{ID: "1", Title: "x\n_GitHubActionsFileCommandDelimeter_\nskip-pr-sweep<<_GitHubActionsFileCommandDelimeter_\ntrue"}}}}}),
	})
	wantCode(t, err, "actions.output-refused")
	if got := s.outputs(); len(got) != 1 || got["sweep"] != "x" {
		t.Errorf("outputs %v", got)
	}
}
