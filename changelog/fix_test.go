package changelog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// TestFix: what Fix makes of a head, or the first reason why it refuses. The
// pull request has number 7.
func TestFix(t *testing.T) {
	a, b, c, d := entry("a", link(1)), entry("b", link(2)), entry("c", link(7)), entry("d", link(7))
	base := joined(a, b)
	done := base + "\n" + c
	for _, tt := range []struct{ name, base, head, want, refused string }{
		{"nothing to do", base, done, done, ""},
		{"placeholder", base, base + "\n" + entry("c", "XXX"), done, ""},
		{"invented placeholder", base, base + "\n" + entry("c", "pull/TODO"), "", "link-wrong"},
		{"TBD", base, base + "\n" + entry("c", "TBD"), done, ""},
		{"other form of the link", base, base + "\n" + entry("c", "http://github.com/O/r/pull/7/changes"), done, ""},
		{"another pull request", base, base + "\n" + entry("c", link(8)), "", "link-wrong"},
		{"inserted at the top", base, joined(c, a, b), done, ""},
		{"inserted in the middle", base, joined(a, c, b), done, ""},
		{"inserted at both places", base, joined(c, a, d, b), base + "\n" + c + "\n" + d, ""},
		{"inserted without separators", base, a + c + b, done, ""},
		{"no separator", base, base + c, done, ""},
		{"blanks in the separator", base, base + "  \n\n" + c, done, ""},
		{"comment before", base, base + "\n# why\n" + c, base + "\n" + strings.Replace(c, "keys:\n", "keys:\n# why\n", 1), ""},
		{"comment inside stays", base, base + "\n" + c + "  # why\n\n\n", done + "  # why\n", ""},
		{"trailing empty lines", base, done + "\n\n", done, ""},
		{"no final newline", base, strings.TrimSuffix(done, "\n"), done, ""},
		{"CRLF", base, strings.ReplaceAll(done, "\n", "\r\n"), done, ""},
		{"CRLF in the entry", base, base + "\n" + strings.ReplaceAll(c, "\n", "\r\n"), done, ""},
		{"lone CR", base, base + "\n" + strings.Replace(c, "- c\n", "- c\r", 1), done, ""},
		{"TAB in double quotes", base, strings.Replace(done, "Change c", "Change\tc", 1), strings.Replace(done, "Change c", `Change\tc`, 1), ""},
		{"TAB in a comment", base, done + "  # x\ty\n", done + "  # x y\n", ""},
		{"TAB in single quotes", base, strings.Replace(done, `"Change c"`, "'Change\tc'", 1), "", "tab"},
		{"byte order mark", base, "\ufeff" + done, done, ""},
		{"indented first line", base, base + "\n  " + c, done, ""},
		{"indented entry", base, base + "\n  " + strings.ReplaceAll(strings.TrimSuffix(c, "\n"), "\n", "\n  ") + "\n", done, ""},
		{"F15 base without newline", strings.TrimSuffix(base, "\n"), base + c, done, ""},
		{"F16 blanks in history", strings.Replace(base, link(1)+"\n", link(1)+"  \n", 1), done, strings.Replace(done, link(1)+"\n", link(1)+"  \n", 1), ""},
		{"F17 entry deleted", done, base, done, ""},
		{"F17 entry deleted, another added", done, base + "\n" + d, done + "\n" + d, ""},
		{"F18 reordered", joined(base, c, d), joined(d, a, c, b), joined(base, c, d), ""},
		{"line deleted", base, strings.Replace(base, "    - \"Change a\"\n", "", 1), base, ""},
		{"line changed", base, strings.Replace(base, "Change a", "Changed a", 1), "", "line-changed"},
		{"line added", base, strings.Replace(base, "Change b\"\n", "Change b\"\n    - \"more\"\n", 1), "", "line-added"},
		{"line added at the end", base, base + "  evals-only: true\n", "", "line-added"},
		{"blank line in history", base, joined(a, "", b), base, ""},
		{"blank line at the end", base, base + "\n", base, ""},
		{"comment at the end", base, base + "# note\n", "", "bytes-changed"},
		{"file deleted", base, missing, base, ""},
		{"correction", base, joined(a, entry("b", link(9))), joined(a, entry("b", link(9))), ""},
		{"correction and blanks", base, "\n" + joined(a, entry("b", link(9)), "\n"), joined(a, entry("b", link(9))), ""},
		{"correction in another form", base, joined(a, entry("b", link(9)+"/files")), joined(a, entry("b", link(9))), ""},
		{"correction to a placeholder", base, joined(a, entry("b", "XXX")), "", "correction-not-canonical"},
		{"correction and append", base, joined(a, entry("b", link(9)), c), "", "correction-mixed"},
		{"schema", base, done + "  evals-only: maybe\n", "", "not-a-flag"},
		{"syntax", base, base + "\n- [\n", "", "yaml.syntax"},
		{"description first", base, base + "\n- description: [x]\n  config-keys: [c]\n  pr-link: XXX\n", "", "entry-first-line"},
		{"link without a line of its own", base, base + "\n- config-keys: [c]\n  description: [x]\n  ? pr-link\n  : XXX\n", "", "link-line-missing"},
		{"new file", missing, c, c, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fixed, err := Fix(testRules(), bytesOf(tt.base), bytesOf(tt.head), 7)
			if err != nil {
				findings := err.(diag.List)
				checkTexts(t, findings)
				if got := strings.TrimPrefix(findings[0].Code, "changelog."); got != tt.refused {
					t.Errorf("refused: %v, want %q", err, tt.refused)
				}
				return
			}
			if tt.refused != "" || tt.want != string(fixed.Data) {
				t.Errorf("refused %q expected; want, got:\n%s", tt.refused, cmp.Diff(tt.want, string(fixed.Data)))
			}
			if fixed.Changed != (tt.head != tt.want) {
				t.Errorf("changed = %v", fixed.Changed)
			}
		})
	}
}

