package main

import (
	"errors"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// The exit codes of every command. docs/reference/cli.md has them for users.
const (
	exitOK      = 0
	exitRefused = 1 // the input is refused; the findings say why
	exitUsage   = 2 // the command line is wrong
	exitOutside = 3 // something outside failed: git, a file, the network
	exitUnsafe  = 4 // refused for safety
)

// exitError ends a command with a code. Its error is printed; nil means that
// the command has said everything itself.
type exitError struct {
	code int
	err  error
}

// Error returns the cause in words.
func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.err }

// codeOf returns the exit code that an error of a command stands for.
func codeOf(err error) int {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	if _, ok := gitrepo.AsFinding(err); ok {
		return exitOutside
	}
	list := findingsOf(err)
	switch first := list.First(); {
	case first == nil:
		return exitOutside
	case first.Category == "usage":
		return exitUsage
	case first.Category == "unreadable":
		return exitOutside
	case first.Category == "unsafe":
		return exitUnsafe
	}
	return exitRefused
}

// findingsOf returns what an error has to say as findings.
func findingsOf(err error) diag.List {
	var list diag.List
	var single diag.Finding
	var exit *exitError
	if f, ok := gitrepo.AsFinding(err); ok {
		return diag.List{f}
	}
	switch {
	case err == nil, errors.As(err, &exit) && exit.err == nil:
		return nil
	case errors.As(err, &list):
		return list
	case errors.As(err, &single):
		return diag.List{single}
	}
	return diag.List{diag.New("cli.failed", diag.Place{}, "detail", err.Error()).In("unreadable")}
}

// usage returns a finding about the command line.
func usage(code string, args ...string) diag.Finding {
	return diag.New(code, diag.Place{}, args...).In("usage")
}
