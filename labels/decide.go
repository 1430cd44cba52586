package labels

import (
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Decision is what an event means. The embedded Selection tells how a sweep
// would run; on a push it is empty, since a push has no labels.
type Decision struct {
	// Starts says that GitHub starts a run of the sweep workflow.
	Starts bool
	// Cancels says that the run joins the group in which the newest run
	// cancels the others of the pull request.
	Cancels bool
	// Group is the exact concurrency group of the run, "" where none starts.
	// An unknown run id is written "<run id>".
	Group string
	// Why says why a run starts or not, and what it does to a sweep in
	// progress.
	Why diag.Finding
	// Validate is the changelog check. Run means that it accepts.
	Validate Step
	// Gate asks for a reuse command. Run means that it succeeds; its reason
	// tells whether a command is in force.
	Gate Step
	// Sweep is set-up and all that follows.
	Sweep Step
	// Reuses says that the run publishes the results of another and measures
	// nothing: a push where the policy sweeps pushes.
	Reuses bool
	// Ingest says that the push starts the merge ingest workflow, in group
	// IngestGroup.
	Ingest      bool
	IngestGroup string
	// HeadSHA is the commit that the decision is about.
	HeadSHA string
	Selection
}

// Decide answers what an event means under a policy, for sweeps against the
// base branch (spec/labels-and-sweeps.md sections 2 to 4). It never fails:
// whatever is wrong is a skipped or failing step with its reason.
//
// Facts that are not known yet leave steps Unknown. Learning them later never
// changes a step that was decided before.
func Decide(policy config.Labels, base string, e Event) Decision {
	d := Decision{HeadSHA: e.HeadSHA}
	if e.Name != Push {
		d.Selection = Select(policy, e.Labels)
	}
	if why := blocked(policy, base, e); why != nil {
		return d.notStarted(policy, base, e, *why)
	}
	known := newVocabulary(policy)
	d.Starts = true
	d.Group, d.Cancels = group(known, e)
	if e.Name == Push {
		d.decidePush(base, e)
	} else {
		c := situation{policy, e, &d.Selection, !e.labelEvent() || known.has(e.Label)}
		d.Validate = c.validate()
		d.Gate = c.gate(d.Validate)
		d.Sweep = c.sweep(d.Validate, d.Gate)
	}
	d.Why = d.effect(e)
	return d
}

// notStarted completes the decision on an event that starts no sweep run.
func (d Decision) notStarted(policy config.Labels, base string, e Event, why diag.Finding) Decision {
	none := Step{Skip, why.WithSeverity(diag.Note)}
	d.Why, d.Validate, d.Gate, d.Sweep = why, none, none, none
	if e.Name == Push && !policy.PushSweeps && onBase(base, e) && e.TouchesChangelog {
		d.Ingest, d.IngestGroup = true, "merge-ingest-"+e.HeadSHA
	}
	return d
}

// decidePush decides a push to the base branch where such pushes sweep. The
// skip marker and the labels of the merged pull request mean nothing here.
func (d *Decision) decidePush(base string, e Event) {
	d.Validate = step(Skip, "labels.push-unchecked")
	d.Gate = d.Validate
	switch e.Reuse {
	case ReuseNone:
		d.Sweep = step(Run, "labels.push-measures", "base", shown(base))
	case ReuseValid:
		d.Reuses = true
		d.Sweep = step(Run, "labels.push-reuses", "base", shown(base))
	case ReuseInvalid:
		d.Sweep = step(Fail, "labels.gate-source")
	default:
		d.Sweep = step(Unknown, "labels.gate-open")
	}
}

// effect says what the run does to a sweep in progress.
func (d *Decision) effect(e Event) diag.Finding {
	if !d.Cancels {
		return step(Skip, "labels.run-apart", "label", shown(e.Label), "group", d.Group).Reason
	}
	code := "labels.run-stops"
	switch d.Sweep.Outcome {
	case Run:
		code = "labels.run-restarts"
	case Unknown:
		code = "labels.run-replaces"
	}
	return step(Skip, code, "group", d.Group).Reason
}

// situation is a pull-request event that started a run.
type situation struct {
	policy  config.Labels
	event   Event
	labels  *Selection
	related bool // the event is not about a label, or about a recognised one
}

// validate decides the changelog check. It runs whatever labels are set, so
// that a clean-up without a sweep label is checked too (known failure F18).
func (c situation) validate() Step {
	if s := first(
		require(c.related, "labels.unrelated-label", "label", shown(c.event.Label), "primaries", primaryNames(c.policy)),
		require(!c.event.Draft || c.policy.DraftsRun, "labels.draft"),
		require(c.event.SameRepo || c.policy.ForksValidated, "labels.fork", "primaries", primaryNames(c.policy)),
	); s != nil {
		return *s
	}
	if f := c.labels.conflict(); f != nil {
		return Step{Fail, *f}
	}
	switch c.event.Validator {
	case Accepted:
		return step(Run, "labels.check-passed")
	case Rejected:
		return step(Fail, "labels.check-failed")
	}
	return step(Unknown, "labels.check-open")
}

// passed is the condition that an earlier step succeeded. Its reason is handed
// on, so that every later step names the root cause.
func passed(earlier Step) condition {
	switch earlier.Outcome {
	case Run:
		return condition{holds: yes}
	case Unknown:
		return condition{open, earlier}
	}
	return condition{no, Step{Skip, earlier.Reason.WithSeverity(diag.Note)}}
}

// gate decides the reuse gate. Only a push to the pull request asks for a
// reuse command (known failure F21): a label event is the way to force a sweep.
func (c situation) gate(validated Step) Step {
	if s := first(
		passed(validated),
		require(c.event.Action == Synchronize, "labels.gate-not-synchronize", "action", shown(c.event.Action)),
		require(len(c.labels.ReuseBlockers) == 0, "labels.gate-blocked", "labels", shownList(c.labels.ReuseBlockers)),
		require(!c.policy.GateNeedsPrimary || c.reusablePrimary(), "labels.gate-no-primary"),
	); s != nil {
		return *s
	}
	switch c.event.Reuse {
	case ReuseNone:
		return step(Run, "labels.gate-none")
	case ReuseValid:
		return step(Run, "labels.gate-reuse")
	case ReuseInvalid:
		if c.policy.GateChecksSource {
			return step(Fail, "labels.gate-source")
		}
		return step(Run, "labels.gate-reuse")
	}
	return step(Unknown, "labels.gate-open")
}

func (c situation) reusablePrimary() bool {
	return c.labels.Primary != nil && c.labels.Primary.Reusable
}

// sweep decides set-up. A fork never sweeps here, whatever its labels.
func (c situation) sweep(validated, gate Step) Step {
	if s := first(
		passed(validated),
		require(c.event.SameRepo, "labels.fork", "primaries", primaryNames(c.policy)),
		require(c.labels.Primary != nil, "labels.no-primary", "primaries", primaryNames(c.policy)),
		c.unmarked(),
		letThrough(gate),
	); s != nil {
		return *s
	}
	return step(Run, "labels.sweep-runs", "primary", shown(c.labels.Primary.Name))
}

// unmarked is the condition that the head commit message does not contain the
// marker, compared byte by byte.
func (c situation) unmarked() condition {
	marker := c.policy.SkipSweepMarker
	switch {
	case marker == "":
		return condition{holds: yes}
	case c.event.HeadMessage == nil:
		return condition{open, step(Unknown, "labels.message-open")}
	}
	return require(!strings.Contains(*c.event.HeadMessage, marker), "labels.skip-marker", "marker", marker)
}

// letThrough is the condition that the gate was skipped, or found no command.
// A failed gate is neither, and stops the sweep.
func letThrough(gate Step) condition {
	switch {
	case gate.Outcome == Skip, gate.Reason.Code == "labels.gate-none":
		return condition{holds: yes}
	case gate.Outcome == Unknown:
		return condition{open, gate}
	}
	return condition{no, Step{Skip, gate.Reason.WithSeverity(diag.Note)}}
}
