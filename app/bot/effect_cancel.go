package bot

import (
	"context"
	"errors"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// CancelRun cancels a workflow run that has not finished.
type CancelRun struct{ RunID int64 }

// Key names the run.
func (e *CancelRun) Key() string { return "cancel/" + strconv.FormatInt(e.RunID, 10) }

// Kind is "cancel".
func (e *CancelRun) Kind() string { return "cancel" }

// Target is the run.
func (e *CancelRun) Target() string { return "run " + strconv.FormatInt(e.RunID, 10) }

// Document holds the run.
func (e *CancelRun) Document() ordjson.Value {
	return ordjson.Map(member("run", ordjson.Int(e.RunID)))
}

// Find looks whether the run still goes on; one that is gone is cancelled too.
func (e *CancelRun) Find(ctx context.Context, w *World) (Found, error) {
	run, err := w.GitHub.WorkflowRun(ctx, e.RunID)
	if errors.Is(err, ErrNotFound) {
		return Found{ID: e.RunID, Done: true}, nil
	}
	return Found{ID: e.RunID, Done: run.Status == "completed"}, err
}

// Do asks GitHub to cancel. GitHub refuses a run that finished meanwhile.
func (e *CancelRun) Do(ctx context.Context, w *World, found Found) (Found, error) {
	err := w.GitHub.CancelRun(ctx, e.RunID)
	if errors.Is(err, ErrConflict) {
		if again, readErr := e.Find(ctx, w); readErr == nil && again.Done {
			return again, nil
		}
	}
	return found, err
}

// Reconcile has nothing to do.
func (e *CancelRun) Reconcile(context.Context, *World) error { return nil }
