// Package localrun runs the points of a plan on this machine, through the same
// runner contract that the benchmark workflows keep: the same environment, the
// same file names, the same conditions for success, the same artifacts
// (spec/labels-and-sweeps.md sections 6 to 10).
//
// Running a point executes code of the repository (its launcher) with the
// rights of the user. That happens only because the user asked for it on the
// command line. Everything that the launcher leaves behind is hostile data: it
// is read through a root that no symbolic link leaves, with bounds on size,
// number and depth.
package localrun
