package bot

import (
	"context"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/labels"
)

// ReuseResolver tells what the reuse commands of a merged pull request come to,
// the named run validated (spec/reuse.md section 7).
type ReuseResolver interface {
	Resolve(ctx context.Context, pr *PullRequest, s config.Settings) (Resolution, error)
}

// publish decides what a push publishes, and does it in two steps of one job:
// the first time the metadata of the plan is missing from the run, so that it
// is handed to the job to upload; the second time it is there, and the
// consumer is told. The upload precedes the message by construction.
func (b *Bot) publish(ctx context.Context, f *sweepFacts, d *Delivery, pr *PullRequest, out *Decided) error {
	facts := &publishFacts{settings: f.settings, push: d.Push, pr: pr}
	facts.mergeRun, _ = strconv.ParseInt(d.ID, 10, 64)
	planned, err := b.gatherPublication(ctx, facts)
	if err != nil {
		return err
	}
	decidePublication(facts, planned, out)
	return nil
}

// gatherPublication reads the facts about a publication, each only where the
// decision is still open without it.
func (b *Bot) gatherPublication(ctx context.Context, f *publishFacts) (*Planned, error) {
	if f.pr == nil || f.settings.Publish.Repository == "" {
		return nil, nil
	}
	if err := b.resolveReuse(ctx, f); err != nil || f.open || f.resolution.Category != CategoryReused {
		return nil, err
	}
	planned, err := b.Planner.Plan(ctx, PlanOrder{Base: f.push.Before, Head: f.push.After})
	if err != nil {
		return nil, err
	}
	if planned.Plan == nil {
		f.refusal = planned.Findings.First()
		return nil, nil
	}
	for _, family := range planned.Families {
		f.agentic = f.agentic || family.Agentic && !family.EvalOnly
	}
	if f.mergeRun == 0 {
		return &planned, nil
	}
	artifacts, err := b.GitHub.Artifacts(ctx, f.mergeRun)
	f.uploaded = slices.ContainsFunc(artifacts, isMetadata)
	return &planned, err
}

// resolveReuse asks what the commands come to. Where nothing can tell, it can
// still be told that nobody gave one.
func (b *Bot) resolveReuse(ctx context.Context, f *publishFacts) (err error) {
	if b.Resolver != nil {
		f.resolution, err = b.Resolver.Resolve(ctx, f.pr, f.settings)
		return err
	}
	state, err := b.Reuse.State(ctx, f.pr)
	f.resolution.Category = CategoryNoAuthorization
	f.open = state != labels.ReuseNone
	return err
}

// metadataName is the upload of the merge run that the consumer reads.
const metadataName = "changelog-metadata"

func isMetadata(a Artifact) bool { return a.Name == metadataName && !a.Expired }

// decidePublication turns the decision into effects of the job.
func decidePublication(f *publishFacts, planned *Planned, out *Decided) {
	p := f.decide()
	out.Reasons = append(out.Reasons, p.Why)
	state := Output{"publish", string(p.Outcome)}
	switch p.Outcome {
	case PublishUpload:
		out.Plan = PlanDocument(*planned).Append(nil, ordjson.Compact)
		for _, o := range append([]Output{state}, p.outputs()...) {
			out.add(&SetOutput{Output: o}, p.Why)
		}
		out.inform(&WriteSummary{Markdown: p.summary(siteOf(f.pr))}, p.Why)
	case PublishSend:
		sent := out.add(p.message(f.settings.Publish), p.Why)
		out.add(&SetOutput{Output: state}, p.Why, sent)
	case PublishOff:
		out.add(&SetOutput{Output: state}, p.Why)
	default:
		out.add(&SetOutput{Output: state}, p.Why)
		out.add(&Refuse{Finding: p.Why}, p.Why)
	}
}

func (p *Publication) outputs() []Output {
	return []Output{
		{"source-run-id", strconv.FormatInt(p.Source.ID, 10)},
		{"source-run-attempt", strconv.Itoa(max(1, p.Source.Attempt))},
		{"source-pr-number", strconv.Itoa(p.Source.PR)},
		{"source-head-sha", p.Source.HeadSHA},
	}
}

// summary is the table of what is published.
func (p *Publication) summary(site string) string {
	w := words{catalog.English}
	run := strconv.FormatInt(p.Source.ID, 10)
	rows := [][2]string{
		{w.say("bot.publish-pull"), mdLink("#"+strconv.Itoa(p.Source.PR), site+"/pull/"+strconv.Itoa(p.Source.PR))},
		{w.say("bot.publish-run"), mdLink(run, site+"/actions/runs/"+run)},
		{w.say("bot.publish-commit"), code(p.Source.HeadSHA)},
	}
	text := "### " + w.say("bot.publish-title") + "\n\n| | |\n| --- | --- |\n"
	for _, r := range rows {
		text += "| " + r[0] + " | " + r[1] + " |\n"
	}
	return text
}
