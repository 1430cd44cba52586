package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
)

// repoRoutes are the repository itself, its branches, people and labels.
var repoRoutes = []route{
	{"GET /repos/{owner}/{repo}", anyone, func(c *call) (any, error) { return c.s.fullRepoDoc(c.repo, c.who), nil }},
	{"GET /repos/{owner}/{repo}/branches", reads("contents"), listBranches},
	{"GET /repos/{owner}/{repo}/branches/{branch...}", reads("contents"), getBranch},
	{"GET /repos/{owner}/{repo}/forks", anyone, listForks},
	{"POST /repos/{owner}/{repo}/dispatches", anyone, postDispatch},
	{"GET /repos/{owner}/{repo}/collaborators", anyone, listCollaborators},
	{"GET /repos/{owner}/{repo}/collaborators/{username}", anyone, isCollaborator},
	{"GET /repos/{owner}/{repo}/collaborators/{username}/permission", anyone, getPermission},
	{"GET /repos/{owner}/{repo}/labels", reads("issues", "pull_requests"), listLabels},
	{"POST /repos/{owner}/{repo}/labels", writes(roleTriage, "issues", "pull_requests"), postLabel},
	{"GET /repos/{owner}/{repo}/labels/{name}", reads("issues", "pull_requests"), getLabel},
	{"PATCH /repos/{owner}/{repo}/labels/{name}", writes(roleTriage, "issues", "pull_requests"), patchLabel},
	{"DELETE /repos/{owner}/{repo}/labels/{name}", writes(roleTriage, "issues", "pull_requests"), deleteLabel},
}

func listBranches(c *call) (any, error) {
	return convert(page(c, sortedKeys(c.repo.heads)), func(name string) doc { return c.s.branchDoc(c.repo, name) }), nil
}

// branchDoc is a branch in lists.
func (s *Server) branchDoc(r *repository, name string) doc {
	sha := r.heads[name]
	return doc{"name": name, "commit": doc{"sha": sha, "url": s.repoURL(r) + "/commits/" + sha}, "protected": false}
}

// branchDocs are the branches whose tip a commit is.
func (s *Server) branchDocs(r *repository, sha string) []doc {
	names := filter(sortedKeys(r.heads), func(name string) bool { return r.heads[name] == sha })
	return convert(names, func(name string) doc { return s.branchDoc(r, name) })
}

func getBranch(c *call) (any, error) {
	name := c.path("branch")
	sha := c.repo.heads[name]
	if sha == "" {
		return nil, refuse(http.StatusNotFound, "Branch not found")
	}
	commit, err := c.repo.git.read.Commit(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	at := c.s.repoURL(c.repo) + "/branches/" + name
	return doc{
		"name": name, "commit": c.s.commitDoc(c.repo, commit), "protected": false, "protection_url": at + "/protection",
		"protection": doc{"enabled": false, "required_status_checks": doc{"enforcement_level": "off", "contexts": []string{}, "checks": []doc{}}},
		"_links":     doc{"self": at, "html": c.s.webURL("%s/tree/%s", c.repo.fullName(), name)},
	}, nil
}

func listForks(c *call) (any, error) {
	forks := filter(c.s.repositories(), func(r *repository) bool { return r.parent == c.repo })
	return convert(page(c, forks), c.s.smallRepoDoc), nil
}

func postDispatch(c *call) (any, error) {
	var in struct {
		EventType string          `json:"event_type"`
		Payload   json.RawMessage `json:"client_payload"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	return nil, c.s.repositoryDispatch(c.who, c.repo, in.EventType, in.Payload)
}

// collaborators are the people who were given a role by name.
func collaborators(c *call) []*user {
	var list []*user
	for _, u := range c.s.users {
		if a, ok := c.repo.roles[u.id]; ok && a.role > roleNone && !u.deleted {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b *user) int { return int(a.id - b.id) })
	return list
}

func listCollaborators(c *call) (any, error) {
	if err := c.who.check(c.repo, need{scopes: []string{"metadata"}, level: levelRead, role: roleWrite}); err != nil {
		return nil, err
	}
	return convert(page(c, collaborators(c)), c.collaborator), nil
}

// collaborator is an account with its role in the repository.
func (c *call) collaborator(u *user) doc {
	rl := roleOf(u, c.repo)
	return merged(c.s.accountDoc(u), doc{"role_name": rl.String(), "permissions": rl.rights()})
}

// rights is a role in the form of five switches.
func (r role) rights() doc {
	return doc{
		"admin": r >= roleAdmin, "maintain": r >= roleMaintain, "push": r >= roleWrite, "triage": r >= roleTriage, "pull": r >= roleRead,
	}
}

func isCollaborator(c *call) (any, error) {
	if u := c.s.user(c.path("username")); u != nil && slices.Contains(collaborators(c), u) {
		return nil, nil
	}
	return nil, refuse(http.StatusNotFound, "%s is not a user", c.path("username"))
}

func getPermission(c *call) (any, error) {
	u := c.s.user(c.path("username"))
	if u == nil {
		return nil, refuse(http.StatusNotFound, "%s is not a user", c.path("username"))
	}
	if c.who.kind == byNobody {
		return nil, refuse(http.StatusUnauthorized, "Requires authentication")
	}
	rl := roleOf(u, c.repo)
	return doc{"permission": rl.permission(), "role_name": rl.String(), "user": c.collaborator(u)}, nil
}

func listLabels(c *call) (any, error) {
	return convert(page(c, c.repo.labels), func(l *label) doc { return c.s.labelDoc(c.repo, l) }), nil
}

// labelFields are the body of a label.
type labelFields struct {
	Name        string  `json:"name"`
	NewName     string  `json:"new_name"`
	Color       string  `json:"color"`
	Description *string `json:"description"`
}

func postLabel(c *call) (any, error) {
	var in labelFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if in.Color == "" {
		in.Color = "ededed"
	}
	description := ""
	if in.Description != nil {
		description = *in.Description
	}
	l, err := c.s.newLabel(c.repo, in.Name, in.Color, description)
	if err != nil {
		return nil, err
	}
	return c.created(c.s.labelDoc(c.repo, l))
}

func (c *call) label() (*label, error) {
	if l := c.repo.label(c.path("name")); l != nil {
		return l, nil
	}
	return nil, notFound()
}

func getLabel(c *call) (any, error) {
	l, err := c.label()
	if err != nil {
		return nil, err
	}
	return c.s.labelDoc(c.repo, l), nil
}

func patchLabel(c *call) (any, error) {
	l, err := c.label()
	if err != nil {
		return nil, err
	}
	var in labelFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if in.NewName != "" {
		l.name = in.NewName
	}
	if in.Color != "" {
		l.color = in.Color
	}
	if in.Description != nil {
		l.description = *in.Description
	}
	return c.s.labelDoc(c.repo, l), nil
}

func deleteLabel(c *call) (any, error) {
	l, err := c.label()
	if err != nil {
		return nil, err
	}
	is := func(o *label) bool { return o == l }
	c.repo.labels = slices.DeleteFunc(c.repo.labels, is)
	for _, x := range c.repo.issues {
		x.labels = slices.DeleteFunc(slices.Clone(x.labels), is)
	}
	return nil, nil
}
