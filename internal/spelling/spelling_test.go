package spelling

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"image", "image", 0},
		{"image", "imgae", 1}, // neighbours swapped
		{"runner", "runers", 2},
		{"kitten", "sitting", 3},
		{strings.Repeat("a", Longest+1), "a", Longest + 1},
	} {
		if got := Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"framework", "runner", "rummer", "image"}
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"framwork", 2, "framework"},
		{"runer", 2, "runner"},
		{"ruNMer", 2, "runner"}, // as far as "rummer": the earlier one
		{"picture", 2, ""},
		{"image", 0, "image"},
	} {
		if got := Nearest(tt.text, known, tt.limit); got != tt.want {
			t.Errorf("Nearest(%q, %d) = %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

func TestDistanceIsSymmetricAndBounded(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := Distance(a, b)
		if d != Distance(b, a) {
			t.Fatalf("distance of %q and %q depends on the order", a, b)
		}
		if (d == 0) != (a == b) || d > max(len(a), len(b)) || d < max(len(a)-len(b), len(b)-len(a)) {
			t.Fatalf("distance of %q and %q is %d", a, b, d)
		}
	})
}
