package changelog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// seeds are files that exercise the readers.
func seeds() []string {
	a, c := entry("a", link(1)), entry("c", "XXX")
	return []string{
		"", "\n", "[]\n", "---\n" + a, a, joined(a, c), a + c, "\ufeff" + a, strings.ReplaceAll(a, "\n", "\r\n"),
		strings.TrimSuffix(a, "\n"), joined(a, "# note\n"+c), a + "  <<: *x\n", a + "  evals-only: \"yes\"\n",
		"- config-keys: [a, b]\n  description: |\n    x\n\n    y\n  pr-link: XXX\n", a + "\n  " + c,
		a + "\n- [\n", a + "--x\n++y\n", "- config-keys:x\n", "-\n", "- \n\n\n", a + "  \"pr-link\": XXX\n",
		strings.Replace(a, "Change", "\xff", 1), strings.Replace(a, "Change", "\t\u2028", 1), "- ? [a]\n  : b\n",
	}
}

// known fails the test when a finding has no text: then nobody could read it.
func known(t *testing.T, findings diag.List) {
	t.Helper()
	for _, f := range findings {
		if f.Message("en") == "" || f.Line < 0 || f.Severity == diag.Error && f.Mend("en") == "" {
			t.Errorf("%s: %v", f.Code, f)
		}
	}
}

// FuzzParseFile: no input ends the program, and an accepted file compares
// clean with itself.
func FuzzParseFile(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, findings := parseFile(testRules(), data)
		known(t, findings)
		if findings != nil {
			return
		}
		if v := Strict(testRules(), data, data, 7); !v.Accepted || v.Additions+v.Corrections != 0 {
			t.Errorf("a file differs from itself: %v", v)
		}
		if _, f := entrySpans(testRules(), file); f != nil && !bytes.ContainsAny(data, "\u0085\u2028\u2029") {
			t.Errorf("spans: %v", f)
		}
	})
}

// FuzzAdditions: a change of any kind is judged without a panic; what the
// strict gate accepts has no error in Check; what Fix makes passes the gate.
func FuzzAdditions(f *testing.F) {
	for _, base := range seeds() {
		for _, more := range []string{"\n" + entry("c", "XXX"), "x: y\n", ""} {
			f.Add([]byte(base), []byte(base+more))
			f.Add([]byte(base), []byte(more+base))
		}
	}
	strict := testRules()
	strict.Gate = Gate{}
	f.Fuzz(func(t *testing.T, base, head []byte) {
		for _, rules := range []Rules{testRules(), referenceRules()} {
			_, findings := ExtractAdditions(rules, base, head)
			known(t, findings)
			known(t, Examine(rules, base, head, 7).Findings)
		}
		report := Check(strict, base, head, 7)
		known(t, report.Findings())
		if v := Strict(strict, base, head, 7); v.Accepted && len(report.Problems) > 0 {
			t.Errorf("the strict gate accepts, Check says %v", report.Findings())
		}
		fixed, err := Fix(strict, base, head, 7)
		if err != nil {
			known(t, err.(diag.List))
			return
		}
		if _, unreadable := parseFile(strict, withFinalLF(base)); unreadable != nil {
			return
		}
		if v := Strict(strict, withFinalLF(base), fixed.Data, 7); !v.Accepted {
			t.Errorf("the mended file is refused: %v", v.Findings)
		}
		fixed.Diff("x", head)
	})
}

// FuzzResolveConflict: three files of any kind; the result passes the gate as
// a change of main, or there is none.
func FuzzResolveConflict(f *testing.F) {
	base := twoEntries()
	for _, ours := range []string{base + "\n" + entry("c", "XXX"), joined(entry("a", link(1)), entry("b", link(9))), base} {
		for _, main := range append(seeds(), base+"\n"+entry("m", link(5))) {
			f.Add([]byte(base), []byte(ours), []byte(main))
		}
	}
	f.Fuzz(func(t *testing.T, base, ours, main []byte) {
		out, err := ResolveConflict(testRules(), base, ours, main, 7)
		if err != nil {
			known(t, err.(diag.List))
			return
		}
		if v := Strict(testRules(), main, out, 7); !v.Accepted {
			t.Errorf("%v\n%q", v.Findings, out)
		}
		if v := Strict(testRules(), base, ours, 7); v.Additions > 0 && !bytes.HasPrefix(out, main) {
			t.Errorf("main changed: %q", out)
		}
	})
}
