package main

import "runtime/debug"

// collectLess lets the garbage collector run an eighth as often, and as often
// as it has to above 2 GB. Interpreting the rows of a repository makes much
// short-lived data, and the process ends with its answer: the whole
// configuration of the public reference takes a third less processor time then
// and below 1 GB.
func collectLess() {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(2 << 30)
}
