package ghapi

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"
)

// Cache keeps answers with their validators, the least recently used go first.
// It never answers by itself: every read asks GitHub whether the answer still
// holds, which costs no quota when it does. Clients of several identities may
// share one, for a common limit of bytes; they never see each other's answers.
type Cache struct {
	mu         sync.Mutex
	max, bytes int64
	recent     *list.List // of *cached, most recent first
	entries    map[cacheKey]*list.Element
	names      int
}

// cacheKey is what an answer depends on.
type cacheKey struct{ identity, address, accept string }

// cached is one answer with what it takes to ask for a newer one.
type cached struct {
	key            cacheKey
	etag, modified string
	answer         *answer
}

// NewCache returns a cache for so many bytes; 0 keeps nothing.
func NewCache(maxBytes int64) *Cache {
	return &Cache{max: maxBytes, recent: list.New(), entries: make(map[cacheKey]*list.Element)}
}

// newName returns a name that no other identity of this cache has.
func (c *Cache) newName(prefix string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names++
	return prefix + "/" + strconv.Itoa(c.names)
}

// overhead is about what an entry takes besides texts and body, in bytes.
const overhead = 512

func (e *cached) size() int64 {
	n := overhead + len(e.key.identity) + len(e.key.address) + len(e.key.accept) + len(e.answer.body)
	for name, values := range e.answer.header {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	return int64(n)
}

// get returns the entry of a key, or nil.
func (c *Cache) get(key cacheKey) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*cached)
}

// put keeps a good answer that has a validator. One entry may take a quarter
// of the cache.
func (c *Cache) put(key cacheKey, a *answer) {
	e := &cached{key: key, etag: a.header.Get("Etag"), modified: a.header.Get("Last-Modified"), answer: a.withoutLimits()}
	if e.etag == "" && e.modified == "" || e.size() > c.max/4 {
		c.drop(key)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(c.entries[key])
	c.entries[key] = c.recent.PushFront(e)
	c.bytes += e.size()
	for c.bytes > c.max {
		c.remove(c.recent.Back())
	}
}

// drop forgets an entry, for example when access was lost.
func (c *Cache) drop(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(c.entries[key])
}

func (c *Cache) remove(at *list.Element) {
	if at == nil {
		return
	}
	e := at.Value.(*cached)
	c.recent.Remove(at)
	delete(c.entries, e.key)
	c.bytes -= e.size()
}

// askIfChanged makes a request conditional.
func (e *cached) askIfChanged(req *http.Request) {
	if e.etag != "" {
		req.Header.Set("If-None-Match", e.etag)
	} else {
		req.Header.Set("If-Modified-Since", e.modified)
	}
}

// unchanged is the kept answer under the headers of a 304: limits and dates
// are the new ones, what describes the body is the kept one.
func (e *cached) unchanged(now *answer) *answer {
	header := now.header.Clone()
	for _, name := range []string{"Content-Type", "Content-Length", "Etag", "Last-Modified"} {
		header.Del(name)
	}
	for name, values := range e.answer.header {
		if header.Get(name) == "" {
			header[name] = values
		}
	}
	return &answer{status: e.answer.status, header: header, body: e.answer.body}
}
