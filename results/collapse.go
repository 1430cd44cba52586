package results

import (
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Collapse says how repeated evals of a tree are reduced to the newest (spec/
// reuse.md section 8.1). Paths are relative to the tree.
type Collapse struct {
	// Removed are paths that must go: folders, and single result files.
	Removed []string
	// Changed are the new contents of files.
	Changed map[string]ordjson.Value
	// Aggregates, Folders and Batches tell what was reduced.
	Aggregates []ReducedAggregate
	Folders    []string
	Batches    []ReducedBatch
}

// ReducedAggregate is a rewritten aggregate file: rows kept, and rows before.
type ReducedAggregate struct {
	File         string
	Kept, Before int
}

// ReducedBatch is a batched folder that lost concurrencies.
type ReducedBatch struct {
	Folder string
	Concs  []int64
}

// contender is a result that competes for a configuration.
type contender struct {
	folder string
	file   string
	// stamp orders contenders by the text of the time, order by the time itself.
	stamp string
	order int64
	sound bool
}

func (c *treeChecker) collapse() error {
	winners := c.winners()
	if len(winners) > 0 {
		c.reduceAggregates(winners)
		c.reduceFolders(winners)
	}
	slices.Sort(c.report.Collapse.Removed)
	return nil
}

// winners finds the newest attempt of each configuration.
func (c *treeChecker) winners() map[string]contender {
	best := make(map[string]contender)
	for _, r := range c.raw {
		for _, conc := range r.concs {
			candidate, ok := r.contender(conc, c.rules)
			if !ok {
				continue
			}
			key := r.configuration(conc, c.rules).Key()
			if b, ok := best[key]; !ok || candidate.beats(b, c.rules) {
				best[key] = candidate
			}
		}
	}
	if !c.rules.SoundEvals {
		return best
	}
	present := c.sources()
	for key, b := range best {
		named := slices.ContainsFunc(present[key], func(source string) bool { return hasComponent(source, b.folder) })
		if !b.sound || !named {
			delete(best, key)
		}
	}
	return best
}

// contender returns what a folder puts forward for a concurrency. Without the
// strict rules that is the largest time in a name, and without a time nothing.
func (r rawEval) contender(conc int64, rules Rules) (contender, bool) {
	if rules.SoundEvals {
		result, ok := r.newest(conc)
		return contender{folder: r.name, file: result.name, order: result.order, sound: unsound(result.doc, rules) == ""}, ok
	}
	best := contender{folder: r.name}
	for _, name := range r.files {
		if n, ok := concOf(name); ok && conc != 0 && n != conc {
			continue
		}
		if stamp := stampOf(name); stamp > best.stamp {
			best.stamp, best.file = stamp, name
		}
	}
	return best, best.stamp != ""
}

func (k contender) beats(other contender, rules Rules) bool {
	if rules.SoundEvals {
		if k.order != other.order {
			return k.order > other.order
		}
		return k.folder > other.folder
	}
	if k.stamp != other.stamp {
		return k.stamp > other.stamp
	}
	return k.folder > other.folder
}

// sources lists the sources of the aggregate's rows by configuration.
func (c *treeChecker) sources() map[string][]string {
	out := make(map[string][]string)
	for _, file := range c.rows {
		if !file.isList {
			continue
		}
		for _, row := range file.rows {
			if row.Kind == ordjson.Object {
				key := EvalConfiguration(row, c.rules).Key()
				out[key] = append(out[key], sourceOf(row))
			}
		}
	}
	return out
}

func sourceOf(row ordjson.Value) string {
	text, _ := document.Text(at(row, "source"))
	return text
}

// hasComponent reports whether a folder name is a component of a path with
// either slash.
func hasComponent(source, folder string) bool {
	return slices.Contains(components(source), folder)
}

func components(source string) []string {
	return strings.FieldsFunc(source, func(r rune) bool { return r == '/' || r == '\\' })
}

// rowPlace is a row of the aggregate by its position.
type rowPlace struct{ file, row int }

// reduceAggregates keeps one row of each repeated identity that has a winner.
func (c *treeChecker) reduceAggregates(winners map[string]contender) {
	type group struct {
		winner contender
		places []rowPlace
	}
	groups := make(map[string]*group)
	for i, file := range c.rows {
		for j, row := range file.rows {
			if !file.isList || row.Kind != ordjson.Object {
				continue
			}
			winner, ok := winners[EvalConfiguration(row, c.rules).Key()]
			if !ok {
				continue
			}
			key := EvalIdentity(row, c.rules).Key()
			if !c.rules.SoundEvals {
				key = file.name + "\x00" + key // each file by itself
			}
			if groups[key] == nil {
				groups[key] = &group{winner: winner}
			}
			groups[key].places = append(groups[key].places, rowPlace{i, j})
		}
	}
	drop := make(map[rowPlace]bool)
	for _, g := range groups {
		keep, ok := c.keeper(g.places, g.winner)
		for _, place := range g.places {
			if ok && len(g.places) > 1 && place != keep {
				drop[place] = true
			}
		}
	}
	c.dropRows(drop)
}

// keeper chooses the row that stays. The strict rules demand the winner's own
// row; the older ones fall back to the latest time.
func (c *treeChecker) keeper(places []rowPlace, winner contender) (rowPlace, bool) {
	source := func(p rowPlace) string { return sourceOf(c.rows[p.file].rows[p.row]) }
	if c.rules.SoundEvals {
		for i := len(places) - 1; i >= 0; i-- {
			s := source(places[i])
			if hasComponent(s, winner.folder) && path.Base(strings.ReplaceAll(s, `\`, "/")) == winner.file {
				return places[i], true
			}
		}
		return rowPlace{}, false
	}
	for _, p := range places {
		s := source(p)
		if hasComponent(s, winner.folder) || !c.rules.SourceByComponent && strings.Contains(s, winner.folder) {
			return p, true
		}
	}
	best := places[0]
	for _, p := range places[1:] {
		if stampOf(source(p)) > stampOf(source(best)) {
			best = p
		}
	}
	return best, true
}

func (c *treeChecker) dropRows(drop map[rowPlace]bool) {
	for i := range c.rows {
		file := &c.rows[i]
		var kept []ordjson.Value
		for j, row := range file.rows {
			if !drop[rowPlace{i, j}] {
				kept = append(kept, row)
			}
		}
		if len(kept) == len(file.rows) {
			continue
		}
		c.report.Collapse.Aggregates = append(c.report.Collapse.Aggregates, ReducedAggregate{file.name, len(kept), len(file.rows)})
		c.change(path.Join("eval_results_all", file.name), ordjson.List(kept...))
		file.rows = kept
	}
}

func (c *treeChecker) change(name string, v ordjson.Value) {
	if c.report.Collapse.Changed == nil {
		c.report.Collapse.Changed = make(map[string]ordjson.Value)
	}
	c.report.Collapse.Changed[name] = v
}

// reduceFolders removes what was won by another folder.
func (c *treeChecker) reduceFolders(winners map[string]contender) {
	for i := range c.raw {
		r := &c.raw[i]
		var lost []int64
		for _, conc := range unique(r.concs) {
			if w, ok := winners[r.configuration(conc, c.rules).Key()]; ok && w.folder != r.name {
				lost = append(lost, conc)
			}
		}
		switch kept := without(r.concs, lost); {
		case len(lost) == 0:
		case len(kept) == 0:
			r.removed = true
			c.report.Collapse.Removed = append(c.report.Collapse.Removed, r.name)
			c.report.Collapse.Folders = append(c.report.Collapse.Folders, r.name)
		default:
			c.shorten(r, kept, lost)
		}
	}
}

// shorten takes concurrencies out of a batched folder.
func (c *treeChecker) shorten(r *rawEval, kept, lost []int64) {
	gone := func(name string) bool {
		conc, ok := concOf(name)
		return ok && slices.Contains(lost, conc)
	}
	for _, name := range r.files {
		if gone(name) {
			c.report.Collapse.Removed = append(c.report.Collapse.Removed, path.Join(r.name, name))
		}
	}
	r.files = slices.DeleteFunc(r.files, gone)
	r.results = slices.DeleteFunc(r.results, func(e evalResult) bool { return gone(e.name) })
	r.meta = withMember(r.meta, "completed_eval_concs", keepIn(r.meta, "completed_eval_concs", lost))
	if c.rules.SoundEvals {
		r.meta = withMember(r.meta, "eval_concs", keepIn(r.meta, "eval_concs", lost))
	}
	r.concs = kept
	c.change(path.Join(r.name, metaFile), r.meta)
	c.report.Collapse.Batches = append(c.report.Collapse.Batches, ReducedBatch{r.name, lost})
}

// keepIn is a list of the metadata without the lost concurrencies.
func keepIn(meta ordjson.Value, name string, lost []int64) ordjson.Value {
	list, _ := meta.Get(name)
	out := ordjson.List()
	for _, v := range list.Items {
		if !slices.Contains(lost, looseInt(v, 0)) {
			out.Items = append(out.Items, v)
		}
	}
	return out
}
