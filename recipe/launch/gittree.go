package launch

import (
	"errors"
	"io/fs"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// gitTree is a commit of a local object store as a Tree.
type gitTree struct{ tree *gitrepo.Tree }

// GitTree reads a commit of a local object store. Directories are listed,
// links followed and contents told apart by their ids.
func GitTree(tree *gitrepo.Tree) Tree { return gitTree{tree} }

// ReadFile returns the bytes of a regular file.
func (t gitTree) ReadFile(name string) ([]byte, error) {
	data, err := t.tree.ReadFile(name)
	var not *gitrepo.NotFileError
	if errors.As(err, &not) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, err
}

// List returns the names in a directory.
func (t gitTree) List(dir string) ([]string, bool) {
	entries, err := t.tree.List(dir)
	if err != nil {
		return nil, false
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
		if e.Mode.IsDir() {
			names[i] += "/"
		}
	}
	return names, true
}

// ReadLink returns the target of a symbolic link.
func (t gitTree) ReadLink(name string) (string, bool) {
	entry, err := t.tree.Stat(name)
	if err != nil || !entry.Mode.IsSymlink() {
		return "", false
	}
	target, err := t.tree.ReadLink(name)
	return target, err == nil
}

// ID is the object id at a path.
func (t gitTree) ID(name string) (string, bool, error) {
	id, err := t.tree.OID(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return id, err == nil, err
}

// Submodule returns the commit that is pinned at a path.
func (t gitTree) Submodule(path string) (string, bool) {
	entry, err := t.tree.Stat(path)
	return entry.OID, err == nil && entry.Mode.IsSubmodule()
}
