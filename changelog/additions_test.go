package changelog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// referenceRules read the diff as the reference does, faults included.
func referenceRules() Rules {
	r := testRules()
	r.HeaderLikeLines, r.UnterminatedDeletes, r.LastKeyWins = true, true, true
	r.CorrectionsPass, r.FinalNewline = false, false
	r.Gate, r.LinkInPlan = Gate{GradeOff, GradeOff, GradeOff}, GradeOff
	return r
}

// extracted summarises what the planner reads: the config keys of the entries
// with their lines, or the first category with its line.
func extracted(t *testing.T, rules Rules, base, head string) string {
	t.Helper()
	entries, findings := ExtractAdditions(rules, bytesOf(base), bytesOf(head))
	checkTexts(t, findings)
	var out []string
	for _, f := range findings {
		out = append(out, f.Category+" "+place(f.Line))
	}
	for _, e := range entries {
		out = append(out, strings.Join(e.ConfigKeys, ",")+" "+place(e.Line))
	}
	return strings.Join(out, "; ")
}

func place(line int) string { return "line " + string(rune('0'+line/10)) + string(rune('0'+line%10)) }

const missing = "\x00missing"

// bytesOf keeps apart an empty file and one that does not exist.
func bytesOf(text string) []byte {
	if text == missing {
		return nil
	}
	return []byte(text)
}

// TestExtractAdditions are the rules and consequences of spec/changelog.md
// section 6.1. The base has 11 lines: A in line 1, B in line 7.
func TestExtractAdditions(t *testing.T) {
	base := twoEntries()
	a, b, c := entry("a", link(1)), entry("b", link(2)), entry("c", "XXX")
	for _, tt := range []struct {
		name, base, head string
		want             string
	}{
		{"appended", base, base + "\n" + c, "c line 13"},
		{"appended without a separator", base, base + c, "c line 12"},
		{"two appended", base, base + "\n" + c + "\n\n" + entry("d", "XXX"), "c line 13; d line 20"},
		{"at the top", base, joined(c, a, b), "c line 01"},
		{"in the middle", base, joined(a, c, b), "c line 07"},
		{"at two places", base, joined(a, c, b, entry("d", "XXX")), "c line 07; d line 19"},
		{"new file", missing, c, "c line 01"},
		{"empty file before", "", c, "c line 01"},
		{"document mark and comment first", "", "---\n# note\n" + c, "c line 03"},
		{"flow list", "", "[{config-keys: [a], description: [x], pr-link: XXX}]\n", "a line 01"},
		{"CRLF in the added lines", base, base + strings.ReplaceAll("\n"+c, "\n", "\r\n"), "c line 13"},
		{"blank line deleted", base, a + b + "\n" + c, "c line 12"},

		{"deleted line", base, strings.Replace(base, "    - \"Change a\"\n", "", 1), "changelog-deletion line 04"},
		{"changed line", base, strings.Replace(base, "Change b", "Changed b", 1), "changelog-deletion line 10"},
		{"deleted entry", base, b, "changelog-deletion line 01"},
		{"two places", base, strings.NewReplacer("Change a", "x", "Change b", "y").Replace(base), "changelog-deletion line 04; changelog-deletion line 10"},
		{"file deleted", base, missing, "changelog-deletion line 01"},
		{"main gained an entry", joined(base, c), joined(base, entry("d", "XXX")), "changelog-deletion line 14; changelog-deletion line 16"},
		{"only a link corrected", base, joined(a, entry("b", link(9))), "changelog-deletion line 11"},
		{"link of an old entry and an append", base, joined(a, entry("b", link(9)), c), "changelog-deletion line 11"},
		{"line added to an old entry", base, strings.Replace(base, "Change b\"\n", "Change b\"\n    - \"more\"\n", 1), "entry-schema line 11"},

		{"identical", base, base, "no-additions line 00"},
		{"both missing", missing, missing, "no-additions line 00"},
		{"blank lines", base, base + "\n  \n", "no-additions line 00"},
		{"comment only", base, base + "\n# note\n", "no-entries line 12"},
		{"empty list", base, base + "[]\n", "no-entries line 12"},
		{"empty mapping", base, base + "{}\n", "no-entries line 12"},
		{"zero", base, base + "0\n", "no-entries line 12"},
		{"mapping", base, base + "extra: value\n", "entry-schema line 12"},
		{"number", base, base + "7\n", "entry-schema line 12"},
		{"null element", base, base + "\n-\n", "entry-schema line 13"},
		{"scalar element", base, base + "\n- config-keys:x\n", "entry-schema line 13"},
		{"syntax", base, base + "\n- [\n", "yaml-invalid line 13"},
		{"TAB before a comment", base, base + "\n" + c + "  evals-only: true\t# x\n", "yaml-invalid line 18"},
		{"not UTF-8", base, base + "\n" + strings.Replace(c, "Change c", "\xff", 1), "not-utf8 line 16"},
		{"not UTF-8 inserted", base, joined(a, strings.Replace(c, "Change c", "\xff", 1), b), "not-utf8 line 10"},
		{"control character", base, base + "\n" + strings.Replace(c, "Change c", "\x01", 1), "yaml-invalid line 16"},
		{"undefined alias", base, base + "\n" + strings.Replace(c, "- c", "- *x", 1), "yaml-invalid line 00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, rules := range map[string]Rules{"default": testRules(), "reference": referenceRules()} {
				if got := extracted(t, rules, tt.base, tt.head); got != tt.want {
					t.Errorf("%s: got %s, want %s", name, got, tt.want)
				}
			}
		})
	}
}

