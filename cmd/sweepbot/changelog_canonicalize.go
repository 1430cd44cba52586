package main

import (
	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
)

func newChangelogCanonicalizeCommand(s *streams) *cobra.Command {
	f := &editFlags{}
	c := &cobra.Command{
		Use:   "canonicalize",
		Short: "Give new entries the link of their pull request",
		Long: "Canonicalize replaces the placeholder links of the new entries in the working tree by the link\n" +
			"of the pull request. The change must pass the strict gate: history unchanged to the last byte,\n" +
			"new entries at the end. It prints the difference; only --write changes the file.",
		Example: "  sweepbot changelog canonicalize --base origin/main --pr 1234 --write",
		Args:    arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.pr == 0 {
				return usage("usage.missing-option", "option", "--pr")
			}
			return f.run(c.Context(), s, bot.CanonicalizeChangelog)
		},
	}
	f.add(c)
	return c
}
