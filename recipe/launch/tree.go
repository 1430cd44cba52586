package launch

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Tree gives the files of one revision of a repository. Names are clean and
// slash-separated. It must be safe for concurrent use.
type Tree interface {
	// ReadFile returns the bytes of a regular file. An error that wraps
	// fs.ErrNotExist says that there is none.
	ReadFile(name string) ([]byte, error)
}

// Lister is a Tree that can list its directories; names of directories end in
// a slash.
type Lister interface {
	List(dir string) (names []string, ok bool)
}

// Linker is a Tree with symbolic links.
type Linker interface {
	// ReadLink returns the target of a link; ok is false for anything else.
	ReadLink(name string) (target string, ok bool)
}

// Identifier is a Tree that can tell whether content changed without reading
// it, for example by blob ids.
type Identifier interface {
	// ID identifies the content at a path; ok is false where there is none.
	ID(name string) (id string, ok bool, err error)
}

// Checkouts gives other repositories that launchers check out, by their
// address and what is checked out of them. ok is false where the repository or
// the revision cannot be had.
type Checkouts interface {
	Checkout(address, ref string) (tree Tree, ok bool)
}

// maxLinks bounds a chain of links.
const maxLinks = 8

// files reads a tree for one evaluation: it follows links inside the tree, and
// reads every file once. It is safe for concurrent use.
type files struct {
	tree Tree

	mu   sync.Mutex
	read map[string]fileRead
	dirs map[string]dirRead
}

type fileRead struct {
	data []byte
	name string // where links lead
	ok   bool
	err  error
}

type dirRead struct {
	names []string
	ok    bool
}

func newFiles(tree Tree) *files {
	return &files{tree: tree, read: make(map[string]fileRead), dirs: make(map[string]dirRead)}
}

// ReadFile returns the content of a file, following links. ok is false when
// there is none.
func (f *files) ReadFile(name string) ([]byte, bool, error) {
	got := f.open(name)
	return got.data, got.ok, got.err
}

func (f *files) open(name string) fileRead {
	f.mu.Lock()
	defer f.mu.Unlock()
	got, done := f.read[name]
	if !done {
		got = f.load(name)
		f.read[name] = got
	}
	return got
}

func (f *files) load(name string) fileRead {
	at := name
	for range maxLinks {
		if linker, ok := f.tree.(Linker); ok {
			if target, isLink := linker.ReadLink(at); isLink {
				next := path.Join(path.Dir(at), target)
				if path.IsAbs(target) || next == ".." || strings.HasPrefix(next, "../") {
					return fileRead{}
				}
				at = next
				continue
			}
		}
		data, err := f.tree.ReadFile(at)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return fileRead{err: err}
		}
		return fileRead{data: data, name: at, ok: true}
	}
	return fileRead{}
}

// List returns the names in a directory.
func (f *files) List(dir string) ([]string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	got, done := f.dirs[dir]
	if !done {
		if lister, ok := f.tree.(Lister); ok {
			got.names, got.ok = lister.List(dir)
		}
		f.dirs[dir] = got
	}
	return got.names, got.ok
}
