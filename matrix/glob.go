package matrix

import "strings"

// Glob reports whether name matches a shell pattern of "*", "?", "[seq]" and
// "[!seq]", case-sensitively and as a whole. A "[" without its "]" is literal.
// Matching takes time linear in the product of both lengths.
func Glob(pattern, name string) bool {
	p, n := []rune(pattern), []rune(name)
	star, mark := -1, 0
	pi, ni := 0, 0
	for ni < len(n) {
		if pi < len(p) && p[pi] == '*' {
			star, mark = pi, ni
			pi++
			continue
		}
		if width, ok := matchOne(p[min(pi, len(p)):], n[ni]); ok {
			pi += width
			ni++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		pi, ni = star+1, mark
	}
	return strings.Trim(string(p[pi:]), "*") == ""
}

// matchOne matches one rune against the first element of pattern and returns
// the length of that element.
func matchOne(pattern []rune, r rune) (width int, ok bool) {
	if len(pattern) == 0 {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if end := setEnd(pattern); end > 0 {
			return end + 1, inSet(pattern[1:end], r)
		}
	}
	return 1, pattern[0] == r
}

// setEnd returns the index of the "]" that closes a set; a "]" that comes
// first belongs to the set.
func setEnd(pattern []rune) int {
	i := 1
	if i < len(pattern) && pattern[i] == '!' {
		i++
	}
	if i < len(pattern) && pattern[i] == ']' {
		i++
	}
	for ; i < len(pattern); i++ {
		if pattern[i] == ']' {
			return i
		}
	}
	return -1
}

func inSet(set []rune, r rune) bool {
	negated := len(set) > 0 && set[0] == '!'
	if negated {
		set = set[1:]
	}
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= r && r <= set[i+2] {
				return !negated
			}
			i += 2
		} else if set[i] == r {
			return !negated
		}
	}
	return negated
}
