package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/draft"
)

// signoffDraftFlags are the flags of signoff draft.
type signoffDraftFlags struct {
	caseFlags
	bundle bundleFlags
}

func newSignoffDraftCommand(s *streams) *cobra.Command {
	f := &signoffDraftFlags{}
	c := &cobra.Command{
		Use:   "draft",
		Short: "Write the checklist with what the evidence shows",
		Long: "Draft prints the template of the target branch, filled in: items whose check passes or does not apply\n" +
			"are checked, and facts with their links stand in the additional detail section: the newest sweep and\n" +
			"its scores, curves, images, the waiver, acceptance lengths and drafts. What only a person can say is\n" +
			"marked there. Items of judgement stay open: read them, and post the text as your own.",
		Example: "  sweepbot signoff draft --base main --head my-branch --pr 1234 --signer nia --evidence evidence/",
		Args:    arguments(0),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.add(c)
	f.bundle.add(c)
	return c
}

func (f *signoffDraftFlags) run(ctx context.Context, s *streams) error {
	return f.verifyWith(ctx, s, func(v *bundle.Verification, _ checks.History) error {
		text, err := draft.Of(ctx, v.Evidence(), v.Results)
		if err != nil {
			return err
		}
		if err := f.bundle.write(v); err != nil {
			return err
		}
		_, err = io.WriteString(s.out, text)
		return err
	})
}
