package config

import "strings"

// maxSuggest bounds the length of a name for which a neighbour is looked for:
// the distance costs the product of the lengths, and the name is hostile.
const maxSuggest = 64

// nearest returns the candidate that name was probably meant to be, or "".
// Case and the choice between "_" and "-" never count.
func nearest(name string, candidates []string) string {
	if len(name) > maxSuggest {
		return ""
	}
	plain := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	best, limit := "", max(1, len(plain)/3)+1
	for _, candidate := range candidates {
		if d := distance(plain, candidate); d < limit {
			best, limit = candidate, d
		}
	}
	return best
}

// distance is the number of inserted, deleted, replaced or swapped bytes that
// turn a into b (optimal string alignment).
func distance(a, b string) int {
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

// suggest returns the full key that name, found in the mapping in, was meant
// to be: a neighbour in the same mapping, or a key that another mapping has
// under exactly this name. "" when there is none.
func suggest(name string, in *node) string {
	var siblings []string
	for _, kid := range in.kids {
		siblings = append(siblings, kid.name)
	}
	if near := nearest(name, siblings); near != "" {
		return in.kid(near).key
	}
	var elsewhere string
	tree().walk(func(n *node) {
		if elsewhere == "" && n.name == name {
			elsewhere = n.key
		}
	})
	return elsewhere
}
