package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// explainFlags are the flags of the explain command.
type explainFlags struct {
	changeFlags
	at        string
	checkouts []string
	origins   bool
	eval      bool
	asJSON    bool
}

func newExplainCommand(s *streams) *cobra.Command {
	f := &explainFlags{}
	c := &cobra.Command{
		Use:   "explain ROW|KEY",
		Short: "Say why a row runs, or why a config does not",
		Long: "Explain plans the change and says of a row which changelog entry asks for it, which config entry\n" +
			"it comes from, why it is evaluated or not, in which job it runs, and what it would serve. A row is\n" +
			"named by its bucket and index, the id of its point, or its exp-name, which several rows may share.\n\n" +
			"Of a config key it lists all rows of the plan, or says why there are none.\n\n" +
			"What a row serves is read from its launch path, executing nothing; --origins says where each flag\n" +
			"and variable comes from, and --eval shows what an eval-only run would serve. With --at no change is\n" +
			"planned: the row is one of all that the configs of that revision expand to.",
		Example: "  sweepbot explain single_node.8k1k/0\n" +
			"  sweepbot explain evals/3 --base main --head my-branch\n" +
			"  sweepbot explain dsr1_8k1k --at v1.2 --origins\n" +
			"  sweepbot explain dsr1-fp4-b200-sglang --json",
		Args: arguments(1),
		RunE: func(c *cobra.Command, names []string) error {
			if c.Flags().Changed("at") {
				return f.explainAt(c.Context(), s, names[0])
			}
			return f.explain(c.Context(), s, names[0])
		},
	}
	f.place(c)
	f.planning(c)
	c.Flags().StringVar(&f.at, "at", "", "`REV` whose row is explained, without planning a change")
	c.Flags().BoolVar(&f.origins, "origins", false, "say where each flag and variable comes from")
	c.Flags().BoolVar(&f.eval, "eval", false, "show what eval-only runs of the rows would serve")
	c.Flags().StringArrayVar(&f.checkouts, "checkout", nil, "clone of another repository that launchers check out, as `OWNER/NAME=DIR`; repeat it")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the answer as a JSON document")
	return c
}

func (f *explainFlags) explain(ctx context.Context, s *streams, target string) error {
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
	answer, list := bot.Explain(p, sources, target, s.table())
	if list.Refused() {
		return s.refuse(list, sources.File)
	}
	serves, err := f.serves(ctx, s, p, change.Head.Files, answer)
	if err != nil {
		return err
	}
	if f.asJSON {
		return diag.EncodeLine(s.out, explained{answer, serves})
	}
	serves = launched(serves)
	if err := bot.RenderExplained(s.out, answer, s.table()); err != nil || len(serves) == 0 {
		return err
	}
	if _, err := io.WriteString(s.out, "\n"); err != nil {
		return err
	}
	return renderServed(s, serves)
}
