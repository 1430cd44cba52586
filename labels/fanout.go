package labels

// Result is the result of an Actions job; "" while it has not finished.
type Result string

// The results of Actions jobs. Skipped and cancelled are different things.
const (
	Success   Result = "success"
	Failure   Result = "failure"
	Cancelled Result = "cancelled"
	Skipped   Result = "skipped"
)

// Ahead are the jobs that stand before the points of a sweep.
type Ahead struct {
	// RunCancelled says that the whole run was cancelled.
	RunCancelled bool
	Setup        Result
	// Select chooses the canary; skipped where the sweep has none.
	Select Result
	// Canary and MultiNodeCanary measure it; at most one of them runs.
	Canary          Result
	MultiNodeCanary Result
}

// FanOut decides whether the points of a sweep start, evals included: set-up
// must have succeeded and no canary may have failed. A selector that fails, or
// that is skipped although the sweep wants a canary, counts as a failed
// canary (spec/labels-and-sweeps.md sections 6, 7 and 19). Whether a family
// has any points is for the plan to say.
func FanOut(wantsCanary bool, jobs Ahead) Step {
	if s := first(
		require(!jobs.RunCancelled, "labels.fanout-cancelled"),
		finished("setup", jobs.Setup, false, "labels.fanout-setup"),
		finished("canary-select", jobs.Select, !wantsCanary, "labels.fanout-selector"),
		finished("canary-sweep", jobs.Canary, true, "labels.fanout-canary"),
		finished("canary-multi-node-sweep", jobs.MultiNodeCanary, true, "labels.fanout-canary"),
	); s != nil {
		return *s
	}
	return step(Run, "labels.fanout-runs")
}

// finished is the condition that a job succeeded, or was skipped where that is
// in order. A skipped job never poisons what does not depend on it (known
// failure F09).
func finished(job string, result Result, skippable bool, code string) condition {
	switch {
	case result == "":
		return condition{open, step(Unknown, "labels.fanout-open", "job", job)}
	case result == Skipped && skippable:
		return condition{holds: yes}
	}
	return require(result == Success, code, "job", job, "result", shown(string(result)))
}
