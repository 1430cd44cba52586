// Package collect brings the results of a run onto this machine and reads them:
// it downloads artifacts in parallel into a folder, goes on where it was
// interrupted, and opens such a folder, the folder of a local sweep, or any
// folder of downloaded artifacts as the input of a report (spec/results.md).
//
// Archives are stored as they were uploaded, under their numbers, small ones in
// one file, and are read in place by the results room, within its limits: nothing from an artifact is
// ever a path on this machine.
package collect
