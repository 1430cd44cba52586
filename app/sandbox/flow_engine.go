package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Engine runs workflows. The sandbox decides that a workflow runs, on which
// files and with which token; the engine decides what its jobs are and reports
// them through the handle.
type Engine interface {
	// Start runs one attempt of a workflow and returns when it is over. It is
	// called in a goroutine of its own. The context ends when the run is
	// cancelled; jobs that are unfinished at return count as cancelled.
	Start(ctx context.Context, req RunRequest)
}

// EngineFunc is a function as an engine.
type EngineFunc func(ctx context.Context, req RunRequest)

// Start calls the function.
func (f EngineFunc) Start(ctx context.Context, req RunRequest) { f(ctx, req) }

// RunRequest is one attempt of a workflow to be run.
type RunRequest struct {
	// Handle reports back.
	Handle *RunHandle
	// Repository is owner/name; APIURL and CloneURL are on this sandbox.
	Repository, APIURL, CloneURL string
	RunID                        int64
	RunNumber, Attempt           int
	// Workflow is the name, WorkflowPath the file, WorkflowSHA the commit whose
	// file runs: the test merge for pull_request, the pushed commit for push,
	// the given ref for workflow_dispatch, the default branch for the rest.
	Workflow, WorkflowPath, WorkflowSHA string
	// Event is GITHUB_EVENT_NAME, Payload the content of GITHUB_EVENT_PATH.
	Event   string
	Payload json.RawMessage
	// Ref and SHA are GITHUB_REF and GITHUB_SHA; HeadSHA is what the run is
	// listed under. HeadRef and BaseRef are branches of a pull request.
	Ref, SHA, HeadSHA, HeadRef, BaseRef string
	Actor, TriggeringActor              string
	// Token is GITHUB_TOKEN with Permissions, by scope in the API's spelling.
	Token       string
	Permissions map[string]string
	// Secrets are nil when the event gets none: pull requests of forks.
	Secrets   map[string]string
	Variables map[string]string
	Inputs    map[string]string
	// Only are the names of the jobs to run again; nil is all. Kept are the
	// others with the outcome that they keep.
	Only []string
	Kept []JobResult
}

// JobResult is the outcome of a job.
type JobResult struct{ Name, Conclusion string }

// RunHandle reports what becomes of one attempt of a run. Its methods may be
// called from several goroutines.
type RunHandle struct {
	s *Server
	u *run
	a *attempt
}

// ID returns the id of the run.
func (h *RunHandle) ID() int64 { return h.u.id }

// Token returns another GITHUB_TOKEN of the attempt, with permissions as in a
// workflow file. It is for engines that know one token only, where GitHub gives
// each job its own.
func (h *RunHandle) Token(granted map[string]string) string {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	return h.u.token(h.s, ofFile(granted))
}

// ofFile are permissions as workflow files spell them.
func ofFile(granted map[string]string) permissions {
	perms := permissions{"metadata": levelRead}
	for scope, word := range granted {
		perms[scopeName(scope)] = parseLevel(word)
	}
	return perms
}

// SetTitle sets the title in lists, the outcome of run-name.
func (h *RunHandle) SetTitle(title string) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	h.u.title = title
}

// JobSpec is a job that starts.
type JobSpec struct {
	Name string
	// Labels are those of runs-on, Runner the name of the machine.
	Labels []string
	Runner string
	// Permissions of the job's token as in the workflow file; nil are those of
	// the workflow.
	Permissions map[string]string
	// ContinueOnError keeps a failure from failing the run.
	ContinueOnError bool
	// Queued leaves the job waiting for a runner; [JobHandle.Start] starts it.
	Queued bool
}

// StartJob adds a job to the attempt.
func (h *RunHandle) StartJob(spec JobSpec) *JobHandle {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	now := h.s.now()
	k := &check{id: h.s.ids.take(kindCheck), suite: h.u.suite, name: spec.Name, status: "queued", started: now}
	j := &job{check: k, run: h.u, attempt: h.a, created: now, labels: spec.Labels, runner: spec.Runner, tolerate: spec.ContinueOnError}
	k.job = j
	k.details = h.s.jobURL(j)
	h.a.jobs = append(h.a.jobs, j)
	h.u.repo.checks = append(h.u.repo.checks, k)
	handle := &JobHandle{h, j, ""}
	if spec.Permissions != nil {
		handle.token = h.u.token(h.s, ofFile(spec.Permissions))
	}
	h.s.emitJob(j, "queued")
	if !spec.Queued {
		h.s.startJob(j)
	}
	return handle
}

// startJob lets a job begin, and with the first one the run.
func (s *Server) startJob(j *job) {
	if j.check.status != "queued" {
		return
	}
	now := s.now()
	j.check.status, j.check.started = "in_progress", now
	if j.attempt.status != "in_progress" && j.attempt.status != "completed" {
		j.run.setStatus("in_progress", "", now)
		s.emitRun(j.run, "in_progress")
	}
	s.emitJob(j, "in_progress")
}

// finishJob ends a job and its open steps.
func (s *Server) finishJob(j *job, conclusion string) {
	if j.check.status == "completed" {
		return
	}
	now := s.now()
	for _, st := range j.steps {
		if st.status != "completed" {
			st.status, st.conclusion, st.completed = "completed", conclusion, now
		}
	}
	j.check.status, j.check.conclusion, j.check.completed = "completed", conclusion, now
	j.attempt.updated, j.check.suite.updated = now, now
	s.emitJob(j, "completed")
}

// UploadArtifact stores a zip archive as an artifact. A second one of the same
// name in the same attempt is refused, as by actions/upload-artifact.
func (h *RunHandle) UploadArtifact(name string, archive io.Reader) (int64, error) {
	data, err := io.ReadAll(io.LimitReader(archive, maxArtifact+1))
	switch {
	case err != nil:
		return 0, err
	case len(data) > maxArtifact:
		return 0, fmt.Errorf("artifact %s has more than %d bytes", name, maxArtifact)
	case name == "" || strings.ContainsAny(name, "\"/\\:<>|*?\r\n"):
		return 0, fmt.Errorf("artifact name %q is not allowed", name)
	}
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if slices.ContainsFunc(h.u.artifacts(), func(a *artifact) bool { return a.name == name && a.attempt == h.a }) {
		return 0, refuse(http.StatusConflict, "an artifact with this name already exists on the workflow run")
	}
	sum := sha256.Sum256(data)
	now := h.s.now()
	a := &artifact{
		lag: h.s.faults.lagOf("artifacts"), id: h.s.ids.take(kindArtifact), run: h.u, attempt: h.a, name: name, data: data,
		digest: "sha256:" + hex.EncodeToString(sum[:]), created: now, expires: now.Add(90 * 24 * time.Hour),
	}
	h.u.repo.artifacts = append(h.u.repo.artifacts, a)
	return a.id, nil
}

// maxArtifact bounds one archive in bytes: they are kept in memory.
const maxArtifact = 64 << 20

// Artifact returns the newest archive that the run has under a name.
func (h *RunHandle) Artifact(name string) (archive []byte, ok bool) {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	for _, a := range newestFirst(h.u.artifacts()) {
		if a.name == name && !a.expired {
			return a.data, true
		}
	}
	return nil, false
}

// Finish ends the attempt. An engine need not call it: returning from Start
// does the same.
func (h *RunHandle) Finish() {
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if h.u.last() == h.a {
		h.s.finish(h.u)
	}
}
