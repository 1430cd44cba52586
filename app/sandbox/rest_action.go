package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// actionRoutes are workflows and their runs.
var actionRoutes = []route{
	{"GET /repos/{owner}/{repo}/actions/workflows", reads("actions"), listWorkflows},
	{"GET /repos/{owner}/{repo}/actions/workflows/{workflow}", reads("actions"), getWorkflow},
	{"GET /repos/{owner}/{repo}/actions/workflows/{workflow}/runs", reads("actions"), workflowRuns},
	{"POST /repos/{owner}/{repo}/actions/workflows/{workflow}/dispatches", anyone, postWorkflowDispatch},
	{"PUT /repos/{owner}/{repo}/actions/workflows/{workflow}/disable", writes(roleWrite, "actions"), enable("disabled_manually")},
	{"PUT /repos/{owner}/{repo}/actions/workflows/{workflow}/enable", writes(roleWrite, "actions"), enable("active")},
	{"GET /repos/{owner}/{repo}/actions/runs", reads("actions"), allRuns},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}", reads("actions"), getRun},
	{"DELETE /repos/{owner}/{repo}/actions/runs/{run}", writes(roleWrite, "actions"), deleteRun},
	{"GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}", reads("actions"), getAttempt},
	{"POST /repos/{owner}/{repo}/actions/runs/{run}/cancel", anyone, cancelRun(false)},
	{"POST /repos/{owner}/{repo}/actions/runs/{run}/force-cancel", anyone, cancelRun(true)},
	{"POST /repos/{owner}/{repo}/actions/runs/{run}/rerun", anyone, rerunWith(nil)},
	{"POST /repos/{owner}/{repo}/actions/runs/{run}/rerun-failed-jobs", anyone, rerunWith(failed)},
	{"POST /repos/{owner}/{repo}/actions/jobs/{job}/rerun", anyone, rerunJob},
}

func listWorkflows(c *call) (any, error) {
	list := filter(c.repo.workflows, func(w *workflow) bool { return w.state != "deleted" })
	return counted(c, "workflows", list, c.s.workflowDoc), nil
}

// workflow returns the workflow of a path, by id or file name.
func (c *call) workflow() (*workflow, error) {
	if w := c.repo.workflow(c.path("workflow")); w != nil && w.state != "deleted" {
		return w, nil
	}
	return nil, notFound()
}

func getWorkflow(c *call) (any, error) {
	w, err := c.workflow()
	if err != nil {
		return nil, err
	}
	return c.s.workflowDoc(w), nil
}

func enable(state string) handler {
	return func(c *call) (any, error) {
		w, err := c.workflow()
		if err == nil {
			w.state = state
		}
		return noContent(c, err)
	}
}

// onDefault reports whether the default branch has a workflow: only those can
// be dispatched (known failure F08).
func (c *call) onDefault(w *workflow) bool {
	files := c.s.workflowFiles(c.repo, c.repo.tip())
	return find(files, func(f *workflowFile) bool { return f.path == w.path }) != nil
}

