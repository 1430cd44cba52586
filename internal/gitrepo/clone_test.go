package gitrepo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// origin makes a repository of three commits on main and two on side, which
// leaves main at its first.
//
//	first - second - third   main
//	   \
//	    left - right         side
func origin(t testing.TB) (dir string, ids map[string]string) {
	ids = make(map[string]string)
	dir = newRepo(t)
	git(t, dir, "config", "uploadpack.allowFilter", "true")
	git(t, dir, "config", "uploadpack.allowAnySHA1InWant", "true")
	step := func(name string) {
		write(t, dir, "sub/"+name+".txt", name, "all.txt", name)
		ids[name] = commitAll(t, dir, name)
	}
	step("first")
	git(t, dir, "branch", "side")
	step("second")
	step("third")
	git(t, dir, "checkout", "-q", "side")
	step("left")
	step("right")
	git(t, dir, "checkout", "-q", "main")
	return dir, ids
}

func clone(t testing.TB, from string, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, from, append(append([]string{"clone", "-q"}, args...), "file://"+from, dir)...)
	return dir
}

func TestMergeBase(t *testing.T) {
	dir, ids := origin(t)
	r := open(t, dir)
	for _, c := range []struct{ a, b, want string }{
		{"main", "side", "first"}, {"side", "main", "first"}, {"main", "main", "third"},
		{ids["second"], "main", "second"}, {"side~1", "side", "left"},
	} {
		if base, err := r.MergeBase(t.Context(), c.a, c.b); err != nil || base != ids[c.want] {
			t.Errorf("%s %s: %s, %v, want %s", c.a, c.b, base, err, ids[c.want])
		}
	}
	git(t, dir, "checkout", "-q", "--orphan", "alone")
	commitAll(t, dir, "alone")
	_, err := r.MergeBase(t.Context(), "alone", "main")
	wantCode(t, err, "gitrepo.no-merge-base")
	_, err = r.MergeBase(t.Context(), "main", "--all")
	wantCode(t, err, "gitrepo.rev-unsafe")
}

func TestShallowClone(t *testing.T) {
	from, ids := origin(t)
	dir := clone(t, from, "--depth=1", "--no-single-branch")
	r := open(t, dir)
	if !r.Shallow() || r.Partial() {
		t.Fatalf("shallow %v, partial %v", r.Shallow(), r.Partial())
	}
	if data, err := r.ReadFile(t.Context(), "main", "all.txt"); err != nil || string(data) != "third" {
		t.Fatalf("read %q, %v", data, err)
	}
	if commit, err := r.Commit(t.Context(), "main"); err != nil || commit.Parents[0] != ids["second"] {
		t.Fatalf("parents %v, %v", commit.Parents, err)
	}
	_, err := r.Commit(t.Context(), "main~1")
	wantCode(t, err, "gitrepo.rev-unknown-shallow")
	_, err = r.Commit(t.Context(), ids["first"])
	wantCode(t, err, "gitrepo.commit-missing-shallow")
	_, err = r.MergeBase(t.Context(), "main", "origin/side")
	wantCode(t, err, "gitrepo.history-shallow")

	// The mend works, on the open repository too.
	git(t, dir, "fetch", "-q", "--unshallow")
	if base, err := r.MergeBase(t.Context(), "main", "origin/side"); err != nil || base != ids["first"] {
		t.Fatalf("after unshallow: %s, %v", base, err)
	}
	if _, err := r.Commit(t.Context(), ids["first"]); err != nil {
		t.Fatal(err)
	}
}

// In a shallow clone a merge base is told only where the cut can't change it.
func TestMergeBaseNearTheCut(t *testing.T) {
	from, ids := origin(t)
	dir := clone(t, from, "--depth=3", "--no-single-branch")
	r := open(t, dir)
	if base, err := r.MergeBase(t.Context(), "main", "main~1"); err != nil || base != ids["second"] {
		t.Errorf("above the cut: %s, %v", base, err)
	}
	if base, err := r.MergeBase(t.Context(), "main", "origin/side"); err != nil || base != ids["first"] {
		t.Errorf("at the root: %s, %v", base, err)
	}
}

// Git's own answer in a shallow clone may be too old: here a cut hides that the
// branch was merged, while an older common ancestor stays in sight.
//
//	root - branch - cut - \
//	   \---- plain ------- tip
func TestMergeBaseHiddenByACut(t *testing.T) {
	dir, root := oneCommit(t, "a", "1")
	commit := func(parents ...string) string {
		args := []string{"commit-tree", "-m", strings.Join(parents, " "), "HEAD^{tree}"}
		for _, p := range parents {
			args = append(args, "-p", p)
		}
		return git(t, dir, args...)
	}
	branch := commit(root)
	cut := commit(branch)
	plain := commit(root, root)
	tip := commit(plain, cut)
	r := open(t, dir)
	if base, err := r.MergeBase(t.Context(), tip, branch); err != nil || base != branch {
		t.Fatalf("whole history: %s, %v, want %s", base, err, branch)
	}
	write(t, dir, ".git/shallow", cut+"\n")
	if base := git(t, dir, "merge-base", tip, branch); base != root {
		t.Fatalf("git answers %s: this test shows nothing any more", base)
	}
	_, err := r.MergeBase(t.Context(), tip, branch)
	wantCode(t, err, "gitrepo.history-shallow")
	if base, err := r.MergeBase(t.Context(), plain, branch); err != nil || base != root {
		t.Fatalf("clear of the cut: %s, %v, want %s", base, err, root)
	}
}

