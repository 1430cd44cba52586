package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// appRoutes are the App, its installation and its tokens.
var appRoutes = []route{
	{"GET /app", anyone, asApp(func(c *call) (any, error) { return c.s.appDoc(c.s.app), nil })},
	{"GET /apps/{slug}", anyone, getApp},
	{"GET /app/installations", anyone, asApp(listInstallations)},
	{"GET /app/installations/{id}", anyone, asApp(getInstallation)},
	{"POST /app/installations/{id}/access_tokens", anyone, asApp(postToken)},
	{"GET /repos/{owner}/{repo}/installation", need{}, asApp(ownerInstallation)},
	{"GET /orgs/{org}/installation", anyone, asApp(ownerInstallation)},
	{"GET /users/{org}/installation", anyone, asApp(ownerInstallation)},
	{"GET /installation/repositories", anyone, installationRepos},
	{"DELETE /installation/token", anyone, revokeToken},
}

// asApp lets only the App itself do something.
func asApp(h handler) handler {
	return func(c *call) (any, error) {
		if c.who.kind != byApp {
			return nil, refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")
		}
		return h(c)
	}
}

func getApp(c *call) (any, error) {
	for _, a := range []*app{c.s.app, c.s.actions} {
		if a.slug == c.path("slug") {
			return c.s.appDoc(a), nil
		}
	}
	return nil, notFound()
}

func listInstallations(c *call) (any, error) {
	return convert(page(c, []*app{c.s.app}), c.s.installationDoc), nil
}

// isInstallation refuses the ids of others.
func (c *call) isInstallation() error {
	if id, err := c.number("id"); err != nil || id != c.s.app.installation {
		return notFound()
	}
	return nil
}

func getInstallation(c *call) (any, error) {
	if err := c.isInstallation(); err != nil {
		return nil, err
	}
	return c.s.installationDoc(c.s.app), nil
}

func ownerInstallation(c *call) (any, error) {
	owner := c.s.user(c.path("org"))
	if c.repo != nil {
		owner = c.repo.owner
	}
	if owner != c.s.app.account {
		return nil, notFound()
	}
	return c.s.installationDoc(c.s.app), nil
}

// tokenLife is how long an installation token holds.
const tokenLife = time.Hour

func postToken(c *call) (any, error) {
	if err := c.isInstallation(); err != nil {
		return nil, err
	}
	var in struct {
		Repositories []string
		IDs          []int64 `json:"repository_ids"`
		Permissions  map[string]string
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	repos, err := c.narrowed(in.Repositories, in.IDs)
	if err != nil {
		return nil, err
	}
	perms := c.s.app.perms
	for scope, word := range in.Permissions {
		if parseLevel(word) > perms[scope] {
			return nil, unprocessable("The permissions requested are not granted to this installation.")
		}
	}
	if in.Permissions != nil {
		perms = parsePermissions(in.Permissions).within(perms)
	}
	who := &identity{
		kind: byInstallation, key: fmt.Sprint("installation:", c.s.app.installation), user: c.s.app.bot, app: c.s.app, perms: perms,
		expires: c.s.opt.AuthClock().Add(tokenLife),
	}
	d := doc{"expires_at": stamp(who.expires), "permissions": perms.words(), "repository_selection": "all"}
	if repos != nil {
		who.repos = make(map[int64]bool)
		for _, r := range repos {
			who.repos[r.id] = true
		}
		d["repository_selection"], d["repositories"] = "selected", convert(repos, c.s.repoDoc)
	}
	d["token"] = c.s.issueToken(who)
	return c.created(d)
}

// narrowed finds the repositories that a token is asked for; nil is all.
func (c *call) narrowed(names []string, ids []int64) ([]*repository, error) {
	var repos []*repository
	for _, name := range names {
		repos = append(repos, c.s.repo(c.s.app.account.login+"/"+name))
	}
	for _, id := range ids {
		repos = append(repos, find(c.s.repositories(), func(r *repository) bool { return r.id == id && r.owner == c.s.app.account }))
	}
	if slices.Contains(repos, nil) {
		return nil, unprocessable("There is at least one repository that does not exist or is not accessible to the parent installation.")
	}
	return repos, nil
}

func installationRepos(c *call) (any, error) {
	if c.who.kind != byInstallation {
		return nil, refuse(http.StatusForbidden, "You must authenticate with an installation access token in order to list repositories for an installation.")
	}
	list := filter(c.s.repositories(), c.who.covers)
	d := counted(c, "repositories", list, c.s.repoDoc)
	d["repository_selection"] = "all"
	return d, nil
}

func revokeToken(c *call) (any, error) {
	if c.who.kind != byInstallation {
		return nil, refuse(http.StatusForbidden, "You must authenticate with an installation access token.")
	}
	c.who.revoked = true
	return nil, nil
}
