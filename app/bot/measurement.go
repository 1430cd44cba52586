package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// Measurement is an earlier sweep of a pull request on which a partial one
// can stand: a finished run, its points that passed by the jobs of GitHub, and
// the commits that its plan names. The plan comes from a run of the pull
// request, so that the commits are yet to be held against git.
type Measurement struct {
	// Run is the run, its HeadSHA the head of the pull request that it measured.
	Run  Run
	Plan MeasuredPlan
	// points are the jobs of its points that passed or not, newest attempts.
	points []point
}

// MeasurementOrder says which measurement is looked for.
type MeasurementOrder struct {
	Settings   config.Settings
	Repository string
	PR         *PullRequest
	// Run names the run; 0 takes the newest one that can be stood on.
	Run int64
	// Commit names the run by the head that it measured, in at least seven
	// digits; "" does not.
	Commit string
	// Before leaves out runs from this one on; 0 leaves out none.
	Before int64
	// Fast is the fast mode of agentic points: what was measured in the other
	// mode says nothing about this one.
	Fast bool
}

// maxMeasurements is how many runs are looked at for one that can be stood on.
const maxMeasurements = 8

// FindMeasurement finds the run that is asked for. The finding says why there
// is none, or why the named one cannot be stood on; the error is for what
// could not be read. Only runs of the sweep workflow of this repository on a
// commit of this very pull request count (spec/reuse.md section 5), and none
// that was partial itself: what it left out it has not measured.
func FindMeasurement(ctx context.Context, gh GitHub, o MeasurementOrder) (*Measurement, *diag.Finding, error) {
	f := measurementFinder{gh: gh, MeasurementOrder: o}
	var err error
	if f.commits, err = gh.PullRequestCommits(ctx, o.PR.Number); err != nil {
		return nil, nil, err
	}
	runs, why, err := f.candidates(ctx)
	if err != nil || why != nil {
		return nil, why, err
	}
	for _, run := range runs[:min(len(runs), maxMeasurements)] {
		m, no, err := f.look(ctx, run)
		if err != nil || m != nil {
			return m, nil, err
		}
		if why == nil {
			why = no
		}
		if f.named() {
			break
		}
	}
	if why == nil || !f.named() {
		none := note("bot.since-none", "number", strconv.Itoa(o.PR.Number))
		if why != nil {
			none = note("bot.since-none-usable", "number", strconv.Itoa(o.PR.Number), "reason", why.Message(catalog.English))
		}
		why = &none
	}
	return nil, why, nil
}

// Refusal is why this measurement cannot be stood on.
func (m *Measurement) Refusal(code string, args ...string) diag.Finding {
	return *refuseRun(code, m.Run.ID, args...)
}

// NotPartial says that the full sweep runs although a partial one was asked
// for, and why.
func NotPartial(why diag.Finding) diag.Finding {
	return diag.New("bot.partial-none", diag.Place{}, "reason", why.Message(catalog.English)).WithSeverity(diag.Warning)
}

type measurementFinder struct {
	gh GitHub
	MeasurementOrder
	commits []string
}

func (f *measurementFinder) named() bool { return f.Run != 0 || f.Commit != "" }

// refuseRun is why a run cannot be stood on.
func refuseRun(code string, run int64, args ...string) *diag.Finding {
	why := diag.New(code, diag.Place{}, append(args, "run", strconv.FormatInt(run, 10))...)
	return &why
}

// candidates are the finished runs that measured this pull request, newest
// first; of a run that is named only that one.
func (f *measurementFinder) candidates(ctx context.Context) ([]Run, *diag.Finding, error) {
	if f.Run != 0 {
		run, err := f.gh.WorkflowRun(ctx, f.Run)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil, refuseRun("bot.since-unknown", f.Run), nil
		case err != nil:
			return nil, nil, err
		case !f.ours(&run):
			return nil, refuseRun("bot.since-foreign", f.Run, "number", strconv.Itoa(f.PR.Number)), nil
		}
		return []Run{run}, nil, nil
	}
	var all []Run
	for _, filter := range []RunFilter{
		{Event: labels.PullRequest, Branch: f.PR.HeadBranch, Status: "completed"}, {Event: "workflow_dispatch", Status: "completed"},
	} {
		runs, err := f.gh.WorkflowRuns(ctx, f.Settings.Workflows.Sweep, filter)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, runs...)
	}
	all = slices.DeleteFunc(all, func(r Run) bool {
		return f.Before != 0 && r.ID >= f.Before || !f.ours(&r) || f.Commit != "" && !strings.HasPrefix(r.HeadSHA, f.Commit)
	})
	if f.Commit != "" && len(all) == 0 {
		why := diag.New("bot.since-no-commit", diag.Place{}, "commit", shortSHA(f.Commit), "number", strconv.Itoa(f.PR.Number))
		return nil, &why, nil
	}
	slices.SortFunc(all, func(a, b Run) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil, nil
}

