package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/changelog"
)

// addFlags are the flags of the add command.
type addFlags struct {
	editFlags
	draft  changelog.Draft
	minEP  int
	dryRun bool
}

func newChangelogAddCommand(s *streams) *cobra.Command {
	f := &addFlags{}
	c := &cobra.Command{
		Use:   "add",
		Short: "Append an entry to the changelog",
		Long: "Add appends a well-formed entry to the changelog of the working tree, after exactly one empty\n" +
			"line, and checks that its keys select configs. On a terminal and without any of the entry's\n" +
			"flags it asks for them. The link stays XXX until the number of the pull request is known.",
		Example: "  sweepbot changelog add\n" +
			"  sweepbot changelog add --config-key 'dsr1-*-b200-*' --description 'Raise the image to v0.5.13'\n" +
			"  sweepbot changelog add --config-key glm5-fp4-gb200 --description 'New points' --append-only --dry-run",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.runAdd(c, s) },
	}
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone with a working tree, or of a plain folder")
	f.presetFlag(c)
	c.Flags().StringArrayVar(&f.draft.ConfigKeys, "config-key", nil, "`KEY` of a config, or a pattern with *; repeat it for several")
	c.Flags().StringArrayVar(&f.draft.Description, "description", nil, "what changes, one `TEXT` a bullet; repeat it for several")
	c.Flags().StringVar(&f.draft.PRLink, "pr-link", "", "`URL` of the pull request (default: XXX, or that of --pr)")
	f.number(c)
	c.Flags().StringArrayVar(&f.draft.Scenarios, "scenario-type", nil, "only this `SCENARIO`: fixed-seq-len or agentic-coding; repeat it for both")
	c.Flags().BoolVar(&f.draft.EvalsOnly, "evals-only", false, "evaluate, measure no throughput")
	c.Flags().BoolVar(&f.draft.AllEvals, "all-evals", false, "evaluate everything that can be evaluated")
	c.Flags().BoolVar(&f.draft.NoEvals, "no-evals", false, "evaluate nothing")
	c.Flags().BoolVar(&f.draft.AppendOnly, "append-only", false, "run only the points that the change adds to existing curves")
	c.Flags().IntVar(&f.minEP, "eval-min-prefill-ep", 0, "evaluate multi-node rows from this `EP` of their prefill workers on")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the difference, write nothing")
	return c
}

// entryFlags are the flags that describe the entry.
var entryFlags = []string{"config-key", "description", "pr-link", "scenario-type", "evals-only", "all-evals", "no-evals", "append-only", "eval-min-prefill-ep"}

func (f *addFlags) runAdd(c *cobra.Command, s *streams) error {
	if err := f.check(); err != nil {
		return err
	}
	asked := true
	for _, name := range entryFlags {
		asked = asked && !c.Flags().Changed(name)
	}
	if asked && terminal(s.in) != nil {
		if err := s.askDraft(c.Context(), &f.draft); err != nil {
			return err
		}
	}
	if err := f.complete(c); err != nil {
		return err
	}
	f.write = !f.dryRun
	return f.run(c.Context(), s, func(ctx context.Context, r bot.EditRequest) (bot.ChangelogEdit, error) {
		return bot.AddToChangelog(ctx, r, f.draft)
	})
}

// complete refuses an entry without content and fills in what other flags say.
func (f *addFlags) complete(c *cobra.Command) error {
	switch {
	case len(f.draft.ConfigKeys) == 0:
		return usage("usage.missing-option", "option", "--config-key")
	case len(f.draft.Description) == 0:
		return usage("usage.missing-option", "option", "--description")
	}
	if c.Flags().Changed("eval-min-prefill-ep") {
		f.draft.EvalMinPrefillEP = &f.minEP
	}
	return nil
}
