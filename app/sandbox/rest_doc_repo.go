package sandbox

import (
	"encoding/base64"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// gitCommit is a commit as it is read.
type gitCommit = gitrepo.Commit

// gitEntry is a name in a folder of a commit.
type gitEntry = gitrepo.Entry

// repoLinks are the addresses in a repository's document, below its own.
var repoLinks = map[string]string{
	"archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
	"branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}", "comments_url": "/comments{/number}",
	"commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}", "contents_url": "/contents/{+path}",
	"contributors_url": "/contributors", "deployments_url": "/deployments", "downloads_url": "/downloads", "events_url": "/events",
	"forks_url": "/forks", "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"hooks_url": "/hooks", "issue_comment_url": "/issues/comments{/number}", "issue_events_url": "/issues/events{/number}",
	"issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}", "labels_url": "/labels{/name}", "languages_url": "/languages",
	"merges_url": "/merges", "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
	"pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers", "statuses_url": "/statuses/{sha}",
	"subscribers_url": "/subscribers", "subscription_url": "/subscription", "tags_url": "/tags", "teams_url": "/teams", "trees_url": "/git/trees{/sha}",
}

func (s *Server) repoURL(r *repository) string { return s.apiURL("/repos/%s", r.fullName()) }

// smallRepoDoc is a repository as runs and suites show it.
func (s *Server) smallRepoDoc(r *repository) doc {
	d := doc{
		"id": r.id, "node_id": nodeID("Repository", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private,
		"owner": s.accountDoc(r.owner), "html_url": s.webURL("%s", r.fullName()), "description": nil, "fork": r.parent != nil, "url": s.repoURL(r),
	}
	for name, suffix := range repoLinks {
		d[name] = s.repoURL(r) + suffix
	}
	return d
}

// repoDoc is a repository.
func (s *Server) repoDoc(r *repository) doc {
	open := len(filter(r.issues, func(x *issue) bool { return x.state == "open" }))
	clone := s.webURL("%s.git", r.fullName())
	return merged(s.smallRepoDoc(r), doc{
		"clone_url": clone, "git_url": clone, "ssh_url": clone, "svn_url": s.webURL("%s", r.fullName()), "mirror_url": nil,
		"default_branch": r.defaultBranch, "visibility": visibility(r), "archived": false, "disabled": false, "homepage": nil,
		"language": nil, "license": nil, "topics": []string{}, "is_template": false, "allow_forking": true, "web_commit_signoff_required": false,
		"forks": 0, "forks_count": 0, "size": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
		"open_issues": open, "open_issues_count": open, "has_downloads": false, "has_issues": true, "has_projects": false, "has_wiki": false,
		"has_pages": false, "has_discussions": false, "pushed_at": stamp(r.pushed), "created_at": stamp(r.created), "updated_at": stamp(r.pushed),
	})
}

func visibility(r *repository) string {
	if r.private {
		return "private"
	}
	return "public"
}

// fullRepoDoc is a repository asked for by name.
func (s *Server) fullRepoDoc(r *repository, who *identity) doc {
	d := merged(s.repoDoc(r), doc{
		"network_count": 0, "subscribers_count": 0, "temp_clone_token": nil, "permissions": roleOf(who.user, r).rights(),
	})
	if r.owner.typ == "Organization" {
		d["organization"] = s.accountDoc(r.owner)
	}
	if r.parent != nil {
		d["parent"], d["source"] = s.repoDoc(r.parent), s.repoDoc(r.parent)
	}
	return d
}

// labelDoc is a label.
func (s *Server) labelDoc(r *repository, l *label) doc {
	return doc{
		"id": l.id, "node_id": nodeID("Label", l.id), "url": s.repoURL(r) + "/labels/" + l.name, "name": l.name,
		"description": orNil(l.description), "color": l.color, "default": false,
	}
}

// gitCommitDoc is a commit object.
func (s *Server) gitCommitDoc(r *repository, c gitCommit) doc {
	at := s.repoURL(r)
	parents := convert(c.Parents, func(sha string) doc {
		return doc{"sha": sha, "url": at + "/git/commits/" + sha, "html_url": s.webURL("%s/commit/%s", r.fullName(), sha)}
	})
	return doc{
		"sha": c.ID, "node_id": base64.StdEncoding.EncodeToString([]byte("C:" + c.ID)), "url": at + "/git/commits/" + c.ID,
		"html_url": s.webURL("%s/commit/%s", r.fullName(), c.ID), "author": signatureDoc(c.Author), "committer": signatureDoc(c.Committer),
		"tree":    doc{"sha": c.Tree, "url": at + "/git/trees/" + c.Tree},
		"message": strings.ToValidUTF8(strings.TrimSuffix(c.Message, "\n"), "\uFFFD"), "parents": parents, "verification": unverified(),
	}
}

func unverified() doc {
	return doc{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

func signatureDoc(p gitrepo.Signature) doc {
	return doc{"name": p.Name, "email": p.Email, "date": stamp(p.When)}
}

// commitDoc is a commit of a repository, with the accounts behind its names.
func (s *Server) commitDoc(r *repository, c gitCommit) doc {
	at := s.repoURL(r) + "/commits/" + c.ID
	g := s.gitCommitDoc(r, c)
	return doc{
		"sha": c.ID, "node_id": g["node_id"], "url": at, "html_url": g["html_url"], "comments_url": at + "/comments",
		"commit": doc{
			"url": g["url"], "author": g["author"], "committer": g["committer"], "message": g["message"], "tree": g["tree"],
			"comment_count": 0, "verification": unverified(),
		},
		"author": s.userDoc(s.userByEmail(c.Author.Email)), "committer": s.userDoc(s.userByEmail(c.Committer.Email)),
		"parents": convert(c.Parents, func(sha string) doc {
			return doc{"sha": sha, "url": s.repoURL(r) + "/commits/" + sha, "html_url": s.webURL("%s/commit/%s", r.fullName(), sha)}
		}),
	}
}

// userByEmail returns the account that an address in a commit belongs to.
func (s *Server) userByEmail(email string) *user {
	_, rest, _ := strings.Cut(email, "+")
	login, _, _ := strings.Cut(rest, "@")
	if u := s.user(login); u != nil && u.email() == email {
		return u
	}
	return nil
}

// shortCommitDoc is a commit as runs, suites and pushes show it.
func (s *Server) shortCommitDoc(r *repository, sha string) doc {
	c, err := r.git.read.Commit(s.ctx, sha)
	if err != nil {
		return nil
	}
	g := s.gitCommitDoc(r, c)
	return doc{
		"id": c.ID, "tree_id": c.Tree, "message": g["message"], "timestamp": stamp(c.Committer.When),
		"author": doc{"name": c.Author.Name, "email": c.Author.Email}, "committer": doc{"name": c.Committer.Name, "email": c.Committer.Email},
	}
}

// pushDoc is the payload of a push.
func (s *Server) pushDoc(who *identity, r *repository, p push) doc {
	d := doc{
		"ref": p.ref, "before": orZero(p.before), "after": orZero(p.after), "created": p.before == "", "deleted": p.after == "",
		"forced": p.forced, "base_ref": nil, "compare": s.webURL("%s/compare/%s...%s", r.fullName(), orZero(p.before), orZero(p.after)),
		"commits": []doc{}, "head_commit": nil,
	}
	if who.user != nil {
		d["pusher"] = doc{"name": who.user.login, "email": who.user.email()}
	}
	if p.after == "" {
		return d
	}
	d["head_commit"] = s.pushedCommitDoc(r, p.after)
	if p.before != "" {
		if list, err := r.git.commitsBetween(s.ctx, p.before, p.after); err == nil {
			d["commits"] = convert(list[max(0, len(list)-2048):], func(sha string) doc { return s.pushedCommitDoc(r, sha) })
		}
	}
	return d
}

// pushedCommitDoc is a commit in the payload of a push, with the files that it
// changes.
func (s *Server) pushedCommitDoc(r *repository, sha string) doc {
	c, err := r.git.read.Commit(s.ctx, sha)
	if err != nil {
		return nil
	}
	files := map[gitrepo.Status][]string{gitrepo.Added: {}, gitrepo.Deleted: {}, gitrepo.Modified: {}}
	if len(c.Parents) > 0 {
		changes, _ := r.git.read.Changed(s.ctx, c.Parents[0], sha) // too many to name: none are named
		for _, f := range changes {
			files[f.Status] = append(files[f.Status], f.Path)
		}
	}
	return merged(s.shortCommitDoc(r, sha), doc{
		"distinct": true, "url": s.webURL("%s/commit/%s", r.fullName(), sha), "added": files[gitrepo.Added],
		"removed": files[gitrepo.Deleted], "modified": append(files[gitrepo.Modified], files[gitrepo.Retyped]...),
	})
}

func orZero(sha string) string {
	if sha == "" {
		return noCommit
	}
	return sha
}

// fileDoc is one file of a comparison.
func (s *Server) fileDoc(r *repository, f fileChange, sha string) doc {
	d := doc{
		"sha": f.blob, "filename": f.path, "status": f.status, "additions": f.additions, "deletions": f.deletions,
		"changes": f.additions + f.deletions, "blob_url": s.webURL("%s/blob/%s/%s", r.fullName(), sha, escapePath(f.path)),
		"raw_url":      s.webURL("%s/raw/%s/%s", r.fullName(), sha, escapePath(f.path)),
		"contents_url": s.repoURL(r) + "/contents/" + escapePath(f.path) + "?ref=" + sha,
	}
	if f.patch != "" {
		d["patch"] = strings.ToValidUTF8(f.patch, "\uFFFD")
	}
	if f.from != "" {
		d["previous_filename"] = f.from
	}
	return d
}

// entryDoc is what a file and a line of a directory listing have in common.
func (s *Server) entryDoc(r *repository, name, ref, typ, oid string, size int) doc {
	at := s.repoURL(r) + "/contents/" + escapePath(name) + "?ref=" + ref
	object := s.repoURL(r) + "/git/blobs/" + oid
	page := s.webURL("%s/blob/%s/%s", r.fullName(), ref, escapePath(name))
	var download any = s.webURL("%s/raw/%s/%s", r.fullName(), ref, escapePath(name))
	if typ == "dir" {
		object, page, download = s.repoURL(r)+"/git/trees/"+oid, s.webURL("%s/tree/%s/%s", r.fullName(), ref, escapePath(name)), nil
	}
	return doc{
		"type": typ, "name": path.Base(name), "path": name, "sha": oid, "size": size, "url": at, "git_url": object,
		"html_url": page, "download_url": download, "_links": doc{"self": at, "git": object, "html": page},
	}
}
