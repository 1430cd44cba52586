package gitrepo

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

var update = flag.Bool("update", false, "write golden files")

// every returns one error for each thing this package has to say.
func every() []finder {
	oid := strings.Repeat("1", 40)
	return []finder{
		&NotRepositoryError{Dir: "x", Absent: true},
		&NotRepositoryError{Dir: "x"},
		&NotRepositoryError{Dir: "/r/sub", Top: "/r"},
		&NotRepositoryError{Dir: "x", Link: "/gone"},
		&RevError{Rev: "--all\n", Problem: RevUnsafe},
		&RevError{Rev: "a;b'c", Dir: "my repo"},
		&RevError{Rev: "HEAD~9", Shallow: true, Dir: "."},
		&RevError{Rev: "abcd", Problem: RevAmbiguous},
		&RevError{Rev: "v1", Problem: RevNotCommit, Kind: "tree"},
		&PathError{Path: "../a"},
		&NotFoundError{Rev: "HEAD", Path: "a\u202eb"},
		&NotFoundError{Rev: "HEAD", Path: "a/b", Parent: "a", Mode: modeSymlink},
		&NotFileError{Rev: "HEAD", Path: "a", Mode: modeSymlink},
		&NotFileError{Rev: "HEAD", Path: "a", Mode: modeSubmodule},
		&NotFileError{Rev: "HEAD", Path: "a", Mode: modeDirectory},
		&NotFileError{Rev: "HEAD", Path: "a", Mode: 0o1},
		&TooLargeError{OID: oid, Rev: "HEAD", Path: "a", Size: 3, Limit: 2},
		&MissingObjectError{OID: oid, Rev: "HEAD", Path: "a", Dir: "."},
		&MissingObjectError{OID: oid, Rev: "HEAD", Path: "a", Dir: ".", Partial: true},
		&MissingObjectError{OID: oid, Rev: oid, Dir: ".", Commit: true},
		&MissingObjectError{OID: oid, Rev: oid, Dir: ".", Commit: true, Shallow: true},
		&CorruptError{OID: oid, Rev: "HEAD", Path: "a"},
		&ShallowError{A: "main", B: "side", Dir: "."},
		&NoMergeBaseError{A: "main", B: "side"},
		&TooManyChangesError{A: "main", B: "side", Limit: 9},
		&ProcessError{Command: "cat-file", Words: "warning: x\nfatal: bad\n"},
		&ProcessError{Command: "cat-file", Words: "fatal: bad\n", Err: io.EOF},
		&ProcessError{Command: "cat-file", Err: errors.New("broken pipe")},
		&ProcessError{Command: "rev-list", Words: "fatal: bad", Err: errors.New("exit status 128")},
	}
}

// The golden file shows what users read, in both languages.
func TestFindings(t *testing.T) {
	var b strings.Builder
	used := make(map[string]bool)
	for _, e := range every() {
		f := e.Finding()
		used[f.Code] = true
		if got, ok := AsFinding(fmt.Errorf("wrapped: %w", e)); !ok || got.Code != f.Code {
			t.Errorf("%s is lost in a wrapped error", f.Code)
		}
		if f.Mend(catalog.English) == "" || f.Mend(catalog.Chinese) == "" {
			t.Errorf("%s has no mend", f.Code)
		}
		fmt.Fprintf(&b, "%s\n%s - %s\n\n", e.Error(), f.Message(catalog.Chinese), f.Mend(catalog.Chinese))
	}
	for _, code := range catalog.Codes() {
		if strings.HasPrefix(code, "gitrepo.") && !used[code] && code != "gitrepo.git-absent" {
			t.Errorf("%s is never said", code)
		}
	}
	golden := filepath.Join("testdata", "findings.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"main": "main", "HEAD~1": "HEAD~1", "~root": "'~root'", "a b": "'a b'", "$(x)": "'$(x)'",
		"it's": `'it'\''s'`, "": "''", "-x": "'-x'", "/a/b_c.d": "/a/b_c.d",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a/b c": "a/b c", "中文": "中文", "a\nb": `"a\nb"`, "a\u202eb": `"a\u202eb"`, "\xff": `"\xff"`,
		strings.Repeat("é", 400): strings.Repeat("é", 150) + "...",
	} {
		if got := printable(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
