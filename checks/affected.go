package checks

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/results"
)

// KeyLabel says what a pull request does to a config key (spec/checks.md
// section 1.3).
type KeyLabel string

// The labels. A reduced key only loses points or files, a removed one is gone:
// a retirement submits nothing.
const (
	KeyAdded     KeyLabel = "added"
	KeyReEnabled KeyLabel = "re-enabled"
	KeyModified  KeyLabel = "modified"
	KeyReduced   KeyLabel = "reduced"
	KeyRemoved   KeyLabel = "removed"
)

// AffectedKey is a config key that the pull request affects.
type AffectedKey struct {
	Key   string
	Label KeyLabel
	// Selected says that a new changelog entry names it.
	Selected bool
	// Scenarios are those that the selecting entries ask for; nil is all.
	Scenarios []string
	// Config is that of the head, of the base for a removed key.
	Config *matrix.Config
	// Rows are those of the head, Base those of the base.
	Rows, Base []*matrix.Row
	// Invalid says what is wrong with the config at the head; it has no rows
	// then.
	Invalid diag.List
	// Files are the recipes and scripts of the key that the change touches.
	Files []string
}

// Submits reports whether the key is added, re-enabled or modified: whether it
// counts for the checks of what is served.
func (k AffectedKey) Submits() bool {
	return k.Label == KeyAdded || k.Label == KeyReEnabled || k.Label == KeyModified
}

// Affected is what a pull request affects.
type Affected struct {
	// Keys are in the order of the masters at the head, removed ones behind
	// them; last those whose bound launch alone differs.
	Keys []AffectedKey
	// Reached are keys of which only shared code changed; Uncounted says that
	// there may be more, which were not looked at.
	Reached   []ReachedKey
	Uncounted bool
	// Entries are the changelog entries of the head that the base lacks.
	Entries []changelog.Entry
	// Changelog is the path of the changelog at the head.
	Changelog string
	// Findings say what could not be read of configs or changelog: nothing is
	// certain then.
	Findings diag.List
}

// Submitted are the keys that are added, re-enabled or modified.
func (a *Affected) Submitted() []AffectedKey {
	return slices.DeleteFunc(slices.Clone(a.Keys), func(k AffectedKey) bool { return !k.Submits() })
}

// Affected finds out which config keys the pull request affects.
func (e *Evidence) Affected(ctx context.Context) (*Affected, error) {
	return e.affected.get(ctx, none{}, e.findAffected)
}

