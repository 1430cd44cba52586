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

// Gate is the job reuse-sweep-gate: it asks whether an authorised reuse command
// stands in for a new measurement. What cannot be answered stops the sweep; a
// person forces one by applying a label again (known failure F21).
func Gate(ctx context.Context, h *Host, reuse ReuseState) error {
	c, err := h.event()
	if err != nil {
		return err
	}
	state, err := reuse.State(ctx, c.Payload.PullRequest)
	if err != nil {
		return err
	}
	switch state {
	case labels.ReuseNone, labels.ReuseValid:
		return h.outputs(bot.Output{Name: "skip-pr-sweep", Value: strconv.FormatBool(state == labels.ReuseValid)})
	case labels.ReuseInvalid:
		return diag.New("jobs.gate-invalid", diag.Place{})
	}
	return diag.New("jobs.gate-open", diag.Place{})
}
