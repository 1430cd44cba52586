// Package document reads and writes the JSON files of a sweep.
//
// The files come from jobs that ran a pull request's code, so they are hostile
// data: sizes, depth and numbers of values are bounded before anything is
// allocated, and whatever JSON leaves open (repeated names, numbers that are
// none, half characters) is refused rather than guessed. What is written equals
// byte for byte what existing consumers get from the reference's encoders
// (spec/results.md section 8).
package document
