package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// ErrNotRepository is wrapped by every *[NotRepositoryError].
var ErrNotRepository = errors.New("not a git repository")

// ErrClosed is returned by reads of a closed [Repo]: a mistake of the program,
// not of its user.
var ErrClosed = errors.New("gitrepo: repository is closed")

// finder is what every error type of this package is.
type finder interface {
	error
	Finding() diag.Finding
}

// AsFinding returns the finding of the first error of this package in err's
// chain. Cancellation has none.
func AsFinding(err error) (diag.Finding, bool) {
	var f finder
	if errors.As(err, &f) {
		return f.Finding(), true
	}
	return diag.Finding{}, false
}

// NotRepositoryError says that a directory is no repository's top level.
type NotRepositoryError struct {
	Dir    string // as given
	Absent bool   // there is no such directory
	Link   string // the .git file, or what it points to, that leads nowhere
	Top    string // the repository that Dir lies in, if any
	Err    error  // of the file system, may be nil
}

// Error returns the finding as one English line.
func (e *NotRepositoryError) Error() string { return e.Finding().Error() }

// Unwrap returns [ErrNotRepository] and the cause.
func (e *NotRepositoryError) Unwrap() []error { return causes(ErrNotRepository, e.Err) }

// RevProblem says what is wrong with a revision.
type RevProblem uint8

// The problems of a revision.
const (
	RevUnknown   RevProblem = iota // nothing here has that name
	RevUnsafe                      // no plain name of a commit, not given to git
	RevAmbiguous                   // an abbreviation of several ids
	RevNotCommit                   // a tree, a blob, or a tag of one
)

// RevError says that a revision names no commit.
type RevError struct {
	Rev     string
	Problem RevProblem
	Kind    string // what RevNotCommit found: "tree", "blob"
	Shallow bool   // the clone's history is cut off, the name may lie beyond
	Dir     string
}

// Error returns the finding as one English line.
func (e *RevError) Error() string { return e.Finding().Error() }

// PathError says that a path is not of the form "a/b/c".
type PathError struct {
	Rev, Path string
}

// Error returns the finding as one English line.
func (e *PathError) Error() string { return e.Finding().Error() }

// Unwrap returns fs.ErrInvalid.
func (e *PathError) Unwrap() error { return fs.ErrInvalid }

// NotFoundError says that a commit has no entry at a path. Parent is set when
// the path leads through an entry that is no directory; Mode is that entry's.
type NotFoundError struct {
	Rev, Path, Parent string
	Mode              Mode
}

// Error returns the finding as one English line.
func (e *NotFoundError) Error() string { return e.Finding().Error() }

// Unwrap returns fs.ErrNotExist.
func (e *NotFoundError) Unwrap() error { return fs.ErrNotExist }

func isNotFound(err error) bool {
	var absent *NotFoundError
	return errors.As(err, &absent)
}

// NotFileError says that the entry at a path is no regular file: a symbolic
// link, a submodule or a directory (spec/security.md S49).
type NotFileError struct {
	Rev, Path string
	Mode      Mode
}

// Error returns the finding as one English line.
func (e *NotFileError) Error() string { return e.Finding().Error() }

// TooLargeError says that an object was not read for its size.
type TooLargeError struct {
	OID, Rev, Path string
	Size, Limit    int64 // bytes
}

// Error returns the finding as one English line.
func (e *TooLargeError) Error() string { return e.Finding().Error() }

// MissingObjectError says that this clone does not hold an object that the
// repository has. Path is empty for a commit, and for the top directory.
type MissingObjectError struct {
	OID, Rev, Path string
	Dir            string
	Commit         bool // Rev itself is the missing id
	Partial        bool // the clone left objects at its remote
	Shallow        bool // the clone's history is cut off
}

// Error returns the finding as one English line.
func (e *MissingObjectError) Error() string { return e.Finding().Error() }

// missing describes an absent object, looking at what kind of clone this is.
func (r *Repo) missing(oid, rev, path string) error {
	return &MissingObjectError{
		OID: oid, Rev: rev, Path: path, Dir: r.dir, Commit: oid == rev,
		Partial: r.Partial(), Shallow: r.Shallow(),
	}
}

// CorruptError says that an object is malformed, or not of the kind that its
// referrer says.
type CorruptError struct {
	OID, Rev, Path string
}

// Error returns the finding as one English line.
func (e *CorruptError) Error() string { return e.Finding().Error() }

// ShallowError says that two revisions may have a common ancestor beyond the
// point where a shallow clone's history is cut off.
type ShallowError struct {
	A, B, Dir string
}

// Error returns the finding as one English line.
func (e *ShallowError) Error() string { return e.Finding().Error() }

// NoMergeBaseError says that two histories have nothing in common.
type NoMergeBaseError struct {
	A, B string
}

// Error returns the finding as one English line.
func (e *NoMergeBaseError) Error() string { return e.Finding().Error() }

// TooManyChangesError says that a comparison was given up.
type TooManyChangesError struct {
	A, B  string
	Limit int // bytes of paths
}

// Error returns the finding as one English line.
func (e *TooManyChangesError) Error() string { return e.Finding().Error() }

// ProcessError says that git could not be started, died, or answered what we
// don't understand.
type ProcessError struct {
	Command string // git's subcommand
	Words   string // what git wrote about it, shortened
	Err     error
}

// Error returns the finding as one English line.
func (e *ProcessError) Error() string { return e.Finding().Error() }

// Unwrap returns the cause.
func (e *ProcessError) Unwrap() error { return e.Err }

// processError describes a failed child. Git may also find that the directory
// is no repository after all, by signs that [Open] does not look for.
func (r *Repo) processError(command, words string, err error) error {
	failed := &ProcessError{Command: command, Words: words, Err: err}
	if rejected(words) {
		return &NotRepositoryError{Dir: r.dir, Err: failed}
	}
	return failed
}

// stopped describes a cancelled read. It wraps the context's error.
func stopped(err error) error { return fmt.Errorf("gitrepo: reading stopped: %w", err) }

// ctxErr is the error of an answer from the cache: it too stops when its caller
// has.
func ctxErr(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	return nil
}

func causes(errs ...error) []error {
	var set []error
	for _, err := range errs {
		if err != nil {
			set = append(set, err)
		}
	}
	return set
}
