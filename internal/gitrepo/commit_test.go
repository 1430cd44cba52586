package gitrepo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCommitFields(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	write(t, dir, "a", "2")
	second := commitAll(t, dir, "subject\n\nbody 中文\n\nSigned-off-by: x")
	got, err := open(t, dir).Commit(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	want := Commit{
		ID: second, Tree: git(t, dir, "rev-parse", "HEAD^{tree}"), Parents: []string{first},
		Author:    Signature{"Ada", "ada@example.org", time.Unix(1700000000, 0)},
		Committer: Signature{"Ben", "ben@example.org", time.Unix(1700000001, 0)},
		Message:   "subject\n\nbody 中文\n\nSigned-off-by: x\n",
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(time.Time.Equal)); diff != "" {
		t.Error(diff)
	}
	if _, offset := got.Author.When.Zone(); offset != 90*60 {
		t.Errorf("author's zone is %d seconds", offset)
	}
	if got.Subject() != "subject" {
		t.Errorf("subject is %q", got.Subject())
	}
}

func TestRevForms(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	write(t, dir, "a", "2")
	second := commitAll(t, dir, "second")
	git(t, dir, "tag", "light", first)
	git(t, dir, "tag", "-a", "-m", "x", "heavy", first)
	git(t, dir, "tag", "-a", "-m", "x", "nested", "heavy")
	git(t, dir, "branch", "feature/größe", first)

	r := open(t, dir)
	for rev, want := range map[string]string{
		"HEAD": second, "main": second, "refs/heads/main": second, second: second,
		second[:8]: second, strings.ToUpper(second): second, "@": second,
		"HEAD~1": first, "HEAD^": first, "main^1": first, "HEAD^{commit}": second,
		"light": first, "heavy": first, "nested": first, "feature/größe": first,
	} {
		commit, err := r.Commit(t.Context(), rev)
		if err != nil || commit.ID != want {
			t.Errorf("%s is %q, %v, want %s", rev, commit.ID, err, want)
		}
	}
}

func TestRevRefusals(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	git(t, dir, "tag", "file", git(t, dir, "rev-parse", "HEAD:a"))
	git(t, dir, "tag", "-a", "-m", "x", "deep", "HEAD^{tree}")
	git(t, dir, "branch", "odd;`name'")
	r := open(t, dir)
	for rev, code := range map[string]string{
		"":                              "gitrepo.rev-unsafe",
		"--upload-pack=x":               "gitrepo.rev-unsafe",
		"-":                             "gitrepo.rev-unsafe",
		"^HEAD":                         "gitrepo.rev-unsafe",
		"HEAD\nHEAD":                    "gitrepo.rev-unsafe",
		"HEAD HEAD":                     "gitrepo.rev-unsafe",
		"HEAD\x00":                      "gitrepo.rev-unsafe",
		"HEAD\u2028":                    "gitrepo.rev-unsafe",
		"HEAD..main":                    "gitrepo.rev-unsafe",
		"HEAD:a":                        "gitrepo.rev-unsafe",
		":/first":                       "gitrepo.rev-unsafe",
		"HEAD^{/first}":                 "gitrepo.rev-unsafe",
		strings.Repeat("a", 1025):       "gitrepo.rev-unsafe",
		"none":                          "gitrepo.rev-unknown",
		"HEAD~1":                        "gitrepo.rev-unknown",
		"HEAD~99999999999":              "gitrepo.rev-unknown",
		"abcdef0":                       "gitrepo.rev-unknown",
		"$(touch x)":                    "gitrepo.rev-unsafe",
		"$(touch${IFS}x)":               "gitrepo.rev-unknown",
		strings.Repeat("0123456789", 4): "gitrepo.commit-missing",
		"file":                          "gitrepo.rev-not-commit",
		"deep":                          "gitrepo.rev-not-commit",
		"HEAD^{tree}":                   "gitrepo.rev-not-commit",
	} {
		t.Run(rev, func(t *testing.T) {
			_, err := r.Commit(t.Context(), rev)
			wantCode(t, err, code)
		})
	}
	if _, err := r.Commit(t.Context(), "odd;`name'"); err != nil {
		t.Errorf("a branch of odd name: %v", err)
	}
}

func TestRevAmbiguous(t *testing.T) {
	dir := newRepo(t)
	stream := new(strings.Builder)
	for i := range 600 { // so many that some ids share their first four digits
		fmt.Fprintf(stream, "commit refs/heads/b\ncommitter A <a@b> %d +0000\ndata 0\n", i)
	}
	gitInput(t, dir, stream.String(), "fast-import", "--quiet")
	ids := strings.Fields(git(t, dir, "rev-list", "b"))
	r := open(t, dir)
	short := shared(ids)
	if short == "" {
		t.Fatal("no two ids share four digits: make more of them")
	}
	_, err := r.Commit(t.Context(), short)
	wantCode(t, err, "gitrepo.rev-ambiguous")
}

// shared returns the first four digits that two ids share, the least that git
// takes for an abbreviation.
func shared(ids []string) string {
	seen := make(map[string]bool)
	for _, id := range ids {
		if seen[id[:4]] {
			return id[:4]
		}
		seen[id[:4]] = true
	}
	return ""
}

// A commit that git itself can't parse is malformed, not absent.
func TestCommitCorrupt(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	id := gitInput(t, dir, "author A <a@b> 1 +0000\n\nm", "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
	_, err := open(t, dir).Commit(t.Context(), id)
	wantCode(t, err, "gitrepo.object-corrupt")
	large := git(t, dir, "commit-tree", "-m", strings.Repeat("x", 100_000), "HEAD^{tree}")
	_, err = open(t, dir, MaxObject(50_000)).Commit(t.Context(), large)
	wantCode(t, err, "gitrepo.too-large")
}

func TestEmptyRepository(t *testing.T) {
	_, err := open(t, newRepo(t)).Commit(t.Context(), "HEAD")
	wantCode(t, err, "gitrepo.rev-unknown")
}

// A branch that moves between two reads does not move a tree.
func TestTreeIsPinned(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	r := open(t, dir)
	tree, err := r.Tree(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "a", "2")
	second := commitAll(t, dir, "second")
	if data, err := tree.ReadFile("a"); err != nil || string(data) != "1" || tree.Commit().ID != first {
		t.Fatalf("read %q, %v at %s", data, err, tree.Commit().ID)
	}
	if commit, err := r.Commit(t.Context(), "main"); err != nil || commit.ID != second {
		t.Fatalf("main is %s, %v, want %s", commit.ID, err, second)
	}
}

func TestParseCommitMalformed(t *testing.T) {
	id := strings.Repeat("a", 40)
	tree := "tree " + strings.Repeat("b", 40) + "\n"
	for name, text := range map[string]string{
		"empty":       "",
		"no tree":     "author A <a@b> 1 +0000\n\nm",
		"two trees":   tree + tree + "\nm",
		"short tree":  "tree abc\n\nm",
		"other width": "tree " + strings.Repeat("b", 64) + "\n\nm",
		"bad parent":  tree + "parent x\n\nm",
	} {
		if c, ok := parseCommit(id, text); ok {
			t.Errorf("%s: read as %+v", name, c)
		}
	}
	for name, signature := range map[string]string{
		"no time": "A <a@b>", "huge": "A <a@b> 99999999999999 +0000", "negative": "A <a@b> -1 +0000", "none": "",
	} {
		c, ok := parseCommit(id, tree+"author "+signature+"\n\nm")
		if !ok || !c.Author.When.IsZero() {
			t.Errorf("%s: %v, %v", name, ok, c.Author)
		}
	}
	c, ok := parseCommit(id, tree+"author A <a@b> 5 +9999\ngpgsig -----\n tree x\n -----\n\nm\n\nn")
	if !ok || c.Message != "m\n\nn" || !c.Author.When.Equal(time.Unix(5, 0)) {
		t.Errorf("signed: %v, %+v", ok, c)
	}
}
