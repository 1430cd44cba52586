package models

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// scenarios are the names of the policy's vocabulary.
var scenarios = []string{"Single-turn 8k1k", "Single-turn 1k1k", "Single-turn 1k8k", "Agentic coding"}

// methods are the drafting methods that an arm may be named after; the settings
// can't add to what the product speaks of, a new method is a new word here.
const methods = `mtp|eagle3?|dspark|nextn`

// part is one statement of a cell.
type part struct {
	line int
	// scenarios that it is about; none qualifies the whole row.
	scenarios []string
	// prefix restricts it to one of the row's models, "" is all.
	prefix string
	// arm is the method without which points are restricted, "" for none.
	arm string
	// without are precisions that are over, only those that stay.
	without, only []string
	// retired says that it is about the model as a whole.
	retired bool
	since   Since
	dated   bool
	// known is false when it holds a date that no word places.
	known bool
	// dayZero says that it holds from the beginning, suspended that it does
	// not hold yet.
	dayZero, suspended bool
}

var (
	nonArm    = pattern.Lazy(`(?i)\bnon-(` + methods + `)\b`)
	onlyArm   = pattern.Lazy(`(?i)(?:^|[^-\w])(` + methods + `) only\b`)
	notYet    = pattern.Lazy(`(?i)still runs|pending|not yet enacted`)
	precision = `(?:bf16|fp16|fp8|fp4|int8|int4|mxfp4|nvfp4)`
	overPrec  = pattern.Lazy(`(?i)(?:\ball )?\b(` + precision + `) recipes`)
	onlyPrec  = pattern.Lazy(`(?i)\b(?:limited to )(` + precision + `(?:/` + precision + `)*)|\b(` + precision + `(?:/` + precision + `)*) only\b`)
	bracketed = pattern.Lazy(`\(([^()]+?) only\)`)
	retiredIn = pattern.Lazy(`(?i)\b(?:fully )?retired\b`)
)

// split cuts a cell into parts: at commas, semicolons and " and " outside
// parentheses. behind are the texts after dashes outside parentheses, which
// qualify the row.
func split(cell string) (parts, behind []string) {
	depth, start, dashed := 0, 0, false
	cut := func(end int) {
		if text := strings.TrimSpace(cell[start:end]); text != "" {
			if dashed {
				behind = append(behind, text)
			} else {
				parts = append(parts, text)
			}
		}
	}
	for i := 0; i < len(cell); i++ {
		rest := cell[i:]
		switch {
		case rest[0] == '(':
			depth++
		case rest[0] == ')':
			depth = max(0, depth-1)
		case depth > 0:
		case rest[0] == ',' || rest[0] == ';':
			cut(i)
			start = i + 1
		case strings.HasPrefix(rest, " and "):
			cut(i)
			start = i + len(" and ")
		case strings.HasPrefix(rest, " — ") || strings.HasPrefix(rest, " – "):
			cut(i)
			start, dashed = i+len(" — "), true
		}
	}
	cut(len(cell))
	return parts, behind
}

// readPart reads one statement. active says that the cell lists what runs:
// there an arm is written as "<method> only".
func readPart(text string, line int, active bool, prefixes []string) part {
	p := part{line: line, known: true}
	before, _, _ := strings.Cut(text, "(")
	after := text
	for _, name := range scenarios {
		if at := strings.Index(strings.ToLower(before), strings.ToLower(name)); at >= 0 {
			p.scenarios = append(p.scenarios, name)
			after = text[min(at+len(name), len(text)):]
		}
	}
	if active {
		if m := onlyArm().FindStringSubmatch(text); m != nil && !notYet().MatchString(text) {
			p.arm = strings.ToLower(m[1])
		}
	} else if m := nonArm().FindStringSubmatch(text); m != nil {
		p.arm = strings.ToLower(m[1])
	}
	for _, m := range overPrec().FindAllStringSubmatch(text, -1) {
		p.without = append(p.without, strings.ToLower(m[1]))
	}
	if m := onlyPrec().FindStringSubmatch(text); m != nil {
		p.only = strings.Split(strings.ToLower(m[1]+m[2]), "/")
	}
	if m := bracketed().FindStringSubmatch(text); m != nil {
		i := slices.IndexFunc(prefixes, func(prefix string) bool { return bare(prefix) == bare(m[1]) })
		if i >= 0 {
			p.prefix = prefixes[i]
		}
	}
	about := len(p.scenarios) + len(p.without) + len(p.only) + len(p.arm)
	p.retired = about == 0 && retiredIn().MatchString(text)
	p.since, p.dated, p.known = placed(after)
	p.dayZero = strings.Contains(strings.ToLower(text), "day 0")
	return p
}

// says reports whether the part states anything.
func (p part) says() bool {
	return len(p.scenarios) > 0 || p.arm != "" || len(p.without)+len(p.only) > 0 || p.dated || !p.known || p.retired
}

// about reports whether the part is about a scenario of a model.
func (p part) about(prefix, scenario string) bool {
	return (p.prefix == "" || p.prefix == prefix) && (len(p.scenarios) == 0 || slices.Contains(p.scenarios, scenario))
}

// bare are the letters and digits of a text, lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