func (e *Evidence) findAffected(ctx context.Context) (*Affected, error) {
	base, err := e.Revision(ctx, e.Base)
	if err != nil {
		return nil, err
	}
	head, err := e.Revision(ctx, e.Head)
	if err != nil {
		return nil, err
	}
	a := &Affected{Findings: slices.Concat(base.Findings, head.Findings)}
	f := finder{e: e, base: base, head: head, out: a}
	if err := f.readEntries(ctx); err != nil || a.Findings.Refused() {
		return a, err
	}
	if err := f.ownFiles(ctx); err != nil {
		return nil, err
	}
	f.collect()
	if err := f.reach(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// finder puts the affected set together.
type finder struct {
	e          *Evidence
	base, head *Revision
	out        *Affected
	earlier    map[string]bool     // keys that older changelog entries name
	selected   map[string][]string // scenarios by selected key; nil is all
	files      map[string][]string // changed own files by key
	shrunk     map[string]bool     // keys whose own files were only taken away
}

// readEntries finds the new changelog entries and the keys that they select.
func (f *finder) readEntries(ctx context.Context) error {
	rules := matrix.ChangelogRules(f.e.Settings)
	var data [2][]byte
	for i, rev := range []*Revision{f.base, f.head} {
		doc, err := f.e.under(rev.Tree, f.e.Settings.Layout.Changelog)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		data[i] = doc.Data
		if doc.Path != "" {
			rules.File = doc.Path
		}
	}
	f.out.Changelog = rules.File
	var list diag.List
	f.out.Entries, list = changelog.Added(rules, data[0], data[1])
	f.out.Findings = append(f.out.Findings, list...)
	f.selected, f.earlier = make(map[string][]string), make(map[string]bool)
	for _, entry := range f.out.Entries {
		f.choose(entry)
	}
	for _, entry := range changelog.All(rules, data[0]) {
		for _, key := range entry.ConfigKeys {
			f.earlier[key] = true
		}
	}
	return ctx.Err()
}

// choose marks the keys of an entry at either side; a "*" stands for any
// characters.
func (f *finder) choose(entry changelog.Entry) {
	for _, pattern := range entry.ConfigKeys {
		for _, rev := range []*Revision{f.head, f.base} {
			if rev.Masters == nil {
				continue
			}
			for _, key := range rev.Masters.Keys() {
				if key != pattern && !(strings.Contains(pattern, "*") && matrix.Glob(strings.ReplaceAll(pattern, "?", "[?]"), key)) {
					continue
				}
				before, known := f.selected[key]
				switch {
				case entry.Scenarios == nil || known && before == nil:
					f.selected[key] = nil
				default:
					f.selected[key] = slices.Concat(before, entry.Scenarios)
				}
			}
		}
	}
}

// ownFiles finds the keys whose recipe or script the change touches.
func (f *finder) ownFiles(ctx context.Context) error {
	changes, err := f.e.Changed(ctx)
	if err != nil {
		return err
	}
	f.files, f.shrunk = make(map[string][]string), make(map[string]bool)
	touched := make(map[string]gitrepo.Change)
	for _, c := range changes {
		if role := f.e.Role(c.Path); role == RoleRecipe || role == RoleLaunch && c.NewMode.IsSymlink() {
			touched[c.Path] = c
		}
	}
	if len(touched) == 0 {
		return nil
	}
	for _, rev := range []*Revision{f.base, f.head} {
		for _, key := range rev.keys() {
			if err := f.ownOf(ctx, rev, key, touched); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownOf adds the touched files of one key at one side. Names are compared
// first: only rows whose recipe or script can be one of the touched ones are
// interpreted, and of rows that start one script the first.
func (f *finder) ownOf(ctx context.Context, rev *Revision, key string, touched map[string]gitrepo.Change) error {
	started := make(map[string]bool)
	for _, row := range rev.RowsOf(key) {
		named, scripted := mayOwn(row, touched)
		script := row.Bucket() + row.Entry.SpecDecoding
		if !named && (!scripted || started[script]) {
			continue
		}
		started[script] = true
		effective, err := f.e.Launch(ctx, rev, row, launch.Throughput)
		if err != nil {
			return err
		}
		for _, file := range effective.Closure {
			if c, ok := touched[file.Path]; ok && file.Repository == "" {
				f.own(key, c)
			}
		}
	}
	return nil
}

// own notes a touched file of a key.
func (f *finder) own(key string, c gitrepo.Change) {
	if slices.Contains(f.files[key], c.Path) {
		return
	}
	before, seen := f.shrunk[key]
	f.shrunk[key] = (before || !seen) && c.Status == gitrepo.Deleted
	f.files[key] = append(f.files[key], c.Path)
}

// mayOwn reports whether the name of a touched file can belong to a row: named
// says that its document names the file, scripted that the file is called after
// its model, precision and hardware.
func mayOwn(row *matrix.Row, touched map[string]gitrepo.Change) (named, scripted bool) {
	doc := row.Document().String()
	for name := range touched {
		file := path.Base(name)
		if strings.Contains(doc, strings.TrimSuffix(file, path.Ext(file))) {
			named = true
		}
		c := row.Config
		if strings.HasPrefix(file, c.ModelPrefix+"_"+c.Precision+"_"+results.SKU(row.Runner)) {
			scripted = true
		}
	}
	return named, scripted
}

// collect labels the keys.
func (f *finder) collect() {
	for _, key := range f.head.keys() {
		f.label(key, f.head)
	}
	for _, key := range f.base.keys() {
		if f.head.Config(key) == nil {
			f.label(key, f.base)
		}
	}
}

func (f *finder) label(key string, rev *Revision) {
	k := AffectedKey{
		Key: key, Config: rev.Config(key), Rows: f.head.RowsOf(key), Base: f.base.RowsOf(key), Files: f.files[key],
	}
	k.Scenarios, k.Selected = f.selected[key]
	k.Invalid = f.head.Invalid[key]
	was, is := points(k.Base), points(k.Rows)
	same := slices.Equal(was, is)
	if f.base.Invalid[key] != nil || k.Invalid != nil {
		// Without rows at a side the entries themselves are compared.
		before, after := f.base.Config(key), f.head.Config(key)
		same = before != nil && after != nil && before.Raw.Equal(after.Raw)
	}
	switch {
	case rev == f.base:
		k.Label = KeyRemoved
	case f.base.Config(key) == nil:
		k.Label = KeyAdded
		if f.earlier[key] {
			k.Label = KeyReEnabled
		}
	case !k.Selected && same && len(k.Files) == 0:
		return
	case !k.Selected && k.Invalid == nil && subset(is, was) && (len(k.Files) == 0 || f.shrunk[key]):
		k.Label = KeyReduced
	default:
		k.Label = KeyModified
	}
	f.out.Keys = append(f.out.Keys, k)
}

// keys are the config keys of a side, in order.
func (r *Revision) keys() []string {
	if r.Masters == nil {
		return nil
	}
	return r.Masters.Keys()
}

// points are the rows of a key one concurrency each, as sorted texts: what is
// measured, without names and fingerprints that follow from it.
func points(rows []*matrix.Row) []string {
	var out []string
	for _, row := range rows {
		text := pointText(row)
		for _, conc := range row.Conc {
			out = append(out, concText(conc)+" "+text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// subset reports whether all of a is in b; both are sorted.
func subset(a, b []string) bool {
	for _, item := range a {
		if _, ok := slices.BinarySearch(b, item); !ok {
			return false
		}
	}
	return true
}

// launchKey is a row of a side in a mode.
type launchKey struct {
	commit, key, point string
	mode               launch.Mode
}

// Launch is what a row would serve, interpreted once.
func (e *Evidence) Launch(ctx context.Context, rev *Revision, row *matrix.Row, mode launch.Mode) (*recipe.Effective, error) {
	key := launchKey{rev.Tree.Commit().ID, row.Config.Key, concTexts(row.Conc) + pointText(row), mode}
	return e.launches.get(ctx, key, func(ctx context.Context) (*recipe.Effective, error) { return rev.resolver.Row(ctx, row, mode) })
}
