package failure

import (
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

// Decision is whether to run jobs again. Jobs is sorted; All says that these
// are all failures, so that the platform may repeat "the failed jobs".
// Record is what to store first.
type Decision struct {
	Rerun  bool
	Why    Why
	Jobs   []int64
	All    bool
	Record Record
}

// DecideRerun says which failed jobs of a run to run again: only those that the
// infrastructure failed, and those that such a failure cancelled, only while
// the run counts, and only within the policy's bounds. It is a pure function of
// its arguments; a log can't make it exceed them.
func DecideRerun(policy Policy, state RunState, failed []Candidate) Decision {
	d := Decision{Record: Record{Run: state.Run, Attempt: state.Attempt + 1}}
	switch {
	case !policy.Enabled:
		d.Why = RerunOff
	case !state.Finished:
		d.Why = RerunUnfinished
	case !state.Current:
		d.Why = RerunSuperseded
	default:
		d.choose(policy, state, failed)
	}
	return d
}

// Finding is the decision as a note.
func (d Decision) Finding() diag.Finding {
	return diag.New("results.rerun-"+string(d.Why), diag.Place{}, "jobs", strconv.Itoa(len(d.Jobs))).WithSeverity(diag.Note)
}

func (d *Decision) choose(policy Policy, state RunState, failed []Candidate) {
	wanted := eligible(failed)
	if len(wanted) == 0 {
		d.Why = RerunNone
		return
	}
	slices.SortFunc(wanted, func(a, b Candidate) int { return int(min(max(a.Verdict.Job-b.Verdict.Job, -1), 1)) })
	used := state.jobsRerun()
	for _, c := range wanted {
		if state.timesRerun(c.Key) >= policy.PerJob || used >= policy.PerRun {
			continue
		}
		used++
		d.Jobs = append(d.Jobs, c.Verdict.Job)
		d.Record.Jobs = append(d.Record.Jobs, RecordedJob{Job: c.Verdict.Job, Key: c.Key})
	}
	if len(d.Jobs) == 0 {
		d.Why = RerunLimit
		return
	}
	d.Rerun, d.Why, d.All = true, RerunDecided, len(d.Jobs) == len(failed)
}

// eligible are the failures of the infrastructure, and what they cancelled when
// nothing else has failed.
func eligible(failed []Candidate) []Candidate {
	var out, siblings []Candidate
	others := false
	for _, c := range failed {
		switch c.Verdict.Class {
		case Infrastructure:
			out = append(out, c)
		case BySibling:
			siblings = append(siblings, c)
		default:
			others = true
		}
	}
	if len(out) > 0 && !others {
		out = append(out, siblings...)
	}
	return out
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
