package story

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/app/actrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// The engines: Local plays the jobs itself, with the local runner; Act runs the
// workflow files that are released, under act.
const (
	Local = "local"
	Act   = "act"
)

// Engines are the names of the engines.
func Engines() []string { return []string{Local, Act} }

// engineNamed checks the name of an engine.
func engineNamed(name string) (string, error) {
	switch {
	case name == "":
		return Local, nil
	case slices.Contains(Engines(), name):
		return name, nil
	}
	return "", diag.New("story.engine", diag.Place{}, "name", name, "names", strings.Join(Engines(), ", ")).In("usage")
}

// engine makes what runs the workflows.
func (s *Stage) engine() (sandbox.Engine, error) {
	if s.options.Engine == Local {
		s.local = &engine{dir: s.folder.Path(), environment: s.options.Environment, tell: s.tell}
		return s.local, nil
	}
	program, err := actrun.Find(s.options.Act)
	if err != nil {
		return nil, err
	}
	return actrun.New(actrun.Options{
		Program: program, Dir: s.actDir(), Environment: append([]string{pace}, s.options.Environment...),
		// As the clusters and their first runners are called in configs/runners.yaml.
		Labels: []string{"cluster:boreal"}, RunnerName: "boreal-rack_00",
		Ended: func(job, conclusion string) { s.tell("story.job", "name", job, "conclusion", conclusion) },
	})
}

func (s *Stage) actDir() string { return filepath.Join(s.folder.Path(), "act") }

// workflows installs the workflow files for act. GitHub starts them itself when
// a label is applied, so that sweepbot starts none.
func (s *Stage) workflows(ctx context.Context) error {
	if s.options.Engine == Local {
		return nil
	}
	return actrun.Install(ctx, s.github, actrun.Installation{Admin: admin, Program: s.options.Program, Dir: s.actDir(), Changelog: changelogFile})
}
