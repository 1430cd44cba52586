package jobs

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// job is the job of one point.
type job struct {
	host     *Host
	sweep    Sweep
	ref      Ref
	settings config.Settings
	*localrun.Job
}

// What a launcher has at the end of its time: the uploads need some of the
// time of the job, and GitHub kills what is left 10 s after a cancellation.
const (
	reserved = 5 * time.Minute
	grace    = 5 * time.Second
	// resultWait is how long a result may take to come over a shared file
	// system (spec/labels-and-sweeps.md section 9.9).
	resultWait = 10 * time.Second
)

// openJob reads the two values that a point job is given, and the plan they
// pin.
func openJob(h *Host) (*job, error) {
	j := &job{host: h}
	var err error
	if j.sweep, err = h.sweep(); err != nil {
		return nil, err
	}
	text, err := h.value("SWEEPBOT_POINT")
	if err != nil {
		return nil, err
	}
	if err := decode(text, &j.ref); err != nil {
		return nil, diag.New("jobs.point-value", diag.Place{}, "detail", err.Error()).In("usage")
	}
	if j.settings, err = h.settings(j.sweep); err != nil {
		return nil, err
	}
	plan, err := h.plan(j.sweep)
	if err != nil {
		return nil, err
	}
	site, err := j.site(plan)
	if err != nil {
		return nil, err
	}
	j.Job, err = localrun.NewJob(plan, j.ref.ID, site)
	return j, err
}

// site is this runner. RUNNER_NAME is the machine, not the label that was
// asked for: launchers and result names go by the machine.
func (j *job) site(plan *localrun.Plan) (localrun.Site, error) {
	repo, err := j.host.workspace()
	if err != nil {
		return localrun.Site{}, err
	}
	runner, err := actions.RunnerName(j.host.getenv)
	if err != nil {
		return localrun.Site{}, err
	}
	return localrun.Site{
		Repo: repo, Project: project(repo, j.settings.Layout), Contract: localrun.ContractOf(j.settings.Matrix), Fast: plan.Fast,
		Runner: func(string) string { return runner },
	}, nil
}

// project is the directory of the project in a checkout: the first root that
// holds the probe file.
func project(repo string, layout config.Layout) string {
	for _, root := range layout.Roots {
		if _, err := os.Lstat(filepath.Join(repo, filepath.FromSlash(path.Join(root, layout.Probe)))); err == nil {
			return root
		}
	}
	return ""
}

// PointBefore cleans up what earlier jobs left on the machine, and refuses
// values and a plan that do not belong together before anything is fetched.
func PointBefore(ctx context.Context, h *Host) error {
	j, err := openJob(h)
	if err != nil {
		return err
	}
	if f := j.Point.Fault; f != nil {
		return *f
	}
	h.say("point %s: %s, results in %s", j.ref.ID, j.ref.Title, j.Point.ResultName)
	if err := j.cleanCluster(ctx); err != nil {
		return err
	}
	return repairGit(ctx, h, j.Site.Repo)
}

// PointRun launches a point and checks what it left.
func PointRun(ctx context.Context, h *Host) error {
	j, err := openJob(h)
	if err != nil {
		return err
	}
	if err := j.checkout(ctx); err != nil {
		return err
	}
	j.Launcher = localrun.Launcher{Folder: path.Join(j.Site.Project, j.settings.Layout.Launchers)}
	j.Environment = forLauncher(h.Environ)
	j.Timeout = time.Duration(j.ref.Timeout)*time.Minute - reserved
	j.Grace, j.ResultWait = grace, resultWait
	if name := j.settings.Layout.Thresholds; name != "" {
		// Without the file every task is judged by the same bar.
		j.Thresholds, _ = read(filepath.Join(j.Site.Repo, filepath.FromSlash(j.Site.Project), filepath.FromSlash(name)), 1<<20)
	}
	// What a launcher prints is data of the pull request: no line of it is a
	// workflow command.
	err = h.tell().Group(j.Point.ResultName, func(log io.Writer) error {
		j.Log = log
		return j.Measure(ctx)
	})
	if err != nil {
		return err
	}
	folder, err := h.folder()
	if err != nil {
		return err
	}
	return outside(passedFile, os.WriteFile(filepath.Join(folder, passedFile), []byte(j.ref.ID), 0o644))
}

// passedFile is there once a point has passed.
const passedFile = "passed"

// checkout refuses to measure anything else than what was planned.
func (j *job) checkout(ctx context.Context) error {
	repo, err := gitrepo.Open(ctx, j.Site.Repo)
	if err != nil {
		return err
	}
	defer repo.Close()
	here, err := repo.Commit(ctx, "HEAD")
	if err != nil {
		return err
	}
	if here.ID != j.sweep.Commit || here.Tree != j.sweep.Tree {
		return diag.New("jobs.other-commit", diag.Place{}, "got", here.ID, "want", j.sweep.Commit).In("unsafe")
	}
	return nil
}

// forLauncher is the environment of the job without what steers it, and
// without our own variables.
func forLauncher(environ []string) []string {
	return slices.DeleteFunc(actions.Unsteered(environ), func(line string) bool { return strings.HasPrefix(line, "SWEEPBOT_") })
}

// PointGather collects the artifacts of a point, whatever became of it. The
// outputs name those that exist.
func PointGather(h *Host) error {
	j, err := openJob(h)
	if err != nil {
		return err
	}
	folder, err := h.folder()
	if err != nil {
		return err
	}
	attempt, err := actions.Attempt(h.getenv)
	if err != nil {
		return err
	}
	j.Attempt, _ = strconv.Atoi(attempt) // a number that was read
	_, failed := os.Lstat(filepath.Join(folder, passedFile))
	out := filepath.Join(folder, "out")
	names, missing := j.Keep(failed == nil, out)
	var outputs []bot.Output
	for _, kind := range []string{
		localrun.KindRows, localrun.KindEval, localrun.KindAgentic, localrun.KindLogs, localrun.KindMetrics, localrun.KindPower,
	} {
		if names[kind] == "" {
			continue
		}
		outputs = append(outputs, bot.Output{Name: kind, Value: names[kind]})
		record := Measured{j.sweep, j.ref.ID, j.ref.Title, names[kind], attempt, j.Point.Runner}
		if err := record.write(filepath.Join(out, kind)); err != nil {
			return err
		}
	}
	if err := h.outputs(outputs...); err != nil {
		return err
	}
	return missing
}

// PointAfter removes what an eval left in the workspace, and whatever still
// runs on the cluster.
func PointAfter(ctx context.Context, h *Host) error {
	j, err := openJob(h)
	if err != nil {
		return err
	}
	dir := filepath.Join(j.Site.Repo, filepath.FromSlash(j.Site.Project))
	for _, pattern := range localrun.EvalOutputs() {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := os.RemoveAll(name); err != nil {
				return outside(name, err)
			}
		}
	}
	return j.cleanCluster(ctx)
}
