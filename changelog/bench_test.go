package changelog

import (
	"fmt"
	"strings"
	"testing"
)

// bigChangelog has the size of the real one of August 2026: 772 entries in
// about 400 kB.
func bigChangelog() string {
	var b strings.Builder
	for i := range 772 {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- config-keys:\n    - model%d-fp8-chip%d-engine\n    - model%d-fp4-chip%d-engine\n  description:\n", i%40, i%7, i%40, i%7)
		for j := range 3 {
			fmt.Fprintf(&b, "    - \"Change number %d of entry %d: raise the image to v0.%d.%d and tune the search space for more concurrencies\"\n", j, i, i%30, j)
		}
		fmt.Fprintf(&b, "  pr-link: %s\n", link(1000+i))
	}
	return b.String()
}

// benchChanges are one entry appended, and one inserted in the middle.
func benchChanges() (base, appended, inserted []byte) {
	text := bigChangelog()
	new := entry("new-config", "XXX")
	at := entryOffsets([]byte(text))[386]
	return []byte(text), []byte(text + "\n" + new), []byte(text[:at] + new + "\n" + text[at:])
}

func BenchmarkStrict(b *testing.B) {
	base, head, _ := benchChanges()
	b.SetBytes(int64(len(base) + len(head)))
	for b.Loop() {
		if !Strict(testRules(), base, head, 7).Accepted {
			b.Fatal("refused")
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	base, appended, inserted := benchChanges()
	for name, head := range map[string][]byte{"appended": appended, "inserted": inserted} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(head)))
			for b.Loop() {
				Check(testRules(), base, head, 7)
			}
		})
	}
}

func BenchmarkExtractAdditions(b *testing.B) {
	base, appended, inserted := benchChanges()
	for name, head := range map[string][]byte{"appended": appended, "inserted": inserted} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(head)))
			for b.Loop() {
				if entries, _ := ExtractAdditions(testRules(), base, head); len(entries) != 1 {
					b.Fatal("not one entry")
				}
			}
		})
	}
}

func BenchmarkFix(b *testing.B) {
	base, _, inserted := benchChanges()
	for b.Loop() {
		if _, err := Fix(testRules(), base, inserted, 7); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolveConflict(b *testing.B) {
	base, ours, _ := benchChanges()
	main := []byte(string(base) + "\n" + entry("other", link(5)))
	for b.Loop() {
		if _, err := ResolveConflict(testRules(), base, ours, main, 7); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAppendDoesNotParseTheBase holds the promise that an append costs what
// its own text costs: the work is counted in allocations, not in time.
func TestAppendDoesNotParseTheBase(t *testing.T) {
	base, appended, _ := benchChanges()
	small := []byte(twoEntries())
	smallHead := []byte(twoEntries() + "\n" + entry("new-config", "XXX"))
	for name, do := range map[string]func(base, head []byte){
		"ExtractAdditions": func(base, head []byte) { ExtractAdditions(testRules(), base, head) },
		"Check":            func(base, head []byte) { Check(testRules(), base, head, 7) },
	} {
		big := testing.AllocsPerRun(5, func() { do(base, appended) })
		little := testing.AllocsPerRun(5, func() { do(small, smallHead) })
		if big > little+5 {
			t.Errorf("%s: %v allocations for 400 kB, %v for 200 bytes", name, big, little)
		}
	}
}
