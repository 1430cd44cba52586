package bot

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Progress is everything that the sticky comment of a pull request says. It is
// a value: rendering it needs nothing else.
type Progress struct {
	Number int
	// Head is the head commit now. What was measured on another is marked.
	Head string
	// Request is what the labels and the change ask for now; nil where that
	// was not looked at.
	Request *SweepRequest
	// Runs are the sweeps of the pull request, newest first.
	Runs []RunProgress
	// Site is the web page of the repository, Visualizer the root of the pages
	// that show the results of a run; "" for none.
	Site, Visualizer string
}

// Phase is how far a run is.
type Phase string

// The phases, in their order.
const (
	PhaseQueued   Phase = "queued"
	PhaseRunning  Phase = "running"
	PhaseFinished Phase = "finished"
)

var phaseOrder = []Phase{PhaseQueued, PhaseRunning, PhaseFinished}

// RunOutcome is what a finished run is worth, judged by its points and
// artifacts. The conclusion of the run itself proves nothing: a collector may
// be green although every producer was skipped.
type RunOutcome string

// The outcomes. Measured nothing is what a run ends as that a label change or
// a reuse command made pointless; NoResults means that all points are green
// but nothing that could be published was uploaded.
const (
	OutcomePassed     RunOutcome = "passed"
	OutcomeFailed     RunOutcome = "failed"
	OutcomeCancelled  RunOutcome = "cancelled"
	OutcomeIncomplete RunOutcome = "incomplete"
	OutcomeNoResults  RunOutcome = "no-results"
	OutcomeNothing    RunOutcome = "nothing"
	OutcomeRefused    RunOutcome = "refused"
	OutcomeWaiting    RunOutcome = "waiting" // for the approval of a maintainer
	OutcomeCurrent    RunOutcome = "current" // a partial sweep found nothing stale
)

var outcomes = []RunOutcome{"", OutcomePassed, OutcomeFailed, OutcomeCancelled, OutcomeIncomplete,
	OutcomeNoResults, OutcomeNothing, OutcomeRefused, OutcomeWaiting, OutcomeCurrent}

// CanaryState is how the point that runs ahead of all others fares.
type CanaryState string

// The states of a canary.
const (
	CanaryNone    CanaryState = ""
	CanaryWaiting CanaryState = "waiting"
	CanaryRunning CanaryState = "running"
	CanaryPassed  CanaryState = "passed"
	CanaryFailed  CanaryState = "failed"
)

var canaryStates = []CanaryState{CanaryNone, CanaryWaiting, CanaryRunning, CanaryPassed, CanaryFailed}

// RunProgress is one sweep run. The tags are the names of the comment's hidden
// state.
type RunProgress struct {
	ID      int64       `json:"id"`
	Attempt int         `json:"attempt"`
	SHA     string      `json:"sha"`
	Label   string      `json:"label,omitempty"`
	Phase   Phase       `json:"phase"`
	Outcome RunOutcome  `json:"outcome,omitempty"`
	Canary  CanaryState `json:"canary,omitempty"`
	Points  Tally       `json:"points"`
	// Fork marks a run of a commit from a fork that somebody approved.
	Fork bool `json:"fork,omitempty"`
	// Partial is set on a run that left out what an earlier one stands for. It
	// is none for a full sweep.
	Partial *RunPartial `json:"partial,omitempty"`
	// FullInstead says that a partial sweep was asked for and the full one runs.
	FullInstead bool `json:"full-instead,omitempty"`
	// Results says that the run uploaded something that can be published.
	Results bool `json:"results,omitempty"`
	// Updated is when GitHub last changed the run; At when a point last
	// started or ended; ETA when the last point will be done if it goes on like
	// this. All in Unix seconds, 0 unknown.
	Updated int64 `json:"updated,omitempty"`
	At      int64 `json:"at,omitempty"`
	ETA     int64 `json:"eta,omitempty"`
	// Families and Failures are kept of the newest runs only.
	Families []FamilyProgress `json:"families,omitempty"`
	Failures []FailedPoint    `json:"failures,omitempty"`
	// MoreFailures counts those that are not listed.
	MoreFailures int `json:"more-failures,omitempty"`
	// Stalled are the pools whose runners do not come.
	Stalled []StalledPool `json:"stalled,omitempty"`
	// Report is what the run's report says, nil while there is none to expect.
	Report *RunReport `json:"report,omitempty"`
}

// StalledPool is a kind of runner that points have long waited for while none
// of it took one (known failure F42).
type StalledPool struct {
	Pool   string `json:"pool"` // the labels that jobs ask for
	Points int    `json:"points"`
	Since  int64  `json:"since"` // Unix seconds
}

