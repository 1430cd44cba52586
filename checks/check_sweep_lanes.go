package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/matrix"
)

// plannedSweep are the rows of the affected keys that a sweep of a commit runs.
type plannedSweep struct {
	// lanes counts the jobs that each lane has for affected keys.
	lanes map[string]int
	// rows are those of affected keys, evals included.
	rows []*matrix.Row
	// refused says why there is no plan; rows are then those of the configs.
	refused *diag.Finding
}

// has reports whether a lane of that kind is planned.
func (p *plannedSweep) has(evals bool) bool {
	for lane := range p.lanes {
		if isEvalLane(lane) == evals {
			return true
		}
	}
	return false
}

func isEvalLane(lane string) bool { return lane == "eval" || strings.HasSuffix(lane, " eval") }

// plan plans the sweep of a commit of the pull request, or of the tree that a
// run measured for it.
func (s *sweepCheck) plan(ctx context.Context, sha string) (*plannedSweep, error) {
	if p, ok := s.plans[sha]; ok {
		return p, nil
	}
	p, err := s.planAt(ctx, sha)
	if err == nil {
		s.plans[sha] = p
	}
	return p, err
}

func (s *sweepCheck) planAt(ctx context.Context, sha string) (*plannedSweep, error) {
	out := &plannedSweep{lanes: make(map[string]int)}
	rev, err := s.e.Revision(ctx, sha)
	if err != nil {
		return nil, err
	}
	base, err := s.leftAt(ctx, sha)
	if err != nil {
		return nil, err
	}
	before, err := s.e.Tree(ctx, base)
	if err != nil {
		return nil, err
	}
	number := changelog.Unnumbered
	if s.e.PR > 0 {
		number = changelog.PR(s.e.PR)
	}
	settings := s.e.Settings // what is planned is asked, not whether the entry is well-formed
	settings.Changelog.LinkInPlan, settings.Changelog.Gate = config.GradeOff, config.Gate{History: config.GradeOff, Position: config.GradeOff, Format: config.GradeOff}
	plan, list := matrix.NewPlan(settings, matrix.Change{
		Base: matrix.Revision{Ref: base, Commit: base, Files: readable{before}},
		Head: matrix.Revision{Ref: sha, Commit: sha, Files: readable{rev.Tree}}, PR: number,
	})
	var families []matrix.Family
	if plan != nil {
		families, list = matrix.Families(plan, settings.Sweep)
	}
	if list.Refused() {
		out.refused = list.First()
		for _, key := range s.affected.Keys {
			out.rows = append(out.rows, rev.RowsOf(key.Key)...)
		}
		return out, ctx.Err()
	}
	for _, f := range families {
		for _, row := range f.Rows {
			if s.affects(row.Config.Key) {
				out.lanes[strings.TrimSuffix(f.Prefix, " /")]++
				out.rows = append(out.rows, row)
			}
		}
	}
	return out, ctx.Err()
}

func (s *sweepCheck) affects(key string) bool {
	return slices.ContainsFunc(s.affected.Keys, func(k AffectedKey) bool { return k.Key == key })
}

// laneCount is a lane with its planned jobs and what they came to.
type laneCount struct {
	Lane
	planned int
}

// text is a lane as rows count it.
func (l laneCount) text() string {
	return fmt.Sprintf("%d/%d %s", l.Succeeded, max(l.planned, l.Succeeded+l.Failed+l.Open), l.Name)
}

// green reads the jobs of a run and counts its lanes.
func (s *sweepCheck) green(ctx context.Context, a *attempt) error {
	if a.run.Status != "" && a.run.Status != "completed" {
		a.failure = fmt.Sprintf("Run %d has not ended.", a.run.ID)
		return nil
	}
	if s.jobsRead >= maxJobs {
		a.unread = true
		return nil
	}
	s.jobsRead++
	sweep, err := s.jobsOf(ctx, a)
	if err != nil {
		a.unread = true
		s.denied = s.denied || errors.Is(err, ErrUnreadable)
		return onlyBroken(err)
	}
	plan, err := s.plan(ctx, a.sha)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	a.lanes, a.failure = judgeLanes(a.run, sweep, plan)
	if plan != nil && plan.refused == nil && !plan.has(true) && a.failure == "" {
		a.remarks = append(a.remarks, "the plan has no eval rows, so that no eval is asked for")
	}
	if plan != nil && plan.refused != nil && a.failure == "" {
		a.remarks = append(a.remarks, fmt.Sprintf("the sweep of %s can't be planned again (%s), so that one success of each kind is asked for", short(a.sha), plan.refused.Message("en")))
	}
	return nil
}

