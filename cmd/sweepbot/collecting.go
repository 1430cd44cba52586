package main

import "runtime/debug"

// collectLess lets the garbage collector run a quarter as often. Interpreting
// the rows of a repository makes much short-lived data, and the process ends
// with its answer; the whole configuration of the public reference then takes
// a quarter less processor time and some 500 MB.
func collectLess() { debug.SetGCPercent(400) }