// Tally counts points by state. Skipped ones are no points.
type Tally struct {
	Planned   int `json:"planned,omitempty"` // of the plan, 0 where it is not known
	Passed    int `json:"passed,omitempty"`
	Failed    int `json:"failed,omitempty"`
	Cancelled int `json:"cancelled,omitempty"`
	Running   int `json:"running,omitempty"`
	Waiting   int `json:"waiting,omitempty"`
	Unclear   int `json:"unclear,omitempty"` // concluded in a way that proves nothing
}

// Total is the number of points: those that jobs exist for, or more where the
// plan knows of more.
func (t Tally) Total() int { return max(t.Planned, t.listed()) }

func (t Tally) listed() int {
	return t.Passed + t.Failed + t.Cancelled + t.Running + t.Waiting + t.Unclear
}

// Ended is the number of points that are over, however they ended.
func (t Tally) Ended() int { return t.Passed + t.Failed + t.Cancelled + t.Unclear }

// FamilyProgress is one job family.
type FamilyProgress struct {
	Name string `json:"name"`
	Tally
}

// FailedPoint is a point that failed, and the job that says why.
type FailedPoint struct {
	Title string `json:"title"`
	JobID int64  `json:"job"`
	// NoRunner says that the job never reached a runner, which no recipe is
	// to blame for (known failure F64).
	NoRunner bool `json:"no-runner,omitempty"`
}

// SweepRequest is what a pull request asks for at its head.
type SweepRequest struct {
	SHA    string
	Starts bool // the sweep runs, or is about to
	// PlanID names the plan in the run and in all it uploads, "" where we start
	// no run.
	PlanID string
	// Reason says why it runs, or not.
	Reason diag.Finding
	// Points and Evals count the points of the plan, all and evals only.
	Points, Evals int
	Canary        string // title of the canary, "" for none
	Families      []FamilyProgress
	// Problems are the refusals and remarks on the change, with places in the
	// repository.
	Problems diag.List
}

// measures says that a run has, or had, points to run.
func (r *RunProgress) measures() bool { return r.Points.listed() > 0 }

// shown says that people should hear of a run: it measured something, or still
// may, or was refused.
func (r *RunProgress) shown() bool { return r.Outcome != OutcomeNothing }

// compareRuns orders two states of one run by how new they are. It is a total
// order, so that whichever is merged first, the same state remains.
func compareRuns(a, b *RunProgress) int {
	return cmp.Or(
		cmp.Compare(a.Attempt, b.Attempt),
		cmp.Compare(slices.Index(phaseOrder, a.Phase), slices.Index(phaseOrder, b.Phase)),
		cmp.Compare(a.Points.Ended(), b.Points.Ended()),
		cmp.Compare(a.At, b.At),
		cmp.Compare(a.Updated, b.Updated),
		cmp.Compare(len(a.Stalled), len(b.Stalled)), // told by the clock alone
		cmp.Compare(a.Report.weight(), b.Report.weight()),
		cmp.Compare(encoded(a.brief()), encoded(b.brief())),
		cmp.Compare(len(a.Families), len(b.Families)),
		cmp.Compare(encoded(*a), encoded(*b)),
	)
}

// brief is the run without what is kept of the newest ones only.
func (r RunProgress) brief() RunProgress {
	r.Families, r.Failures, r.MoreFailures, r.Stalled, r.Report = nil, nil, 0, nil, nil
	return r
}

func encoded(r RunProgress) string {
	text, _ := json.Marshal(r) // a struct of plain fields
	return string(text)
}

// A comment remembers so many runs, and the details of the newest of them.
// There are several of those, since the newest run may turn out to be one that
// measures nothing.
const (
	maxRuns     = 30
	maxDetailed = 3
)

// mergeRuns unites what several sources know of the runs of a pull request:
// of each run the newest state, newest run first. The order of the sources
// does not matter.
func mergeRuns(sources ...[]RunProgress) []RunProgress {
	best := make(map[int64]RunProgress)
	for _, source := range sources {
		for _, r := range source {
			if known, ok := best[r.ID]; !ok || compareRuns(&known, &r) < 0 {
				best[r.ID] = r
			}
		}
	}
	all := make([]RunProgress, 0, len(best))
	for _, r := range best {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b RunProgress) int { return cmp.Compare(b.ID, a.ID) })
	all = all[:min(len(all), maxRuns)]
	for i := range all {
		if i >= maxDetailed {
			all[i] = all[i].brief()
		}
	}
	return all
}
