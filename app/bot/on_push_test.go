package bot

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// merge closes the pull request as merged and returns the push to main.
func merge(s *stage, message string) Delivery {
	pr := s.pr()
	pr.State, pr.Merged = "closed", true
	return Delivery{Name: "push", ID: "99", Repository: repoName, Sender: maintainer,
		Push: &Push{Branch: "main", Before: shaC, After: pr.MergeSHA, Message: message}}
}

func refusedBy(t *testing.T, results Results) string {
	t.Helper()
	var list diag.List
	if err := results.Err(); errors.As(err, &list) {
		return list[0].Code
	} else if err != nil {
		t.Fatal(err)
	}
	return ""
}

func TestPushesThatPublishNothing(t *testing.T) {
	for name, c := range map[string]struct {
		setting Setting
		set     func(*stage, *Push)
		code    string
	}{
		"N29 changelog untouched": {InActions, func(s *stage, _ *Push) { s.changed = []string{"README.md"} }, "labels.no-run-changelog"},
		"another branch":          {InActions, func(_ *stage, p *Push) { p.Branch = "topic" }, "labels.no-run-base"},
		"a tag":                   {InActions, func(_ *stage, p *Push) { p.Branch = "" }, "labels.no-run-base"},
		"a server":                {AsApp, func(*stage, *Push) {}, "bot.push-is-a-job"},
	} {
		s := newStage(t, c.setting)
		d := merge(s, "no number")
		c.set(s, d.Push)
		decided, results := s.handle(d)
		if codes(decided) != c.code || len(results) != 0 {
			t.Errorf("%s: %s, %s", name, codes(decided), kinds(results))
		}
	}
}

// Where the policy measures pushes, the job gets the plan of the push.
func TestPushThatMeasures(t *testing.T) {
	for name, c := range map[string]struct {
		reuse ReuseFacts
		sweep string
		red   string
	}{
		"no command":  {fixedReuse{state: labels.ReuseNone}, "true", ""},
		"reused":      {fixedReuse{state: labels.ReuseValid}, "true", ""},
		"invalid run": {fixedReuse{state: labels.ReuseInvalid}, "false", "labels.gate-source"},
		"not known":   {fixedReuse{}, "false", "bot.sweep-open"},
	} {
		s := newStage(t, InActions)
		s.settings(func(c *config.Settings) { c.Labels.PushSweeps = true })
		s.bot.Reuse = c.reuse
		_, results := s.handle(merge(s, "A change (#12)"))
		if got := refusedBy(t, results); got != c.red || s.host.output("sweep") != c.sweep {
			t.Errorf("%s: refused by %q, sweep %q", name, got, s.host.output("sweep"))
		}
		if hasPlan := s.host.output("plan") != ""; hasPlan != (name == "no command") {
			t.Errorf("%s: plan %v", name, hasPlan)
		}
		if canary := s.host.output("canary"); canary != "" && canary != "false" {
			t.Errorf("%s: a push has the canary %s", name, canary)
		}
	}
}

func TestCancelOnMerge(t *testing.T) {
	for name, c := range map[string]struct {
		policy bool
		set    func(*stage)
		want   int // cancelled runs
	}{
		"queued":                    {true, func(s *stage) { s.runs[0].Status = "queued" }, 1},
		"in a busy group":           {true, func(s *stage) { s.runs[0].Status = "pending" }, 1},
		"waiting for an approval":   {true, func(s *stage) { s.runs[0].Status = "waiting" }, 1},
		"over":                      {true, func(s *stage) { s.runs[0].Status = "completed" }, 0},
		"of an older commit":        {true, func(s *stage) { s.push(shaB) }, 1},
		"of a foreign commit":       {true, func(s *stage) { s.runs[0].HeadSHA = shaB }, 0},
		"off":                       {false, func(*stage) {}, 0},
		"on":                        {true, func(*stage) {}, 1},
		"pinned by a command":       {true, func(s *stage) { s.say(12, maintainer, "all green\n/use "+strconv.FormatInt(s.runs[0].ID, 10)) }, 0},
		"changelog not touched":     {true, func(s *stage) { s.changed = []string{"x"} }, 0},
		"closed without a merge":    {true, func(s *stage) { s.pr().Merged = false }, 0},
		"reopened since":            {true, func(s *stage) { s.pr().State, s.pr().Merged = "open", false }, 0},
		"same branch, another fork": {true, func(s *stage) { s.runs[0].HeadRepo = "other/fork" }, 0},
	} {
		for _, setting := range []Setting{InActions, AsApp} {
			s := newStage(t, setting)
			s.label(maintainer, labels.Labeled, failFast)
			run := s.start(maintainer)
			run.Status = "in_progress"
			s.settings(func(s *config.Settings) { s.Labels.CancelOnMerge = c.policy })
			d := merge(s, "A change (#12)")
			if setting == AsApp {
				d = s.event(labels.Closed, maintainer)
			}
			c.set(s)
			s.handle(d)
			s.handle(d)
			if len(s.canceled) != c.want {
				t.Errorf("%s: %d cancelled", name, len(s.canceled))
			}
		}
	}
}

