package bot

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// ChangelogCheck is what there is to say about a change of the changelog.
type ChangelogCheck struct {
	// Findings are graded; whether config keys exist is among them unless the
	// configs themselves are refused.
	Findings diag.List
	Sources  Sources
	Settings config.Settings
	// File is the changelog as a path in the repository.
	File        string
	Entries     []changelog.Entry
	Corrections []changelog.Correction
	// Unchanged is set when both sides are equal, byte for byte.
	Unchanged bool
	// Mendable is set when there are findings and all of them can be mended
	// by the fix command.
	Mendable bool
}

// CheckChangelog judges the change of the changelog between two revisions
// (spec/changelog.md section 2). The error is for files that could not be read
// and settings that are refused.
func CheckChangelog(change matrix.Change, preset string, pr int) (ChangelogCheck, error) {
	settings, source, err := Settings(change.Base.Files, preset)
	layout := settings.Layout
	out := ChangelogCheck{Settings: settings, Sources: Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: layout}}
	if err != nil {
		return out, err
	}
	out.File = out.Sources.path(layout.Changelog)
	rules := matrix.ChangelogRules(settings)
	out.Findings = append(source.Findings, changelog.CheckMode(rules, modeOf(change.Base.Files, layout), modeOf(change.Head.Files, layout))...)
	if out.Findings.Refused() {
		out.Findings = out.Sources.Locate(out.Findings)
		return out, nil
	}
	base, list := readChangelog(change.Base.Files, layout)
	if list != nil {
		return out, list
	}
	head, list := readChangelog(change.Head.Files, layout)
	if list != nil {
		return out, list
	}
	if head != nil && bytes.Equal(base, head) {
		out.Unchanged = true
		return out, nil
	}
	examined := changelog.Examine(rules, base, head, prOf(pr))
	out.Entries, out.Corrections, out.Mendable = examined.Entries, examined.Corrections, examined.Mendable
	out.Findings = append(append(out.Findings, examined.Findings...), entryKeys(rules, settings, change, examined.Entries)...)
	out.Findings = out.Sources.Locate(out.Findings)
	return out, nil
}

// entryKeys says which config keys of new entries select nothing. Configs that
// are refused are not this check's subject.
func entryKeys(rules changelog.Rules, s config.Settings, change matrix.Change, entries []changelog.Entry) diag.List {
	if len(entries) == 0 {
		return nil
	}
	masters, list := matrix.ReadMasters(s, change.Head.Files, false)
	if list.Refused() {
		return nil
	}
	var out diag.List
	for _, e := range entries {
		_, list := changelog.Resolve(rules, e, changelog.Keys{Head: masters.Keys()})
		out = append(out, list...)
	}
	return out
}

// ChangelogDocument is a check as machines read it.
type ChangelogDocument struct {
	Outcome     string               `json:"outcome"`
	Findings    []diag.Document      `json:"findings"`
	File        string               `json:"file"`
	Entries     []EntryDocument      `json:"entries"`
	Corrections []CorrectionDocument `json:"corrections"`
	Mendable    bool                 `json:"mendable"`
}

// EntryDocument is a new entry as machines read it.
type EntryDocument struct {
	Line        int      `json:"line"`
	ConfigKeys  []string `json:"config-keys"`
	Description []string `json:"description"`
	PRLink      string   `json:"pr-link"`
}

// CorrectionDocument is a corrected link as machines read it.
type CorrectionDocument struct {
	Line int    `json:"line"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Document returns the check as machines read it, with the texts in one
// language.
func (c ChangelogCheck) Document(style TableStyle) ChangelogDocument {
	out := ChangelogDocument{
		Outcome: "accepted", Findings: diag.Documents(c.Findings, style.Language), File: c.File,
		Entries: []EntryDocument{}, Corrections: []CorrectionDocument{}, Mendable: c.Mendable,
	}
	if c.Findings.Refused() {
		out.Outcome = "refused"
	}
	for _, e := range c.Entries {
		out.Entries = append(out.Entries, EntryDocument{e.Line, e.ConfigKeys, e.Description, e.PRLink})
	}
	for _, correction := range c.Corrections {
		out.Corrections = append(out.Corrections, CorrectionDocument(correction))
	}
	return out
}

// RenderChangelogCheck says what a change adds, one line an entry, and whether
// its problems can be mended.
func RenderChangelogCheck(c ChangelogCheck, style TableStyle) string {
	var b strings.Builder
	switch {
	case c.Unchanged:
		b.WriteString(style.say("cli.changelog-unchanged", "file", c.File) + "\n")
	case !c.Findings.Refused() && len(c.Corrections) > 0 && len(c.Entries) == 0:
		b.WriteString(style.count("cli.correction", "cli.corrections", len(c.Corrections)) + "\n")
	case !c.Findings.Refused():
		b.WriteString(style.count("cli.entry", "cli.entries", len(c.Entries)) + "\n")
		for _, e := range c.Entries {
			place := diag.Place{File: c.File, Line: e.Line}
			b.WriteString("  " + diag.Printable(place.String()) + "  " + diag.Cut(diag.Printable(strings.Join(e.ConfigKeys, ", ")), 72) + "\n")
		}
	}
	if c.Mendable {
		b.WriteString(style.say("cli.changelog-mendable", "count", strconv.Itoa(len(c.Findings))) + "\n")
	}
	return b.String()
}
