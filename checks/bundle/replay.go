package bundle

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// archived is a history out of a bundle. What the bundle does not hold is an
// error of its own: a replay that asks for more than was recorded is not the
// same verification.
type archived struct{ *archivist }

func lacking(what string) error {
	return fmt.Errorf("the bundle does not hold %s: it was recorded by another version", what)
}

// Tree is the tree of a commit.
func (h archived) Tree(_ context.Context, rev string) (checks.Tree, error) {
	noted, ok := h.trees[rev]
	if !ok {
		return nil, lacking("the tree of " + rev)
	}
	return archivedTree{rev: rev, noted: noted, blobs: h.blobs}, nil
}

// Changed are the paths that differ.
func (h archived) Changed(_ context.Context, a, b string) ([]gitrepo.Change, error) {
	list, ok := h.changes[a+".."+b]
	if !ok {
		return nil, lacking("the changes of " + a + ".." + b)
	}
	out := make([]gitrepo.Change, len(list))
	for i, c := range list {
		out[i] = c.read()
	}
	return out, nil
}

// Commits are the commits between two others.
func (h archived) Commits(_ context.Context, a, b string, _ int) ([]gitrepo.Commit, error) {
	s, ok := h.ranges[a+".."+b]
	switch {
	case !ok:
		return nil, lacking("the commits of " + a + ".." + b)
	case s.Unreadable:
		return nil, fmt.Errorf("%s..%s: %w", a, b, checks.ErrUnreadable)
	}
	out := make([]gitrepo.Commit, len(s.Commits))
	for i, c := range s.Commits {
		out[i] = c.read()
	}
	return out, nil
}

// Versions are those of a file.
func (h archived) Versions(_ context.Context, rev, path string, _ int) ([]checks.Version, bool, error) {
	v, ok := h.files[rev+":"+path]
	if !ok {
		return nil, false, lacking("the versions of " + path)
	}
	out := make([]checks.Version, len(v.List))
	for i, one := range v.List {
		out[i] = checks.Version{Commit: one.Commit.read(), OID: one.OID}
	}
	return out, v.Complete, nil
}

// Commit is one commit.
func (h archived) Commit(_ context.Context, rev string) (gitrepo.Commit, error) {
	c, ok := h.commits[rev]
	switch {
	case !ok:
		return gitrepo.Commit{}, lacking("commit " + rev)
	case c == nil:
		return gitrepo.Commit{}, fmt.Errorf("commit %s: %w", rev, fs.ErrNotExist)
	}
	return c.read(), nil
}

// archivedTree answers what was asked of a tree.
type archivedTree struct {
	rev   string
	noted *notedTree
	blobs map[string][]byte
}

func (t archivedTree) ask(kind, path string) (answered, error) {
	a, ok := t.noted.questions[question{kind, path}]
	switch {
	case !ok:
		return a, lacking("the " + kind + " of " + path + " at " + t.rev)
	case a.Problem != nil:
		return a, a.Problem.read(t.rev, path)
	}
	return a, nil
}

// Commit is the commit of the tree.
func (t archivedTree) Commit() gitrepo.Commit { return t.noted.commit.read() }

// ReadFile returns the blob that was read.
func (t archivedTree) ReadFile(name string) ([]byte, error) {
	a, err := t.ask(askFile, name)
	if err != nil {
		return nil, err
	}
	data, ok := t.blobs[a.OID]
	if !ok {
		return nil, lacking("blob " + a.OID)
	}
	return slices.Clone(data), nil
}

// Stat returns the entry that was seen.
func (t archivedTree) Stat(name string) (gitrepo.Entry, error) {
	a, err := t.ask(askStat, name)
	switch {
	case err != nil:
		return gitrepo.Entry{}, err
	case a.Entry == nil:
		return gitrepo.Entry{}, lacking("the entry of " + name)
	}
	return a.Entry.read(), nil
}

// List returns the entries that were seen.
func (t archivedTree) List(name string) ([]gitrepo.Entry, error) {
	a, err := t.ask(askList, name)
	if err != nil {
		return nil, err
	}
	out := make([]gitrepo.Entry, len(a.Entries))
	for i, e := range a.Entries {
		out[i] = e.read()
	}
	return out, nil
}

// ReadLink returns the target that was seen.
func (t archivedTree) ReadLink(name string) (string, error) {
	a, err := t.ask(askLink, name)
	return string(a.Target), err
}
