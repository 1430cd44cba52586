package bot

import (
	"context"
	"errors"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// RerunFailed runs the failed jobs of a run again, once for each attempt.
type RerunFailed struct {
	RunID int64
	// Attempt is the one that failed.
	Attempt int
	// Jobs are the jobs that failed, for people.
	Jobs []int64
}

// Key names the run and the attempt.
func (e *RerunFailed) Key() string {
	return "rerun/" + strconv.FormatInt(e.RunID, 10) + "/" + strconv.Itoa(e.Attempt)
}

// Kind is "rerun".
func (e *RerunFailed) Kind() string { return "rerun" }

// Target is the run.
func (e *RerunFailed) Target() string { return "run " + strconv.FormatInt(e.RunID, 10) }

// Document holds the run, the attempt and the jobs.
func (e *RerunFailed) Document() ordjson.Value {
	return ordjson.Map(member("run", ordjson.Int(e.RunID)), member("attempt", ordjson.Int(int64(e.Attempt))), member("jobs", ordjson.Ints(e.Jobs)))
}

// Find looks whether a later attempt exists: that is what a re-run leaves. A
// run that goes on, or is gone, has nothing to run again.
func (e *RerunFailed) Find(ctx context.Context, w *World) (Found, error) {
	run, err := w.GitHub.WorkflowRun(ctx, e.RunID)
	if errors.Is(err, ErrNotFound) {
		return Found{ID: e.RunID, Done: true}, nil
	}
	return Found{ID: e.RunID, Done: run.Attempt > e.Attempt || run.Status != "completed"}, err
}

// Do asks GitHub to run them again. GitHub refuses a run that somebody else has
// started again meanwhile.
func (e *RerunFailed) Do(ctx context.Context, w *World, found Found) (Found, error) {
	err := w.GitHub.RerunFailed(ctx, e.RunID)
	if err != nil {
		if again, readErr := e.Find(ctx, w); readErr == nil && again.Done {
			return again, nil
		}
	}
	return found, err
}

// Reconcile has nothing to do: an attempt has one successor.
func (e *RerunFailed) Reconcile(context.Context, *World) error { return nil }
