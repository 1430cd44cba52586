package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

func newChangelogCheckCommand(s *streams) *cobra.Command {
	f := &changeFlags{}
	asJSON := false
	c := &cobra.Command{
		Use:   "check",
		Short: "Judge the change of the changelog",
		Long: "Check compares the changelog of two revisions: history must stay as it is, new entries stand at\n" +
			"the end, are well formed and name configs that exist. How severe each kind of problem is, the\n" +
			"settings say. It also tells whether 'sweepbot changelog fix' can mend the problems.",
		Example: "  sweepbot changelog check\n" +
			"  sweepbot changelog check --base origin/main --head my-branch --pr 1234\n" +
			"  sweepbot changelog check --json | jq .mendable",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return runChangelogCheck(c.Context(), s, f, asJSON) },
	}
	f.place(c)
	f.number(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the outcome as a JSON document")
	return c
}

func runChangelogCheck(ctx context.Context, s *streams, f *changeFlags, asJSON bool) error {
	w, change, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	check, err := bot.CheckChangelog(change, f.preset, f.pr)
	if err != nil {
		return s.refuse(findingsOf(err), check.Sources.File)
	}
	if asJSON {
		err = diag.EncodeLine(s.out, check.Document(s.table()))
	}
	s.say(check.Findings, check.Sources.File)
	if !asJSON {
		_, err = io.WriteString(s.out, bot.RenderChangelogCheck(check, s.table()))
	}
	if err == nil && check.Findings.Refused() {
		return &exitError{code: codeOf(check.Findings)}
	}
	return err
}
