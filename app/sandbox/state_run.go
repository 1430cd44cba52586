package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"
)

// workflow is a workflow that a repository is known to have.
type workflow struct {
	id      int64
	repo    *repository
	path    string
	name    string
	state   string // active, deleted, disabled_manually
	created time.Time
	updated time.Time
	runs    int // how many so far: the run number
}

// run is a run of a workflow.
type run struct {
	lag
	id         int64
	number     int
	repo       *repository
	workflow   *workflow
	src        source
	event      string
	title      string
	payload    []byte
	inputs     map[string]string
	actor      *user
	created    time.Time
	attempts   []*attempt
	suite      *suite
	perms      permissions
	secrets    bool
	declared   bool // the file declares permissions
	depth      int
	status     string // queued, pending, in_progress, completed
	conclusion string
}

// attempt is one try of a run.
type attempt struct {
	number     int
	actor      *user
	status     string
	conclusion string
	started    time.Time
	updated    time.Time
	jobs       []*job
	// only are the jobs to run again; nil is all of them.
	only []string

	active    bool // an engine works on it
	cancelled bool
	cancel    context.CancelCauseFunc
	tokens    []*identity
	members   []*member
}

// job is one job of an attempt.
type job struct {
	check    *check // has id, name, status, conclusion and times
	run      *run
	attempt  *attempt
	created  time.Time
	labels   []string
	runner   string
	steps    []*step
	log      []logLine
	summary  string
	tolerate bool // its failure does not fail the run
}

// step is one step of a job.
type step struct {
	number     int
	name       string
	status     string
	conclusion string
	started    time.Time
	completed  time.Time
}

// logLine is one line of a job's log.
type logLine struct {
	step int
	when time.Time
	text string
}

// last is the newest attempt.
func (u *run) last() *attempt { return u.attempts[len(u.attempts)-1] }

// setStatus moves the newest attempt on, and the run with it.
func (u *run) setStatus(status, conclusion string, now time.Time) {
	a := u.last()
	a.status, a.conclusion, a.updated = status, conclusion, now
	u.status, u.conclusion = status, conclusion
}

// job returns a job of any attempt, or nil.
func (r *repository) job(id int64) *job {
	k := find(r.checks, func(k *check) bool { return k.id == id })
	if k == nil {
		return nil
	}
	return k.job
}

// workflow finds a workflow by its id or file name, or returns nil.
func (r *repository) workflow(key string) *workflow {
	id, _ := strconv.ParseInt(key, 10, 64)
	return find(r.workflows, func(w *workflow) bool { return w.id == id || path.Base(w.path) == key || w.path == key })
}

// registerWorkflows brings the list of workflows up to the default branch.
func (s *Server) registerWorkflows(r *repository) {
	seen := make(map[string]bool)
	for _, f := range s.workflowFiles(r, r.tip()) {
		seen[f.path] = true
		w := s.workflowFor(r, f)
		w.name = f.name
		if w.state == "deleted" {
			w.state = "active"
		}
	}
	for _, w := range r.workflows {
		if !seen[w.path] && w.runs == 0 {
			w.state = "deleted"
		}
	}
}

// workflowFor returns the workflow of a file; one that only a branch has is
// listed once it ran.
func (s *Server) workflowFor(r *repository, f *workflowFile) *workflow {
	if w := r.workflow(f.path); w != nil {
		return w
	}
	now := s.now()
	w := &workflow{id: s.ids.take(kindWorkflow), repo: r, path: f.path, name: f.name, state: "active", created: now, updated: now}
	r.workflows = append(r.workflows, w)
	return w
}

// Limits of re-runs (spec/github-limits.md).
const (
	maxReruns   = 50
	rerunWindow = 30 * 24 * time.Hour
)

