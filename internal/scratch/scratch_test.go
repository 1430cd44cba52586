package scratch

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func names(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestCloseRemovesTheFolder(t *testing.T) {
	dir := t.TempDir()
	f, err := in(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.Path(), "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil || names(t, dir) != 0 {
		t.Error(err, "left", names(t, dir))
	}
	if err := (*Folder)(nil).Close(); err != nil {
		t.Error(err)
	}
}

// killed is the environment variable that makes this test program leave a
// folder behind as a killed process does.
const killed = "SCRATCH_TEST_LEAVES"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killed); dir != "" {
		if _, err := in(dir, "x"); err != nil {
			os.Exit(2)
		}
		os.Exit(0) // the folder stays
	}
	os.Exit(m.Run())
}

func TestFoldersOfTheDeadAreClearedAway(t *testing.T) {
	dir := t.TempDir()
	alive, err := in(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	for _, other := range []string{"x-foreign", "y-1"} { // without a lock, of another prefix
		if err := os.Mkdir(filepath.Join(dir, other), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command(program)
	dead.Env = append(os.Environ(), killed+"="+dir)
	if out, err := dead.CombinedOutput(); err != nil || names(t, dir) != 4 {
		t.Fatal(err, string(out), names(t, dir))
	}
	next, err := in(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if n := names(t, dir); n != 4 { // alive, next, and the two that are not ours
		t.Errorf("%d folders, want 4", n)
	}
	if _, err := os.Stat(alive.Path()); err != nil {
		t.Error(err)
	}
}
