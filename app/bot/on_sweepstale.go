package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/reuse"
)

// sinceInput is the input of a dispatched sweep that names the run that a
// partial one stands on.
const sinceInput = "since"

// StaleHandler is the room of the command for a partial sweep
// (docs/labels.md): whoever may write can ask for the points that no earlier
// sweep of the pull request stands for any more.
func (b *Bot) StaleHandler() CommentHandler {
	return CommentHandler{
		Name:  "sweep-stale",
		Wants: func(text string) bool { return strings.Contains(text, reuse.SweepStale) },
		Tell:  b.tellSweepStale,
	}
}

func (b *Bot) tellSweepStale(ctx context.Context, said Said, out *Decided) error {
	wish, found, malformed := reuse.ParseSweepStale(said.Comment.Body)
	if said.Edited {
		before, was, _ := reuse.ParseSweepStale(said.Before)
		if was && found && before == wish {
			out.because("bot.stale-said", "number", strconv.Itoa(said.PR.Number))
			return nil
		}
	}
	if !found && !malformed {
		out.because("bot.comment-nothing", "number", strconv.Itoa(said.PR.Number))
		return nil
	}
	c := staleCommand{comment: said.Comment.ID, pr: said.PR}
	if !b.mayWrite(ctx, said.Comment.Author) {
		why := diag.New("bot.stale-permission", diag.Place{}, "login", said.Comment.Author.Login)
		out.Reasons = append(out.Reasons, why)
		out.inform(&React{CommentID: said.Comment.ID, Content: "-1"}, why)
		return nil
	}
	if malformed {
		return c.refuse(diag.New("bot.stale-usage", diag.Place{}), out)
	}
	return b.decideSweepStale(ctx, c, wish, out)
}

// staleCommand is a command that somebody gave who may.
type staleCommand struct {
	comment int64
	pr      *PullRequest
}

// decideSweepStale decides as the label would: the command is nothing else than
// the label for one sweep.
func (b *Bot) decideSweepStale(ctx context.Context, c staleCommand, wish reuse.StaleWish, out *Decided) error {
	number := strconv.Itoa(c.pr.Number)
	settings, err := b.Planner.Settings(ctx, c.pr.BaseSHA)
	if err != nil {
		return err
	}
	switch {
	case settings.Labels.OnlyStale == "":
		return c.refuse(diag.New("bot.stale-off", diag.Place{}), out)
	case c.pr.State != "open":
		return c.refuse(diag.New("bot.pull-closed", diag.Place{}, "number", number), out)
	}
	pr := *c.pr
	pr.Labels = append(slices.Clone(pr.Labels), settings.Labels.OnlyStale)
	event := labels.Event{
		Name: labels.PullRequest, Action: labels.Labeled, Label: settings.Labels.OnlyStale, Labels: pr.Labels, Number: pr.Number,
		HeadSHA: pr.HeadSHA, BaseBranch: pr.BaseBranch, SameRepo: b.sameRepo(&pr), Draft: pr.Draft,
		Conflict: pr.Mergeable != nil && !*pr.Mergeable,
	}
	f, err := b.gatherSweep(ctx, &pr, event)
	if err != nil {
		return err
	}
	d := f.decide()
	switch no := refusal(d); {
	case no != nil:
		return c.refuse(*no, out)
	case !d.Starts:
		return c.refuse(d.Why, out)
	case d.Sweep.Outcome != labels.Run:
		return c.refuse(d.Sweep.Reason, out)
	}
	if f.inputs, err = b.declaredInputs(ctx, settings.Workflows.Sweep); err != nil || !slices.Contains(f.inputs, sinceInput) {
		return c.refuse(diag.New("bot.stale-no-dispatch", diag.Place{}, "workflow", settings.Workflows.Sweep, "label", settings.Labels.OnlyStale), out)
	}
	run, _ := strconv.ParseInt(wish.Run, 10, 64)
	m, why, err := FindMeasurement(ctx, b.GitHub, MeasurementOrder{
		Settings: settings, Repository: b.Repository, PR: &pr, Run: run, Commit: wish.Commit, Fast: d.AgentXFast,
	})
	if err != nil {
		return err
	}
	if why != nil {
		return c.refuse(*why, out)
	}
	f.wish = strings.Join([]string{"comment", strconv.FormatInt(c.comment, 10), strconv.FormatInt(m.Run.ID, 10)}, " ")
	start := sweepDispatch(f, d)
	if busy, err := b.unfinishedSweep(ctx, settings, start); err != nil || busy != 0 {
		if err != nil {
			return err
		}
		return c.refuse(diag.New("bot.stale-busy", diag.Place{}, "run", strconv.FormatInt(busy, 10)), out)
	}
	return c.start(start, m.Run, out)
}

