package bot

import (
	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// PlanRequest says what to plan and how.
type PlanRequest struct {
	Change matrix.Change // both sides; its modifiers add to those of the labels
	// Preset replaces the settings of the base revision where it is not "".
	Preset string
	Labels []string
	// PR is the number of the pull request, 0 when not known.
	PR int
}

// Planned is the outcome of planning a change: what would run and why, or the
// findings that refuse it.
type Planned struct {
	Settings  config.Settings
	Source    config.Source
	Selection labels.Selection
	// Plan is nil when the change is refused.
	Plan     *matrix.Plan
	Canary   *matrix.Canary
	Families []matrix.Family
	// Partial is set on a plan that leaves current points out.
	Partial *Partial
	// Measured is what the points are measured on where that is no side of the
	// change: on a pull request the merge of both. Zero where it is not known.
	Measured Checkout
	// Findings are errors, or remarks on an accepted change.
	Findings diag.List
}

// Checkout is a commit that was checked out, and its tree, as full ids.
type Checkout struct{ Commit, Tree string }

// Settings returns the settings that govern a change: those of the named
// preset, or those of the base revision, which a pull request cannot alter.
func Settings(base matrix.Files, preset string) (config.Settings, config.Source, error) {
	if preset == "" {
		return config.Detect(base)
	}
	s, known := config.Preset(preset)
	if !known {
		return s, config.Source{}, diag.New("bot.unknown-preset", diag.Place{}, "preset", preset).In("usage")
	}
	return s, config.Source{Preset: preset}, nil
}

// PlanChange decides what a change runs. The error is for what is not the
// change's fault: files that could not be read, or settings that are refused.
func PlanChange(r PlanRequest) (Planned, error) {
	settings, source, err := Settings(r.Change.Base.Files, r.Preset)
	if err != nil {
		return Planned{}, err
	}
	out := Planned{Settings: settings, Source: source, Selection: labels.Select(settings.Labels, r.Labels)}
	out.Findings = append(source.Findings, out.Selection.Findings...)
	if out.Findings.Refused() {
		return out, nil
	}
	change := r.Change
	change.PR = changelog.Unnumbered
	if r.PR > 0 {
		change.PR = changelog.PR(r.PR)
	}
	change.Trim = change.Trim || out.Selection.Trim
	change.AllEvals = change.AllEvals || out.Selection.AllEvals
	change.EvalsOnly = change.EvalsOnly || out.Selection.EvalsOnly
	plan, list := matrix.NewPlan(settings, change)
	out.Findings = append(out.Findings, list...)
	if plan == nil {
		return out, nil
	}
	families, list := matrix.Families(plan, settings.Sweep)
	for _, f := range families {
		_, tooLarge := f.Shards(settings.Limits)
		list = append(list, tooLarge...)
	}
	out.Findings = append(out.Findings, list...)
	if list.Refused() {
		return out, nil
	}
	out.Plan, out.Families = plan, families
	if p := out.Selection.Primary; p == nil || out.Selection.Canary {
		out.Canary = matrix.PickCanary(plan, settings.Sweep)
	}
	return out, nil
}
