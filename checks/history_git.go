package checks

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// GitHistory is the History of a local object store.
type GitHistory struct{ Repo *gitrepo.Repo }

// Tree is the file tree of a commit.
func (h GitHistory) Tree(ctx context.Context, commit string) (Tree, error) {
	tree, err := h.Repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// Changed are the paths that differ between two commits.
func (h GitHistory) Changed(ctx context.Context, a, b string) ([]gitrepo.Change, error) {
	return h.Repo.Changed(ctx, a, b)
}

// Commit is one commit by its id. A commit that this clone does not hold is
// fs.ErrNotExist: an id that stands in a text proves nothing.
func (h GitHistory) Commit(ctx context.Context, rev string) (gitrepo.Commit, error) {
	commit, err := h.Repo.Commit(ctx, rev)
	var unknown *gitrepo.RevError
	var missing *gitrepo.MissingObjectError
	if errors.As(err, &unknown) || errors.As(err, &missing) {
		return commit, fmt.Errorf("commit %s: %w", rev, fs.ErrNotExist)
	}
	return commit, err
}

// skew is how wrong the clocks of people who commit may be: the walk goes on
// for so long behind the oldest commit that it lists.
const skew = 7 * 24 * time.Hour

// Commits lists the commits of b that a does not have, newest first. A history
// that ends before the answer is certain (a shallow clone) is ErrUnreadable.
func (h GitHistory) Commits(ctx context.Context, a, b string, limit int) ([]gitrepo.Commit, error) {
	w := walk{ctx: ctx, repo: h.Repo, seen: make(map[string]*node)}
	if err := errors.Join(w.reach(a, true), w.reach(b, false)); err != nil {
		return nil, err
	}
	for w.more() {
		n := w.take()
		if len(w.listed) > limit+maxForeign {
			return nil, fmt.Errorf("more than %d commits between %s and %s", limit, short(a), short(b))
		}
		for _, parent := range n.commit.Parents {
			if err := w.reach(parent, n.known); err != nil {
				return nil, err
			}
		}
	}
	return w.result(limit)
}

// maxForeign is how many commits may be taken for new until the walk learns
// that the other side has them.
const maxForeign = 2000

// walk goes through two histories at once, newest commits first.
type walk struct {
	ctx    context.Context
	repo   *gitrepo.Repo
	seen   map[string]*node
	queue  nodes
	listed []*node
	oldest time.Time
	fresh  int // queued commits that the other side is not known to have
}

type node struct {
	commit gitrepo.Commit
	known  bool // the other side has it
	listed bool
	queued bool
	number int
}

// reach enters a commit, or what is now known of it.
func (w *walk) reach(id string, known bool) error {
	n, ok := w.seen[id]
	if !ok {
		commit, err := w.repo.Commit(w.ctx, id)
		var missing *gitrepo.MissingObjectError
		if errors.As(err, &missing) {
			if known {
				return nil // the end of the other side's history in this clone
			}
			return fmt.Errorf("the history of this clone ends at %s: %w", short(id), ErrUnreadable)
		}
		if err != nil {
			return err
		}
		n = &node{commit: commit, known: known, number: len(w.seen)}
		w.seen[id] = n
		if commit.ID != id {
			w.seen[commit.ID] = n
		}
	} else if n.known || !known {
		return nil
	}
	if n.queued && !n.known && known {
		w.fresh--
	}
	n.known = known
	if !n.queued {
		n.queued = true
		heap.Push(&w.queue, n)
		if !known {
			w.fresh++
		}
	}
	return nil
}

// take takes the newest commit from the queue and lists it where it is new.
func (w *walk) take() *node {
	n := heap.Pop(&w.queue).(*node)
	n.queued = false
	if n.known {
		return n
	}
	w.fresh--
	if !n.listed {
		n.listed = true
		w.listed = append(w.listed, n)
		w.oldest = n.commit.Committer.When
	}
	return n
}

// more reports whether the answer may still change.
func (w *walk) more() bool {
	if len(w.queue) == 0 {
		return false
	}
	return w.fresh > 0 || len(w.listed) > 0 && w.queue[0].commit.Committer.When.After(w.oldest.Add(-skew))
}

func (w *walk) result(limit int) ([]gitrepo.Commit, error) {
	var out []gitrepo.Commit
	for _, n := range w.listed {
		if !n.known {
			out = append(out, n.commit)
		}
	}
	if len(out) > limit {
		return nil, fmt.Errorf("more than %d commits", limit)
	}
	return out, nil
}

// nodes is a heap of commits, newest first, those of one time in the order in
// which they were reached.
type nodes []*node

func (q nodes) Len() int { return len(q) }

func (q nodes) Less(i, j int) bool {
	a, b := q[i].commit.Committer.When, q[j].commit.Committer.When
	if !a.Equal(b) {
		return a.After(b)
	}
	return q[i].number < q[j].number
}

func (q nodes) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is part of heap.Interface.
func (q *nodes) Push(x any) { *q = append(*q, x.(*node)) }

// Pop is part of heap.Interface.
func (q *nodes) Pop() any {
	old := *q
	n := old[len(old)-1]
	*q = old[:len(old)-1]
	return n
}
