package changelog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// checkCase is one change and what its author should hear.
type checkCase struct {
	name, base, head string
	want             []string
}

func checkCases() []checkCase {
	a, b, c, d := entry("a", link(1)), entry("b", link(2)), entry("c", "XXX"), entry("d", "XXX")
	base := joined(a, b)
	trailing := strings.Replace(base, link(2)+"\n", link(2)+"  \n", 1)
	return []checkCase{
		{"clean append", base, base + "\n" + c, nil},
		{"clean append of two", base, base + "\n" + c + "\n" + d, nil},
		{"identical", base, base, nil},
		{"new file", missing, c, nil},
		{"correction", base, joined(a, entry("b", link(9))), nil},

		{"F15 newline removed", base, strings.TrimSuffix(base, "\n"), []string{"11 no-final-newline"}},
		{"F15 entry without newline", base, strings.TrimSuffix(base+"\n"+c, "\n"), []string{"17 no-final-newline"}},
		{"F15 repair with an entry", strings.TrimSuffix(base, "\n"), base + "\n" + c, nil},
		{"F15 repair alone", strings.TrimSuffix(base, "\n"), base, nil},
		{"F16 blanks stripped", trailing, base + "\n" + c, []string{"11 line-whitespace"}},
		{"F16 blanks added", base, trailing, []string{"11 line-whitespace"}},
		{"F17 revert", joined(base, c), base, []string{"12 entry-deleted"}},
		{"F18 reordered", joined(base, c, d), joined(a, d, b, c), []string{"7 entry-moved"}},
		{"F19 TBD", base, base + "\n" + entry("c", "TBD"), []string{"17 link-mendable"}},
		{"F19 pull/TODO", base, base + "\n" + entry("c", "https://github.com/o/r/pull/TODO"), []string{"17 link-mendable"}},
		{"F19 pull/0", base, base + "\n" + entry("c", link(0)), []string{"17 link-mendable"}},
		{"F19 pull/XXXX", base, base + "\n" + entry("c", "https://github.com/o/r/pull/XXXX"), []string{"17 link-mendable"}},
		{"F19 another page of the pull request", base, base + "\n" + entry("c", link(7)+"/files?w=1"), []string{"17 link-mendable"}},
		{"F19 another pull request", base, base + "\n" + entry("c", link(8)), []string{"17 link-wrong"}},
		{"F19 another repository", base, base + "\n" + entry("c", "https://github.com/x/y/pull/7"), []string{"17 link-wrong"}},

		{"S49 edited old entry", base, strings.Replace(base, "Change a", "Changed a", 1), []string{"4 line-changed"}},
		{"S49 removed line", base, strings.Replace(base, "    - \"Change b\"\n", "", 1), []string{"10 line-deleted"}},
		{"S49 added line", base, strings.Replace(base, "Change b\"\n", "Change b\"\n    - \"more\"\n", 1), []string{"11 line-added"}},
		{"S49 line added at the end", base, base + "  evals-only: true\n", []string{"12 line-added"}},
		{"S49 CRLF conversion", base, strings.ReplaceAll(base, "\n", "\r\n"), []string{"1 cr-history"}},
		{"S49 CRLF conversion and append", base, strings.ReplaceAll(base+"\n"+c, "\n", "\r\n"), []string{"1 cr-history", "13 cr warning"}},
		{"S49 inserted in the middle", base, joined(a, c, b), []string{"7 not-at-end"}},
		{"S49 inserted at the top", base, joined(c, a, b), []string{"1 not-at-end"}},
		{"S49 file deleted", base, missing, []string{"0 file-missing"}},
		{"byte order mark", base, "\ufeff" + base + "\n" + c, []string{"1 bom"}},

		{"no separator", base, base + c, []string{"12 separator-before warning"}},
		{"two empty lines", base, base + "\n\n" + c, []string{"14 separator-before warning"}},
		{"blanks in the separator", base, base + "  \n" + c, []string{"13 separator-before warning"}},
		{"comment before", base, base + "\n# note\n" + c, []string{"14 separator-before warning"}},
		{"no separator between", base, base + "\n" + c + d, []string{"18 separator-between warning"}},
		{"trailing empty line", base, base + "\n" + c + "\n", []string{"18 trailing-blank-line warning"}},
		{"blank lines of history", base, a + b, []string{"6 gap-changed warning"}},
		{"blank line after history", base, base + "\n", []string{"12 bytes-changed warning"}},
		{"comment after history", base, base + "# note\n", []string{"12 bytes-changed warning"}},
		{"CRLF in the new entry", base, base + "\n" + strings.ReplaceAll(c, "\n", "\r\n"), []string{"13 cr warning"}},
		{"TAB in the new entry", base, base + "\n" + strings.Replace(c, "Change c", "Change\tc", 1), []string{"16 tab warning"}},
		{"description first", base, base + "\n- description: [x]\n  config-keys: [c]\n  pr-link: XXX\n", []string{"13 entry-first-line warning"}},
		{"merge key", base, base + "\n" + c + "  <<: {evals-only: true}\n", []string{"18 yaml.merge-refused warning"}},

		{"correction and append", base, joined(a, entry("b", link(9)), c), []string{"11 correction-mixed"}},
		{"correction to a placeholder", base, joined(a, entry("b", "XXX")), []string{"11 correction-not-canonical"}},
		{"correction to another form", base, joined(a, entry("b", link(9)+"/files")), []string{"11 correction-not-canonical"}},
		{"requoted link", base, joined(a, entry("b", `"`+link(2)+`"`)), []string{"11 line-changed"}},

		{"indented entry", base, base + "\n  " + c, []string{"13 entry-indented"}},
		{"indented second entry", base, base + "\n" + c + "\n  " + d, []string{"19 entry-indented"}},
		{"syntax", base, base + "\n- [\n", []string{"13 yaml.syntax", "13 entry-first-line warning"}},
		{"schema", base, base + "\n" + c + "  evals-only: maybe\n", []string{"18 not-a-flag"}},
		{"duplicate key", base, base + "\n" + c + "  pr-link: XXX\n", []string{"18 yaml.duplicate-key"}},
		{"second document", base, base + "---\n" + c, []string{"12 yaml.second-document", "13 separator-before warning"}},
		{"anchor of an old entry", strings.Replace(base, " - b", " - &x b", 1), strings.Replace(base, " - b", " - &x b", 1) + "\n" + strings.Replace(c, " - c", " - &x c", 1),
			[]string{"14 yaml.duplicate-anchor"}},
		{"everything at once", base, "\n" + strings.Replace(joined(entry("c", "TBD"), base), "Change a", "Change A", 1),
			[]string{"2 not-at-end", "6 link-mendable", "11 line-changed"}},
	}
}

