// Package recipe says what a matrix row would really serve at a revision,
// without running anything: the commands of every role with their flags,
// environment and image, the files that were read on the way, and what could
// not be known (spec/checks.md section 1.7).
//
// This package holds the result, an Effective, and what can be asked of it:
// its canonical form and fingerprint, the difference of two of them by
// meaning, command lines for people, and whether a measured row is still
// current. The folders below obtain it: shell evaluates launch scripts without
// a process, srt reads srt-slurm recipes, launch joins both for a row.
//
// The package is pure: files reach it through interfaces.
package recipe
