package bot

import (
	"errors"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Intent is an effect, why it is wanted, and what its failure means.
type Intent struct {
	Effect
	// Why is the reason, a catalogue code with arguments.
	Why diag.Finding
	// Needs are the keys of effects that must have succeeded before.
	Needs []string
	// Courtesy marks what only informs: that it fails changes no outcome and
	// loses no result (known failure F50).
	Courtesy bool
}

// Decided is what a handler makes of an event: what is to be done, and why
// what is not done is not.
type Decided struct {
	// Story names the handler; "" where no handler is for the event.
	Story string
	// Number is the pull request, 0 where the event is about none.
	Number int
	// Reasons explain the decision step by step.
	Reasons diag.List
	Intents []Intent
	// From is where the run comes from that the event is about, nil where it is
	// about none.
	From *Provenance
	// Plan is the plan document of the sweep that the job runs, nil for none.
	Plan []byte
	// Bundle is the evidence of a verdict, a zip archive, nil for none.
	Bundle []byte
}

// because adds a reason.
func (d *Decided) because(code string, args ...string) {
	d.Reasons = append(d.Reasons, note(code, args...))
}

// add adds an effect whose failure fails the event, and returns its key.
func (d *Decided) add(e Effect, why diag.Finding, needs ...string) string {
	d.Intents = append(d.Intents, Intent{Effect: e, Why: why, Needs: needs})
	return e.Key()
}

// inform adds an effect that only informs.
func (d *Decided) inform(e Effect, why diag.Finding, needs ...string) {
	d.Intents = append(d.Intents, Intent{Effect: e, Why: why, Needs: needs, Courtesy: true})
}

// note is a finding that refuses nothing.
func note(code string, args ...string) diag.Finding {
	return diag.New(code, diag.Place{}, args...).WithSeverity(diag.Note)
}

// FindingsOf returns the findings that an error holds, nil where it is no
// finding.
func FindingsOf(err error) diag.List {
	var list diag.List
	var single diag.Finding
	switch {
	case errors.As(err, &list):
		return list
	case errors.As(err, &single):
		return diag.List{single}
	}
	return nil
}

// member is short for a member of a document.
func member(name string, v ordjson.Value) ordjson.Member { return ordjson.Member{Name: name, Value: v} }
