package sandbox

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// errCancelled is the cause of the context of a run that was cancelled.
var errCancelled = errors.New("the workflow run was cancelled")

// maxDepth is how many workflow_run events may follow from one another.
const maxDepth = 3

// startMatching starts the workflows of one source whose triggers match.
func (s *Server) startMatching(h happening, src source, payload doc) []*run {
	if src.commit == "" || s.skipsRuns(h.repo, src) {
		return nil
	}
	o := occasion{event: src.event, action: h.action, src: src}
	if h.name == "workflow_run" {
		o.finished, _ = h.payload["workflow"].(doc)["name"].(string)
	}
	o.cron, _ = payload["schedule"].(string)
	var runs []*run
	for _, f := range s.workflowFiles(h.repo, src.commit) {
		t := f.on[src.event]
		switch {
		case h.only != nil && h.only.path != f.path:
		case f.wrong != "" && src.event == "push" && src.branch != "":
			runs = append(runs, s.failStart(s.newRun(h, src, f, payload), f))
		case t == nil || f.wrong != "" || !t.matches(o):
		default:
			u := s.newRun(h, src, f, payload)
			if u.workflow.state == "disabled_manually" {
				continue
			}
			u.repo.runs = append(u.repo.runs, u)
			s.begin(u)
			runs = append(runs, u)
		}
	}
	return runs
}

// skipsRuns reports whether the head commit asks for no run.
func (s *Server) skipsRuns(r *repository, src source) bool {
	if src.event != "push" && src.event != "pull_request" {
		return false
	}
	c, err := r.git.read.Commit(s.ctx, src.headSHA)
	return err == nil && hasSkipMark(c.Message)
}

// newRun makes a run, without starting it.
func (s *Server) newRun(h happening, src source, f *workflowFile, payload doc) *run {
	w := s.workflowFor(h.repo, f)
	u := &run{
		lag: s.faults.lagOf("runs"), id: s.ids.take(kindRun), repo: h.repo, workflow: w, src: src, event: src.event,
		title: s.runTitle(h, src, f), payload: encode(payload), inputs: h.inputs, actor: h.who.user, created: s.now(),
		perms: f.permissions, declared: f.permissions != nil, secrets: !src.fork, depth: h.depth,
	}
	w.runs++
	u.number = w.runs
	if !u.declared {
		u.perms = s.defaultPermissions()
	}
	if src.fork {
		u.perms = u.perms.readOnly()
	}
	u.suite = s.newSuite(h.repo, s.actions, src.headSHA, src.headBranch, u)
	u.attempts = []*attempt{{number: 1, actor: h.who.user}}
	return u
}

