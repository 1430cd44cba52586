package jobs

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// ReuseState tells whether a reuse command of a pull request is in force, and
// whether it holds; "" where that is not known.
type ReuseState interface {
	State(ctx context.Context, pr *bot.PullRequest) (labels.Reuse, error)
}

// Merges tells which pull request a push merged; nil for none.
type Merges func(ctx context.Context, push *bot.Push) (*bot.PullRequest, error)

// Gate is the job reuse-sweep-gate: it asks whether an authorised reuse command
// stands in for a new measurement, on the pull request of the event or, where
// pushes to the base branch sweep, on the one that the push merged. What cannot
// be answered stops the sweep; a person forces one by applying a label again
// (known failure F21).
func Gate(ctx context.Context, h *Host, reuse ReuseState, merges Merges) error {
	o, err := h.order()
	if err != nil {
		return err
	}
	pr := o.pull
	if push := o.run.Delivery.Push; push != nil {
		if pr, err = merges(ctx, push); err != nil {
			return err
		}
	}
	state := labels.ReuseNone // nobody could give a command
	if pr != nil {
		if state, err = reuse.State(ctx, pr); err != nil {
			return err
		}
	}
	switch state {
	case labels.ReuseNone, labels.ReuseValid:
		return h.outputs(bot.Output{Name: "skip-pr-sweep", Value: strconv.FormatBool(state == labels.ReuseValid)})
	case labels.ReuseInvalid:
		return diag.New("jobs.gate-invalid", diag.Place{})
	}
	return diag.New("jobs.gate-open", diag.Place{})
}
