// Package launch finds out what a matrix row would serve at a revision: it
// evaluates the launch script of the row's machine, follows it into the
// container it would start, binds the srt-slurm recipe that it would submit,
// and adds what launchers add (spec/checks.md section 1.7,
// spec/labels-and-sweeps.md section 9).
//
// Nothing of the repository is executed. Launchers are not known by name: the
// package knows programs that start containers and jobs, as data, and reads
// the rest from the scripts.
package launch
