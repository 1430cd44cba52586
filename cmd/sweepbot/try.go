package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/app/story"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// tryFlags are the flags of the try command.
type tryFlags struct {
	exit, log        bool
	scenario, listen string
	engine, act      string
}

func newTryCommand(s *streams) *cobra.Command {
	f := &tryFlags{}
	c := &cobra.Command{
		Use:   "try",
		Short: "Act out the life of a pull request on this machine",
		Long: "Try starts an embedded GitHub with a sample repository and made-up people, installs sweepbot on it as\n" +
			"a GitHub App, and acts a story out: a pull request is opened, a label starts its sweep, the points\n" +
			"run with the simulating launchers of the sample, and the comments and checks follow. It prints a line\n" +
			"for each step and the address of the pages, which stay until Ctrl-C.\n\n" +
			"It needs git and sh, no account and no network: everything is on 127.0.0.1, in memory and in a\n" +
			"temporary folder that is removed at the end. Nothing but the sample's own scripts is executed.\n\n" +
			"With --engine act the jobs are those of the released workflow files, run by the program act, which\n" +
			"has to be there, on Linux, with bash, curl and sha256sum.\n\n" +
			"At the end the state of this GitHub is held against what the story must lead to. With --exit the\n" +
			"program ends then: 0 if all of it holds, 1 if not.",
		Example: "  sweepbot try\n" +
			"  sweepbot try --exit\n" +
			"  sweepbot try --listen 127.0.0.1:8080\n" +
			"  sweepbot try --engine act --act bin/act",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	c.Flags().BoolVar(&f.exit, "exit", false, "end after the story instead of serving its pages")
	c.Flags().StringVar(&f.scenario, "scenario", "", "`NAME` of the story: "+strings.Join(story.Names(), ", "))
	c.Flags().StringVar(&f.listen, "listen", "", "`ADDR` of the pages on this machine (default: a free port of 127.0.0.1)")
	c.Flags().StringVar(&f.engine, "engine", story.Local, "`NAME` of what runs the points: "+strings.Join(story.Engines(), ", "))
	c.Flags().StringVar(&f.act, "act", "", "`PATH` of the act program (default: that on the search path)")
	c.Flags().BoolVar(&f.log, "log", false, "also show what the server logs, on standard error")
	return c
}

func (f *tryFlags) run(ctx context.Context, s *streams) error {
	// A closed terminal or a reader that went away ends the story too, and with
	// it what is on disk and the processes that it started.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return diag.New("story.program", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	o := story.Options{
		Language: s.lang,
		Scenario: f.scenario, Listen: f.listen, Engine: f.engine, Act: f.act, Program: program,
		Environment: localrun.InheritedEnvironment(os.LookupEnv, []string{"SAMPLE_SLEEP", "SAMPLE_FAIL"}),
		Tell:        s.step,
	}
	if f.log {
		o.Log = slog.New(slog.NewTextHandler(s.err, nil))
	}
	stage, err := story.Open(ctx, o)
	if err != nil {
		return err
	}
	defer stage.Close()
	failed, err := stage.Play(ctx)
	if err != nil && ctx.Err() != nil {
		return diag.New("story.interrupted", diag.Place{}).In("unreadable")
	}
	if err != nil {
		return err
	}
	if len(failed) == 0 {
		fmt.Fprintln(s.out, catalog.Message(s.lang, "story.holds"))
	}
	s.say(failed, nil)
	if !f.exit {
		fmt.Fprintln(s.out, catalog.Message(s.lang, "story.page", "url", stage.URL()))
		<-ctx.Done()
	}
	if len(failed) > 0 {
		return &exitError{code: exitRefused}
	}
	return nil
}

// step prints a step of a story; what is as expected gets a mark.
func (s *streams) step(f diag.Finding) {
	mark := ""
	if strings.HasPrefix(f.Code, "story.expect-") {
		mark = "ok  "
	}
	fmt.Fprintln(s.out, mark+diag.Printable(f.Message(s.lang)))
}
