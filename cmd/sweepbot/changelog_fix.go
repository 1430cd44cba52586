package main

import (
	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
)

func newChangelogFixCommand(s *streams) *cobra.Command {
	f := &editFlags{}
	c := &cobra.Command{
		Use:   "fix",
		Short: "Mend the changelog where that takes no judgement",
		Long: "Fix restores history, moves new entries to the end byte for byte, sets separators and line ends\n" +
			"and makes links canonical, in the file of the working tree. It prints the difference; only\n" +
			"--write changes the file. It refuses rather than lose a line that says something.",
		Example: "  sweepbot changelog fix\n" +
			"  sweepbot changelog fix --base origin/main --pr 1234 --write",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s, bot.FixChangelog) },
	}
	f.add(c)
	return c
}
