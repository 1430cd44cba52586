package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

func newExplainCommand(s *streams) *cobra.Command {
	f := &changeFlags{}
	asJSON := false
	c := &cobra.Command{
		Use:   "explain ROW|KEY",
		Short: "Say why a row runs, or why a config does not",
		Long: "Explain plans the change and says of a row which changelog entry asks for it, which config entry\n" +
			"it comes from, why it is evaluated or not, and in which job it runs. A row is named by its\n" +
			"bucket and index, the id of its point, or its exp-name, which several rows may share.\n\n" +
			"Of a config key it lists all rows of the plan, or says why there are none.",
		Example: "  sweepbot explain single_node.8k1k/0\n" +
			"  sweepbot explain evals/3 --base main --head my-branch\n" +
			"  sweepbot explain dsr1-fp4-b200-sglang --json",
		Args: arguments(1),
		RunE: func(c *cobra.Command, names []string) error {
			return runExplain(c.Context(), s, f, names[0], asJSON)
		},
	}
	f.place(c)
	f.planning(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the answer as a JSON document")
	return c
}

func runExplain(ctx context.Context, s *streams, f *changeFlags, target string, asJSON bool) error {
	opened, change, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	p, sources, err := f.plan(change)
	if err != nil {
		p.Findings = findingsOf(err)
	}
	if p.Plan == nil {
		return s.refuse(p.Findings, sources.File)
	}
	explained, list := bot.Explain(p, sources, target, s.table())
	if list.Refused() {
		return s.refuse(list, sources.File)
	}
	if asJSON {
		return diag.EncodeLine(s.out, explained)
	}
	return bot.RenderExplained(s.out, explained, s.table())
}
