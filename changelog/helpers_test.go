package changelog

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

var update = flag.Bool("update", false, "rewrite golden files and generated tables")

// testRules are those of the newest preset, for the repository o/r.
func testRules() Rules {
	return Rules{
		File: "perf-changelog.yaml", Repository: "o/r",
		NoEvals: true, CorrectionsPass: true, FinalNewline: true,
		Gate: Gate{History: GradeError, Position: GradeError, Format: GradeWarn}, LinkInPlan: GradeError,
	}
}

// entry writes a block as authors do.
func entry(key, link string, more ...string) string {
	return fmt.Sprintf("- config-keys:\n    - %s\n  description:\n    - \"Change %s\"\n  pr-link: %s\n%s",
		key, key, link, strings.Join(more, ""))
}

func link(n int) string { return fmt.Sprintf("https://github.com/o/r/pull/%d", n) }

// file joins blocks with one empty line.
func joined(blocks ...string) string { return strings.Join(blocks, "\n") }

// twoEntries is the base of most tests: entries A and B.
func twoEntries() string { return joined(entry("a", link(1)), entry("b", link(2))) }

// line returns the number of the first line of text that contains part.
func line(t testing.TB, text, part string) int {
	t.Helper()
	at := strings.Index(text, part)
	if at < 0 {
		t.Fatalf("%q is not in the text", part)
	}
	return 1 + strings.Count(text[:at], "\n")
}

// codes lists the findings as "line code", with the severity unless it is an
// error.
func codes(findings diag.List) []string {
	var out []string
	for _, f := range findings {
		text := fmt.Sprintf("%d %s", f.Line, strings.TrimPrefix(f.Code, "changelog."))
		if f.Severity != diag.Error {
			text += " " + f.Severity.String()
		}
		out = append(out, text)
	}
	return out
}

func wantCodes(t testing.TB, findings diag.List, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, codes(findings)); diff != "" {
		t.Errorf("findings (want, got):\n%s\n%v", diff, findings)
	}
	checkTexts(t, findings)
}

// checkTexts makes sure that every finding has both languages, says how to
// mend itself, and leaves no placeholder open.
func checkTexts(t testing.TB, findings diag.List) {
	t.Helper()
	for _, f := range findings {
		for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
			message, mend := f.Message(lang), f.Mend(lang)
			if !catalog.Known(f.Code) || message == "" || mend == "" {
				t.Errorf("%s has no text or mend in %s", f.Code, lang)
			}
			for i := 0; i < len(f.Args); i += 2 {
				message = strings.ReplaceAll(message, f.Args[i+1], "")
			}
			for _, open := range []string{"{line}", "{text}", "{old}", "{new}", "{key}", "{right}", "{link}", "{count}", "{form}"} {
				if strings.Contains(message+mend, open) {
					t.Errorf("%s leaves %s open: %s", f.Code, open, message)
				}
			}
		}
	}
}

// golden compares text with a file under testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (want, got):\n%s", path, diff)
	}
}
