package launch

import (
	"runtime"
	"sort"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// The families of rows by how they are launched.
const (
	SingleNodeScript = "single-node script"
	MultiNodeScript  = "multi-node script"
	SRTRecipe        = "srt-slurm recipe"
)

// FamilyOf says how a row is launched: through a recipe that it names, or by
// scripts.
func FamilyOf(row *matrix.Row, recipes bool) string {
	if recipes && reference(row, row.EvalOnly) != "" {
		return SRTRecipe
	}
	if !row.Multinode() {
		return SingleNodeScript
	}
	for _, w := range []*matrix.Worker{row.Entry.Prefill, row.Entry.Decode, row.Entry.Worker} {
		if w == nil {
			continue
		}
		for _, s := range w.Settings {
			if name, file, _ := strings.Cut(s, "="); name == "CONFIG_FILE" && strings.Contains(file, "/") {
				return SRTRecipe
			}
		}
	}
	return MultiNodeScript
}

// Cell counts the rows of one family and framework.
type Cell struct {
	Family    string `json:"family"`
	Framework string `json:"framework"`
	Rows      int    `json:"rows"`
	// Complete rows have no unknown in anything that a check reads.
	Complete int `json:"complete"`
	// Reasons counts the rows that each question keeps from being complete;
	// a row may have several.
	Reasons map[string]int `json:"reasons,omitempty"`
	// Examples names one row for each reason.
	Examples map[string]string `json:"examples,omitempty"`
}

// Cover counts resolved rows, by family and framework.
func Cover(rows []*matrix.Row, results []*recipe.Effective, recipes bool) []Cell {
	cells := make(map[[2]string]*Cell)
	gapsOf := gaps(results)
	for i, row := range rows {
		key := [2]string{FamilyOf(row, recipes), row.Config.Framework}
		c := cells[key]
		if c == nil {
			c = &Cell{Family: key[0], Framework: key[1], Reasons: make(map[string]int), Examples: make(map[string]string)}
			cells[key] = c
		}
		c.Rows++
		if len(gapsOf[i]) == 0 {
			c.Complete++
			continue
		}
		seen := make(map[string]bool)
		for _, g := range gapsOf[i] {
			if reason := reasonOf(g); !seen[reason] {
				seen[reason] = true
				c.Reasons[reason]++
				c.Examples[reason] = row.Config.Key + " " + row.ExpName
			}
		}
	}
	out := make([]Cell, 0, len(cells))
	for _, c := range cells {
		out = append(out, *c)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Family != out[j].Family {
			return out[i].Family < out[j].Family
		}
		return out[i].Framework < out[j].Framework
	})
	return out
}

// gaps are what keeps each result from being complete, found on all processors:
// the facts of a row are made for it.
func gaps(results []*recipe.Effective) [][]recipe.Gap {
	out := make([][]recipe.Gap, len(results))
	var g errgroup.Group
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			for i := w; i < len(results); i += workers {
				out[i] = results[i].Gaps()
			}
			return nil
		})
	}
	_ = g.Wait() // none of them fails
	return out
}

// reasonOf names a gap without what differs between rows.
func reasonOf(g recipe.Gap) string {
	switch g.Kind {
	case recipe.KindUnknown:
		return g.Name
	case recipe.KindRole:
		return "a process may not start"
	}
	if g.Name == "" {
		return string(g.Kind) + " of unknown name"
	}
	return string(g.Kind) + " " + g.Name
}
