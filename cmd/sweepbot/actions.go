package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/jobs"
)

// newActionsCommand groups what the jobs of the sweep workflows run. It is
// hidden: people have plan, validate and sweep for the same things.
func newActionsCommand(s *streams) *cobra.Command {
	c := group(&cobra.Command{
		Use:   "actions",
		Short: "The jobs of the sweep workflows",
		Long: "Actions holds one command for each job of the sweep workflows (docs/workflows.md). They read the event\n" +
			"and the values that the workflow sets from the environment, and write step outputs.",
		Hidden: true,
	},
		newJobCommand(s, "check", "Check the changelog and decide which jobs run", jobs.Check),
		newJobCommand(s, "gate", "Ask whether a reuse command stands in for a sweep", gateJob),
		newJobCommand(s, "plan", "Plan the change and pin what is measured", planJob),
		newJobCommand(s, "canary", "Take the canary out of the families", still(jobs.Canary)),
		newPointCommand(s),
		newCollectJobCommand(s),
		newJobCommand(s, "metadata", "Write changelog_metadata.json", still(jobs.Metadata)),
		newJobCommand(s, "stats", "Count the jobs of the run by hardware", statsJob),
		newJobCommand(s, "report", "Judge the sweep by the jobs that produced", reportJob),
	)
	return c
}

func newPointCommand(s *streams) *cobra.Command {
	return group(&cobra.Command{Use: "point", Short: "The steps of the job of one point"},
		newJobCommand(s, "before", "Clean the machine and check what the job was given", jobs.PointBefore),
		newJobCommand(s, "run", "Launch the point and check what it left", jobs.PointRun),
		newJobCommand(s, "gather", "Put what the point left into artifacts", still(jobs.PointGather)),
		newJobCommand(s, "after", "Clean the machine again", jobs.PointAfter),
	)
}

func newCollectJobCommand(s *streams) *cobra.Command {
	return group(&cobra.Command{Use: "collect", Short: "Merge the artifacts of the points"},
		newJobCommand(s, "results", "Merge the rows of all points", still(jobs.CollectResults)),
		newJobCommand(s, "evals", "Merge the evals of all points", still(jobs.CollectEvals)),
	)
}

// job is one job, or one step of it.
type job func(ctx context.Context, h *jobs.Host) error

// still is a job that waits for nothing.
func still(run func(*jobs.Host) error) job {
	return func(_ context.Context, h *jobs.Host) error { return run(h) }
}

func newJobCommand(s *streams, name, short string, run job) *cobra.Command {
	return &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			h := &jobs.Host{Lookup: os.LookupEnv, Environ: os.Environ(), Log: s.out, Language: s.lang}
			err := run(c.Context(), h)
			// A job has no reader but the log and the annotations.
			if closing := h.Close(findingsOf(err)); err == nil {
				return closing
			}
			return &exitError{code: codeOf(err)}
		},
	}
}

// planJob plans; only a partial sweep asks GitHub for anything.
func planJob(ctx context.Context, h *jobs.Host) error {
	h.GitHub = jobGitHub
	return jobs.Plan(ctx, h)
}

// gateJob asks the comments of the pull request.
func gateJob(ctx context.Context, h *jobs.Host) error {
	gh, err := jobGitHub(ctx)
	if err != nil {
		return err
	}
	merges := func(ctx context.Context, push *bot.Push) (*bot.PullRequest, error) {
		return bot.MergedPull(ctx, gh, push)
	}
	return jobs.Gate(ctx, h, bot.ReuseMentions{GitHub: gh}, merges)
}

func statsJob(ctx context.Context, h *jobs.Host) error {
	gh, err := jobGitHub(ctx)
	if err != nil {
		return err
	}
	return jobs.Stats(ctx, h, gh)
}

func reportJob(ctx context.Context, h *jobs.Host) error {
	gh, err := jobGitHub(ctx)
	if err != nil {
		return err
	}
	return jobs.Report(ctx, h, gh)
}

// jobGitHub is the repository of the job on GitHub, with the token of the job.
func jobGitHub(ctx context.Context) (bot.GitHub, error) {
	owner, name, err := actions.Repository(os.Getenv)
	if err != nil {
		return nil, err
	}
	client, err := jobClient(ctx)
	if err != nil {
		return nil, err
	}
	return client.Repository(owner, name), nil
}

// jobClient asks GitHub with the token of the job.
func jobClient(ctx context.Context) (*ghapi.Client, error) {
	address, err := actions.APIURL(os.Getenv)
	if err != nil {
		return nil, err
	}
	token, err := actions.Token(os.Getenv, "GITHUB_TOKEN")
	if err != nil {
		return nil, err
	}
	return ghapi.New(ctx, ghapi.Options{Token: token, BaseURL: address})
}