// ours reports whether a run is a sweep of this pull request, and gives a
// dispatched run the head that it measured. A branch name proves nothing:
// branches come back, and repeat across forks. What counts is a commit of the
// pull request.
func (f *measurementFinder) ours(r *Run) bool {
	if !isWorkflow(r, f.Settings.Workflows.Sweep) || !strings.EqualFold(r.HeadRepo, f.Repository) || !strings.EqualFold(f.PR.HeadRepo, f.Repository) {
		return false
	}
	switch r.Event {
	case labels.PullRequest:
		return r.HeadBranch == f.PR.HeadBranch && (r.HeadSHA == f.PR.HeadSHA || slices.Contains(f.commits, r.HeadSHA))
	case "workflow_dispatch":
		ref, ok := titleOf(r.Title)
		if !ok || ref.fork || ref.number != f.PR.Number || r.HeadBranch != f.Settings.Layout.BaseBranch {
			return false
		}
		r.HeadSHA = fullSHA(append(slices.Clone(f.commits), f.PR.HeadSHA), ref.short)
		return r.HeadSHA != ""
	}
	return false
}

// look reads what a run measured.
func (f *measurementFinder) look(ctx context.Context, run Run) (*Measurement, *diag.Finding, error) {
	if unfinished(run.Status) {
		return nil, refuseRun("bot.since-unfinished", run.ID), nil
	}
	artifacts, err := f.gh.Artifacts(ctx, run.ID)
	if err != nil {
		return nil, nil, err
	}
	plan, ok := newestNamed(artifacts, planArtifact)
	switch {
	case isPartial(artifacts):
		return nil, refuseRun("bot.since-partial", run.ID), nil
	case !ok:
		return nil, refuseRun("bot.since-no-plan", run.ID), nil
	case !hasResults(artifacts):
		return nil, refuseRun("bot.since-no-results", run.ID), nil
	}
	m := &Measurement{Run: run}
	if m.Plan, err = readMeasuredPlan(ctx, f.gh, plan); err != nil {
		return nil, refuseRun("bot.since-plan", run.ID, "detail", diag.Cut(diag.Printable(err.Error()), 200)), nil
	}
	switch {
	case m.Plan.Partial:
		return nil, refuseRun("bot.since-partial", run.ID), nil
	case m.Plan.Head != run.HeadSHA:
		return nil, refuseRun("bot.since-plan", run.ID, "detail", "its plan is of another commit"), nil
	case m.Plan.Fast != f.Fast:
		return nil, refuseRun("bot.since-fast", run.ID, "label", f.Settings.Labels.AgentXFast), nil
	}
	jobs, err := f.gh.Jobs(ctx, run.ID, 0)
	if err != nil {
		return nil, nil, err
	}
	m.points = pointsOf(latest(jobs))
	if !slices.ContainsFunc(m.points, func(p point) bool { return p.state == pointPassed }) {
		return nil, refuseRun("bot.since-nothing-passed", run.ID), nil
	}
	return m, nil, nil
}

// Passed are the points of the run's plan, made again from git, that the run
// planned and measured with success: of the jobs of its name all are green, and
// there are as many as there are points of that name.
func (m *Measurement) Passed(families []matrix.Family) []*matrix.Row {
	type name struct{ family, title string }
	type tally struct{ passed, other int }
	jobs, rows := make(map[name]tally), make(map[name]int)
	for _, p := range m.points {
		at := name{p.family, queueMark().ReplaceAllString(p.title, "")}
		t := jobs[at]
		if p.state == pointPassed {
			t.passed++
		} else {
			t.other++
		}
		jobs[at] = t
	}
	ids := pointIDs(families)
	for _, f := range families {
		for _, r := range f.Rows {
			at := name{familyName(f), JobTitle(r)}
			rows[at]++
			if m.Plan.Canary == ids[r] { // it ran in a family of its own
				ahead := jobs[name{canaryFamily(r), at.title}]
				jobs[at] = tally{jobs[at].passed + ahead.passed, jobs[at].other + ahead.other}
			}
		}
	}
	var out []*matrix.Row
	for _, f := range families {
		for _, r := range f.Rows {
			at := name{familyName(f), JobTitle(r)}
			if t := jobs[at]; m.Plan.Points[ids[r]] && t.other == 0 && t.passed >= rows[at] {
				out = append(out, r)
			}
		}
	}
	return out
}

// familyName is the name that jobs of a family show.
func familyName(f matrix.Family) string { return strings.TrimSuffix(f.Prefix, " /") }

// canaryFamily is the family in which a row runs as the canary.
func canaryFamily(r *matrix.Row) string {
	if r.Multinode() {
		return "multi-node canary"
	}
	return "canary"
}
