package sandbox

import "fmt"

func (s *Server) runURL(u *run) string {
	return fmt.Sprintf("%s/actions/runs/%d", s.repoURL(u.repo), u.id)
}

func (s *Server) runPage(u *run) string {
	return s.webURL("%s/actions/runs/%d", u.repo.fullName(), u.id)
}

// jobURL is the web page of a job.
func (s *Server) jobURL(j *job) string { return fmt.Sprintf("%s/job/%d", s.runPage(j.run), j.check.id) }

func (s *Server) suiteURL(u *suite) string {
	return fmt.Sprintf("%s/check-suites/%d", s.repoURL(u.repo), u.id)
}

// workflowDoc is a workflow.
func (s *Server) workflowDoc(w *workflow) doc {
	page := s.webURL("%s/blob/%s/%s", w.repo.fullName(), w.repo.defaultBranch, w.path)
	return doc{
		"id": w.id, "node_id": nodeID("Workflow", w.id), "name": w.name, "path": w.path, "state": w.state, "created_at": stamp(w.created),
		"updated_at": stamp(w.updated), "url": fmt.Sprintf("%s/actions/workflows/%d", s.repoURL(w.repo), w.id), "html_url": page,
		"badge_url": s.webURL("%s/workflows/%s/badge.svg", w.repo.fullName(), w.name),
	}
}

// linkedPulls are the pull requests that a run or check lists: none from
// forks, and none whose head has moved on (known failure F30).
func (s *Server) linkedPulls(r *repository, sha string) []doc {
	list := filter(r.pulls(), func(x *issue) bool { return x.state == "open" && x.pull.headRepo == r && x.pull.headSHA == sha })
	return convert(list, func(x *issue) doc {
		end := func(branch, sha string) doc {
			return doc{"ref": branch, "sha": sha, "repo": doc{"id": r.id, "url": s.repoURL(r), "name": r.name}}
		}
		return doc{
			"id": x.pull.id, "number": x.number, "url": s.pullURL(x), "head": end(x.pull.headBranch, x.pull.headSHA), "base": end(x.pull.base, x.pull.baseSHA),
		}
	})
}

// runDoc is a run as one of its attempts shows it.
func (s *Server) runDoc(u *run, a *attempt) doc {
	at := s.runURL(u)
	d := doc{
		"id": u.id, "name": u.workflow.name, "node_id": nodeID("WorkflowRun", u.id), "head_branch": u.src.headBranch, "head_sha": u.src.headSHA,
		"path": u.workflow.path, "display_title": u.title, "run_number": u.number, "run_attempt": a.number, "event": u.event, "status": a.status,
		"conclusion": orNil(a.conclusion), "workflow_id": u.workflow.id, "check_suite_id": u.suite.id, "check_suite_node_id": nodeID("CheckSuite", u.suite.id),
		"url": at, "html_url": s.runPage(u), "pull_requests": s.linkedPulls(u.repo, u.src.headSHA), "created_at": stamp(u.created),
		"updated_at": stamp(a.updated), "run_started_at": stamp(a.started), "actor": s.userDoc(u.actor), "triggering_actor": s.userDoc(a.actor),
		"jobs_url": at + "/jobs", "logs_url": at + "/logs", "check_suite_url": s.suiteURL(u.suite), "artifacts_url": at + "/artifacts",
		"cancel_url": at + "/cancel", "rerun_url": at + "/rerun", "previous_attempt_url": nil,
		"workflow_url": fmt.Sprintf("%s/actions/workflows/%d", s.repoURL(u.repo), u.workflow.id), "referenced_workflows": []doc{},
		"head_commit": s.shortCommitDoc(u.repo, u.src.headSHA), "repository": s.smallRepoDoc(u.repo), "head_repository": nil,
	}
	if a.number > 1 {
		d["previous_attempt_url"] = fmt.Sprintf("%s/attempts/%d", at, a.number-1)
	}
	if u.src.headRepo != nil {
		d["head_repository"] = s.smallRepoDoc(u.src.headRepo)
	}
	return d
}

// jobDoc is a job.
func (s *Server) jobDoc(j *job) doc {
	k := j.check
	return doc{
		"id": k.id, "run_id": j.run.id, "run_url": s.runURL(j.run), "run_attempt": j.attempt.number, "node_id": nodeID("CheckRun", k.id),
		"head_sha": j.run.src.headSHA, "head_branch": j.run.src.headBranch, "workflow_name": j.run.workflow.name, "name": k.name,
		"url": fmt.Sprintf("%s/actions/jobs/%d", s.repoURL(j.run.repo), k.id), "html_url": s.jobURL(j), "status": k.status,
		"conclusion": orNil(k.conclusion), "created_at": stamp(j.created), "started_at": stamp(k.started), "completed_at": stampOrNil(k.completed),
		"check_run_url": fmt.Sprintf("%s/check-runs/%d", s.repoURL(j.run.repo), k.id), "labels": convert(j.labels, func(l string) string { return l }),
		"runner_id": nil, "runner_name": orNil(j.runner), "runner_group_id": nil, "runner_group_name": nil,
		"steps": convert(j.steps, func(st *step) doc {
			return doc{
				"number": st.number, "name": st.name, "status": st.status, "conclusion": orNil(st.conclusion),
				"started_at": stampOrNil(st.started), "completed_at": stampOrNil(st.completed),
			}
		}),
	}
}

