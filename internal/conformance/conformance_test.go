package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
)

// corpusDir returns the corpus directory. Without one the test is skipped,
// unless the corpus is required.
func corpusDir(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the corpus is left out with -short")
	}
	dir := os.Getenv("SWEEPBOT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(filepath.Join(dir, "cases.jsonl")); err != nil {
		if os.Getenv("SWEEPBOT_REQUIRE_CORPUS") == "1" {
			t.Fatalf("the corpus is required and not at %s: %v", dir, err)
		}
		t.Skipf("no corpus at %s; set SWEEPBOT_CORPUS to its directory", dir)
	}
	return dir
}

var (
	cloneOnce sync.Once
	clonePath string
	cloneErr  error
)

// workspace clones the data of the corpus once for all tests.
func workspace(t *testing.T, dir string) *bot.Workspace {
	t.Helper()
	cloneOnce.Do(func() {
		clonePath, cloneErr = os.MkdirTemp("", "corpus-*")
		if cloneErr != nil {
			return
		}
		out, err := exec.Command("git", "clone", "-q", "--bare", filepath.Join(dir, "data.bundle"), clonePath).CombinedOutput()
		if err != nil {
			cloneErr = fmt.Errorf("%w: %s", err, out)
		}
	})
	if cloneErr != nil {
		t.Fatal(cloneErr)
	}
	w, err := bot.OpenWorkspace(context.Background(), clonePath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestMain(m *testing.M) {
	code := m.Run()
	if clonePath != "" {
		os.RemoveAll(clonePath)
	}
	os.Exit(code)
}

// difference is one case and flag set on which we do not agree.
type difference struct {
	id, flag string
	lines    []string
	// answer is our outcome: accept, or the category of the refusal.
	answer string
	// want is the same of the reference.
	want string
}

// runAll runs every case under a preset and prints one line a kind.
func runAll(t *testing.T, preset string) []difference {
	dir := corpusDir(t)
	cases, err := Cases(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRunner(workspace(t, dir), preset)
	if err != nil {
		t.Fatal(err)
	}
	var out []difference
	agreed, total := make(map[string]int), make(map[string]int)
	for _, c := range cases {
		for _, flag := range c.Flags {
			want, err := Expected(dir, c.ID, flag)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Run(context.Background(), c, flag)
			if err != nil {
				t.Fatalf("%s %s: %v", c.ID, flag, err)
			}
			total[c.Kind]++
			if lines := Compare(want, got); lines != nil {
				out = append(out, difference{c.ID, flag, append(lines, fmt.Sprint("finding: ", got["finding"])), answerOf(got), answerOf(want)})
			} else {
				agreed[c.Kind]++
			}
		}
	}
	var kinds []string
	for kind := range total {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		fmt.Printf("%s %s: %d/%d\n", preset, kind, agreed[kind], total[kind])
	}
	return out
}

func answerOf(got map[string]any) string {
	if got["outcome"] == "reject" {
		return fmt.Sprint(got["category"])
	}
	return "accept"
}

// TestReference holds that the preset with the reference's behaviour agrees
// with every case.
func TestReference(t *testing.T) {
	for _, d := range runAll(t, config.PresetReference) {
		t.Errorf("%s %s:\n\t%s", d.id, d.flag, strings.Join(d.lines, "\n\t"))
	}
}

// TestAugust holds that the 2026-08 preset differs from the reference only in
// the kinds that docs/differences.md describes, and on the open corpus exactly
// in the cases that it lists.
func TestAugust(t *testing.T) {
	page := readDifferences(t)
	differing := make(map[string]string)
	for _, d := range runAll(t, config.PresetAugust) {
		if !page.explains(d) {
			t.Errorf("%s %s: no kind of docs/differences.md describes this\n\t%s", d.id, d.flag, strings.Join(d.lines, "\n\t"))
		}
		if differing[d.id] == "" || d.flag == "none" {
			differing[d.id] = d.answer
		}
	}
	if os.Getenv("SWEEPBOT_CORPUS") != "" {
		t.Logf("another corpus: %d cases differ, all of described kinds or reported above", len(differing))
		return
	}
	for id, answer := range differing {
		if page.cases[id] != answer {
			t.Errorf("%s: the answer is %s, docs/differences.md lists %q", id, answer, page.cases[id])
		}
	}
	for id := range page.cases {
		if differing[id] == "" {
			t.Errorf("docs/differences.md lists %s, which agrees", id)
		}
	}
}

// differences is docs/differences.md: the kinds, and our answer by case.
type differences struct {
	kinds [][2]string
	cases map[string]string
}

var (
	caseRow = regexp.MustCompile("(?m)^[|] `([a-z]+-[0-9]+)` [|] ([a-z0-9-]+) [|] [^|]+ [|]$")
	kindRow = regexp.MustCompile(`(?m)^[|] ([a-z-]+) [|] ([a-z-]+) [|] [^|]* [|] [^|]+ [|]$`)
)

func readDifferences(t *testing.T) differences {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "differences.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := differences{cases: make(map[string]string)}
	for _, row := range caseRow.FindAllStringSubmatch(string(data), -1) {
		out.cases[row[1]] = row[2]
	}
	for _, row := range kindRow.FindAllStringSubmatch(string(data), -1) {
		out.kinds = append(out.kinds, [2]string{row[1], row[2]})
	}
	if len(out.kinds) < 2 || len(out.cases) < 2 {
		t.Fatal("docs/differences.md has lost its tables")
	}
	return out
}

// explains reports whether a kind describes a difference. Parts of the gate
// that differ are described by the same kinds.
func (d differences) explains(found difference) bool {
	if found.flag == "gate" || found.flag == "canary" {
		return true // judged by the flag set "none" of the same case
	}
	for _, kind := range d.kinds {
		refusals := kind[0] == "refusal" && found.want != "accept" && found.answer != "accept"
		if refusals || kind[0] == found.want && kind[1] == found.answer {
			return true
		}
	}
	return false
}
