package bot

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func TestWorkingTreeReplaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a", "b.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, dir)
	if err := tree.Replace("a/b.yaml", []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	info, _ := os.Stat(file)
	if err != nil || string(data) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, mode %v, %v", data, info.Mode(), err)
	}
	if names, _ := os.ReadDir(filepath.Dir(file)); len(names) != 1 {
		t.Errorf("something was left beside the file: %v", names)
	}
}

// S49: a link in place of the file is left alone, and nothing outside of the
// folder is read or written.
func TestWorkingTreeStaysInside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, "folder")); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, dir)
	var f diag.Finding
	if err := tree.Replace("link", []byte("new")); !errors.As(err, &f) || f.Code != "cli.not-regular" || f.Category != "unsafe" {
		t.Errorf("a link was replaced: %v", err)
	}
	for _, name := range []string{"folder/outside", "../outside", "folder/new"} {
		if err := tree.Replace(name, []byte("new")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if _, err := tree.ReadFile("link"); err == nil {
		t.Error("a link out of the folder was read")
	}
	if data, _ := os.ReadFile(outside); string(data) != "old" {
		t.Errorf("the file outside holds %q", data)
	}
}

func openTree(t *testing.T, dir string) *WorkingTree {
	t.Helper()
	tree, err := OpenWorkingTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return tree
}
