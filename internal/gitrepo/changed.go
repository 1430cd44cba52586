package gitrepo

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Status says what became of a path, in the letters of git.
type Status byte

// The four changes between two trees. A directory that becomes a file, or the
// reverse, is a deletion and additions.
const (
	Added    Status = 'A'
	Deleted  Status = 'D'
	Modified Status = 'M' // content or executable bit
	Retyped  Status = 'T' // file, link and submodule exchanged
)

// String returns the letter.
func (s Status) String() string { return string(rune(s)) }

// Change is one path that differs between two trees. Of an added path the old
// mode is 0 and the old id empty; of a deleted one, the new.
type Change struct {
	Path             string // bytes as stored: it may be no UTF-8
	Status           Status
	OldMode, NewMode Mode
	OldOID, NewOID   string
}

// maxChangeBytes bounds the paths, in bytes, that one comparison names or walks
// through: a small hostile store can spell a tree of billions of names.
const maxChangeBytes = 8 << 20

// pairsAtOnce is how many directories are compared with one request.
const pairsAtOnce = 8

// Changed compares the trees of two commits and returns the paths that differ,
// sorted by path. Renames are a deletion and an addition: what counts for the
// callers is content at a path. Only trees are read, so that a partial clone
// without blobs will do. Errors: those of [Repo.Commit], *[MissingObjectError],
// *[CorruptError], *[TooManyChangesError].
func (r *Repo) Changed(ctx context.Context, a, b string) ([]Change, error) {
	commits, err := r.Commits(ctx, a, b)
	if err != nil {
		return nil, err
	}
	c := &comparison{repo: r, oldRev: a, newRev: b}
	c.descend("", commits[0].Tree, commits[1].Tree)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.changes, func(x, y Change) int { return cmp.Compare(x.Path, y.Path) })
	return c.changes, nil
}

// comparison is a comparison under way.
type comparison struct {
	repo           *Repo
	oldRev, newRev string
	queue          []pair
	changes        []Change
	bytes          int // of paths so far
}

// pair is a directory to compare; an empty id is its absence.
type pair struct {
	path   string
	before string
	after  string
}

// descend queues a directory whose two sides differ.
func (c *comparison) descend(path, before, after string) {
	if before != after {
		c.queue = append(c.queue, pair{path, before, after})
		c.bytes += len(path) + 1
	}
}

// full reports that the bound is reached. It is asked before every path that is
// built: one folder may hold very many names below a very long one.
func (c *comparison) full() bool { return c.bytes > maxChangeBytes }

func (c *comparison) bound() error {
	if c.full() {
		return &TooManyChangesError{A: c.oldRev, B: c.newRev, Limit: maxChangeBytes}
	}
	return nil
}

func (c *comparison) run(ctx context.Context) error {
	for len(c.queue) > 0 {
		if err := c.bound(); err != nil {
			return err
		}
		// The last ones first: depth before breadth keeps the queue short.
		cut := max(0, len(c.queue)-pairsAtOnce)
		now := slices.Clone(c.queue[cut:])
		c.queue = c.queue[:cut]
		folders, err := c.folders(ctx, now)
		if err != nil {
			return err
		}
		for i, p := range now {
			c.compare(p.path, folders[2*i], folders[2*i+1])
		}
	}
	return c.bound()
}

// folders loads both sides of every pair; an absent side is an empty folder.
func (c *comparison) folders(ctx context.Context, pairs []pair) ([]*folder, error) {
	folders := make([]*folder, 2*len(pairs))
	var oids []string
	var at []int
	for i, p := range pairs {
		for side, oid := range []string{p.before, p.after} {
			if folders[2*i+side] = new(folder); oid != "" {
				oids, at = append(oids, oid), append(at, 2*i+side)
			}
		}
	}
	var failed error
	err := c.repo.load(ctx, oids, func(n int, o object) {
		rev := c.oldRev
		if at[n]%2 == 1 {
			rev = c.newRev
		}
		failed = cmp.Or(failed, c.repo.objectError(o, kindTree, rev, pairs[at[n]/2].path))
		folders[at[n]] = o.dir
	})
	return folders, cmp.Or(err, failed)
}

// compare records the differences of two folders and queues those below.
func (c *comparison) compare(path string, before, after *folder) {
	for _, old := range before.entries {
		if c.full() {
			return
		}
		now, ok := after.find(old.Name)
		if ok && old.Mode == now.Mode && old.OID == now.OID {
			continue
		}
		c.entry(join(path, old.Name), old, now)
	}
	for _, now := range after.entries {
		if _, ok := before.find(now.Name); !ok && !c.full() {
			c.entry(join(path, now.Name), Entry{}, now)
		}
	}
}

// entry records what happened to one name; a zero entry is an absent one.
func (c *comparison) entry(path string, old, now Entry) {
	if old.Mode.IsDir() || now.Mode.IsDir() {
		c.descend(path, treeOID(old), treeOID(now))
		old, now = withoutTree(old), withoutTree(now)
	}
	change := Change{Path: path, OldMode: old.Mode, NewMode: now.Mode, OldOID: old.OID, NewOID: now.OID}
	switch {
	case old.OID == "" && now.OID == "":
		return // two directories, or one that stands alone
	case old.OID == "":
		change.Status = Added
	case now.OID == "":
		change.Status = Deleted
	case old.Mode&modeType != now.Mode&modeType:
		change.Status = Retyped
	default:
		change.Status = Modified
	}
	c.changes = append(c.changes, change)
	c.bytes += len(path) + 1
}

func treeOID(e Entry) string {
	if e.Mode.IsDir() {
		return e.OID
	}
	return ""
}

func withoutTree(e Entry) Entry {
	if e.Mode.IsDir() {
		return Entry{}
	}
	return e
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return strings.Join([]string{dir, name}, "/")
}
