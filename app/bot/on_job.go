package bot

import (
	"context"
	"strconv"
	"time"
)

// tellJob handles a job of a run in a server: it keeps the progress comment in
// step with the points of a sweep. GitHub sends three events for every job of
// every workflow, so that whatever can be told from the event alone is told
// first and costs no request; what the comment itself remembers decides whether
// the rest is read (settings comments.progress-seconds).
func tellJob(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	settings, err := b.Planner.Settings(ctx, "")
	if err != nil {
		return err
	}
	run, err := b.GitHub.WorkflowRun(ctx, d.Job.RunID)
	if err != nil {
		return err
	}
	if !isWorkflow(&run, settings.Workflows.Sweep) && !isWorkflow(&run, settings.Workflows.Manual) {
		out.because("bot.run-workflow", "workflow", run.Workflow)
		return nil
	}
	pr, from, why, err := b.belongs(ctx, settings, &run)
	switch {
	case err != nil:
		return err
	case why != nil:
		out.Reasons = append(out.Reasons, *why)
		return nil
	}
	out.Number, out.From = pr.Number, &from
	known, err := b.remembered(ctx, pr.Number, run.ID)
	if err != nil {
		return err
	}
	if !due(known, d.Job, time.Duration(settings.Comments.ProgressSeconds)*time.Second) {
		out.because("bot.job-too-soon", "seconds", strconv.Itoa(settings.Comments.ProgressSeconds))
		return nil
	}
	return b.tellSweepRun(ctx, settings, pr, &run, from, out)
}

func seeJob(_ *Bot, d *Delivery, out *Decided) {
	if !tells(d.Job) {
		out.because("bot.job-tells-nothing", "job", shorten(d.Job.Name, maxTitle))
	}
}

// tells reports whether a job can change what the comment says by more than
// that another point is at work: a point that ended, or the canary that began.
func tells(j *Job) bool {
	family, _, ok := familyOf(j.Name)
	if !ok {
		return false
	}
	switch stateOfJob(*j) {
	case pointWaiting, pointSkipped:
		return false
	case pointRunning:
		return isCanary(family)
	}
	return true
}

// maxLate is how late an event may come, in seconds: GitHub sends one again for
// some days, and then the run has long told how it ended.
const maxLate = 7 * 24 * 3600

// due reports whether the comment is to be brought up to date for a job, given
// what it remembers of the job's run; nil for nothing. It is at most once in a
// pace, by the times of GitHub's jobs, but at once for what people wait for:
// how the canary fares, and the first failure.
func due(known *RunProgress, j *Job, pace time.Duration) bool {
	at := max(j.StartedAt.Unix(), j.CompletedAt.Unix())
	switch {
	case known == nil || known.Attempt < j.Attempt:
		return true
	case known.At-at > maxLate:
		return true // no event comes so late: somebody wrote that time
	case known.Attempt > j.Attempt || known.Phase == PhaseFinished || at < known.At:
		return false
	}
	if family, _, _ := familyOf(j.Name); isCanary(family) && canaryOf([]Job{*j}) != known.Canary {
		return true
	}
	if stateOfJob(*j) == pointFailed && known.Points.Failed == 0 {
		return true
	}
	return at-known.At >= int64(pace/time.Second)
}

// remembered is what our sticky comment knows of a run, nil for nothing. It is
// asked only how old it is.
func (b *Bot) remembered(ctx context.Context, number int, runID int64) (*RunProgress, error) {
	all, err := b.GitHub.Comments(ctx, number)
	if err != nil {
		return nil, err
	}
	w := &World{Repository: b.Repository, Self: b.Self, SigningKey: b.SigningKey}
	ours := findThread(all, w, &UpsertComment{Number: number, Topic: topicProgress})
	for _, r := range mergeRuns(rememberedRuns(w.seal(number), ours.bodies())...) {
		if r.ID == runID {
			return &r, nil
		}
	}
	return nil, nil
}
