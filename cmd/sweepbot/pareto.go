package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/pareto"
)

func newParetoCommand(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "pareto DIR | pareto FILE",
		Short: "Count the points on the Pareto frontier of each curve",
		Long: "Pareto counts, for each curve, the measured points that no other beats: end-to-end latency in seconds\n" +
			"against tokens per second and GPU. At least five are recommended; fewer are a warning, never a\n" +
			"failure.\n\n" +
			"DIR and FILE are as for report. FILE may also be a list of curves, [{\"key\": ..., \"points\": [{\"x\":\n" +
			"..., \"y\": ...}]}]; with --json the answer then has the form of the reference's tool.\n\n" +
			"Exit codes: 0 counted, whatever the verdict; 1 there is no curve; 2 wrong command line; 3 the input\n" +
			"cannot be read.",
		Example: "  sweepbot pareto run-123456\n" +
			"  sweepbot pareto curves.json --json",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if doc, ok, err := curvesOf(args[0]); ok || err != nil {
				if err != nil {
					return err
				}
				return s.document(doc)
			}
			return s.pareto(c.Context(), args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// curvesOf counts a list of curves; ok is false for files that hold none.
func curvesOf(path string) (doc []byte, ok bool, err error) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Size() > maxCurves {
		return nil, false, nil // report reads these, or says what is wrong
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	list, err := pareto.Read(data)
	if err != nil {
		return nil, false, nil
	}
	out := ordjson.List()
	for _, r := range list {
		out.Items = append(out.Items, r.Document())
	}
	return out.Append(nil, ordjson.Compact), true, nil
}

// maxCurves bounds a list of curves in bytes.
const maxCurves = 64 << 20

func (s *streams) pareto(ctx context.Context, path string, asJSON bool) error {
	r, err := collect.Load(ctx, path, results.Newest(), recordOnly)
	if err != nil {
		return err
	}
	if asJSON {
		err = diag.EncodeLine(s.out, r.Curves)
	} else {
		err = r.WriteCurves(s.out, s.lang)
	}
	if err == nil && len(r.Curves) == 0 {
		return &exitError{code: exitRefused}
	}
	return err
}
