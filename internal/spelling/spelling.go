// Package spelling tells how far apart two names are, for every "did you mean"
// of the program. It knows no domain: who asks says which names there are and
// how far is too far.
package spelling

// Longest is the length in bytes above which a name resembles nothing: the
// distance costs the product of the lengths, and names come from strangers.
const Longest = 200

// Nearest returns the candidate with the fewest edits to text, or "" when none
// is within limit. Ties go to the earlier candidate.
func Nearest(text string, candidates []string, limit int) string {
	best, closest := "", limit+1
	for _, candidate := range candidates {
		if d, ok := within(text, candidate, closest); ok {
			best, closest = candidate, d
		}
	}
	return best
}

// Distance is the number of bytes that are inserted, deleted, replaced or
// swapped with their neighbour to turn a into b (optimal string alignment). Of
// a name longer than Longest it is the length of the longer one.
func Distance(a, b string) int {
	if max(len(a), len(b)) > Longest {
		return max(len(a), len(b))
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// within is the distance if it is below bound. The lengths alone often say that
// it is not.
func within(a, b string, bound int) (int, bool) {
	if max(len(a)-len(b), len(b)-len(a)) >= bound {
		return 0, false
	}
	d := Distance(a, b)
	return d, d < bound
}
