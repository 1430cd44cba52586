package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// changeFlags say which change of which repository a command is about.
type changeFlags struct {
	repo, base, head, preset string
	worktree                 bool
	labels                   []string
	pr                       int
	modifiers                matrix.Modifiers
}

// place registers the flags that say where files are read.
func (f *changeFlags) place(c *cobra.Command) {
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone, or of a plain folder")
	c.Flags().StringVar(&f.base, "base", "", "`REV` before the change (default: where the branch left its base branch)")
	c.Flags().StringVar(&f.head, "head", "", "`REV` after the change (default: HEAD)")
	c.Flags().BoolVar(&f.worktree, "worktree", false, "the files of the working tree, committed or not, instead of --head")
	f.presetFlag(c)
}

func (f *changeFlags) presetFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.preset, "preset", "", "settings `NAME` instead of those of the base: "+strings.Join(config.PresetNames(), ", "))
}

func (f *changeFlags) number(c *cobra.Command) {
	c.Flags().IntVar(&f.pr, "pr", 0, "`NUMBER` of the pull request, which new pr-links must name")
}

// planning registers the flags that shape a plan.
func (f *changeFlags) planning(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.labels, "label", nil, "`LABEL` of the pull request; repeat it, or separate names by commas")
	c.Flags().BoolVar(&f.modifiers.Trim, "trim-conc", false, "only the lowest concurrency of each recipe")
	c.Flags().BoolVar(&f.modifiers.AllEvals, "all-evals", false, "evaluate everything that can be evaluated")
	c.Flags().BoolVar(&f.modifiers.EvalsOnly, "evals-only", false, "evals without throughput points")
	f.number(c)
}

// check refuses values that no flag library looks at.
func (f *changeFlags) check() error {
	switch {
	case f.pr < 0:
		return usage("cli.pr-number")
	case f.worktree && f.head != "":
		return usage("cli.excludes", "option", "--worktree", "other", "--head")
	}
	return nil
}

// open reads both sides of the change. Close what it returns.
func (f *changeFlags) open(ctx context.Context) (io.Closer, matrix.Change, error) {
	if err := f.check(); err != nil {
		return nil, matrix.Change{}, err
	}
	w, err := bot.OpenWorkspace(ctx, f.repo)
	if err != nil {
		return nil, matrix.Change{}, err
	}
	opened := closers{w}
	change, err := w.Change(ctx, f.base, f.head)
	if err == nil && f.worktree && !w.IsFolder() {
		var tree *bot.WorkingTree
		if tree, err = bot.OpenWorkingTree(f.repo); err == nil {
			opened = append(opened, tree)
			change.Head = tree.Revision()
		}
	}
	if err != nil {
		_ = opened.Close()
		return nil, matrix.Change{}, err
	}
	change.Modifiers = f.modifiers
	return opened, change, nil
}

// closers are closed together.
type closers []io.Closer

// Close closes all of them.
func (c closers) Close() error {
	var err error
	for _, closer := range c {
		err = errors.Join(err, closer.Close())
	}
	return err
}

// names are the labels, one by one.
func (f *changeFlags) names() ([]string, error) { return labels.ParseList(f.labels...) }

// plan plans the change, and returns where its findings lead.
func (f *changeFlags) plan(change matrix.Change) (bot.Planned, bot.Sources, error) {
	names, err := f.names()
	if err != nil {
		return bot.Planned{}, bot.Sources{}, err
	}
	p, err := bot.PlanChange(bot.PlanRequest{Change: change, Preset: f.preset, Labels: names, PR: f.pr})
	sources := bot.Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: p.Settings.Layout}
	p.Findings = sources.Locate(p.Findings)
	return p, sources, err
}
