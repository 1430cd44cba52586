package main

import (
	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func newCompareCommand(s *streams) *cobra.Command {
	f := &reportFlags{}
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare the results B with the results A",
		Long: "Compare holds every point of B against the same point of A, metric by metric. A and B are folders of\n" +
			"artifacts, a report.json, or an agg_bmk.json. Further results of A's kind, older than A, go before it\n" +
			"with --baseline: with two of them or more the point's own spread is known.\n\n" +
			"A metric has regressed or improved only when it differs by more than that spread. Otherwise it is\n" +
			"within noise, or, where nothing was measured twice, nobody can tell.\n\n" +
			"Exit codes: 0 nothing has regressed, 1 something has, or there is nothing to compare; 2 wrong command\n" +
			"line; 3 something cannot be read.",
		Example: "  sweepbot compare main/agg_bmk.json run-123456\n" +
			"  sweepbot compare --baseline monday.json --baseline tuesday.json wednesday.json run-123456",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			f.baselines = append(f.baselines, args[0])
			r, err := f.load(c.Context(), s, args[1])
			if err != nil {
				return err
			}
			if asJSON {
				err = diag.EncodeLine(s.out, r.Comparison)
			} else {
				err = r.WriteComparison(s.out, s.lang)
			}
			if err != nil {
				return err
			}
			if r.Comparison == nil || len(r.Comparison.Points) == 0 || r.Comparison.Regressed > 0 {
				return &exitError{code: exitRefused}
			}
			return nil
		},
	}
	f.sources(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
