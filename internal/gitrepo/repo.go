package gitrepo

import (
	"context"
	"os"
	"path/filepath"
)

// DefaultMaxObject is the size in bytes above which a file is refused unless
// [MaxObject] says otherwise.
const DefaultMaxObject = 32 << 20

// maxMetadata bounds commits, tags and trees, in bytes. The largest honest ones
// are folders of some ten thousand names.
const maxMetadata = 4 << 20

// Repo is an open object store. Its methods may be called from several
// goroutines; reads take turns, one process serves them.
type Repo struct {
	dir     string   // as the caller named it, for messages
	place   location // where git keeps things
	limit   int64    // bytes of a blob
	program string   // name or path of git
	environ []string // whole environment of git children

	turn   chan struct{} // holds one token while a call owns the fields below
	proc   *process
	closed bool

	cache cache
}

// Option changes how a repository is read.
type Option func(*Repo)

// MaxObject sets the size in bytes above which a file is refused with a
// [TooLargeError].
func MaxObject(bytes int64) Option { return func(r *Repo) { r.limit = bytes } }

// Open prepares to read the repository whose top level, or whose git directory
// (bare or not), is dir. A folder inside a repository is refused: it would be
// read as if it were the top. No process is started; ctx is used only here. The
// error is a *[NotRepositoryError].
func Open(ctx context.Context, dir string, opts ...Option) (*Repo, error) {
	if err := ctx.Err(); err != nil {
		return nil, stopped(err)
	}
	place, err := locate(dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{
		dir: dir, place: place, limit: DefaultMaxObject,
		program: "git", environ: childEnviron(os.Getenv),
		turn: make(chan struct{}, 1),
	}
	r.cache.limit = cacheBytes
	for _, set := range opts {
		set(r)
	}
	return r, nil
}

// Dir returns the directory that was opened, as it was named.
func (r *Repo) Dir() string { return r.dir }

// Shallow reports whether the history of this clone is cut off.
func (r *Repo) Shallow() bool {
	info, err := os.Stat(r.shallowFile())
	return err == nil && info.Size() > 0
}

func (r *Repo) shallowFile() string { return filepath.Join(r.place.commonDir, "shallow") }

// Partial reports whether this clone left objects at its remote
// (git clone --filter).
func (r *Repo) Partial() bool {
	packs, err := filepath.Glob(filepath.Join(globLiteral(r.place.commonDir), "objects", "pack", "*.promisor"))
	return err == nil && len(packs) > 0
}

// Close ends the git process. It waits for a running read; later reads fail
// with [ErrClosed]. Closing twice is fine.
func (r *Repo) Close() error {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	r.closed = true
	r.drop()
	return nil
}
