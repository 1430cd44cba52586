package bot

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/labels"
)

// tellSweepJob handles a pull_request event in a job of the sweep workflow.
// The run is there already: the decision becomes outputs, which the jobs below
// go by, annotations and a summary. Nothing is written to GitHub, since the
// workflow file is the pull request's and the token of a fork cannot.
//
// Labels and head are those of the event: a re-run of an old run decides on
// the labels of that moment (spec/labels-and-sweeps.md section 2.1).
func tellSweepJob(ctx context.Context, b *Bot, d *Delivery, out *Decided) error {
	out.Number = d.PR.Number
	f, err := b.gatherSweep(ctx, d.PR, eventOf(b, d, d.PR))
	if err != nil {
		return err
	}
	decideSweepJob(f, b.Options, out)
	return nil
}

// eventOf is the event of a delivery about a pull request as it is given.
func eventOf(b *Bot, d *Delivery, pr *PullRequest) labels.Event {
	runID, _ := strconv.ParseInt(d.ID, 10, 64) // a server has none
	return labels.Event{
		Name: d.Name, Action: d.Action, Label: d.Label, Labels: pr.Labels, Number: pr.Number, RunID: runID,
		HeadSHA: pr.HeadSHA, BaseBranch: pr.BaseBranch, SameRepo: b.sameRepo(pr), Draft: pr.Draft, Merged: pr.Merged,
		Conflict: pr.Mergeable != nil && !*pr.Mergeable,
	}
}

// decideSweepJob turns the decision into effects on the job.
func decideSweepJob(f *sweepFacts, o Options, out *Decided) {
	d := f.decide()
	out.Reasons = append(out.Reasons, d.Why, d.Validate.Reason, d.Gate.Reason, d.Sweep.Reason)
	no := refusal(d)
	if f.planned != nil && f.planned.Plan == nil && no == nil {
		no = f.planned.Findings.First() // a push is not checked, but planned
	}
	runs := no == nil && d.Sweep.Outcome == labels.Run
	outputs, tooLarge := jobOutputs(f, d, runs, o, out)
	if tooLarge != nil {
		no, outputs[0].Value = tooLarge.First(), "false"
	}
	for _, output := range outputs {
		out.add(&SetOutput{Output: output}, d.Sweep.Reason)
	}
	problems := append(f.findings(d), tooLarge...)
	if len(problems) > 0 {
		out.inform(&Annotations{Findings: problems}, d.Validate.Reason)
	}
	request := requestOf(f, d, problems)
	out.inform(&WriteSummary{Markdown: Progress{Number: f.pr.Number, Head: f.pr.HeadSHA, Request: &request}.text(maxSummary)}, d.Sweep.Reason)
	if no != nil {
		out.add(&Refuse{Finding: *no}, *no)
	}
}

// jobOutputs are the outputs of the job. The first tells whether the sweep
// runs; those of the plan follow only if it does.
func jobOutputs(f *sweepFacts, d labels.Decision, runs bool, o Options, out *Decided) ([]Output, diag.List) {
	outputs := []Output{
		{"sweep", strconv.FormatBool(runs)},
		{"reason", d.Sweep.Reason.Code},
		{"pull-request", strconv.Itoa(f.pr.Number)},
		{"head-sha", f.event.HeadSHA},
		{"base-sha", f.pr.BaseSHA},
	}
	if !runs || f.planned == nil {
		return outputs, nil
	}
	out.Plan = PlanDocument(*f.planned).Append(nil, ordjson.Compact)
	more, list := FitOutputs(*f.planned, out.Plan, o.PlanFile)
	return append(outputs, more...), list
}