// TestCheck: every problem with its line and its grade in the newest preset.
func TestCheck(t *testing.T) {
	for _, tt := range checkCases() {
		t.Run(tt.name, func(t *testing.T) {
			report := Check(testRules(), bytesOf(tt.base), bytesOf(tt.head), 7)
			wantCodes(t, report.Findings(), tt.want...)
		})
	}
}

// TestCheckTexts pins what authors read, in both languages.
func TestCheckTexts(t *testing.T) {
	var b strings.Builder
	for _, tt := range checkCases() {
		for _, p := range Check(testRules(), bytesOf(tt.base), bytesOf(tt.head), 7).Problems {
			mendable := ""
			if p.Mendable {
				mendable = ", mendable"
			}
			fmt.Fprintf(&b, "== %s (%s %s%s)\n%s\n%s —— %s\n\n", tt.name, p.Severity, p.Class, mendable,
				p.Error(), p.Message(catalog.Chinese), p.Mend(catalog.Chinese))
		}
	}
	golden(t, "check.golden", b.String())
}

// TestCheckGrades: a grade that warns lets the change pass, one that is off
// says nothing.
func TestCheckGrades(t *testing.T) {
	base := twoEntries()
	head := joined(entry("a", link(1)), entry("c", link(8)), strings.Replace(entry("b", link(2)), "Change", "Changed", 1)) + "\n"
	for _, tt := range []struct {
		gate Gate
		link Grade
		want []string
	}{
		{Gate{}, "", []string{"7 not-at-end", "11 link-wrong", "16 line-changed", "18 gap-changed"}},
		{Gate{GradeWarn, GradeWarn, GradeWarn}, GradeWarn,
			[]string{"7 not-at-end warning", "11 link-wrong warning", "16 line-changed warning", "18 gap-changed warning"}},
		{Gate{GradeOff, GradeOff, GradeOff}, GradeOff, nil},
		{Gate{History: GradeError, Position: GradeOff, Format: GradeOff}, GradeOff, []string{"16 line-changed"}},
	} {
		rules := testRules()
		rules.Gate, rules.LinkInPlan = tt.gate, tt.link
		wantCodes(t, Check(rules, []byte(base), []byte(head), 7).Findings(), tt.want...)
	}
}

