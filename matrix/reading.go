package matrix

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Reading is what can be read of the configs of one revision, of whatever
// time, in order to judge what its rows serve. A sweep is not planned from it:
// Generate refuses what a Reading passes over.
type Reading struct {
	// Layout says where the files lay.
	Layout    config.Layout
	Inventory *Inventory
	// Rows are those of all configs that can be read, in order.
	Rows []*Row
	// Unread are the other configs, in order, each with what is wrong with it.
	Unread []Unread
	// Absent are the keys and patterns of the request that no config has.
	Absent []Absent
}

// Absent is a key or pattern that names nothing at a revision: with two of them
// it may be new, or gone.
type Absent struct {
	Argument string
	Finding  diag.Finding
}

// Unread is a config without rows.
type Unread struct {
	Key      string
	Findings diag.List // at least one that refuses
}

// Read runs a request over the configs of a revision, each by itself, in the
// forms of today or of former times (see former.go). The list is refused where
// a file cannot be read as a whole, or where the request is wrong. A config
// that rules of today refuse, but whose rows are known, is not Unread.
func Read(s config.Settings, files Files, r Request) (Reading, diag.List) {
	s.Layout = formerLayout(s.Layout, files)
	masters, list := openMastersOf(s, files, true).load(false)
	if list.Refused() {
		return Reading{}, list
	}
	inventory, list := readRunnersOf(s, files, true)
	if list.Refused() {
		return Reading{}, list
	}
	generator, list := generatorOver(s, files, inventory)
	if list.Refused() {
		return Reading{}, list
	}
	generator.former = true
	configs := masters.Configs
	if len(r.Keys) > 0 {
		configs = nil
	}
	out := Reading{Layout: s.Layout, Inventory: inventory}
	for _, argument := range r.Keys {
		named, list := masters.Expand([]string{argument})
		if list.Refused() {
			out.Absent = append(out.Absent, Absent{argument, list[0]})
		}
		for _, c := range named {
			if !slices.Contains(configs, c) {
				configs = append(configs, c)
			}
		}
	}
	for _, c := range configs {
		out.read(generator, c, r.Filter)
	}
	out.Rows = SelectEvals(out.Rows, r.Evals, s.Matrix)
	return out, nil
}

// read adds the rows of a config, or what is wrong with it.
func (r *Reading) read(g *Generator, c *Config, filter Filter) {
	list := c.invalid
	if !list.Refused() {
		var rows []*Row
		if rows, list = g.Expand([]*Config{c}, filter); !list.Refused() {
			r.Rows = append(r.Rows, rows...)
			return
		}
	}
	r.Unread = append(r.Unread, Unread{c.Key, list})
}
