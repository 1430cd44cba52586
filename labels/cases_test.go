package labels

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// base is the branch of all cases.
const base = "main"

// Names that the cases use often.
const (
	failFast  = "full-sweep-fail-fast"
	enabled   = "full-sweep-enabled"
	nonCanary = "non-canary-full-sweep-enabled"
	trimmed   = "sweep-enabled"
	noCanary  = "full-sweep-fail-fast-no-canary"
	allEvals  = "all-evals"
	evalsOnly = "evals-only"
	fast      = "agentx-fast"
	onlyStale = "only-stale"
)

// newest and august are the label rules of the presets; september is the
// transition between them, made by switches (section 3.4).
func newest() config.Labels { return preset(config.PresetNewest) }

func august() config.Labels { return preset(config.PresetAugust) }

func september() config.Labels {
	policy := august()
	policy.ReadyForReviewRuns = false
	policy.DraftsRun = true
	policy.ForksValidated = false
	policy.GateNeedsPrimary = false
	return policy
}

func preset(name string) config.Labels {
	settings, ok := config.Preset(name)
	if !ok {
		panic("no preset " + name)
	}
	return settings.Labels
}

// change edits an event; a case is made of a few of them.
type change func(*Event)

// happens makes an event on pull request 10 from the same repository, with
// everything in order: the changelog is touched and accepted, the head message
// carries no marker, no reuse command is in force.
func happens(changes ...change) Event {
	message := "add points"
	e := Event{
		Name: PullRequest, Action: Synchronize, Number: 10, RunID: 7001, HeadSHA: "ca89ac21",
		BaseBranch: base, SameRepo: true, TouchesChangelog: true,
		HeadMessage: &message, Validator: Accepted, Reuse: ReuseNone,
	}
	for _, apply := range changes {
		apply(&e)
	}
	return e
}

func with(labels ...string) change   { return func(e *Event) { e.Labels = labels } }
func added(label string) change      { return func(e *Event) { e.Action, e.Label = Labeled, label } }
func removed(label string) change    { return func(e *Event) { e.Action, e.Label = Unlabeled, label } }
func action(name string) change      { return func(e *Event) { e.Action = name } }
func reuse(state Reuse) change       { return func(e *Event) { e.Reuse = state } }
func validator(out Validator) change { return func(e *Event) { e.Validator = out } }
func message(text string) change     { return func(e *Event) { e.HeadMessage = &text } }
func toBranch(name string) change    { return func(e *Event) { e.BaseBranch = name } }
func fork(e *Event)                  { e.SameRepo = false }
func draft(e *Event)                 { e.Draft = true }
func conflicting(e *Event)           { e.Conflict = true }
func noChangelog(e *Event)           { e.TouchesChangelog = false }
func marked(e *Event)                { message("tidy up\n\nnot now [skip-sweep] please")(e) }

// pushed turns the event into a push to the base branch.
func pushed(e *Event) { e.Name, e.Action, e.Number, e.Labels = Push, "", 0, nil }

// example is one row of a decision table.
type example struct {
	id    string
	event Event
	want  string // see brief
}

// brief writes a decision in one line: the run ("none", or its group without
// the pull request), the three steps, and how the sweep runs.
func brief(d Decision) string {
	if !d.Starts {
		return strings.TrimSpace("none " + suffix(d.Ingest, "ingest"))
	}
	words := []string{"apart", "V:" + string(d.Validate.Outcome), gateWord(d.Gate), "S:" + string(d.Sweep.Outcome)}
	if d.Cancels {
		words[0] = "active"
	}
	if d.Sweep.Outcome == Run {
		words = append(words, manner(d)...)
	}
	return strings.Join(words, " ")
}

// gateWord adds to a gate that succeeds what it says to the sweep.
func gateWord(gate Step) string {
	word := "G:" + string(gate.Outcome)
	if gate.Outcome != Run {
		return word
	}
	return word + map[string]string{"labels.gate-none": "(run)", "labels.gate-reuse": "(skip)"}[gate.Reason.Code]
}

// manner lists how a sweep runs.
func manner(d Decision) []string {
	var words []string
	for _, w := range []string{
		suffix(d.Canary, "canary"), suffix(d.FailFast, "fail-fast"), suffix(d.Trim, "trim"), suffix(d.AllEvals, "all-evals"),
		suffix(d.EvalsOnly, "evals-only"), suffix(d.AgentXFast, "fast"), suffix(d.OnlyStale, "only-stale"), suffix(d.Reuses, "reuses"),
	} {
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

func suffix(present bool, word string) string {
	if present {
		return word
	}
	return ""
}

// runExamples holds a table against Decide.
func runExamples(t *testing.T, policy config.Labels, examples []example) {
	t.Helper()
	for _, ex := range examples {
		t.Run(ex.id, func(t *testing.T) {
			d := Decide(policy, base, ex.event)
			if got := brief(d); got != ex.want {
				t.Errorf("got  %s\nwant %s\nwhy %v\nvalidate %v\ngate %v\nsweep %v",
					got, ex.want, d.Why, d.Validate.Reason, d.Gate.Reason, d.Sweep.Reason)
			}
		})
	}
}
