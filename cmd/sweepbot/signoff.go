package main

import (
	"github.com/spf13/cobra"
)

func newSignoffCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "signoff",
		Short: "Run the numbered checks of a sign-off",
		Long: "Signoff runs the checks that decide about the sign-off of a CODEOWNER: from a clone and from\n" +
			"evidence files, without an account and without a network. docs/signoff.md says what each check\n" +
			"needs and how evidence files look.",
		Example: "  sweepbot signoff check --base main --head my-branch --pr 1234 --signer nia --body-file signoff.md\n" +
			"  sweepbot signoff check --head my-branch --evidence comments.json --json\n" +
			"  sweepbot signoff why 4 --bundle verdict.zip",
	}
	return group(c, newSignoffCheckCommand(s), newSignoffWhyCommand(s), newSignoffReplayCommand(s), newSignoffDraftCommand(s))
}