// jobsOf are the jobs of a run by lane; offline the check runs of its commit
// may stand for them.
func (s *sweepCheck) jobsOf(ctx context.Context, a *attempt) (Sweep, error) {
	sweep, err := s.e.SweepOf(ctx, a.run)
	if !errors.Is(err, ErrNotGiven) {
		return sweep, err
	}
	list, err := s.e.CheckRuns(ctx, a.sha)
	if err != nil {
		return sweep, err
	}
	var jobs []Job
	for _, c := range list {
		if runOf(c) == a.run.ID && (c.App.Slug == "" || c.App.Slug == "github-actions") {
			jobs = append(jobs, Job{ID: c.ID, RunID: a.run.ID, Name: c.Name, Conclusion: c.Conclusion})
		}
	}
	return lanesOf(a.run, jobs), nil
}

// judgeLanes holds the lanes of a run against the plan: as many successes as
// planned rows in each planned lane, and nothing that failed there. A point
// that ran as the canary counts for its own lane. Without a plan, one success
// of throughput and one of evals, and no failure, is asked for.
func judgeLanes(run Run, sweep Sweep, plan *plannedSweep) (lanes []laneCount, failure string) {
	counted := make(map[string]Lane)
	for _, l := range sweep.Lanes {
		counted[l.Name] = l
	}
	if plan == nil || plan.refused != nil || len(plan.lanes) == 0 {
		return unplanned(run, sweep)
	}
	canaries := counted["canary"].Succeeded + counted["multi-node canary"].Succeeded
	for _, name := range laneNames {
		planned := plan.lanes[name]
		if planned == 0 {
			continue
		}
		l := laneCount{Lane: counted[name], planned: planned}
		l.Name = name
		if !isEvalLane(name) && canaries > 0 && l.Succeeded+l.Failed+l.Open < planned {
			l.Succeeded++
			canaries--
		}
		lanes = append(lanes, l)
	}
	if failure = failedJobs(run, sweep.Failed, func(lane string) bool { return plan.lanes[lane] > 0 || strings.HasSuffix(lane, "canary") }); failure != "" {
		return lanes, failure
	}
	for _, l := range lanes {
		switch {
		case l.Succeeded >= l.planned:
		case l.Succeeded == 0 && isEvalLane(l.Name):
			return lanes, fmt.Sprintf("Run %d executed no %s; the sweep asks for %d.", run.ID, l.Name, l.planned)
		case l.Succeeded == 0:
			return lanes, fmt.Sprintf("Run %d executed nothing in the lane %s.", run.ID, quoted(l.Name))
		default:
			return lanes, fmt.Sprintf("Run %d has %d of %d %s successes.", run.ID, l.Succeeded, l.planned, l.Name)
		}
	}
	return lanes, ""
}

// unplanned judges lanes without a plan.
func unplanned(run Run, sweep Sweep) (lanes []laneCount, failure string) {
	throughput, evals := 0, 0
	for _, l := range sweep.Lanes {
		lanes = append(lanes, laneCount{Lane: l})
		if isEvalLane(l.Name) {
			evals += l.Succeeded
		} else {
			throughput += l.Succeeded
		}
	}
	switch failure = failedJobs(run, sweep.Failed, func(string) bool { return true }); {
	case failure != "":
	case throughput == 0:
		failure = fmt.Sprintf("Run %d executed no benchmark.", run.ID)
	case evals == 0:
		failure = fmt.Sprintf("Run %d executed no eval.", run.ID)
	}
	return lanes, failure
}

// pointTail finds the concurrency at the end of a job's title.
var pointTail = pattern.Lazy(` (c[0-9]+(?:x[0-9]+)*)(?: \|.*)?$`)

// verbs are the conclusions of jobs as rows say them.
var verbs = map[string]string{"failure": "failed", "cancelled": "was cancelled in", "timed_out": "timed out in", "startup_failure": "could not start", "action_required": "waits in"}

// failedJobs says which job failed, and how many more did not succeed. What a
// failure cancelled comes behind it.
func failedJobs(run Run, jobs []Job, counts func(lane string) bool) string {
	list := slices.DeleteFunc(slices.Clone(jobs), func(job Job) bool { return !counts(laneOf(job.Name)) })
	slices.SortStableFunc(list, func(a, b Job) int { return cmp.Compare(rank(a), rank(b)) })
	if len(list) == 0 {
		return ""
	}
	job, lane := list[0], laneOf(list[0].Name)
	verb, ok := verbs[job.Conclusion]
	if !ok {
		verb = "failed"
	}
	text := fmt.Sprintf("Run %d %s the %s", run.ID, verb, lane)
	if !isEvalLane(lane) && !strings.HasSuffix(lane, "canary") {
		text += " point"
	}
	if m := pointTail().FindStringSubmatch(job.Name); m != nil {
		text += " at " + m[1]
	}
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf("; %s did not succeed", count(more, "more job", "more jobs"))
	}
	return text + "."
}

func rank(job Job) int {
	if job.Conclusion == "failure" {
		return 0
	}
	return 1
}
