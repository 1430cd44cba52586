package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
)

func newConfigCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Check, show and explain the settings",
		Long: "Config works on the settings: those of .github/sweepbot.yml over the preset it names, or the\n" +
			"preset whose layout the repository has.",
		Example: "  sweepbot config check\n" +
			"  sweepbot config show --preset inferencex-2026-08\n" +
			"  sweepbot config explain changelog.gate.position",
	}
	return group(c, newConfigCheckCommand(s), newConfigShowCommand(s), newConfigExplainCommand(s))
}

// settingsFlags say whose settings a command is about.
type settingsFlags struct{ repo, rev, preset string }

func (f *settingsFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone, or of a plain folder")
	c.Flags().StringVar(&f.rev, "rev", "", "`REV` of a clone (default: the files of the working tree)")
}

// read returns the settings and where they come from.
func (f *settingsFlags) read(ctx context.Context) (config.Settings, config.Source, bot.Sources, error) {
	var revision matrix.Revision
	if f.rev == "" {
		tree, err := bot.OpenWorkingTree(f.repo)
		if err != nil {
			return config.Settings{}, config.Source{}, bot.Sources{}, err
		}
		defer tree.Close()
		revision = tree.Revision()
	} else {
		w, err := bot.OpenWorkspace(ctx, f.repo)
		if err != nil {
			return config.Settings{}, config.Source{}, bot.Sources{}, err
		}
		defer w.Close()
		if revision, err = w.Revision(ctx, f.rev); err != nil {
			return config.Settings{}, config.Source{}, bot.Sources{}, err
		}
	}
	settings, source, err := bot.Settings(revision.Files, f.preset)
	sources := bot.Sources{Base: bot.Keep(revision.Files, config.FileNames()...), Layout: settings.Layout}
	return settings, source, sources, err
}

func newConfigCheckCommand(s *streams) *cobra.Command {
	f := &settingsFlags{}
	c := &cobra.Command{
		Use:     "check",
		Short:   "Check the settings file",
		Long:    "Check reads the settings file and reports every problem of it, with its line.",
		Example: "  sweepbot config check\n  sweepbot config check --rev HEAD",
		Args:    arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			settings, source, sources, err := f.read(c.Context())
			if err != nil {
				return s.refuse(findingsOf(err), sources.File)
			}
			s.say(source.Findings, sources.File)
			_, err = io.WriteString(s.out, bot.RenderSettings(settings, source, s.table())+"\n")
			return err
		},
	}
	f.add(c)
	return c
}

func newConfigShowCommand(s *streams) *cobra.Command {
	f := &settingsFlags{}
	c := &cobra.Command{
		Use:   "show",
		Short: "Print all settings in force",
		Long: "Show prints every setting as a settings file that sets all of them: a start for a file of your\n" +
			"own, and a way to compare presets.",
		Example: "  sweepbot config show\n" +
			"  diff <(sweepbot config show --preset inferencex) <(sweepbot config show --preset inferencex-2026-08)",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			settings, _, sources, err := f.read(c.Context())
			if err != nil {
				return s.refuse(findingsOf(err), sources.File)
			}
			_, err = s.out.Write(config.Show(settings))
			return err
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.preset, "preset", "", "the settings of this preset `NAME`, whatever the repository says")
	return c
}

func newConfigExplainCommand(s *streams) *cobra.Command {
	f := &settingsFlags{}
	c := &cobra.Command{
		Use:     "explain KEY",
		Short:   "Say what a setting means and where its value comes from",
		Example: "  sweepbot config explain labels.primaries\n  sweepbot config explain sweep.undispatched-buckets --lang zh",
		Args:    arguments(1),
		RunE: func(c *cobra.Command, names []string) error {
			settings, source, sources, err := f.read(c.Context())
			if err != nil {
				return s.refuse(findingsOf(err), sources.File)
			}
			e, err := config.Explain(names[0], settings, source)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			_, err = io.WriteString(s.out, bot.RenderExplanation(e, s.table()))
			return err
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.preset, "preset", "", "the settings of this preset `NAME`, whatever the repository says")
	return c
}
