package changelog

import (
	"strings"
	"testing"
)

// TestStrictVectors are the vectors of spec/changelog.md section 5; the pull
// request has number 7.
func TestStrictVectors(t *testing.T) {
	base := twoEntries()
	blank := base + "\n"
	c := entry("c", "XXX")
	d := entry("d", "XXX")
	for _, tt := range []struct {
		name       string
		base, head string
		pr         PR
		want       string
	}{
		{"LF + entry with XXX", base, base + "\n" + c, 7, "accept 1/0"},
		{"the same on main", base, base + "\n" + c, OnMain, "compare prlink-not-canonical-on-main"},
		{"the same without a number yet", base, base + "\n" + c, Unnumbered, "accept 1/0"},
		{"placeholder as URL", base, base + "\n" + entry("c", "https://github.com/o/r/pull/XXX"), 7, "accept 1/0"},
		{"link of this PR", base, base + "\n" + entry("c", link(7)), 7, "accept 1/0"},
		{"link of another PR", base, base + "\n" + entry("c", link(8)), 7, "compare prlink-wrong-for-pr"},
		{"any number on main", base, base + "\n" + entry("c", link(8)), OnMain, "accept 1/0"},
		{"leading zeros are another link", base, base + "\n" + entry("c", "https://github.com/o/r/pull/007"), 7, "compare prlink-wrong-for-pr"},
		{"directly after the last line", base, base + c, 7, "raw separator-before-addition"},
		{"two empty lines before", base, base + "\n\n" + c, 7, "raw separator-before-addition"},
		{"base ends with an empty line", blank, blank + c, 7, "accept 1/0"},
		{"base ends with an empty line, one more", blank, blank + "\n" + c, 7, "raw separator-before-addition"},
		{"two entries", base, base + "\n" + c + "\n" + d, 7, "accept 2/0"},
		{"two entries, nothing between", base, base + "\n" + c + d, 7, "raw separator-between-additions"},
		{"two entries, two empty lines between", base, base + "\n" + c + "\n\n" + d, 7, "raw separator-between-additions"},
		{"empty line at the end", base, base + "\n" + c + "\n", 7, "raw trailing-blank-line"},
		{"comment before the entry", base, base + "\n# note\n" + c, 7, "raw separator-before-addition"},
		{"inserted between the two", base, joined(entry("a", link(1)), c, entry("b", link(2))), 7, "compare entry-changed"},
		{"last entry deleted", base, entry("a", link(1)), 7, "compare entries-deleted"},
		{"blank line in history and append", base, "\n" + base + "\n" + c, 7, "raw history-bytes-changed"},
		{"link corrected", base, joined(entry("a", link(1)), entry("b", link(9))), 7, "accept 0/1"},
		{"link corrected with leading zeros", base, joined(entry("a", link(1)), entry("b", "https://github.com/o/r/pull/09")), 7, "accept 0/1"},
		{"link corrected to XXX", base, joined(entry("a", link(1)), entry("b", "XXX")), 7, "compare correction-not-canonical"},
		{"link corrected with a suffix", base, joined(entry("a", link(1)), entry("b", link(9)+"/files")), 7, "compare correction-not-canonical"},
		{"correction and append", base, joined(entry("a", link(1)), entry("b", link(9)), c), 7, "compare correction-mixed"},
		{"correction and blanks elsewhere", base, joined(entry("a", link(1)), strings.Replace(entry("b", link(9)), "description:", "description: ", 1)), 7, "raw correction-outside-prlink"},
		{"correction and one more line", base, joined(entry("a", link(1)), entry("b", link(9)), ""), 7, "raw correction-line-count"},
		{"correction and a requoted link", base, joined(entry("a", `"`+link(1)+`"`), entry("b", link(9))), 7, "raw correction-count-mismatch"},
		{"blanks only", base, strings.Replace(base, "description:", "description: ", 1), 7, "raw bytes-changed-without-entry"},
		{"requoted link only", base, joined(entry("a", `"`+link(1)+`"`), entry("b", link(2))), 7, "raw bytes-changed-without-entry"},
		{"identical", base, base, 7, "accept 0/0"},
		{"explicit default is a change", base, base + "  evals-only: false\n", 7, "compare entry-changed"},
		{"underscore link in an addition", base, base + "\n" + strings.Replace(c, "pr-link", "pr_link", 1), 7, "compare prlink-wrong-for-pr"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules := testRules()
			rules.UnderscoreKeys = true
			got := Strict(rules, []byte(tt.base), []byte(tt.head), tt.pr)
			if verdictText(got) != tt.want {
				t.Errorf("got %s, want %s: %v", verdictText(got), tt.want, got.Findings)
			}
			checkTexts(t, got.Findings)
		})
	}
}