func TestPartialClone(t *testing.T) {
	from, ids := origin(t)
	dir := clone(t, from, "--filter=blob:none", "--no-checkout")
	r := open(t, dir)
	if r.Shallow() || !r.Partial() {
		t.Fatalf("shallow %v, partial %v", r.Shallow(), r.Partial())
	}
	tree, err := r.Tree(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err = tree.ReadFile("all.txt")
		wantCode(t, err, "gitrepo.object-missing-partial")
		var missing *MissingObjectError
		if !errors.As(err, &missing) || missing.Path != "all.txt" || missing.OID != git(t, from, "rev-parse", "main:all.txt") {
			t.Fatalf("%#v", err)
		}
		if errors.Is(err, fs.ErrNotExist) {
			t.Fatal("a missing object is taken for an absent file")
		}
	}
	if _, err := tree.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("an absent file: %v", err)
	}
	if ok, err := tree.Exists("sub/third.txt"); err != nil || !ok {
		t.Fatalf("exists without its blob: %v, %v", ok, err)
	}
	if changes, err := r.Changed(t.Context(), ids["first"], "main"); err != nil || len(changes) != 3 {
		t.Fatalf("changes without blobs: %v, %v", changes, err)
	}

	// The first mend works, without opening anew.
	oid, _ := tree.OID("all.txt")
	git(t, dir, "fetch", "-q", "origin", oid)
	if data, err := tree.ReadFile("all.txt"); err != nil || string(data) != "third" {
		t.Fatalf("after the fetch: %q, %v", data, err)
	}
	// So does the second.
	git(t, dir, "fetch", "-q", "--refetch", "--no-filter", "origin")
	if data, err := tree.ReadFile("sub/first.txt"); err != nil || string(data) != "first" {
		t.Fatalf("after the refetch: %q, %v", data, err)
	}
}

func TestPartialCloneWithoutTrees(t *testing.T) {
	from, ids := origin(t)
	r := open(t, clone(t, from, "--filter=tree:0", "--no-checkout"))
	_, err := r.ReadFile(t.Context(), "main", "all.txt")
	wantCode(t, err, "gitrepo.object-missing-partial")
	_, err = r.Changed(t.Context(), ids["first"], "main")
	wantCode(t, err, "gitrepo.object-missing-partial")
	if base, err := r.MergeBase(t.Context(), "main", "origin/side"); err != nil || base != ids["first"] {
		t.Fatalf("merge base: %s, %v", base, err)
	}
}

// Versions of git that don't know GIT_NO_LAZY_FETCH try to fetch. They must not
// succeed, nor run what the repository's configuration offers as a transport.
func TestNoLazyFetch(t *testing.T) {
	from, _ := origin(t)
	dir := clone(t, from, "--filter=blob:none", "--no-checkout")
	trap := filepath.Join(t.TempDir(), "trapped")
	for _, url := range []string{"file://" + from, "ext::touch " + trap} {
		git(t, dir, "config", "remote.origin.url", url)
		git(t, dir, "config", "protocol.file.allow", "always")
		git(t, dir, "config", "protocol.ext.allow", "always")
		r := open(t, dir)
		r.environ = slices.DeleteFunc(r.environ, func(s string) bool { return strings.HasPrefix(s, "GIT_NO_LAZY_FETCH=") })
		tree, err := r.Tree(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		_, err = tree.ReadFile("all.txt")
		wantCode(t, err, "gitrepo.object-missing-partial")
		if _, err := tree.List("sub"); err != nil {
			t.Fatalf("the next read: %v", err)
		}
		if found, _ := filepath.Glob(trap); found != nil {
			t.Fatal("a program from the repository's configuration was run")
		}
	}
}

// An object that a full clone lost is no absent file either.
func TestLostObject(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1", "sub/b", "2")
	lose := func(spec string) {
		oid := git(t, dir, "rev-parse", spec)
		removeFile(t, filepath.Join(dir, ".git", "objects", oid[:2], oid[2:]))
	}
	r := open(t, dir)
	lose("HEAD:a")
	_, err := r.ReadFile(t.Context(), "HEAD", "a")
	wantCode(t, err, "gitrepo.object-missing")
	lose("HEAD:sub")
	_, err = r.ReadFile(t.Context(), "HEAD", "sub/b")
	wantCode(t, err, "gitrepo.object-missing")
	git(t, dir, "tag", "-a", "-m", "x", "v1")
	lose("HEAD")
	_, err = r.Commit(t.Context(), "v1")
	wantCode(t, err, "gitrepo.object-missing")
}
