package failure

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Policy bounds automatic re-runs. The zero value never runs anything again.
type Policy struct {
	Enabled bool
	// PerJob is how often one job may be run again, PerRun how many jobs of one
	// run in all its attempts.
	PerJob, PerRun int
}

// Why says why a re-run was decided for or against.
type Why string

// The reasons, in the order in which they are looked at.
const (
	RerunOff        Why = "off"              // the policy is not enabled
	RerunUnfinished Why = "unfinished"       // the run has not ended
	RerunSuperseded Why = "superseded"       // a newer commit or run took over
	RerunNone       Why = "nothing-to-rerun" // no failure is the infrastructure's
	RerunLimit      Why = "limit"            // the policy's bound is reached
	RerunDecided    Why = "infrastructure"   // the failures are the infrastructure's
)

// RunState is what a decision needs to know about the run.
type RunState struct {
	Run     int64
	Attempt int
	// Finished means that every job has ended; Current that the run still is the
	// one that counts for its change.
	Finished, Current bool
	// Reruns are the earlier automatic re-runs of this run, from the record.
	Reruns []Record
}

// Record is one automatic re-run, to be stored before it is started.
type Record struct {
	Run     int64
	Attempt int
	// Jobs were run again, each with the key that names its point across
	// attempts.
	Jobs []RecordedJob
}

// RecordedJob names a job of a record.
type RecordedJob struct {
	Job int64
	Key string
}

// Candidate is a failed job with the key of its point, which stays the same in
// all attempts.
type Candidate struct {
	Key     string
	Verdict Verdict
}

// The reasons of a single job.
const (
	ChoiceMachine   Why = "machine"       // only its machine failed
	ChoiceCancelled Why = "cancelled-by"  // such a failure cancelled it
	ChoiceOwn       Why = "own-failure"   // it failed by itself, or nobody knows why
	ChoiceOthers    Why = "others-failed" // cancelled, and not only by a machine
	ChoiceJobLimit  Why = "limit-per-job" // it was run again often enough
	ChoiceRunLimit  Why = "limit-per-run" // jobs of the run were run again often enough
)

// Choice is what the policy's bounds and the failures say about one job.
type Choice struct {
	Job   int64
	Key   string
	Again bool
	Why   Why
}

// Decision is whether to run jobs again. Jobs is sorted; All says that these
// are all failures, so that the platform may repeat "the failed jobs".
// Record is what to store first. Choices has every failed job, sorted, also
// where nothing is run again: it is what the policy would do if it were enabled
// and the run were over and counted.
type Decision struct {
	Rerun   bool
	Why     Why
	Jobs    []int64
	All     bool
	Record  Record
	Choices []Choice
}

// DecideRerun says which failed jobs of a run to run again: only those that the
// infrastructure failed, and those that such a failure cancelled, only while
// the run counts, and only within the policy's bounds. It is a pure function of
// its arguments; a log can't make it exceed them.
func DecideRerun(policy Policy, state RunState, failed []Candidate) Decision {
	d := Decision{Record: Record{Run: state.Run, Attempt: state.Attempt + 1}, Choices: choose(policy, state, failed)}
	switch {
	case !policy.Enabled:
		d.Why = RerunOff
	case !state.Finished:
		d.Why = RerunUnfinished
	case !state.Current:
		d.Why = RerunSuperseded
	default:
		d.take()
	}
	return d
}

// take runs again what was chosen.
func (d *Decision) take() {
	d.Why = RerunNone
	for _, c := range d.Choices {
		switch {
		case c.Again:
			d.Jobs = append(d.Jobs, c.Job)
			d.Record.Jobs = append(d.Record.Jobs, RecordedJob{Job: c.Job, Key: c.Key})
		case c.Why == ChoiceJobLimit || c.Why == ChoiceRunLimit:
			d.Why = RerunLimit
		}
	}
	if len(d.Jobs) > 0 {
		d.Rerun, d.Why, d.All = true, RerunDecided, len(d.Jobs) == len(d.Choices)
	}
}

// Finding is the decision as a note.
func (d Decision) Finding() diag.Finding {
	return diag.New("results.rerun-"+string(d.Why), diag.Place{}, "jobs", strconv.Itoa(len(d.Jobs))).WithSeverity(diag.Note)
}

// choose looks at every failed job, in the order of their ids.
func choose(policy Policy, state RunState, failed []Candidate) []Choice {
	failed = slices.Clone(failed)
	slices.SortFunc(failed, func(a, b Candidate) int { return cmp.Compare(a.Verdict.Job, b.Verdict.Job) })
	machines := onlyMachines(failed)
	used := state.jobsRerun()
	out := make([]Choice, len(failed))
	for i, c := range failed {
		out[i] = Choice{Job: c.Verdict.Job, Key: c.Key, Why: reason(c.Verdict.Class, machines)}
		if out[i].Why != ChoiceMachine && out[i].Why != ChoiceCancelled {
			continue
		}
		switch {
		case state.timesRerun(c.Key) >= policy.PerJob:
			out[i].Why = ChoiceJobLimit
		case used >= policy.PerRun:
			out[i].Why = ChoiceRunLimit
		default:
			out[i].Again = true
			used++
		}
	}
	return out
}

func reason(class Class, machines bool) Why {
	switch {
	case class == Infrastructure:
		return ChoiceMachine
	case class == BySibling && machines:
		return ChoiceCancelled
	case class == BySibling:
		return ChoiceOthers
	}
	return ChoiceOwn
}

// onlyMachines reports whether machines failed, and nothing else has.
func onlyMachines(failed []Candidate) bool {
	some := false
	for _, c := range failed {
		switch c.Verdict.Class {
		case Infrastructure:
			some = true
		case BySibling:
		default:
			return false
		}
	}
	return some
}

func (s RunState) jobsRerun() int {
	n := 0
	for _, r := range s.Reruns {
		if r.Run == s.Run {
			n += len(r.Jobs)
		}
	}
	return n
}

func (s RunState) timesRerun(key string) int {
	n := 0
	for _, r := range s.Reruns {
		for _, j := range r.Jobs {
			if r.Run == s.Run && j.Key == key {
				n++
			}
		}
	}
	return n
}
