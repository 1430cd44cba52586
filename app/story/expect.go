package story

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/catalog"
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
	checks    []bot.CheckRun // of the plan
	sweeps    []bot.CheckRun // of the sweep
	marked    []mark         // annotations of the newest of sweeps
}

// mark is an annotation of a check run.
type mark struct {
	Path    string `json:"path"`
	Line    int    `json:"start_line"`
	Message string `json:"message"`
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
	if f.checks, err = gh.CheckRuns(ctx, f.pull.HeadSHA, "sweepbot / plan"); err != nil {
		return nil, err
	}
	if f.sweeps, err = gh.CheckRuns(ctx, f.pull.HeadSHA, sweepName); err != nil {
		return nil, err
	}
	if len(f.sweeps) > 0 {
		if f.marked, err = s.marks(ctx, f.sweeps[0].ID); err != nil {
			return nil, err
		}
	}
	if len(f.runs) == 0 {
		return f, nil
	}
	run := f.runs[0].ID
	if f.jobs, err = gh.Jobs(ctx, run, 0); err != nil {
		return nil, err
	}
	f.artifacts, err = gh.Artifacts(ctx, run)
	return f, err
}

// sweepName is the name of the check run that mirrors a dispatched sweep.
const sweepName = "sweepbot / sweep"

// marks are the annotations of a check run, which GitHub has a list of their
// own for.
func (s *Stage) marks(ctx context.Context, check int64) ([]mark, error) {
	token, err := s.github.Token(author)
	if err != nil {
		return nil, err
	}
	address := s.github.URL() + "/api/v3/repos/" + repository + "/check-runs/" + strconv.FormatInt(check, 10) + "/annotations?per_page=100"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var out []mark
	return out, json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&out)
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
		failed = append(failed, diag.New("story.does-not-hold", diag.Place{}, "what", what.Message(s.language()), "got", diag.Printable(got)))
	}
	return failed, nil
}

// language is that of texts within texts.
func (s *Stage) language() catalog.Language { return cmp.Or(s.options.Language, catalog.English) }

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

// reported expects the check runs of plan and sweep on the head commit to be
// green, to lead to the run, and to name the plan that its title names; and
// nothing else of that name, since branch rules would ask for both.
func reported(f *facts) (string, bool) {
	if len(f.checks) != 1 || f.checks[0].Conclusion != "success" || len(f.sweeps) != 1 || len(f.runs) != 1 {
		return fmt.Sprintf("%d and %d check runs, %d runs", len(f.checks), len(f.sweeps), len(f.runs)), false
	}
	sweep, run := f.sweeps[0], f.runs[0]
	_, id, _ := strings.Cut(strings.TrimSuffix(run.Title, "]"), "[")
	named := id != "" && strings.Contains(sweep.Summary, "`"+id+"`") && strings.Contains(f.checks[0].Summary, "`"+id+"`")
	leads := strings.HasSuffix(sweep.DetailsURL, "/actions/runs/"+strconv.FormatInt(run.ID, 10))
	ok := sweep.Conclusion == "success" && named && leads && len(f.statuses) == 0
	return fmt.Sprintf("%s, %s, plan %s named: %v, %d statuses", sweep.Conclusion, sweep.DetailsURL, id, named, len(f.statuses)), ok
}

// tabled expects the comment to show so many measurements and evals, and to
// lead to the report with its plots.
func tabled(f *facts, rows, evals int) (string, bool) {
	at := slices.IndexFunc(f.artifacts, func(a bot.Artifact) bool { return a.Name == "sweep-report" })
	comments := f.byBot("progress")
	if at < 0 || len(comments) != 1 {
		return strconv.Itoa(len(comments)) + " comments, report " + strconv.Itoa(at), false
	}
	body := comments[0].Body
	for _, want := range []string{
		fmt.Sprintf("Measurements (%d)", rows), fmt.Sprintf("Evals (%d)", evals), "Pareto curves: ",
		"/artifacts/" + strconv.FormatInt(f.artifacts[at].ID, 10) + ")", fmt.Sprintf("测量结果（%d）", rows),
	} {
		if !strings.Contains(body, want) {
			return "without " + want, false
		}
	}
	return "", true
}

// markedAt expects one failed point to be marked at a line of the config of the
// head, with a link to its job.
func markedAt(f *facts, conc string) (string, bool) {
	if len(f.marked) != 1 || len(f.sweeps) == 0 || f.sweeps[0].Conclusion != "failure" {
		return fmt.Sprintf("%d check runs, %+v", len(f.sweeps), f.marked), false
	}
	m := f.marked[0]
	text, err := appended(masterFile, file("nine-points-config.yaml"))
	lines := strings.Split(text, "\n")
	ok := err == nil && m.Path == masterFile && m.Line <= len(lines) && strings.Contains(lines[m.Line-1], "spec-decoding: mtp") &&
		strings.Contains(m.Message, " "+conc+"\n") && strings.Contains(m.Message, "/job/")
	return fmt.Sprintf("%s:%d %s", m.Path, m.Line, m.Message), ok
}
