package actrun

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// run is one attempt of a workflow.
type run struct {
	engine    *Engine
	req       sandbox.RunRequest
	dir       string // of this attempt
	artifacts string // one folder for each
}

// play checks the workflow files out, runs act and follows it.
func (r *run) play(ctx context.Context) error {
	repo := filepath.Join(r.dir, "repo")
	for _, dir := range []string{repo, r.artifacts} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return folderError(err)
		}
	}
	if err := r.checkOut(ctx, repo); err != nil {
		return err
	}
	files, err := readWorkflows(repo, r.req.WorkflowPath)
	if err != nil {
		return err
	}
	args, err := r.arguments(repo, files)
	if err != nil {
		return err
	}
	f := &follower{
		run: r.req.Handle, names: files, runner: r.engine.options.RunnerName, ended: r.engine.options.Ended,
		jobs: make(map[string]*live), shelf: &shelf{dir: r.artifacts, run: r.req.Handle, uploaded: make(map[string]bool)},
	}
	return r.act(ctx, args, f)
}

// grace is how long act has to end its jobs once the run is cancelled.
const grace = 15 * time.Second

// act runs the program. That a job failed is said by the job; the error is for
// what no job tells of.
func (r *run) act(ctx context.Context, args []string, f *follower) error {
	cmd := exec.CommandContext(ctx, r.engine.options.Program, args...)
	cmd.Dir = filepath.Join(r.engine.options.Dir, "start") // act reads settings from where it starts
	cmd.Env = r.engine.environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us: we cancel it
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	tail := &lastBytes{limit: 4 << 10}
	cmd.Stderr = tail
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return diag.New("actrun.start", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	f.follow(out)
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // whatever it left running
	f.shelf.upload(nil)
	if err == nil || f.failed {
		return nil
	}
	said := append(f.stray, strings.TrimSpace(tail.String()))
	return diag.New("actrun.ended", diag.Place{}, "detail", diag.Printable(err.Error()+": "+strings.Join(said, "; "))).In("unreadable")
}

// lastBytes keeps the end of what is written.
type lastBytes struct {
	bytes.Buffer
	limit int
}

// Write keeps the last bytes.
func (b *lastBytes) Write(p []byte) (int, error) {
	b.Buffer.Write(p)
	if extra := b.Len() - b.limit; extra > 0 {
		b.Next(extra)
	}
	return len(p), nil
}

// checkOut gets the commit whose workflow files run.
func (r *run) checkOut(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"init", "--quiet"}, {"fetch", "--quiet", "--no-tags", "--depth=1", "--", r.req.CloneURL, r.req.WorkflowSHA},
		{"checkout", "--quiet", "--detach", "FETCH_HEAD"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Env = append(r.engine.environment(),
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=http", "LC_ALL=C",
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Bearer "+r.req.Token)
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return diag.New("actrun.git", diag.Place{File: path.Base(r.req.WorkflowPath)}, "command", args[0], "detail", diag.Printable(strings.TrimSpace(string(said)))).In("unreadable")
		}
		if err != nil {
			return diag.New("actrun.git", diag.Place{File: path.Base(r.req.WorkflowPath)}, "command", args[0], "detail", err.Error()).In("unreadable")
		}
	}
	return nil
}
