package bot

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
)

// original returns the run that an event is about, and its doubles: runs of one
// title, of which GitHub was asked more than once because a list that lagged did
// not show the first. The oldest that was not cancelled counts, so that
// everybody picks the same one; whatever happens to a double is told about it.
func (b *Bot) original(ctx context.Context, run Run) (Run, []Run, error) {
	// The title of a fork's run holds no wish: it comes again with each approval.
	if ref, ours := titleOf(run.Title); !ours || ref.fork || !strings.HasSuffix(run.Title, "]") || run.Event != "workflow_dispatch" {
		return run, nil, nil
	}
	all, err := b.GitHub.WorkflowRuns(ctx, path.Base(run.Workflow), RunFilter{Event: "workflow_dispatch"})
	if err != nil {
		return run, nil, err
	}
	all = slices.DeleteFunc(all, func(r Run) bool { return r.Title != run.Title || r.ID == run.ID })
	all = append(all, run) // as it was read by its id, and where the list lags
	slices.SortFunc(all, func(x, y Run) int { return cmp.Compare(x.ID, y.ID) })
	at := max(0, slices.IndexFunc(all, func(r Run) bool { return r.Conclusion != "cancelled" }))
	return all[at], slices.Concat(all[:at], all[at+1:]), nil
}

// settleDoubles lets what is told about a run replace what was told about its
// doubles, and ends those that go on, where the token may.
func settleDoubles(run *Run, doubles []Run, out *Decided) {
	var ids []int64
	for i := range doubles {
		ids = append(ids, doubles[i].ID)
	}
	for _, in := range out.Intents {
		if status, ok := in.Effect.(*SetStatus); ok {
			status.Doubles = ids
		}
	}
	for i := range doubles {
		if d := &doubles[i]; unfinished(d.Status) && unfinished(run.Status) && d.ID > run.ID {
			out.inform(&CancelRun{RunID: d.ID}, note("bot.run-double", "run", strconv.FormatInt(d.ID, 10), "original", strconv.FormatInt(run.ID, 10)))
		}
	}
}
