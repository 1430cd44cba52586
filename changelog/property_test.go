package changelog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/changelog/linediff"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// drawEntry writes a well-formed entry with few enough words that entries and
// lines repeat.
func drawEntry(t *rapid.T, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- config-keys:\n    - key-%d\n", rapid.IntRange(0, 3).Draw(t, "key"))
	if rapid.IntRange(0, 3).Draw(t, "scenario") == 0 {
		b.WriteString("  scenario-type:\n    - agentic-coding\n")
	}
	b.WriteString("  description:\n")
	for range rapid.IntRange(1, 3).Draw(t, "lines") {
		fmt.Fprintf(&b, "    - \"text %d\"\n", rapid.IntRange(0, 5).Draw(t, "text"))
	}
	fmt.Fprintf(&b, "  pr-link: %s\n", rapid.SampledFrom(links).Draw(t, "link"))
	return b.String()
}

// drawBase is a file that the strict rules accept.
func drawBase(t *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(1, 5).Draw(t, "entries")
	for i := range n {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n", "", "  \n", "\n\n", "# note\n"}).Draw(t, "separator"))
		}
		b.WriteString(drawEntry(t, link(1), link(2), link(3)))
	}
	b.WriteString(rapid.SampledFrom([]string{"", "", "", "\n", "  \n"}).Draw(t, "end"))
	return b.String()
}

// drawAppend adds entries the right way.
func drawAppend(t *rapid.T, base string, links ...string) string {
	out := base
	for range rapid.IntRange(1, 3).Draw(t, "appended") {
		out += separatorAfter([]byte(out)) + drawEntry(t, links...)
	}
	return out
}

// drawChange does a few things to a file that authors and editors do.
func drawChange(t *rapid.T, file string) string {
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		file = changeOnce(t, file)
	}
	return file
}

func changeOnce(t *rapid.T, file string) string {
	lines := strings.SplitAfter(file, "\n")
	at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
	switch rapid.IntRange(0, 9).Draw(t, "change") {
	case 0, 1:
		return drawAppend(t, file, "XXX", link(7), "TBD", link(8))
	case 2: // an entry before another one
		starts := entryOffsets([]byte(file))
		if len(starts) == 0 {
			return file
		}
		cut := starts[rapid.IntRange(0, len(starts)-1).Draw(t, "start")]
		return file[:cut] + drawEntry(t, "XXX", link(7)) + "\n" + file[cut:]
	case 3: // a line goes
		return strings.Join(append(append([]string{}, lines[:at]...), lines[at+1:]...), "")
	case 4: // blanks at the end of a line
		lines[at] = strings.TrimRight(lines[at], " \n") + rapid.SampledFrom([]string{"", "  "}).Draw(t, "blanks") + "\n"
		return strings.Join(lines, "")
	case 5: // a line changes
		lines[at] = strings.Replace(lines[at], "text", "words", 1)
		return strings.Join(lines, "")
	case 6: // a line comes
		lines[at] += rapid.SampledFrom([]string{"\n", "# note\n", "    - \"text 9\"\n", "  \n"}).Draw(t, "line")
		return strings.Join(lines, "")
	case 7:
		return strings.TrimSuffix(file, "\n")
	case 8: // the last link
		if i := strings.LastIndex(file, "pull/"); i >= 0 {
			return file[:i] + "pull/9" + file[min(i+6, len(file)):]
		}
		return file
	default:
		return strings.ReplaceAll(file, "\n", "\r\n")
	}
}

// TestStrictAndCheckAgree: on a base that can be read, the strict gate accepts
// a change exactly when Check has nothing to say.
func TestStrictAndCheckAgree(t *testing.T) {
	rules := testRules()
	rules.Gate = Gate{}
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		head := drawChange(t, base)
		verdict := Strict(rules, []byte(base), []byte(head), 7)
		report := Check(rules, []byte(base), []byte(head), 7)
		if verdict.Accepted != (len(report.Problems) == 0) {
			t.Fatalf("strict: %s %v\ncheck: %v\nbase:\n%q\nhead:\n%q", verdictText(orAccepted(verdict)), verdict.Findings, report.Findings(), base, head)
		}
	})
}

func orAccepted(v Verdict) Verdict {
	if !v.Accepted && len(v.Findings) == 0 {
		v.Findings = diag.List{{}}
	}
	return v
}

// TestCheckFindsWhatThePlannerReads: with positions off, both look for the
// additions in their own way and find the same.
func TestCheckFindsWhatThePlannerReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		head := drawChange(t, base)
		entries, findings := ExtractAdditions(testRules(), []byte(base), []byte(head))
		report := Check(testRules(), []byte(base), []byte(head), 7)
		if findings != nil || hasHistory(report) {
			return
		}
		a, b := signatures(entries), signatures(report.Added)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("planner, check:\n%s\nbase:\n%q\nhead:\n%q", diff, base, head)
		}
	})
}

