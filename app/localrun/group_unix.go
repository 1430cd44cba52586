//go:build unix

package localrun

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// ownGroup puts a child into a process group of its own: Ctrl-C on the
// terminal then reaches only us, and we can end all it started at once.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	withParent(cmd.SysProcAttr)
}

// killGroup sends a signal to everything the child started and did not move
// elsewhere. A group that is gone is no error.
func killGroup(cmd *exec.Cmd, signal syscall.Signal) {
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}

// lock takes a file for this process alone. The kernel gives it back when the
// process ends, however it ends. A file system without locks has none.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return diag.New("localrun.in-use", diag.Place{File: f.Name()}).In("unreadable")
	}
	return nil
}
