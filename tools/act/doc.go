// Package act runs the sweep workflows under act (github.com/nektos/act) in
// host mode, on a copy of the sample repository. It is a module of its own
// because act needs ninety others.
//
// It proves the wiring: conditions, outputs, matrices, called workflows, and
// the artifacts that jobs hand on. Third-party actions are replaced by those in
// standins, which move files on this machine. What is not proved here is listed
// in docs/workflows.md. What follows a failing job is not proved here: act ends a
// run with the first called workflow that fails, so that jobs which always run
// do not. internal/workflows simulates that instead.
package act
