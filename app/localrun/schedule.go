package localrun

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// task is a point with how it stands.
type task struct {
	*Point
	status   Status
	attempts int // finished ones
	why      *diag.Finding
	took     time.Duration
	// cancel stops the point while it runs; nil otherwise.
	cancel context.CancelCauseFunc
}

// siblingFailed is the cause with which running points of a family are
// stopped after the first failure.
type siblingFailed struct{ first *task }

// Error names the first failing point.
func (e siblingFailed) Error() string { return "stopped after " + e.first.ID + " failed" }

// schedule decides which point runs when (spec/labels-and-sweeps.md sections
// 6 and 7): the canary alone, then all families side by side. It is one
// goroutine; only run is called in others.
type schedule struct {
	tasks []*task
	// failFast holds the families whose first failure cancels the rest.
	failFast map[string]bool
	jobs     int
	// retries is how often a point is tried again before it has failed.
	retries int
	// run measures a point. Its error is what went wrong, or the cause with
	// which its context was cancelled.
	run func(ctx context.Context, p *Point, attempt int) error
	// started and ended are told of every step, in order. Their error ends the
	// sweep: what is not recorded must not go on.
	started func(t *task, attempt int) error
	ended   func(t *task) error

	turn int // of the families
	// broken is the failure of ours that ended the sweep.
	broken error
}

// result is what a run came to.
type result struct {
	task *task
	err  error
	took time.Duration
}

// all runs everything that is pending. Its error is a failure of ours or the
// end of ctx; points that fail are no error.
func (s *schedule) all(ctx context.Context) error {
	if err := s.settle(); err != nil {
		return err
	}
	canary := s.canary()
	if canary == nil {
		return s.phase(ctx, s.tasks)
	}
	if err := s.phase(ctx, []*task{canary}); err != nil {
		return err
	}
	if canary.status == Passed {
		return s.phase(ctx, s.tasks)
	}
	why := diag.New("localrun.canary-failed", diag.Place{}, "canary", canary.Label())
	return s.endAll(s.tasks, Skipped, why)
}

func (s *schedule) canary() *task {
	at := slices.IndexFunc(s.tasks, func(t *task) bool { return t.Canary })
	if at < 0 {
		return nil
	}
	return s.tasks[at]
}

// settle makes pending again what an earlier run left over: failed points that
// still have tries, and points that were held back for a reason that is gone.
func (s *schedule) settle() error {
	for _, t := range s.tasks {
		if t.status == Failed && t.attempts <= s.retries {
			t.status, t.why = Pending, nil
		}
	}
	canary := s.canary()
	blocked := canary != nil && canary.status == Failed
	for _, t := range s.tasks {
		free := t.status == Skipped && !blocked || t.status == Cancelled && s.firstFailure(t.Family) == nil
		if free {
			t.status, t.why = Pending, nil
		}
		first := s.firstFailure(t.Family)
		if t.status != Pending || first == nil || !s.failFast[t.Family] {
			continue
		}
		// The sweep was interrupted between a failure and its effect.
		if err := s.end(t, Cancelled, cancelledBy(first)); err != nil {
			return err
		}
	}
	return nil
}

// firstFailure is the failed point of a family that its siblings follow; the
// canary has none.
func (s *schedule) firstFailure(family string) *task {
	for _, t := range s.tasks {
		if t.Family == family && t.status == Failed && !t.Canary {
			return t
		}
	}
	return nil
}

// phase runs the pending ones of some tasks.
func (s *schedule) phase(ctx context.Context, tasks []*task) error {
	results := make(chan result)
	for running := 0; ; running-- {
		for s.broken == nil && ctx.Err() == nil && running < s.jobs {
			t := s.next(tasks)
			if t == nil {
				break
			}
			if err := s.start(ctx, t, results); err != nil {
				s.stop(err)
				break
			}
			running++
		}
		if running == 0 {
			return firstError(s.broken, context.Cause(ctx))
		}
		if err := s.finish(ctx, <-results); err != nil {
			s.stop(err)
		}
	}
}

