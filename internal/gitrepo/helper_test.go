package gitrepo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("GITREPO_FAKE"); mode != "" {
		os.Exit(fakeGit(mode))
	}
	os.Exit(m.Run())
}

// testEnviron keeps the developer's own git settings out of the tests.
var testEnviron = []string{
	"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + os.DevNull,
	"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=1700000000 +0130",
	"GIT_COMMITTER_NAME=Ben", "GIT_COMMITTER_EMAIL=ben@example.org", "GIT_COMMITTER_DATE=1700000001 -0800",
}

// git runs git in dir and returns its output without the last line end.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	// A fetch may leave maintenance running, which would write into a folder
	// that the end of the test removes.
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false", "-c", "gc.auto=0"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, testEnviron, strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("git %v: %v\n%s", args, err, exit.Stderr)
		}
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// newRepo makes an empty repository with a working tree.
func newRepo(t testing.TB, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, append([]string{"init", "-q", "-b", "main"}, args...)...)
	return dir
}

// write puts files, name and content in turn, into a working tree.
func write(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// commitAll commits the working tree and returns the commit's id.
func commitAll(t testing.TB, dir, message string) string {
	t.Helper()
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
	return git(t, dir, "rev-parse", "HEAD")
}

// oneCommit makes a repository with one commit of the given files.
func oneCommit(t testing.TB, files ...string) (dir, id string) {
	t.Helper()
	dir = newRepo(t)
	write(t, dir, files...)
	return dir, commitAll(t, dir, "first")
}

func open(t testing.TB, dir string, opts ...Option) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func openTree(t testing.TB, dir, rev string) *Tree {
	t.Helper()
	tree, err := open(t, dir).Tree(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// wantCode fails unless err is an error of this package with the given code.
func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	finding, ok := AsFinding(err)
	if !ok || finding.Code != code {
		t.Fatalf("error is %v, want %s", err, code)
	}
}
