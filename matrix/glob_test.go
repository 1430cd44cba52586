package matrix

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b.c", true}, {"?", "", false}, {"?", "é", true},
		{"a*c", "abc", true}, {"a*c", "ac", true}, {"a*c", "abcd", false}, {"**a**", "xay", true},
		{"[ab]", "b", true}, {"[!ab]", "b", false}, {"[!ab]", "c", true}, {"[a-c]x", "bx", true}, {"[a-c]x", "dx", false},
		{"[]]", "]", true}, {"[!]]", "]", false}, {"[a-]", "-", true}, {"[", "[", true}, {"[a", "[a", true}, {"a[", "a", false},
		{"A", "a", false}, {"a.b", "axb", false}, {"[z-a]", "m", false}, {`\*`, `\x`, true}, {`\*`, `*`, false},
	} {
		if got := Glob(c.pattern, c.name); got != c.want {
			t.Errorf("Glob(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

// oracle matches by trying every split.
func oracle(pattern, name []rune) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == '*' {
		for i := range len(name) + 1 {
			if oracle(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	if pattern[0] == '?' {
		return oracle(pattern[1:], name[1:])
	}
	if set, rest, ok := oracleSet(pattern); ok {
		return set(name[0]) && oracle(rest, name[1:])
	}
	return pattern[0] == name[0] && oracle(pattern[1:], name[1:])
}

// oracleSet reads a set as the list of its runes.
func oracleSet(pattern []rune) (set func(rune) bool, rest []rune, ok bool) {
	if pattern[0] != '[' {
		return nil, nil, false
	}
	body := pattern[1:]
	negated := len(body) > 0 && body[0] == '!'
	if negated {
		body = body[1:]
	}
	end := -1
	for i := range body {
		if body[i] == ']' && i > 0 {
			end = i
			break
		}
	}
	if end < 0 {
		return nil, nil, false
	}
	var runes []rune
	for i := 0; i < end; i++ {
		if i+2 < end && body[i+1] == '-' {
			for r := body[i]; r <= body[i+2]; r++ {
				runes = append(runes, r)
			}
			i += 2
			continue
		}
		runes = append(runes, body[i])
	}
	return func(r rune) bool { return strings.ContainsRune(string(runes), r) != negated }, body[end+1:], true
}

func TestGlobAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("ab-*?[]!é")), 0, 8, -1).Draw(t, "pattern")
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab-[]!é")), 0, 8, -1).Draw(t, "name")
		if got, want := Glob(pattern, name), oracle([]rune(pattern), []rune(name)); got != want {
			t.Fatalf("Glob(%q, %q) = %v", pattern, name, got)
		}
	})
}

// Patterns of many stars do not take exponential time.
func TestGlobIsPolynomial(t *testing.T) {
	if Glob(strings.Repeat("*a", 2000)+"b", strings.Repeat("a", 4000)) {
		t.Error("matches")
	}
}
