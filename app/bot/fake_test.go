package bot

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sweepbot/sweepbot/config"
)

// botID is our account in these tests, repoName the repository.
const (
	botID    = 41898282
	repoName = "example/sample-bench"
)

// epoch is when the stories of these tests begin.
var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// tester is what fakes need of a test; those of rapid are testers too.
type tester interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// fakeGitHub is a repository on GitHub in memory. What a test did not put
// there fails the test, so that no handler reads unnoticed.
type fakeGitHub struct {
	t  tester
	mu sync.Mutex

	pulls       map[int]*PullRequest
	commits     map[int][]string
	labelEvents map[int][]LabelEvent
	messages    map[string]string
	changed     []string
	permissions map[string]string

	comments  map[int][]Comment
	reactions map[string]bool
	checks    []CheckRun
	statuses  map[string][]Status
	runs      []Run // newest last
	jobs      map[int64][]Job
	artifacts map[int64][]Artifact
	archives  map[int64][]byte

	// started are the inputs of dispatches, in order; canceled the runs.
	started  []map[string]string
	canceled []int64

	// calls counts requests by method, pages included.
	calls map[string]int
	// log has the methods in order.
	log []string
	// fail returns the error of the n-th call of a method, nil for none.
	fail func(method string, n int) error
	// after is called when a method has done its work.
	after func(method string, n int)
	// lag hides what was written from so many reads of a list.
	lag    int
	hidden map[int64]int
	// unnamed makes dispatches name no run.
	unnamed bool

	nextID int64
	clock  time.Time
}

func newFake(t tester) *fakeGitHub {
	return &fakeGitHub{
		t: t, pulls: map[int]*PullRequest{}, commits: map[int][]string{}, labelEvents: map[int][]LabelEvent{},
		messages: map[string]string{}, permissions: map[string]string{}, comments: map[int][]Comment{},
		reactions: map[string]bool{}, statuses: map[string][]Status{}, jobs: map[int64][]Job{}, artifacts: map[int64][]Artifact{},
		calls: map[string]int{}, hidden: map[int64]int{}, nextID: 1000, clock: epoch,
	}
}

// call notes a request and returns the error that the test asked for.
func (g *fakeGitHub) call(method string, items int) error {
	g.mu.Lock()
	g.calls[method] += max(1, (items+99)/100)
	g.log = append(g.log, method)
	n := 0
	for _, m := range g.log {
		if m == method {
			n++
		}
	}
	fail := g.fail
	g.mu.Unlock()
	if fail != nil {
		return fail(method, n)
	}
	return nil
}

func (g *fakeGitHub) done(method string) {
	if g.after != nil {
		g.after(method, g.calls[method])
	}
}

func (g *fakeGitHub) total() int {
	n := 0
	for _, c := range g.calls {
		n += c
	}
	return n
}

func (g *fakeGitHub) id() int64 { g.nextID++; return g.nextID }

// seen tells whether a list shows something that was just written.
func (g *fakeGitHub) seen(id int64) bool {
	if g.hidden[id] > 0 {
		g.hidden[id]--
		return false
	}
	return true
}

func (g *fakeGitHub) PullRequest(_ context.Context, number int) (PullRequest, error) {
	if err := g.call("PullRequest", 1); err != nil {
		return PullRequest{}, err
	}
	defer g.done("PullRequest")
	pr, ok := g.pulls[number]
	if !ok {
		return PullRequest{}, ErrNotFound
	}
	out := *pr
	out.Labels = slices.Clone(pr.Labels)
	return out, nil
}

func (g *fakeGitHub) PullRequestsFor(_ context.Context, repo, branch, _ string) ([]PullRequest, error) {
	if err := g.call("PullRequestsFor", 1); err != nil {
		return nil, err
	}
	var out []PullRequest
	for _, n := range slices.Sorted(maps.Keys(g.pulls)) {
		if pr := g.pulls[n]; pr.State == "open" && pr.HeadRepo == repo && pr.HeadBranch == branch {
			out = append(out, *pr)
		}
	}
	return out, nil
}

func (g *fakeGitHub) PullRequestCommits(_ context.Context, number int) ([]string, error) {
	return slices.Clone(g.commits[number]), g.call("PullRequestCommits", len(g.commits[number]))
}

func (g *fakeGitHub) LabelEvents(_ context.Context, number int) ([]LabelEvent, error) {
	return slices.Clone(g.labelEvents[number]), g.call("LabelEvents", len(g.labelEvents[number]))
}

