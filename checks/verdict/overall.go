package verdict

import (
	"github.com/sweepbot/sweepbot/checks"
)

// Overall is the word for all rows together.
type Overall string

// The overall words. Open exists in offline output only: nothing fails, but
// some row could not be decided with what was given, so that nobody knows what
// the verdict would be.
const (
	Passed   Overall = "PASS"
	Warned   Overall = "WARN"
	Rejected Overall = "REJECTED"
	Open     Overall = "UNAVAILABLE"
)

// Of computes the word: a FAIL rejects, whatever else is open; what was not
// given leaves the verdict open; then a WARN warns. N/A counts as passed
// (spec/verdict.md section 4).
func Of(results []checks.Result) Overall {
	row := checks.Pass
	for _, r := range results {
		row = checks.Fold(row, r.Status)
	}
	switch {
	case row == checks.Fail:
		return Rejected
	case has(results, checks.Unavailable):
		return Open
	case row == checks.Warn:
		return Warned
	}
	return Passed
}

func has(results []checks.Result, status checks.Status) bool {
	for _, r := range results {
		if r.Status == status {
			return true
		}
	}
	return false
}

// Outcome is the word of logs and job outputs: success, warning, failure, or
// unavailable.
func (o Overall) Outcome() string {
	switch o {
	case Passed:
		return "success"
	case Warned:
		return "warning"
	case Rejected:
		return "failure"
	}
	return "unavailable"
}

// Document is a verdict as data: what "signoff check --json" prints.
type Document struct {
	Overall Overall         `json:"overall"`
	Checks  []checks.Result `json:"checks"`
}

// NewDocument makes the document of results; lists are empty,
// never null, and reasons one line of bounded length.
func NewDocument(results []checks.Result) Document {
	d := Document{Overall: Of(results), Checks: []checks.Result{}}
	for _, r := range results {
		r.Reason = OneLine(r.Reason, MaxReason)
		if r.Citations == nil {
			r.Citations = []checks.Citation{}
		}
		if r.Missing == nil {
			r.Missing = []string{}
		}
		d.Checks = append(d.Checks, r)
	}
	return d
}
