package main

import (
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes one command line and returns the exit code of the process.
func run(args []string, in io.Reader, out, err io.Writer) int {
	root := newRootCommand(&streams{in: in, out: out, err: err})
	root.SetArgs(args)
	if failure := root.Execute(); failure != nil {
		return 2
	}
	return 0
}
