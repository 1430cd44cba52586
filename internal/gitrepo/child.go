package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// reapDelay is how long a killed child may hold its pipes open, through a
// child of its own, before they are closed.
const reapDelay = 2 * time.Second

// heapTuning makes glibc take large blocks from one heap backed by huge pages.
// Git unpacks a chain of versions of a 200 KB file into a fresh block each; with
// the default, a page fault for every 4 KB of them is up to half of the whole
// time of a plan's reads (BenchmarkPlan). Other C libraries ignore it.
const heapTuning = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:" +
	"glibc.malloc.top_pad=8388608:glibc.malloc.trim_threshold=67108864"

// childEnviron returns the whole environment of a git child. Nothing of ours
// passes but the search path: a GIT_DIR, an object directory or a token in our
// environment must not change what is read, and git needs none of them.
func childEnviron(getenv func(string) string) []string {
	env := []string{
		"LC_ALL=C",
		heapTuning,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", // refs/replace would lie about content
		// A missing object of a partial clone is reported, not fetched. Older
		// versions don't know the first variable; the second, a list of
		// transports that has no real one, stops them too and can't be undone
		// by the repository's own configuration, as protocol.allow could.
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		// Git dies of "~/file" in a configuration when there is no home.
		"HOME=" + os.DevNull,
	}
	for _, name := range []string{"PATH", "SystemRoot"} {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// command prepares a git child on this repository.
//
// The git directory is named explicitly. Git then skips its search, and with it
// the check of who owns the directory (safe.directory): reading somebody
// else's repository as data is our trade, and what that check guards against,
// running programs that the repository's configuration names, is shut off
// here: no hooks, no fsmonitor, no pager, no transport, and only commands that
// have none of them (cat-file without filters, merge-base, rev-list).
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	fixed := []string{
		"--git-dir=" + r.place.gitDir, "--no-pager",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.fsmonitor=false",
		// Blobs above our limit are streamed by git, not loaded, so that a
		// refused one costs no memory there either.
		"-c", "core.bigFileThreshold=" + strconv.FormatInt(r.limit, 10),
	}
	cmd := exec.CommandContext(ctx, r.program, append(fixed, args...)...)
	cmd.Env = r.environ
	cmd.Dir = r.place.gitDir
	cmd.WaitDelay = reapDelay
	return cmd
}

// run executes one git command to its end and returns its output and exit
// status. Output above max bytes is an error. A status other than 0 and 1 is a
// *[ProcessError].
func (r *Repo) run(ctx context.Context, max int, args ...string) (string, int, error) {
	if err := ctx.Err(); err != nil {
		return "", 0, stopped(err)
	}
	out, diagnostics := &bounded{max: max}, &tail{max: maxDiagnostics}
	cmd := r.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = out, diagnostics
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", 0, stopped(ctx.Err())
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.buf.String(), 0, nil
	case !out.full && errors.As(err, &exit) && exit.ExitCode() == 1:
		return out.buf.String(), 1, nil
	default:
		return "", 0, r.processError(args[0], diagnostics.String(), err)
	}
}

// bounded keeps what is written to it and fails above max bytes, which ends
// the child.
type bounded struct {
	buf  bytes.Buffer
	max  int
	full bool
}

var errOutput = errors.New("more output than expected")

// Write keeps p or fails.
func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.max {
		b.full = true
		return 0, errOutput
	}
	return b.buf.Write(p)
}
