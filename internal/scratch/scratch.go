// Package scratch makes temporary folders that are removed even if the process
// that made them was killed: each is locked while its owner lives, and the next
// one of the same name clears away those that nobody holds.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lockName is the file in a folder that its owner holds a lock on. The system
// gives the lock up when the process ends, however it ends.
const lockName = ".lock"

// Folder is a temporary folder of this process.
type Folder struct {
	path string
	lock *os.File
}

// New makes a folder for temporary files, whose name begins with prefix and a
// dash, and removes folders of that prefix whose owners are gone. Close it.
func New(prefix string) (*Folder, error) { return in(os.TempDir(), prefix) }

func in(dir, prefix string) (*Folder, error) {
	clearAway(dir, prefix)
	path, err := os.MkdirTemp(dir, prefix+"-")
	if err != nil {
		return nil, err
	}
	// The lock is taken before the file has its name: a folder without the file
	// is left alone, so none is cleared away between the two.
	lock, err := hold(filepath.Join(path, lockName+".new"), os.O_CREATE)
	if err == nil {
		err = os.Rename(lock.Name(), filepath.Join(path, lockName))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return &Folder{path, lock}, nil
}

// hold opens a file and locks it. It fails at once if another process, or
// another folder of this one, holds it.
func hold(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// clearAway removes the folders of a prefix that nobody holds. What cannot be
// removed stays: it is not ours to report.
func clearAway(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix+"-") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if lock, err := hold(filepath.Join(path, lockName), 0); err == nil {
			_ = os.RemoveAll(path)
			_ = lock.Close()
		}
	}
}

// Path is where the folder is.
func (f *Folder) Path() string { return f.path }

// Close removes the folder with all that is in it. A nil folder has nothing to
// remove.
func (f *Folder) Close() error {
	if f == nil {
		return nil
	}
	return errors.Join(os.RemoveAll(f.path), f.lock.Close())
}
