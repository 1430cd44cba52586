package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

func newRecipeCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "recipe",
		Short: "Compare what rows would serve",
		Long: "Recipe reads the launch path of rows, scripts and srt-slurm recipes, executing nothing, and\n" +
			"compares what they would serve: commands, flags, variables, images.",
		Example: "  sweepbot recipe diff main..my-branch\n" +
			"  sweepbot recipe diff HEAD~1..HEAD dsr1-fp4-b200-sglang",
	}
	return group(c, newRecipeDiffCommand(s), newRecipeCoverageCommand(s))
}

func newRecipeDiffCommand(s *streams) *cobra.Command {
	f := &recipeFlags{}
	asJSON := false
	c := &cobra.Command{
		Use:   "diff A..B [KEY...]",
		Short: "Show which rows would serve something else, and what",
		Long: "Diff resolves the rows of both revisions, of all configs or of some keys, and prints the differences\n" +
			"by meaning: flags, variables, images and processes that were added, removed or changed. Rows with\n" +
			"the same differences are shown together. The settings are those of A.\n\n" +
			"Configs that cannot be read are listed at the end; their rows cannot be told.\n\n" +
			"Exit codes: 0 compared, whatever the differences, 1 compared, but some configs cannot be read, 2\n" +
			"wrong command line, 3 something cannot be read at all.",
		Example: "  sweepbot recipe diff main..my-branch\n" +
			"  sweepbot recipe diff v1..v2 'dsr1-*' --json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, words []string) error {
			return runRecipeDiff(c.Context(), s, f, words[0], words[1:], asJSON)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the differences as a JSON document")
	return c
}

func runRecipeDiff(ctx context.Context, s *streams, f *recipeFlags, span string, keys []string, asJSON bool) error {
	from, to, ok := strings.Cut(span, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return usage("recipe.span", "value", span)
	}
	c, err := f.compare(ctx, from, to, keys)
	if err != nil {
		return err
	}
	if err := c.show(s, asJSON); err != nil {
		return err
	}
	return refusedIf(len(c.unread) > 0)
}

// compare judges the rows of one revision at another.
func (f *recipeFlags) compare(ctx context.Context, from, to string, keys []string) (comparison, error) {
	r, err := f.open(ctx)
	if err != nil {
		return comparison{}, err
	}
	defer r.Close()
	before, after, _, err := r.sides(ctx, from, to, keys)
	if err != nil {
		return comparison{}, err
	}
	return compared(ctx, before, after)
}

func newRecipeCoverageCommand(s *streams) *cobra.Command {
	f := &recipeFlags{}
	asJSON, at := false, ""
	c := &cobra.Command{
		Use:   "coverage",
		Short: "Count the rows whose launch path is wholly understood",
		Long: "Coverage counts rows by family and framework, complete ones and the reasons of the others. Configs\n" +
			"that cannot be read are listed at the end.\n\n" +
			"Exit codes: 0 all configs were read, 1 some cannot be, 2 wrong command line, 3 something cannot be\n" +
			"read at all.",
		Hidden: true,
		Args:   arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return runRecipeCoverage(c.Context(), s, f, at, asJSON)
		},
	}
	f.add(c)
	c.Flags().StringVar(&at, "at", "", "`REV` that is read (HEAD)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the counts as a JSON document")
	return c
}

func runRecipeCoverage(ctx context.Context, s *streams, f *recipeFlags, at string, asJSON bool) error {
	r, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	side, settings, err := r.side(ctx, at, nil)
	if err != nil {
		return err
	}
	results, err := side.Resolver.Rows(ctx, side.Rows)
	if err != nil {
		return err
	}
	cells := launch.Cover(side.Rows, results, settings.Launch.Recipes)
	unread := unreadBy(side)
	if asJSON {
		err = diag.EncodeLine(s.out, coverageDocument{cells, documentOf(comparison{unread: unread}, s.lang)})
	} else {
		p := &printer{s: s}
		renderCoverage(p, cells)
		renderUnread(p, unread)
		err = p.err
	}
	if err != nil {
		return err
	}
	return refusedIf(len(unread) > 0)
}

// coverageDocument is what coverage prints for machines.
type coverageDocument struct {
	Cells  []launch.Cell   `json:"cells"`
	Unread []pointDocument `json:"unread"`
}

// renderCoverage prints the counts, and below them the reasons.
func renderCoverage(p *printer, cells []launch.Cell) {
	total := make(map[string][2]int)
	for _, c := range cells {
		sum := total[c.Family]
		total[c.Family] = [2]int{sum[0] + c.Rows, sum[1] + c.Complete}
	}
	family := ""
	for _, c := range cells {
		if c.Family != family {
			family = c.Family
			p.line(family + ": " + share(total[family][1], total[family][0]))
		}
		p.line("  " + c.Framework + ": " + share(c.Complete, c.Rows))
		for _, reason := range sortedKeys(c.Reasons) {
			p.line("    " + strconv.Itoa(c.Reasons[reason]) + "x " + reason + " (" + c.Examples[reason] + ")")
		}
	}
}

// share is a part of a whole in words.
func share(part, whole int) string {
	return strconv.Itoa(part) + "/" + strconv.Itoa(whole) + " (" + strconv.FormatFloat(100*float64(part)/float64(max(whole, 1)), 'f', 1, 64) + " %)"
}
