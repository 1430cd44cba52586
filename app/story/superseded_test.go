package story

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

var update = flag.Bool("update", false, "write golden files")

// changing are the parts of a comment that differ between two tellings.
var changing = []struct{ form, name string }{
	{`http://127\.0\.0\.1:\d+`, "https://github.example"},
	{`\b[0-9a-f]{40}\b`, "COMMIT"},
	{"\\b[0-9a-f]{8}\\b", "SHA"},
	{`; \d+ more jobs? did not succeed`, ""}, // which jobs a failure cancels is a matter of time
}

// TestSupersededVerdicts tells scenario A of spec/walkthrough.md: its
// expectations compare the rows, the golden files hold both comments.
func TestSupersededVerdicts(t *testing.T) {
	s, err := Open(t.Context(), Options{Scenario: "A", Environment: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "SAMPLE_SLEEP=0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	failed, err := s.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failed {
		t.Error(f.Message(catalog.English))
	}
	told, err := s.facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"rejected.md", "stands.md"} {
		list := told.verdicts()
		if i >= len(list) {
			t.Fatalf("%d verdicts", len(list))
		}
		got := list[i].Body
		for _, c := range changing {
			got = regexp.MustCompile(c.form).ReplaceAllString(got, c.name)
		}
		golden := filepath.Join("testdata", "superseded", name)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
}
