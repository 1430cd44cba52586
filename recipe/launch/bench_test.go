package launch

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
)

// Variables that name what is measured beyond the samples: a clone in the
// layout of the newest preset, its revision, and clones of other repositories.
const (
	cloneVariable    = "SWEEPBOT_RECIPES_CLONE"
	revisionVariable = "SWEEPBOT_RECIPES_REVISION"
	othersVariable   = "SWEEPBOT_RECIPES_CHECKOUTS" // OWNER/NAME=DIR, separated by commas
)

// repositories are those that are measured, by name.
func repositories(b *testing.B) map[string]func() ([]*matrix.Row, *Resolver) {
	sample := sampleRecipes(b)
	out := map[string]func() ([]*matrix.Row, *Resolver){"sample": func() ([]*matrix.Row, *Resolver) { return rowsAt(b, sample, nil) }}
	dir := os.Getenv(cloneVariable)
	if dir == "" {
		return out
	}
	repo := openClone(b, dir)
	rev := os.Getenv(revisionVariable)
	if rev == "" {
		rev = "HEAD"
	}
	others := benchClones{}
	for _, word := range strings.Split(os.Getenv(othersVariable), ",") {
		if name, dir, ok := strings.Cut(word, "="); ok {
			others[strings.ToLower(name)] = openClone(b, dir)
		}
	}
	out["clone"] = func() ([]*matrix.Row, *Resolver) {
		tree, err := repo.Tree(context.Background(), rev)
		if err != nil {
			b.Fatal(err)
		}
		return rowsAt(b, GitTree(tree), others)
	}
	return out
}

// rowsAt are all rows of a revision with their resolver, by the settings of the
// revision.
func rowsAt(b *testing.B, tree Tree, others Checkouts) ([]*matrix.Row, *Resolver) {
	settings, _, err := config.Detect(tree)
	if err != nil {
		b.Fatal(err)
	}
	rows, list := matrix.Generate(settings, tree, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}, Evals: matrix.EvalDefault})
	if list.Refused() {
		b.Fatal(list)
	}
	inventory, list := matrix.ReadRunners(settings, tree)
	if list.Refused() {
		b.Fatal(list)
	}
	r, err := New(settings, inventory, tree, others)
	if err != nil {
		b.Fatal(err)
	}
	return rows, r
}

func openClone(b *testing.B, dir string) *gitrepo.Repo {
	repo, err := gitrepo.Open(context.Background(), dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = repo.Close() })
	return repo
}

// benchClones are clones by owner/name in lower case.
type benchClones map[string]*gitrepo.Repo

func (c benchClones) Checkout(address, ref string) (Tree, bool) {
	for name, repo := range c {
		if !strings.HasSuffix(strings.TrimSuffix(strings.ToLower(address), ".git"), name) {
			continue
		}
		if ref == "" {
			ref = "HEAD"
		}
		if tree, err := repo.Tree(context.Background(), ref); err == nil {
			return GitTree(tree), true
		}
	}
	return nil, false
}

// BenchmarkFullConfiguration reads all rows of a repository, from the bytes of
// its configs to what each row serves.
func BenchmarkFullConfiguration(b *testing.B) {
	for name, open := range repositories(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			count := 0
			for b.Loop() {
				rows, r := open()
				if _, err := r.Rows(context.Background(), rows); err != nil {
					b.Fatal(err)
				}
				count = len(rows)
			}
			b.ReportMetric(float64(count), "rows")
		})
	}
}

// BenchmarkOneChange reads the rows of one config with nothing read before, as
// for a pull request that touches one.
func BenchmarkOneChange(b *testing.B) {
	for name, open := range repositories(b) {
		b.Run(name, func(b *testing.B) {
			all, _ := open()
			key := all[len(all)/2].Config.Key
			b.ReportAllocs()
			count := 0
			for b.Loop() {
				rows, r := open()
				var mine []*matrix.Row
				for _, row := range rows {
					if row.Config.Key == key {
						mine = append(mine, row)
					}
				}
				if _, err := r.Rows(context.Background(), mine); err != nil {
					b.Fatal(err)
				}
				count = len(mine)
			}
			b.ReportMetric(float64(count), "rows")
		})
	}
}

// BenchmarkRow reads one row with nothing read before, for the middle row of
// each family.
func BenchmarkRow(b *testing.B) {
	for name, open := range repositories(b) {
		families := make(map[string][]*matrix.Row)
		all, _ := open()
		for _, row := range all {
			family := FamilyOf(row, true)
			if strings.HasPrefix(strings.TrimPrefix(row.Runner, "cluster:"), "mi") {
				family += " on AMD"
			}
			families[family] = append(families[family], row)
		}
		for family, rows := range families {
			row := rows[len(rows)/2]
			b.Run(name+"/"+family, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					_, r := open()
					b.StartTimer()
					if _, err := r.Row(context.Background(), row, ModeOf(row)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
