package launch

import (
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// Cache keeps results across revisions by what they depend on: the row, the
// launchers behind its label, and the content of every file of its closure,
// absent ones too. A long history costs what changes in it. It is safe for
// concurrent use; the zero value is ready.
type Cache struct {
	mu   sync.Mutex
	rows map[string][]cached
}

// cached is one result with the identities of the files it depends on.
type cached struct {
	files  []recipe.File
	ids    []string
	result *recipe.Effective
}

// maxCached bounds the results of one row.
const maxCached = 16

// rowKey is what a result depends on besides files.
func (r *Resolver) rowKey(row *matrix.Row, mode Mode) string {
	return string(mode) + "\x00" + row.Config.Key + "\x00" + strings.Join(r.Launchers(row), " ") + "\x00" +
		string(row.Document().Append(nil, ordjson.Canonical))
}

// find returns the result of an equal row whose files are as they are here.
func (c *Cache) find(r *Resolver, key string) *recipe.Effective {
	c.mu.Lock()
	candidates := c.rows[key]
	c.mu.Unlock()
next:
	for _, e := range candidates {
		for i, f := range e.files {
			id, err := r.identity(f.Path)
			if err != nil || id != e.ids[i] {
				continue next
			}
		}
		return e.result
	}
	return nil
}

// keep remembers a result.
func (c *Cache) keep(r *Resolver, key string, result *recipe.Effective) {
	e := cached{result: result}
	for _, f := range result.Closure {
		if f.Repository != "" {
			continue
		}
		id, err := r.identity(f.Path)
		if err != nil {
			return
		}
		e.files, e.ids = append(e.files, f), append(e.ids, id)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = make(map[string][]cached)
	}
	if len(c.rows[key]) < maxCached {
		c.rows[key] = append(c.rows[key], e)
	}
}
