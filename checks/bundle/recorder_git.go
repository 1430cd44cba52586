package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// archivist is a history that notes every object.
type archivist struct {
	history checks.History

	mu      sync.Mutex
	trees   map[string]*notedTree // by the commit as it was asked for
	changes map[string][]change   // by "a..b"
	ranges  map[string]span       // by "a..b"
	commits map[string]*commit    // by the id as it was asked for; nil is absent
	files   map[string]versions   // by "commit:path"
	blobs   map[string][]byte     // by object id
}

// span are the commits between two others; Unreadable says that this history
// does not tell.
type span struct {
	Commits    []commit `json:"commits"`
	Unreadable bool     `json:"unreadable,omitempty"`
}

// versions are those of a file, newest first.
type versions struct {
	List     []version `json:"list"`
	Complete bool      `json:"complete,omitempty"`
}

type version struct {
	Commit commit `json:"commit"`
	OID    string `json:"oid,omitempty"`
}

func newArchivist(history checks.History) *archivist {
	return &archivist{
		history: history, trees: make(map[string]*notedTree), changes: make(map[string][]change), ranges: make(map[string]span),
		commits: make(map[string]*commit), files: make(map[string]versions), blobs: make(map[string][]byte),
	}
}

// Tree is the tree of a commit.
func (a *archivist) Tree(ctx context.Context, rev string) (checks.Tree, error) {
	tree, err := a.history.Tree(ctx, rev)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	noted, ok := a.trees[rev]
	if !ok {
		noted = &notedTree{questions: make(map[question]answered)}
		a.trees[rev] = noted
	}
	c := writeCommit(tree.Commit())
	noted.commit = c
	return &watchedTree{tree: tree, commit: c.read(), archivist: a, noted: noted}, nil
}

// Changed are the paths that differ.
func (a *archivist) Changed(ctx context.Context, x, y string) ([]gitrepo.Change, error) {
	list, err := a.history.Changed(ctx, x, y)
	if err != nil {
		return nil, err
	}
	out := make([]change, len(list))
	for i, c := range list {
		out[i] = writeChange(c)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changes[x+".."+y] = out
	return list, nil
}

// Commits are the commits between two others.
func (a *archivist) Commits(ctx context.Context, x, y string, limit int) ([]gitrepo.Commit, error) {
	list, err := a.history.Commits(ctx, x, y, limit)
	s := span{Commits: []commit{}}
	switch {
	case errors.Is(err, checks.ErrUnreadable):
		s.Unreadable = true
		err = fmt.Errorf("%s..%s: %w", x, y, checks.ErrUnreadable)
	case err != nil:
		return nil, err
	}
	var out []gitrepo.Commit
	for _, c := range list {
		written := writeCommit(c)
		s.Commits, out = append(s.Commits, written), append(out, written.read())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ranges[x+".."+y] = s
	return out, err
}

// Versions are those of a file.
func (a *archivist) Versions(ctx context.Context, rev, path string, limit int) ([]checks.Version, bool, error) {
	list, complete, err := a.history.Versions(ctx, rev, path, limit)
	if err != nil {
		return nil, false, err
	}
	v := versions{List: []version{}, Complete: complete}
	var out []checks.Version
	for _, one := range list {
		written := version{writeCommit(one.Commit), one.OID}
		v.List, out = append(v.List, written), append(out, checks.Version{Commit: written.Commit.read(), OID: one.OID})
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files[rev+":"+path] = v
	return out, complete, nil
}

// Commit is one commit.
func (a *archivist) Commit(ctx context.Context, rev string) (gitrepo.Commit, error) {
	c, err := a.history.Commit(ctx, rev)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.commits[rev] = nil
		return c, fmt.Errorf("commit %s: %w", rev, fs.ErrNotExist)
	case err != nil:
		return c, err
	}
	written := writeCommit(c)
	a.commits[rev] = &written
	return written.read(), nil
}

// question is what a tree was asked.
type question struct{ kind, path string }

// The kinds of questions to a tree.
const (
	askFile = "file"
	askStat = "stat"
	askList = "list"
	askLink = "link"
)

// answered is one question to a tree with its answer.
type answered struct {
	Kind    string   `json:"kind"`
	Path    raw      `json:"path"`
	OID     string   `json:"oid,omitempty"`
	Entry   *entry   `json:"entry,omitempty"`
	Entries []entry  `json:"entries,omitempty"`
	Target  raw      `json:"target,omitempty"`
	Problem *problem `json:"problem,omitempty"`
}

// notedTree is what was asked of one tree.
type notedTree struct {
	commit    commit
	questions map[question]answered
}

// answers are sorted by kind and path.
func (t *notedTree) answers() []answered {
	keys := slices.SortedFunc(maps.Keys(t.questions), func(a, b question) int {
		if a.kind != b.kind {
			return compare(a.kind, b.kind)
		}
		return compare(a.path, b.path)
	})
	out := make([]answered, len(keys))
	for i, key := range keys {
		out[i] = t.questions[key]
	}
	return out
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// watchedTree is a tree that notes what it answers.
type watchedTree struct {
	tree      checks.Tree
	commit    gitrepo.Commit
	archivist *archivist
	noted     *notedTree
}

// note keeps an answer. Errors that say something about the clone, not about
// the tree, are not kept: they end the verification.
func (t *watchedTree) note(kind, path string, err error, fill func(*answered)) {
	a := answered{Kind: kind, Path: raw(path)}
	if err != nil {
		var ok bool
		if a.Problem, ok = writeProblem(err); !ok {
			return
		}
	}
	t.archivist.mu.Lock()
	defer t.archivist.mu.Unlock()
	if err == nil {
		fill(&a)
	}
	t.noted.questions[question{kind, path}] = a
}

// Commit is the commit of the tree.
func (t *watchedTree) Commit() gitrepo.Commit { return t.commit }

// ReadFile notes the blob under its id.
func (t *watchedTree) ReadFile(name string) ([]byte, error) {
	data, err := t.tree.ReadFile(name)
	oid := ""
	if err == nil {
		if oid, err = idOf(t.tree, name); err != nil {
			return nil, err
		}
	}
	t.note(askFile, name, err, func(a *answered) {
		a.OID = oid
		if _, known := t.archivist.blobs[oid]; !known {
			t.archivist.blobs[oid] = slices.Clone(data)
		}
	})
	return data, err
}

// Stat notes the entry.
func (t *watchedTree) Stat(name string) (gitrepo.Entry, error) {
	e, err := t.tree.Stat(name)
	t.note(askStat, name, err, func(a *answered) {
		written := writeEntry(e)
		a.Entry = &written
	})
	return e, err
}

// List notes the entries.
func (t *watchedTree) List(name string) ([]gitrepo.Entry, error) {
	list, err := t.tree.List(name)
	t.note(askList, name, err, func(a *answered) {
		for _, e := range list {
			a.Entries = append(a.Entries, writeEntry(e))
		}
	})
	return list, err
}

// ReadLink notes the target.
func (t *watchedTree) ReadLink(name string) (string, error) {
	target, err := t.tree.ReadLink(name)
	t.note(askLink, name, err, func(a *answered) { a.Target = raw(target) })
	return target, err
}

// idOf is the object id of a file that could be read. A bundle knows it of
// files whose entry nobody asked for.
func idOf(tree checks.Tree, name string) (string, error) {
	if t, ok := tree.(archivedTree); ok {
		a, err := t.ask(askFile, name)
		return a.OID, err
	}
	e, err := tree.Stat(name)
	return e.OID, err
}
