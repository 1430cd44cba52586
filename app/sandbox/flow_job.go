package sandbox

import (
	"context"
	"fmt"
	"strings"
)

// JobHandle reports what becomes of one job.
type JobHandle struct {
	run   *RunHandle
	j     *job
	token string
}

// ID returns the id of the job, which is that of its check run too.
func (h *JobHandle) ID() int64 { return h.j.check.id }

// Token returns the job's GITHUB_TOKEN, or "" where the workflow's holds.
func (h *JobHandle) Token() string { return h.token }

func (h *JobHandle) locked(do func(s *Server)) {
	s := h.run.s
	s.mu.Lock()
	defer s.mu.Unlock()
	do(s)
}

// Start starts a job that waited for a runner.
func (h *JobHandle) Start() { h.locked(func(s *Server) { s.startJob(h.j) }) }

// Finish ends the job: success, failure, cancelled, skipped, timed_out or
// neutral. Its open steps end the same way.
func (h *JobHandle) Finish(conclusion string) {
	h.locked(func(s *Server) { s.finishJob(h.j, conclusion) })
}

// StartStep starts the next step.
func (h *JobHandle) StartStep(name string) {
	h.locked(func(s *Server) {
		h.j.steps = append(h.j.steps, &step{number: len(h.j.steps) + 1, name: name, status: "in_progress", started: s.now()})
	})
}

// FinishStep ends the newest step.
func (h *JobHandle) FinishStep(conclusion string) {
	h.locked(func(s *Server) {
		if n := len(h.j.steps); n > 0 {
			st := h.j.steps[n-1]
			st.status, st.conclusion, st.completed = "completed", conclusion, s.now()
		}
	})
}

// maxLog bounds the lines kept of one job.
const maxLog = 20_000

// Log adds lines to the log of the newest step.
func (h *JobHandle) Log(format string, args ...any) {
	h.locked(func(s *Server) {
		for line := range strings.Lines(fmt.Sprintf(format, args...)) {
			if len(h.j.log) < maxLog {
				h.j.log = append(h.j.log, logLine{len(h.j.steps), s.now(), strings.TrimRight(line, "\n")})
			}
		}
	})
}

// Summary adds Markdown to the job's step summary. More than a mebibyte fails
// the summary, not the job.
func (h *JobHandle) Summary(markdown string) error {
	var err error
	h.locked(func(*Server) {
		if len(h.j.summary)+len(markdown) > 1<<20 {
			err = unprocessable("the step summary is larger than 1024k")
			return
		}
		h.j.summary += markdown
	})
	return err
}

// Annotate marks a line of a file. Level is notice, warning or failure.
func (h *JobHandle) Annotate(level, path string, line int, message string) {
	h.locked(func(*Server) {
		h.j.check.annotations = append(h.j.check.annotations, annotation{
			Path: path, StartLine: line, EndLine: line, Level: level, Message: message,
		})
	})
}

// JoinGroup is [RunHandle.JoinGroup] for a job with a concurrency group of its
// own. Whoever takes its place cancels the job: ctx, which must belong to the
// job, is not ended by that, the returned one is.
func (h *JobHandle) JoinGroup(ctx context.Context, g Group) (context.Context, error) {
	inner, cancel := context.WithCancelCause(ctx)
	m := &member{run: h.j.run, attempt: h.j.attempt, cancel: func() { cancel(errCancelled) }}
	return inner, h.run.s.join(inner, m, g)
}

// LeaveGroup gives up the places of the job in its groups.
func (h *JobHandle) LeaveGroup(g Group) {
	h.locked(func(s *Server) {
		for _, m := range h.j.attempt.members {
			if m.group == s.group(h.j.run.repo, g.Name) && m.cancel != nil {
				s.leave(m)
			}
		}
	})
}
