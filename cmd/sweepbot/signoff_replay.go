package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
)

func newSignoffReplayCommand(s *streams) *cobra.Command {
	f := &bundleFlags{}
	asJSON := false
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Decide the checks again from a bundle alone",
		Long: "Replay verifies the case of a bundle with nothing but what the bundle holds: no clone, no account,\n" +
			"no network. The same version of sweepbot gives the same rows, byte for byte, and with --bundle\n" +
			"writes the same bundle. Exit codes are those of signoff check.",
		Example: "  sweepbot signoff replay verdict.zip\n" +
			"  sweepbot signoff replay verdict.zip --json",
		Args: arguments(1),
		RunE: func(c *cobra.Command, names []string) error {
			v, err := replayBundle(c.Context(), names[0])
			if err != nil {
				return err
			}
			if err := f.write(v); err != nil {
				return err
			}
			if err := printVerdict(s, v, asJSON); err != nil {
				return err
			}
			return verdictCode(v)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the verdict as a JSON document")
	return c
}

// replayBundle verifies the case of a bundle file.
func replayBundle(ctx context.Context, name string) (*bundle.Verification, error) {
	data, err := readInput(name)
	if err != nil {
		return nil, err
	}
	return bundle.Replay(ctx, checks.Standard(), name, data)
}

// bundleFlags say where a verification is recorded.
type bundleFlags struct{ file string }

func (f *bundleFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "bundle", "", "record everything that the rows rest on in this `FILE`, a zip archive")
}

// write records the verification where that was asked for.
func (f *bundleFlags) write(v *bundle.Verification) error {
	if f.file == "" {
		return nil
	}
	data, err := v.Archive()
	if err != nil {
		return err
	}
	return replaceFile(f.file, data)
}
