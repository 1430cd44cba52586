package failure

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is one expression with the texts of which every match contains at
// least one, in lower case; nil means that nothing is known. They are looked for
// first: an expression costs a hundred times more.
type pattern struct {
	expression *regexp.Regexp
	needs      []string
}

func newPattern(text string) (pattern, error) {
	text = "(?i)" + text
	expression, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	return pattern{expression: expression, needs: needed(tree)}, nil
}

// mayMatch reports whether a text in lower case may hold a match.
func (p pattern) mayMatch(lower string) bool {
	if p.needs == nil {
		return true
	}
	for _, text := range p.needs {
		if strings.Contains(lower, text) {
			return true
		}
	}
	return false
}

// needed returns texts of which every match of an expression contains one.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			texts := needed(sub)
			if texts == nil {
				return nil
			}
			all = append(all, texts...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if texts := needed(sub); shortest(texts) > shortest(best) {
				best = texts
			}
		}
		return best
	}
	return nil
}

// shortest is the length of the shortest text, 0 for none.
func shortest(texts []string) int {
	n := 0
	for i, text := range texts {
		if i == 0 || len(text) < n {
			n = len(text)
		}
	}
	return n
}
