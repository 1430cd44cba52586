package changelog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const minimal = "- config-keys: [a]\n  description: [x]\n  pr-link: XXX\n"

func decodeOne(t *testing.T, rules Rules, text string) (Entry, []string) {
	t.Helper()
	entries, findings := ExtractAdditions(rules, nil, []byte(text))
	checkTexts(t, findings)
	if findings != nil {
		return Entry{}, codes(findings)
	}
	return entries[0], nil
}

// TestEntrySchema is the table of spec/changelog.md section 1: what stands
// after the three required keys, and the findings.
func TestEntrySchema(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"minimal", minimal, nil},
		{"every flag off", minimal + "  evals-only: false\n  all-evals: false\n  no-evals: false\n  append-only: false\n", nil},
		{"evals-only with all-evals", minimal + "  evals-only: true\n  all-evals: true\n", nil},
		{"nulls where allowed", minimal + "  eval-min-prefill-ep: null\n  scenario-type:\n", nil},
		{"both scenarios", minimal + "  scenario-type: [agentic-coding, fixed-seq-len]\n", nil},
		{"any link text", strings.Replace(minimal, "XXX", `""`, 1), nil},

		{"unknown key", minimal + "  comment: x\n", []string{"4 unknown-key"}},
		{"misspelt key", minimal + "  evals-onyl: true\n", []string{"4 unknown-key-near"}},
		{"number as key", minimal + "  1: true\n", []string{"4 unknown-key"}},
		{"underscore key", strings.Replace(minimal, "pr-link", "pr_link", 1), []string{"3 underscore-key"}},
		{"missing keys", "- config-keys: [a]\n", []string{"1 missing-key", "1 missing-key"}},
		{"empty lists", "- config-keys: []\n  description: []\n  pr-link: XXX\n", []string{"1 empty-list", "2 empty-list"}},
		{"key not a string", strings.Replace(minimal, "[a]", "[a, 7, no]", 1), []string{"1 not-a-string", "1 not-a-string"}},
		{"date in a description", strings.Replace(minimal, "[x]", "[2026-11-01]", 1), []string{"2 not-a-string"}},
		{"description as text", strings.Replace(minimal, "[x]", "x", 1), []string{"2 not-a-list"}},
		{"link as number", strings.Replace(minimal, "XXX", "1234", 1), []string{"3 not-a-string"}},
		{"link null", strings.Replace(minimal, "XXX", "", 1), []string{"3 not-a-string"}},
		{"flag as text", minimal + "  evals-only: \"true\"\n", []string{"4 not-a-flag"}},
		{"flag null", minimal + "  all-evals:\n", []string{"4 not-a-flag"}},
		{"ep zero", minimal + "  eval-min-prefill-ep: 0\n", []string{"4 below-minimum"}},
		{"ep as float", minimal + "  eval-min-prefill-ep: 4.0\n", []string{"4 not-an-integer"}},
		{"scenario as text", minimal + "  scenario-type: fixed-seq-len\n", []string{"4 not-a-list"}},
		{"empty scenarios", minimal + "  scenario-type: []\n", []string{"4 empty-list"}},
		{"unknown scenario", minimal + "  scenario-type: [fixed-seq-len, chat]\n", []string{"4 unknown-scenario"}},
		{"append-only clashes", minimal + "  append-only: true\n  evals-only: true\n  all-evals: true\n  eval-min-prefill-ep: 1\n",
			[]string{"4 flags-clash", "4 flags-clash", "4 flags-clash"}},
		{"no-evals clashes", minimal + "  no-evals: true\n  all-evals: true\n", []string{"4 flags-clash"}},
		{"every violation is found", "- config-keys: a\n  descripton: [x]\n  pr-link: XXX\n  evals-only: maybe\n",
			[]string{"2 unknown-key-near", "1 not-a-list", "1 missing-key", "4 not-a-flag"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, got := decodeOne(t, testRules(), tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoEvalsIsUnknownInAugust: the key came later.
func TestNoEvalsIsUnknownInAugust(t *testing.T) {
	rules := testRules()
	rules.NoEvals = false
	if _, got := decodeOne(t, rules, minimal+"  no-evals: false\n"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

// TestLenientTypes is the coercion table of spec/matrix.md section 5 for the
// kinds that entries use. S43 is among them.
func TestLenientTypes(t *testing.T) {
	lenient := testRules()
	lenient.LenientTypes = true
	for _, tt := range []struct {
		text   string
		strict bool // accepted by the strict dialect too
		want   bool // accepted leniently
		set    bool // value of the flag
	}{
		{"true", true, true, true}, {"yes", true, true, true}, {"on", true, true, true}, {"no", true, true, false},
		{`"true"`, false, true, true}, {`"T"`, false, true, true}, {`"YES"`, false, true, true}, {`"off"`, false, true, false},
		{"y", false, true, true}, {"1", false, true, true}, {"0", false, true, false}, {"1.0", false, true, true},
		{"2", false, false, false}, {"maybe", false, false, false}, {`" true"`, false, false, false}, {"0.5", false, false, false},
	} {
		text := minimal + "  evals-only: " + tt.text + "\n"
		_, strict := decodeOne(t, testRules(), text)
		e, findings := decodeOne(t, lenient, text)
		if (strict == nil) != tt.strict || (findings == nil) != tt.want || e.EvalsOnly != tt.set {
			t.Errorf("%s: strict %v, lenient %v, value %v", tt.text, strict, findings, e.EvalsOnly)
		}
	}
}

func TestLenientIntegers(t *testing.T) {
	lenient := testRules()
	lenient.LenientTypes = true
	for text, want := range map[string]int{
		"8": 8, "010": 8, "0x10": 16, "1_0": 10, "8.0": 8, "true": 1, `"8"`: 8, `" +8 "`: 8, `"8.0"`: 8, `"1_0"`: 10,
		"8.5": 0, `"8.5"`: 0, `"x"`: 0, `"8."`: 0, `"_8"`: 0, `"8_"`: 0, `"1__0"`: 0, `""`: 0, "1e1": 0, "[8]": 0, "08": 8,
	} {
		e, findings := decodeOne(t, lenient, minimal+"  eval-min-prefill-ep: "+text+"\n")
		switch {
		case want == 0 && findings == nil:
			t.Errorf("%s: accepted as %v", text, e.EvalMinPrefillEP)
		case want != 0 && (e.EvalMinPrefillEP == nil || *e.EvalMinPrefillEP != want):
			t.Errorf("%s: got %v %v, want %d", text, e.EvalMinPrefillEP, findings, want)
		}
	}
}

func TestUnderscoreKeysAccepted(t *testing.T) {
	rules := testRules()
	rules.UnderscoreKeys = true
	e, findings := decodeOne(t, rules, "- config_keys: [a]\n  description: [x]\n  pr_link: XXX\n  evals_only: true\n")
	if findings != nil || e.PRLink != "XXX" || !e.EvalsOnly || e.ConfigKeys[0] != "a" {
		t.Errorf("got %+v %v", e, findings)
	}
	if got := e.Place("f", keyPRLink); got.Line != 3 {
		t.Errorf("place %v", got)
	}
	if _, findings := decodeOne(t, rules, minimal+"  pr_link: YYY\n"); len(findings) != 1 {
		t.Errorf("both spellings: %v", findings)
	}
}

// TestDocument: defaults filled, key order of section 8.
func TestDocument(t *testing.T) {
	e, _ := decodeOne(t, testRules(), minimal+"  scenario-type: [agentic-coding]\n  eval-min-prefill-ep: 4\n  all-evals: yes\n")
	want := []DocumentField{
		{"config-keys", []string{"a"}}, {"description", []string{"x"}}, {"pr-link", "XXX"},
		{"evals-only", false}, {"all-evals", true}, {"no-evals", false}, {"append-only", false},
		{"eval-min-prefill-ep", 4}, {"scenario-type", []string{"agentic-coding"}},
	}
	if diff := cmp.Diff(want, e.Document(testRules())); diff != "" {
		t.Error(diff)
	}
	august := testRules()
	august.NoEvals = false
	e, _ = decodeOne(t, august, minimal)
	if diff := cmp.Diff(append(append([]DocumentField{}, want[:4]...), DocumentField{"all-evals", false}, want[6]),
		e.Document(august), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if !e.Covers(FixedSeqLen) || !e.Covers(AgenticCoding) {
		t.Error("an entry without scenario-type covers both")
	}
}

// TestAliasBomb is S41: refused quickly, here and in the strict gate.
func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("- config-keys: [a]\n  description: [x]\n  pr-link: XXX\n  a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 9; i++ {
		prev := "*a" + string(rune('0'+i-1))
		b.WriteString("  a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.TrimSuffix(strings.Repeat(prev+",", 9), ",") + "]\n")
	}
	if _, findings := ExtractAdditions(testRules(), nil, []byte(b.String())); findings == nil {
		t.Error("accepted by the planner")
	}
	if _, findings := parseFile(testRules(), []byte(b.String())); findings == nil {
		t.Error("accepted by the strict gate")
	}
}

// TestDuplicateKey is S42: both lines are named, in lines of the head file.
func TestDuplicateKey(t *testing.T) {
	base := twoEntries()
	_, findings := ExtractAdditions(testRules(), []byte(base), []byte(base+"\n"+entry("c", "XXX", "  pr-link: YYY\n")))
	wantCodes(t, findings, "18 yaml.duplicate-key")
	if got := findings[0].Error(); !strings.Contains(got, "line 17 and again in line 18") {
		t.Error(got)
	}
	lastWins := testRules()
	lastWins.LastKeyWins = true
	entries, findings := ExtractAdditions(lastWins, []byte(base), []byte(base+"\n"+entry("c", "XXX", "  pr-link: YYY\n")))
	if findings != nil || entries[0].PRLink != "YYY" {
		t.Errorf("last key wins: %v %v", entries, findings)
	}
}