// TestCheckContexts: which links a new entry may carry.
func TestCheckContexts(t *testing.T) {
	base := twoEntries()
	for _, tt := range []struct {
		link string
		pr   PR
		want []string
	}{
		{"XXX", 7, nil}, {"https://github.com/o/r/pull/XXX", 7, nil}, {link(7), 7, nil},
		{"XXX", OnMain, []string{"17 link-not-canonical"}}, {link(8), OnMain, nil},
		{"XXX", Unnumbered, nil}, {link(8), Unnumbered, nil}, {"TBD", Unnumbered, []string{"17 link-mendable"}},
		{"https://example.com", Unnumbered, []string{"17 link-not-placeholder"}},
		{"http://github.com/O/R/pull/8", OnMain, []string{"17 link-mendable"}},
		{"https://github.com/o/r/pull/8x", 8, []string{"17 link-wrong"}},
	} {
		head := base + "\n" + entry("c", tt.link)
		wantCodes(t, Check(testRules(), []byte(base), []byte(head), tt.pr).Findings(), tt.want...)
	}
}

// TestCheckReturnsEntries wherever they stand, and corrections apart.
func TestCheckReturnsEntries(t *testing.T) {
	a, b := entry("a", link(1)), entry("b", link(2))
	head := joined(entry("c", "XXX"), a, entry("d", "XXX"), b, entry("e", "XXX"))
	var got []string
	for _, e := range Check(testRules(), []byte(joined(a, b)), []byte(head), 7).Added {
		got = append(got, fmt.Sprint(e.ConfigKeys[0], " ", e.Line))
	}
	if diff := cmp.Diff([]string{"c 1", "d 13", "e 25"}, got); diff != "" {
		t.Error(diff)
	}
	report := Check(testRules(), []byte(joined(a, b)), []byte(joined(a, entry("b", link(9)))), 7)
	if diff := cmp.Diff([]Correction{{Line: 11, Old: link(2), New: link(9)}}, report.Corrections); diff != "" {
		t.Error(diff)
	}
}

// TestCheckF16ShowsBlanks: what the author cannot see is made visible.
func TestCheckF16ShowsBlanks(t *testing.T) {
	base := strings.Replace(twoEntries(), link(2)+"\n", link(2)+"  \n", 1)
	report := Check(testRules(), []byte(base), []byte(twoEntries()+"\n"+entry("c", "XXX")), 7)
	if got := report.Problems[0].Error(); !strings.Contains(got, "pull/2␠␠'") || !strings.Contains(got, "pull/2'") {
		t.Error(got)
	}
	long := strings.Repeat("many words ", 30)
	old, new := showChange([]byte(long+"one\n"), []byte(long+"two\t\n"))
	if !strings.HasSuffix(old, "words one") || !strings.HasSuffix(new, "words two␉") || len(old) > 80 {
		t.Errorf("%s | %s", old, new)
	}
}

// TestCheckBrokenBase: an old entry that was not YAML is rewritten; that is
// named for what it is.
func TestCheckBrokenBase(t *testing.T) {
	broken := strings.Replace(twoEntries(), "  description:\n    - \"Change b\"", "   description: [\n    - \"Change b\"", 1)
	report := Check(testRules(), []byte(broken), []byte(twoEntries()), 7)
	wantCodes(t, report.Findings(), "7 history-unreadable")
}

