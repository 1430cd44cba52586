package actrun

import (
	"io"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// follower reports what act prints to the sandbox.
type follower struct {
	run    *sandbox.RunHandle
	names  *workflows
	runner string
	ended  func(job, conclusion string)
	shelf  *shelf

	jobs   map[string]*live // by act's name, while they run
	failed bool             // a job did
	stray  []string         // the last lines that are of no job
}

// live is a job that runs.
type live struct {
	handle *sandbox.JobHandle
	name   string
	failed bool
}

// maxStray is how many lines of no job are kept.
const maxStray = 8

// follow reads to the end of what act prints.
func (f *follower) follow(from io.Reader) {
	readRecords(from, f.take, f.say)
}

// say keeps a line that is of no job.
func (f *follower) say(line string) {
	f.stray = append(f.stray, line)
	f.stray = f.stray[max(0, len(f.stray)-maxStray):]
}

// setUp and complete are the steps of act's own at both ends of a job.
const setUp = "Set up job"

// take reports one record.
func (f *follower) take(r record) {
	key := strings.TrimRight(r.Job, " ")
	j := f.jobs[key]
	switch {
	case j == nil && r.Step == setUp && r.StepResult == "":
		name := f.names.jobName(key, r.Matrix)
		j = &live{name: name, handle: f.run.StartJob(sandbox.JobSpec{Name: name, Labels: []string{}, Runner: f.runner})}
		f.jobs[key] = j
	case j == nil && r.Level != "info":
		f.say(r.Message)
		return
	case j == nil:
		return
	}
	j.step(r)
	j.said(r)
	if r.JobResult != "" {
		delete(f.jobs, key)
		f.end(j)
	}
}

// step follows the steps of a job. Pre and Post stages of actions are no steps
// of ours, but may fail a job. What act says of the result of a job is that of
// all jobs of its matrix so far, so the steps decide.
func (j *live) step(r record) {
	if len(r.IDs) > 1 || r.Raw { // inside of a composite action
		return
	}
	own := r.Stage == "Main" || r.Stage == ""
	switch {
	case r.StepResult == "failure":
		j.failed = true
		fallthrough
	case r.StepResult != "":
		if own {
			j.handle.FinishStep(r.StepResult)
		}
	case own && r.Level == "info" && strings.HasPrefix(r.Message, "⭐ Run "):
		first, _, _ := strings.Cut(strings.TrimSpace(r.Step), "\n")
		j.handle.StartStep(diag.Printable(first))
	}
}

// said keeps output, annotations, errors and summaries.
func (j *live) said(r record) {
	switch {
	case r.Command == "summary":
		if err := j.handle.Summary(r.Content); err != nil {
			log(j.handle, err.Error())
		}
	case r.Command == "error" || r.Command == "warning" || r.Command == "notice":
		level := map[string]string{"error": "failure"}[r.Command]
		if level == "" {
			level = r.Command
		}
		line, _ := strconv.Atoi(r.Fields["line"])
		j.handle.Annotate(level, r.Fields["file"], max(1, line), r.Argument)
		log(j.handle, r.Argument)
	case r.Raw || r.Level == "error" || r.Level == "warning":
		log(j.handle, r.Message)
	}
}

// log adds text to the log of a job. Nothing in it is obeyed.
func log(job *sandbox.JobHandle, text string) {
	for line := range strings.Lines(text) {
		job.Log("%s", diag.Printable(strings.TrimRight(line, "\n")))
	}
}

// end reports the end of a job. Its artifacts are there before it is over.
func (f *follower) end(j *live) {
	conclusion := "success"
	if !f.shelf.upload(j.handle) || j.failed {
		conclusion = "failure"
		f.failed = true
	}
	j.handle.Finish(conclusion)
	if f.ended != nil {
		f.ended(j.name, conclusion)
	}
}
