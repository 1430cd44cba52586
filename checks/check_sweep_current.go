package checks

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// currency says what became of a measurement at a later commit.
type currency struct {
	at     string // the later commit
	points int    // that were compared
	// changed are the points that would serve something else, files the changed
	// code that they run and that is not understood any further.
	changed []changedPoint
	files   []string
	// harmless are changed files that the points read or run without serving
	// anything else; others are the rest, which they don't touch.
	harmless, others []string
	// results are changed files of the code that makes rows of results.
	results []string
}

// holds reports whether the measurement still stands.
func (c *currency) holds() bool { return len(c.changed)+len(c.files) == 0 }

// changedPoint is a point that a sweep did not measure as it is now.
type changedPoint struct {
	row *matrix.Row
	// isNew says that it was not measured at all.
	isNew   bool
	changes []recipe.Change
	// fields are fields of the row that differ; files are those that keep the
	// point from being decided.
	fields, files []string
}

// compare says whether what a run measured is what the head would serve.
func (s *sweepCheck) compare(ctx context.Context, a *attempt) (err error) {
	if s.dated {
		a.current, err = s.between(ctx, a.measured, s.e.Head)
	}
	return err
}

// between compares the affected points of two commits. It fails only where the
// trees can't be read.
func (s *sweepCheck) between(ctx context.Context, then, now string) (*currency, error) {
	c := &currency{at: now}
	if then == now {
		return c, nil
	}
	changes, err := s.e.history.Changed(ctx, then, now)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(changes, func(ch gitrepo.Change) bool { return !idle(ch.Path) }) {
		for _, ch := range changes {
			c.others = append(c.others, ch.Path)
		}
		return c, nil
	}
	p := pair{s: s, out: c}
	if err := p.open(ctx, then, now); err != nil {
		return nil, err
	}
	for _, rev := range []*Revision{p.then, p.now} {
		if rev.Masters == nil { // of such a commit nothing is known
			c.files = append(c.files, rev.Findings.First().Place.File)
			return c, nil
		}
	}
	if err := p.rows(ctx); err != nil {
		return nil, err
	}
	return c, p.code(ctx, changes)
}

// idle reports whether a file can't matter to any point: documents, tests, the
// workflows around a sweep.
func idle(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasSuffix(base, ".md") || strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") || strings.HasPrefix(name, ".github/") {
		return true
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(name, base), "/") {
		if part == "docs" || part == "tests" || part == "deprecated" {
			return true
		}
	}
	return false
}

// pair are two commits that are compared.
type pair struct {
	s         *sweepCheck
	out       *currency
	then, now *Revision
	was, is   *plannedSweep
	before    *launch.Resolver
	after     *launch.Resolver
	closure   map[string]bool // files that the points read at either side
	running   []*matrix.Row   // rows of both sides
}

func (p *pair) open(ctx context.Context, then, now string) (err error) {
	if p.then, err = p.s.e.Revision(ctx, then); err != nil {
		return err
	}
	if p.now, err = p.s.e.Revision(ctx, now); err != nil {
		return err
	}
	if p.was, err = p.s.plan(ctx, then); err != nil {
		return err
	}
	if p.is, err = p.s.plan(ctx, now); err != nil {
		return err
	}
	if p.was.refused != nil || p.is.refused != nil { // alike on both sides
		p.was, p.is = p.s.configured(p.then), p.s.configured(p.now)
	}
	if p.then.Masters == nil || p.now.Masters == nil {
		return nil
	}
	cache := &launch.Cache{}
	if p.before, err = p.then.resolverWith(p.s.e, cache); err != nil {
		return err
	}
	p.after, err = p.now.resolverWith(p.s.e, cache)
	return err
}

// configured are the rows of the affected keys without their evals.
func (s *sweepCheck) configured(rev *Revision) *plannedSweep {
	out := &plannedSweep{}
	for _, key := range s.affected.Keys {
		out.rows = append(out.rows, rev.RowsOf(key.Key)...)
	}
	return out
}

