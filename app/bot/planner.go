package bot

import (
	"context"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// Planner plans pull requests from git objects, which cost no request to
// GitHub.
type Planner interface {
	// Settings returns the settings at a base commit; "" is the tip of the
	// base branch as the planner knows it.
	Settings(ctx context.Context, base string) (config.Settings, error)
	// Plan plans the change between exactly these two commits. The error is
	// for what is not the change's fault, such as commits that are not there.
	Plan(ctx context.Context, o PlanOrder) (Planned, error)
	// BaseFile returns a file at the tip of the base branch.
	BaseFile(ctx context.Context, name string) ([]byte, error)
	// Changed lists the paths that head changes since it left base. The error
	// is for commits that are not there.
	Changed(ctx context.Context, base, head string) ([]string, error)
}

// PlanOrder names the change to plan.
type PlanOrder struct {
	Base, Head string // full commit ids
	Labels     []string
	PR         int
}

// WorkspacePlanner plans from a clone.
type WorkspacePlanner struct {
	*Workspace
	// Preset replaces the settings of the base where it is not "".
	Preset string
}

// at returns the files of a commit of the clone, "" for what is checked out.
func (p WorkspacePlanner) at(ctx context.Context, rev string) (matrix.Revision, error) {
	if rev == "" && !p.IsFolder() {
		rev = "HEAD"
	}
	return p.Revision(ctx, rev)
}

// BaseFile reads a file of the clone.
func (p WorkspacePlanner) BaseFile(ctx context.Context, name string) ([]byte, error) {
	revision, err := p.at(ctx, "")
	if err != nil {
		return nil, err
	}
	return revision.Files.ReadFile(name)
}

// Changed compares head with where it left base.
func (p WorkspacePlanner) Changed(ctx context.Context, base, head string) ([]string, error) {
	if p.IsFolder() {
		return nil, diag.New("bot.folder-has-no-revisions", diag.Place{File: p.Dir()}, "rev", head).In("usage")
	}
	left, err := p.repo.MergeBase(ctx, base, head)
	if err != nil {
		return nil, err
	}
	changes, err := p.repo.Changed(ctx, left, head)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	return paths, nil
}

// Settings reads the settings of a commit of the clone.
func (p WorkspacePlanner) Settings(ctx context.Context, base string) (config.Settings, error) {
	revision, err := p.at(ctx, base)
	if err != nil {
		return config.Settings{}, err
	}
	settings, _, err := Settings(revision.Files, p.Preset)
	return settings, err
}

// Plan plans from the clone. Findings name files by their paths.
func (p WorkspacePlanner) Plan(ctx context.Context, o PlanOrder) (Planned, error) {
	change, err := p.Change(ctx, o.Base, o.Head)
	if err != nil {
		return Planned{}, err
	}
	planned, err := PlanChange(PlanRequest{Change: change, Preset: p.Preset, Labels: o.Labels, PR: o.PR})
	sources := Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: planned.Settings.Layout}
	planned.Findings = sources.Locate(planned.Findings)
	return planned, err
}
