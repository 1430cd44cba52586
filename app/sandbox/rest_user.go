package sandbox

import (
	"net/http"
	"slices"
)

// userRoutes are accounts, members and teams.
var userRoutes = []route{
	{"GET /", anyone, getRoot},
	{"GET /rate_limit", anyone, rateLimit},
	{"GET /meta", anyone, func(c *call) (any, error) { return doc{"verifiable_password_authentication": false}, nil }},
	{"GET /user", anyone, getSelf},
	{"GET /users/{login}", anyone, getUser},
	{"GET /orgs/{org}/members/{login}", anyone, isMember},
	{"GET /orgs/{org}/memberships/{login}", anyone, getMembership},
	{"GET /orgs/{org}/teams/{team}/members", anyone, listTeam},
	{"GET /orgs/{org}/teams/{team}/memberships/{login}", anyone, teamMembership},
}

func getRoot(c *call) (any, error) {
	return doc{
		"current_user_url": c.s.apiURL("/user"), "rate_limit_url": c.s.apiURL("/rate_limit"),
		"repository_url": c.s.apiURL("/repos/{owner}/{repo}"), "user_url": c.s.apiURL("/users/{user}"),
	}, nil
}

func getSelf(c *call) (any, error) {
	switch c.who.kind {
	case byPerson:
		return c.s.ownProfileDoc(c.who.user), nil
	case byNobody:
		return nil, refuse(http.StatusUnauthorized, "Requires authentication")
	}
	return nil, c.who.notAccessible()
}

func getUser(c *call) (any, error) {
	u := c.s.user(c.path("login"))
	if u == nil {
		return nil, notFound()
	}
	return c.s.profileDoc(u), nil
}

// member finds the person of a path among the members of the organisation.
// Private ones are shown to members and to tokens that may read members.
func (c *call) member() (*user, error) {
	org, u := c.s.user(c.path("org")), c.s.user(c.path("login"))
	if org == nil || org.typ != "Organization" || u == nil {
		return nil, notFound()
	}
	inside := c.who.kind == byPerson && c.who.user.member != "" || c.who.perms["members"] >= levelRead
	if u.member == "public" || u.member == "private" && inside {
		return u, nil
	}
	return nil, notFound()
}

func isMember(c *call) (any, error) {
	_, err := c.member()
	return noContent(c, err)
}

// mayReadMembers refuses tokens without the permission.
func (c *call) mayReadMembers() error {
	switch {
	case c.who.kind == byNobody:
		return refuse(http.StatusUnauthorized, "Requires authentication")
	case c.who.kind == byPerson && c.who.user.member != "", c.who.perms["members"] >= levelRead:
		return nil
	case c.who.kind == byPerson:
		return refuse(http.StatusForbidden, "You must be a member of %s to see membership information.", c.path("org"))
	}
	return c.who.notAccessible()
}

func getMembership(c *call) (any, error) {
	if err := c.mayReadMembers(); err != nil {
		return nil, err
	}
	u, err := c.member()
	if err != nil {
		return nil, err
	}
	org := c.s.user(c.path("org"))
	return doc{
		"url": c.s.apiURL("/orgs/%s/memberships/%s", org.login, u.login), "state": "active", "role": "member",
		"organization_url": c.s.apiURL("/orgs/%s", org.login), "organization": c.s.orgDoc(org), "user": c.s.userDoc(u),
	}, nil
}

// team returns the members of the team of a path.
func (c *call) team() ([]*user, error) {
	if err := c.mayReadMembers(); err != nil {
		return nil, err
	}
	org := c.s.user(c.path("org"))
	members, ok := c.s.teams[lower(c.path("team"))]
	if org == nil || !ok {
		return nil, notFound()
	}
	return members, nil
}

func listTeam(c *call) (any, error) {
	members, err := c.team()
	if err != nil {
		return nil, err
	}
	return convert(page(c, members), c.s.accountDoc), nil
}

func teamMembership(c *call) (any, error) {
	members, err := c.team()
	if err != nil {
		return nil, err
	}
	u := c.s.user(c.path("login"))
	if u == nil || !slices.Contains(members, u) {
		return nil, notFound()
	}
	at := c.s.apiURL("/orgs/%s/teams/%s/memberships/%s", c.path("org"), c.path("team"), u.login)
	return doc{"url": at, "role": "member", "state": "active"}, nil
}
