package localrun

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// requests refuses a raw result that completed nothing (known failure F45), and
// one whose own outcome does not follow from its counts or says failed
// (spec/results.md section 3.4). A result without counts says nothing.
func requests(raw ordjson.Value) error {
	completed, hasCompleted := number(block(raw, "completed"))
	prompts, hasPrompts := number(block(raw, "num_prompts"))
	if hasCompleted && completed <= 0 {
		return diag.New("localrun.nothing-completed", diag.Place{}, "requested", decimal(prompts))
	}
	outcome, ok := raw.Get("benchmark_outcome")
	if !ok {
		return nil
	}
	requested, _ := number(block(outcome, "requested"))
	done, _ := number(block(outcome, "completed"))
	failed, _ := number(block(outcome, "failed"))
	limit, hasLimit := number(block(outcome, "max_failure_rate"))
	status := "passed"
	if !(requested > 0 && hasLimit && failed/requested <= limit) {
		status = "failed"
	}
	agrees := requested > 0 && failed == requested-done && text(outcome, "status") == status &&
		(!hasCompleted || completed == done) && (!hasPrompts || prompts == requested)
	switch {
	case !agrees:
		return diag.New("localrun.outcome-mismatch", diag.Place{}, "outcome", cut(diag.Printable(outcome.String()), 160))
	case status == "failed":
		return diag.New("localrun.requests-failed", diag.Place{}, "failed", decimal(failed), "requested", decimal(requested), "limit", percent(limit))
	}
	return nil
}

// failedRequests is the largest share of failed requests of a single-node
// agentic point, AIPERF_FAILED_REQUEST_THRESHOLD.
const failedRequests = 0.10

// agenticGate is the publication gate of a single-node agentic point
// (spec/results.md section 4.4).
func agenticGate(aggregate ordjson.Value) error {
	average := func(name string) (float64, bool) {
		f, ok := number(block(block(aggregate, name), "avg"))
		return f, ok && finite(f) && f >= 0
	}
	succeeded, ok := average("request_count")
	if !ok {
		return diag.New("localrun.raw-member", diag.Place{}, "member", "request_count.avg", "value", shown(block(aggregate, "request_count")))
	}
	failed, _ := average("error_request_count")
	completed, ok := average("completed_request_count")
	if !ok {
		completed = succeeded + failed
	}
	switch {
	case completed <= 0:
		return diag.New("localrun.nothing-completed", diag.Place{}, "requested", decimal(completed))
	case failed/completed > failedRequests:
		return diag.New("localrun.requests-failed", diag.Place{}, "failed", decimal(failed), "requested", decimal(completed), "limit", percent(failedRequests))
	}
	return nil
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func percent(f float64) string { return strconv.FormatFloat(100*f, 'f', -1, 64) + " %" }
