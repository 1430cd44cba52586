package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadFileOddNames(t *testing.T) {
	names := []string{
		"plain", "dir/sub/deep.yaml", "with space", "-dash", "--batch", "new\nline", "qu\"ote'", "tab\t",
		"größe/中文.txt", "HEAD", "a missing", "back\\slash", ":colon", "emoji 🙂", "bad\xffutf8",
	}
	var files []string
	for _, name := range names {
		files = append(files, name, "content of "+name)
	}
	dir, _ := oneCommit(t, files...)
	tree := openTree(t, dir, "HEAD")
	for _, name := range names {
		data, err := tree.ReadFile(name)
		if err != nil || string(data) != "content of "+name {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
}

func TestReadFileContents(t *testing.T) {
	binary := "\x00\n\x00 missing\n" + strings.Repeat("\xff\r\n", 100_000)
	dir, _ := oneCommit(t, "empty", "", "binary", binary, "no end", "x", "header", strings.Repeat("a", 40)+" blob 3\n")
	tree := openTree(t, dir, "HEAD")
	for name, want := range map[string]string{"empty": "", "binary": binary, "no end": "x", "header": strings.Repeat("a", 40) + " blob 3\n"} {
		for range 2 { // from git, then from the cache
			data, err := tree.ReadFile(name)
			if err != nil || string(data) != want {
				t.Errorf("%s: %d bytes, %v, want %d", name, len(data), err, len(want))
			}
			if len(data) > 0 {
				data[0]++ // the caller's own copy
			}
		}
	}
}

// special makes a commit with every kind of entry.
func special(t testing.TB) (dir string) {
	dir, id := oneCommit(t, "real/file.yaml", "content", "run.sh", "x")
	for name, target := range map[string]string{"link": "real/file.yaml", "out": "/etc/passwd", "folder": "real"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+id+",module")
	git(t, dir, "commit", "-q", "-m", "special")
	return dir
}

// S49: a link, a submodule or a folder in place of a file is never read as one.
func TestS49NotAFile(t *testing.T) {
	tree := openTree(t, special(t), "HEAD")
	for path, code := range map[string]string{
		"link": "gitrepo.symlink", "out": "gitrepo.symlink", "folder": "gitrepo.symlink",
		"module": "gitrepo.submodule", "real": "gitrepo.directory", "": "gitrepo.directory",
	} {
		_, err := tree.ReadFile(path)
		wantCode(t, err, code)
		var not *NotFileError
		if !errors.As(err, &not) || not.Path != path || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %#v", path, err)
		}
	}
	entry, err := tree.Stat("run.sh")
	if err != nil || !entry.Mode.IsExecutable() {
		t.Errorf("run.sh: %v, %v", entry, err)
	}
	if _, err := tree.ReadFile("run.sh"); err != nil {
		t.Error(err)
	}
}

func TestAbsentPaths(t *testing.T) {
	tree := openTree(t, special(t), "HEAD")
	for path, code := range map[string]string{
		"none": "gitrepo.file-absent", "real/none": "gitrepo.file-absent", "none/none": "gitrepo.file-absent",
		"REAL/file.yaml": "gitrepo.file-absent", ".git/config": "gitrepo.file-absent",
		"folder/file.yaml": "gitrepo.not-directory", "module/a": "gitrepo.not-directory", "run.sh/a": "gitrepo.not-directory",
	} {
		_, err := tree.ReadFile(path)
		wantCode(t, err, code)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: does not wrap fs.ErrNotExist", path)
		}
		if ok, err := tree.Exists(path); ok || err != nil {
			t.Errorf("%s exists: %v, %v", path, ok, err)
		}
	}
	for _, path := range []string{"/run.sh", "../run.sh", "real//file.yaml", "./run.sh", "real/", "a\x00b", strings.Repeat("a/", 3000) + "a"} {
		_, err := tree.ReadFile(path)
		wantCode(t, err, "gitrepo.path-unsafe")
		if !errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := tree.Exists(path); err == nil {
			t.Errorf("%s: Exists has no error", path)
		}
	}
}

func TestListStatOID(t *testing.T) {
	dir := special(t)
	tree := openTree(t, dir, "HEAD")
	for _, top := range []string{"", "."} {
		entries, err := tree.List(top)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, e := range entries {
			lines = append(lines, e.Mode.String()+" "+e.OID+"\t"+e.Name)
		}
		if diff := cmp.Diff(git(t, dir, "ls-tree", "--format=%(objectmode) %(objectname)\t%(path)", "HEAD"), strings.Join(lines, "\n")); diff != "" {
			t.Error(diff)
		}
	}
	oid, err := tree.OID("real/file.yaml")
	if want := git(t, dir, "rev-parse", "HEAD:real/file.yaml"); err != nil || oid != want {
		t.Errorf("OID is %s, %v, want %s", oid, err, want)
	}
	if top, err := tree.OID(""); err != nil || top != tree.Commit().Tree {
		t.Errorf("OID of the top is %s, %v", top, err)
	}
	if _, err := tree.List("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("List of an absent folder: %v", err)
	}
	_, err = tree.List("run.sh")
	wantCode(t, err, "gitrepo.not-directory")
	if entry, err := tree.Stat("module"); err != nil || !entry.Mode.IsSubmodule() {
		t.Errorf("module: %v, %v", entry, err)
	}
}

