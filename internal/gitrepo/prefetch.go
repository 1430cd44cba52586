package gitrepo

import "context"

// Want names files of one revision that will be read.
type Want struct {
	Rev   string
	Paths []string
}

// Prefetch returns the trees of all wanted revisions, in order, after loading
// the wanted files into the cache. However many files and revisions there are,
// it takes one request per level of directories, so a plan's handful of files
// costs a handful of turns with git. A path that can't be read is no error
// here: reading it says what is wrong. The errors are those of [Repo.Commit].
func (r *Repo) Prefetch(ctx context.Context, wants ...Want) ([]*Tree, error) {
	revs := make([]string, len(wants))
	for i, want := range wants {
		revs[i] = want.Rev
	}
	trees, err := r.Trees(ctx, revs...)
	if err != nil {
		return nil, err
	}
	var steps []step
	for i, want := range wants {
		steps = append(steps, firstSteps(trees[i], want.Paths)...)
	}
	return trees, r.descend(ctx, steps)
}

// Prefetch loads the files called names into the cache, see [Repo.Prefetch].
func (t *Tree) Prefetch(names ...string) error {
	return t.repo.descend(t.ctx, firstSteps(t, names))
}

// step is a place on the way to a file: an object, and the components of the
// path below it.
type step struct {
	oid  string
	rest []string
}

func firstSteps(t *Tree, paths []string) []step {
	var steps []step
	for _, path := range paths {
		if parts, err := splitPath(t.rev, path); err == nil {
			steps = append(steps, step{t.commit.Tree, parts})
		}
	}
	return steps
}

// descend walks all paths down together, one level a request. Files go to the
// cache only, so that memory is bounded by it and not by the wish list.
func (r *Repo) descend(ctx context.Context, steps []step) error {
	for len(steps) > 0 {
		below := make(map[string][]step) // by object, asked for once
		var oids []string
		for _, s := range steps {
			if _, seen := below[s.oid]; !seen {
				oids = append(oids, s.oid)
			}
			below[s.oid] = append(below[s.oid], s)
		}
		steps = nil
		err := r.load(ctx, oids, func(_ int, o object) {
			steps = append(steps, nextSteps(below[o.oid], o.dir)...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// nextSteps follows one component of every path through dir, dropping the
// paths that end.
func nextSteps(steps []step, dir *folder) []step {
	if dir == nil {
		return nil
	}
	var next []step
	for _, s := range steps {
		if len(s.rest) == 0 {
			continue
		}
		entry, ok := dir.find(s.rest[0])
		last := len(s.rest) == 1
		if ok && (entry.Mode.IsDir() && !last || entry.Mode.IsRegular() && last) {
			next = append(next, step{entry.OID, s.rest[1:]})
		}
	}
	return next
}
