package gitrepo

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// raw writes changes as `git diff-tree -r -z --no-renames` does.
func raw(changes []Change, width int) string {
	var b strings.Builder
	zero := strings.Repeat("0", width)
	for _, c := range changes {
		before, after := c.OldOID, c.NewOID
		if before == "" {
			before = zero
		}
		if after == "" {
			after = zero
		}
		fmt.Fprintf(&b, ":%s %s %s %s %s\x00%s\x00", c.OldMode, c.NewMode, before, after, c.Status, c.Path)
	}
	return b.String()
}

func diffTree(t testing.TB, dir, a, b string) string {
	return git(t, dir, "diff-tree", "-r", "-z", "--no-renames", "--full-index", a, b)
}

// pathGen draws few names, so that files and folders often take each other's
// place.
var pathGen = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
	names := []string{"a", "a.b", "a-b", "b", "新", "q\"", "n\nl"}
	parts := rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(t, "parts")
	return strings.Join(parts, "/")
}), 0, 8, rapid.ID[string])

// treeStream writes a commit of drawn files for git fast-import. A file whose
// path is another's folder replaces it, as fast-import has it.
func treeStream(t *rapid.T, branch, other string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter A <a@b> 1 +0000\ndata 0\n", branch)
	for _, path := range pathGen.Draw(t, "paths") {
		quoted := strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(path)
		switch mode := rapid.SampledFrom([]string{"100644", "100755", "120000", "160000"}).Draw(t, "mode"); mode {
		case "160000":
			fmt.Fprintf(&b, "M 160000 %s \"%s\"\n", other, quoted)
		default:
			content := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "content")
			fmt.Fprintf(&b, "M %s inline \"%s\"\ndata 1\n%s\n", mode, quoted, content)
		}
	}
	return b.String()
}

// Whatever two trees hold, the changes are those that git finds.
func TestChangedAgreesWithGit(t *testing.T) {
	dir := newRepo(t)
	r := open(t, dir)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		a, b := fmt.Sprintf("a%d", n), fmt.Sprintf("b%d", n)
		module := strings.Repeat("7", 40)
		gitInput(t, dir, treeStream(rt, a, module)+treeStream(rt, b, module), "fast-import", "--quiet")
		changes, err := r.Changed(t.Context(), a, b)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(diffTree(t, dir, a, b), raw(changes, 40)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestChangedKinds(t *testing.T) {
	dir, first := oneCommit(t, "same", "1", "edit", "1", "gone", "1", "dir/old", "1", "flip/x", "1")
	git(t, dir, "rm", "-q", "-r", "gone", "flip", "dir")
	write(t, dir, "edit", "2", "new", "1", "flip", "now a file", "dir/old/deeper", "")
	second := commitAll(t, dir, "second")
	changes, err := open(t, dir).Changed(t.Context(), first, second)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.Status.String()+" "+c.Path)
	}
	want := []string{"D dir/old", "A dir/old/deeper", "M edit", "A flip", "D flip/x", "D gone", "A new"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if none, err := open(t, dir).Changed(t.Context(), first, first); err != nil || len(none) != 0 {
		t.Errorf("a commit against itself: %v, %v", none, err)
	}
}

// A tree of ten equal folders in ten levels spells ten thousand million paths.
func TestChangedTreeBomb(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	id := git(t, dir, "rev-parse", "HEAD:a")
	mode := "100644"
	for range 10 {
		var body strings.Builder
		for i := range 10 {
			fmt.Fprintf(&body, "%s n%d\x00%s", mode, i, unhex(id))
		}
		id, mode = hashTree(t, dir, body.String()), "40000"
	}
	bomb := git(t, dir, "commit-tree", "-m", "x", id)
	r := open(t, dir)
	for _, ends := range [][2]string{{first, bomb}, {bomb, first}} {
		_, err := r.Changed(t.Context(), ends[0], ends[1])
		wantCode(t, err, "gitrepo.too-many-changes")
	}
}

// One folder of very many files below a very long name stays within the bound.
func TestChangedLongNames(t *testing.T) {
	dir, first := oneCommit(t, "a", "1")
	blob := string(unhex(git(t, dir, "rev-parse", "HEAD:a")))
	var body strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&body, "100644 %04d\x00%s", i, blob)
	}
	many := hashTree(t, dir, body.String())
	long := hashTree(t, dir, "40000 "+strings.Repeat("n", 1<<20)+"\x00"+string(unhex(many)))
	_, err := open(t, dir).Changed(t.Context(), first, git(t, dir, "commit-tree", "-m", "x", long))
	wantCode(t, err, "gitrepo.too-many-changes")
}
