package changelog

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/sweepbot/sweepbot/changelog/linediff"
)

// TestCorpusDiffAgreesWithGit compares the lines that we take for deleted and
// added with those of git, on every pair of the corpus.
func TestCorpusDiffAgreesWithGit(t *testing.T) {
	cases := corpusCases(t)
	repo := t.TempDir()
	if err := cloneBundle(filepath.Join(corpusDir(t), "data.bundle"), repo); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		script, err := linediff.Compare(linediff.Split(c.base), linediff.Split(c.head))
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		deleted, inserted := gitMarks(t, repo, c)
		if !marks(script.Deleted, deleted) || !marks(script.Inserted, inserted) {
			t.Errorf("%s (%s): other lines than git's", c.ID, c.Mutation)
		}
	}
}

var hunkLine = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// gitMarks returns the numbers of the lines that git deletes and inserts.
func gitMarks(t *testing.T, repo string, c corpusCase) (deleted, inserted map[int]bool) {
	t.Helper()
	cmd := exec.Command("git", "--git-dir", repo, "diff", "--no-color", "--no-ext-diff", "--text", "-U0", c.Base, c.Head, "--", "perf-changelog.yaml")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	deleted, inserted = map[int]bool{}, map[int]bool{}
	for _, m := range hunkLine.FindAllStringSubmatch(string(out), -1) {
		add(t, deleted, m[1], m[2])
		add(t, inserted, m[3], m[4])
	}
	return deleted, inserted
}

func add(t *testing.T, lines map[int]bool, first, count string) {
	t.Helper()
	if count == "" {
		count = "1"
	}
	from, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(count)
	if err != nil || err2 != nil {
		t.Fatal(fmt.Errorf("%q,%q is no range", first, count))
	}
	for i := range n {
		lines[from+i] = true
	}
}

// marks reports whether exactly the given lines, counted from 1, are marked.
func marks(marked []bool, lines map[int]bool) bool {
	n := 0
	for i, m := range marked {
		if m != lines[i+1] {
			return false
		}
		if m {
			n++
		}
	}
	return n == len(lines)
}
