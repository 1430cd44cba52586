package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReadLink(t *testing.T) {
	dir := newRepo(t)
	write(t, dir, "sub/file.txt", "text")
	for name, target := range map[string]string{"in": "sub/file.txt", "out": "../../etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	commitAll(t, dir, "links")
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	tree, err := r.Tree(context.Background(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"in": "sub/file.txt", "out": "../../etc/passwd"} {
		if got, err := tree.ReadLink(name); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"sub", "sub/file.txt"} {
		var not *NotFileError
		if _, err := tree.ReadLink(name); !errors.As(err, &not) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var missing *NotFoundError
	if _, err := tree.ReadLink("nothing"); !errors.As(err, &missing) {
		t.Errorf("nothing: %v", err)
	}
}
