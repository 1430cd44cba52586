package story

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// facts are what is there at the end of a story, as GitHub tells it to a
// person who may only look.
type facts struct {
	pull     sandbox.PullState
	comments []sandbox.CommentState
	runs     []bot.Run
	// Of the newest run:
	jobs      []bot.Job
	artifacts []bot.Artifact
	statuses  []bot.Status
	checks    []bot.CheckRun // with the name of our check
}

func (s *Stage) facts(ctx context.Context) (*facts, error) {
	gh, err := s.api(ctx, author)
	if err != nil {
		return nil, err
	}
	f := &facts{comments: s.github.Comments(s.pull)}
	f.pull, _ = s.github.Pull(s.pull)
	if f.runs, err = gh.WorkflowRuns(ctx, sweepWorkflow, bot.RunFilter{}); err != nil {
		return nil, err
	}
	if f.statuses, err = gh.Statuses(ctx, f.pull.HeadSHA); err != nil {
		return nil, err
	}
	if f.checks, err = gh.CheckRuns(ctx, f.pull.HeadSHA, "sweepbot / plan"); err != nil || len(f.runs) == 0 {
		return f, err
	}
	run := f.runs[0].ID
	if f.jobs, err = gh.Jobs(ctx, run, 0); err != nil {
		return nil, err
	}
	f.artifacts, err = gh.Artifacts(ctx, run)
	return f, err
}

// expectation is one thing that must hold. got says what is there instead.
type expectation struct {
	code  string
	holds func(f *facts) (got string, ok bool)
}

// judge holds the end of a story against expectations, and tells of those that
// hold.
func (s *Stage) judge(ctx context.Context, expected []expectation) (diag.List, error) {
	f, err := s.facts(ctx)
	if err != nil {
		return nil, err
	}
	var failed diag.List
	for _, e := range expected {
		got, ok := e.holds(f)
		if ok {
			s.tell(e.code)
			continue
		}
		what := diag.New(e.code, diag.Place{})
		failed = append(failed, diag.New("story.does-not-hold", diag.Place{}, "what", what.Message("en"), "got", diag.Printable(got)))
	}
	return failed, nil
}

// byBot are the comments of sweepbot with a marker of a topic.
func (f *facts) byBot(topic string) []sandbox.CommentState {
	var out []sandbox.CommentState
	for _, c := range f.comments {
		if c.Author == "sweepbot[bot]" && strings.Contains(c.Body, "<!-- sweepbot:"+topic+" ") {
			out = append(out, c)
		}
	}
	return out
}

// once expects exactly one comment of a topic.
func once(code, topic string) expectation {
	return expectation{code, func(f *facts) (string, bool) {
		n := len(f.byBot(topic))
		return strconv.Itoa(n), n == 1
	}}
}

// lanes are how the names of the jobs end that call those of points
// (spec/labels-and-sweeps.md section 8).
var lanes = []string{"canary", "agentic", "eval", "1k1k", "8k1k"}

// priority is what the workflow files put before a title for the scheduler.
var priority = pattern.Lazy(`^p\d+(?:\.\d+)? \| `)

// pointOf returns the title of the point that a job measures, without its
// priority.
func pointOf(job string) (title string, ok bool) {
	parts := strings.Split(job, " /")
	for _, part := range parts[:len(parts)-1] {
		words := strings.Fields(part)
		if len(words) > 0 && slices.Contains(lanes, words[len(words)-1]) {
			title = strings.TrimSpace(parts[len(parts)-1])
			return priority().ReplaceAllString(title, ""), true
		}
	}
	return "", false
}

// titles are the titles of the points that have jobs, sorted.
func (f *facts) titles() []string {
	var out []string
	for _, j := range f.jobs {
		if title, ok := pointOf(j.Name); ok {
			out = append(out, title)
		}
	}
	slices.Sort(out)
	return out
}

// canaryFirst expects that no other point started before the canary was over.
func canaryFirst(f *facts) (string, bool) {
	at := slices.IndexFunc(f.jobs, func(j bot.Job) bool { return strings.Contains(j.Name, "canary / ") })
	if at < 0 {
		return "no canary", false
	}
	canary := f.jobs[at]
	for _, j := range f.jobs {
		if _, ok := pointOf(j.Name); ok && j.ID != canary.ID && j.StartedAt.Before(canary.CompletedAt) {
			return j.Name, false
		}
	}
	return canary.Conclusion, canary.Conclusion == "success"
}

// allGreen expects that every job of the only run succeeded.
func allGreen(f *facts) (string, bool) {
	if len(f.runs) != 1 {
		return strconv.Itoa(len(f.runs)) + " runs", false
	}
	for _, j := range f.jobs {
		if j.Conclusion != "success" {
			return j.Name + ": " + j.Conclusion, false
		}
	}
	return f.runs[0].Conclusion, f.runs[0].Conclusion == "success" && len(f.jobs) > 0
}

// reported expects the check run and the status of the head commit to be green.
func reported(f *facts) (string, bool) {
	if len(f.checks) != 1 || f.checks[0].Conclusion != "success" {
		return strconv.Itoa(len(f.checks)) + " check runs", false
	}
	for _, s := range f.statuses {
		if s.Context == "sweepbot / sweep" {
			return s.State, s.State == "success" // the newest comes first
		}
	}
	return "no status", false
}
