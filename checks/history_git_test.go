package checks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// clone is a repository of a test; each call of git has the next second.
type clone struct {
	t   *testing.T
	dir string
	now int
}

func (c *clone) git(args ...string) string {
	c.t.Helper()
	c.now += 60
	cmd := exec.CommandContext(c.t.Context(), "git", args...)
	cmd.Dir = c.dir
	date := fmt.Sprintf("%d +0000", 1_700_000_000+c.now)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *clone) commit(name string) string {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(name), 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.git("add", "-A")
	c.git("commit", "-q", "-m", name)
	return c.git("rev-parse", "HEAD")
}

// A pull request that merged its base branch twice has its own commits and the
// merges, as git lists them.
func TestGitHistoryCommits(t *testing.T) {
	c := &clone{t: t, dir: t.TempDir()}
	c.git("init", "-q", "-b", "main")
	c.commit("base")
	c.git("checkout", "-q", "-b", "change")
	c.commit("one")
	for _, n := range []string{"a", "b"} {
		c.git("checkout", "-q", "main")
		c.commit("main-" + n)
		c.git("checkout", "-q", "change")
		c.git("merge", "-q", "--no-ff", "-m", "merge", "main")
		c.commit("two-" + n)
	}
	c.git("checkout", "-q", "main")
	c.commit("later")
	repo, err := gitrepo.Open(t.Context(), c.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	h := GitHistory{repo}
	for _, pair := range [][2]string{{"main", "change"}, {"change", "main"}, {"main~1", "change"}, {"main", "main"}, {"change~3", "change"}} {
		list, err := h.Commits(t.Context(), pair[0], pair[1], 100)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, commit := range list {
			got = append(got, commit.ID)
		}
		want := strings.Fields(c.git("rev-list", pair[0]+".."+pair[1]))
		if !slices.Equal(got, want) {
			t.Errorf("%s..%s: got %v, want %v", pair[0], pair[1], got, want)
		}
	}
	if _, err := h.Commits(t.Context(), "main", "change", 2); err == nil || !strings.Contains(err.Error(), "more than 2") {
		t.Errorf("the limit was not held: %v", err)
	}
	if _, err := h.Commit(t.Context(), strings.Repeat("e", 40)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a commit that is not there: %v", err)
	}
	tree, err := h.Tree(t.Context(), "change")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := tree.ReadFile("one"); err != nil || string(data) != "one" {
		t.Errorf("%q, %v", data, err)
	}
}

// A shallow clone does not hold the answer: that is said, not guessed.
func TestGitHistoryOfAShallowClone(t *testing.T) {
	c := &clone{t: t, dir: t.TempDir()}
	c.git("init", "-q", "-b", "main")
	c.commit("base")
	c.git("checkout", "-q", "-b", "change")
	c.commit("one")
	c.commit("two")
	shallow := &clone{t: t, dir: t.TempDir()}
	shallow.git("clone", "-q", "--depth", "1", "--branch", "change", "file://"+c.dir, "copy")
	shallow.dir = filepath.Join(shallow.dir, "copy")
	shallow.git("fetch", "-q", "--depth", "1", "origin", "main")
	repo, err := gitrepo.Open(t.Context(), shallow.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	if _, err := (GitHistory{repo}).Commits(t.Context(), "FETCH_HEAD", "change", 10); !errors.Is(err, ErrUnreadable) {
		t.Errorf("got %v", err)
	}
}

func TestStandardHoldsEachTopicOnce(t *testing.T) {
	if _, err := NewRegistry(standard()...); err != nil {
		t.Error(err)
	}
	for _, c := range standard() {
		if _, ok := Standard().Lookup(c.Topic); !ok || len(c.Needs) == 0 {
			t.Errorf("%s: not registered, or it needs nothing", c.Topic)
		}
	}
}