// rerun starts another attempt of a finished run: of all jobs, of one job, or
// of those that failed and were cancelled.
func (s *Server) rerun(who *identity, u *run, pick func(*job) bool) error {
	if err := who.check(u.repo, writes(roleWrite, "actions")); err != nil {
		return err
	}
	was := u.last()
	switch {
	case u.status != "completed":
		return refuse(http.StatusForbidden, "This workflow run is already running")
	case len(u.attempts) > maxReruns:
		return refuse(http.StatusForbidden, "Unable to retry this workflow run because it has been retried %d times", maxReruns)
	case s.now().Sub(u.created) > rerunWindow:
		return refuse(http.StatusForbidden, "Unable to retry this workflow run because it was created over a month ago")
	}
	next := &attempt{number: was.number + 1, actor: who.user}
	if pick != nil {
		for _, j := range was.jobs {
			if pick(j) {
				next.only = append(next.only, j.check.name)
			}
		}
		if len(next.only) == 0 {
			return refuse(http.StatusForbidden, "This workflow run cannot be retried: no failed jobs")
		}
	}
	u.attempts = append(u.attempts, next)
	s.keepJobs(u, was, next)
	s.begin(u)
	return nil
}

// keepJobs lists the jobs that are not run again in the new attempt too, with
// their outcome.
func (s *Server) keepJobs(u *run, was, next *attempt) {
	if next.only == nil {
		return
	}
	for _, j := range was.jobs {
		if slices.Contains(next.only, j.check.name) {
			continue
		}
		copied, k := *j, *j.check
		k.id = s.ids.take(kindCheck)
		k.job, copied.check, copied.attempt = &copied, &k, next
		u.repo.checks = append(u.repo.checks, &k)
		next.jobs = append(next.jobs, &copied)
	}
}

// failed picks the jobs that "re-run failed jobs" runs again.
func failed(j *job) bool {
	switch j.check.conclusion {
	case "success", "skipped", "neutral":
		return false
	}
	return true
}

// cancelRun asks a run to end. An engine at work ends it when it is done;
// otherwise, or with force, it is over at once.
func (s *Server) cancelRun(who *identity, u *run, force bool) error {
	if err := who.check(u.repo, writes(roleWrite, "actions")); err != nil {
		return err
	}
	if u.status == "completed" {
		return refuse(http.StatusConflict, "Cannot cancel a workflow run that is completed.")
	}
	s.halt(u, force)
	return nil
}

func (s *Server) halt(u *run, force bool) {
	a := u.last()
	a.cancelled = true
	if a.cancel != nil {
		a.cancel(errCancelled)
	}
	if !a.active || force {
		s.finish(u)
	}
}

// conclude is the conclusion of an attempt by its jobs.
func (a *attempt) conclude() string {
	if a.cancelled {
		return "cancelled"
	}
	if len(a.jobs) == 0 {
		return "startup_failure"
	}
	rank := []string{"skipped", "success", "cancelled", "failure"}
	worst := 0
	for _, j := range a.jobs {
		i := slices.Index(rank, j.counts())
		worst = max(worst, i)
	}
	return rank[worst]
}

// counts is what a job adds to the conclusion of its run.
func (j *job) counts() string {
	switch c := j.check.conclusion; c {
	case "skipped", "cancelled", "success":
		return c
	case "neutral":
		return "success"
	}
	if j.tolerate {
		return "success"
	}
	return "failure"
}

// artifact is one upload of a run.
type artifact struct {
	lag
	id      int64
	run     *run
	attempt *attempt
	name    string
	digest  string
	data    []byte
	created time.Time
	expires time.Time
	expired bool
}

// artifactsOf lists the artifacts of a run by age.
func (u *run) artifacts() []*artifact {
	list := filter(u.repo.artifacts, func(a *artifact) bool { return a.run == u })
	slices.SortFunc(list, func(a, b *artifact) int { return cmp.Compare(a.id, b.id) })
	return list
}

// artifact returns an artifact of the repository, or nil.
func (r *repository) artifact(id int64) *artifact {
	return find(r.artifacts, func(a *artifact) bool { return a.id == id })
}
