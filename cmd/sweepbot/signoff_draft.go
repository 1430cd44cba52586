package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/draft"
)

func newSignoffDraftCommand(s *streams) *cobra.Command {
	f := &caseFlags{}
	c := &cobra.Command{
		Use:   "draft",
		Short: "Write the checklist with what the evidence shows",
		Long: "Draft prints the template of the target branch, filled in: items whose check passes or does not apply\n" +
			"are checked, facts with their links stand in the additional detail section, and what a check asks\n" +
			"for is marked there. Items of judgement stay open: read them, and post the text as your own.",
		Example: "  sweepbot signoff draft --base main --head my-branch --pr 1234 --signer nia --evidence evidence/",
		Args:    arguments(0),
		RunE:    func(c *cobra.Command, _ []string) error { return runSignoffDraft(c.Context(), s, f) },
	}
	f.add(c)
	return c
}

func runSignoffDraft(ctx context.Context, s *streams, f *caseFlags) error {
	return f.verifyWith(ctx, s, func(v *bundle.Verification, history checks.History) error {
		tree, err := history.Tree(ctx, v.Target)
		if err != nil {
			return err
		}
		text, err := draft.ForTree(tree, v.Settings.Layout, v.Signer, v.Results)
		if err != nil {
			return err
		}
		_, err = io.WriteString(s.out, text)
		return err
	})
}
