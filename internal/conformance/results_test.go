package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// resultCorpus returns the directory of the corpus of results, by the rules of
// corpusDir.
func resultCorpus(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the corpus is left out with -short")
	}
	dir := os.Getenv("SWEEPBOT_CORPUS_RESULTS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus-results")
	}
	if _, err := os.Stat(filepath.Join(dir, "cases.jsonl")); err != nil {
		if os.Getenv("SWEEPBOT_REQUIRE_CORPUS") == "1" {
			t.Fatalf("the corpus of results is required and not at %s: %v", dir, err)
		}
		t.Skipf("no corpus at %s; set SWEEPBOT_CORPUS_RESULTS to its directory", dir)
	}
	return dir
}

// TestResults holds that every case agrees under every profile it is pinned for.
func TestResults(t *testing.T) {
	cases, err := ResultCases(resultCorpus(t))
	if err != nil {
		t.Fatal(err)
	}
	agreed, total := make(map[string]int), make(map[string]int)
	for _, c := range cases {
		for _, profile := range slices.Sorted(maps.Keys(c.Expect)) {
			want, _ := c.Expect[profile].(map[string]any)
			got, err := RunResult(c, profile)
			lines := CompareResults(c, want, got)
			if err != nil {
				lines = []string{err.Error()}
			}
			total[c.Kind]++
			if lines == nil {
				agreed[c.Kind]++
				continue
			}
			t.Errorf("%s %s:\n\t%s", profile, c.shortName(), strings.Join(lines, "\n\t"))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(total)) {
		fmt.Printf("%s: %d/%d\n", kind, agreed[kind], total[kind])
	}
}

// TestResultComparisonCanFail holds that differences are seen.
func TestResultComparisonCanFail(t *testing.T) {
	want := map[string]any{"errors": []any{[]any{"a", 1.0}, []any{"b"}}, "counts": map[string]any{"n": 1.0}}
	same := map[string]any{"errors": []any{[]any{"b"}, []any{"a", 1.0}}, "counts": map[string]any{"n": 1.0 + 1e-12}}
	if lines := CompareResults(ResultCase{}, want, same); lines != nil {
		t.Errorf("equal results differ: %q", lines)
	}
	for name, got := range map[string]map[string]any{
		"error":   {"errors": []any{[]any{"b"}, []any{"a", 2.0}}, "counts": map[string]any{"n": 1.0}},
		"number":  {"errors": want["errors"], "counts": map[string]any{"n": 1.1}},
		"missing": {"errors": want["errors"]},
		"beyond":  {"errors": want["errors"], "counts": want["counts"], "more": true},
	} {
		if CompareResults(ResultCase{}, want, got) == nil {
			t.Errorf("%s: no difference seen", name)
		}
	}
	if CompareResults(ResultCase{}, map[string]any{"outcome": "unreadable"}, map[string]any{"outcome": "accept"}) == nil {
		t.Error("an accepted unreadable tree agrees")
	}
}
