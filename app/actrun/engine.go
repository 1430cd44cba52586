package actrun

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

//go:embed standins
var standins embed.FS

// Options say how act runs.
type Options struct {
	// Program is act, see [Find].
	Program string
	// Dir is a folder for checkouts, artifacts and what act itself keeps. Its
	// owner removes it.
	Dir string
	// Environment is what act and, through it, the jobs inherit, as NAME=value.
	// It needs PATH.
	Environment []string
	// Labels of runs-on, besides ubuntu-latest, whose jobs this machine takes.
	// RunnerName is its name as a runner.
	Labels     []string
	RunnerName string
	// Ended is told of every job that ended, one at a time within a run. It may
	// be nil.
	Ended func(job, conclusion string)
}

// Engine runs workflows of a sandbox under act.
type Engine struct{ options Options }

// Find returns the act program: the given one, or for "" that on the search
// path. The error is a diag.Finding.
func Find(program string) (string, error) {
	if runtime.GOOS != "linux" {
		return "", diag.New("actrun.system", diag.Place{}, "system", runtime.GOOS).In("usage")
	}
	name := program
	if name == "" {
		name = "act"
	}
	found, err := exec.LookPath(name)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", diag.New("actrun.no-act", diag.Place{}, "name", name).In("usage")
	}
	return found, nil
}

// New makes an engine. The error is a diag.Finding.
func New(o Options) (*Engine, error) {
	if err := os.CopyFS(o.Dir, standins); err != nil {
		return nil, folderError(err)
	}
	for _, name := range []string{"home", "cache", "config", "start"} {
		if err := os.MkdirAll(filepath.Join(o.Dir, name), 0o700); err != nil {
			return nil, folderError(err)
		}
	}
	return &Engine{o}, nil
}

// folderError is about the folder of the engine.
func folderError(err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return diag.New("actrun.folder", diag.Place{}, "detail", err.Error()).In("unreadable")
}

// Start runs one attempt of a workflow. act runs all jobs, also where only some
// are asked for again. What keeps it from running is the log of a job "act".
func (e *Engine) Start(ctx context.Context, req sandbox.RunRequest) {
	dir := filepath.Join(e.options.Dir, fmt.Sprintf("run-%d-%d", req.RunID, req.Attempt))
	r := &run{engine: e, req: req, dir: dir, artifacts: filepath.Join(dir, "artifacts")}
	err := r.play(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	job := req.Handle.StartJob(sandbox.JobSpec{Name: "act", Labels: []string{}, Runner: e.options.RunnerName})
	log(job, err.Error())
	job.Finish("failure")
}
