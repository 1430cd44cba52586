// Package stale says which measured rows are still current at another
// revision: those that would serve the same. What is compared is the tree that
// was measured, never a branch (spec/checks.md check 1, currency).
package stale

import (
	"context"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// Verdict says what became of a measured row.
type Verdict string

// The verdicts. Same: nothing that the row depends on changed. Closure: files
// that it reads changed, and it would serve the same. Changed: it would serve
// something else. Unknown: the question cannot be decided. New: the row was
// not there. Gone: it is no more.
const (
	Same    Verdict = "same"
	Closure Verdict = "same-closure-changed"
	Changed Verdict = "changed"
	Unknown Verdict = "cannot-tell"
	New     Verdict = "new"
	Gone    Verdict = "gone"
)

// Current reports whether a measurement of the row still stands.
func (v Verdict) Current() bool { return v == Same || v == Closure }

// Side is one revision: its rows and what resolves them.
type Side struct {
	Rows     []*matrix.Row
	Resolver *launch.Resolver
	// Unread are the configs that have no rows because they cannot be read.
	Unread []matrix.Unread
}

// unread are the questions about a config that cannot be read, nil about any
// other.
func (s Side) unread(key string) []recipe.Question {
	for _, u := range s.Unread {
		if u.Key == key {
			return QuestionsOf(u)
		}
	}
	return nil
}

// QuestionsOf is what is wrong with a config that cannot be read, as questions.
func QuestionsOf(u matrix.Unread) []recipe.Question {
	out := make([]recipe.Question, len(u.Findings))
	for i, f := range u.Findings {
		out[i] = recipe.Question{Code: f.Code, Args: f.Args, Place: f.Place}
	}
	return out
}

// Point is the verdict on one row.
type Point struct {
	// Row is that of the later revision, or of the earlier one if it is gone.
	Row     *matrix.Row
	Verdict Verdict
	// Changes are what would be served otherwise; of an undecided row, those
	// that may be.
	Changes []recipe.Change
	// Files are the files of the earlier closure that changed.
	Files []recipe.File
	// Why are the questions that keep the row from being decided.
	Why []recipe.Question
}

// Compare judges the rows of a measured revision at a later one, in the order
// of the later rows; rows that are gone follow. A row whose closure did not
// change is not interpreted at the later revision. A row whose config cannot be
// read at the other revision is neither new nor gone: it cannot be told.
func Compare(ctx context.Context, measured, now Side) ([]Point, error) {
	before := make(map[string]*matrix.Row, len(measured.Rows))
	names := identities(measured.Rows)
	for i, row := range measured.Rows {
		before[names[i]] = row
	}
	later := identities(now.Rows)
	out := make([]Point, len(now.Rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, row := range now.Rows {
		was := before[later[i]]
		if was == nil {
			out[i] = lone(row, New, measured)
			continue
		}
		delete(before, later[i])
		g.Go(func() error {
			p, err := judge(ctx, measured.Resolver, now.Resolver, was, row)
			out[i] = p
			return err
		})
	}
	err := g.Wait()
	for i, row := range measured.Rows {
		if before[names[i]] != nil {
			out = append(out, lone(row, Gone, now))
		}
	}
	return out, err
}

// lone is the verdict on a row that the other side does not have.
func lone(row *matrix.Row, verdict Verdict, other Side) Point {
	if why := other.unread(row.Config.Key); why != nil {
		return Point{Row: row, Verdict: Unknown, Why: why}
	}
	return Point{Row: row, Verdict: verdict}
}

// judge compares one row at two revisions.
func judge(ctx context.Context, then, now *launch.Resolver, was, is *matrix.Row) (Point, error) {
	p := Point{Row: is}
	a, err := then.Row(ctx, was, launch.ModeOf(was))
	if err != nil {
		return p, err
	}
	if p.Files, err = then.Differences(a.Closure, now); err != nil {
		return p, err
	}
	if len(p.Files) == 0 && sameRow(was, is) && slices.Equal(then.Launchers(was), now.Launchers(is)) {
		p.Verdict = Same
		return p, nil
	}
	b, err := now.Row(ctx, is, launch.ModeOf(is))
	if err != nil {
		return p, err
	}
	p.Changes = recipe.Diff(a, b)
	p.Verdict, p.Why = decide(a, b, p.Changes)
	if p.Verdict == Same && len(p.Files) > 0 {
		p.Verdict = Closure
	}
	return p, nil
}

// decide says whether two recipes are the same. A certain change outweighs all
// that is not known.
func decide(a, b *recipe.Effective, changes []recipe.Change) (Verdict, []recipe.Question) {
	undecided := false
	for _, c := range changes {
		if c.Kind != recipe.Undecided {
			return Changed, nil
		}
		undecided = true
	}
	var why []recipe.Question
	for _, e := range []*recipe.Effective{a, b} {
		for _, q := range e.Open {
			if !q.Part && !slices.ContainsFunc(why, func(w recipe.Question) bool { return w.Code == q.Code && slices.Equal(w.Args, q.Args) }) {
				why = append(why, q)
			}
		}
	}
	if undecided || len(why) > 0 {
		return Unknown, why
	}
	return Same, nil
}

// sameRow reports whether a row says the same at both revisions.
func sameRow(a, b *matrix.Row) bool {
	return string(a.Document().Append(nil, ordjson.Canonical)) == string(b.Document().Append(nil, ordjson.Canonical))
}

// incidental are the fields of a row that say what it serves rather than which
// point it is.
var incidental = []string{"image", "recipe-fingerprint", "srt-recipe", "eval-srt-recipe", "router", "kv-p2p-transfer", "total-cpu-dram-gb",
	"duration", "node-count", "run-eval", "max-model-len", "power", "require-power", "eval-framework"}

// Identity names a row so that it is found again at another revision: by its
// config key, its point of the search space and its concurrency. row is the
// row as the plan document has it.
func Identity(key string, row ordjson.Value) string {
	kept := ordjson.Map()
	for _, m := range row.Members {
		if slices.Contains(incidental, m.Name) {
			continue
		}
		if m.Name == "prefill" || m.Name == "decode" {
			m.Value = withoutSettings(m.Value)
		}
		kept.Members = append(kept.Members, m)
	}
	return key + "\x00" + string(kept.Append(nil, ordjson.Canonical))
}

// identities are those of rows, the second of two equal ones with a number.
func identities(rows []*matrix.Row) []string {
	seen := make(map[string]int, len(rows))
	out := make([]string, len(rows))
	for i, row := range rows {
		name := Identity(row.Config.Key, row.Document())
		if seen[name]++; seen[name] > 1 {
			name += "\x00" + strconv.Itoa(seen[name])
		}
		out[i] = name
	}
	return out
}

func withoutSettings(v ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	for _, m := range v.Members {
		if m.Name != "additional-settings" && m.Name != "hardware" {
			out.Members = append(out.Members, m)
		}
	}
	return out
}
