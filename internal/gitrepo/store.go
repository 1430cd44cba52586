package gitrepo

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// ask puts names to the batch process and hands the answer to each to got, in
// order. A process that dies by itself is started again once.
func (r *Repo) ask(ctx context.Context, names []string, got func(int, object)) error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return stopped(ctx.Err())
	}
	died := false
	for done := 0; done < len(names); {
		if err := r.ready(ctx); err != nil {
			return err
		}
		base := done
		n, err := r.exchange(ctx, names[base:], func(i int, o object) { got(base+i, o) })
		done += n
		var death *ProcessError
		switch {
		case err == nil:
		case errors.As(err, &death) && !died:
			died = true
		default:
			return err
		}
	}
	return nil
}

// askAll is ask for few answers, all kept.
func (r *Repo) askAll(ctx context.Context, names ...string) ([]object, error) {
	answers := make([]object, len(names))
	err := r.ask(ctx, names, func(i int, o object) { answers[i] = o })
	return answers, err
}

// ready makes sure that a process runs.
func (r *Repo) ready(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return stopped(ctx.Err())
	case r.closed:
		return ErrClosed
	case r.proc != nil:
		return nil
	}
	proc, err := r.start()
	if err != nil {
		return r.processError("cat-file", "", err)
	}
	r.proc = proc
	return nil
}

// exchange runs one exchange with the process and returns how many answers
// came. A nil error with fewer answers than names asks for another round on a
// fresh process; a *[ProcessError] says that this one died.
func (r *Repo) exchange(ctx context.Context, names []string, got func(int, object)) (int, error) {
	proc := r.proc
	release := context.AfterFunc(ctx, proc.kill)
	done, err := proc.exchange(names, r.limit, got)
	if !release() { // killed, now or in a moment
		r.drop()
		if done == len(names) {
			return done, nil
		}
		return done, stopped(ctx.Err())
	}
	if err == nil {
		return done, nil
	}
	words := r.drop()
	if errors.Is(err, errOversize) {
		return done, nil
	}
	if diedFetching(words) {
		got(done, object{state: missing})
		return done + 1, nil
	}
	return done, r.processError("cat-file", words, err)
}

// diedFetching tells from git's last words that it died because an object is at
// the remote of a partial clone. Versions before 2.45 don't know that they may
// not fetch, try, are refused every transport, and die.
func diedFetching(words string) bool {
	return strings.Contains(words, "from promisor remote")
}

// drop ends the process, if there is one, and returns its last words.
func (r *Repo) drop() string {
	if r.proc == nil {
		return ""
	}
	words := r.proc.stop()
	r.proc = nil
	return words
}

// load hands the objects with the given ids to got, from the cache where it has
// them; not in order. Trees come parsed. The error concerns the store as a
// whole; what is wrong with one object is in its state.
func (r *Repo) load(ctx context.Context, oids []string, got func(int, object)) error {
	var names []string
	var at []int
	for i, oid := range oids {
		if cached, ok := r.cache.get(oid); ok {
			got(i, cached)
			continue
		}
		names, at = append(names, oid), append(at, i)
	}
	if len(names) == 0 {
		return ctxErr(ctx)
	}
	return r.ask(ctx, names, func(n int, answer object) {
		answer.oid = names[n]
		got(at[n], r.keep(answer))
	})
}

// keep parses a tree and puts a good object into the cache.
func (r *Repo) keep(o object) object {
	if o.state != present {
		return o
	}
	cost := len(o.data) + 64
	if o.kind == kindTree {
		dir, err := parseTree(o.data, len(o.oid)/2)
		if err != nil {
			return object{state: corrupt, oid: o.oid, kind: o.kind}
		}
		o.dir, o.data, cost = dir, nil, 4*cost
	}
	r.cache.put(o, cost)
	return o
}

// cacheBytes bounds what a repository keeps, roughly, in bytes.
const cacheBytes = 48 << 20

// cache holds objects by id. When it is full it forgets everything: the
// reads of one piece of work fit by far, and content never goes stale.
type cache struct {
	mu      sync.Mutex
	objects map[string]object
	bytes   int
	limit   int
}

func (c *cache) get(oid string) (object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.objects[oid]
	return o, ok
}

func (c *cache) put(o object, cost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.objects[o.oid]; ok || cost > c.limit {
		return
	}
	if c.objects == nil || c.bytes+cost > c.limit {
		c.objects, c.bytes = make(map[string]object), 0
	}
	c.objects[o.oid] = o
	c.bytes += cost
}
