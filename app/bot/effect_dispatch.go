package bot

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// DispatchWorkflow starts a workflow once. A dispatch has no token of its own,
// so that the title of the run is what finds it again: it holds the key.
type DispatchWorkflow struct {
	Workflow string // file name
	Ref      string // branch of this repository, never that of a fork (F35)
	Inputs   map[string]string
	// Title is the whole title of the run. A run that has it, in whatever
	// state, is this one.
	Title string
	// Live is how titles begin of runs that do the same work: while one of
	// them is unfinished, nothing is started. "" asks for none.
	Live string
	// Since leaves out older runs.
	Since time.Time
	// PR and HeadSHA are read again right before: what moved meanwhile is not
	// what was decided on (spec/security.md S33).
	PR      int
	HeadSHA string

	// RunID is the run, once it is found; 0 if GitHub did not show it in time.
	RunID int64
	// created is the run that was just started, which lists may not show yet.
	created int64
}

// Key names workflow and title.
func (e *DispatchWorkflow) Key() string { return "dispatch/" + e.Workflow + "/" + e.Title }

// Kind is "dispatch".
func (e *DispatchWorkflow) Kind() string { return "dispatch" }

// Target is the workflow and the ref.
func (e *DispatchWorkflow) Target() string { return e.Workflow + " on " + e.Ref }

// Document holds what is sent, and the title that is looked for.
func (e *DispatchWorkflow) Document() ordjson.Value {
	inputs := ordjson.Map()
	for _, name := range slices.Sorted(maps.Keys(e.Inputs)) {
		inputs.Add(name, ordjson.Str(e.Inputs[name]))
	}
	return ordjson.Map(
		member("workflow", ordjson.Str(e.Workflow)), member("ref", ordjson.Str(e.Ref)),
		member("title", ordjson.Str(e.Title)), member("live", ordjson.Str(e.Live)), member("inputs", inputs))
}

// Find looks for the run among the dispatched ones.
func (e *DispatchWorkflow) Find(ctx context.Context, w *World) (Found, error) {
	runs, err := e.runs(ctx, w)
	if err != nil {
		return Found{}, err
	}
	for _, r := range runs {
		if r.Title == e.Title || e.Live != "" && strings.HasPrefix(r.Title, e.Live) && unfinished(r.Status) {
			e.RunID = r.ID
			return Found{ID: r.ID, Done: true}, nil
		}
	}
	return Found{}, nil
}

func (e *DispatchWorkflow) runs(ctx context.Context, w *World) ([]Run, error) {
	return w.GitHub.WorkflowRuns(ctx, e.Workflow, RunFilter{Event: "workflow_dispatch", Since: e.Since})
}

// unfinished tells runs and jobs that GitHub still works on.
func unfinished(status string) bool { return status != "completed" }

// maxPolls bounds the looks for a run that GitHub does not name
// (spec/labels-and-sweeps.md section 13).
const maxPolls = 15

// Do starts the workflow and waits for its run to be listed. An answer that
// was lost does not mean that nothing was started: one look tells.
func (e *DispatchWorkflow) Do(ctx context.Context, w *World, _ Found) (Found, error) {
	if err := e.unmoved(ctx, w); err != nil {
		return Found{}, err
	}
	id, err := w.GitHub.Dispatch(ctx, e.Workflow, e.Ref, e.Inputs)
	if err != nil {
		if isAnswer(err) {
			return Found{}, err
		}
		if found, lookErr := e.Find(ctx, w); lookErr == nil && found.Done {
			return found, nil
		}
		return Found{}, err
	}
	e.RunID, e.created = id, id
	for i := 0; e.RunID == 0 && i < maxPolls; i++ {
		if err := w.Wait(ctx, catchUp); err != nil {
			return Found{}, err
		}
		if _, err := e.Find(ctx, w); err != nil {
			return Found{}, err
		}
	}
	return Found{ID: e.RunID}, nil
}

// unmoved refuses when the pull request is not open, or not at the commit that
// was decided on.
func (e *DispatchWorkflow) unmoved(ctx context.Context, w *World) error {
	if e.PR == 0 {
		return nil
	}
	pr, err := w.GitHub.PullRequest(ctx, e.PR)
	switch {
	case err != nil:
		return err
	case pr.State != "open":
		return &RefusalError{diag.New("bot.dispatch-closed", diag.Place{}, "number", strconv.Itoa(e.PR))}
	case pr.HeadSHA != e.HeadSHA:
		return &RefusalError{diag.New("bot.dispatch-moved", diag.Place{}, "decided", shortSHA(e.HeadSHA), "head", shortSHA(pr.HeadSHA))}
	}
	return nil
}

// isAnswer tells an error that is GitHub's answer, so that nothing was done,
// from one that leaves it open.
func isAnswer(err error) bool {
	var limit *RateLimitError
	return errors.Is(err, ErrNotFound) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrConflict) || errors.As(err, &limit)
}

// settled lists the runs once the list shows what was just started: what was
// started before it is then there too.
func (e *DispatchWorkflow) settled(ctx context.Context, w *World) ([]Run, error) {
	for i := 0; ; i++ {
		runs, err := e.runs(ctx, w)
		if err != nil || e.created == 0 || i == maxLooks || slices.ContainsFunc(runs, func(r Run) bool { return r.ID == e.created }) {
			return runs, err
		}
		if err := w.Wait(ctx, catchUp); err != nil {
			return nil, err
		}
	}
}

// Reconcile cancels doubles: of several unfinished runs with our title the
// oldest goes on. That no run of a sweep appeared at all is an error: what
// GitHub took and did not start looks like a start (known failure F05).
func (e *DispatchWorkflow) Reconcile(ctx context.Context, w *World) error {
	runs, err := e.settled(ctx, w)
	if err != nil {
		return err
	}
	var live []int64
	for _, r := range runs {
		if r.Title == e.Title && unfinished(r.Status) {
			live = append(live, r.ID)
		}
	}
	slices.Sort(live)
	for _, id := range live[min(1, len(live)):] {
		if err := w.GitHub.CancelRun(ctx, id); err != nil && !errors.Is(err, ErrConflict) && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	switch {
	case len(live) > 0 && (e.RunID == 0 || slices.Contains(live, e.RunID)):
		e.RunID = live[0]
	case e.RunID == 0 && e.Live != "":
		return diag.New("bot.dispatch-unseen", diag.Place{}, "workflow", e.Workflow, "title", e.Title).In("github")
	}
	return nil
}