// TestCheckHostile: text from a pull request in a message is bounded and shown
// without control characters.
func TestCheckHostile(t *testing.T) {
	base := twoEntries()
	head := strings.Replace(base, "Change b", "\x1b[31m\u202e"+strings.Repeat("x", 5000), 1)
	got := Check(testRules(), []byte(base), []byte(head), 7).Problems[0].Error()
	if len(got) > 1000 || strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
}

func TestCheckMode(t *testing.T) {
	for _, tt := range []struct{ base, head, want string }{
		{"100644", "100644", ""}, {"", "100644", ""}, {"100644", "", ""}, {"100755", "100755", ""},
		{"100644", "100755", "mode-changed"}, {"100644", "120000", "not-a-file"}, {"", "160000", "not-a-file"},
	} {
		findings := CheckMode(testRules(), tt.base, tt.head)
		checkTexts(t, findings)
		got := ""
		if findings != nil {
			got = strings.TrimPrefix(findings[0].Code, "changelog.")
		}
		if got != tt.want {
			t.Errorf("%s -> %s: got %q, want %q", tt.base, tt.head, got, tt.want)
		}
	}
}

// TestExamine: what planning gets.
func TestExamine(t *testing.T) {
	a, b, c := entry("a", link(1)), entry("b", link(2)), entry("c", "XXX")
	base := joined(a, b)
	august := testRules()
	august.Gate.Position = GradeWarn
	for _, tt := range []struct {
		name       string
		rules      Rules
		base, head string
		entries    int
		fixes      int // corrections
		want       []string
	}{
		{"append", testRules(), base, base + "\n" + c, 1, 0, nil},
		{"middle, newest", testRules(), base, joined(a, c, b), 0, 0, []string{"7 not-at-end"}},
		{"middle, 2026-08", august, base, joined(a, c, b), 1, 0, []string{"7 not-at-end warning"}},
		{"middle, reference", referenceRules(), base, joined(a, c, b), 1, 0, nil},
		{"correction", testRules(), base, joined(a, entry("b", link(9))), 0, 1, nil},
		{"correction, reference", referenceRules(), base, joined(a, entry("b", link(9))), 0, 0, []string{"11 line-deleted"}},
		{"no additions", testRules(), base, base, 0, 0, []string{"0 no-additions"}},
		{"deletion is told once", testRules(), base, joined(a, c), 0, 0, []string{"6 entry-deleted"}},
		{"schema is told once", testRules(), base, base + "\n" + c + "  evals-only: maybe\n", 0, 0, []string{"18 not-a-flag"}},
		{"no final newline comes first", testRules(), base, strings.TrimSuffix(base+c+"  x: y\n", "\n"), 0, 0, []string{"17 no-final-newline"}},
		{"missing file", testRules(), base, missing, 0, 0, []string{"1 no-final-newline"}},
		{"wrong link", testRules(), base, base + "\n" + entry("c", link(8)), 0, 0, []string{"17 link-wrong"}},
		{"wrong link, reference", referenceRules(), base, base + "\n" + entry("c", link(8)), 1, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Examine(tt.rules, bytesOf(tt.base), bytesOf(tt.head), 7)
			wantCodes(t, got.Findings, tt.want...)
			if len(got.Entries) != tt.entries || len(got.Corrections) != tt.fixes {
				t.Errorf("%d entries, %d corrections", len(got.Entries), len(got.Corrections))
			}
		})
	}
}

// TestExamineCutApart: an insertion that a line diff cuts inside an entry is
// refused, as in the reference, and the reason is given instead of a YAML
// error.
func TestExamineCutApart(t *testing.T) {
	rules := testRules()
	rules.Gate.Position = GradeWarn
	report := Report{Added: []Entry{{Line: 7}}}
	for _, category := range []string{"yaml-invalid", "entry-schema"} {
		refusal := diag.List{diag.New("yaml.syntax", rules.place(9), "detail", "x").In(category)}
		got := explain(rules, report, refusal)
		wantCodes(t, got, "7 cut-apart")
		if got[0].Category != category {
			t.Errorf("category %s", got[0].Category)
		}
	}
}