// rows compares what the points serve.
func (p *pair) rows(ctx context.Context) error {
	list, err := stale.Compare(ctx, stale.Side{Rows: p.was.rows, Resolver: p.before}, stale.Side{Rows: p.is.rows, Resolver: p.after})
	if err != nil {
		return err
	}
	measured := make(map[string]*matrix.Row, len(p.was.rows))
	for _, row := range p.was.rows {
		measured[stale.Identity(row.Config.Key, row.Document())] = row
	}
	for _, point := range list {
		if point.Verdict == stale.Gone {
			continue
		}
		if !isEvalRow(point.Row) {
			p.out.points += len(point.Row.Conc)
		}
		if c, changed := p.judge(point, measured); changed {
			p.out.changed = append(p.out.changed, c)
		}
		for _, f := range point.Files {
			if f.Repository == "" {
				p.out.harmless = append(p.out.harmless, f.Path)
			}
		}
	}
	return p.close(ctx)
}

// judge says whether a point counts as changed: where it can't be told, it
// does, unless the files that are in the way differ in comments only.
func (p *pair) judge(point stale.Point, measured map[string]*matrix.Row) (changedPoint, bool) {
	c := changedPoint{row: point.Row, changes: point.Changes}
	if was := measured[stale.Identity(point.Row.Config.Key, point.Row.Document())]; was != nil {
		c.fields = fieldsThatDiffer(was, point.Row)
	}
	switch point.Verdict {
	case stale.New:
		c.isNew = true
		return c, true
	case stale.Changed:
		return c, true
	case stale.Unknown:
		for _, f := range point.Files {
			if f.Repository != "" || !p.sameCode(f.Path) {
				c.files = append(c.files, f.Path)
			}
		}
		c.changes = slices.DeleteFunc(slices.Clone(c.changes), func(ch recipe.Change) bool { return ch.Kind == recipe.Undecided })
		return c, len(c.files)+len(c.fields) > 0
	}
	return c, len(c.fields) > 0
}

// notServed are fields of a row that say nothing about what is served: they
// say when it is measured and evaluated.
var notServed = append([]string{"run-eval", "eval-only", "eval-conc", "eval-all-concs", "eval-framework", "eval-suite", "power", "require-power", "hardware"}, notOfAPoint...)

// fieldsThatDiffer are the names of the fields that a row has otherwise.
func fieldsThatDiffer(was, is *matrix.Row) []string {
	before, after := was.Document(), is.Document()
	var out []string
	for _, side := range [][2]ordjson.Value{{before, after}, {after, before}} {
		for _, m := range side[0].Members {
			other, ok := side[1].Get(m.Name)
			if slices.Contains(notServed, m.Name) || slices.Contains(out, m.Name) || ok && other.String() == m.Value.String() {
				continue
			}
			out = append(out, m.Name)
		}
	}
	return out
}

// close collects the files that the points read at either side.
func (p *pair) close(ctx context.Context) error {
	p.closure = make(map[string]bool)
	p.running = slices.Concat(p.was.rows, p.is.rows)
	for _, side := range []struct {
		rows     []*matrix.Row
		resolver *launch.Resolver
	}{{p.was.rows, p.before}, {p.is.rows, p.after}} {
		for _, row := range side.rows {
			effective, err := side.resolver.Row(ctx, row, launch.ModeOf(row))
			if err != nil {
				return err
			}
			for _, f := range effective.Closure {
				if f.Repository == "" {
					p.closure[f.Path] = true
				}
			}
		}
	}
	slices.Sort(p.out.harmless)
	p.out.harmless = slices.Compact(p.out.harmless)
	return nil
}

// resolverWith makes a resolver of its own for a side, which shares what it
// finds out with that of the other side.
func (r *Revision) resolverWith(e *Evidence, cache *launch.Cache) (*launch.Resolver, error) {
	resolver, err := launch.New(e.Settings, r.inventory, readable{r.Tree}, nil)
	if err == nil {
		resolver.Cache = cache
	}
	return resolver, err
}

// textAt is a file at a side, "" where there is none.
func textAt(tree Tree, name string) (string, bool) {
	data, err := tree.ReadFile(name)
	if err != nil {
		var not *gitrepo.NotFileError
		return "", errors.Is(err, fs.ErrNotExist) && !errors.As(err, &not)
	}
	return string(data), true
}
