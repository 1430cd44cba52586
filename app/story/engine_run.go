package story

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
)

// run runs the points, uploads what they left and collects the results.
func (s *sweep) run(ctx context.Context, options localrun.Options) {
	local, err := localrun.Open(options)
	if err == nil {
		defer local.Close()
		s.queue(s.canary != "")
		_, err = local.Run(ctx)
	}
	collect := s.req.Handle.StartJob(sandbox.JobSpec{Name: "collect-results", Labels: []string{"ubuntu-latest"}, Runner: "sandbox"})
	if err == nil {
		err = s.collect(options.Out, collect)
	}
	if conclude(collect, err); !measured(options.Out) {
		return
	}
	job := s.req.Handle.StartJob(sandbox.JobSpec{Name: "report", Labels: []string{"ubuntu-latest"}, Runner: "sandbox"})
	conclude(job, s.report(options.Out, job))
}

// queue makes the jobs of the canary, or of all points that have none yet.
// Their names are those that the sweep workflows give (spec/labels-and-sweeps.md
// section 7).
func (s *sweep) queue(onlyCanary bool) {
	for _, f := range s.plan.Families {
		for _, r := range f.Rows {
			if s.jobs[r.ID] != nil || onlyCanary && r.ID != s.canary {
				continue
			}
			prefix := f.Prefix
			if _, multi := r.Row.Get("prefill"); r.ID == s.canary && multi {
				prefix = "multi-node canary /"
			} else if r.ID == s.canary {
				prefix = "canary /"
			}
			s.names[r.ID] = prefix + " " + s.titles[r.ID]
			s.jobs[r.ID] = s.req.Handle.StartJob(sandbox.JobSpec{Name: s.names[r.ID], Labels: []string{runnerLabel(r)}, Runner: "sandbox", Queued: true})
		}
	}
}

func runnerLabel(r localrun.PlanRow) string {
	v, _ := r.Row.Get("runner")
	return v.Text
}

// started shows a point as running.
func (s *sweep) started(p *localrun.Point, _ int) {
	job := s.jobs[p.ID]
	job.Start()
	job.StartStep("Run " + p.Label())
}

// conclusions are the words of GitHub for how a point ended.
var conclusions = map[localrun.Status]string{
	localrun.Passed: "success", localrun.Failed: "failure", localrun.Cancelled: "cancelled", localrun.Skipped: "skipped",
}

// ended shows how a point ended. The jobs of all others are made once the
// canary is over.
func (s *sweep) ended(p *localrun.Point, status localrun.Status, why *diag.Finding) {
	job := s.jobs[p.ID]
	log, err := os.ReadFile(filepath.Join(s.dir, "out", "logs", p.ID+".log"))
	if err == nil {
		for line := range strings.Lines(string(log)) {
			job.Log("%s", diag.Printable(strings.TrimRight(line, "\n")))
		}
	}
	if why != nil {
		job.Log("%s", diag.Printable(why.Message(catalog.English)))
	}
	job.Finish(conclusions[status])
	outcome := results.Job{
		ID: job.ID(), Name: s.names[p.ID], Attempt: s.req.Attempt, Conclusion: conclusions[status], URL: s.page() + "/job/" + strconv.FormatInt(job.ID(), 10),
	}
	if rules, err := failure.BuiltIn(); err == nil && status == localrun.Failed {
		verdict := rules.Classify(failure.Facts{Job: outcome.ID, Attempt: outcome.Attempt, Conclusion: outcome.Conclusion, Runner: "sandbox", Log: string(log)})
		outcome.Failure = &verdict
	}
	s.outcomes = append(s.outcomes, outcome)
	s.done++
	s.engine.tell("story.point", "n", strconv.Itoa(s.done), "total", strconv.Itoa(len(s.titles)), "title", s.titles[p.ID], "status", string(status))
	if p.Canary {
		s.queue(false)
	}
}
