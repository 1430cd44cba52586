package checks

import (
	"context"
	"errors"
	"io/fs"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// Versions walks the first parents of a commit. A history that ends in this
// clone (a shallow one) gives what is known of it.
func (h GitHistory) Versions(ctx context.Context, commit, path string, limit int) (list []Version, complete bool, err error) {
	at, oid, err := h.version(ctx, commit, path)
	if err != nil {
		return nil, false, err
	}
	for range limit {
		if len(at.Parents) == 0 {
			return append(list, Version{at, oid}), true, nil
		}
		before, was, err := h.version(ctx, at.Parents[0], path)
		var missing *gitrepo.MissingObjectError
		if errors.As(err, &missing) {
			return append(list, Version{at, oid}), false, nil
		}
		if err != nil {
			return nil, false, err
		}
		if was != oid {
			list = append(list, Version{at, oid})
		}
		at, oid = before, was
	}
	return append(list, Version{at, oid}), false, nil
}

// version is a commit with the blob of a file.
func (h GitHistory) version(ctx context.Context, commit, path string) (gitrepo.Commit, string, error) {
	tree, err := h.Repo.Tree(ctx, commit)
	if err != nil {
		return gitrepo.Commit{}, "", err
	}
	oid, err := tree.OID(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return tree.Commit(), oid, err
}