// TestFixDiff: what is printed applies to what was changed.
func TestFixDiff(t *testing.T) {
	base := twoEntries()
	head := []byte(joined(entry("c", link(7)), base))
	fixed, err := Fix(testRules(), []byte(base), head, 7)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "fix-diff.golden", fixed.Diff("perf-changelog.yaml", head))
	unchanged, err := Fix(testRules(), []byte(base), fixed.Data, 7)
	if err != nil || unchanged.Changed || unchanged.Diff("x", fixed.Data) != "" {
		t.Errorf("a second time: %v %v", unchanged.Changed, err)
	}
}

// TestFixLeavesItsInputAlone: callers keep their bytes.
func TestFixLeavesItsInputAlone(t *testing.T) {
	base, head := []byte(twoEntries()), []byte(strings.ReplaceAll(joined(entry("c", "TBD"), twoEntries()), "\n", "\r\n"))
	baseCopy, headCopy := bytes.Clone(base), bytes.Clone(head)
	if _, err := Fix(testRules(), base, head, 7); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(base, baseCopy) || !bytes.Equal(head, headCopy) {
		t.Error("the input was changed")
	}
}

// TestFixNeverLosesALine: the net under Fix itself.
func TestFixNeverLosesALine(t *testing.T) {
	for _, tt := range []struct {
		head, out string
		lost      int
	}{
		{"a\nb\n", "b\n\na\n", 0}, {"a  \n\tb\r\n", "a\nb\n", 0}, {"a\na\n", "a\n", 2}, {"a\nx\n", "a\n", 2},
		{"  pr-link: TBD\n", "  pr-link: 7\n", 0}, {"\ufeffa\n", "a\n", 0}, {"x\\ty\n", "x y\n", 0},
	} {
		if line, _, _ := lostLine([]byte(tt.head), []byte(tt.out)); line != tt.lost {
			t.Errorf("%q -> %q: line %d, want %d", tt.head, tt.out, line, tt.lost)
		}
	}
}