func (g *fakeGitHub) CommitMessage(_ context.Context, sha string) (string, error) {
	if err := g.call("CommitMessage", 1); err != nil {
		return "", err
	}
	message, ok := g.messages[sha]
	if !ok {
		g.t.Errorf("nobody gave commit %q a message", sha)
	}
	return message, nil
}

func (g *fakeGitHub) ReadFile(_ context.Context, sha, path string) ([]byte, error) {
	g.t.Errorf("nobody gave %s at %s content", path, sha)
	return nil, fs.ErrNotExist
}

func (g *fakeGitHub) ChangedFiles(context.Context, string, string) ([]string, bool, error) {
	return g.changed, true, g.call("ChangedFiles", len(g.changed))
}

func (g *fakeGitHub) Comments(_ context.Context, number int) ([]Comment, error) {
	if err := g.call("Comments", len(g.comments[number])); err != nil {
		return nil, err
	}
	defer g.done("Comments")
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []Comment
	for _, c := range g.comments[number] {
		if g.seen(c.ID) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (g *fakeGitHub) Comment(_ context.Context, id int64) (Comment, error) {
	if err := g.call("Comment", 1); err != nil {
		return Comment{}, err
	}
	defer g.done("Comment")
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := g.comment(id); c != nil {
		return *c, nil
	}
	return Comment{}, ErrNotFound
}

func (g *fakeGitHub) comment(id int64) *Comment {
	for number := range g.comments {
		for i := range g.comments[number] {
			if g.comments[number][i].ID == id {
				return &g.comments[number][i]
			}
		}
	}
	return nil
}

// say puts a comment into a conversation.
func (g *fakeGitHub) say(number int, author User, body string) Comment {
	g.clock = g.clock.Add(time.Second)
	c := Comment{ID: g.id(), Author: author, Body: body, CreatedAt: g.clock, UpdatedAt: g.clock}
	g.comments[number] = append(g.comments[number], c)
	return c
}

func (g *fakeGitHub) CreateComment(_ context.Context, number int, body string) (Comment, error) {
	if err := g.writable("CreateComment", body); err != nil {
		return Comment{}, err
	}
	g.mu.Lock()
	c := g.say(number, User{ID: botID, Login: "github-actions[bot]", Bot: true}, body)
	g.hidden[c.ID] = g.lag
	g.mu.Unlock()
	g.done("CreateComment")
	return c, nil
}

func (g *fakeGitHub) writable(method, body string) error {
	if err := g.call(method, 1); err != nil {
		return err
	}
	if len([]rune(body)) > maxComment {
		g.t.Errorf("a comment of %d characters", len([]rune(body)))
	}
	return nil
}

func (g *fakeGitHub) UpdateComment(_ context.Context, id int64, body string) error {
	if err := g.writable("UpdateComment", body); err != nil {
		return err
	}
	g.mu.Lock()
	c := g.comment(id)
	if c != nil {
		if c.Author.ID != botID {
			g.t.Errorf("the comment of %s was rewritten", c.Author.Login)
		}
		c.Body = body
	}
	g.mu.Unlock()
	g.done("UpdateComment")
	if c == nil {
		return ErrNotFound
	}
	return nil
}

func (g *fakeGitHub) DeleteComment(_ context.Context, id int64) error {
	if err := g.call("DeleteComment", 1); err != nil {
		return err
	}
	c := g.comment(id)
	if c == nil {
		return ErrNotFound
	}
	if c.Author.ID != botID {
		g.t.Errorf("the comment of %s was deleted", c.Author.Login)
	}
	g.remove(id)
	return nil
}

func (g *fakeGitHub) remove(id int64) {
	for number := range g.comments {
		g.comments[number] = slices.DeleteFunc(g.comments[number], func(c Comment) bool { return c.ID == id })
	}
}

func (g *fakeGitHub) React(_ context.Context, id int64, content string) error {
	if err := g.call("React", 1); err != nil {
		return err
	}
	g.reactions[fmt.Sprint(id, " ", content)] = true
	return nil
}

func (g *fakeGitHub) CheckRuns(_ context.Context, sha, name string) ([]CheckRun, error) {
	if err := g.call("CheckRuns", 1); err != nil {
		return nil, err
	}
	var out []CheckRun
	for _, r := range g.checks {
		if r.HeadSHA == sha && r.Name == name {
			r.Annotations = nil // as GitHub lists them
			out = append(out, r)
		}
	}
	return out, nil
}

func (g *fakeGitHub) CreateCheckRun(_ context.Context, run CheckRun) (CheckRun, error) {
	if err := g.fits("CreateCheckRun", run); err != nil {
		return CheckRun{}, err
	}
	run.ID = g.id()
	g.checks = append(g.checks, run)
	return run, nil
}

func (g *fakeGitHub) fits(method string, run CheckRun) error {
	if err := g.call(method, 1); err != nil {
		return err
	}
	if len(run.Annotations) > 50 || len([]rune(run.Summary)) > 65_535 || len([]rune(run.Text)) > 65_535 {
		g.t.Errorf("%d annotations, a summary of %d and a text of %d characters", len(run.Annotations), len(run.Summary), len(run.Text))
	}
	for _, a := range run.Annotations {
		if a.StartLine < 1 || a.Path == "" {
			g.t.Errorf("annotation at %q line %d", a.Path, a.StartLine)
		}
	}
	return nil
}

func (g *fakeGitHub) UpdateCheckRun(_ context.Context, run CheckRun) error {
	if err := g.fits("UpdateCheckRun", run); err != nil {
		return err
	}
	for i := range g.checks {
		if g.checks[i].ID == run.ID {
			run.Annotations = append(g.checks[i].Annotations, run.Annotations...)
			g.checks[i] = run
			return nil
		}
	}
	return ErrNotFound
}

func (g *fakeGitHub) SetStatus(_ context.Context, sha string, s Status) error {
	if err := g.call("SetStatus", 1); err != nil {
		return err
	}
	if len([]rune(s.Description)) > 140 {
		g.t.Errorf("a description of %d characters", len([]rune(s.Description)))
	}
	s.Creator = User{ID: botID}
	g.statuses[sha] = append([]Status{s}, g.statuses[sha]...)
	return nil
}

func (g *fakeGitHub) Statuses(_ context.Context, sha string) ([]Status, error) {
	return slices.Clone(g.statuses[sha]), g.call("Statuses", len(g.statuses[sha]))
}

func (g *fakeGitHub) WorkflowRuns(_ context.Context, workflow string, f RunFilter) ([]Run, error) {
	if err := g.call("WorkflowRuns", 1); err != nil {
		return nil, err
	}
	var out []Run
	for _, r := range slices.Backward(g.runs) {
		if strings.HasSuffix(r.Workflow, "/"+workflow) && (f.Event == "" || f.Event == r.Event) && (f.HeadSHA == "" || f.HeadSHA == r.HeadSHA) &&
			(f.Status == "" || f.Status == r.Status || f.Status == r.Conclusion) && (f.Branch == "" || f.Branch == r.HeadBranch) &&
			!r.CreatedAt.Before(f.Since) && g.seen(r.ID) {
			out = append(out, r)
		}
	}
	return out, nil
}

func (g *fakeGitHub) run(id int64) *Run {
	for i := range g.runs {
		if g.runs[i].ID == id {
			return &g.runs[i]
		}
	}
	return nil
}

func (g *fakeGitHub) WorkflowRun(_ context.Context, id int64) (Run, error) {
	if err := g.call("WorkflowRun", 1); err != nil {
		return Run{}, err
	}
	if r := g.run(id); r != nil {
		return *r, nil
	}
	return Run{}, ErrNotFound
}

func (g *fakeGitHub) Jobs(_ context.Context, id int64, _ int) ([]Job, error) {
	return slices.Clone(g.jobs[id]), g.call("Jobs", len(g.jobs[id]))
}

func (g *fakeGitHub) Artifacts(_ context.Context, id int64) ([]Artifact, error) {
	return slices.Clone(g.artifacts[id]), g.call("Artifacts", len(g.artifacts[id]))
}

func (g *fakeGitHub) OpenArtifact(_ context.Context, id int64) (io.ReadCloser, error) {
	if err := g.call("OpenArtifact", 1); err != nil {
		return nil, err
	}
	data, ok := g.archives[id]
	if !ok {
		g.t.Errorf("nobody uploaded artifact %d", id)
		return nil, ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// shown is the check run of a name that GitHub shows on a commit: the newest.
func (g *fakeGitHub) shown(sha, name string) CheckRun {
	var newest CheckRun
	for _, c := range g.checks {
		if c.HeadSHA == sha && c.Name == name && c.ID > newest.ID {
			newest = c
		}
	}
	return newest
}

func (g *fakeGitHub) Dispatch(_ context.Context, workflow, ref string, inputs map[string]string) (int64, error) {
	if err := g.call("Dispatch", 1); err != nil {
		return 0, err
	}
	g.clock = g.clock.Add(time.Second)
	title := inputs["title"]
	if name := inputs["test-name"]; name != "" {
		title = "e2e Test - " + name
	}
	run := Run{
		ID: g.id(), Attempt: 1, Title: title, Workflow: ".github/workflows/" + workflow, Event: "workflow_dispatch", Status: "queued",
		HeadRepo: repoName, HeadBranch: ref, HeadSHA: strings.Repeat("d", 40), CreatedAt: g.clock, UpdatedAt: g.clock,
	}
	g.runs = append(g.runs, run)
	g.started = append(g.started, inputs)
	g.hidden[run.ID] = g.lag
	g.done("Dispatch")
	if g.unnamed {
		return 0, nil
	}
	return run.ID, nil
}

func (g *fakeGitHub) CancelRun(_ context.Context, id int64) error {
	if err := g.call("CancelRun", 1); err != nil {
		return err
	}
	r := g.run(id)
	switch {
	case r == nil:
		return ErrNotFound
	case r.Status == "completed":
		return ErrConflict
	}
	r.Status, r.Conclusion = "completed", "cancelled"
	g.canceled = append(g.canceled, id)
	return nil
}

func (g *fakeGitHub) RerunFailed(_ context.Context, id int64) error {
	if err := g.call("RerunFailed", 1); err != nil {
		return err
	}
	r := g.run(id)
	switch {
	case r == nil:
		return ErrNotFound
	case r.Status != "completed":
		return ErrConflict
	}
	r.Status, r.Conclusion, r.Attempt = "queued", "", r.Attempt+1
	return nil
}

func (g *fakeGitHub) Permission(_ context.Context, login string) (string, error) {
	if err := g.call("Permission", 1); err != nil {
		return "", err
	}
	return g.permissions[login], nil
}

// bodies are our comments of a pull request.
func (g *fakeGitHub) bodies(number int) []string {
	var out []string
	for _, c := range g.comments[number] {
		if c.Author.ID == botID {
			out = append(out, c.Body)
		}
	}
	return out
}

// world is the fake as effects see it. Its waits take no time.
func (g *fakeGitHub) world() *World {
	return &World{
		GitHub: g, Repository: repoName, Self: []int64{botID},
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// samplePlanner plans the sample repository, whatever commits it is asked for.
// Its pull request is number 12; any other has the wrong link in its entry.
type samplePlanner struct {
	adapt func(*config.Settings)
	err   error
	plans int
	files map[string]string
	// shrink is the size of a job's outputs, 0 for the usual.
	shrink int
}

// sampleSettings are those of the sample, read once; their lists are shared
// and left as they are.
var sampleSettings = sync.OnceValues(func() (config.Settings, error) {
	return (&samplePlanner{}).workspace().Settings(context.Background(), "")
})

func (p *samplePlanner) Settings(context.Context, string) (config.Settings, error) {
	s, err := sampleSettings()
	if p.adapt != nil {
		p.adapt(&s)
	}
	return s, err
}

func (p *samplePlanner) workspace() WorkspacePlanner {
	w, err := OpenWorkspace(context.Background(), "../../testdata/sample")
	if err != nil {
		panic(err)
	}
	return WorkspacePlanner{Workspace: w}
}

func (p *samplePlanner) Plan(ctx context.Context, o PlanOrder) (Planned, error) {
	p.plans++
	if p.err != nil {
		return Planned{}, p.err
	}
	o.Base, o.Head = "", ""
	planned, err := samplePlan(ctx, p, o)
	if p.shrink != 0 {
		planned.Settings.Limits.OutputChars = p.shrink
	}
	return planned, err
}

// planned remembers plans of the sample, which are the same each time.
var planned sync.Map

func samplePlan(ctx context.Context, p *samplePlanner, o PlanOrder) (Planned, error) {
	key := fmt.Sprintf("%+v", o)
	if known, ok := planned.Load(key); ok {
		return known.(Planned), nil
	}
	plan, err := p.workspace().Plan(ctx, o)
	if err == nil {
		planned.Store(key, plan)
	}
	return plan, err
}

// Changed has no commits, so that GitHub is asked.
func (p *samplePlanner) Changed(context.Context, string, string) ([]string, error) {
	return nil, fs.ErrNotExist
}

func (p *samplePlanner) BaseFile(_ context.Context, name string) ([]byte, error) {
	text, ok := p.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}
