// Package shell reads a launch script and tells which commands it would start
// with which environment, without running anything.
//
// It parses with mvdan.cc/sh/v3/syntax and evaluates with an abstract
// evaluator of its own. No process is started, no socket opened, no file
// written: the only way out of the package is [Files], the repository at one
// revision. A value ([Value]) is a row of segments; each is known text or an
// unknown with its reason, and each remembers where it was written
// (file, line, column). An unknown is never a special text, so a script cannot
// forge one.
//
// [Run] evaluates one script for one environment and returns a [Trace]: the
// external commands in order, the files the script would write, the repository
// files it used (its closure), and what could not be known.
//
// # What is explored
//
// A condition that is known takes one way. A condition on an unknown takes all
// its ways, from copies of the state, and joins them afterwards: a variable
// that differs becomes an unknown that lists the alternatives, and commands
// inside a way carry the [Condition] under which they run. A way that ends the
// script is dropped from the join, so a guard such as
// "if ! probe; then exit 1; fi" leaves the rest certain; it is recorded in
// Trace.Assumed. An exit that is certain ends the script (Trace.Exit), unless
// Options.PastExit asks to look further. "set -e", signals and traps never end
// the inquiry; waiting loops are left after a few turns.
//
// # Commands
//
// Builtins of the shell are evaluated. A program is either a [Model], a
// function in Go that computes output and status from the arguments, or a
// [Wrapper], data that says where the wrapped command starts (timeout, srun,
// mpirun ...), or a script of the repository, which is followed, or unknown: its
// output and status are then unknowns. A program named by a script is never
// started.
//
// # Limits
//
// Everything comes from pull requests and may be hostile. [Limits] bound
// steps, bytes, words, depth, loop turns and open ways; each is checked before
// memory is taken. Reaching one ends the evaluation in good order with
// Trace.Limits saying which, never with an error or a crash.
//
// Constructs covered are the census of spec/checks.md section 4.2; which
// script a row launches is spec/labels-and-sweeps.md section 9.
package shell
