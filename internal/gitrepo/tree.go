package gitrepo

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// maxPath bounds a path, in bytes.
const maxPath = 4096

// Tree is the file tree of one commit. It is a view for one piece of work: it
// reads under the context that it was made with.
type Tree struct {
	repo   *Repo
	ctx    context.Context
	rev    string
	commit Commit
}

// Tree resolves rev once and returns its tree. Later reads see that commit even
// if the branch moves. Errors are those of [Repo.Commit].
func (r *Repo) Tree(ctx context.Context, rev string) (*Tree, error) {
	trees, err := r.Trees(ctx, rev)
	if err != nil {
		return nil, err
	}
	return trees[0], nil
}

// Trees is [Repo.Tree] for several revisions with one request.
func (r *Repo) Trees(ctx context.Context, revs ...string) ([]*Tree, error) {
	commits, err := r.Commits(ctx, revs...)
	if err != nil {
		return nil, err
	}
	trees := make([]*Tree, len(revs))
	for i, rev := range revs {
		trees[i] = &Tree{repo: r, ctx: ctx, rev: rev, commit: commits[i]}
	}
	return trees, nil
}

// ReadFile returns the bytes of the regular file at path, "a/b/c" from the top,
// at rev. To read several files of a revision use [Repo.Tree]. Errors: those of
// [Repo.Commit] and [Tree.ReadFile].
func (r *Repo) ReadFile(ctx context.Context, rev, path string) ([]byte, error) {
	t, err := r.Tree(ctx, rev)
	if err != nil {
		return nil, err
	}
	return t.ReadFile(path)
}

// With returns the same tree read under another context.
func (t *Tree) With(ctx context.Context) *Tree {
	other := *t
	other.ctx = ctx
	return &other
}

// Commit returns the commit whose tree this is.
func (t *Tree) Commit() Commit { return t.commit }

// Rev returns the revision as it was asked for.
func (t *Tree) Rev() string { return t.rev }

// ReadFile returns the bytes of the regular file called name; the caller may
// change them. Errors: *[NotFoundError] (wraps fs.ErrNotExist),
// *[NotFileError] for a link, submodule or directory (spec/security.md S49),
// *[PathError], *[TooLargeError], *[MissingObjectError], *[CorruptError].
func (t *Tree) ReadFile(name string) ([]byte, error) {
	entry, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if !entry.Mode.IsRegular() {
		return nil, &NotFileError{Rev: t.rev, Path: name, Mode: entry.Mode}
	}
	found, err := t.object(entry.OID, kindBlob, name)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(found.data), nil
}

// Stat returns the entry called name: its mode and id. The top ("" or ".") is a
// directory. Errors: *[NotFoundError], *[PathError], *[MissingObjectError],
// *[CorruptError].
func (t *Tree) Stat(name string) (Entry, error) {
	parts, err := splitPath(t.rev, name)
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{Mode: modeDirectory, OID: t.commit.Tree}
	for i, part := range parts {
		parent := strings.Join(parts[:i], "/")
		if !entry.Mode.IsDir() {
			return Entry{}, &NotFoundError{Rev: t.rev, Path: name, Parent: parent, Mode: entry.Mode}
		}
		dir, err := t.object(entry.OID, kindTree, parent)
		if err != nil {
			return Entry{}, err
		}
		var ok bool
		if entry, ok = dir.dir.find(part); !ok {
			return Entry{}, &NotFoundError{Rev: t.rev, Path: name}
		}
	}
	return entry, nil
}

// Exists reports whether there is an entry of any kind called name.
func (t *Tree) Exists(name string) (bool, error) {
	_, err := t.Stat(name)
	if isNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// OID returns the object id of the entry called name; "" is the top.
func (t *Tree) OID(name string) (string, error) {
	entry, err := t.Stat(name)
	return entry.OID, err
}

// List returns the entries of a directory in git's order; "" is the top. The
// errors are those of [Tree.Stat]; for anything but a directory a
// *[NotFoundError] whose Parent is the name itself.
func (t *Tree) List(name string) ([]Entry, error) {
	entry, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if !entry.Mode.IsDir() {
		return nil, &NotFoundError{Rev: t.rev, Path: name, Parent: name, Mode: entry.Mode}
	}
	found, err := t.object(entry.OID, kindTree, name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(found.dir.entries), nil
}

// object loads one object that path leads to.
func (t *Tree) object(oid, kind, path string) (object, error) {
	var found object
	if err := t.repo.load(t.ctx, []string{oid}, func(_ int, o object) { found = o }); err != nil {
		return object{}, err
	}
	return found, t.repo.objectError(found, kind, t.rev, path)
}

// objectError says what is wrong with an object that a tree names, if
// anything.
func (r *Repo) objectError(o object, kind, rev, path string) error {
	switch {
	case o.state == missing:
		return r.missing(o.oid, rev, path)
	case o.state == oversize:
		return &TooLargeError{OID: o.oid, Size: o.size, Limit: o.limit, Rev: rev, Path: path}
	case o.state != present || o.kind != kind:
		return &CorruptError{OID: o.oid, Rev: rev, Path: path}
	}
	return nil
}

// splitPath cuts a path into components. "" and "." are the top, no
// components.
func splitPath(rev, path string) ([]string, error) {
	if path == "" || path == "." {
		return nil, nil
	}
	if len(path) > maxPath || strings.ContainsRune(path, 0) {
		return nil, &PathError{Rev: rev, Path: path}
	}
	parts := strings.Split(path, "/")
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return nil, &PathError{Rev: rev, Path: path}
		}
	}
	return parts, nil
}
