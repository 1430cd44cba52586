// Package python computes what a small Python program prints, as launch
// scripts embed them to read a YAML or JSON file: assignments, conditions,
// loops, functions, formatted strings, look-ups with defaults. It is no Python:
// whatever else a program does makes its output unknown. Nothing is executed,
// and the only files are those that the caller gives.
//
// Work, output and depth are bounded.
package python