func hasHistory(r Report) bool {
	for _, p := range r.Problems {
		if p.Class == ClassHistory {
			return true
		}
	}
	return false
}

// TestSuffixEqualsDiff: the quick way for appends gives what the line diff
// gives (spec/changelog.md sections 6.1 and 11).
func TestSuffixEqualsDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		head := drawAppend(t, base, "XXX", link(7), link(1))
		quick, findings := addedText(testRules(), []byte(base), []byte(head))
		if findings != nil || quick.lines != nil {
			t.Fatalf("not the quick way: %v", findings)
		}
		slow, findings := diffedText(testRules(), linediff.Split([]byte(base)), linediff.Split([]byte(head)))
		if findings != nil {
			t.Fatalf("%v\nbase:\n%q\nhead:\n%q", findings, base, head)
		}
		a, _ := readAdditions(testRules(), quick)
		b, _ := readAdditions(testRules(), slow)
		if diff := cmp.Diff(signatures(a), signatures(b)); diff != "" {
			t.Fatalf("suffix, diff:\n%s\nbase:\n%q\nhead:\n%q", diff, base, head)
		}
	})
}

// TestFixProperty: the mended file passes the strict gate, begins with the
// base but for corrected links, keeps every entry that was added, and mending
// again changes nothing.
func TestFixProperty(t *testing.T) {
	mended := 0
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		head := drawChange(t, base)
		fixed, err := Fix(testRules(), []byte(base), []byte(head), 7)
		if err != nil {
			return
		}
		mended++
		verdict := Strict(testRules(), []byte(base), fixed.Data, 7)
		if !verdict.Accepted {
			t.Fatalf("refused: %v\n%q", verdict.Findings, fixed.Data)
		}
		if verdict.Corrections == 0 && !bytes.HasPrefix(fixed.Data, []byte(base)) {
			t.Fatalf("history changed:\nbase:\n%q\nmended:\n%q", base, fixed.Data)
		}
		if line, text, lost := lostLine([]byte(head), fixed.Data); lost {
			t.Fatalf("line %d lost: %q", line, text)
		}
		again, err := Fix(testRules(), []byte(base), fixed.Data, 7)
		if err != nil || again.Changed {
			t.Fatalf("mending again: %v\n%q", err, fixed.Data)
		}
	})
	if mended == 0 {
		t.Error("nothing was mended")
	}
}

// TestCanonicalizeProperty: idempotent, passes the gate, changes only lines of
// links behind the base, and leaves no placeholder there.
func TestCanonicalizeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		head := drawAppend(t, base, "XXX", link(7), "https://github.com/o/r/pull/XXX")
		out, err := Canonicalize(testRules(), []byte(base), []byte(head), 7)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(out, []byte(base)) || bytes.Contains(out[len(base):], []byte(placeholder)) {
			t.Fatalf("history changed, or a placeholder is left:\n%q", out)
		}
		if !Strict(testRules(), []byte(base), out, OnMain).Accepted {
			t.Fatalf("main would refuse:\n%q", out)
		}
		again, err := Canonicalize(testRules(), []byte(base), out, 7)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("not idempotent: %v", err)
		}
	})
}

// TestResolveProperty: the result is main, byte for byte, and behind it every
// new entry of the pull request that main does not have; it passes the gate.
func TestResolveProperty(t *testing.T) {
	resolved := 0
	rapid.Check(t, func(t *rapid.T) {
		base := drawBase(t)
		ours := drawAppend(t, base, "XXX", link(7))
		main := drawAppend(t, base, link(3), link(4))
		out, err := ResolveConflict(testRules(), []byte(base), []byte(ours), []byte(main), 7)
		if err != nil {
			if code := err.(diag.List)[0].Code; code != "changelog.resolve-nothing-left" {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		resolved++
		if !bytes.HasPrefix(out, []byte(main)) {
			t.Fatalf("main changed:\n%q", out)
		}
		if v := Strict(testRules(), []byte(main), out, OnMain); !v.Accepted {
			t.Fatalf("%v\n%q", v.Findings, out)
		}
		keepsEveryEntry(t, base, ours, main, out)
	})
	if resolved == 0 {
		t.Error("nothing was resolved")
	}
}

// keepsEveryEntry looks for every new entry of the pull request in the result.
func keepsEveryEntry(t *rapid.T, base, ours, main string, out []byte) {
	old, _ := parseFile(testRules(), []byte(base))
	pr, _ := parseFile(testRules(), []byte(ours))
	result, findings := parseFile(testRules(), out)
	if findings != nil {
		t.Fatal(findings)
	}
	have := make(map[string]bool)
	for _, entry := range result.entries {
		have[signature(entry)] = true
	}
	for _, entry := range pr.entries[len(old.entries):] {
		if !have[signature(entry)] {
			t.Fatalf("entry lost: %s\nmain:\n%q\nresult:\n%q", signature(entry), main, out)
		}
	}
}
