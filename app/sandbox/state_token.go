package sandbox

import (
	"fmt"
	"maps"
	"net/http"
	"time"
)

// level is how far a permission of a token goes.
type level int

// The levels of a permission.
const (
	levelNone level = iota
	levelRead
	levelWrite
	levelAdmin
)

var levelNames = [...]string{"none", "read", "write", "admin"}

// String returns the word in documents.
func (l level) String() string { return levelNames[l] }

func parseLevel(word string) level {
	for i, known := range levelNames {
		if known == word {
			return level(i)
		}
	}
	return levelNone
}

// permissions of a token by scope, in the API's spelling: pull_requests.
type permissions map[string]level

func parsePermissions(words map[string]string) permissions {
	p := make(permissions, len(words))
	for scope, word := range words {
		p[scope] = parseLevel(word)
	}
	return p
}

// words are the permissions as documents show them.
func (p permissions) words() map[string]string {
	out := make(map[string]string, len(p))
	for scope, l := range p {
		if l > levelNone {
			out[scope] = l.String()
		}
	}
	return out
}

// within cuts every permission down to what max has.
func (p permissions) within(max permissions) permissions {
	out := maps.Clone(p)
	for scope, l := range out {
		out[scope] = min(l, max[scope])
	}
	return out
}

// readOnly cuts every permission down to reading.
func (p permissions) readOnly() permissions {
	out := maps.Clone(p)
	for scope, l := range out {
		out[scope] = min(l, levelRead)
	}
	return out
}

// identityKind is what kind of caller a token stands for.
type identityKind int

// The kinds of callers.
const (
	byNobody identityKind = iota
	byPerson
	byApp          // the App itself, with a JWT
	byInstallation // the App in one account
	byWorkflow     // GITHUB_TOKEN of a run
)

// identity is who makes a request, and what the token allows.
type identity struct {
	kind    identityKind
	key     string // of the quota that requests count against
	user    *user  // in whose name it acts; nil for nobody
	app     *app
	perms   permissions
	repos   map[int64]bool // nil is every repository of the owner
	run     *run           // of a workflow token
	expires time.Time
	revoked bool
}

// need is what an operation asks of its caller: one of the scopes at a level
// from a token with permissions, a role from a person.
type need struct {
	scopes []string
	level  level
	role   role
	hide   bool // answer 404 to those who may not
}

func reads(scopes ...string) need { return need{scopes: scopes, level: levelRead} }

func writes(r role, scopes ...string) need { return need{scopes: scopes, level: levelWrite, role: r} }

// hidden is for settings that only administrators may see.
func (n need) hidden() need {
	n.hide = true
	return n
}

// visible reports whether the caller may know of a repository.
func (who *identity) visible(r *repository) bool {
	if !r.private {
		return true
	}
	switch who.kind {
	case byPerson:
		return roleOf(who.user, r) > roleNone
	case byInstallation, byWorkflow:
		return who.covers(r)
	}
	return false
}

// covers reports whether an installation or workflow token is for a repository.
func (who *identity) covers(r *repository) bool {
	if who.run != nil {
		return who.run.repo == r
	}
	return who.app != nil && who.app.account == r.owner && (who.repos == nil || who.repos[r.id])
}

// check refuses what the caller may not do in a repository.
func (who *identity) check(r *repository, n need) error {
	if !who.visible(r) {
		return notFound()
	}
	ok := true
	switch who.kind {
	case byNobody:
		if n.level > levelRead {
			return refuse(http.StatusUnauthorized, "Requires authentication")
		}
		ok = !n.hide
	case byPerson:
		ok = roleOf(who.user, r) >= n.role
	case byApp: // a JWT is for the App's own operations only
		ok = false
	default:
		ok = who.covers(r) && who.has(n)
	}
	switch {
	case ok:
		return nil
	case n.hide:
		return notFound()
	case who.kind == byPerson:
		return refuse(http.StatusForbidden, "Resource not accessible by personal access token")
	}
	return who.notAccessible()
}

// has reports whether one of the scopes is granted. Metadata can be read with
// any permission at all.
func (who *identity) has(n need) bool {
	for _, scope := range n.scopes {
		if who.perms[scope] >= n.level || scope == "metadata" && n.level == levelRead {
			return true
		}
	}
	return false
}

// notAccessible is GitHub's answer to a token without the permission.
func (who *identity) notAccessible() *APIError {
	return refuse(http.StatusForbidden, "Resource not accessible by integration")
}

// personal returns the identity of a person without a token.
func personal(u *user) *identity {
	return &identity{kind: byPerson, user: u, key: fmt.Sprint("user:", u.id)}
}

// Token returns a personal access token of a made-up user, always the same.
func (s *Server) Token(login string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.user(login)
	if u == nil {
		return "", notFound()
	}
	for token, who := range s.tokens {
		if who.kind == byPerson && who.user == u {
			return token, nil
		}
	}
	token := s.ids.token("ghp_")
	s.tokens[token] = personal(u)
	return token, nil
}

// ExpireTokens ends every installation token that was handed out, as if its
// hour were over (spec/security.md S71).
func (s *Server) ExpireTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, who := range s.tokens {
		if who.kind == byInstallation {
			who.revoked = true
		}
	}
}

// issueToken hands out a token for an identity.
func (s *Server) issueToken(who *identity) string {
	token := s.ids.token("ghs_")
	s.tokens[token] = who
	return token
}
