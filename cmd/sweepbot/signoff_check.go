package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// signoffCheckFlags are the flags of signoff check.
type signoffCheckFlags struct {
	caseFlags
	bundle bundleFlags
	asJSON bool
}

func newSignoffCheckCommand(s *streams) *cobra.Command {
	f := &signoffCheckFlags{}
	c := &cobra.Command{
		Use:   "check",
		Short: "Decide the checks of a sign-off from a clone and evidence files",
		Long: "Check decides every numbered check of the profile and prints its row with the evidence. What is\n" +
			"not given is never assumed: a check whose evidence is missing is UNAVAILABLE and says what it\n" +
			"needs. The settings are those of the base.\n\n" +
			"The overall word is REJECTED when any row fails, else UNAVAILABLE when any row is, else WARN when\n" +
			"any row warns, else PASS. The exit code is 1 when a row fails and 0 when none does, 2 for a wrong\n" +
			"command line, and 3 when the clone or a file can't be read.",
		Example: "  sweepbot signoff check --base main --head my-branch --pr 1234 --signer nia --body-file signoff.md\n" +
			"  sweepbot signoff check --head my-branch --pr 1234 --signer nia --evidence evidence/ --json\n" +
			"  sweepbot signoff check --era 2026-08 --date 2026-08-20 --evidence bundle.zip",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.add(c)
	f.bundle.add(c)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the verdict as a JSON document")
	return c
}

func (f *signoffCheckFlags) run(ctx context.Context, s *streams) error {
	v, err := f.verify(ctx, s)
	if err != nil {
		return err
	}
	if err := f.bundle.write(v); err != nil {
		return err
	}
	if err := printVerdict(s, v, f.asJSON); err != nil {
		return err
	}
	return verdictCode(v)
}

// printVerdict prints the rows, as data or for people.
func printVerdict(s *streams, v *bundle.Verification, asJSON bool) error {
	if asJSON {
		return diag.EncodeLine(s.out, verdict.NewDocument(v.Results))
	}
	return renderVerdict(s, v)
}

// verdictCode is how a command about a verdict ends: with 1 when a row fails.
func verdictCode(v *bundle.Verification) error {
	if verdict.Of(v.Results) == verdict.Rejected {
		return &exitError{code: exitRefused}
	}
	return nil
}
