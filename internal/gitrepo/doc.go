// Package gitrepo reads files, commits and differences at a revision from a
// local object store. It needs no working tree, works in bare, shallow and
// partial clones, and never touches the network.
//
// One `git cat-file --batch` process serves a [Repo]; it is started by the
// first read and answers every later one. Paths are never given to git: trees
// are read as objects and walked here, so that a hostile file name can't be
// taken for a request, and so that the mode of a file is known before its
// bytes are used (spec/security.md S49). Only revisions reach git as text, and
// they are checked first.
//
// Errors are types ([NotFoundError], [MissingObjectError], ...). Each has a
// method Finding() diag.Finding with its code, place and mend; [AsFinding]
// takes it out of a wrapped error. What says "the file is not there" wraps
// [io/fs.ErrNotExist]; what says "this clone does not hold it" never does.
package gitrepo
