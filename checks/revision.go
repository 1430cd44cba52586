package checks

import (
	"context"
	"errors"
	"io/fs"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// Revision is one side of a change: its configs, the points they generate, and
// what these would serve.
type Revision struct {
	Tree    Tree
	Masters *matrix.Masters
	// Findings say why the configs could not be had; Masters is nil then.
	Findings diag.List
	// Invalid are the findings about single configs by key; they have no rows.
	Invalid map[string]diag.List

	// rowsOf are the throughput rows by key, without evals: an eval mark moves
	// between rows without any point changing.
	rowsOf    map[string][]*matrix.Row
	inventory *matrix.Inventory
	resolver  *launch.Resolver
}

// RowsOf returns the rows of a config key.
func (r *Revision) RowsOf(key string) []*matrix.Row { return r.rowsOf[key] }

// Config returns the config of a key, or nil.
func (r *Revision) Config(key string) *matrix.Config {
	if r.Masters == nil {
		return nil
	}
	return r.Masters.Get(key)
}

// rows are the rows of all configs, in order.
func (r *Revision) rows() []*matrix.Row {
	var out []*matrix.Row
	for _, key := range r.keys() {
		out = append(out, r.rowsOf[key]...)
	}
	return out
}

// configs are the configs of a side, in order.
func (r *Revision) configs() []*matrix.Config {
	if r.Masters == nil {
		return nil
	}
	return r.Masters.Configs
}

// Revision loads one side, by commit.
func (e *Evidence) Revision(ctx context.Context, commit string) (*Revision, error) {
	return e.revisions.get(ctx, commit, func(ctx context.Context) (*Revision, error) { return e.loadRevision(ctx, commit) })
}

func (e *Evidence) loadRevision(ctx context.Context, commit string) (*Revision, error) {
	tree, err := e.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	r := &Revision{Tree: tree}
	survey, list := matrix.NewSurvey(e.Settings, tree)
	if list.Refused() {
		r.Findings = list
		return r, ctx.Err()
	}
	r.Masters, r.rowsOf, r.Invalid = survey.Masters, survey.Rows, survey.Invalid
	r.inventory = survey.Inventory
	r.resolver, err = launch.New(e.Settings, survey.Inventory, readable{tree}, nil)
	return r, err
}

// readable gives a tree to the rooms below, with its links, folders and ids.
type readable struct{ Tree }

// ReadFile returns the bytes of a regular file; what is no file is not there.
func (t readable) ReadFile(name string) ([]byte, error) {
	data, err := t.Tree.ReadFile(name)
	var not *gitrepo.NotFileError
	if errors.As(err, &not) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, err
}

// List names the entries of a folder; folders end in a slash.
func (t readable) List(dir string) (names []string, ok bool) {
	entries, err := t.Tree.List(dir)
	if err != nil {
		return nil, false
	}
	for _, entry := range entries {
		name := entry.Name
		if entry.Mode.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names, true
}

// ReadLink returns the target of a symbolic link.
func (t readable) ReadLink(name string) (target string, ok bool) {
	entry, err := t.Stat(name)
	if err != nil || !entry.Mode.IsSymlink() {
		return "", false
	}
	target, err = t.Tree.ReadLink(name)
	return target, err == nil
}

// ID is the object id at a path.
func (t readable) ID(name string) (id string, ok bool, err error) {
	entry, err := t.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return entry.OID, true, nil
}
