package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// options turns flags and plan into what the local runner takes.
func (f *sweepFlags) options(ctx context.Context, s *streams, planned bot.Planned, change matrix.Change) (localrun.Options, error) {
	o := localrun.Options{
		Resume: f.resume, Only: f.only, Jobs: f.jobs, Retries: f.retries,
		Timeout: f.timeout, Grace: f.grace, ResultWait: f.resultWait,
		Environment: localrun.InheritedEnvironment(os.LookupEnv, f.passEnv),
		Progress:    localrun.NewProgress(s.err, s.lang),
	}
	var err error
	if o.Plan, err = localrun.ReadPlan(bot.PlanDocument(planned)); err != nil {
		return o, err
	}
	if o.Site, err = f.site(planned, change, o.Plan.Fast || f.fast); err != nil {
		return o, err
	}
	if o.Launcher, err = f.launchers(ctx, path.Join(o.Site.Project, planned.Settings.Layout.Launchers), change.Head); err != nil {
		return o, err
	}
	if o.Thresholds, err = thresholds(planned, change); err != nil {
		return o, err
	}
	o.Out, err = localrun.Folder(f.out, f.resume)
	return o, err
}

// site says where the points run.
func (f *sweepFlags) site(planned bot.Planned, change matrix.Change, fast bool) (localrun.Site, error) {
	repo, err := filepath.Abs(f.repo)
	if err != nil {
		return localrun.Site{}, err
	}
	project, err := planned.Settings.Layout.Root(change.Head.Files)
	if err != nil {
		return localrun.Site{}, err
	}
	inventory, list := matrix.ReadRunners(planned.Settings, change.Head.Files)
	if list.Refused() {
		inventory = nil // no point of the plan needed it
	}
	return localrun.Site{
		Repo: repo, Project: project, Contract: localrun.ContractOf(planned.Settings.Matrix),
		Fast: fast, Runner: localrun.RunnerNames(inventory),
	}, nil
}

// launchers says what measures the points. The launchers of a clone are those
// of its working tree, so that must be at the planned commit.
func (f *sweepFlags) launchers(ctx context.Context, folder string, head matrix.Revision) (localrun.Launcher, error) {
	if f.launcher != "" {
		argv, err := localrun.ParseLauncher(f.launcher)
		return localrun.Launcher{Command: argv}, err
	}
	if head.Commit == "" { // the working tree itself, or a plain folder
		return localrun.Launcher{Folder: folder}, nil
	}
	w, err := bot.OpenWorkspace(ctx, f.repo)
	if err != nil {
		return localrun.Launcher{}, err
	}
	defer w.Close()
	tree, err := w.Revision(ctx, "HEAD")
	if err == nil && tree.Commit != head.Commit {
		err = diag.New("localrun.other-revision", diag.Place{}, "head", head.Ref)
	}
	return localrun.Launcher{Folder: folder}, err
}

// thresholds reads the eval bars of the base: a change cannot lower the bars it
// is judged by. A repository without them has none.
func thresholds(planned bot.Planned, change matrix.Change) ([]byte, error) {
	layout := planned.Settings.Layout
	if layout.Thresholds == "" {
		return nil, nil
	}
	name, err := layout.Resolve(change.Base.Files, layout.Thresholds)
	var absent diag.Finding
	if errors.As(err, &absent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := change.Base.Files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// sweep runs the points and prints what they measured.
func (s *streams) sweep(ctx context.Context, o localrun.Options) error {
	sweep, err := localrun.Open(o)
	if err != nil {
		return err
	}
	defer sweep.Close()
	if err := s.announce(o); err != nil {
		return err
	}
	counts, failure := sweep.Run(ctx)
	table, err := localrun.Collect(o.Out, sweep.Selected())
	if err != nil {
		return errors.Join(failure, err)
	}
	fmt.Fprintln(s.out)
	if err := table.WriteTable(s.out, s.lang); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	s.say(table.Findings, nil)
	if counts.Failed > 0 {
		logs := catalog.Message(s.lang, "localrun.logs-shown", "folder", filepath.Join(o.Out, "logs"))
		if _, err := fmt.Fprintln(s.out, diag.Printable(logs)); err != nil {
			return err
		}
	}
	if !counts.Green() || !table.Usable() {
		return &exitError{code: exitRefused}
	}
	return nil
}

// announce says what is about to be executed, and where its results go.
func (s *streams) announce(o localrun.Options) error {
	what := catalog.Message(s.lang, "localrun.executes", "repo", o.Site.Repo)
	if len(o.Launcher.Command) > 0 {
		what = catalog.Message(s.lang, "localrun.executes-program", "program", strings.Join(o.Launcher.Command, " "))
	}
	where := catalog.Message(s.lang, "localrun.folder-shown", "folder", o.Out)
	_, err := fmt.Fprintf(s.out, "\n%s\n%s\n\n", diag.Printable(what), diag.Printable(where))
	return err
}
