package main

import (
	"context"
	"errors"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// recipeFlags say where recipes are read.
type recipeFlags struct {
	repo, preset string
	checkouts    []string
}

func (f *recipeFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone, or of a plain folder")
	c.Flags().StringVar(&f.preset, "preset", "", "settings `NAME` instead of those of the revision: "+strings.Join(config.PresetNames(), ", "))
	f.addCheckouts(c)
}

func (f *recipeFlags) addCheckouts(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.checkouts, "checkout", nil, "clone of another repository that launchers check out, as `OWNER/NAME=DIR`; repeat it")
}

// recipeReader reads the recipes of a workspace. Close it.
type recipeReader struct {
	workspace *bot.Workspace
	clones    *clones
	preset    string
}

func (f *recipeFlags) open(ctx context.Context) (*recipeReader, error) {
	debug.SetGCPercent(400) // much is made, little is kept, and the process ends soon
	w, err := bot.OpenWorkspace(ctx, f.repo)
	if err != nil {
		return nil, err
	}
	others, err := openClones(ctx, f.checkouts)
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	return &recipeReader{workspace: w, clones: others, preset: f.preset}, nil
}

// Close ends the reading.
func (r *recipeReader) Close() error {
	_ = r.clones.Close()
	return r.workspace.Close()
}

// revision is HEAD where a clone is given no revision.
func (r *recipeReader) revision(ctx context.Context, rev string) (matrix.Revision, error) {
	if rev == "" && !r.workspace.IsFolder() {
		rev = "HEAD"
	}
	return r.workspace.Revision(ctx, rev)
}

// side reads one revision: its settings unless others are given, and the rows
// of all configs, or of those that the keys name. A config that cannot be read
// takes no other its place (matrix.Read).
func (r *recipeReader) side(ctx context.Context, rev string, settings *config.Settings, keys ...string) (stale.Side, config.Settings, error) {
	side, absent, own, err := r.read(ctx, rev, settings, keys)
	if err == nil && len(absent) > 0 {
		err = diag.List{absent[0].Finding}
	}
	return side, own, err
}

// sides reads two revisions by the settings of the first. What a key names may
// be new on one of them, or gone; it must be there on either.
func (r *recipeReader) sides(ctx context.Context, first, second string, keys []string) (a, b stale.Side, settings config.Settings, err error) {
	a, missing, settings, err := r.read(ctx, first, nil, keys)
	if err != nil {
		return a, b, settings, err
	}
	b, alsoMissing, _, err := r.read(ctx, second, &settings, keys)
	if err != nil {
		return a, b, settings, err
	}
	for _, m := range missing {
		i := slices.IndexFunc(alsoMissing, func(o matrix.Absent) bool { return o.Argument == m.Argument })
		switch {
		case i < 0: // gone, or new
		case m.Finding.Code == "matrix.key-not-found-near":
			return a, b, settings, diag.List{m.Finding}
		default: // the other side may know a name like it
			return a, b, settings, diag.List{alsoMissing[i].Finding}
		}
	}
	return a, b, settings, nil
}

func (r *recipeReader) read(ctx context.Context, rev string, settings *config.Settings, keys []string) (stale.Side, []matrix.Absent, config.Settings, error) {
	at, err := r.revision(ctx, rev)
	if err != nil {
		return stale.Side{}, nil, config.Settings{}, err
	}
	if settings == nil {
		own, _, err := bot.Settings(at.Files, r.preset)
		if err != nil {
			return stale.Side{}, nil, own, err
		}
		settings = &own
	}
	request := matrix.Request{Filter: matrix.Filter{FullSweep: len(keys) == 0, StepSize: 2}, Evals: matrix.EvalDefault, Keys: keys}
	reading, list := matrix.Read(*settings, at.Files, request)
	if list.Refused() {
		return stale.Side{}, nil, *settings, list
	}
	collectLess()
	own := *settings
	own.Layout = reading.Layout
	resolver, err := launch.New(own, reading.Inventory, treeOf(at.Files), r.clones)
	return stale.Side{Rows: reading.Rows, Unread: reading.Unread, Resolver: resolver}, reading.Absent, *settings, err
}

func newResolver(files matrix.Files, settings config.Settings, others launch.Checkouts) (*launch.Resolver, error) {
	inventory, list := matrix.ReadRunners(settings, files)
	if list.Refused() {
		return nil, list
	}
	collectLess()
	return launch.New(settings, inventory, treeOf(files), others)
}

// treeOf gives a revision's files as recipes read them.
func treeOf(files matrix.Files) launch.Tree {
	if tree, ok := files.(*gitrepo.Tree); ok {
		return launch.GitTree(tree)
	}
	return plainTree{files}
}

// plainTree is a plain folder: what is no file there is not there.
type plainTree struct{ files matrix.Files }

// ReadFile returns the bytes of a regular file.
func (t plainTree) ReadFile(name string) ([]byte, error) {
	data, err := t.files.ReadFile(name)
	if errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, err
}
