package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func main() {
	// Most commands read a megabyte, print and end: fewer collections save a
	// fifth of their time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code of the process.
func run(args []string, in io.Reader, out, err io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := &streams{in: in, out: out, err: err}
	root := newRootCommand(s)
	root.SetArgs(args)
	started := markStart(root)
	command, failure := root.ExecuteContextC(ctx)
	if failure == nil {
		return exitOK
	}
	if !*started {
		failure = wrongUsage(command, args, failure)
	}
	s.say(findingsOf(failure), nil)
	return codeOf(failure)
}

// markStart notes when a command begins its work: what fails before is the
// fault of the command line.
func markStart(c *cobra.Command) *bool {
	started := new(bool)
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		if work := c.RunE; work != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				*started = true
				return work(c, args)
			}
		}
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(c)
	return started
}

// wrongUsage turns an error of the flag library into a finding.
func wrongUsage(c *cobra.Command, words []string, err error) error {
	var f diag.Finding
	if errors.As(err, &f) {
		return f
	}
	if name := strayName(c, words); name != "" {
		return unknownCommand(c, name)
	}
	return usage("cli.usage", "command", c.CommandPath(), "detail", err.Error())
}
