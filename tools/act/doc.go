// Package act runs the sweep workflows under act (github.com/nektos/act) in
// host mode, on a pull request of the sandbox. It is a module of its own because
// act needs ninety others.
//
// It proves the wiring: conditions, outputs, matrices, called workflows, the
// artifacts that jobs hand on, and what the API then tells of the run. How act
// is driven, and what stands in for third-party actions, is app/actrun. What is
// not proved here is listed in docs/workflows.md. What follows a failing job is
// not proved here: act ends a run with the first called workflow that fails, so
// that jobs which always run do not. internal/workflows simulates that instead.
package act
