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
	compare   comparison
}

// prepareAppend loads the base of an append-only change and checks its scope
// (spec/changelog.md section 7.1).
func (p *planner) prepareAppend() diag.List {
	if !p.appendOnly() {
		return nil
	}
	base, list := loadBase(p.settings, p.change.Base.Files)
	if list.Refused() {
		return asMissingInputs(list)
	}
	sel := selection{scenarios: make(map[string]Scenarios)}
	for i, e := range p.plan.Entries {
		for _, c := range p.resolved[i] {
			if _, known := sel.scenarios[c.Key]; !known {
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

// loadBase reads master and runner files of the base. Settings that do not
// validate the base by the rules of head also read one that predates the
// layout of head: each file is then read in the dialect it fits best, and a
// config that fits neither counts only when its rows are asked for.
func loadBase(s config.Settings, files Files) (*baseSide, diag.List) {
	head := s.Matrix
	masters, list := loadBaseMasters(&s, files)
	if list.Refused() {
		return nil, list
	}
	generator, list := newGenerator(s, files)
	if list.Refused() && !s.Matrix.BaseValidated && s.Matrix.Clusters {
		older := s
		older.Matrix.Clusters, older.Matrix.NodeCount = false, false
		if other, problems := newGenerator(older, files); !problems.Refused() {
			s, generator, list = older, other, nil
		}
	}
	if list.Refused() {
		return nil, list
	}
	return &baseSide{masters: masters, generator: generator, compare: comparison{newer: head, older: s.Matrix}}, nil
}

// delta reduces the rows of a group at head to those that the base lacks.
func (b *baseSide) delta(g group, head []*Row, recipes *recipeBook, glob bool) ([]*Row, *diag.Finding) {
	base, list := b.rows(g.configs, g.scenarios, glob)
	if f := list.First(); f != nil {
		return nil, f
	}
	was := curvesOf(base, func(r *Row) string { return b.compare.key(r, b.generator.recipes) })
	is := curvesOf(head, func(r *Row) string { return b.compare.key(r, recipes) })
	return delta(base, head, was, is)
}

// loadBaseMasters reads the master files of the base, and switches s to the
// older dialect where more configs fit that.
func loadBaseMasters(s *config.Settings, files Files) (*Masters, diag.List) {
	masters, unreadable := readMasters(*s, files, true)
	if unreadable.Refused() || s.Matrix.BaseValidated {
		return masters, append(unreadable, masters.schema...)
	}
	if masters.schema.Refused() {
		older := *s
		older.Matrix = olderDialect(s.Matrix)
		if other, list := readMasters(older, files, true); !list.Refused() && other.refused() < masters.refused() {
			*s, masters = older, other
		}
	}
	return masters, unreadable
}

// olderDialect switches off what configs of the older layout do not have.
func olderDialect(m config.Matrix) config.Matrix {
	m.AggregateWorker, m.TopologyScope, m.NodeCount, m.Recipes, m.Power = false, false, false, false, false
	m.Fingerprint = config.FingerprintRow
	return m
}

// rows generates the rows of a group as the base has them.
func (b *baseSide) rows(keys []*Config, s Scenarios, glob bool) ([]*Row, diag.List) {
	configs := make([]*Config, 0, len(keys))
	for _, c := range keys {
		if at := b.masters.Get(c.Key); at != nil {
			configs = append(configs, at)
		}
	}
	if glob {
		var list diag.List
		if configs, list = b.masters.globbed(configs); list.Refused() {
			return nil, list
		}
	}
	for _, c := range configs {
		if c.invalid.Refused() {
			return nil, c.invalid
		}
	}
	return b.generator.Expand(configs, Filter{Scenarios: s})
}
