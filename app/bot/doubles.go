package bot

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/config"
)

// original returns the run that an event is about, and its doubles: runs of one
// title and one wish, of which GitHub was asked more than once because a list
// that lagged did not show the first. Whatever happens to a double is told
// about the original.
func (b *Bot) original(ctx context.Context, s config.Settings, run Run) (Run, []Run, error) {
	ref, ours := titleOf(run.Title)
	if run.Event != "workflow_dispatch" || !ours || !ref.fork && !strings.HasSuffix(run.Title, "]") {
		return run, nil, nil
	}
	all, err := b.GitHub.WorkflowRuns(ctx, path.Base(run.Workflow), RunFilter{Event: "workflow_dispatch"})
	if err != nil {
		return run, nil, err
	}
	all = slices.DeleteFunc(all, func(r Run) bool { return r.Title != run.Title || r.ID == run.ID })
	all = append(all, run) // as it was read by its id, and where the list lags
	if ref.fork && len(all) > 1 {
		history, err := b.GitHub.LabelEvents(ctx, ref.number)
		if err != nil {
			return run, nil, err
		}
		all = ofApproval(all, history, primaryNames(s), approvalOf(history, primaryNames(s), run.CreatedAt))
	}
	first, doubles := oldestFirst(all)
	return first, doubles, nil
}

// ofApproval keeps the runs that were dispatched for one approval: titles of
// forks hold no wish, and come again with each approval.
func ofApproval(runs []Run, history []LabelEvent, wanted []string, approved LabelEvent) []Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return approvalOf(history, wanted, r.CreatedAt).ID != approved.ID })
}

// approvalOf is the newest label of the wanted ones that was put on before a
// run was created.
func approvalOf(history []LabelEvent, wanted []string, created time.Time) LabelEvent {
	var last LabelEvent
	for _, e := range inOrder(history) {
		if e.Added && isWanted(wanted, e) && !e.CreatedAt.IsZero() && !e.CreatedAt.Add(-approvalSlack).After(created) {
			last = e
		}
	}
	return last
}

// primaryNames are the labels that start sweeps.
func primaryNames(s config.Settings) []string {
	var names []string
	for _, p := range s.Labels.Primaries {
		names = append(names, p.Name)
	}
	return names
}

// oldestFirst picks the run that counts of several for one wish, and returns
// the others as its doubles. The oldest that was not cancelled counts, so that
// everybody picks the same one.
func oldestFirst(all []Run) (Run, []Run) {
	slices.SortFunc(all, func(x, y Run) int { return cmp.Compare(x.ID, y.ID) })
	at := max(0, slices.IndexFunc(all, func(r Run) bool { return r.Conclusion != "cancelled" }))
	return all[at], slices.Concat(all[:at], all[at+1:])
}

// settleDoubles lets what is told about a run replace what was told about its
// doubles, and ends those that go on, where the token may.
func settleDoubles(run *Run, doubles []Run, out *Decided) {
	var ids []int64
	for i := range doubles {
		ids = append(ids, doubles[i].ID)
	}
	for _, in := range out.Intents {
		switch e := in.Effect.(type) {
		case *SetStatus:
			e.Doubles = ids
		case *PublishCheck:
			e.Doubles = ids
		case *UpsertComment:
			if c, ok := e.content.(progressContent); ok && len(c.Runs) > 0 {
				c.Runs = slices.Concat(c.Runs, nothings(doubles, c.Runs[0].SHA))
				e.content = c
			}
		}
	}
	for i := range doubles {
		if d := &doubles[i]; unfinished(d.Status) && unfinished(run.Status) && d.ID > run.ID {
			out.inform(&CancelRun{RunID: d.ID}, note("bot.run-double", "run", strconv.FormatInt(d.ID, 10), "original", strconv.FormatInt(run.ID, 10)))
		}
	}
}

// nothings are doubles as runs that measured nothing, which the comment
// remembers and does not show. It may have spoken of them before they could be
// recognised.
func nothings(doubles []Run, sha string) []RunProgress {
	var runs []RunProgress
	for i := range doubles {
		d := &doubles[i]
		runs = append(runs, RunProgress{
			ID: d.ID, Attempt: max(1, d.Attempt), SHA: sha, Phase: PhaseFinished, Outcome: OutcomeNothing, Updated: max(0, d.UpdatedAt.Unix()),
		})
	}
	return runs
}
