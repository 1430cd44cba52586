package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// maxStatus is the length of a description that GitHub takes.
const maxStatus = 140

// SetStatus sets a commit status, only where it would change something: a
// commit takes about a thousand (known failure F55).
type SetStatus struct {
	SHA    string
	Status Status
	// Doubles are runs whose statuses are replaced although they are newer.
	Doubles []int64
}

// Key names the status with all it says.
func (e *SetStatus) Key() string {
	return "status/" + e.SHA + "/" + e.Status.Context + "/" + e.Status.State + "/" + e.Status.Description + "/" + e.Status.TargetURL
}

// Kind is "status".
func (e *SetStatus) Kind() string { return "status" }

// Target is the context and the commit.
func (e *SetStatus) Target() string { return e.Status.Context + " on " + shortSHA(e.SHA) }

// Document holds the status.
func (e *SetStatus) Document() ordjson.Value {
	return ordjson.Map(
		member("sha", ordjson.Str(e.SHA)), member("context", ordjson.Str(e.Status.Context)), member("state", ordjson.Str(e.Status.State)),
		member("description", ordjson.Str(e.description())), member("target-url", ordjson.Str(e.Status.TargetURL)))
}

func (e *SetStatus) description() string { return shorten(e.Status.Description, maxStatus) }

// Find compares with the status in force, if it is one of ours: anybody who
// may write can set one of the same name. One about a newer run of the commit
// stays, since events come in any order.
func (e *SetStatus) Find(ctx context.Context, w *World) (Found, error) {
	all, err := w.GitHub.Statuses(ctx, e.SHA)
	if err != nil {
		return Found{}, err
	}
	for _, s := range all {
		if s.Context == e.Status.Context {
			same := s.State == e.Status.State && s.Description == e.description() && s.TargetURL == e.Status.TargetURL
			return Found{Done: w.isSelf(s.Creator.ID) && (same || e.outdatedBy(s))}, nil
		}
	}
	return Found{}, nil
}

// outdatedBy reports whether a status is about a newer run.
func (e *SetStatus) outdatedBy(s Status) bool {
	ours, theirs := runIn(e.Status.TargetURL), runIn(s.TargetURL)
	return ours != 0 && theirs > ours && !slices.Contains(e.Doubles, theirs)
}

// runIn returns the run that the page of a run is about, 0 for other pages.
func runIn(page string) int64 {
	_, id, _ := strings.Cut(page, "/actions/runs/")
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Do sets the status.
func (e *SetStatus) Do(ctx context.Context, w *World, _ Found) (Found, error) {
	s := e.Status
	s.Description, s.Creator = e.description(), User{}
	return Found{}, w.GitHub.SetStatus(ctx, e.SHA, s)
}

// Reconcile has nothing to do: the newest status counts.
func (e *SetStatus) Reconcile(context.Context, *World) error { return nil }

// shortSHA is the part of a commit id that people read.
func shortSHA(sha string) string { return sha[:min(len(sha), 12)] }
