package ghapi

import (
	"context"
	"strings"
	"sync"
	"time"
)

// GitHub's reads lag its writes: what was just created may be missing from a
// list, or not be there at all. How long we believe in a thing of ours, and
// how often we look again for it (spec/security.md S70).
const (
	freshFor   = 2 * time.Minute
	freshLooks = 4
)

// fresh remembers what this client created a moment ago.
type fresh struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error

	mu    sync.Mutex
	until map[freshKey]time.Time
}

// freshKey is the list a thing belongs to, such as "comments/12", and its id.
type freshKey struct {
	list string
	id   int64
}

func newFresh(o Options) *fresh {
	return &fresh{now: o.Now, sleep: o.Sleep, until: make(map[freshKey]time.Time)}
}

// created notes a new thing and forgets old ones.
func (f *fresh) created(list string, id int64) {
	if id == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	for key, until := range f.until {
		if until.Before(now) {
			delete(f.until, key)
		}
	}
	f.until[freshKey{list, id}] = now.Add(freshFor)
}

// gone forgets a thing that was deleted from one of the lists of a kind.
func (f *fresh) gone(kind string, id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.until {
		if key.id == id && strings.HasPrefix(key.list, kind) {
			delete(f.until, key)
		}
	}
}

// expects reports whether a thing was created a moment ago.
func (f *fresh) expects(list string, id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.until[freshKey{list, id}].After(f.now())
}

// missing reports whether something new is not among those we have.
func (f *fresh) missing(list string, have map[int64]bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	for key, until := range f.until {
		if key.list == list && until.After(now) && !have[key.id] {
			return true
		}
	}
	return false
}

// lookAgain calls look until it is content, at most freshLooks times, with
// growing pauses. Then GitHub is believed: the thing may have been deleted.
func (f *fresh) lookAgain(ctx context.Context, look func() (content bool, err error)) error {
	for n := 0; ; n++ {
		content, err := look()
		if err != nil || content || n == freshLooks {
			return err
		}
		if err := f.sleep(ctx, time.Second<<n); err != nil {
			return err
		}
	}
}
