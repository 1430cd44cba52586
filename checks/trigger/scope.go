package trigger

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

// Scope says which pull requests are verified. Admin answers whether a login
// is an administrator in permission and role; a look-up that fails answers no,
// since it never grants an exemption.
type Scope struct {
	Verdict config.Verdict
	// Changelog is the path of the changelog in the repository.
	Changelog string
	Owners    checks.Owners
	Admin     func(login string) bool
}

// Holds reports whether a change is in scope, by its paths, both names of
// renames (spec/verdict.md section 1.3, filter 3).
func (s Scope) Holds(files []string) bool {
	switch s.Verdict.Scope {
	case config.ScopeAlways:
		return true
	case config.ScopeChangelog:
		return slices.Contains(files, s.Changelog)
	}
	asked := make(map[string]bool)
	return slices.ContainsFunc(files, func(path string) bool {
		line, ok := s.Owners.For(path)
		return ok && s.qualifies(line, asked)
	})
}

// qualifies reports whether an owner line has an owner who is neither an
// administrator nor the core team. Each login is asked about once.
func (s Scope) qualifies(line checks.OwnerLine, asked map[string]bool) bool {
	if len(line.Mails) > 0 {
		return true
	}
	core := strings.TrimPrefix(s.Verdict.CoreTeam, "@")
	for _, team := range line.Teams {
		if core == "" || !strings.EqualFold(team, core) {
			return true
		}
	}
	for _, login := range line.Users {
		key := strings.ToLower(login)
		admin, known := asked[key]
		if !known {
			admin = s.Admin(login)
			asked[key] = admin
		}
		if !admin {
			return true
		}
	}
	return false
}
