package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
				out = append(out, difference{c.ID, flag, append(lines, fmt.Sprint("finding: ", got["finding"]))})
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

// TestReference holds that the preset with the reference's behaviour agrees
// with every case.
func TestReference(t *testing.T) {
	for _, d := range runAll(t, config.PresetReference) {
		t.Errorf("%s %s:\n\t%s", d.id, d.flag, strings.Join(d.lines, "\n\t"))
	}
}
