package reuse

import (
	"strings"
	"testing"
)

func TestSweepStale(t *testing.T) {
	const sha = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		body             string
		want             StaleWish
		found, malformed bool
	}{
		{"/sweep-stale", StaleWish{}, true, false},
		{"  /sweep-stale  \r\n", StaleWish{}, true, false},
		{"Fixed.\n\n/sweep-stale 0123\n\nThanks", StaleWish{Run: "123"}, true, false},
		{"/sweep-stale\tabcdef1", StaleWish{Commit: "abcdef1"}, true, false},
		{"/sweep-stale " + sha, StaleWish{Commit: sha}, true, false},
		{"/sweep-stale 1\n/sweep-stale 2", StaleWish{Run: "2"}, true, false},
		{"/sweep-stale 1\n/sweep-stale latest", StaleWish{}, false, true},
		{"/sweep-stale 0", StaleWish{Run: "0"}, false, true},
		{"/sweep-stale 1234567890123456789", StaleWish{Run: "1234567890123456789"}, false, true},
		{"/sweep-stale abc", StaleWish{Commit: "abc"}, false, true},
		{"/sweep-stale ABCDEF1", StaleWish{}, false, true},
		{"/sweep-stale 1 2", StaleWish{}, false, true},
		{"/sweep-stale --upload-pack=x", StaleWish{}, false, true},
		{"/sweep-stale refs/heads/main", StaleWish{}, false, true},
		{"/sweep-stale $(id)", StaleWish{}, false, true},
		{"> /sweep-stale", StaleWish{}, false, false},
		{"`/sweep-stale`", StaleWish{}, false, false},
		{"- /sweep-stale", StaleWish{}, false, false},
		{"    /sweep-stale", StaleWish{}, false, false},
		{"\t/sweep-stale", StaleWish{}, false, false},
		{"```\n/sweep-stale\n```", StaleWish{}, false, false},
		{"~~~~\n```\n/sweep-stale 7\n~~~~\n/sweep-stale 8", StaleWish{Run: "8"}, true, false},
		{"```\n/sweep-stale\n``` no end\n/sweep-stale", StaleWish{}, false, false},
		{"please /sweep-stale", StaleWish{}, false, false},
		{"/sweep-stalest", StaleWish{}, false, false},
		{"/Sweep-Stale", StaleWish{}, false, false},
		{"\ufeff/sweep-stale", StaleWish{}, false, false},
	} {
		wish, found, malformed := ParseSweepStale(c.body)
		if wish != c.want || found != c.found || malformed != c.malformed {
			t.Errorf("%q: %+v %v %v", c.body, wish, found, malformed)
		}
	}
}

// FuzzSweepStale holds that what is handed on consists of digits of its kind.
func FuzzSweepStale(f *testing.F) {
	f.Add("/sweep-stale 12")
	f.Add("```\n/sweep-stale abcdef0\n")
	f.Fuzz(func(t *testing.T, body string) {
		wish, found, malformed := ParseSweepStale(body)
		if found && malformed || found && !strings.Contains(body, SweepStale) {
			t.Fatalf("%q: %v %v", body, found, malformed)
		}
		if strings.Trim(wish.Run, "0123456789") != "" || strings.Trim(wish.Commit, "0123456789abcdef") != "" {
			t.Fatalf("%q gives %+v", body, wish)
		}
	})
}
