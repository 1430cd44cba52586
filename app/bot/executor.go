package bot

import (
	"context"
	"errors"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// State is what became of an effect.
type State string

// The states of an effect. Postponed means that a limit of GitHub ends later
// than the work may wait: do it again after it. Refused is what an effect says
// that exists to refuse.
const (
	StateDone      State = "done"
	StateAlready   State = "already"   // nothing was left to do
	StateDuplicate State = "duplicate" // an equal effect stands before it
	StatePlanned   State = "planned"   // dry run
	StateHeld      State = "held"      // an effect that it needs failed
	StateFailed    State = "failed"
	StatePostponed State = "postponed"
	StateRefused   State = "refused"
)

// Result is one effect with what became of it.
type Result struct {
	Intent
	State State
	key   string
	// ID is the comment, check run or workflow run.
	ID int64
	// Err is why it failed, is postponed or is refused.
	Err error
}

// Results are those of one event, in order.
type Results []Result

// Executor performs effects, in order, each at most once.
type Executor struct {
	World *World
	// Journal is that of the delivery; nil keeps none.
	Journal Journal
	// DryRun performs nothing. With a GitHub it looks what there is to do.
	DryRun bool
}

// Perform performs effects. A failure holds back only the effects that need
// the failed one. The journal's own failure ends the work: without a record
// nothing may be done.
func (x *Executor) Perform(ctx context.Context, intents []Intent) (Results, error) {
	results := make(Results, 0, len(intents))
	states := make(map[string]State)
	for _, in := range intents {
		r := Result{Intent: in, key: in.Key()}
		err := x.one(ctx, &r, states)
		x.keep(&r)
		if _, known := states[r.key]; !known {
			states[r.key] = r.State
		}
		results = append(results, r)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

// one performs one effect and fills in its result.
func (x *Executor) one(ctx context.Context, r *Result, states map[string]State) error {
	if _, known := states[r.key]; known {
		r.State = StateDuplicate
		return nil
	}
	for _, key := range r.Needs {
		if state := states[key]; state != StateDone && state != StateAlready && state != StatePlanned {
			r.State = StateHeld
			r.Err = diag.New("bot.held", diag.Place{}, "needs", key)
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		r.fail(err)
		return nil
	}
	if x.DryRun {
		x.look(ctx, r)
		return nil
	}
	return x.record(ctx, r)
}

// record performs an effect between two records of the journal. The second is
// written even when the work was interrupted.
func (x *Executor) record(ctx context.Context, r *Result) error {
	if x.Journal == nil {
		x.act(ctx, r)
		return nil
	}
	done, err := x.Journal.Open(ctx, r.key, r.Document())
	if err != nil {
		r.fail(err)
		return err
	}
	if done {
		r.State = StateAlready
		return nil
	}
	x.act(ctx, r)
	return x.Journal.Close(context.WithoutCancel(ctx), r.key, r.Err)
}

// act finds, does and reconciles. That doubles remain is reported, but what
// was done is done.
func (x *Executor) act(ctx context.Context, r *Result) {
	found, err := r.Find(ctx, x.World)
	if err != nil {
		r.fail(err)
		return
	}
	r.ID, r.State = found.ID, StateAlready
	if !found.Done {
		if found, err = r.Do(ctx, x.World, found); err != nil {
			r.fail(err)
			return
		}
		r.ID, r.State = found.ID, StateDone
	}
	if err := r.Reconcile(ctx, x.World); err != nil {
		r.Err = err
	}
}

// keep writes what a comment would have said to the summary of the job when
// the comment could not be posted: what was found out must not be lost.
func (x *Executor) keep(r *Result) {
	c, isComment := r.Effect.(*UpsertComment)
	if !isComment || x.World == nil || x.World.Host == nil || r.State != StateFailed && r.State != StatePostponed {
		return
	}
	if err := x.World.Host.Summary(c.fallback()); err != nil {
		r.Err = errors.Join(r.Err, err)
	}
}

// look is act without writing.
func (x *Executor) look(ctx context.Context, r *Result) {
	r.State = StatePlanned
	if x.World == nil || x.World.GitHub == nil {
		return
	}
	found, err := r.Find(ctx, x.World)
	switch {
	case err != nil:
		r.Err = err
	case found.Done:
		r.State = StateAlready
	}
	r.ID = found.ID
}

// fail tells the kinds of failure apart.
func (r *Result) fail(err error) {
	var limit *RateLimitError
	var refusal *RefusalError
	r.State, r.Err = StateFailed, err
	switch {
	case errors.As(err, &limit):
		r.State = StatePostponed
	case errors.As(err, &refusal):
		r.State = StateRefused
	}
}

// Err returns what failed the event: the failures of effects that do more than
// inform. A refusal comes first, since it is about the input and not about the
// outside.
func (rs Results) Err() error {
	var refusals diag.List
	var failures []error
	for i := range rs {
		r := &rs[i]
		var refusal *RefusalError
		switch {
		case errors.As(r.Err, &refusal):
			refusals = append(refusals, refusal.Finding)
		case r.Courtesy, r.Err == nil, r.State == StatePlanned:
		default:
			failures = append(failures, r.Err)
		}
	}
	if len(refusals) > 0 {
		return refusals
	}
	return errors.Join(failures...)
}

// Unfinished reports whether something was left undone that a later try may do:
// an effect that failed or was postponed, or doubles that could not be removed.
// Unlike Err it counts effects that only inform, and not those that refuse.
func (rs Results) Unfinished() bool {
	for i := range rs {
		r := &rs[i]
		if r.State == StateFailed || r.State == StatePostponed || r.Err != nil && (r.State == StateDone || r.State == StateAlready) {
			return true
		}
	}
	return false
}

// Postponed returns the effects that wait for a limit to end. A server does
// them later.
func (rs Results) Postponed() []Intent {
	var later []Intent
	for _, r := range rs {
		if r.State == StatePostponed {
			later = append(later, r.Intent)
		}
	}
	return later
}
