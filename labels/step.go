package labels

import "github.com/sweepbot/sweepbot/internal/diag"

// Outcome is what becomes of one step of a run.
type Outcome string

// The outcomes. Unknown means that a fact is missing, which the reason names;
// Fail means that the step runs and refuses.
const (
	Unknown Outcome = "unknown"
	Run     Outcome = "run"
	Skip    Outcome = "skip"
	Fail    Outcome = "fail"
)

// Step is an outcome and its reason: a catalogue code with arguments. The
// severity of the reason is Error for Fail and Note otherwise.
type Step struct {
	Outcome Outcome
	Reason  diag.Finding
}

func step(outcome Outcome, code string, args ...string) Step {
	severity := diag.Note
	if outcome == Fail {
		severity = diag.Error
	}
	return Step{outcome, diag.New(code, diag.Place{}, args...).WithSeverity(severity)}
}

// truth is a three-valued answer. Learning a fact turns open into no or yes
// and never no into yes, which makes every decision monotonic.
type truth uint8

const (
	open truth = iota
	no
	yes
)

func truthOf(holds bool) truth {
	if holds {
		return yes
	}
	return no
}

// condition is one thing a step needs. Its step says what becomes of the
// dependent step when it does not hold, or is open.
type condition struct {
	holds     truth
	otherwise Step
}

// require is a condition whose answer is known.
func require(holds bool, code string, args ...string) condition {
	return condition{truthOf(holds), step(Skip, code, args...)}
}

// first returns the step of the first condition that does not hold; failing
// that, of the first that is open; else nil: all hold. A known "no" goes first
// since it decides whatever the open facts turn out to be.
func first(conditions ...condition) *Step {
	for _, answer := range []truth{no, open} {
		for i := range conditions {
			if conditions[i].holds == answer {
				return &conditions[i].otherwise
			}
		}
	}
	return nil
}
