package shell

import (
	"regexp"
	"sync"
)

// Cache keeps parsed scripts by their content, so that a file that many rows
// launch is parsed once, and compiled regular expressions. It is safe for
// concurrent use; the zero value is ready. What it was given is not changed
// afterwards.
type Cache struct {
	mu    sync.Mutex
	files map[string]*source
	bytes int
	// same finds a content by where it lies, without reading it again.
	same map[place]*source

	expressions map[string]*regexp.Regexp
}

// place is where a content lies. The cache refers to it, so that no other
// content comes to lie there.
type place struct {
	first *byte
	size  int
}

func placeOf(content []byte) place {
	if len(content) == 0 {
		return place{}
	}
	return place{&content[0], len(content)}
}

// maxExpressions bounds the compiled regular expressions; all go when full.
const maxExpressions = 4096

// expression returns a compiled regular expression, nil for one that build
// refuses. A nil cache makes it each time.
func (c *Cache) expression(expr string, build func(string) *regexp.Regexp) *regexp.Regexp {
	if c == nil {
		return build(expr)
	}
	c.mu.Lock()
	re, ok := c.expressions[expr]
	c.mu.Unlock()
	if ok {
		return re
	}
	re = build(expr)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expressions == nil || len(c.expressions) >= maxExpressions {
		c.expressions = make(map[string]*regexp.Regexp)
	}
	c.expressions[expr] = re
	return re
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
	if s, ok := c.same[placeOf(content)]; ok && len(content) > 0 {
		return s, true
	}
	s, ok := c.files[string(content)]
	if ok && len(c.same) < maxExpressions {
		c.same[placeOf(content)] = s
	}
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
		c.files, c.same, c.bytes = make(map[string]*source), make(map[place]*source), 0
	}
	c.files[string(content)] = s
	c.bytes += len(content)
}
