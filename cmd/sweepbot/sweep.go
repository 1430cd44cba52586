package main

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
)

// sweepFlags are the flags of the sweep command.
type sweepFlags struct {
	changeFlags
	local, resume, fast        bool
	launcher, out              string
	jobs, retries              int
	timeout, grace, resultWait time.Duration
	only, passEnv              []string
}

func newSweepCommand(s *streams) *cobra.Command {
	f := &sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep --local",
		Short: "Run the points of a change on this machine",
		Long: "Sweep plans a change as plan does, runs its points on this machine through the launchers of the\n" +
			"repository, and prints what they measured. The canary runs first; if it fails nothing else does.\n" +
			"Then all families run side by side. With a fail-fast label the first failure cancels the rest of\n" +
			"its family, and of no other.\n\n" +
			"This is the one command that executes code of the repository: with your rights, without a sandbox.\n" +
			"Give it changes that you have read. Launchers get the environment of the benchmark workflows and,\n" +
			"of your own, PATH, HOME, LANG, TMPDIR and what --pass-env names.\n\n" +
			"Results lie in the folder of the sweep as Actions would upload them. An interrupted sweep goes on\n" +
			"with --resume: finished points are not repeated.\n\n" +
			"Exit codes: 0 all points passed, 1 some did not or the change is refused, 2 wrong command line,\n" +
			"3 something outside failed, or the sweep was interrupted.",
		Example: "  sweepbot sweep --local --repo testdata/sample --label full-sweep-fail-fast\n" +
			"  sweepbot sweep --local --launcher ./my-launcher.sh --only agentic --jobs 2\n" +
			"  sweepbot sweep --local --resume",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.place(c)
	f.planning(c)
	f.running(c)
	return c
}

// running registers the flags that say how the points run.
func (f *sweepFlags) running(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.local, "local", false, "run on this machine (required: it executes code of the repository)")
	flags.StringVar(&f.launcher, "launcher", "", "`CMD` that measures a point, split at blanks, no shell (default: runners/launch_<prefix>.sh)")
	flags.StringVar(&f.out, "out", "", "`DIR` of the sweep (default: a new one below .sweepbot; with --resume the newest)")
	flags.BoolVar(&f.resume, "resume", false, "go on with an interrupted sweep")
	flags.StringArrayVar(&f.only, "only", nil, "only this family, config key or point `ID`; may be repeated")
	flags.IntVar(&f.jobs, "jobs", 1, "`N` points side by side; more than 1 only where points do not share GPUs")
	flags.IntVar(&f.retries, "retries", 0, "try a failed point `N` times more")
	flags.DurationVar(&f.timeout, "timeout", 0, "time `LIMIT` of a point (default: that of the workflows, 480m to 780m)")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "`TIME` that a stopped launcher has to clean up")
	flags.DurationVar(&f.resultWait, "result-wait", 10*time.Second, "`TIME` that a result may take to appear after its launcher ended")
	flags.BoolVar(&f.fast, "agentx-fast", false, "fast mode of agentic throughput points")
	flags.StringArrayVar(&f.passEnv, "pass-env", nil, "also give launchers this variable of your environment, by `NAME`; may be repeated")
}

func (f *sweepFlags) run(ctx context.Context, s *streams) error {
	switch {
	case !f.local:
		return usage("usage.missing-option", "option", "--local")
	case f.jobs < 1:
		return usage("usage.bad-choice", "option", "--jobs", "value", strconv.Itoa(f.jobs), "choices", "1, 2, 3 ...")
	case f.retries < 0 || f.retries > maxRetries:
		return usage("usage.bad-choice", "option", "--retries", "value", strconv.Itoa(f.retries), "choices", "0 ... "+strconv.Itoa(maxRetries))
	}
	w, change, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	planned, sources, err := f.plan(change)
	if err != nil {
		return err
	}
	if planned.Plan == nil {
		return s.refuse(planned.Findings, sources.File)
	}
	if err := bot.RenderPlan(s.out, planned, s.table()); err != nil {
		return err
	}
	s.say(planned.Findings, sources.File)
	o, err := f.options(ctx, s, planned, change)
	if err != nil {
		return err
	}
	return s.sweep(ctx, o)
}

// maxRetries bounds --retries.
const maxRetries = 10
