package sandbox

import "strings"

// userDoc is a user as other documents show it; null for a deleted account.
func (s *Server) userDoc(u *user) any {
	if u == nil || u.deleted {
		return nil
	}
	return s.accountDoc(u)
}

func (s *Server) accountDoc(u *user) doc {
	at := s.apiURL("/users/%s", u.login)
	d := doc{
		"login": u.login, "id": u.id, "node_id": nodeID("User", u.id), "avatar_url": s.webURL("_sandbox/avatar/%d", u.id),
		"gravatar_id": "", "url": at, "html_url": s.webURL("%s", u.login), "type": u.typ, "site_admin": false,
		"user_view_type": "public",
	}
	for name, suffix := range map[string]string{
		"followers_url": "/followers", "following_url": "/following{/other_user}", "gists_url": "/gists{/gist_id}",
		"starred_url": "/starred{/owner}{/repo}", "subscriptions_url": "/subscriptions", "organizations_url": "/orgs",
		"repos_url": "/repos", "events_url": "/events{/privacy}", "received_events_url": "/received_events",
	} {
		d[name] = at + suffix
	}
	return d
}

// profileDoc is a user asked for by name.
func (s *Server) profileDoc(u *user) doc {
	return merged(s.accountDoc(u), doc{
		"name": orNil(u.name), "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil,
		"twitter_username": nil, "public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
		"created_at": stamp(u.created), "updated_at": stamp(u.created),
	})
}

// ownProfileDoc is a user asked for by himself.
func (s *Server) ownProfileDoc(u *user) doc {
	return merged(s.profileDoc(u), doc{
		"user_view_type": "private", "private_gists": 0, "total_private_repos": 0, "owned_private_repos": 0, "disk_usage": 0, "collaborators": 0,
		"two_factor_authentication": true,
	})
}

// orgDoc is an organisation as webhooks show it.
func (s *Server) orgDoc(u *user) doc {
	at := s.apiURL("/orgs/%s", u.login)
	return doc{
		"login": u.login, "id": u.id, "node_id": nodeID("Organization", u.id), "url": at, "repos_url": at + "/repos",
		"events_url": at + "/events", "hooks_url": at + "/hooks", "issues_url": at + "/issues",
		"members_url": at + "/members{/member}", "public_members_url": at + "/public_members{/member}",
		"avatar_url": s.webURL("_sandbox/avatar/%d", u.id), "description": "",
	}
}

// appDoc is a GitHub App.
func (s *Server) appDoc(a *app) doc {
	return doc{
		"id": a.id, "slug": a.slug, "node_id": nodeID("App", a.id), "client_id": a.clientID(), "owner": s.accountDoc(a.account), "name": a.name,
		"description": "", "external_url": s.base, "html_url": s.webURL("apps/%s", a.slug), "created_at": stamp(a.created),
		"updated_at": stamp(a.created), "permissions": a.perms.words(), "events": a.events,
	}
}

// appOrNil is the App by which something was made.
func (s *Server) appOrNil(a *app) any {
	if a == nil {
		return nil
	}
	return s.appDoc(a)
}

// installationDoc is the App's installation.
func (s *Server) installationDoc(a *app) doc {
	at := s.apiURL("/app/installations/%d", a.installation)
	return doc{
		"id": a.installation, "app_id": a.id, "app_slug": a.slug, "client_id": a.clientID(), "account": s.accountDoc(a.account), "target_id": a.account.id,
		"target_type": a.account.typ, "repository_selection": "all", "access_tokens_url": at + "/access_tokens",
		"repositories_url": s.apiURL("/installation/repositories"), "html_url": s.webURL("organizations/%s/settings/installations/%d", a.account.login, a.installation),
		"permissions": a.perms.words(), "events": a.events, "created_at": stamp(a.created), "updated_at": stamp(a.created),
		"single_file_name": nil, "has_multiple_single_files": false, "single_file_paths": []string{}, "suspended_by": nil, "suspended_at": nil,
	}
}

// reactionDoc is one reaction.
func (s *Server) reactionDoc(r *reaction) doc {
	return doc{
		"id": r.id, "node_id": nodeID("Reaction", r.id), "user": s.userDoc(r.user), "content": r.content, "created_at": stamp(r.created),
	}
}

// reactionsDoc counts reactions.
func reactionsDoc(at string, list []*reaction) doc {
	d := doc{"url": at + "/reactions", "total_count": len(list)}
	for _, word := range reactionWords {
		d[word] = 0
	}
	for _, r := range list {
		d[r.content] = d[r.content].(int) + 1
	}
	return d
}

// orNil is null for the empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func lower(s string) string { return strings.ToLower(s) }
