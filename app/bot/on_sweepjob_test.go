package bot

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// N15: a label starts the sweep: the job gets its plan, GitHub gets nothing.
func TestN15LabelStartsTheJob(t *testing.T) {
	s := newStage(t, InActions)
	d, results := s.handle(s.label(maintainer, labels.Labeled, failFast))
	s.onlyRead()
	if err := results.Err(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"sweep": "true", "reason": "labels.sweep-runs", "pull-request": "12", "head-sha": shaA, "base-sha": shaC,
		"canary": "true", "fail-fast": "true", "too-large": "false", "plan": string(d.Plan),
	} {
		if got := s.host.output(name); got != want {
			t.Errorf("%s=%q, want %q", name, got, want)
		}
	}
	if len(d.Plan) == 0 || len(s.host.summaries) != 1 || !strings.Contains(s.host.summaries[0], "is about to start") {
		t.Errorf("plan of %d bytes, summaries %q", len(d.Plan), s.host.summaries)
	}
	golden(t, "effects/sweep-job.md", s.host.summaries[0]+"\n")
	if s.calls["Comments"] != 0 {
		t.Error("a label asks for no reuse command")
	}
}

func TestSweepJobDecisions(t *testing.T) {
	primary := func(s *stage) { s.pr().Labels = []string{failFast} }
	for name, c := range map[string]struct {
		set    func(*stage)
		event  func(*stage) Delivery
		sweep  string
		reason string
		red    string // code of the refusal
	}{
		"F01 F02 S38 unrelated label":   {primary, func(s *stage) Delivery { return s.label(maintainer, labels.Labeled, "bug") }, "false", "labels.unrelated-label", ""},
		"F03 push to a labelled branch": {primary, func(s *stage) Delivery { return s.push(shaB) }, "true", "labels.sweep-runs", ""},
		"N1 push without a label":       {nil, func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.no-primary", ""},
		"N16 S34 two sweep labels": {primary, func(s *stage) Delivery { return s.label(maintainer, labels.Labeled, "full-sweep-enabled") },
			"false", "labels.conflict", "labels.conflict"},
		"N13 skip marker": {func(s *stage) { primary(s); s.messages[shaB] = "x\n\n[skip-sweep]" }, func(s *stage) Delivery { return s.push(shaB) },
			"false", "labels.skip-marker", ""},
		"N19 the only sweep label goes": {primary, func(s *stage) Delivery { return s.label(maintainer, labels.Unlabeled, failFast) }, "false", "labels.no-primary", ""},
		"N23 fork":                      {func(s *stage) { primary(s); s.fork() }, func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.fork", ""},
		"N25 changelog not touched":     {func(s *stage) { primary(s); s.changed = []string{"README.md"} }, func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.no-run-changelog", ""},
		"F21 reuse in force": {func(s *stage) { primary(s); s.bot.Reuse = fixedReuse{state: labels.ReuseValid} },
			func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.gate-reuse", ""},
		"F29 all-evals does not block reuse": {func(s *stage) {
			s.pr().Labels = []string{failFast, "all-evals"}
			s.bot.Reuse = fixedReuse{state: labels.ReuseValid}
		}, func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.gate-reuse", ""},
		"N10 agentx-fast blocks reuse": {func(s *stage) {
			s.pr().Labels = []string{failFast, "agentx-fast"}
			s.bot.Reuse = fixedReuse{state: labels.ReuseValid}
		}, func(s *stage) Delivery { return s.push(shaB) }, "true", "labels.sweep-runs", ""},
		"N4 reuse of an invalid run": {func(s *stage) { primary(s); s.bot.Reuse = fixedReuse{state: labels.ReuseInvalid} },
			func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.gate-source", "labels.gate-source"},
		"a command that nobody understood": {func(s *stage) { primary(s); s.say(12, author, "ok\n/use 5") },
			func(s *stage) Delivery { return s.push(shaB) }, "false", "labels.gate-open", "bot.sweep-open"},
		"a label forces it all the same": {func(s *stage) { s.say(12, author, "/use 5") },
			func(s *stage) Delivery { return s.label(maintainer, labels.Labeled, failFast) }, "true", "labels.sweep-runs", ""},
		"F18 a wrong change without labels": {func(s *stage) { s.pulls[12].Number = 13 }, func(s *stage) Delivery { return s.push(shaB) },
			"false", "labels.check-failed", "labels.check-failed"},
		"S37 hostile label": {primary, func(s *stage) Delivery { return s.label(bystander, labels.Labeled, "$(rm -rf /)`\n::set-output") },
			"false", "labels.unrelated-label", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, InActions)
			if c.set != nil {
				c.set(s)
			}
			_, results := s.handle(c.event(s))
			s.onlyRead()
			if got := s.host.output("sweep") + " " + s.host.output("reason"); got != c.sweep+" "+c.reason {
				t.Errorf("got %s, want %s %s", got, c.sweep, c.reason)
			}
			red := ""
			var list diag.List
			if err := results.Err(); errors.As(err, &list) {
				red = list[0].Code
			} else if err != nil {
				t.Fatal(err)
			}
			if red != c.red {
				t.Errorf("refused by %q, want %q", red, c.red)
			}
			if c.red == "labels.check-failed" && (len(s.host.shown) == 0 || s.host.shown[0].Line == 0) {
				t.Errorf("no annotation leads to the line: %v", s.host.shown)
			}
		})
	}
}

// F04: the last event of a burst sees both labels.
func TestF04BothLabelsCount(t *testing.T) {
	s := newStage(t, InActions)
	s.label(maintainer, labels.Labeled, "evals-only")
	_, _ = s.handle(s.label(maintainer, labels.Labeled, failFast))
	if got := s.host.output("canary") + s.host.output("fail-fast") + s.host.output("sweep"); got != "falsetruetrue" {
		t.Errorf("canary, fail-fast, sweep: %s", got)
	}
}

// F13, F14: a plan that does not fit one output goes by a file; without one
// the job says so before the platform does.
func TestF14LargePlan(t *testing.T) {
	for _, file := range []string{"", "plan.json"} {
		s := newStage(t, InActions)
		s.planner.shrink = 3000
		s.bot.PlanFile = file
		d, results := s.handle(s.label(maintainer, labels.Labeled, failFast))
		var list diag.List
		refused := errors.As(results.Err(), &list)
		if refused != (file == "") || (s.host.output("sweep") == "true") != (file != "") {
			t.Errorf("file %q: refused %v (%v), sweep %q", file, refused, list, s.host.output("sweep"))
		}
		if file != "" && (s.host.output("too-large") != "true" || s.host.output("plan") != "" || s.host.output("plan-file") != file || len(d.Plan) == 0) {
			t.Errorf("outputs %v", s.host.outputs)
		}
	}
}

// What cannot be read decides nothing.
func TestUnreadableFactsAreErrors(t *testing.T) {
	down := errors.New("down")
	for name, set := range map[string]func(*stage){
		"plan":    func(s *stage) { s.planner.err = down },
		"reuse":   func(s *stage) { s.bot.Reuse = fixedReuse{err: down} },
		"files":   func(s *stage) { s.fail = failing("ChangedFiles", down) },
		"message": func(s *stage) { s.fail = failing("CommitMessage", down) },
	} {
		s := newStage(t, InActions)
		s.pr().Labels = []string{failFast}
		set(s)
		d, err := s.bot.Decide(context.Background(), s.push(shaB))
		if !errors.Is(err, down) || len(d.Intents) != 0 {
			t.Errorf("%s: %v, %d effects", name, err, len(d.Intents))
		}
	}
}

func failing(method string, err error) func(string, int) error {
	return func(called string, _ int) error {
		if called == method {
			return err
		}
		return nil
	}
}

// A job has the workflow file of the pull request: other actions do nothing.
func TestJobsOfPullRequestsStayQuiet(t *testing.T) {
	for _, action := range []string{"opened", "reopened", "edited", "closed", labels.ReadyForReview} {
		s := newStage(t, InActions)
		s.pr().Labels = []string{failFast}
		_, results := s.handle(s.event(action, author))
		s.onlyRead()
		if s.host.output("sweep") != "false" || results.Err() != nil {
			t.Errorf("%s: %v %v", action, s.host.outputs, results.Err())
		}
	}
	s := newStage(t, InActions)
	d := s.event(labels.Labeled, maintainer)
	d.Name = labels.PullRequestTarget
	if decided, _ := s.handle(d); decided.Story != "" || s.total() != 0 {
		t.Errorf("pull_request_target: story %q, %d requests", decided.Story, s.total())
	}
}

func TestOtherRepositoriesAreLeftAlone(t *testing.T) {
	s := newStage(t, AsApp)
	d := s.label(maintainer, labels.Labeled, failFast)
	d.Repository = "somebody/else"
	decided, results := s.handle(d)
	if diff := cmp.Diff("bot.event-other-repository", codes(decided)); diff != "" || len(results) != 0 || s.total() != 0 {
		t.Errorf("%s, %d effects, %d requests", diff, len(results), s.total())
	}
}
