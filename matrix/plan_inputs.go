package matrix

import (
	"errors"
	"io/fs"
	slashpath "path"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// ChangelogRules are the rules of the changelog room under these settings.
func ChangelogRules(s config.Settings) changelog.Rules {
	c := s.Changelog
	return changelog.Rules{
		File:                s.Layout.Changelog,
		Repository:          c.Repository,
		MaxBytes:            s.Limits.FileBytes,
		NoEvals:             c.NoEvals,
		LenientTypes:        c.LenientTypes,
		UnderscoreKeys:      c.UnderscoreKeys,
		LastKeyWins:         c.LastKeyWins,
		HeaderLikeLines:     c.HeaderLikeLines,
		UnterminatedDeletes: c.UnterminatedDeletes,
		CorrectionsPass:     c.CorrectionsPass,
		FinalNewline:        c.FinalNewline,
		LinkInPlan:          changelog.Grade(c.LinkInPlan),
		Gate: changelog.Gate{
			History:  changelog.Grade(c.Gate.History),
			Position: changelog.Grade(c.Gate.Position),
			Format:   changelog.Grade(c.Gate.Format),
		},
	}
}

// readOptional returns nil for a file that does not exist.
func readOptional(files Files, layout config.Layout, name string) ([]byte, diag.List) {
	full, err := layout.Resolve(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diag.List{unreadable(name, err)}
	}
	data, err := files.ReadFile(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, diag.List{unreadable(full, err)}
	case data == nil:
		data = []byte{}
	}
	return data, nil
}

func unreadable(name string, err error) diag.Finding {
	return diag.New("plan.unreadable", diag.Place{File: name}, "detail", err.Error()).In("unreadable")
}

// readEntries extracts the new entries of the changelog and, where the gate is
// graded, judges how they were written.
func (p *planner) readEntries() diag.List {
	layout, rules := p.settings.Layout, ChangelogRules(p.settings)
	base, list := readOptional(p.change.Base.Files, layout, layout.Changelog)
	if list != nil {
		return list
	}
	head, list := readOptional(p.change.Head.Files, layout, layout.Changelog)
	if list != nil {
		return list
	}
	var report changelog.Report
	if graded(rules) {
		report = changelog.Check(rules, base, head, p.change.PR)
		if report.Refused() {
			return report.Findings()
		}
		p.plan.Warnings = report.Findings()
		if len(report.Corrections) > 0 && len(report.Added) == 0 && rules.CorrectionsPass {
			p.plan.Corrections = report.Corrections
			return nil
		}
	}
	entries, list := changelog.ExtractAdditions(rules, base, head)
	if list.Refused() {
		if len(report.Added) == 0 {
			return list
		}
		// The gate found whole entries where the line diff cuts one in two.
		entries = report.Added
	}
	p.plan.Entries = entries
	return nil
}

// graded reports whether any rule of the graded gate is in force.
func graded(rules changelog.Rules) bool {
	off := changelog.GradeOff
	return rules.Gate.History != off || rules.Gate.Position != off || rules.Gate.Format != off || rules.LinkInPlan != off
}

// loadMasters reads and validates the master configs of head and resolves the
// keys of every entry.
func (p *planner) loadMasters() diag.List {
	if len(p.plan.Entries) == 0 {
		return nil
	}
	masters, list := ReadMasters(p.settings, p.change.Head.Files, p.appendOnly())
	if list.Refused() {
		return list
	}
	p.masters = masters
	rules, keys := ChangelogRules(p.settings), changelog.Keys{Head: masters.Keys()}
	for _, e := range p.plan.Entries {
		selected, more := changelog.Resolve(rules, e, keys)
		configs := make([]*Config, len(selected))
		for i, key := range selected {
			configs[i] = masters.Get(key)
		}
		p.resolved = append(p.resolved, configs)
		list = append(list, more...)
	}
	return list
}

// ReadMasters reads, validates and checks the master files of one revision.
func ReadMasters(s config.Settings, files Files, keepRaw bool) (*Masters, diag.List) {
	masters, list := readMasters(s, files, keepRaw)
	if masters == nil {
		return nil, list
	}
	return masters, append(list, masters.schema...)
}

// readMasters is ReadMasters with the findings about configs left with them.
func readMasters(s config.Settings, files Files, keepRaw bool) (*Masters, diag.List) {
	root, err := s.Layout.Root(files)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{unreadable(s.Layout.Probe, err)}
	}
	var sources []Source
	var list diag.List
	for _, name := range s.Layout.Masters {
		full := slashpath.Join(root, name)
		data, err := files.ReadFile(full)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, diag.New("plan.master-missing", diag.Place{File: full}).In("config-file-missing"))
		case err != nil:
			list = append(list, unreadable(full, err))
		default:
			sources = append(sources, Source{full, data})
		}
	}
	masters, more := load(sources, Rules{s.Matrix, s.Limits}, keepRaw)
	list = append(list, more...)
	if s.Matrix.Recipes && !list.Refused() {
		masters.checkRecipes(below(files, root), s.Layout.Recipes)
	}
	return masters, list
}

// subtree reads files below a project root.
type subtree struct {
	files Files
	root  string
}

func below(files Files, root string) Files {
	if root == "" {
		return files
	}
	return subtree{files, root}
}

// ReadFile reads a file by its path below the root.
func (s subtree) ReadFile(name string) ([]byte, error) {
	return s.files.ReadFile(slashpath.Join(s.root, name))
}

// expand generates the throughput rows of a group at head. The runner file is
// read with the first group.
func (p *planner) expand(g group) ([]*Row, diag.List) {
	if p.generator == nil {
		generator, list := newGenerator(p.settings, p.change.Head.Files)
		if list.Refused() {
			return nil, list
		}
		p.generator = generator
	}
	configs := g.configs
	if p.settings.Matrix.GlobResolvedKeys {
		var list diag.List
		if configs, list = p.masters.globbed(configs); list.Refused() {
			return nil, list
		}
	}
	return p.generator.Expand(configs, Filter{Scenarios: g.scenarios})
}

// newGenerator reads the runner file of a revision.
func newGenerator(s config.Settings, files Files) (*Generator, diag.List) {
	inventory, list := ReadRunners(s, files)
	if list.Refused() {
		return nil, list
	}
	root, err := s.Layout.Root(files)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{unreadable(s.Layout.Probe, err)}
	}
	return NewGenerator(s.Matrix, inventory, below(files, root), s.Layout.Recipes), nil
}

// ReadRunners reads and validates the runner file of one revision.
func ReadRunners(s config.Settings, files Files) (*Inventory, diag.List) {
	data, list := readOptional(files, s.Layout, s.Layout.Runners)
	if list != nil {
		return nil, list
	}
	if data == nil {
		return nil, diag.List{diag.New("plan.runners-missing", diag.Place{File: s.Layout.Runners}).In("runner-file-missing")}
	}
	return LoadRunners(Source{s.Layout.Runners, data}, Rules{s.Matrix, s.Limits})
}
