package bot

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// workingTree is the name of a revision that is a folder on disk.
const workingTree = "working-tree"

// WorkingTree is a folder whose files may be written: the working tree of a
// clone, or a plain folder. It never leads out of the folder, not even through
// a symbolic link.
type WorkingTree struct{ root *os.Root }

// OpenWorkingTree opens a folder.
func OpenWorkingTree(dir string) (*WorkingTree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, diag.New("bot.no-folder", diag.Place{File: dir}, "detail", err.Error()).In("unreadable")
	}
	return &WorkingTree{root}, nil
}

// Close ends the use of the folder.
func (t *WorkingTree) Close() error { return t.root.Close() }

// ReadFile reads a file by its slash-separated path.
func (t *WorkingTree) ReadFile(name string) ([]byte, error) { return folder{t.root}.ReadFile(name) }

// Revision is the folder as one side of a change.
func (t *WorkingTree) Revision() matrix.Revision {
	return matrix.Revision{Ref: workingTree, Files: t}
}

// Replace gives a file other bytes so that it is whole or as it was: they go
// to a new file beside it, which then takes its name. What is no regular file
// is refused (spec/security.md S49).
func (t *WorkingTree) Replace(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	name = filepath.FromSlash(path.Clean(name))
	switch info, err := t.root.Lstat(name); {
	case err == nil && !info.Mode().IsRegular():
		return diag.New("cli.not-regular", diag.Place{File: name}).In("unsafe")
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	beside := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text())
	err := t.write(beside, data, mode)
	if err == nil {
		err = t.root.Rename(beside, name)
	}
	if err != nil {
		_ = t.root.Remove(beside)
	}
	return err
}

func (t *WorkingTree) write(name string, data []byte, mode fs.FileMode) error {
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}