// isExpired reports whether an artifact can no longer be downloaded. Reading
// must not move a story's clock, so its time is that of the newest change.
func (s *Server) isExpired(a *artifact) bool { return a.expired || s.latest.After(a.expires) }

// artifactDoc is an artifact.
func (s *Server) artifactDoc(a *artifact) doc {
	at := fmt.Sprintf("%s/actions/artifacts/%d", s.repoURL(a.run.repo), a.id)
	d := doc{
		"id": a.id, "node_id": nodeID("Artifact", a.id), "name": a.name, "size_in_bytes": len(a.data), "url": at, "archive_download_url": at + "/zip",
		"expired": s.isExpired(a), "created_at": stamp(a.created), "updated_at": stamp(a.created), "expires_at": stamp(a.expires), "digest": a.digest,
		"workflow_run": doc{
			"id": a.run.id, "repository_id": a.run.repo.id, "head_repository_id": a.run.repo.id, "head_branch": a.run.src.headBranch,
			"head_sha": a.run.src.headSHA,
		},
	}
	if r := a.run.src.headRepo; r != nil {
		d["workflow_run"].(doc)["head_repository_id"] = r.id
	}
	return d
}

// checkDoc is a check run.
func (s *Server) checkDoc(k *check) doc {
	r := k.suite.repo
	at := fmt.Sprintf("%s/check-runs/%d", s.repoURL(r), k.id)
	page := s.webURL("%s/runs/%d", r.fullName(), k.id)
	if k.job != nil {
		page = s.jobURL(k.job)
	}
	details := k.details
	if details == "" {
		details = page
	}
	return doc{
		"id": k.id, "node_id": nodeID("CheckRun", k.id), "head_sha": k.suite.sha, "external_id": k.external, "url": at, "html_url": page,
		"details_url": details, "status": k.status, "conclusion": orNil(k.conclusion), "started_at": stampOrNil(k.started),
		"completed_at": stampOrNil(k.completed), "name": k.name, "check_suite": doc{"id": k.suite.id}, "app": s.appDoc(k.suite.app),
		"pull_requests": s.linkedPulls(r, k.suite.sha),
		"output": doc{
			"title": orNil(k.title), "summary": orNil(k.summary), "text": orNil(k.text), "annotations_count": len(k.annotations),
			"annotations_url": at + "/annotations",
		},
	}
}

// suiteDoc is a check suite.
func (s *Server) suiteDoc(u *suite) doc {
	status, conclusion := u.outcome()
	return doc{
		"id": u.id, "node_id": nodeID("CheckSuite", u.id), "head_branch": orNil(u.branch), "head_sha": u.sha, "status": status,
		"conclusion": orNil(conclusion), "url": s.suiteURL(u), "before": noCommit, "after": u.sha, "pull_requests": s.linkedPulls(u.repo, u.sha),
		"app": s.appDoc(u.app), "created_at": stamp(u.created), "updated_at": stamp(u.updated), "rerequestable": true, "runs_rerequestable": true,
		"latest_check_runs_count": len(u.checks()), "check_runs_url": s.suiteURL(u) + "/check-runs",
		"head_commit": s.shortCommitDoc(u.repo, u.sha), "repository": s.smallRepoDoc(u.repo),
	}
}

// statusDoc is a commit status.
func (s *Server) statusDoc(r *repository, st *status) doc {
	d := doc{
		"id": st.id, "node_id": nodeID("Status", st.id), "url": s.repoURL(r) + "/statuses/" + st.sha, "avatar_url": nil, "state": st.state,
		"description": orNil(st.description), "target_url": orNil(st.link), "context": st.context, "created_at": stamp(st.created),
		"updated_at": stamp(st.created), "creator": s.userDoc(st.creator),
	}
	if st.creator != nil {
		d["avatar_url"] = s.webURL("_sandbox/avatar/%d", st.creator.id)
	}
	return d
}

// hookDoc is a webhook; its secret is never shown.
func (s *Server) hookDoc(k *hook) doc {
	config := doc{"url": k.url, "content_type": "json", "insecure_ssl": "0"}
	if k.form {
		config["content_type"] = "form"
	}
	if k.secret != "" {
		config["secret"] = "********"
	}
	d := doc{
		"type": "App", "id": k.id, "name": "web", "active": k.active, "events": k.events, "config": config, "created_at": stamp(k.created),
		"updated_at": stamp(k.created),
	}
	if k.repo == nil {
		return d
	}
	at := fmt.Sprintf("%s/hooks/%d", s.repoURL(k.repo), k.id)
	last := doc{"code": nil, "status": "unused", "message": nil}
	if k.last != nil {
		last = doc{"code": k.last.code, "status": "active", "message": k.last.status}
	}
	return merged(d, doc{
		"type": "Repository", "url": at, "test_url": at + "/test", "ping_url": at + "/pings", "deliveries_url": at + "/deliveries", "last_response": last,
	})
}
