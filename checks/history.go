package checks

import (
	"context"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// History is what git holds, at pinned commits. It is read from a local object
// store, and from a bundle when a verdict is replayed.
type History interface {
	// Tree is the file tree of a commit.
	Tree(ctx context.Context, commit string) (Tree, error)
	// Changed are the paths that differ between the trees of two commits,
	// sorted; a rename is a deletion and an addition, so that both names count.
	Changed(ctx context.Context, a, b string) ([]gitrepo.Change, error)
	// Commits are the commits of b that a does not have, newest first, at most
	// limit of them; more is an error.
	Commits(ctx context.Context, a, b string, limit int) ([]gitrepo.Commit, error)
	// Versions are the versions of a file on the first parents of a commit,
	// newest first: each with the commit that made it so. At most limit commits
	// are looked at; complete says that the oldest version is the first one.
	Versions(ctx context.Context, commit, path string, limit int) (list []Version, complete bool, err error)
	// Commit is one commit by its full or abbreviated id; one that does not
	// exist is fs.ErrNotExist.
	Commit(ctx context.Context, rev string) (gitrepo.Commit, error)
}

// Version is a file as a commit left it.
type Version struct {
	Commit gitrepo.Commit
	// OID is the blob, "" where the commit removed the file.
	OID string
}

// Tree is the file tree of one commit, read under the context that it was made
// with. Paths are those of the repository, "a/b/c". What is not there is an
// error that wraps fs.ErrNotExist.
type Tree interface {
	Commit() gitrepo.Commit
	ReadFile(name string) ([]byte, error)
	Stat(name string) (gitrepo.Entry, error)
	// List returns the entries of a directory in git's order; "" is the top.
	List(name string) ([]gitrepo.Entry, error)
	// ReadLink returns the target of a symbolic link.
	ReadLink(name string) (string, error)
}
