package sandbox

import (
	"fmt"
	"time"
)

// user is an account: of a person, a bot or an organisation.
type user struct {
	id          int64
	login, name string
	typ         string // User, Bot or Organization
	member      string // public, private or ""
	deleted     bool
	suspended   bool
	created     time.Time
}

// email is the address in commits.
func (u *user) email() string { return fmt.Sprintf("%d+%s@users.noreply.github.com", u.id, u.login) }

// role is what a person may do in a repository.
type role int

// The roles, each with the rights of those before it.
const (
	roleNone role = iota
	roleRead
	roleTriage
	roleWrite
	roleMaintain
	roleAdmin
)

var roleNames = [...]string{"none", "read", "triage", "write", "maintain", "admin"}

// String returns the role as the API's role_name.
func (r role) String() string { return roleNames[r] }

// permission is the older, coarser word of the API for a role.
func (r role) permission() string {
	switch r {
	case roleTriage:
		return "read"
	case roleMaintain:
		return "write"
	}
	return r.String()
}

func parseRole(name string) (role, bool) {
	for i, known := range roleNames {
		if known == name {
			return role(i), true
		}
	}
	return roleNone, name == ""
}

// access is a role and how a person came by it.
type access struct {
	role    role
	viaTeam bool
}

// roleOf returns what a user may do in a repository; u may be nil.
func roleOf(u *user, r *repository) role {
	base := roleRead
	if r.private {
		base = roleNone
	}
	switch {
	case u == nil || u.deleted || u.suspended:
		return base
	case u == r.owner:
		return roleAdmin
	}
	return max(base, r.roles[u.id].role)
}

// addUser creates an account.
func (s *Server) addUser(login, name, typ string) *user {
	u := &user{id: s.ids.take(kindUser), login: login, name: name, typ: typ, created: s.now()}
	s.users[lower(login)] = u
	return u
}

// association is the author_association of a user. Payloads of webhooks are
// made without a viewer and so don't know private members and teams
// (spec/github-limits.md).
func (s *Server) association(r *repository, u *user, webhook bool) string {
	if u == nil {
		return "NONE"
	}
	a, named := r.roles[u.id]
	switch {
	case u == r.owner:
		return "OWNER"
	case u.member == "public", u.member == "private" && !webhook:
		return "MEMBER"
	case u.member == "private", named && a.viaTeam && webhook:
		return "CONTRIBUTOR"
	case named && a.role > roleNone:
		return "COLLABORATOR"
	case s.contributed(r, u):
		return "CONTRIBUTOR"
	}
	return "NONE"
}

// contributed reports whether a pull request of the user was merged.
func (s *Server) contributed(r *repository, u *user) bool {
	return find(r.issues, func(x *issue) bool { return x.pull != nil && x.pull.merged && x.author == u }) != nil
}
