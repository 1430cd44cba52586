package localrun

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// command is one start of a launcher.
type command struct {
	argv    []string
	dir     string
	env     []string
	timeout time.Duration
	// grace is how long a launcher may clean up between SIGTERM and SIGKILL.
	grace time.Duration
	log   *cappedLog
}

// pipeDelay is how long something that a launcher left running may hold its
// output open. It is killed then, and the launcher judged by its own end.
const pipeDelay = 2 * time.Second

// run starts the launcher in a process group of its own and waits for it. No
// shell is involved: argv is passed as it is. When ctx ends or the time is up,
// the whole group is asked to end and, after the grace, killed. In the end
// nothing of the group is left, whatever way the launcher ended.
func (c *command) run(ctx context.Context) error {
	// The kernel ends a child with the thread that started it, so this thread
	// must live as long as the child (see ownGroup).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdout, cmd.Stderr = c.log, c.log
	cmd.WaitDelay = pipeDelay
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return diag.New("localrun.not-started", diag.Place{File: c.argv[0]}, "detail", cause(err))
	}
	defer killGroup(cmd, syscall.SIGKILL)
	stop := c.watch(ctx, cmd)
	err := cmd.Wait()
	switch why := stop(); {
	case why == stoppedByContext:
		return context.Cause(ctx)
	case why == stoppedByTime:
		return diag.New("localrun.timeout", diag.Place{}, "after", c.timeout.String())
	}
	return ended(err)
}

// ended says how a launcher failed, or nil.
func ended(err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case !errors.As(err, &exit):
		return diag.New("localrun.not-started", diag.Place{}, "detail", cause(err))
	}
	if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return diag.New("localrun.signal", diag.Place{}, "signal", s.Signal().String())
	}
	return diag.New("localrun.exit", diag.Place{}, "code", strconv.Itoa(exit.ExitCode()))
}

// cause is the innermost text of an error: paths are named elsewhere.
func cause(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

// Why a launcher was stopped.
const (
	notStopped = iota
	stoppedByContext
	stoppedByTime
)

// watch stops the group when ctx ends or the time is up. The returned function
// ends the watching and tells whether, and why, it stopped the group.
func (c *command) watch(ctx context.Context, cmd *exec.Cmd) func() int {
	done, result := make(chan struct{}), make(chan int, 1)
	go func() {
		timer := time.NewTimer(c.timeout)
		defer timer.Stop()
		why := notStopped
		select {
		case <-done:
			result <- why
			return
		case <-ctx.Done():
			why = stoppedByContext
		case <-timer.C:
			why = stoppedByTime
		}
		killGroup(cmd, syscall.SIGTERM)
		grace := time.NewTimer(c.grace)
		defer grace.Stop()
		select {
		case <-done:
		case <-grace.C:
			killGroup(cmd, syscall.SIGKILL)
		}
		result <- why
	}()
	return func() int { close(done); return <-result }
}
