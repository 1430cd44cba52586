package main

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// validateFlags are the flags of the validate command.
type validateFlags struct {
	changeFlags
	format, sarif string
}

// findingFormats are the formats in which validate prints findings.
var findingFormats = []string{"text", "github", "json", "sarif"}

func newValidateCommand(s *streams) *cobra.Command {
	f := &validateFlags{}
	c := &cobra.Command{
		Use:   "validate",
		Short: "Report every problem of configs, runners and changelog",
		Long: "Validate reads the settings, the runner inventory, every config and the priority policy of a\n" +
			"revision, expands every config, and compares the changelog with the base where one is known.\n" +
			"It reports all problems in one run; what a plan would refuse is refused here too.\n\n" +
			"Formats: text, for people, on standard error; github, annotations on the lines of a pull\n" +
			"request; json; sarif, for code scanning. The last three go to standard output.",
		Example: "  sweepbot validate\n" +
			"  sweepbot validate --base origin/main --pr 1234 --format github\n" +
			"  sweepbot validate --rev v2 --sarif findings.sarif",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone, or of a plain folder")
	c.Flags().StringVar(&f.head, "rev", "", "`REV` to validate (default: HEAD)")
	c.Flags().StringVar(&f.base, "base", "", "`REV` that the changelog is compared with (default: where the branch left its base branch)")
	f.presetFlag(c)
	f.number(c)
	c.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(findingFormats, ", "))
	c.Flags().StringVar(&f.sarif, "sarif", "", "also write the findings as SARIF to this `FILE`")
	return c
}

func (f *validateFlags) run(ctx context.Context, s *streams) error {
	if err := errors.Join(f.check(), choice("--format", f.format, findingFormats)); err != nil {
		return err
	}
	w, err := bot.OpenWorkspace(ctx, f.repo)
	if err != nil {
		return err
	}
	defer w.Close()
	request, err := f.request(ctx, w)
	if err != nil {
		return err
	}
	v, err := bot.Validate(request)
	if err != nil {
		v.Findings = findingsOf(err)
	}
	if f.sarif != "" {
		var b bytes.Buffer
		if err := diag.WriteSARIF(&b, v.Findings, s.lang, version()); err != nil {
			return err
		}
		if err := replaceFile(f.sarif, b.Bytes()); err != nil {
			return err
		}
	}
	if err := f.print(s, v); err != nil {
		return err
	}
	if v.Findings.Refused() {
		return &exitError{code: codeOf(v.Findings)}
	}
	return nil
}

// request names both sides. A clone whose base branch is not known, and which
// names none, is validated without a comparison.
func (f *validateFlags) request(ctx context.Context, w *bot.Workspace) (bot.ValidateRequest, error) {
	request := bot.ValidateRequest{Preset: f.preset, PR: f.pr}
	change, err := w.Change(ctx, f.base, f.head)
	var unknown diag.Finding
	switch {
	case err == nil:
		request.Base, request.Head = change.Base, change.Head
		return request, nil
	case f.base != "" || !errors.As(err, &unknown) || unknown.Code != "bot.no-base":
		return request, err
	}
	rev := f.head
	if rev == "" {
		rev = "HEAD"
	}
	request.Head, err = w.Revision(ctx, rev)
	request.Base = matrix.Revision{}
	return request, err
}

func (f *validateFlags) print(s *streams, v bot.Validation) error {
	switch f.format {
	case "github":
		return diag.WriteGitHub(s.out, v.Findings, s.lang)
	case "sarif":
		return diag.WriteSARIF(s.out, v.Findings, s.lang, version())
	case "json":
		return diag.WriteJSON(s.out, outcomeOf(v.Findings), v.Findings, s.lang)
	}
	style := s.text(v.Sources.File)
	style.Uncounted = true // the line below counts them
	if err := diag.WriteText(s.err, v.Findings, style); err != nil {
		return err
	}
	_, err := s.out.Write([]byte(bot.RenderValidation(v, s.table()) + "\n"))
	return err
}

// outcomeOf is the word for the outcome of a validation in JSON.
func outcomeOf(list diag.List) string {
	if list.Refused() {
		return "refused"
	}
	return "accepted"
}