// A sweep that we dispatched is cancelled too.
func TestCancelOnMergeOfDispatchedRun(t *testing.T) {
	s := newStage(t, AsApp)
	s.settings(func(s *config.Settings) { s.Labels.CancelOnMerge = true })
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	merge(s, "")
	s.handle(s.event(labels.Closed, maintainer))
	if diff := cmp.Diff([]int64{s.runs[0].ID}, s.canceled); diff != "" {
		t.Error(diff)
	}
}

// Closing without a merge is a policy of its own.
func TestCancelOnClose(t *testing.T) {
	for policy, want := range map[bool]int{false: 0, true: 1} {
		s := newStage(t, AsApp)
		s.label(maintainer, labels.Labeled, failFast)
		s.start(maintainer)
		s.settings(func(s *config.Settings) { s.Labels.CancelOnClose = policy })
		s.pr().State = "closed"
		s.handle(s.event(labels.Closed, maintainer))
		if len(s.canceled) != want {
			t.Errorf("policy %v: %d cancelled", policy, len(s.canceled))
		}
	}
}

// The measurement of an approved commit of a fork ends with its pull request;
// one of another pull request, or that somebody started by hand, goes on.
func TestCancelOnMergeOfForkRun(t *testing.T) {
	s := newStage(t, AsApp)
	s.fork()
	s.settings(func(s *config.Settings) { s.Labels.CancelOnMerge = true })
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	if len(s.runs) != 1 {
		t.Fatalf("%d runs", len(s.runs))
	}
	others := []Run{s.runs[0], s.runs[0], s.runs[0]}
	others[0].Title = "e2e Test - External PR #13 @ a1a1a1a1a1a1"
	others[1].Title = "e2e Test - mine"
	others[2].HeadBranch = "topic"
	for _, r := range others {
		r.ID = s.id()
		s.runs = append(s.runs, r)
	}
	merge(s, "")
	s.handle(s.event(labels.Closed, maintainer))
	if diff := cmp.Diff([]int64{s.runs[0].ID}, s.canceled); diff != "" {
		t.Error(diff)
	}
}

func TestReuseMentions(t *testing.T) {
	for body, known := range map[string]bool{
		"looks good":                  true,
		"see /users/1":                true,
		"a/use 5":                     true,
		"/use 5":                      false,
		"> /use 5":                    false,
		"text /reuse-sweep-run":       false,
		"```\n/use 5\n```":            false,
		"/usefull":                    true,
		"\u00a0/use\u00a05":           false,
		"https://example.com/use/555": true,
	} {
		g := newFake(t)
		g.say(12, bystander, body)
		state, err := ReuseMentions{g}.State(ctx, &PullRequest{Number: 12})
		if err != nil || (state == labels.ReuseNone) != known {
			t.Errorf("%q: %q %v", body, state, err)
		}
	}
	g := newFake(t)
	g.say(12, maintainer, "/use 7\n/reuse-sweep-run 8\n`/use 9`, and /use 99999999999999999999")
	pinned, err := ReuseMentions{g}.Pinned(ctx, &PullRequest{Number: 12})
	if diff := cmp.Diff([]int64{7, 8, 9, 999999999999999999}, pinned); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
