package jobs

import (
	"encoding/json"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Canary is the job canary-select: it takes the canary out of the families.
// The families of its outputs hold every other point
// (spec/labels-and-sweeps.md section 6).
func Canary(h *Host) error {
	s, err := h.sweep()
	if err != nil {
		return err
	}
	plan, err := h.plan(s)
	if err != nil {
		return err
	}
	data, err := h.pinned(pointsFile, s.Points)
	if err != nil {
		return err
	}
	var families Families
	if err := json.Unmarshal(data, &families); err != nil {
		return diag.New("jobs.plan", diag.Place{File: pointsFile}, "detail", err.Error()).In("unreadable")
	}
	outputs, err := CanaryOutputs(families, plan.Canary)
	if err != nil {
		return err
	}
	return h.outputs(outputs...)
}

// CanaryOutputs are the outputs of the job canary-select: the canary in the
// output of its kind, and all others in families. A canary that is not among
// the points is an error, and an error here counts as a failed canary.
func CanaryOutputs(families Families, id string) ([]bot.Output, error) {
	rest, ref, family := families.without(id)
	if ref == nil {
		return nil, diag.New("jobs.no-canary", diag.Place{}, "id", id).In("no-canary")
	}
	single, multi := encode(ref), ""
	if strings.HasPrefix(family, "sweep-multi-node-") {
		single, multi = multi, single
	}
	return []bot.Output{
		{Name: "canary", Value: single}, {Name: "multi-node-canary", Value: multi}, {Name: "families", Value: encode(rest)},
	}, nil
}
