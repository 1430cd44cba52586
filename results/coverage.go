package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// State is what became of a planned point.
type State string

// The states. Missing means that nothing shows what became of it: no row, and
// no job that failed; a green job without a row is missing too.
const (
	Passed   State = "passed"
	Failed   State = "failed"
	Canceled State = "cancelled"
	Skipped  State = "skipped"
	Pending  State = "pending"
	Missing  State = "missing"
)

// PointState is one planned point with what shows its state.
type PointState struct {
	Planned Planned
	State   State
	// Reason is a short stable name: "row", "no-row", "row-refused", "expired",
	// "no-request", "requests", "eval-broken", "below-bar", or the conclusion of
	// the job.
	Reason string
	// Row is the newest row of the point, usable or not; nil without one.
	Row *Row
	// Evals are the eval rows of the point, one for each task.
	Evals []EvalRow
	// Jobs are the point's jobs, the newest attempt last.
	Jobs []Job
}

// Counts are numbers of points by state.
type Counts struct {
	Planned, Passed, Failed, Cancelled, Skipped, Pending, Missing int
}

func (c *Counts) add(s State) {
	c.Planned++
	switch s {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Canceled:
		c.Cancelled++
	case Skipped:
		c.Skipped++
	case Pending:
		c.Pending++
	default:
		c.Missing++
	}
}

// Complete reports whether something was planned and all of it has passed.
func (c Counts) Complete() bool { return c.Planned > 0 && c.Passed == c.Planned }

// Group is the count of one family or one kind of hardware.
type Group struct {
	Name string
	Counts
}

// Coverage is what a sweep has measured of what it planned.
type Coverage struct {
	Points []PointState
	// Total counts all points, Throughput those without the evals, Evals them.
	Total, Throughput, Evals Counts
	ByFamily, ByHardware     []Group
	// Unplanned are rows of points that the plan does not hold.
	Unplanned []Row
	// UnknownJobs look like jobs of points but fit none.
	UnknownJobs []Job
	Findings    diag.List
}

// Outcome says in one word whether the sweep is what was planned.
type Outcome string

// The outcomes. Nothing means that not a single point has passed, or nothing
// was planned: never a success, whatever colour the collecting jobs have.
const (
	Complete  Outcome = "complete"
	Partial   Outcome = "partial"
	Running   Outcome = "running"
	EvalsOnly Outcome = "evals-only"
	Nothing   Outcome = "nothing"
)

// Outcome returns the outcome of the coverage.
func (c Coverage) Outcome() Outcome {
	switch {
	case c.Total.Pending > 0:
		return Running
	case c.Total.Passed == 0:
		return Nothing
	case c.Total.Complete() && c.Throughput.Planned == 0:
		return EvalsOnly
	case c.Total.Complete():
		return Complete
	}
	return Partial
}

// Cover holds what was measured against the plan. Jobs may be nil when only
// artifacts are known: then what has no row is missing.
func Cover(planned []Planned, h Harvest, jobs []Job, bars Thresholds) Coverage {
	c := coverer{byPoint: make(map[Point][]Row), evals: make(map[Point][]EvalRow), bars: bars}
	for _, r := range h.Rows() {
		c.byPoint[r.Point] = append(c.byPoint[r.Point], r)
	}
	for _, e := range h.Evals() {
		key := evalKey(e.Point)
		c.evals[key] = append(c.evals[key], e)
	}
	c.unread = unread(h)
	return c.cover(planned, attribute(planned, jobs))
}

type coverer struct {
	byPoint map[Point][]Row
	evals   map[Point][]EvalRow
	// unread are the artifacts of points that gave no row.
	unread []Artifact
	bars   Thresholds
}

// unread returns the point artifacts that hold no row that could be read.
func unread(h Harvest) []Artifact {
	var out []Artifact
	for _, a := range h.Artifacts() {
		if (a.Kind == FixedPoint || a.Kind == AgenticPoint) && len(a.Rows) == 0 {
			out = append(out, a)
		}
	}
	return out
}

// evalKey is a point as far as eval results record it.
func evalKey(p Point) Point {
	p.Disagg, p.Offload = false, ""
	return p
}

func (c *coverer) cover(planned []Planned, jobs attributed) Coverage {
	out := Coverage{UnknownJobs: jobs.unknown}
	wanted := make(map[Point]bool, len(planned))
	for i, p := range planned {
		state := PointState{Planned: p, Jobs: jobs.byPoint[i]}
		if p.Eval {
			c.judgeEval(&state)
		} else {
			if wanted[p.Point] {
				out.Findings = append(out.Findings, diag.New("results.planned-twice", diag.Place{}, "point", p.Point.String(), "family", p.Family).WithSeverity(diag.Warning))
			}
			wanted[p.Point] = true
			c.judgeRow(&state)
		}
		out.Points = append(out.Points, state)
	}
	out.count()
	c.unplanned(&out, wanted)
	if len(planned) == 0 {
		out.Findings = append(out.Findings, diag.New("results.nothing-planned", diag.Place{}))
	}
	return out
}

