package jobs

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// cluster is the queue of a Slurm cluster as this user sees it.
type cluster struct {
	// run starts a program and returns what it prints.
	run func(ctx context.Context, name string, args ...string) (string, error)
	// pause waits between two looks at the queue.
	pause func(ctx context.Context, d time.Duration) error
	say   func(format string, args ...any)
}

// How long jobs have to go away by themselves and after a kill, and how long a
// look at the queue may take (known failure F39).
const (
	lookEvery = 5 * time.Second
	lookLimit = 30 * time.Second
	askLooks  = 24
	killLooks = 12
)

// cleanCluster cancels the jobs that earlier points of this runner left, under
// every name that launchers have used (known failure F38). A machine without
// Slurm has none.
func (j *job) cleanCluster(ctx context.Context) error {
	if _, err := exec.LookPath("squeue"); err != nil {
		return nil
	}
	c := cluster{run: runProgram, pause: pause, say: j.host.say}
	for _, name := range []string{j.Point.Runner, "inferencex-" + j.Point.Runner} {
		if err := c.drain(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func runProgram(ctx context.Context, name string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, lookLimit)
	defer stop()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return string(out), err
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// drain cancels the jobs of one name and waits until none is left; what does
// not go is killed. A queue that cannot be read is not empty.
func (c cluster) drain(ctx context.Context, name string) error {
	left, err := c.jobs(ctx, name)
	if err == nil && len(left) == 0 {
		return nil
	}
	for _, round := range []struct {
		args  []string
		looks int
	}{
		{[]string{"--me", "--name=" + name}, askLooks},
		{[]string{"--me", "--name=" + name, "--signal=KILL", "--full"}, killLooks},
	} {
		c.say("cancel the cluster jobs named %s: %s", name, strings.Join(left, " "))
		if _, failure := c.run(ctx, "scancel", round.args...); failure != nil {
			c.say("scancel: %v", failure)
		}
		for range round.looks {
			if left, err = c.jobs(ctx, name); err == nil && len(left) == 0 {
				return nil
			}
			if err := c.pause(ctx, lookEvery); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return diag.New("jobs.queue-unknown", diag.Place{}, "name", name, "detail", detail(err)).In("unreadable")
	}
	return diag.New("jobs.queue-not-empty", diag.Place{}, "name", name, "jobs", strings.Join(left, ", ")).In("cluster")
}

// jobs lists the ids of the jobs of a name.
func (c cluster) jobs(ctx context.Context, name string) ([]string, error) {
	out, err := c.run(ctx, "squeue", "--me", "--name="+name, "--noheader", "--format=%i")
	return strings.Fields(out), err
}

// detail is what a program said before it failed, else the error.
func detail(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return diag.Cut(strings.TrimSpace(string(exit.Stderr)), 200)
	}
	return err.Error()
}