func TestSHA256(t *testing.T) {
	dir := newRepo(t, "--object-format=sha256")
	write(t, dir, "a/b", "1")
	first := commitAll(t, dir, "first")
	write(t, dir, "a/b", "2", "a/c", "3")
	second := commitAll(t, dir, "second")
	r := open(t, dir)
	if data, err := r.ReadFile(t.Context(), "HEAD~1", "a/b"); err != nil || string(data) != "1" || len(first) != 64 {
		t.Fatalf("read %q, %v", data, err)
	}
	changes, err := r.Changed(t.Context(), first, second)
	if err != nil || len(changes) != 2 || len(changes[0].OldOID) != 64 {
		t.Fatalf("changes %v, %v", changes, err)
	}
	if base, err := r.MergeBase(t.Context(), first, second); err != nil || base != first {
		t.Fatalf("merge base %s, %v", base, err)
	}
}

// A file above the limit is refused by its size, and the next read works.
func TestTooLarge(t *testing.T) {
	large := strings.Repeat("0123456789", 1000)
	dir, _ := oneCommit(t, "large", large, "exact", large[:5000], "small", "x")
	r := open(t, dir, MaxObject(5000))
	tree, err := r.Tree(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Prefetch("large", "small"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := tree.ReadFile("large")
		wantCode(t, err, "gitrepo.too-large")
		var tooLarge *TooLargeError
		if !errors.As(err, &tooLarge) || tooLarge.Size != 10_000 || tooLarge.Limit != 5000 {
			t.Fatalf("%#v", err)
		}
		for name, size := range map[string]int{"small": 1, "exact": 5000} {
			if data, err := tree.ReadFile(name); err != nil || len(data) != size {
				t.Fatalf("%s: %d bytes, %v", name, len(data), err)
			}
		}
	}
}

func TestPrefetch(t *testing.T) {
	dir, first := oneCommit(t, "a/b/c", "1", "a/d", "2", "e", "3")
	write(t, dir, "a/d", "4")
	second := commitAll(t, dir, "second")
	r := open(t, dir)
	paths := []string{"a/b/c", "a/d", "e", "none", "e/none", "a", "../x", "", "a/b/c"}
	trees, err := r.Prefetch(t.Context(), Want{first, paths}, Want{second, paths})
	if err != nil {
		t.Fatal(err)
	}
	r.program = filepath.Join(t.TempDir(), "no-git") // all is there by now
	r.turn <- struct{}{}
	r.drop()
	<-r.turn
	var got []string
	for _, tree := range trees {
		for _, name := range paths[:3] {
			data, err := tree.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(data))
		}
	}
	if want := []string{"1", "2", "3", "1", "4", "3"}; !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	if _, err := r.Prefetch(t.Context(), Want{Rev: "-x"}); err == nil {
		t.Error("a bad revision is no error")
	}
}

func TestConcurrentReaders(t *testing.T) {
	var files []string
	for i := range 30 {
		name := "d" + string(rune('a'+i%5)) + "/f" + string(rune('A'+i))
		files = append(files, name, strings.Repeat(name, i*100+1))
	}
	dir, _ := oneCommit(t, files...)
	r := open(t, dir)
	r.cache.limit = 20_000 // forget often
	var readers sync.WaitGroup
	for reader := range 8 {
		readers.Go(func() {
			tree, err := r.Tree(t.Context(), "HEAD")
			if err != nil {
				t.Error(err)
				return
			}
			for i := range len(files) / 2 {
				n := (i*7 + reader) % (len(files) / 2) * 2
				if data, err := tree.ReadFile(files[n]); err != nil || string(data) != files[n+1] {
					t.Errorf("%s: %d bytes, %v", files[n], len(data), err)
				}
			}
		})
	}
	readers.Wait()
}

// hashTree stores a tree object of our own making, which git would refuse.
func hashTree(t testing.TB, dir, body string) string {
	t.Helper()
	return gitInput(t, dir, body, "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
}

func TestCorruptTrees(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	blob := "12345678901234567890"
	r := open(t, dir)
	for name, body := range map[string]string{
		"twice":      "100644 a\x00" + blob + "100644 a\x00" + blob,
		"short":      "100644 a\x00123",
		"slash":      "100644 a/b\x00" + blob,
		"dots":       "40000 ..\x00" + blob,
		"no name":    "100644 \x00" + blob,
		"no mode":    " a\x00" + blob,
		"wild mode":  "10064x a\x00" + blob,
		"long mode":  "100000644 a\x00" + blob,
		"no end":     "100644 a",
		"no blank":   "100644",
		"tree=blob?": "40000 a\x00" + string(unhex(git(t, dir, "rev-parse", "HEAD:a"))),
	} {
		t.Run(name, func(t *testing.T) {
			id := git(t, dir, "commit-tree", "-m", "x", hashTree(t, dir, body))
			_, err := r.ReadFile(t.Context(), id, "a/b")
			wantCode(t, err, "gitrepo.object-corrupt")
			_, err = r.Changed(t.Context(), "HEAD", id)
			wantCode(t, err, "gitrepo.object-corrupt")
		})
	}
}