// judgeRow finds the state of a throughput point.
func (c *coverer) judgeRow(s *PointState) {
	rows := c.byPoint[s.Planned.Point]
	if len(rows) > 0 {
		s.Row = &rows[len(rows)-1]
		for i := range rows {
			if rows[i].Usable() {
				s.Row = &rows[i]
			}
		}
	}
	job, known := decisive(s.Jobs)
	switch {
	case s.Row != nil && s.Row.Empty():
		s.set(Failed, "no-request")
	case s.Row != nil && s.Row.OutcomeFailed:
		s.set(Failed, "requests")
	case s.Row != nil && (!known || job.Conclusion == "success"):
		s.set(Passed, "row")
	case known && job.Conclusion != "success":
		s.set(stateOf(job.Conclusion), reasonOf(job.Conclusion))
	default:
		c.withoutRow(s)
	}
}

// withoutRow says why a point has no row: its artifact was refused or has
// expired, or there is none.
func (c *coverer) withoutRow(s *PointState) {
	s.set(Missing, "no-row")
	for _, a := range c.unread {
		switch {
		case s.Planned.Artifact == "" || !strings.HasPrefix(a.Upload.Name, s.Planned.Artifact):
		case a.Upload.Expired:
			s.set(Missing, "expired")
		default:
			s.set(Failed, "row-refused")
		}
	}
}

func (s *PointState) set(state State, reason string) { s.State, s.Reason = state, reason }

// decisive is the job that decides about a point: one that succeeded, in any
// attempt, else the newest.
func decisive(jobs []Job) (Job, bool) {
	for i := len(jobs) - 1; i >= 0; i-- {
		if jobs[i].Conclusion == "success" {
			return jobs[i], true
		}
	}
	if len(jobs) == 0 {
		return Job{}, false
	}
	return jobs[len(jobs)-1], true
}

// stateOf maps every conclusion of the platform (spec/security.md S58).
func stateOf(conclusion string) State {
	switch conclusion {
	case "":
		return Pending
	case "cancelled", "stale":
		return Canceled
	case "skipped", "neutral":
		return Skipped
	}
	return Failed // failure, timed_out, startup_failure, action_required, and what is yet to come
}

func reasonOf(conclusion string) string {
	if conclusion == "" {
		return "running"
	}
	return conclusion
}

// judgeEval finds the state of an eval point. What was recorded of suite and
// image must fit; a score must exist, be sound, and reach its bar.
func (c *coverer) judgeEval(s *PointState) {
	for _, e := range c.evals[evalKey(s.Planned.Point)] {
		if s.Planned.Suite == "" || !e.HasSuite || e.Suite == s.Planned.Suite {
			s.Evals = append(s.Evals, e)
		}
	}
	job, known := decisive(s.Jobs)
	broken := func(e EvalRow) bool { return e.Broken != "" || !e.Scored() }
	below := func(e EvalRow) bool { return !e.Reaches(c.bars.Bar(e.Point.Prefix, e.Task)) }
	switch {
	case len(s.Evals) > 0 && slices.ContainsFunc(s.Evals, broken):
		s.set(Failed, "eval-broken")
	case len(s.Evals) > 0 && slices.ContainsFunc(s.Evals, below):
		s.set(Failed, "below-bar")
	case len(s.Evals) > 0 && (!known || job.Conclusion == "success"):
		s.set(Passed, "row")
	case known && job.Conclusion != "success":
		s.set(stateOf(job.Conclusion), reasonOf(job.Conclusion))
	default:
		s.set(Missing, "no-row")
	}
}

// count sums the states up.
func (c *Coverage) count() {
	families, hardware := map[string]*Counts{}, map[string]*Counts{}
	tally := func(groups map[string]*Counts, name string, s State) {
		if groups[name] == nil {
			groups[name] = &Counts{}
		}
		groups[name].add(s)
	}
	for _, p := range c.Points {
		c.Total.add(p.State)
		if p.Planned.Eval {
			c.Evals.add(p.State)
		} else {
			c.Throughput.add(p.State)
		}
		tally(families, p.Planned.Family, p.State)
		tally(hardware, p.Planned.Point.Hardware, p.State)
	}
	c.ByFamily, c.ByHardware = groups(families), groups(hardware)
}

func groups(counts map[string]*Counts) []Group {
	out := make([]Group, 0, len(counts))
	for name, c := range counts {
		out = append(out, Group{Name: name, Counts: *c})
	}
	slices.SortFunc(out, func(a, b Group) int { return compareText(a.Name, b.Name) })
	return out
}

// unplanned reports rows that no planned point asks for.
func (c *coverer) unplanned(out *Coverage, wanted map[Point]bool) {
	for p, rows := range c.byPoint {
		if !wanted[p] {
			out.Unplanned = append(out.Unplanned, rows...)
		}
	}
	slices.SortFunc(out.Unplanned, func(a, b Row) int { return compareText(a.Source, b.Source) })
	for _, r := range out.Unplanned {
		out.Findings = append(out.Findings, diag.New("results.point-unplanned", diag.Place{File: r.Source}, "point", r.Point.String()).WithSeverity(diag.Warning))
	}
}
