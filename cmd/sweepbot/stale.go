package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// staleFlags say what is judged.
type staleFlags struct {
	recipeFlags
	head   string
	run    runFlags
	asJSON bool
}

func newStaleCommand(s *streams) *cobra.Command {
	f := &staleFlags{}
	c := &cobra.Command{
		Use:   "stale RUN|PLAN|SHA [KEY...]",
		Short: "Say which measured rows are no longer current",
		Long: "Stale compares what was measured with what the head would serve, row by row. What was measured is\n" +
			"a commit, the plan document of a sweep or the folder that holds it (plan.json), or the number of a\n" +
			"run, whose plan is fetched. Of a plan it is the tree that the plan pins that counts, which on a pull\n" +
			"request is the merge of head and base, and only the rows that it ran.\n\n" +
			"Of each row it says: same; same though files that it reads changed; changed, and in what; or cannot\n" +
			"tell, and why. Nothing is executed.\n\n" +
			"A config that cannot be read takes no other its place; it is listed, and its rows cannot be told.\n\n" +
			"Exit codes: 0 all rows are current, 1 some are not or cannot be judged, 2 wrong command line, 3\n" +
			"something cannot be read.",
		Example: "  sweepbot stale HEAD~3\n" +
			"  sweepbot stale .sweepbot/sweep-1 --head my-branch\n" +
			"  sweepbot stale 48100200300 -R acme/bench --json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, words []string) error { return f.judge(c.Context(), s, words[0], words[1:]) },
	}
	f.add(c)
	c.Flags().StringVar(&f.head, "head", "", "`REV` that would be served (HEAD)")
	f.run.add(c)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the verdicts as a JSON document")
	return c
}

func (f *staleFlags) judge(ctx context.Context, s *streams, what string, keys []string) error {
	m, err := f.measured(ctx, what)
	if err != nil {
		return err
	}
	r, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	now, then, _, err := r.sides(ctx, f.head, m.commit, keys)
	if err != nil {
		return err
	}
	c, err := compared(ctx, then, now)
	if err != nil {
		return err
	}
	c.points = m.only(c.points)
	c.unread = m.keys(c.unread)
	if err := c.show(s, f.asJSON); err != nil {
		return err
	}
	return refusedIf(len(c.unread) > 0 || slices.ContainsFunc(c.points, func(p stale.Point) bool { return !p.Verdict.Current() }))
}

// measurement is what a sweep measured: a commit, and the rows of a plan if
// that is known.
type measurement struct {
	commit string
	rows   map[string]bool // identities of rows; nil means all
	ran    map[string]bool // config keys of those rows
}

// measured reads what a command line names as measured.
func (f *staleFlags) measured(ctx context.Context, what string) (measurement, error) {
	if f.run.names(what) {
		data, err := f.run.plan(ctx, what)
		if err != nil {
			return measurement{}, err
		}
		return measuredBy(what, data)
	}
	for _, name := range []string{filepath.Join(what, planName), what} {
		data, err := readInput(name)
		if err == nil {
			return measuredBy(name, data)
		}
		var path *fs.PathError
		if !errors.As(err, &path) {
			return measurement{}, err
		}
	}
	return measurement{commit: what}, nil
}

// planName is the name of the plan beside the artifacts of a sweep.
const planName = "plan.json"

// measuredBy reads a plan document: the tree that it pins, the rows that it
// runs.
func measuredBy(name string, data []byte) (measurement, error) {
	doc, err := ordjson.Parse(data)
	if err != nil {
		return measurement{}, diag.New("recipe.plan-unreadable", diag.Place{File: name}, "detail", err.Error())
	}
	tree, ok := doc.Get("measured") // of a pull request: the merge of head and base
	if !ok {
		tree, _ = doc.Get("head")
	}
	commit, _ := tree.Get("commit")
	if commit.Text == "" {
		return measurement{}, diag.New("recipe.plan-without-commit", diag.Place{File: name})
	}
	m := measurement{commit: commit.Text, rows: make(map[string]bool), ran: make(map[string]bool)}
	families, _ := doc.Get("families")
	for _, family := range families.Items {
		points, _ := family.Get("points")
		for _, point := range points.Items {
			row, _ := point.Get("row")
			key, _ := point.Get("key")
			m.rows[stale.Identity(key.Text, row)] = true
			m.ran[key.Text] = true
		}
	}
	return m, nil
}

// only keeps the verdicts on rows that were measured.
func (m measurement) only(points []stale.Point) []stale.Point {
	if m.rows == nil {
		return points
	}
	out := points[:0]
	for _, p := range points {
		if m.rows[stale.Identity(p.Row.Config.Key, p.Row.Document())] {
			out = append(out, p)
		}
	}
	return out
}

// keys keeps the configs of which rows were measured.
func (m measurement) keys(list []matrix.Unread) []matrix.Unread {
	if m.rows == nil {
		return list
	}
	return slices.DeleteFunc(list, func(u matrix.Unread) bool { return !m.ran[u.Key] })
}
