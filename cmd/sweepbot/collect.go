package main

import (
	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/localrun"
)

func newCollectCommand(s *streams) *cobra.Command {
	var asJSON, asCSV bool
	c := &cobra.Command{
		Use:   "collect DIR",
		Short: "Print the results of a sweep as a table",
		Long: "Collect reads the artifacts below a folder, as a download of an Actions run or a local sweep leaves\n" +
			"them, and prints throughput per GPU, time to first token and end-to-end latency by point. With the\n" +
			"plan beside them (plan.json) it also counts what failed and what is missing.\n\n" +
			"Artifacts are untrusted: links are not followed, sizes are bounded, and every value that cannot be\n" +
			"(NaN, infinite, negative, missing identity) is refused by name.\n\n" +
			"Exit codes: 0 everything is there and usable, 1 something is refused, failed or missing, or there is\n" +
			"nothing at all; 3 the folder cannot be read.",
		Example: "  sweepbot collect .sweepbot/sweep-1\n" +
			"  gh run download 123456 --dir artifacts && sweepbot collect artifacts --csv > rows.csv",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			table, err := localrun.Collect(args[0], nil)
			if err != nil {
				return err
			}
			return s.collected(table, asJSON, asCSV)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.Flags().BoolVar(&asCSV, "csv", false, "print comma-separated values")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

// collected prints a collection. Findings go to standard error in every
// format.
func (s *streams) collected(table *localrun.Collection, asJSON, asCSV bool) error {
	var err error
	switch {
	case asJSON:
		err = table.WriteJSON(s.out)
	case asCSV:
		err = table.WriteCSV(s.out)
	default:
		err = table.WriteTable(s.out, s.lang)
	}
	if err != nil {
		return err
	}
	s.say(table.Findings, nil)
	if !table.Usable() {
		return &exitError{code: exitRefused}
	}
	return nil
}
