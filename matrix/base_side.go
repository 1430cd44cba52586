package matrix

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// baseSide generates the rows that the base revision has, for append-only
// comparison.
type baseSide struct {
	masters   *Masters
	generator *Generator
	// drop names the row fields that only one of the two dialects writes.
	drop []string
}

// prepareAppend loads the base of an append-only change and checks its scope.
func (p *planner) prepareAppend() diag.List {
	if !p.appendOnly() {
		return nil
	}
	base, list := p.loadBase()
	if list.Refused() {
		return list
	}
	sel := selection{scenarios: make(map[string]Scenarios)}
	for _, e := range p.plan.Entries {
		configs, _ := p.resolve(e)
		for _, c := range configs {
			if !slices.Contains(sel.keys, c.Key) {
				sel.keys = append(sel.keys, c.Key)
			}
			for _, name := range [2]string{FixedSeqLen, AgenticCoding} {
				if e.Covers(name) {
					sel.scenarios[c.Key] |= scenarioBit(name)
				}
			}
		}
	}
	if f := checkScope(sel, base.masters, p.masters); f != nil {
		return diag.List{*f}
	}
	p.base = base
	return nil
}

// loadBase reads master and runner files of the base. A base that predates the
// layout of head is read by the older dialect, unless the settings ask for the
// head's rules.
func (p *planner) loadBase() (*baseSide, diag.List) {
	base, list := loadBaseWith(p.settings, p.change.Base.Files)
	if !list.Refused() || p.settings.Matrix.BaseValidated {
		return base, asMissingInputs(list)
	}
	older, otherwise := loadBaseWith(olderDialect(p.settings), p.change.Base.Files)
	if otherwise.Refused() {
		return nil, asMissingInputs(list)
	}
	older.drop = []string{"node-count", "srt-recipe", "eval-srt-recipe", "power", "require-power"}
	return older, nil
}

// asMissingInputs says of a missing file that it is the base which lacks it.
func asMissingInputs(list diag.List) diag.List {
	out := slices.Clone(list)
	for i, f := range out {
		if f.Category == "config-file-missing" || f.Category == "runner-file-missing" {
			out[i] = diag.New("plan.append-base-input-missing", f.Place).In("append-only-missing-generation-inputs")
		}
	}
	return out
}

// olderDialect switches off what configs of the older layout do not have.
func olderDialect(s config.Settings) config.Settings {
	m := &s.Matrix
	m.Clusters, m.AggregateWorker, m.TopologyScope, m.NodeCount, m.Recipes, m.Power = false, false, false, false, false, false
	return s
}

func loadBaseWith(s config.Settings, files Files) (*baseSide, diag.List) {
	masters, list := ReadMasters(s, files, true)
	if list.Refused() {
		return nil, list
	}
	generator, list := newGenerator(s, files)
	if list.Refused() {
		return nil, list
	}
	return &baseSide{masters: masters, generator: generator}, nil
}

// delta compares the rows of a group at head with those of the base.
func (b *baseSide) delta(g group, head []*Row) ([]*Row, *diag.Finding) {
	configs := make([]*Config, 0, len(g.configs))
	for _, c := range g.configs {
		if at := b.masters.Get(c.Key); at != nil {
			configs = append(configs, at)
		}
	}
	rows, list := b.generator.Expand(configs, Filter{Scenarios: g.scenarios})
	if f := list.First(); f != nil {
		return nil, f
	}
	return delta(rows, head, b.drop)
}
