package bot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Tracked is what is read of a run to tell how it stands.
type Tracked struct {
	Run       Run
	Jobs      []Job // of all attempts
	Artifacts []Artifact
	// Label is the sweep label that was set when the run was created.
	Label string
	// Planned are the families of the plan, nil if it is not known.
	Planned []FamilyProgress
	Fork    bool
	// AsksForPartial says that a partial sweep was asked for, Partial is set on
	// the run of a partial plan.
	AsksForPartial bool
	Partial        *RunPartial
	// Now is the time, and Patience how long points may wait for a runner
	// before people are told; zero where no clock is at hand.
	Now      time.Time
	Patience time.Duration
}

// track tells how a run stands, from its jobs and artifacts. The conclusion of
// the run counts only where there are no points to judge by.
func track(t Tracked) RunProgress {
	r := RunProgress{
		ID: t.Run.ID, Attempt: max(1, t.Run.Attempt), SHA: t.Run.HeadSHA, Label: shorten(t.Label, maxLabelName), Fork: t.Fork, Partial: t.Partial,
		Phase: phaseOf(t.Run.Status), Updated: max(0, t.Run.UpdatedAt.Unix()), Results: hasResults(t.Artifacts),
	}
	jobs := latest(t.Jobs)
	r.Canary = canaryOf(jobs)
	points := pointsOf(jobs)
	r.Families = tallies(points, t.Planned)
	for _, f := range r.Families {
		r.Points.add(f.Tally)
	}
	r.Families = r.Families[:min(len(r.Families), maxFamilies)]
	r.FullInstead = t.AsksForPartial && t.Partial == nil && r.measures()
	r.Failures, r.MoreFailures = failuresOf(points)
	r.At = newestChange(points)
	if r.Phase == PhaseFinished {
		r.Outcome = judge(t.Run, &r, setupPassed(jobs))
		return r
	}
	r.ETA = forecast(points, r.Points)
	if !t.Now.IsZero() {
		r.Stalled = stalled(points, t.Now, t.Patience)
	}
	return r
}

// phaseOf maps the status of a run; whatever GitHub may add counts as queued.
func phaseOf(status string) Phase {
	switch status {
	case "completed":
		return PhaseFinished
	case "in_progress":
		return PhaseRunning
	}
	return PhaseQueued
}

