package localrun

import "syscall"

// withParent ends a child with us even when we are killed and cannot end it
// ourselves.
func withParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
