package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenWhatIsARepository(t *testing.T) {
	dir, id := oneCommit(t, "a", "1")
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, dir, "clone", "-q", "--bare", ".", bare)
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", linked, "-b", "side")
	odd := filepath.Join(t.TempDir(), "odd [x]* name")
	git(t, dir, "clone", "-q", ".", odd)

	for name, place := range map[string]string{
		"working tree":   dir,
		"git directory":  filepath.Join(dir, ".git"),
		"bare":           bare,
		"linked":         linked,
		"odd characters": odd,
	} {
		t.Run(name, func(t *testing.T) {
			commit, err := open(t, place).Commit(t.Context(), "HEAD")
			if err != nil || commit.ID != id {
				t.Fatalf("HEAD is %q, %v, want %s", commit.ID, err, id)
			}
		})
	}
}

func TestOpenRefusals(t *testing.T) {
	dir, _ := oneCommit(t, "sub/a", "1")
	write(t, dir, "broken/.git", "gitdir: ../nowhere\n", "garbage/.git", "what\n", "empty/x", "")
	outside := t.TempDir()

	for _, c := range []struct{ name, dir, code string }{
		{"absent", filepath.Join(outside, "none"), "gitrepo.no-directory"},
		{"no name", "", "gitrepo.no-directory"},
		{"file", filepath.Join(dir, "sub/a"), "gitrepo.no-directory"},
		{"plain folder", outside, "gitrepo.not-repository"},
		{"folder of a repository", filepath.Join(dir, "sub"), "gitrepo.inside-repository"},
		{"folder of a git directory", filepath.Join(dir, ".git", "refs"), "gitrepo.inside-repository"},
		{"link to nowhere", filepath.Join(dir, "broken"), "gitrepo.broken-link"},
		{"file .git of something else", filepath.Join(dir, "garbage"), "gitrepo.broken-link"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(t.Context(), c.dir)
			wantCode(t, err, c.code)
			if !errors.Is(err, ErrNotRepository) {
				t.Error("does not wrap ErrNotRepository")
			}
		})
	}
}

// What only git itself finds wrong with the directory is the same error.
func TestOpenFalseRepository(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	write(t, dir, ".git/HEAD", "nonsense\n")
	_, err := open(t, dir).Commit(t.Context(), "main")
	wantCode(t, err, "gitrepo.not-repository")
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestCloseEndsReads(t *testing.T) {
	dir, id := oneCommit(t, "a", "1")
	r := open(t, dir)
	if _, err := r.Commit(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadFile(t.Context(), "HEAD", "a"); !errors.Is(err, ErrClosed) {
		t.Fatalf("read after Close: %v", err)
	}
}

// A repository of another owner is read like any other: git is not asked to
// find it, so it doesn't ask whose it is.
func TestOpenSomebodyElses(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir, id := oneCommit(t, "a", "1")
	err := filepath.Walk(dir, func(name string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Lchown(name, 12345, 12345))
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir).ReadFile(t.Context(), id, "a"); err != nil {
		t.Fatal(err)
	}
}

// Settings of the surrounding program must not redirect what is read.
func TestEnvironmentDoesNotReachGit(t *testing.T) {
	other, _ := oneCommit(t, "a", "other")
	dir, id := oneCommit(t, "a", "mine")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(other, ".git", "objects"))
	data, err := open(t, dir).ReadFile(t.Context(), id, "a")
	if err != nil || string(data) != "mine" {
		t.Fatalf("read %q, %v", data, err)
	}
}

// A configuration that refers to its owner's home is no obstacle.
func TestConfigurationNamesHome(t *testing.T) {
	dir, id := oneCommit(t, "a", "1")
	git(t, dir, "config", "core.excludesFile", "~/ignore")
	git(t, dir, "config", "include.path", "~/more")
	if _, err := open(t, dir).ReadFile(t.Context(), id, "a"); err != nil {
		t.Fatal(err)
	}
}

// refs/replace would show other content under the same id.
func TestReplacementsAreIgnored(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	write(t, dir, "a", "2")
	second := commitAll(t, dir, "second")
	git(t, dir, "replace", first, second)
	data, err := open(t, dir).ReadFile(t.Context(), first, "a")
	if err != nil || string(data) != "1" {
		t.Fatalf("read %q, %v", data, err)
	}
}
