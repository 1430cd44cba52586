//go:build unix && !linux

package localrun

import "syscall"

// withParent does nothing: the system has no such service.
func withParent(*syscall.SysProcAttr) {}
