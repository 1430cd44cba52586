package sandbox

import (
	"fmt"
	"strings"
)

func (s *Server) issueURL(x *issue) string {
	return fmt.Sprintf("%s/issues/%d", s.repoURL(x.repo), x.number)
}

func (s *Server) pullURL(x *issue) string {
	return fmt.Sprintf("%s/pulls/%d", s.repoURL(x.repo), x.number)
}

// issuePage is the web page of an issue or pull request.
func (s *Server) issuePage(x *issue) string {
	if x.pull != nil {
		return s.webURL("%s/pull/%d", x.repo.fullName(), x.number)
	}
	return s.webURL("%s/issues/%d", x.repo.fullName(), x.number)
}

func (s *Server) labelDocs(x *issue) []doc {
	return convert(x.labels, func(l *label) doc { return s.labelDoc(x.repo, l) })
}

// sharedDoc is what the issue and the pull request documents have in common.
func (s *Server) sharedDoc(x *issue, webhook bool) doc {
	return doc{
		"number": x.number, "state": x.state, "locked": false, "active_lock_reason": nil, "title": x.title, "body": orNil(x.body),
		"user": s.userDoc(x.author), "labels": s.labelDocs(x), "assignee": nil, "assignees": []doc{}, "milestone": nil,
		"comments_url": s.issueURL(x) + "/comments", "html_url": s.issuePage(x), "created_at": stamp(x.created),
		"updated_at": stamp(x.updated), "closed_at": stampOrNil(x.closed), "author_association": s.association(x.repo, x.author, webhook),
	}
}

// issueDoc is an issue, or the issue side of a pull request.
func (s *Server) issueDoc(x *issue, webhook bool) doc {
	at := s.issueURL(x)
	d := merged(s.sharedDoc(x, webhook), doc{
		"id": x.id, "node_id": nodeID("Issue", x.id), "url": at, "repository_url": s.repoURL(x.repo), "labels_url": at + "/labels{/name}",
		"events_url": at + "/events", "timeline_url": at + "/timeline", "comments": len(x.comments), "reactions": reactionsDoc(at, x.reactions),
		"performed_via_github_app": s.appOrNil(x.via), "state_reason": orNil(x.reason), "closed_by": s.userDoc(x.closedBy),
	})
	if p := x.pull; p != nil {
		d["draft"] = p.draft
		d["pull_request"] = doc{
			"url": s.pullURL(x), "html_url": s.issuePage(x), "diff_url": s.issuePage(x) + ".diff", "patch_url": s.issuePage(x) + ".patch",
			"merged_at": stampOrNil(p.mergedAt),
		}
	}
	return d
}

// endDoc is one end of a pull request.
func (s *Server) endDoc(r *repository, owner *user, branch, sha string) doc {
	d := doc{"label": owner.login + ":" + branch, "ref": branch, "sha": sha, "user": s.userDoc(owner), "repo": nil}
	if r != nil {
		d["repo"] = s.repoDoc(r)
	}
	return d
}

// pullDoc is a pull request; full adds what lists leave out.
func (s *Server) pullDoc(x *issue, full, webhook bool) doc {
	p, at := x.pull, s.pullURL(x)
	head := p.headSHA
	if !webhook && full && p.lateHead.hide() {
		head = p.shownHead
	}
	statuses := s.repoURL(x.repo) + "/statuses/" + head
	d := merged(s.sharedDoc(x, webhook), doc{
		"id": p.id, "node_id": nodeID("PullRequest", p.id), "url": at, "diff_url": s.issuePage(x) + ".diff", "patch_url": s.issuePage(x) + ".patch",
		"issue_url": s.issueURL(x), "commits_url": at + "/commits", "review_comments_url": at + "/comments",
		"review_comment_url": s.repoURL(x.repo) + "/pulls/comments{/number}", "statuses_url": statuses, "merged_at": stampOrNil(p.mergedAt),
		"merge_commit_sha": orNil(p.testMerge), "requested_reviewers": []doc{}, "requested_teams": []doc{}, "auto_merge": nil, "draft": p.draft,
		"head": s.endDoc(p.headRepo, p.headOwner, p.headBranch, head), "base": s.endDoc(x.repo, x.repo.owner, p.base, p.baseSHA),
		"_links": doc{
			"self": doc{"href": at}, "html": doc{"href": s.issuePage(x)}, "issue": doc{"href": s.issueURL(x)},
			"comments": doc{"href": s.issueURL(x) + "/comments"}, "review_comments": doc{"href": at + "/comments"},
			"review_comment": doc{"href": s.repoURL(x.repo) + "/pulls/comments{/number}"}, "commits": doc{"href": at + "/commits"},
			"statuses": doc{"href": statuses},
		},
	})
	if p.merged {
		d["merge_commit_sha"] = p.mergeSHA
	}
	if !full {
		return d
	}
	return merged(d, s.pullFacts(x, webhook))
}

