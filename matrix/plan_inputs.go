package matrix

import (
	"errors"
	"io/fs"
	slashpath "path"
	"slices"

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
	examined := changelog.Examine(rules, base, head, p.change.PR)
	p.plan.Entries, p.plan.Corrections = examined.Entries, examined.Corrections
	return examined.Findings
}

// decoded is the outcome of loading the master files of head.
type decoded struct {
	masters *Masters
	list    diag.List
}

// openHead reads the master files of head and begins to decode them, so that
// this goes on while the changelogs are read. What it finds counts only when
// the changelog was accepted.
func (p *planner) openHead() diag.List {
	p.opened = openMasters(p.settings, p.change.Head.Files)
	p.decoding = make(chan decoded, 1)
	go func() {
		masters, list := p.opened.load(false)
		p.decoding <- decoded{masters, list}
	}()
	return nil
}

// loadMasters takes the master configs of head and resolves the keys of every
// entry.
func (p *planner) loadMasters() diag.List {
	if len(p.plan.Entries) == 0 {
		return nil
	}
	loaded := <-p.decoding
	if p.appendOnly() {
		// Comparing with the base needs the source values, too.
		loaded.masters, loaded.list = p.opened.load(true)
	}
	masters, list := loaded.masters, append(loaded.list, loaded.masters.schema...)
	if list.Refused() {
		return list
	}
	p.masters = masters
	more := p.resolve(nil)
	if more.Refused() {
		// The base only makes the messages better.
		if base, _ := readMasters(p.settings, p.change.Base.Files, false); base != nil {
			more = p.resolve(base.Keys())
		}
	}
	return append(list, more...)
}

// resolve finds the configs that each entry names.
func (p *planner) resolve(baseKeys []string) (list diag.List) {
	rules, keys := ChangelogRules(p.settings), changelog.Keys{Head: p.masters.Keys(), Base: baseKeys}
	p.resolved = nil
	for _, e := range p.plan.Entries {
		selected, more := changelog.Resolve(rules, e, keys)
		configs := make([]*Config, len(selected))
		for i, key := range selected {
			configs[i] = p.masters.Get(key)
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
	return openMasters(s, files).load(keepRaw)
}

// masterFiles are the master files of one revision as they were read.
type masterFiles struct {
	settings config.Settings
	files    Files
	root     string
	former   bool
	sources  []Source
	list     diag.List // of files that could not be read
}

// prefetcher is a revision that reads several files in one turn.
type prefetcher interface {
	Prefetch(names ...string) error
}

// openMasters reads the bytes of the master files.
func openMasters(s config.Settings, files Files) masterFiles {
	return openMastersOf(s, files, false)
}

// openMastersOf is openMasters, also of former times.
func openMastersOf(s config.Settings, files Files, former bool) masterFiles {
	m := masterFiles{settings: s, files: files, former: former}
	if p, ok := files.(prefetcher); ok {
		var names []string
		for _, root := range s.Layout.Roots {
			for _, name := range append([]string{s.Layout.Probe, s.Layout.Runners}, s.Layout.Masters...) {
				names = append(names, slashpath.Join(root, name))
			}
		}
		// What cannot be fetched is reported where it is read.
		_ = p.Prefetch(names...)
	}
	root, err := s.Layout.Root(files)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.list = diag.List{unreadable(s.Layout.Probe, err)}
		return m
	}
	m.root = root
	for _, name := range s.Layout.Masters {
		full := slashpath.Join(root, name)
		data, err := files.ReadFile(full)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m.list = append(m.list, diag.New("plan.master-missing", diag.Place{File: full}).In("config-file-missing"))
		case err != nil:
			m.list = append(m.list, unreadable(full, err))
		default:
			m.sources = append(m.sources, Source{full, data})
		}
	}
	return m
}

// load decodes and validates the files.
func (m masterFiles) load(keepRaw bool) (*Masters, diag.List) {
	masters, more := load(m.sources, Rules{m.settings.Matrix, m.settings.Limits, m.former}, keepRaw)
	list := append(slices.Clone(m.list), more...)
	if m.settings.Matrix.Recipes && !list.Refused() {
		masters.checkRecipes(below(m.files, m.root), m.settings.Layout.Recipes)
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
	return generatorOver(s, files, inventory)
}

// generatorOver is the generator of a revision over an inventory.
func generatorOver(s config.Settings, files Files, inventory *Inventory) (*Generator, diag.List) {
	root, err := s.Layout.Root(files)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{unreadable(s.Layout.Probe, err)}
	}
	return NewGenerator(s.Matrix, inventory, below(files, root), s.Layout.Recipes), nil
}

// ReadRunners reads and validates the runner file of one revision.
func ReadRunners(s config.Settings, files Files) (*Inventory, diag.List) {
	return readRunnersOf(s, files, false)
}

// readRunnersOf is ReadRunners, also of former times.
func readRunnersOf(s config.Settings, files Files, former bool) (*Inventory, diag.List) {
	data, list := readOptional(files, s.Layout, s.Layout.Runners)
	if list != nil {
		return nil, list
	}
	if data == nil {
		return nil, diag.List{diag.New("plan.runners-missing", diag.Place{File: s.Layout.Runners}).In("runner-file-missing")}
	}
	return LoadRunners(Source{s.Layout.Runners, data}, Rules{s.Matrix, s.Limits, former})
}
