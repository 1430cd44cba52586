package shell

import "sync"

// Cache keeps parsed scripts by their content, so that a file that many rows
// launch is parsed once. It is safe for concurrent use; the zero value is
// ready.
type Cache struct {
	mu    sync.Mutex
	files map[string]*source
	bytes int
}

// cacheBytes bounds the text kept in one cache; it is emptied when full.
const cacheBytes = 64 << 20

// lookup returns the parsed form of a file's content.
func (c *Cache) lookup(content []byte) (*source, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.files[string(content)]
	return s, ok
}

// keep remembers the parsed form of a file's content.
func (c *Cache) keep(content []byte, s *source) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil || c.bytes+len(content) > cacheBytes {
		c.files, c.bytes = make(map[string]*source), 0
	}
	c.files[string(content)] = s
	c.bytes += len(content)
}
