package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// tellPullRequest handles an event on a pull request in a server. Whatever the
// event says, the decision is about the pull request as it is now: deliveries
// come late, twice and in any order.
func tellPullRequest(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	pr, err := b.GitHub.PullRequest(ctx, d.PR.Number)
	if err != nil {
		return err
	}
	out.Number = pr.Number
	if pr.State != "open" {
		out.because("bot.pull-closed", "number", strconv.Itoa(pr.Number))
		return nil
	}
	switch d.Action {
	case "opened", "reopened", labels.ReadyForReview:
		settings, err := b.Planner.Settings(ctx, pr.BaseSHA)
		if err == nil {
			err = b.welcome(ctx, settings, &pr, out)
		}
		if err != nil {
			return err
		}
	}
	if err := b.tellPushed(ctx, d, &pr, out); err != nil {
		return err
	}
	switch {
	case !b.sameRepo(&pr) && d.Action == labels.Labeled:
		return tellForkLabel(ctx, b, d, &pr, out)
	case d.Action == "opened" || d.Action == "reopened":
		return nil
	}
	f, err := b.gatherSweep(ctx, &pr, eventOf(b, d, &pr))
	if err != nil {
		return err
	}
	started := b.Dispatches && f.decide().Starts
	if started {
		if f.others, err = b.dispatchedRuns(ctx, f); err != nil {
			return err
		}
		if f.wish, err = b.wish(ctx, f, d); err != nil {
			return err
		}
		// A workflow that cannot be read takes no more than what it must have.
		f.inputs, _ = b.declaredInputs(ctx, f.settings.Workflows.Sweep)
	}
	decidePull(f, b.Options, out)
	return nil
}

// dispatchedRuns lists the unfinished sweeps of a pull request that we have
// dispatched.
func (b *Bot) dispatchedRuns(ctx context.Context, f *sweepFacts) ([]Run, error) {
	runs, err := b.GitHub.WorkflowRuns(ctx, f.settings.Workflows.Sweep, RunFilter{Event: "workflow_dispatch"})
	return slices.DeleteFunc(runs, func(r Run) bool {
		ref, ok := titleOf(r.Title)
		return !ok || ref.number != f.pr.Number || !unfinished(r.Status)
	}), err
}

// decidePull turns the decision into effects of a server.
func decidePull(f *sweepFacts, o Options, out *Decided) {
	d := f.decide()
	out.Reasons = append(out.Reasons, d.Why, d.Validate.Reason, d.Gate.Reason, d.Sweep.Reason)
	if d.Starts && !d.Cancels || !d.Starts && len(d.Selection.Primaries) == 0 {
		return // a label that means nothing here, or nobody who waits for a sweep
	}
	request := requestOf(f, d, f.findings(d))
	if o.Dispatches && request.Starts {
		request.PlanID = planID(sweepDispatch(f, d), f.others)
	}
	if o.Dispatches && d.Starts {
		addSweep(f, d, request, out)
	}
	if d.Validate.Outcome != labels.Skip {
		out.inform(planCheck(f.pr.Number, request, d), d.Validate.Reason)
	}
	out.inform(newProgressComment(Progress{
		Number: f.pr.Number, Head: f.pr.HeadSHA, Request: &request, Site: siteOf(f.pr), Visualizer: f.settings.Comments.Visualizer,
	}), d.Why)
}

// addSweep cancels the sweeps that the decision makes pointless and starts the
// one it asks for. A sweep in progress that measures the same stays.
func addSweep(f *sweepFacts, d labels.Decision, request SweepRequest, out *Decided) {
	var start *DispatchWorkflow
	if request.Starts {
		start = sweepDispatch(f, d)
	}
	for _, r := range f.others {
		if start == nil || !strings.HasPrefix(r.Title, start.Live) {
			out.add(&CancelRun{RunID: r.ID}, d.Why)
		}
	}
	if start != nil {
		out.add(start, d.Sweep.Reason)
	}
}

// planID is the name of the plan that runs, or is about to: that of a sweep in
// progress that measures the same, or else that of the one to be started.
func planID(start *DispatchWorkflow, others []Run) string {
	for _, r := range others {
		if strings.HasPrefix(r.Title, start.Live) {
			return planIDOf(r.Title)
		}
	}
	return planIDOf(start.Title)
}

// sweepDispatch is the dispatch of a sweep of exactly the head that was
// planned. Its title holds what is measured, and behind the point which wish
// it fulfils.
func sweepDispatch(f *sweepFacts, d labels.Decision) *DispatchWorkflow {
	known := recognised(f.pr.Labels, d.Selection)
	live := fmt.Sprintf("Sweep PR #%d @ %s [%s.", f.pr.Number, shortSHA(f.pr.HeadSHA), digest(append([]string{f.pr.HeadSHA}, known...)...))
	title := live + digest(f.wish) + partialMark(d.OnlyStale) + "]"
	inputs := map[string]string{
		"title": title, "pull-request": strconv.Itoa(f.pr.Number), "head-sha": f.pr.HeadSHA, "base-sha": f.pr.BaseSHA,
		"labels": labelsJSON(known),
	}
	if slices.Contains(f.inputs, planInput) { // GitHub rejects inputs that it does not know
		inputs[planInput] = planIDOf(title)
	}
	return &DispatchWorkflow{
		Workflow: f.settings.Workflows.Sweep, Ref: f.settings.Layout.BaseBranch, Title: title, Live: live,
		Inputs: inputs, PR: f.pr.Number, HeadSHA: f.pr.HeadSHA,
	}
}

// partialMark stands in the title of a dispatch that asks for a partial sweep,
// so that everybody who sees the run knows before it has planned.
func partialMark(partial bool) string {
	if partial {
		return ".0"
	}
	return ""
}

// asksForPartial reports whether a title of ours has that mark.
func asksForPartial(title string) bool {
	return strings.Count(planIDOf(title), ".") == 2 && strings.HasSuffix(planIDOf(title), partialMark(true))
}

// planInput is the input that names the plan. The plan itself is an artifact of
// the run, and never an input.
const planInput = "plan-id"

// recognised are the labels that shape the sweep, sorted.
func recognised(all []string, s labels.Selection) []string {
	out := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(s.Unrelated, name) })
	slices.Sort(out)
	return slices.Compact(out)
}

// labelsJSON is a list of labels as workflows read it.
func labelsJSON(names []string) string {
	list := ordjson.Strs(names)
	return string(list.Append(nil, ordjson.ASCII))
}

// digest is a short name for some texts.
func digest(texts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", texts))
	return hex.EncodeToString(sum[:5])
}

// titleRef is what the title of a dispatched run says: of which pull request
// and of which commit it is.
type titleRef struct {
	number int
	short  string // first 12 digits of the head
	fork   bool
}

var titleForm = pattern.Lazy(`(?:^Sweep PR|(External) PR) #([1-9][0-9]{0,8}) @ ([0-9a-f]{12})(?: \[[0-9a-f.]+\])?$`)

// titleOf reads the title of a dispatched run of ours.
func titleOf(title string) (titleRef, bool) {
	m := titleForm().FindStringSubmatch(title)
	if m == nil {
		return titleRef{}, false
	}
	n, _ := strconv.Atoi(m[2])
	return titleRef{number: n, short: m[3], fork: m[1] != ""}, true
}
