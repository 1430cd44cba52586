package bot

import (
	"bytes"
	"context"
	"errors"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// ChangelogEdit is a new content for the changelog of a working tree.
type ChangelogEdit struct {
	Tree *WorkingTree
	// File is the changelog as a path in the repository.
	File     string
	Old, New []byte
	// Mended are the problems that the new content no longer has.
	Mended  diag.List
	Sources Sources
}

// Changed reports whether there is anything to write.
func (e ChangelogEdit) Changed() bool { return !bytes.Equal(e.Old, e.New) }

// Diff is the edit as a unified diff, made printable line by line when it is
// shown on a terminal.
func (e ChangelogEdit) Diff() string {
	return changelog.Fixed{Data: e.New}.Diff(e.File, e.Old)
}

// Write replaces the file.
func (e ChangelogEdit) Write() error { return e.Tree.Replace(e.File, e.New) }

// EditRequest names the changelog of a working tree and what it is compared
// with.
type EditRequest struct {
	Dir    string
	Base   string // revision, as in Workspace.Change
	Preset string
	// Repository is owner/name, "" for that of the settings.
	Repository string
	PR         int
}

// editing is a changelog of a working tree that was read.
type editing struct {
	edit     ChangelogEdit
	settings config.Settings
	rules    changelog.Rules
	base     []byte
}

// open reads the working tree, and with a base the other side. The settings
// are those of the base where there is one.
func (r EditRequest) open(ctx context.Context, based bool) (*editing, error) {
	tree, err := OpenWorkingTree(r.Dir)
	if err != nil {
		return nil, err
	}
	e := &editing{edit: ChangelogEdit{Tree: tree}}
	policy := matrix.Files(tree)
	if based {
		w, err := OpenWorkspace(ctx, r.Dir)
		if err != nil {
			return nil, err
		}
		defer w.Close()
		change, err := w.Change(ctx, r.Base, "")
		if err != nil {
			return nil, err
		}
		policy = change.Base.Files
	}
	if e.settings, _, err = Settings(policy, r.Preset); err != nil {
		return nil, err
	}
	layout := e.settings.Layout
	e.edit.Sources = Sources{Base: policy, Head: tree, Layout: layout}
	var list diag.List
	if e.base, list = readChangelog(policy, layout); list != nil {
		return nil, list
	}
	if e.edit.File, err = layout.Resolve(tree, layout.Changelog); err != nil {
		return nil, err
	}
	if e.edit.Old, err = tree.ReadFile(e.edit.File); err != nil {
		return nil, diag.List{unreadable(e.edit.File, err)}
	}
	if r.Repository != "" {
		e.settings.Changelog.Repository = r.Repository
	}
	e.rules = matrix.ChangelogRules(e.settings)
	return e, nil
}

// refused returns the error of a refusal with its places in the repository.
func (e *editing) refused(err error) error {
	var list diag.List
	if errors.As(err, &list) {
		return e.edit.Sources.Locate(list)
	}
	return err
}

// FixChangelog mends the changelog of a working tree where that takes no
// judgement. The edit is valid, with its sources, even beside an error.
func FixChangelog(ctx context.Context, r EditRequest) (ChangelogEdit, error) {
	e, err := r.open(ctx, true)
	if err != nil {
		return ChangelogEdit{}, err
	}
	fixed, err := changelog.Fix(e.rules, e.base, e.edit.Old, prOf(r.PR))
	if err != nil {
		return e.edit, e.refused(err)
	}
	e.edit.New = fixed.Data
	for _, p := range fixed.Mended {
		e.edit.Mended = append(e.edit.Mended, p.Finding)
	}
	e.edit.Mended = e.edit.Sources.Locate(e.edit.Mended)
	return e.edit, nil
}

// CanonicalizeChangelog gives the new entries of a working tree their
// canonical links (spec/changelog.md section 9.2).
func CanonicalizeChangelog(ctx context.Context, r EditRequest) (ChangelogEdit, error) {
	e, err := r.open(ctx, true)
	if err != nil {
		return ChangelogEdit{}, err
	}
	out, err := changelog.Canonicalize(e.rules, e.base, e.edit.Old, prOf(r.PR))
	if err != nil {
		return e.edit, e.refused(err)
	}
	e.edit.New = out
	return e.edit, nil
}

// AddToChangelog appends an entry to the changelog of a working tree.
func AddToChangelog(ctx context.Context, r EditRequest, draft changelog.Draft) (ChangelogEdit, error) {
	e, err := r.open(ctx, false)
	if err != nil {
		return ChangelogEdit{}, err
	}
	masters, list := matrix.ReadMasters(e.settings, e.edit.Tree, false)
	if list.Refused() {
		return e.edit, e.edit.Sources.Locate(list)
	}
	if draft.PRLink == "" && r.PR > 0 {
		draft.PRLink = e.rules.CanonicalLink(prOf(r.PR))
	}
	out, err := changelog.Add(e.rules, e.edit.Old, draft, &changelog.Keys{Head: masters.Keys()}, prOf(r.PR))
	if err != nil {
		return e.edit, unplaced(e.refused(err))
	}
	e.edit.New = out
	return e.edit, nil
}

// unplaced drops the positions of findings: they are those of a text that is
// in no file yet.
func unplaced(err error) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	for i := range list {
		list[i].Line, list[i].Column = 0, 0
	}
	return list
}

// MergeChangelog resolves a conflict of the changelog: the entries that ours
// adds to base go behind those of theirs (spec/changelog.md section 9.3). dir
// holds the settings.
func MergeChangelog(r EditRequest, base, ours, theirs []byte) ([]byte, error) {
	tree, err := OpenWorkingTree(r.Dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	settings, _, err := Settings(tree, r.Preset)
	if err != nil {
		return nil, err
	}
	if r.Repository != "" {
		settings.Changelog.Repository = r.Repository
	}
	return changelog.ResolveConflict(matrix.ChangelogRules(settings), base, ours, theirs, prOf(r.PR))
}

// SayEdit says in words what became of an edit.
func SayEdit(code string, e ChangelogEdit, style TableStyle) string {
	return style.say(code, "file", e.File)
}
