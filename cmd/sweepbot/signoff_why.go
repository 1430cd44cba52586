package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// signoffWhyFlags are the flags of signoff why.
type signoffWhyFlags struct {
	caseFlags
	file string
}

func newSignoffWhyCommand(s *streams) *cobra.Command {
	f := &signoffWhyFlags{}
	c := &cobra.Command{
		Use:   "why N",
		Short: "Show the rule and the evidence of one row",
		Long: "Why says of one check what it asks for, what it decided, on which evidence, and what was missing. The\n" +
			"case is that of a bundle, or is named by the flags of signoff check.",
		Example: "  sweepbot signoff why 4 --bundle verdict.zip\n" +
			"  sweepbot signoff why 0 --base main --head my-branch --signer nia",
		Args: arguments(1),
		RunE: func(c *cobra.Command, words []string) error { return f.run(c.Context(), s, words[0]) },
	}
	f.add(c)
	c.Flags().StringVar(&f.file, "bundle", "", "`FILE` that signoff check --bundle wrote, instead of a case by flags")
	return c
}

func (f *signoffWhyFlags) run(ctx context.Context, s *streams, word string) error {
	number, err := strconv.Atoi(word)
	if err != nil || number < 0 {
		return usage("signoff.bad-check", "value", word)
	}
	var v *bundle.Verification
	if f.file != "" {
		v, err = replayBundle(ctx, f.file)
	} else {
		v, err = f.verify(ctx, s)
	}
	if err != nil {
		return err
	}
	if number >= len(v.Results) {
		return usage("signoff.no-check", "value", word, "profile", v.Profile.Era)
	}
	return renderWhy(s, v, v.Results[number])
}

// renderWhy prints everything about one row.
func renderWhy(s *streams, v *bundle.Verification, r checks.Result) error {
	p := &printer{s: s}
	p.line(rowTitle(r))
	p.line(p.text("signoff.assessed", "head", v.Head[:min(8, len(v.Head))], "base", v.Base[:min(8, len(v.Base))], "profile", v.Profile.Era, "date", v.Date.Format(time.DateOnly)))
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		p.line("")
		p.line(p.text(title))
		for _, line := range lines {
			p.line("  " + line)
		}
	}
	wrapped := func(text string) []string { return bodyLines(text, columns(s.out)-2) }
	section("signoff.rule", wrapped(p.text(r.Topic.RuleText())))
	if c, ok := checks.Standard().Lookup(r.Topic); ok {
		needs := make([]string, len(c.Needs))
		for i, need := range c.Needs {
			needs[i] = string(need)
		}
		section("signoff.needs", []string{strings.Join(needs, ", ")})
	}
	section("signoff.decided", wrapped(r.Reason))
	for _, remark := range r.Remarks {
		section("signoff.remark", wrapped(remark))
	}
	var cited []string
	for _, c := range r.Citations {
		cited = append(cited, citationLine(c))
	}
	section("signoff.evidence", cited)
	section("signoff.was-missing", r.Missing)
	var marked []string
	for _, a := range r.Annotations {
		marked = append(marked, a.Path+":"+strconv.Itoa(a.Line)+"  "+a.Text)
	}
	section("signoff.lines", marked)
	if mend := catalog.Mend(s.lang, r.Topic.RuleText()); mend != "" && r.Status != checks.Pass && r.Status != checks.NotApplicable {
		section("signoff.clears", wrapped(mend))
	}
	return p.err
}
