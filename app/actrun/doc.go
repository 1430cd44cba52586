// Package actrun runs the workflow files of a sandbox under act
// (github.com/nektos/act), in host mode: the jobs are processes of this machine.
// It follows what act prints and reports jobs, steps, logs and artifacts to the
// sandbox while they happen.
//
// Third-party actions are replaced by those in standins. act gets no setting of
// the user, and asks nobody outside of this machine. What all this leaves
// unproved is listed in docs/workflows.md.
package actrun