// pullFacts is what only the single pull request shows.
func (s *Server) pullFacts(x *issue, webhook bool) doc {
	p := x.pull
	files, _ := s.pullDiff(x) // unreadable only when the repository is: the counts are 0 then
	additions, deletions := 0, 0
	for _, f := range files {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	var mergeable any = p.testMerge != "" && !p.merged
	state := "clean"
	switch {
	case x.state == "closed":
		mergeable, state = nil, "unknown"
	case !webhook && p.lateMerge.hide():
		mergeable, state = nil, "unknown"
	case p.testMerge == "":
		state = "dirty"
	case p.draft:
		state = "draft"
	}
	return doc{
		"merged": p.merged, "mergeable": mergeable, "rebaseable": false, "mergeable_state": state, "merged_by": s.userDoc(p.mergedBy),
		"comments": len(x.comments), "review_comments": len(p.notes), "maintainer_can_modify": p.editable, "commits": len(p.commits),
		"additions": additions, "deletions": deletions, "changed_files": len(files),
	}
}

// commentDoc is a comment of a conversation.
func (s *Server) commentDoc(c *comment, webhook bool) doc {
	at := fmt.Sprintf("%s/issues/comments/%d", s.repoURL(c.issue.repo), c.id)
	return doc{
		"id": c.id, "node_id": nodeID("IssueComment", c.id), "url": at, "html_url": fmt.Sprintf("%s#issuecomment-%d", s.issuePage(c.issue), c.id),
		"issue_url": s.issueURL(c.issue), "user": s.userDoc(c.author), "body": c.body, "created_at": stamp(c.created), "updated_at": stamp(c.updated),
		"author_association": s.association(c.issue.repo, c.author, webhook), "reactions": reactionsDoc(at, c.reactions),
		"performed_via_github_app": s.appOrNil(c.via),
	}
}

// reviewDoc is a review. Webhooks write its state in lower case.
func (s *Server) reviewDoc(rv *review, webhook bool) doc {
	page := fmt.Sprintf("%s#pullrequestreview-%d", s.issuePage(rv.issue), rv.id)
	d := doc{
		"id": rv.id, "node_id": nodeID("PullRequestReview", rv.id), "user": s.userDoc(rv.author), "body": rv.body, "state": rv.state,
		"html_url": page, "pull_request_url": s.pullURL(rv.issue), "commit_id": rv.commit,
		"author_association": s.association(rv.issue.repo, rv.author, webhook),
		"_links":             doc{"html": doc{"href": page}, "pull_request": doc{"href": s.pullURL(rv.issue)}},
	}
	if !rv.submitted.IsZero() {
		d["submitted_at"] = stamp(rv.submitted)
	}
	if webhook {
		d["state"] = strings.ToLower(rv.state)
	}
	return d
}

// noteDoc is a review comment.
func (s *Server) noteDoc(n *note, webhook bool) doc {
	at := fmt.Sprintf("%s/pulls/comments/%d", s.repoURL(n.issue.repo), n.id)
	page := fmt.Sprintf("%s#discussion_r%d", s.issuePage(n.issue), n.id)
	d := doc{
		"id": n.id, "node_id": nodeID("PullRequestReviewComment", n.id), "url": at, "html_url": page, "pull_request_url": s.pullURL(n.issue),
		"pull_request_review_id": n.review.id, "user": s.userDoc(n.author), "body": n.body, "path": n.path, "diff_hunk": "", "commit_id": n.commit,
		"original_commit_id": n.commit, "position": 1, "original_position": 1, "line": max(n.line, 1), "original_line": max(n.line, 1), "side": "RIGHT",
		"start_line": nil, "original_start_line": nil, "start_side": nil, "subject_type": "line",
		"created_at": stamp(n.created), "updated_at": stamp(n.updated), "author_association": s.association(n.issue.repo, n.author, webhook),
		"reactions": reactionsDoc(at, n.reactions),
		"_links":    doc{"self": doc{"href": at}, "html": doc{"href": page}, "pull_request": doc{"href": s.pullURL(n.issue)}},
	}
	if n.side != "" {
		d["side"] = n.side
	}
	if n.replyTo != 0 {
		d["in_reply_to_id"] = n.replyTo
	}
	return d
}

// eventDoc is a line of the timeline.
func (s *Server) eventDoc(x *issue, e *event) doc {
	if rv := e.review; rv != nil { // the only document that tells when it was changed
		return merged(s.reviewDoc(rv, false), doc{"event": e.kind, "state": strings.ToLower(rv.state), "updated_at": stamp(rv.updated)})
	}
	d := doc{
		"id": e.id, "node_id": nodeID("Event", e.id), "url": fmt.Sprintf("%s/issues/events/%d", s.repoURL(x.repo), e.id), "actor": s.userDoc(e.actor),
		"event": e.kind, "commit_id": orNil(e.commit), "commit_url": nil, "created_at": stamp(e.created), "performed_via_github_app": s.appOrNil(e.via),
	}
	if e.commit != "" {
		d["commit_url"] = s.repoURL(x.repo) + "/commits/" + e.commit
	}
	return merged(d, e.extra)
}
