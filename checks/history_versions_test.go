package checks

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// TestGitHistoryVersions has a file that changes on the first parents only,
// goes away and comes again, and a history that is looked at in part.
func TestGitHistoryVersions(t *testing.T) {
	c := &clone{t: t, dir: t.TempDir()}
	c.git("init", "-q", "-b", "main")
	write := func(text string) string {
		if err := os.WriteFile(filepath.Join(c.dir, "doc"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.git("add", "-A")
		c.git("commit", "-q", "--allow-empty", "-m", text)
		return c.git("rev-parse", "HEAD")
	}
	first := write("one")
	c.commit("other")
	c.git("rm", "-q", "doc")
	c.git("commit", "-q", "-m", "gone")
	gone := c.git("rev-parse", "HEAD")
	back := write("two")
	c.git("checkout", "-q", "-b", "side")
	write("three")
	c.git("checkout", "-q", "main")
	c.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	merged := c.git("rev-parse", "HEAD")
	repo, err := gitrepo.Open(t.Context(), c.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	for _, x := range []struct {
		limit    int
		want     []string
		complete bool
	}{{100, []string{merged, back, gone, first}, true}, {2, []string{merged, back, gone}, false}} {
		list, complete, err := GitHistory{repo}.Versions(t.Context(), "main", "doc", x.limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range list {
			got = append(got, v.Commit.ID)
			if (v.OID == "") != (v.Commit.ID == gone) {
				t.Errorf("%s: blob %q", v.Commit.Message, v.OID)
			}
		}
		if !slices.Equal(got, x.want) || complete != x.complete {
			t.Errorf("limit %d: %v %v, want %v", x.limit, got, complete, x.want)
		}
	}
}