// TestDiffReaderFaults: lines that look like the header of a diff, and text
// after a lone CR, are lost in the reference; by default they are not.
func TestDiffReaderFaults(t *testing.T) {
	base := strings.Replace(twoEntries(), "\"Change b\"", "\"x\n--y\n      z\"", 1)
	c := entry("c", "XXX")
	for _, tt := range []struct{ name, head, byDefault, reference string }{
		{"deleted line of two dashes", strings.Replace(base, "--y\n", "", 1) + "\n" + c, "changelog-deletion line 11", "c line 14"},
		{"added line of two pluses", base + "\n" + c + "++ lost\n", "yaml-invalid line 20", "c line 15"},
		{"lone CR", base + "\n" + c + "  evals-only: true\r  no-such: key\n", "cr line 20", "c line 15"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extracted(t, testRules(), base, tt.head); got != tt.byDefault {
				t.Errorf("default: got %s, want %s", got, tt.byDefault)
			}
			if got := extracted(t, referenceRules(), base, tt.head); got != tt.reference {
				t.Errorf("reference: got %s, want %s", got, tt.reference)
			}
		})
	}
}

// TestUnterminatedBase is F15: appending to a base without a final newline is
// an append; the reference takes its last line for deleted.
func TestUnterminatedBase(t *testing.T) {
	base := strings.TrimSuffix(twoEntries(), "\n")
	for _, tt := range []struct{ name, head, byDefault, reference string }{
		{"newline and entry", base + "\n\n" + entry("c", "XXX"), "c line 13", "changelog-deletion line 11"},
		{"newline only", base + "\n", "no-additions line 00", "changelog-deletion line 11"},
		{"more text on the last line", base + "0\n", "changelog-deletion line 11", "changelog-deletion line 11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extracted(t, testRules(), base, tt.head); got != tt.byDefault {
				t.Errorf("default: got %s, want %s", got, tt.byDefault)
			}
			if got := extracted(t, referenceRules(), base, tt.head); got != tt.reference {
				t.Errorf("reference: got %s, want %s", got, tt.reference)
			}
		})
	}
}

// TestDeletionSaysWhatAndWhere: line numbers of both sides and the text.
func TestDeletionSaysWhatAndWhere(t *testing.T) {
	base := twoEntries()
	head := joined(entry("c", "XXX"), strings.Replace(base, "    - \"Change b\"\n", "", 1))
	_, findings := ExtractAdditions(testRules(), []byte(base), []byte(head))
	wantCodes(t, findings, "16 line-deleted")
	want := "perf-changelog.yaml:16:1: line 10 of the base was deleted: '    - \"Change b\"'"
	if got := findings[0].Error(); !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
	if got := findings[0].Related[0].String(); got != "perf-changelog.yaml (base):10" {
		t.Errorf("related %s", got)
	}
}

// TestManyDeletionsAreBounded: a clean-up of a whole file does not flood the
// page.
func TestManyDeletionsAreBounded(t *testing.T) {
	var blocks []string
	for i := range 60 {
		blocks = append(blocks, entry("key-"+string(rune('A'+i)), link(i+1)))
	}
	base := joined(blocks...)
	_, findings := ExtractAdditions(testRules(), []byte(base), []byte(strings.ReplaceAll(base, "Change", "Changed")))
	if len(findings) != shownDeletions+1 || findings[shownDeletions].Code != "changelog.more-deletions" {
		t.Errorf("%d findings", len(findings))
	}
	checkTexts(t, findings)
}

// TestPositionsOfInsertedEntries: fields of an entry that stands in several
// pieces of the diff keep their head lines.
func TestPositionsOfInsertedEntries(t *testing.T) {
	a, b := entry("a", link(1)), entry("b", link(2))
	head := joined(entry("c", "XXX"), a, entry("d", "YYY"), b)
	entries, findings := ExtractAdditions(testRules(), []byte(joined(a, b)), []byte(head))
	if findings != nil {
		t.Fatal(findings)
	}
	var got []int
	for _, e := range entries {
		got = append(got, e.Line, e.Place("f", keyConfigKeys, 0).Line, e.Place("f", keyPRLink).Line)
	}
	want := []int{1, 2, 5, line(t, head, "- d") - 1, line(t, head, "- d"), line(t, head, "YYY")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAppendReadsNothingOfTheBase: history that cannot be read does not stand
// in the way of an append.
func TestAppendReadsNothingOfTheBase(t *testing.T) {
	base := "\xff\x00 not: [a changelog\n"
	if got := extracted(t, testRules(), base, base+"\n"+entry("c", "XXX")); got != "c line 03" {
		t.Error(got)
	}
}
