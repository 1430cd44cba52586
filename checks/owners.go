package checks

import (
	"slices"
	"strings"

	"github.com/hmarr/codeowners"
)

// maxOwners is the size up to which GitHub reads a CODEOWNERS file.
const maxOwners = 3 << 20

// Owners are the lines of a CODEOWNERS file (spec/checks.md, check 0 step 1).
type Owners struct {
	lines []OwnerLine
	// Skipped are the numbers of lines that are no rule: GitHub passes them
	// over, and so do we.
	Skipped []int
}

// OwnerLine is one rule: who owns what matches its pattern.
type OwnerLine struct {
	Pattern string
	Line    int
	// Users are logins, Teams org/slug, Mails addresses, all as written and
	// without @.
	Users, Teams, Mails []string
	rule                codeowners.Rule
}

// ParseOwners reads a CODEOWNERS file. Each line stands alone: one that is
// malformed takes nothing else with it.
func ParseOwners(data []byte) Owners {
	var o Owners
	number := 0
	for text := range strings.Lines(string(data)) {
		number++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		rules, err := codeowners.ParseFile(strings.NewReader(text))
		if err != nil || len(rules) != 1 {
			o.Skipped = append(o.Skipped, number)
			continue
		}
		line := OwnerLine{Pattern: rules[0].RawPattern(), Line: number, rule: rules[0]}
		for _, owner := range rules[0].Owners {
			switch owner.Type {
			case codeowners.UsernameOwner:
				line.Users = append(line.Users, owner.Value)
			case codeowners.TeamOwner:
				line.Teams = append(line.Teams, owner.Value)
			default:
				line.Mails = append(line.Mails, owner.Value)
			}
		}
		o.lines = append(o.lines, line)
	}
	return o
}

// For returns the line that decides about a path: the last one that matches.
func (o Owners) For(path string) (OwnerLine, bool) {
	for _, line := range slices.Backward(o.lines) {
		if line.matches(path) {
			return line, true
		}
	}
	return OwnerLine{}, false
}

// matches asks the library, but for the pattern "/", on which it would panic.
func (l OwnerLine) matches(path string) bool {
	if l.CatchAll() {
		return true
	}
	ok, err := l.rule.Match(path)
	return err == nil && ok
}

// CatchAll reports whether the line is for every path; every other is specific.
func (l OwnerLine) CatchAll() bool {
	return slices.Contains([]string{"*", "**", "/**", "/"}, l.Pattern)
}

// Unowned reports whether the line takes ownership away.
func (l OwnerLine) Unowned() bool { return len(l.Users)+len(l.Teams)+len(l.Mails) == 0 }

// Names reports whether the line lists a login, letter case apart.
func (l OwnerLine) Names(login string) bool {
	return slices.ContainsFunc(l.Users, func(u string) bool { return strings.EqualFold(u, login) })
}

// String lists the owners as they are written in the file.
func (l OwnerLine) String() string {
	var all []string
	for _, name := range slices.Concat(l.Users, l.Teams) {
		all = append(all, "@"+name)
	}
	return joined(append(all, l.Mails...), ", ", 6)
}

// Named returns the first line that lists a login.
func (o Owners) Named(login string) (OwnerLine, bool) {
	i := slices.IndexFunc(o.lines, func(l OwnerLine) bool { return l.Names(login) })
	if i < 0 {
		return OwnerLine{}, false
	}
	return o.lines[i], true
}

// Teams are all teams of the file in order, each once, lower case.
func (o Owners) Teams() []string {
	var teams []string
	for _, line := range o.lines {
		for _, team := range line.Teams {
			if team = strings.ToLower(team); !slices.Contains(teams, team) {
				teams = append(teams, team)
			}
		}
	}
	return teams
}