func postWorkflowDispatch(c *call) (any, error) {
	w, err := c.workflow()
	if err != nil {
		return nil, err
	}
	if !c.onDefault(w) {
		return nil, notFound()
	}
	var in struct {
		Ref     string
		Inputs  map[string]json.RawMessage
		Details bool `json:"return_run_details"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	u, err := c.s.dispatch(c.who, c.repo, w, in.Ref, inputTexts(in.Inputs))
	if err != nil || !in.Details {
		return noContent(c, err)
	}
	return doc{"workflow_run_id": u.id, "run_url": c.s.runURL(u), "html_url": c.s.runPage(u)}, nil
}

// inputTexts turns inputs into texts: booleans and numbers are accepted too.
func inputTexts(in map[string]json.RawMessage) map[string]string {
	out := make(map[string]string, len(in))
	for name, value := range in {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		out[name] = text
	}
	return out
}

func workflowRuns(c *call) (any, error) {
	w, err := c.workflow()
	if err != nil {
		return nil, err
	}
	return c.runs(filter(c.repo.runs, func(u *run) bool { return u.workflow == w })), nil
}

func allRuns(c *call) (any, error) { return c.runs(c.repo.runs), nil }

// runs is a page of the runs that pass the filters of the request.
func (c *call) runs(list []*run) doc {
	created := dateFilter(c.query("created"))
	passes := func(value, wanted string) bool { return wanted == "" || value == wanted }
	list = newestFirst(filter(seen(list), func(u *run) bool {
		wanted := c.query("status")
		return passes(u.src.headBranch, c.query("branch")) && passes(u.event, c.query("event")) && passes(u.src.headSHA, c.query("head_sha")) &&
			passes(u.actor.login, c.query("actor")) && (wanted == "" || u.status == wanted || u.conclusion == wanted) && created(u.created)
	}))
	return counted(c, "workflow_runs", list, func(u *run) doc { return c.s.runDoc(u, u.last()) })
}

// dateFilter reads GitHub's form of a range of dates: >=2026-11-01,
// 2026-11-01..2026-11-30, 2026-11-01.
func dateFilter(text string) func(time.Time) bool {
	from, to := text, text
	switch a, b, isRange := strings.Cut(text, ".."); {
	case isRange:
		from, to = a, b
	case strings.HasPrefix(text, ">"):
		from, to = strings.TrimLeft(text, ">="), "*"
	case strings.HasPrefix(text, "<"):
		from, to = "*", strings.TrimLeft(text, "<=")
	}
	start, end := dateOf(from), dateOf(to)
	if !end.IsZero() && len(to) == len(time.DateOnly) {
		end = end.Add(24*time.Hour - time.Second)
	}
	return func(t time.Time) bool {
		t = t.Truncate(time.Second)
		return !t.Before(start) && (end.IsZero() || !t.After(end))
	}
}

func dateOf(text string) time.Time {
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

// run returns the run of a path.
func (c *call) run() (*run, error) {
	id, err := c.number("run")
	if err != nil {
		return nil, err
	}
	if u := c.repo.run(id); u != nil && !u.hide() {
		return u, nil
	}
	return nil, notFound()
}

// attempt returns the attempt of a path.
func (c *call) attempt() (*run, *attempt, error) {
	u, err := c.run()
	if err != nil {
		return nil, nil, err
	}
	n, err := c.number("attempt")
	if err != nil || int(n) > len(u.attempts) {
		return nil, nil, notFound()
	}
	return u, u.attempts[n-1], nil
}

func getRun(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	return c.s.runDoc(u, u.last()), nil
}

func deleteRun(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	if u.status != "completed" {
		return nil, refuse(http.StatusForbidden, "Cannot delete a workflow run that is not completed")
	}
	c.repo.runs = filter(c.repo.runs, func(o *run) bool { return o != u })
	c.repo.artifacts = filter(c.repo.artifacts, func(a *artifact) bool { return a.run != u })
	return nil, nil
}

func getAttempt(c *call) (any, error) {
	u, a, err := c.attempt()
	if err != nil {
		return nil, err
	}
	return c.s.runDoc(u, a), nil
}

// accepted answers 202, or 201 for re-runs, with an empty document.
func accepted(c *call, status int, err error) (any, error) {
	c.status = status
	return doc{}, err
}

func cancelRun(force bool) handler {
	return func(c *call) (any, error) {
		u, err := c.run()
		if err != nil {
			return nil, err
		}
		return accepted(c, http.StatusAccepted, c.s.cancelRun(c.who, u, force))
	}
}

func rerunWith(pick func(*job) bool) handler {
	return func(c *call) (any, error) {
		u, err := c.run()
		if err != nil {
			return nil, err
		}
		return accepted(c, http.StatusCreated, c.s.rerun(c.who, u, pick))
	}
}

// job returns the job of a path.
func (c *call) job() (*job, error) {
	id, err := c.number("job")
	if err != nil {
		return nil, err
	}
	if j := c.repo.job(id); j != nil {
		return j, nil
	}
	return nil, notFound()
}

func rerunJob(c *call) (any, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	name := j.check.name
	return accepted(c, http.StatusCreated, c.s.rerun(c.who, j.run, func(o *job) bool { return o.check.name == name }))
}

// downloadURL is where an archive can be fetched without a token: the address
// itself is the secret. Who came over TLS is not sent elsewhere.
func (s *Server) downloadURL(kind string, id int64) string {
	what := fmt.Sprintf("%s:%d", kind, id)
	key := s.ids.secret(what)
	s.downloads[key] = what
	if strings.HasPrefix(s.asked, "https:") {
		return s.secure + "/_sandbox/download/" + key
	}
	return s.webURL("_sandbox/download/%s", key)
}
