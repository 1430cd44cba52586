package changelog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// refusedWith compares an error with the expected code of its first finding.
func refusedWith(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		findings := err.(diag.List)
		checkTexts(t, findings)
		got = strings.TrimPrefix(findings[0].Code, "changelog.")
	}
	if got != want {
		t.Errorf("refused with %q, want %q: %v", got, want, err)
	}
}

// TestCanonicalize is spec/changelog.md section 9.2, with F20.
func TestCanonicalize(t *testing.T) {
	base := twoEntries()
	done := base + "\n" + entry("c", link(7))
	for _, tt := range []struct{ name, head, want, refused string }{
		{"F20 bare placeholder", base + "\n" + entry("c", "XXX"), done, ""},
		{"placeholder as URL", base + "\n" + entry("c", "https://github.com/o/r/pull/XXX"), done, ""},
		{"quoted", base + "\n" + entry("c", `"XXX"`), done, ""},
		{"with a comment", base + "\n" + entry("c", "XXX # note"), done, ""},
		{"canonical already", done, done, ""},
		{"two entries", base + "\n" + entry("c", "XXX") + "\n" + entry("d", link(7)), done + "\n" + entry("d", link(7)), ""},
		{"no additions", base, base, ""},
		{"correction", joined(entry("a", link(1)), entry("b", link(9))), joined(entry("a", link(1)), entry("b", link(9))), ""},
		{"wrong link", base + "\n" + entry("c", link(8)), "", "link-wrong"},
		{"not an append", joined(entry("c", "XXX"), base), "", "entry-changed"},
		{"separator", base + entry("c", "XXX"), "", "separator-before"},
		{"unreadable", base + "\n- [\n", "", "yaml.syntax"},
		{"no line for the link", base + "\n- config-keys: [c]\n  description: [x]\n  ? pr-link\n  : XXX\n", "", "link-line-missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Canonicalize(testRules(), []byte(base), []byte(tt.head), 7)
			refusedWith(t, err, tt.refused)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCanonicalizeLeavesHistoryAlone: placeholders of old entries stay (F20).
func TestCanonicalizeLeavesHistoryAlone(t *testing.T) {
	base := joined(entry("a", "XXX"), entry("b", link(2)))
	got, err := Canonicalize(testRules(), []byte(base), []byte(base+"\n"+entry("c", "XXX")), 7)
	if err != nil || string(got) != base+"\n"+entry("c", link(7)) {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestResolveConflict are the vectors of spec/changelog.md section 9.3 and the
// refusal list after them.
func TestResolveConflict(t *testing.T) {
	a, b, c, d, m := entry("a", link(1)), entry("b", link(2)), entry("c", "XXX"), entry("d", "XXX"), entry("m", link(5))
	cDone, dDone := entry("c", link(7)), entry("d", link(7))
	cElsewhere := entry("c", link(6))
	base := joined(a, b)
	main := joined(base, m)
	corrected := joined(a, entry("b", link(9)))
	for _, tt := range []struct{ name, base, ours, main, want, refused string }{
		{"append", base, joined(base, c), main, joined(main, cDone), ""},
		{"main ends with an empty line", base, joined(base, c), main + "\n", main + "\n" + cDone, ""},
		{"content is on main", base, joined(base, c), joined(base, cElsewhere), "", "resolve-nothing-left"},
		{"one of two is on main", base, joined(base, c, d), joined(base, cElsewhere), joined(base, cElsewhere, dDone), ""},
		{"copy of an old entry", base, joined(base, entry("a", "XXX")), main, "", "resolve-nothing-left"},
		{"canonical link already", base, joined(base, cDone), main, joined(main, cDone), ""},
		{"blank lines inside the entry's end", base, joined(base, c+"  \n"), main, joined(main, cDone), ""},
		{"main rewrote history", base, joined(base, c), joined(m, b), joined(m, b, cDone), ""},

		{"correction", base, corrected, main, joined(corrected, m), ""},
		{"correction on main already", base, corrected, joined(corrected, m), "", "resolve-corrected-already"},
		{"main has another link", base, corrected, joined(a, entry("b", link(8)), m), "", "resolve-link-conflict"},
		{"main changed the entry", base, corrected, joined(a, strings.Replace(b, "Change", "Changed", 1), m), "", "resolve-entry-changed"},
		{"main lacks the entry", base, corrected, a, "", "resolve-entry-missing"},
		{"two corrections, one on main", joined(a, b), joined(entry("a", link(8)), entry("b", link(9))), joined(entry("a", link(8)), b, m),
			joined(entry("a", link(8)), entry("b", link(9)), m), ""},

		{"nothing changed", base, base, main, "", "resolve-nothing-changed"},
		{"base unreadable", "- [\n", joined(base, c), main, "", "yaml.syntax"},
		{"pull request unreadable", base, base + "\n- [\n", main, "", "yaml.syntax"},
		{"main unreadable", base, joined(base, c), main + "- [\n", "", "yaml.syntax"},
		{"main without newline", base, joined(base, c), strings.TrimSuffix(main, "\n"), "", "no-final-newline"},
		{"not an append", base, joined(a, c, b), main, "", "entry-changed"},
		{"separator", base, base + c, main, "", "separator-before"},
		{"wrong link", base, joined(base, entry("c", link(8))), main, "", "link-wrong"},
		{"no line for the link", base, base + "\n- config-keys: [c]\n  description: [x]\n  ? pr-link\n  : XXX\n", main, "", "link-line-missing"},
		{"main is an empty list", base, joined(base, c), "[]\n", "", "post-check"},
		{"entry hidden from line counting", joined(base, strings.Replace(m, "Change m", "Change\u2028- config-keys: m", 1)), base, main, "", "entry-count-mismatch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ResolveConflict(testRules(), []byte(tt.base), []byte(tt.ours), []byte(tt.main), 7)
			refusedWith(t, err, tt.refused)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if err == nil && !Strict(testRules(), []byte(tt.main), got, 7).Accepted {
				t.Error("the strict gate refuses the result")
			}
		})
	}
}

// TestMergeWithoutNumber: a merge driver on an author's machine may not know
// the number; links then stay as they are.
func TestMergeWithoutNumber(t *testing.T) {
	base := twoEntries()
	ours := base + "\n" + entry("c", "XXX")
	main := base + "\n" + entry("m", link(5))
	got, err := ResolveConflict(testRules(), []byte(base), []byte(ours), []byte(main), Unnumbered)
	if err != nil || string(got) != main+"\n"+entry("c", "XXX") {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err = Canonicalize(testRules(), []byte(base), []byte(ours), Unnumbered); err != nil || string(got) != ours {
		t.Errorf("%v\n%s", err, got)
	}
	_, err = ResolveConflict(testRules(), []byte(base), []byte(ours), []byte(main), OnMain)
	refusedWith(t, err, "link-not-canonical")
}

// TestResolveNamesTheSide: with three files, the file matters.
func TestResolveNamesTheSide(t *testing.T) {
	base := twoEntries()
	_, err := ResolveConflict(testRules(), []byte(base), []byte(base+"\n"+entry("c", "XXX")), []byte("- [\n"), 7)
	if got := err.(diag.List)[0].File; got != "perf-changelog.yaml (main)" {
		t.Error(got)
	}
}

// TestMergeLeavesItsInputsAlone: appending must not write into main's bytes.
func TestMergeLeavesItsInputsAlone(t *testing.T) {
	base := []byte(twoEntries())
	ours := []byte(twoEntries() + "\n" + entry("c", "XXX"))
	room := make([]byte, len(base), len(base)+4096)
	copy(room, base)
	if _, err := ResolveConflict(testRules(), base, ours, room, 7); err != nil {
		t.Fatal(err)
	}
	if _, err := Canonicalize(testRules(), base, ours, 7); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(room[:cap(room)][len(base):], make([]byte, 4096)) || !bytes.Contains(ours, []byte("XXX")) {
		t.Error("an input was changed")
	}
}

// TestRepositoryIsASetting: links of another repository are foreign.
func TestRepositoryIsASetting(t *testing.T) {
	rules := testRules()
	rules.Repository = "acme/bench"
	base := []byte(twoEntries())
	out, err := Canonicalize(rules, base, []byte(twoEntries()+"\n"+entry("c", "XXX")), 7)
	if err != nil || !bytes.Contains(out, []byte("https://github.com/acme/bench/pull/7\n")) {
		t.Errorf("%v\n%s", err, out)
	}
	_, err = Canonicalize(rules, base, []byte(twoEntries()+"\n"+entry("c", link(7))), 7)
	refusedWith(t, err, "link-wrong")
}
