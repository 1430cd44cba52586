package story

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results"
)

// engine plays the jobs of the sweep workflow: it plans the dispatched commit
// and runs the points on this machine, each as a job.
type engine struct {
	dir         string // one folder for each run is made in it
	environment []string
	tell        func(code string, args ...string)
}

// sweep is one run of the engine.
type sweep struct {
	engine *engine
	req    sandbox.RunRequest
	dir    string
	plan   *localrun.Plan
	titles map[string]string // of jobs, by point
	canary string            // id, "" for none
	// rules and bars are those of the base branch.
	rules results.Rules
	bars  results.Thresholds
	pull  int // number of the pull request

	// Only the callbacks of the local runner touch these, one at a time.
	jobs     map[string]*sandbox.JobHandle
	names    map[string]string // of the jobs, with their families
	outcomes []results.Job
	done     int
}

// Start runs one attempt of the sweep workflow; other workflows have no jobs
// here.
func (e *engine) Start(ctx context.Context, req sandbox.RunRequest) {
	if req.WorkflowPath != sweepWorkflow {
		return
	}
	req.Handle.SetTitle(req.Inputs["title"])
	s := &sweep{
		engine: e, req: req, dir: filepath.Join(e.dir, "run-"+strconv.FormatInt(req.RunID, 10)+"-"+strconv.Itoa(req.Attempt)),
		titles: make(map[string]string), jobs: make(map[string]*sandbox.JobHandle), names: make(map[string]string),
	}
	setup := req.Handle.StartJob(sandbox.JobSpec{Name: "setup", Labels: []string{"ubuntu-latest"}, Runner: "sandbox"})
	options, err := s.prepare(ctx, setup)
	if conclude(setup, err) {
		return
	}
	s.run(ctx, options)
}

// conclude ends a job by an error, and reports whether there was one.
func conclude(job *sandbox.JobHandle, err error) (failed bool) {
	if err == nil {
		job.Finish("success")
		return false
	}
	job.Log("%s", diag.Printable(err.Error()))
	job.Finish("failure")
	return true
}

// prepare checks the dispatched commit out and plans it.
func (s *sweep) prepare(ctx context.Context, job *sandbox.JobHandle) (localrun.Options, error) {
	base, head := s.req.Inputs["base-sha"], s.req.Inputs["head-sha"]
	job.StartStep("Check out " + head[:min(12, len(head))])
	repo := filepath.Join(s.dir, "repo")
	if err := checkOut(ctx, repo, s.req.CloneURL, base, head); err != nil {
		return localrun.Options{}, err
	}
	job.FinishStep("success")
	job.StartStep("Plan the sweep")
	w, err := bot.OpenWorkspace(ctx, repo)
	if err != nil {
		return localrun.Options{}, err
	}
	defer w.Close()
	change, err := w.Change(ctx, base, head)
	if err != nil {
		return localrun.Options{}, err
	}
	order := bot.PlanOrder{Base: base, Head: head}
	if err := json.Unmarshal([]byte(s.req.Inputs["labels"]), &order.Labels); err != nil {
		return localrun.Options{}, err
	}
	if order.PR, err = strconv.Atoi(s.req.Inputs["pull-request"]); err != nil {
		return localrun.Options{}, err
	}
	s.pull = order.PR
	planned, err := bot.WorkspacePlanner{Workspace: w}.Plan(ctx, order)
	switch {
	case err != nil:
		return localrun.Options{}, err
	case planned.Plan == nil:
		return localrun.Options{}, planned.Findings
	}
	var shown strings.Builder
	if err := bot.RenderPlan(&shown, planned, bot.TableStyle{Columns: 120}); err != nil {
		return localrun.Options{}, err
	}
	job.Log("%s", shown.String())
	return s.options(repo, planned, change)
}

// options are those of the local runner.
func (s *sweep) options(repo string, planned bot.Planned, change matrix.Change) (localrun.Options, error) {
	for _, f := range planned.Families {
		for _, r := range f.Rows {
			s.titles[bot.PointID(f.Bucket, r)] = bot.JobTitle(r)
		}
	}
	var err error
	if s.plan, err = localrun.ReadPlan(bot.PlanDocument(planned)); err != nil {
		return localrun.Options{}, err
	}
	s.canary = s.plan.Canary
	project, err := planned.Settings.Layout.Root(change.Head.Files)
	if err != nil {
		return localrun.Options{}, err
	}
	inventory, list := matrix.ReadRunners(planned.Settings, change.Head.Files)
	if list.Refused() {
		return localrun.Options{}, list
	}
	thresholds, err := change.Base.Files.ReadFile(path.Join(project, planned.Settings.Layout.Thresholds))
	if err != nil {
		return localrun.Options{}, err
	}
	s.rules = results.August()
	if planned.Settings.Matrix.AggregateWorker {
		s.rules = results.Newest()
	}
	if s.bars, list = results.ReadThresholds(planned.Settings.Layout.Thresholds, thresholds); list.Refused() {
		return localrun.Options{}, list
	}
	return localrun.Options{
		Plan: s.plan, Out: filepath.Join(s.dir, "out"), Jobs: sideBySide, Grace: time.Second, ResultWait: time.Second,
		Site: localrun.Site{
			Repo: repo, Project: project, Contract: localrun.ContractOf(planned.Settings.Matrix), Fast: s.plan.Fast,
			Runner: localrun.RunnerNames(inventory),
		},
		Launcher:    localrun.Launcher{Folder: path.Join(project, planned.Settings.Layout.Launchers)},
		Environment: append([]string{pace}, s.engine.environment...), Thresholds: thresholds, Started: s.started, Ended: s.ended,
	}, nil
}

// pace is how long the simulated launchers take, so that there is something to
// look at; who sets the variable himself decides.
const pace = "SAMPLE_SLEEP=0.4"

// sideBySide is how many points run at once.
const sideBySide = 3

// checkOut gets two commits and puts the files of the second into a folder.
// Git sees no settings of the user or the machine.
func checkOut(ctx context.Context, dir, address, base, head string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "--quiet"}, {"fetch", "--quiet", "--no-tags", "--", address, base, head}, {"checkout", "--quiet", "--detach", head},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
			"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=http", "LC_ALL=C",
		}
		if said, err := cmd.CombinedOutput(); err != nil {
			return diag.New("story.git", diag.Place{}, "command", args[0], "detail", diag.Printable(strings.TrimSpace(string(said)))).In("unreadable")
		}
	}
	return nil
}