// unfinishedSweep is another sweep of the pull request that has not ended, 0 for
// none: what it measures is what a partial one could stand on. What this very
// command has started is none.
func (b *Bot) unfinishedSweep(ctx context.Context, s config.Settings, start *DispatchWorkflow) (int64, error) {
	for _, filter := range []RunFilter{{Event: labels.PullRequest, HeadSHA: start.HeadSHA}, {Event: "workflow_dispatch"}} {
		runs, err := b.GitHub.WorkflowRuns(ctx, s.Workflows.Sweep, filter)
		if err != nil {
			return 0, err
		}
		for _, r := range runs {
			ref, ours := titleOf(r.Title)
			other := r.Event == labels.PullRequest || ours && ref.number == start.PR && r.Title != start.Title
			if unfinished(r.Status) && other && strings.EqualFold(r.HeadRepo, b.Repository) {
				return r.ID, nil
			}
		}
	}
	return 0, nil
}

// start dispatches the sweep.
func (c staleCommand) start(start *DispatchWorkflow, since Run, out *Decided) error {
	start.Inputs[sinceInput] = strconv.FormatInt(since.ID, 10)
	why := note("bot.stale-starts", "run", strconv.FormatInt(since.ID, 10))
	out.Reasons = append(out.Reasons, why)
	out.inform(&React{CommentID: c.comment, Content: "+1"}, why)
	out.add(start, why)
	out.inform(&UpsertComment{Number: c.pr.Number, Topic: topicStale, content: staleContent{site: siteOf(c.pr), start: start, since: since}}, why)
	return nil
}

// refuse says why there is no partial sweep: a reaction, and the reason in the
// comment that tells what became of the newest command.
func (c staleCommand) refuse(why diag.Finding, out *Decided) error {
	why = why.WithSeverity(diag.Error)
	out.Reasons = append(out.Reasons, why)
	out.inform(&React{CommentID: c.comment, Content: "-1"}, why)
	out.inform(&UpsertComment{Number: c.pr.Number, Topic: topicStale, content: staleContent{site: siteOf(c.pr), why: &why}}, why)
	return nil
}

// topicStale is the topic of the comment about the newest command.
const topicStale = "sweep-stale"

// staleContent says what became of a command.
type staleContent struct {
	site  string
	start *DispatchWorkflow // nil where nothing was started
	since Run
	why   *diag.Finding
}

func (c staleContent) text(w words) string {
	if c.start == nil {
		return w.say("bot.stale-refused") + " " + w.finding(*c.why)
	}
	link := func(id int64) markdown {
		n := strconv.FormatInt(id, 10)
		return markdown(mdLink(w.say("bot.progress-run", "id", markdown(n)), c.site+"/actions/runs/"+n))
	}
	text := w.say("bot.stale-started", "since", link(c.since.ID), "sha", markdown(code(shortSHA(c.since.HeadSHA))), "head", markdown(code(shortSHA(c.start.HeadSHA))))
	if c.start.RunID != 0 {
		text += " " + w.say("bot.stale-is", "run", link(c.start.RunID))
	}
	return text
}

func (c staleContent) body(s seal, _ []string) string {
	text := layout([]section{
		{lines: []string{c.text(words{catalog.English})}},
		{fold: "中文", folded: true, nested: []section{{lines: []string{c.text(words{catalog.Chinese})}}}},
	}, maxComment-200)
	return s.write(topicStale, text, "")
}

func (c staleContent) holds(s seal, body string) bool { return same(body, c.body(s, nil)) }

func (c staleContent) keeps(s seal, body string) bool { return c.holds(s, body) }