// latest keeps of every job its newest execution: a partial re-run repeats
// some jobs and leaves the others as they were. Several points may share a
// name.
func latest(jobs []Job) []Job {
	newest := make(map[string]int)
	for _, j := range jobs {
		newest[j.Name] = max(newest[j.Name], j.Attempt)
	}
	out := slices.DeleteFunc(slices.Clone(jobs), func(j Job) bool { return j.Attempt < newest[j.Name] })
	slices.SortFunc(out, func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// familyForm is the display prefix of a family, with a number where the family
// has several matrices.
var familyForm = pattern.Lazy(`^((?:single|multi)-node(?: [\w.]+)?|(?:multi-node )?(?:agentic )?eval|(?:multi-node )?agentic|(?:multi-node )?canary)(?: \(?\d+\)?)?$`)

// familyOf splits the name of a job into the family and the title of the
// point. GitHub joins the names of the calling jobs and of the called one by
// slashes: the family is among the first, the title is the last. Jobs of other
// kinds, and the placeholder of a family that was skipped as a whole, are no
// points.
func familyOf(name string) (family, title string, ok bool) {
	var parts []string
	for _, part := range strings.Split(name, " /") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	for _, part := range parts[:max(0, len(parts)-1)] {
		if m := familyForm().FindStringSubmatch(part); m != nil {
			return m[1], parts[len(parts)-1], true
		}
	}
	return "", "", false
}

// point is one job that measures.
type point struct {
	Job
	family, title string
	state         pointState
}

// pointState is what became of a point so far.
type pointState uint8

const (
	pointWaiting pointState = iota
	pointRunning
	pointPassed
	pointFailed
	pointCancelled
	pointUnclear
	pointSkipped
)

// conclusions maps every conclusion that GitHub documents
// (spec/security.md S58).
var conclusions = map[string]pointState{
	"success": pointPassed, "failure": pointFailed, "timed_out": pointFailed, "startup_failure": pointFailed,
	"cancelled": pointCancelled, "skipped": pointSkipped, "action_required": pointWaiting,
	"neutral": pointUnclear, "stale": pointUnclear, "": pointUnclear,
}

func stateOfJob(j Job) pointState {
	switch j.Status {
	case "completed":
		if s, known := conclusions[j.Conclusion]; known {
			return s
		}
		return pointUnclear
	case "in_progress":
		return pointRunning
	}
	return pointWaiting
}

// pointsOf are the points among jobs. The canary counts as a point of its own
// family.
func pointsOf(jobs []Job) []point {
	var out []point
	for _, j := range jobs {
		family, title, ok := familyOf(j.Name)
		if state := stateOfJob(j); ok && state != pointSkipped {
			out = append(out, point{j, family, title, state})
		}
	}
	return out
}

func isCanary(family string) bool { return strings.HasSuffix(family, "canary") }

// canaryOf is the state of the canary, judged by its job alone.
func canaryOf(jobs []Job) CanaryState {
	for _, p := range pointsOf(jobs) {
		if !isCanary(p.family) {
			continue
		}
		switch p.state {
		case pointPassed:
			return CanaryPassed
		case pointRunning:
			return CanaryRunning
		case pointWaiting:
			return CanaryWaiting
		}
		return CanaryFailed
	}
	return CanaryNone
}

// tallies counts points by family: those of the plan first, then others in the
// order in which they come. A planned family of which nothing is seen stays in
// the count, so that points that got lost are missed (known failure F12).
func tallies(points []point, planned []FamilyProgress) []FamilyProgress {
	out := slices.Clone(planned)
	for _, p := range points {
		at := slices.IndexFunc(out, func(f FamilyProgress) bool { return f.Name == p.family })
		if at < 0 {
			at = len(out)
			out = append(out, FamilyProgress{Name: shorten(p.family, maxFamily)})
		}
		out[at].count(p.state)
	}
	return out
}

func (t *Tally) count(state pointState) {
	switch state {
	case pointPassed:
		t.Passed++
	case pointFailed:
		t.Failed++
	case pointCancelled:
		t.Cancelled++
	case pointRunning:
		t.Running++
	case pointUnclear:
		t.Unclear++
	default:
		t.Waiting++
	}
}

func (t *Tally) add(o Tally) {
	t.Planned += o.Total()
	t.Passed += o.Passed
	t.Failed += o.Failed
	t.Cancelled += o.Cancelled
	t.Running += o.Running
	t.Waiting += o.Waiting
	t.Unclear += o.Unclear
}

// failuresOf lists the points that failed, the first one first.
func failuresOf(points []point) (list []FailedPoint, more int) {
	failed := inOrderOfFailure(points)
	for _, p := range failed[:min(len(failed), maxFailures)] {
		list = append(list, FailedPoint{Title: shorten(p.title, maxTitle), JobID: p.ID, NoRunner: p.RunnerName == ""})
	}
	return list, len(failed) - len(list)
}

// resultArtifacts are the uploads that can be published
// (spec/reuse.md section 5).
func hasResults(artifacts []Artifact) bool {
	return slices.ContainsFunc(artifacts, func(a Artifact) bool {
		return !a.Expired && (a.Name == "results_bmk" || a.Name == "eval_results_all" || strings.HasPrefix(a.Name, "bmk_agentic_"))
	})
}

// setupPassed reports whether the job that plans the points is green: then
// there were points to run.
func setupPassed(jobs []Job) bool {
	return slices.ContainsFunc(jobs, func(j Job) bool {
		parts := strings.Split(j.Name, "/")
		return strings.TrimSpace(parts[len(parts)-1]) == "setup" && stateOfJob(j) == pointPassed
	})
}

// judge says what a finished run is worth. That points were planned and none
// ran is no reason to call it nothing (known failure F10).
func judge(run Run, r *RunProgress, planned bool) RunOutcome {
	t := r.Points
	switch {
	case run.Conclusion == "action_required":
		return OutcomeWaiting
	case r.Partial != nil && t.Total() == 0 && planned && run.Conclusion == "success":
		return OutcomeCurrent
	case t.listed() == 0 && t.Planned > 0 && planned && run.Conclusion == "success":
		return OutcomeIncomplete
	case t.listed() == 0:
		return judgeEmpty(run.Conclusion)
	case t.Failed > 0:
		return OutcomeFailed
	case t.Cancelled > 0:
		return OutcomeCancelled
	case t.Passed < t.Total():
		return OutcomeIncomplete
	case !r.Results:
		return OutcomeNoResults
	}
	return OutcomePassed
}

// judgeEmpty is judge for a run without points: green or cancelled it measured
// nothing, anything else is a refusal.
func judgeEmpty(conclusion string) RunOutcome {
	switch conclusion {
	case "success", "skipped", "cancelled", "neutral", "stale":
		return OutcomeNothing
	}
	return OutcomeRefused
}
