//go:build !unix

package localrun

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup does nothing: the system has no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child alone.
func killGroup(cmd *exec.Cmd, _ syscall.Signal) { _ = cmd.Process.Kill() }

// lock does nothing: two sweeps into one folder are the user's to avoid.
func lock(*os.File) error { return nil }
