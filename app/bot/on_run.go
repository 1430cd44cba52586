package bot

import (
	"context"
	"strconv"
	"time"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/results/report"
)

// tellRun handles a change of a workflow run. It is told from the default
// branch, whoever started the run, so that this is where comments are written
// from. The run is read again: the event only says which one.
func tellRun(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	settings, err := b.Planner.Settings(ctx, "")
	if err != nil {
		return err
	}
	relay := isWorkflow(d.Run, settings.Workflows.Relay)
	if !relay && !isWorkflow(d.Run, settings.Workflows.Sweep) && !isWorkflow(d.Run, settings.Workflows.Manual) {
		out.because("bot.run-workflow", "workflow", d.Run.Workflow)
		return nil
	}
	read, err := b.GitHub.WorkflowRun(ctx, d.Run.ID)
	if err != nil {
		return err
	}
	if kind, ok := signOffEvents[read.Event]; ok && relay {
		return b.tellRelayed(ctx, settings, d, &read, kind, out)
	}
	run, doubles, err := b.original(ctx, settings, read)
	if err != nil {
		return err
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
	if relay {
		if handled, err := b.tellRelayedPush(ctx, settings, d, &run, pr, out); handled || err != nil {
			return err
		}
		return b.welcome(ctx, settings, pr, out)
	}
	if err := b.tellSweepRun(ctx, settings, pr, &run, from, out); err != nil {
		return err
	}
	settleDoubles(&run, doubles, out)
	return nil
}

// tellSweepRun handles a run that may be a sweep.
func (b *Bot) tellSweepRun(ctx context.Context, s config.Settings, pr *PullRequest, run *Run, from Provenance, out *Decided) error {
	history, err := b.GitHub.LabelEvents(ctx, pr.Number)
	if err != nil {
		return err
	}
	if from.Fork && run.Event == labels.PullRequest {
		return b.tellForkRun(ctx, s, pr, run, history, out)
	}
	then := LabelsAt(history, run.CreatedAt)
	t := Tracked{Run: *run, Fork: from.Fork, Label: primaryOf(s, then), Patience: time.Duration(s.Comments.StalledMinutes) * time.Minute}
	if b.Now != nil {
		t.Now = b.Now()
	}
	t.Run.HeadSHA = from.HeadSHA
	if t.Jobs, err = b.GitHub.Jobs(ctx, run.ID, 0); err != nil {
		return err
	}
	t.AsksForPartial = !from.Fork && (asksForPartial(run.Title) || run.Event == labels.PullRequest && labels.Select(s.Labels, then).OnlyStale)
	if !unfinished(run.Status) || t.AsksForPartial {
		if t.Artifacts, err = b.GitHub.Artifacts(ctx, run.ID); err != nil {
			return err
		}
	}
	planned := b.plannedSweep(ctx, pr, &t, then)
	if planned != nil {
		t.Planned, _, _ = planFamilies(*planned)
	}
	switch {
	case isPartial(t.Artifacts): // the full plan tells where its points are, but not how many run
		t.Partial, t.Planned = b.partialSweep(ctx, t.Artifacts)
	case t.AsksForPartial && unfinished(run.Status) && len(pointsOf(t.Jobs)) == 0:
		t.Planned = nil // it may still turn out to be partial
	}
	r := track(t)
	var made *report.Report
	if r.Phase == PhaseFinished && r.measures() {
		r.Report, made = b.readReport(ctx, &r, t.Artifacts)
	}
	b.decideRun(s, pr, run, r, failedPoints(&t, planned, made, siteOf(pr)), out)
	if r.Phase == PhaseFinished {
		rerunMachines(s.Sweep.Rerun, pr, &t.Run, planned, t.Jobs, out)
	}
	return nil
}

// primaryOf is the sweep label among labels, "" where there is none or more
// than one.
func primaryOf(s config.Settings, names []string) string {
	selected := labels.Select(s.Labels, names)
	if selected.Primary == nil {
		return ""
	}
	return selected.Primary.Name
}

// plannedSweep is the plan, with the labels that were set when the run was
// created, where the commits are at hand; nil otherwise, since the jobs alone
// tell enough.
func (b *Bot) plannedSweep(ctx context.Context, pr *PullRequest, t *Tracked, names []string) *Planned {
	if t.Label == "" || t.Fork || len(t.Jobs) == 0 || t.Run.HeadSHA != pr.HeadSHA {
		return nil
	}
	planned, err := b.Planner.Plan(ctx, PlanOrder{Base: pr.BaseSHA, Head: pr.HeadSHA, Labels: names, PR: pr.Number})
	if err != nil || planned.Plan == nil {
		return nil
	}
	return &planned
}

// decideRun turns the state of a run into effects: the sticky comment, and for
// runs that GitHub does not show on the pull request by itself a check run, or
// in a job a status. A check run that the token of a job creates is put under
// some workflow of the commit, so that people look for it in vain; one of an App
// stands for itself and can mark lines. There is only one of the two, since
// branch rules that ask for the name would want both.
func (b *Bot) decideRun(s config.Settings, pr *PullRequest, run *Run, r RunProgress, failed []failedPoint, out *Decided) {
	why := note("bot.run-state", "run", strconv.FormatInt(run.ID, 10), "state", words{catalog.English}.headline(&r))
	out.Reasons = append(out.Reasons, why)
	p := Progress{Number: pr.Number, Head: pr.HeadSHA, Runs: []RunProgress{r}, Site: siteOf(pr), Visualizer: s.Comments.Visualizer}
	out.inform(newProgressComment(p), why)
	switch {
	case run.Event != "workflow_dispatch":
	case b.Setting == AsApp:
		p.Head = r.SHA // a check is about its commit, whatever the head is by now
		out.inform(sweepCheck(p, run, failed), why)
	default:
		out.inform(&SetStatus{SHA: r.SHA, Status: statusOf(sweepCheckName(run, &r), &r, siteOf(pr))}, why)
	}
}

// statusOf is the commit status of a run. It does not count points while they
// run: a commit takes only so many statuses (known failure F55).
func statusOf(name string, r *RunProgress, site string) Status {
	s := Status{Context: name, State: "pending", TargetURL: site + "/actions/runs/" + strconv.FormatInt(r.ID, 10)}
	code := "bot.status-pending"
	if r.Phase == PhaseFinished {
		s.State, code = "failure", "bot.status-finished"
		if r.Outcome == OutcomePassed || r.Outcome == OutcomeCurrent {
			s.State = "success"
		}
	}
	s.Description = catalog.Message(catalog.English, code, "passed", strconv.Itoa(r.Points.Passed), "total", strconv.Itoa(r.Points.Total()))
	return s
}