// next picks the next pending task, family by family in turn, so that no
// family waits for another to end.
func (s *schedule) next(tasks []*task) *task {
	var families []string
	for _, t := range tasks {
		if t.status == Pending && t.cancel == nil && !slices.Contains(families, t.Family) {
			families = append(families, t.Family)
		}
	}
	if len(families) == 0 {
		return nil
	}
	family := families[s.turn%len(families)]
	s.turn++
	at := slices.IndexFunc(tasks, func(t *task) bool { return t.status == Pending && t.cancel == nil && t.Family == family })
	return tasks[at]
}

func (s *schedule) start(ctx context.Context, t *task, results chan<- result) error {
	attempt := t.attempts + 1
	if err := s.started(t, attempt); err != nil {
		return err
	}
	own, cancel := context.WithCancelCause(ctx)
	t.cancel = cancel
	go func() {
		begin := time.Now()
		err := s.run(own, t.Point, attempt)
		results <- result{t, err, time.Since(begin)}
	}()
	return nil
}

// finish records what a run came to. A point that was interrupted with the
// whole sweep stays pending.
func (s *schedule) finish(ctx context.Context, r result) error {
	t := r.task
	t.cancel(nil)
	t.cancel = nil
	var sibling siblingFailed
	switch {
	case errors.As(r.err, &sibling) && s.broken == nil:
		return s.end(t, Cancelled, cancelledBy(sibling.first))
	case r.err != nil && ctx.Err() != nil && errors.Is(r.err, context.Cause(ctx)):
		return nil
	case s.broken != nil:
		return nil // nothing can be recorded any more
	}
	t.took = r.took
	t.attempts++
	if r.err == nil {
		return s.end(t, Passed, nil)
	}
	why := finding(r.err)
	if t.attempts <= s.retries && t.Fault == nil {
		t.why = why
		return nil // stays pending and gets its turn again
	}
	if err := s.end(t, Failed, why); err != nil {
		return err
	}
	if s.failFast[t.Family] && !t.Canary {
		return s.cancelFamily(t)
	}
	return nil
}

// finding is an error as a finding: whatever a point fails of is recorded with
// a code.
func finding(err error) *diag.Finding {
	var f diag.Finding
	if !errors.As(err, &f) {
		f = diag.New("localrun.trouble", diag.Place{}, "detail", cut(diag.Printable(err.Error()), 300))
	}
	return &f
}

// cancelFamily stops what runs and ends what waits of the family of the first
// failing point. Other families go on (known failure F08).
func (s *schedule) cancelFamily(first *task) error {
	var waiting []*task
	for _, t := range s.tasks {
		switch {
		case t.Family != first.Family:
		case t.cancel != nil:
			t.cancel(siblingFailed{first})
		default:
			waiting = append(waiting, t)
		}
	}
	return s.endAll(waiting, Cancelled, *cancelledBy(first))
}

func cancelledBy(first *task) *diag.Finding {
	f := diag.New("localrun.sibling-failed", diag.Place{}, "point", first.Label())
	return &f
}

// endAll ends the pending ones of some tasks.
func (s *schedule) endAll(tasks []*task, status Status, why diag.Finding) error {
	for _, t := range tasks {
		if t.status != Pending || t.cancel != nil {
			continue
		}
		if err := s.end(t, status, &why); err != nil {
			return err
		}
	}
	return nil
}

func (s *schedule) end(t *task, status Status, why *diag.Finding) error {
	t.status, t.why = status, why
	return s.ended(t)
}

// stop ends all that runs after a failure of ours.
func (s *schedule) stop(cause error) {
	s.broken = firstError(s.broken, cause)
	for _, t := range s.tasks {
		if t.cancel != nil {
			t.cancel(cause)
		}
	}
}
