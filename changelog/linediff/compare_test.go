package linediff

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawn renders a script with signs, one line each.
func drawn(old, new string) string {
	a, b := Split([]byte(old)), Split([]byte(new))
	s, err := Compare(a, b)
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for i, j := 0, 0; i < a.Len() || j < b.Len(); {
		switch {
		case i < a.Len() && s.Deleted[i]:
			fmt.Fprintf(&out, "-%s", a.Line(i))
			i++
		case j < b.Len() && s.Inserted[j]:
			fmt.Fprintf(&out, "+%s", b.Line(j))
			j++
		default:
			fmt.Fprintf(&out, " %s", a.Line(i))
			i, j = i+1, j+1
		}
	}
	return out.String()
}

// TestPlacement: where a block goes that could go to several places. "|" is an
// empty line in the input and the output.
func TestPlacement(t *testing.T) {
	block := func(n int) string { return fmt.Sprintf("- k:\n    - x%d\n  l: y\n", n) }
	for _, tt := range []struct{ name, old, new, want string }{
		{"whole block, not the tail of one and the head of the next",
			block(1) + "\n" + block(3), block(1) + "\n" + block(2) + "\n" + block(3),
			" - k:\n     - x1\n   l: y\n \n+- k:\n+    - x2\n+  l: y\n+\n - k:\n     - x3\n   l: y\n"},
		{"without separators", block(1) + block(3), block(1) + block(2) + block(3),
			" - k:\n     - x1\n   l: y\n+- k:\n+    - x2\n+  l: y\n - k:\n     - x3\n   l: y\n"},
		{"at the end with a separator", block(1), block(1) + "\n" + block(2),
			" - k:\n     - x1\n   l: y\n+\n+- k:\n+    - x2\n+  l: y\n"},
		{"repeated line goes last", "a\na\n", "a\na\na\n", " a\n a\n+a\n"},
		{"facing groups", "a\nb\nc\n", "a\nB\nc\n", " a\n-b\n+B\n c\n"},
		{"last line without LF differs", "a\nb", "a\nb\n", " a\n-b+b\n"},
		{"equal", "a\n", "a\n", " a\n"},
		{"empty old", "", "a\n", "+a\n"},
		{"empty new", "a\n", "", "-a\n"},
		{"both empty", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, drawn(tt.old, tt.new)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIndent(t *testing.T) {
	for text, want := range map[string]int{
		"a\n": 0, "  a\n": 2, "\ta\n": 8, "   \ta\n": 8, "\n": -1, "  \n": -1, "\va\n": 0, "  ": -1,
		strings.Repeat(" ", 500) + "a": maxIndent, "        \ta": 16,
	} {
		if got := Split([]byte(text)).indent(0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestShortest compares the number of edits with the plain table of longest
// common subsequences.
func TestShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 40)
		a, b := ids.Draw(t, "old"), ids.Draw(t, "new")
		s, err := Sequences(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := count(s.Deleted), len(a)-longestCommon(a, b); got != want {
			t.Fatalf("%d deletions, want %d", got, want)
		}
		if got, want := count(s.Inserted), len(b)-longestCommon(a, b); got != want {
			t.Fatalf("%d insertions, want %d", got, want)
		}
	})
}

func count(marks []bool) int {
	n := 0
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

func longestCommon(a, b []int32) int {
	row := make([]int, len(b)+1)
	for i := range a {
		corner := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			corner = above
		}
	}
	return row[len(b)]
}

// TestApplies: what is left over is equal on both sides, whatever the texts.
func TestApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a\n", "b\n", "  c\n", "\n", "\n", "    d\n", "\t\n", "e"})
		texts := rapid.SliceOfN(line, 0, 30)
		old := strings.Join(texts.Draw(t, "old"), "")
		new := strings.Join(texts.Draw(t, "new"), "")
		s, err := Compare(Split([]byte(old)), Split([]byte(new)))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := left(old, s.Deleted), left(new, s.Inserted); a != b {
			t.Fatalf("%q\n%q", a, b)
		}
	})
}

func left(text string, marks []bool) string {
	var b strings.Builder
	for i, t := 0, Split([]byte(text)); i < t.Len(); i++ {
		if !marks[i] {
			b.Write(t.Line(i))
		}
	}
	return b.String()
}

// hostileText has many short lines of few kinds: the worst case for the search.
func hostileText(seed uint64, lines int) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	var b bytes.Buffer
	for range lines {
		b.WriteString([]string{"a\n", "b\n", "\n"}[r.IntN(3)])
	}
	return b.Bytes()
}

// TestWorkIsBounded: hostile texts end in an error, not in minutes of work.
func TestWorkIsBounded(t *testing.T) {
	_, err := compare(Split(hostileText(1, 5000)), Split(hostileText(2, 5000)), 100_000)
	if !errors.Is(err, ErrTooDifferent) {
		t.Errorf("got %v", err)
	}
	if _, err := Compare(Split(hostileText(1, 5000)), Split(hostileText(2, 5000))); err != nil {
		t.Errorf("5,000 lines are not many: %v", err)
	}
}

// TestUnifiedAppliesWithGit: git accepts the rendered diff and makes the new
// text of the old one.
func TestUnifiedAgreesWithGit(t *testing.T) {
	needGit(t)
	for seed := range uint64(40) {
		h := history{rand.New(rand.NewPCG(seed, 11))}
		old := h.file(1 + h.IntN(9))
		new := h.edit(old)
		if seed%4 == 0 {
			new = strings.TrimSuffix(new, "\n")
		}
		a, b := Split([]byte(old)), Split([]byte(new))
		s, err := Compare(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(gitUnified(t, []byte(old), []byte(new)), Unified("a/f", "b/f", a, b, s)); diff != "" {
			t.Errorf("seed %d (git, ours):\n%s", seed, diff)
		}
	}
}

var hunkTail = regexp.MustCompile(`(?m)^(@@ .* @@).*$`)

// gitUnified is git's diff from the line of the old name on, without what it
// adds to the hunk headers.
func gitUnified(t *testing.T, old, new []byte) string {
	out := gitDiff(t, old, new, "-U3")
	at := bytes.Index(out, []byte("\n@@ "))
	if at < 0 {
		return ""
	}
	text := "--- a/f\n+++ b/f" + string(out[at:])
	return hunkTail.ReplaceAllString(text, "$1")
}

// BenchmarkCompare: one entry inserted into a changelog of 6,400 lines, and a
// hundred entries changed.
func BenchmarkCompare(b *testing.B) {
	h := history{rand.New(rand.NewPCG(1, 1))}
	old := h.file(700)
	half := strings.Index(old[len(old)/2:], "- config-keys") + len(old)/2
	inserted := old[:half] + h.entry() + "\n" + old[half:]
	edited := strings.Replace(old, "text 1", "text one", 200)
	for name, new := range map[string]string{"insert": inserted, "edit": edited} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(old)))
			for b.Loop() {
				if _, err := Compare(Split([]byte(old)), Split([]byte(new))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("hostile", func(b *testing.B) {
		x, y := hostileText(1, 20_000), hostileText(2, 20_000)
		for b.Loop() {
			_, _ = Compare(Split(x), Split(y))
		}
	})
}
