package config

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/spelling"
)

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
	return spelling.Nearest(plain, candidates, max(1, len(plain)/3))
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