// withInputs puts the inputs of a dispatch into a text, where it names them and
// nothing else.
func withInputs(text string, inputs map[string]string) string {
	var pairs []string
	for name, value := range inputs {
		pairs = append(pairs, "${{ inputs."+name+" }}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// runTitle is the title that GitHub gives a run. Of expressions only inputs are
// known; an engine that evaluates more sets its own.
func (s *Server) runTitle(h happening, src source, f *workflowFile) string {
	name := withInputs(f.runName, h.inputs)
	switch {
	case name != "" && !strings.Contains(name, "${{"):
		return name
	case src.pull != nil:
		return src.pull.title
	case src.event == "push":
		if c, err := h.repo.git.read.Commit(s.ctx, src.headSHA); err == nil {
			return c.Subject()
		}
	case src.event == "issue_comment":
		if x, ok := h.payload["issue"].(doc); ok {
			return x["title"].(string)
		}
	}
	return f.name
}

// failStart ends the run of a file that is no workflow.
func (s *Server) failStart(u *run, f *workflowFile) *run {
	u.repo.runs = append(u.repo.runs, u)
	u.title = f.path + ": " + f.wrong
	u.last().started = s.now()
	s.finish(u)
	return u
}

// begin puts the newest attempt in the queue and gives it to the engine.
func (s *Server) begin(u *run) {
	a := u.last()
	a.started = s.now()
	u.setStatus("queued", "", a.started)
	s.emitRun(u, "requested")
	req := s.request(u)
	if s.opt.Engine == nil || s.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	a.active, a.cancel = true, cancel
	s.active++
	s.wait.Go(func() {
		s.opt.Engine.Start(ctx, req)
		s.mu.Lock()
		defer s.mu.Unlock()
		a.active = false
		s.active--
		if u.last() == a {
			s.finish(u)
		}
		cancel(nil)
		s.changed.Broadcast()
	})
}

// finish ends the newest attempt: what is left of its jobs is cancelled, its
// tokens end, and whoever waits for its place may go on.
func (s *Server) finish(u *run) {
	a := u.last()
	if a.status == "completed" {
		return
	}
	for _, j := range a.jobs {
		if j.check.status != "completed" {
			s.finishJob(j, "cancelled")
		}
	}
	for _, who := range a.tokens {
		who.revoked = true
	}
	u.setStatus("completed", a.conclude(), s.now())
	u.suite.updated = a.updated
	s.emitSuite(u)
	s.emitRun(u, "completed")
	for _, m := range a.members {
		s.leave(m)
	}
	s.changed.Broadcast()
}

// emitRun tells of a run, and starts the workflows that wait for it.
func (s *Server) emitRun(u *run, action string) {
	from := s.onDefaultBranch(u.repo)
	from[0].branch = u.src.headBranch
	if u.depth >= maxDepth {
		from = nil
	}
	payload := doc{"workflow_run": s.runDoc(u, u.last()), "workflow": s.workflowDoc(u.workflow)}
	s.emit(happening{
		repo: u.repo, who: personal(u.last().actor), name: "workflow_run", action: action, payload: payload, workflows: from, depth: u.depth + 1,
	})
}

// emitSuite tells that the checks of a run are complete. GitHub starts no
// workflow for suites of its own.
func (s *Server) emitSuite(u *run) {
	payload := doc{"check_suite": s.suiteDoc(u.suite)}
	s.emit(happening{repo: u.repo, who: personal(u.last().actor), name: "check_suite", action: "completed", payload: payload})
}

// emitJob tells of a job.
func (s *Server) emitJob(j *job, action string) {
	payload := doc{"workflow_job": s.jobDoc(j)}
	s.emit(happening{repo: j.run.repo, who: personal(j.attempt.actor), name: "workflow_job", action: action, payload: payload})
	s.emitCheck(personal(j.attempt.actor), j.check, map[bool]string{true: "completed", false: "created"}[action == "completed"])
}

// token makes a workflow token for the newest attempt. Those of pull requests
// from forks read only, whatever the file asks for.
func (u *run) token(s *Server, perms permissions) string {
	if u.src.fork {
		perms = perms.readOnly()
	}
	who := &identity{
		kind: byWorkflow, key: "workflows:" + u.repo.fullName(), user: s.actions.bot, app: s.actions, perms: perms, run: u,
	}
	u.last().tokens = append(u.last().tokens, who)
	return s.issueToken(who)
}

// request describes the newest attempt to the engine.
func (s *Server) request(u *run) RunRequest {
	a, src := u.last(), u.src
	req := RunRequest{
		Handle: &RunHandle{s, u, a}, Repository: u.repo.fullName(), APIURL: s.apiURL(""), CloneURL: s.webURL("%s.git", u.repo.fullName()),
		RunID: u.id, RunNumber: u.number, Attempt: a.number, Workflow: u.workflow.name, WorkflowPath: u.workflow.path,
		WorkflowSHA: src.commit, Event: u.event, Payload: u.payload, Ref: src.ref, SHA: src.sha, HeadSHA: src.headSHA,
		HeadRef: src.headRef, BaseRef: src.baseRef, Actor: u.actor.login, TriggeringActor: a.actor.login,
		Token: u.token(s, u.perms), Permissions: u.perms.words(), Variables: maps.Clone(s.opt.Variables), Inputs: maps.Clone(u.inputs),
		Only: slices.Clone(a.only),
	}
	if u.secrets {
		req.Secrets = maps.Clone(s.opt.Secrets)
		if req.Secrets == nil {
			req.Secrets = map[string]string{}
		}
	}
	for _, j := range a.jobs {
		req.Kept = append(req.Kept, JobResult{j.check.name, j.check.conclusion})
	}
	return req
}
