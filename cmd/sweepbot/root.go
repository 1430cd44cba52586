// Command sweepbot plans, checks and explains benchmark sweeps from the
// command line. Each command has a file of its own and no logic: it reads
// flags, calls a room below, and prints.
package main

import (
	"io"

	"github.com/spf13/cobra"
)

// streams are the three files of a process. Commands read and write nothing
// else, so that a test can run them in its own process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// newRootCommand returns the command tree.
func newRootCommand(io *streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "sweepbot",
		Short:         "Plan, check and explain benchmark sweeps",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	return root
}
