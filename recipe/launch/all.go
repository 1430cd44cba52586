package launch

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// Rows resolves many rows, each in the mode that its plan runs it in, on all
// processors. The results are in the order of the rows.
func (r *Resolver) Rows(ctx context.Context, rows []*matrix.Row) ([]*recipe.Effective, error) {
	return r.RowsIn(ctx, rows, ModeOf)
}

// RowsIn is Rows with the mode of each row by a function.
func (r *Resolver) RowsIn(ctx context.Context, rows []*matrix.Row, mode func(*matrix.Row) Mode) ([]*recipe.Effective, error) {
	out := make([]*recipe.Effective, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		g.Go(func() error { // one stack that has grown serves many rows
			for {
				i := int(next.Add(1)) - 1
				if i >= len(rows) {
					return nil
				}
				e, err := r.Row(ctx, rows[i], mode(rows[i]))
				if out[i] = e; err != nil {
					return err
				}
			}
		})
	}
	return out, g.Wait()
}

// Differences returns the files of a closure whose content another revision
// has otherwise: changed, gone, or there where none was. Files of other
// repositories are the same as long as what is checked out of them is.
func (r *Resolver) Differences(closure []recipe.File, other *Resolver) ([]recipe.File, error) {
	var out []recipe.File
	for _, f := range closure {
		if f.Repository != "" {
			continue
		}
		mine, err := r.identity(f.Path)
		if err != nil {
			return nil, err
		}
		theirs, err := other.identity(f.Path)
		if err != nil {
			return nil, err
		}
		if mine != theirs {
			out = append(out, f)
		}
	}
	return out, nil
}

// identity tells contents apart: by the tree's ids, else by the bytes.
func (r *Resolver) identity(name string) (string, error) {
	if tree, ok := r.files.tree.(Identifier); ok {
		id, _, err := tree.ID(name)
		return id, err
	}
	data, ok, err := r.files.ReadFile(name)
	if err != nil || !ok {
		return "", err
	}
	return "=" + string(data), nil
}

// Launchers are the launch scripts behind a runner label, by the prefixes of
// their runners.
func (r *Resolver) Launchers(row *matrix.Row) []string {
	var out []string
	for _, name := range r.runners(row) {
		out = append(out, launcherPrefix(name))
	}
	return out
}
