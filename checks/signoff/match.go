package signoff

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// MinScore is the share of a template item's words that a copy of it must hold
// by default (spec/checks.md, check 5).
const MinScore = 0.6

// Template takes the checklist's template out of the document that explains
// it: the fenced block below the heading "Template". It is "" where there is
// none.
func Template(document string) string {
	var out []string
	heading, fence := false, ""
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(document)) {
		line = strings.TrimSuffix(line, "\n")
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				return strings.Join(out, "\n")
			}
			out = append(out, line)
		case strings.HasPrefix(bare, "#"):
			heading = strings.EqualFold(strings.TrimSpace(strings.TrimLeft(bare, "#")), "template")
		case heading && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		}
	}
	return strings.Join(out, "\n")
}

// common are words that tell no item from another.
var common = strings.Fields("the and for with this that have has verified please link")

var linkText = pattern.Lazy(`!?\[([^\]\n]*)\]\([^)\n]*\)`)

// Tokens are the distinct words that an item is recognised by, in order: links
// are their text, and URLs, marks, short and common words are dropped
// (spec/checks.md, check 5 step 1).
func Tokens(text string) []string {
	text = linkText().ReplaceAllString(text, "$1")
	text = webURL().ReplaceAllString(text, " ")
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var tokens []string
	for _, w := range words {
		if len([]rune(w)) >= 3 && !slices.Contains(common, w) && !slices.Contains(tokens, w) {
			tokens = append(tokens, w)
		}
	}
	return tokens
}

// Match says which item of a sign-off stands for an item of the template.
type Match struct {
	Template Item
	// Found is the index of the item in the sign-off, or -1: it is missing.
	Found int
	// Score is the share of the template item's words that the copy holds.
	Score float64
}

// Compare pairs the items of a template with those of a sign-off, one to one,
// the best pairs first, ties by order; a pair needs a score of at least
// minScore. What a signer adds to an item does not lower its score. The result
// is in the template's order.
func Compare(template, copied []Item, minScore float64) []Match {
	type pair struct {
		t, s  int
		score float64
	}
	words := make([][]string, len(copied))
	for i, item := range copied {
		words[i] = Tokens(item.Text)
	}
	matches := make([]Match, len(template))
	var pairs []pair
	for t, item := range template {
		matches[t] = Match{Template: item, Found: -1}
		tokens := Tokens(item.Text)
		for s := range copied {
			if score := share(tokens, words[s]); score >= minScore {
				pairs = append(pairs, pair{t, s, score})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	taken := make([]bool, len(copied))
	for _, p := range pairs {
		if matches[p.t].Found < 0 && !taken[p.s] {
			matches[p.t].Found, matches[p.t].Score, taken[p.s] = p.s, p.score, true
		}
	}
	return matches
}

// share is the part of the tokens that is among the words.
func share(tokens, words []string) float64 {
	if len(tokens) == 0 {
		return 0
	}
	n := 0
	for _, token := range tokens {
		if slices.Contains(words, token) {
			n++
		}
	}
	return float64(n) / float64(len(tokens))
}

// Rarest returns the n words of an item that the fewest items of the template
// have, ties by order: what the item is about.
func Rarest(template []Item, item Item, n int) []string {
	counts := make(map[string]int)
	for _, other := range template {
		for _, token := range Tokens(other.Text) {
			counts[token]++
		}
	}
	tokens := Tokens(item.Text)
	slices.SortStableFunc(tokens, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	return tokens[:min(n, len(tokens))]
}
