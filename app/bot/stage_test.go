package bot

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// stage is a repository with one pull request, number 12, and the bot that
// watches it.
type stage struct {
	*fakeGitHub
	t       tester
	host    *fakeHost
	planner *samplePlanner
	bot     *Bot
	// git runs a command in the clone of a stage with sign-offs.
	git func(args ...string) string
	// deliveries counts the events of people.
	deliveries int
}

// author opens pull requests, maintainer may write, bystander may not.
var (
	author     = User{ID: 100, Login: "author"}
	maintainer = User{ID: 200, Login: "maintainer"}
	bystander  = User{ID: 300, Login: "bystander"}
)

func newStage(t tester, setting Setting) *stage {
	g := newFake(t)
	s := &stage{fakeGitHub: g, t: t, host: &fakeHost{}, planner: &samplePlanner{files: map[string]string{
		".github/workflows/e2e-tests.yml": "on:\n  workflow_dispatch:\n    inputs:\n      test-name: {}\n      ref: {}\n      changelog-base-ref: {}\n" +
			"      changelog-head-ref: {}\n      fail-fast: {}\n      agentx-fast: {}\n",
		".github/workflows/run-sweep.yml": "on:\n  workflow_dispatch:\n    inputs:\n      title: {}\n      plan-id: {}\n",
	}}}
	g.pulls[12] = &PullRequest{
		Number: 12, URL: site + "/pull/12", State: "open", Author: author, BaseBranch: "main", BaseSHA: shaC,
		HeadRepo: repoName, HeadBranch: "topic", HeadSHA: shaA, MergeSHA: strings.Repeat("e4", 20), CreatedAt: epoch, UpdatedAt: epoch,
	}
	g.commits[12] = []string{shaA}
	for _, sha := range []string{shaA, shaB, shaC} {
		g.messages[sha] = "a commit"
	}
	g.changed = []string{"perf-changelog.yaml", "configs/aurora-master.yaml"}
	g.permissions = map[string]string{"maintainer": "maintain", "author": "read"}
	s.bot = &Bot{
		GitHub: g, Planner: s.planner, Reuse: ReuseMentions{g}, Setting: setting,
		Options: Options{Repository: repoName, Self: []int64{botID}, Dispatches: setting == AsApp},
	}
	return s
}

func (s *stage) pr() *PullRequest { return s.pulls[12] }

// label changes a label of the pull request, as a person does, and returns the
// event.
func (s *stage) label(person User, action, name string) Delivery {
	s.clock = s.clock.Add(time.Minute)
	pr := s.pr()
	pr.Labels = slices.DeleteFunc(slices.Clone(pr.Labels), func(l string) bool { return l == name })
	if action == labels.Labeled {
		pr.Labels = append(pr.Labels, name)
	}
	s.labelEvents[12] = append(s.labelEvents[12], LabelEvent{ID: s.id(), Label: name, Added: action == labels.Labeled, Actor: person, CreatedAt: s.clock})
	d := s.event(action, person)
	d.Label = name
	return d
}

// push moves the head of the pull request.
func (s *stage) push(sha string) Delivery {
	s.clock = s.clock.Add(time.Minute)
	s.pr().HeadSHA = sha
	s.commits[12] = append(s.commits[12], sha)
	return s.event(labels.Synchronize, author)
}

// event is an event on the pull request as it is now.
func (s *stage) event(action string, sender User) Delivery {
	s.deliveries++
	pr := *s.pr()
	pr.Labels = slices.Clone(pr.Labels)
	id := "delivery-" + string(rune('a'+s.deliveries%26)) + string(rune('a'+s.deliveries/26))
	if s.bot.Setting == InActions {
		id = "77"
	}
	return Delivery{Name: labels.PullRequest, Action: action, ID: id, Repository: repoName, Sender: sender, PR: &pr}
}

// fork makes the pull request one from a fork.
func (s *stage) fork() {
	s.pr().HeadRepo = "author/sample-bench"
}

// start lets GitHub create a run of the sweep workflow for the pull request.
func (s *stage) start(actor User) *Run {
	pr := s.pr()
	s.runs = append(s.runs, Run{
		ID: s.id(), Attempt: 1, Title: "Run Sweep - title", Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "queued",
		HeadRepo: pr.HeadRepo, HeadBranch: pr.HeadBranch, HeadSHA: pr.HeadSHA, Actor: actor, Trigger: actor, CreatedAt: s.clock.Add(2 * time.Second),
		UpdatedAt: s.clock.Add(2 * time.Second),
	})
	return &s.runs[len(s.runs)-1]
}

// runEvent is the event about a run as it is now.
func (s *stage) runEvent(r *Run) Delivery {
	run := *r
	return Delivery{Name: "workflow_run", Action: run.Status, ID: "88", Repository: repoName, Run: &run}
}

// finish ends a run with green points and their upload.
func (s *stage) finish(r *Run, points ...string) {
	r.Status, r.Conclusion = "completed", "success"
	r.UpdatedAt = r.UpdatedAt.Add(time.Hour)
	for i, name := range points {
		s.jobs[r.ID] = append(s.jobs[r.ID], job(int64(i+1), name, "success"))
	}
	s.artifacts[r.ID] = []Artifact{{ID: 1, Name: "results_bmk", RunID: r.ID}}
}

// handle decides an event and performs what follows.
func (s *stage) handle(d Delivery) (Decided, Results) {
	s.t.Helper()
	decided, err := s.bot.Decide(context.Background(), d)
	if err != nil {
		s.t.Fatalf("%s %s: %v", d.Name, d.Action, err)
	}
	w := s.world()
	if s.bot.Setting == InActions {
		w.Host = s.host
	}
	results, err := (&Executor{World: w, Journal: &MemoryJournal{}}).Perform(context.Background(), decided.Intents)
	if err != nil {
		s.t.Fatal(err)
	}
	return decided, results
}

// live are the unfinished runs.
func (s *stage) live() []Run {
	return slices.DeleteFunc(slices.Clone(s.runs), func(r Run) bool { return r.Status == "completed" })
}

// codes are the codes of reasons.
func codes(d Decided) string {
	var out []string
	for _, f := range d.Reasons {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

// kinds are the kinds of effects, in order.
func kinds(results Results) string {
	var out []string
	for _, r := range results {
		out = append(out, r.Kind())
	}
	return strings.Join(slices.Compact(out), " ")
}

// only fails the test when anything but reading was asked of GitHub.
func (s *stage) onlyRead() {
	s.t.Helper()
	for _, method := range s.log {
		switch method {
		case "CreateComment", "UpdateComment", "DeleteComment", "React", "CreateCheckRun", "UpdateCheckRun", "SetStatus", "Dispatch", "CancelRun", "RerunFailed":
			s.t.Errorf("%s writes to GitHub", method)
		}
	}
}

// fixedReuse answers as a test wants.
type fixedReuse struct {
	state  labels.Reuse
	pinned []int64
	err    error
}

func (r fixedReuse) State(context.Context, *PullRequest) (labels.Reuse, error) { return r.state, r.err }

func (r fixedReuse) Pinned(context.Context, *PullRequest) ([]int64, error) { return r.pinned, r.err }

const failFast = "full-sweep-fail-fast"

// settings changes the settings of the base branch.
func (s *stage) settings(adapt func(*config.Settings)) { s.planner.adapt = adapt }