// TestStrictFileRules are the file rules F1 to F10 of section 3, in order:
// each file breaks its rule and every later one that it can.
func TestStrictFileRules(t *testing.T) {
	good := entry("a", link(1))
	for _, tt := range []struct {
		rule, name, data string
		want             string // category, with the line of the finding
		line             int
	}{
		{"F1", "no final newline", strings.TrimSuffix(good, "\n") + "\r\t", "no-final-newline", 5},
		{"F1", "empty file", "", "no-final-newline", 1},
		{"F2", "CR before TAB", good + "#\t\r\n", "cr", 6},
		{"F3", "TAB inside a string", strings.Replace(good, "Change a", "Change\ta\x00", 1), "tab", 4},
		{"F4", "NUL", good + "# \x00 \xff\n", "nul", 6},
		{"F5", "not UTF-8", good + "# \xff\n- [\n", "not-utf8", 6},
		{"F6", "syntax", good + "- [\n", "yaml-invalid", 0},
		{"F6", "duplicate key", good + "  pr-link: XXX\n", "duplicate-key", 6},
		{"F6", "duplicate key of another form", good + "  1: x\n  true: y\n", "duplicate-key", 7},
		{"F6", "merge key", "- &x\n  config-keys: [a]\n" + good + "  <<: *x\n", "yaml-invalid", 8},
		{"F6", "second document", good + "---\n[]\n", "yaml-invalid", 6},
		{"F6", "list as a key", good + "  [a]: b\n", "yaml-invalid", 6},
		{"F6", "control character", good + "# \x01\n", "yaml-invalid", 6},
		{"F7", "null", "\n", "root-not-list", 1},
		{"F7", "mapping", "a: b\n", "root-not-list", 1},
		{"F8", "another key first", "- pr-link: XXX\n  config-keys: [a]\n  description: [x]\n", "entry-count-mismatch", 1},
		{"F8", "quoted key", strings.Replace(good, "config-keys", `"config-keys"`, 1), "entry-count-mismatch", 1},
		{"F8", "indented list", "  " + strings.ReplaceAll(strings.TrimSuffix(good, "\n"), "\n", "\n  ") + "\n", "entry-count-mismatch", 1},
		{"F8", "two blanks after the dash", strings.Replace(strings.ReplaceAll(good, "\n  ", "\n   "), "- ", "-  ", 1), "entry-count-mismatch", 1},
		{"F8", "byte order mark", "\ufeff" + good, "entry-count-mismatch", 1},
		{"F8", "scalar element", good + "- x\n", "entry-count-mismatch", 6},
		{"F8", "line end of Unicode counts", strings.Replace(good, "Change a", "Change\u2028- config-keys: a", 1), "entry-count-mismatch", 0},
		{"F9", "scalar that looks like an entry", good + "- config-keys:x\n", "entry-not-mapping", 6},
		{"F10", "schema", strings.Replace(good, "    - a\n", "    - 1\n", 1), "entry-schema", 2},
	} {
		t.Run(tt.rule+" "+tt.name, func(t *testing.T) {
			_, findings := parseFile(testRules(), []byte(tt.data))
			if len(findings) == 0 {
				t.Fatalf("accepted, want %s", tt.want)
			}
			if f := findings[0]; f.Category != tt.want || f.Line != tt.line && tt.line > 0 {
				t.Errorf("got %s in line %d, want %s in line %d: %v", f.Category, f.Line, tt.want, tt.line, f)
			}
			checkTexts(t, findings)
		})
	}
}

// TestStrictFileAccepts are forms that the file rules let pass.
func TestStrictFileAccepts(t *testing.T) {
	good := entry("a", link(1))
	for name, data := range map[string]string{
		"plain":                 good,
		"leading document mark": "---\n" + good,
		"flow after the colon":  "- config-keys: [a, b]\n  description: [\"x\"]\n  pr-link: XXX\n",
		"anchor and alias":      "- config-keys: &k [a]\n  description: [\"x\"]\n  pr-link: XXX\n- config-keys: *k\n  description: [\"x\"]\n  pr-link: XXX\n",
		"empty list":            "[]\n",
		"block scalar":          strings.Replace(good, "\"Change a\"", "|\n      two\n      lines", 1),
		"trailing blanks":       strings.ReplaceAll(good, "\n", "  \n"),
	} {
		if _, findings := parseFile(testRules(), []byte(data)); findings != nil {
			t.Errorf("%s: %v", name, findings)
		}
	}
}

func TestStrictMissingFiles(t *testing.T) {
	base := []byte(twoEntries())
	if got := verdictText(Strict(testRules(), nil, base, 7)); got != "read-base file-missing" {
		t.Error(got)
	}
	if got := verdictText(Strict(testRules(), base, nil, 7)); got != "read-head file-missing" {
		t.Error(got)
	}
	if got := verdictText(Strict(testRules(), []byte("x"), base, 7)); got != "parse-base no-final-newline" {
		t.Error(got)
	}
}

// TestStrictNamesTheSide: a finding about the base must not look like one
// about the file of the pull request.
func TestStrictNamesTheSide(t *testing.T) {
	v := Strict(testRules(), []byte("x"), []byte(twoEntries()), 7)
	if got := v.Findings[0].File; got != "perf-changelog.yaml (base)" {
		t.Errorf("file %q", got)
	}
}

func TestSizeBound(t *testing.T) {
	rules := testRules()
	rules.MaxBytes = 100
	big := []byte(twoEntries())
	if v := Strict(rules, []byte("[]\n"), big, 7); v.Accepted || v.Findings[0].Code != "changelog.too-large" {
		t.Errorf("strict: %v", v)
	}
	if _, findings := ExtractAdditions(rules, nil, big); len(findings) != 1 || findings[0].Code != "changelog.too-large" {
		t.Errorf("additions: %v", findings)
	}
	if report := Check(rules, nil, big, 7); !report.Refused() || report.Problems[0].Code != "changelog.too-large" {
		t.Errorf("check: %v", report)
	}
}
