package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// tellForkLabel handles a label on a fork's pull request in a server. Who
// added it is read from the history of the labels.
func tellForkLabel(ctx context.Context, b *Bot, d *Delivery, pr *PullRequest, out *Decided) error {
	settings, err := b.Planner.Settings(ctx, pr.BaseSHA)
	if err != nil {
		return err
	}
	history, err := b.GitHub.LabelEvents(ctx, pr.Number)
	if err != nil {
		return err
	}
	wish := forkWish{head: d.PR.HeadSHA, people: []User{d.Sender}}
	if sorted := inOrder(history); len(sorted) > 0 {
		wish.at = sorted[len(sorted)-1].CreatedAt
	}
	return b.tellFork(ctx, settings, pr, wish, history, out)
}

// tellForkRun handles a run that GitHub started, without secrets and with a
// token that cannot write, for a fork. If a label caused it, its actor is who
// added the label and its head is the commit that person saw.
func (b *Bot) tellForkRun(ctx context.Context, s config.Settings, pr *PullRequest, run *Run, history []LabelEvent, out *Decided) error {
	wish := forkWish{head: run.HeadSHA, at: run.CreatedAt, people: []User{run.Actor}}
	if run.Trigger.ID != 0 && run.Trigger.ID != run.Actor.ID {
		wish.people = append(wish.people, run.Trigger)
	}
	return b.tellFork(ctx, s, pr, wish, history, out)
}

// forkWish is a wish to measure a commit of a fork.
type forkWish struct {
	head string
	at   time.Time
	// people are the actor of the event and, on a re-run, who repeated it: all
	// of them must be trusted.
	people []User
}

// tellFork dispatches the commit of a fork that a trusted person approved by a
// label, or says why not (spec/labels-and-sweeps.md section 13).
func (b *Bot) tellFork(ctx context.Context, s config.Settings, pr *PullRequest, wish forkWish, history []LabelEvent, out *Decided) error {
	if s.Workflows.ForkDispatch == "" || s.Workflows.Manual == "" {
		out.because("bot.fork-off")
		return nil
	}
	wanted := primaryNames(s)
	approved, ok := approval(history, wanted, wish.people[0], wish.at)
	if !ok {
		out.because("bot.fork-no-approval", "number", strconv.Itoa(pr.Number))
		return nil
	}
	started, err := b.dispatchedFork(ctx, s, pr, wish.head, approved)
	if err != nil {
		return err
	}
	newest := !slices.ContainsFunc(history, func(e LabelEvent) bool {
		return e.Added && isWanted(wanted, e) && e.CreatedAt.After(approved.CreatedAt)
	})
	if len(started) > 0 {
		of := ofApproval(started, history, wanted, approved)
		if len(of) == 0 { // a later approval of the same commit has been used
			of = started[:1]
		}
		alreadyStarted(s, pr, wish.head, of, newest, out)
		return nil
	}
	event := labels.Event{
		Name: labels.PullRequestTarget, Action: labels.Labeled, Label: approved.Label, Labels: pr.Labels, Number: pr.Number,
		HeadSHA: wish.head, BaseBranch: pr.BaseBranch, SameRepo: b.sameRepo(pr),
	}
	now, err := b.forkState(ctx, s, pr, wish)
	if err != nil {
		return err
	}
	decision := labels.DecideFork(s.Labels, s.Layout.BaseBranch, event, now)
	var inputs []string
	if decision.Outcome == labels.Run {
		if inputs, err = b.declaredInputs(ctx, s.Workflows.Manual); err != nil {
			return err
		}
	}
	decideFork(s, pr, approved, decision, inputs, newest, out)
	return nil
}

// alreadyStarted says that an approval has been used. Who used it may have ended
// before the comment said so, or before it saw that it was not alone.
func alreadyStarted(s config.Settings, pr *PullRequest, head string, runs []Run, newest bool, out *Decided) {
	run, doubles := oldestFirst(runs)
	why := note("bot.fork-already", "run", strconv.FormatInt(run.ID, 10))
	out.Reasons = append(out.Reasons, why)
	settleDoubles(&run, doubles, out)
	if !newest {
		return
	}
	out.inform(&UpsertComment{Number: pr.Number, Topic: topicFork, content: forkContent{
		site: siteOf(pr), workflow: s.Workflows.Manual, decision: labels.Dispatch{HeadSHA: head}, start: &DispatchWorkflow{RunID: run.ID},
	}}, why)
}

// approvalSlack is how much earlier than the label event a dispatch for it may
// seem to have been created.
const approvalSlack = 5 * time.Second

// dispatchedFork returns the runs of a commit that were dispatched since an
// approval. What is true by now does not undo them.
func (b *Bot) dispatchedFork(ctx context.Context, s config.Settings, pr *PullRequest, head string, approved LabelEvent) ([]Run, error) {
	since := approved.CreatedAt.Add(-approvalSlack)
	runs, err := b.GitHub.WorkflowRuns(ctx, s.Workflows.Manual, RunFilter{Event: "workflow_dispatch", Since: since})
	return slices.DeleteFunc(runs, func(r Run) bool {
		ref, ok := titleOf(r.Title)
		return !ok || ref != (titleRef{pr.Number, shortSHA(head), true})
	}), err
}

// forkState reads what is true now, the permission of everybody concerned
// included: rights are never remembered.
func (b *Bot) forkState(ctx context.Context, s config.Settings, pr *PullRequest, wish forkWish) (labels.ForkState, error) {
	now := labels.ForkState{
		MayWrite: true, Open: pr.State == "open", Draft: pr.Draft, SameRepo: b.sameRepo(pr),
		HeadSHA: pr.HeadSHA, BaseSHA: pr.BaseSHA, MergeSHA: pr.MergeSHA, Labels: pr.Labels,
	}
	if pr.Mergeable != nil && !*pr.Mergeable {
		now.MergeSHA = "" // GitHub keeps the merge commit of before the conflict
	}
	for _, person := range wish.people {
		now.MayWrite = now.MayWrite && b.mayWrite(ctx, person)
	}
	waiting, err := b.GitHub.WorkflowRuns(ctx, s.Workflows.Sweep, RunFilter{HeadSHA: wish.head, Status: "action_required", Limit: 1})
	now.AwaitsApproval = len(waiting) > 0
	return now, err
}

// mayWrite asks for the permission of a person, now. What cannot be read is
// none.
func (b *Bot) mayWrite(ctx context.Context, person User) bool {
	if person.ID == 0 || person.Login == "" || person.Bot {
		return false
	}
	permission, err := b.GitHub.Permission(ctx, person.Login)
	return err == nil && (permission == "admin" || permission == "maintain" || permission == "write")
}

// decideFork turns the decision into effects: one dispatch for one approval,
// and a comment that says which commit was approved. What comes of an approval
// that is not the newest is not said any more.
func decideFork(s config.Settings, pr *PullRequest, approved LabelEvent, d labels.Dispatch, declared []string, newest bool, out *Decided) {
	out.Reasons = append(out.Reasons, d.Reason)
	if d.Outcome == labels.Skip {
		return
	}
	c := forkContent{site: siteOf(pr), workflow: s.Workflows.Manual, decision: d}
	if d.Outcome == labels.Run {
		c.start = forkDispatch(s, pr, approved, d, declared)
		out.add(c.start, d.Reason)
	}
	if newest {
		out.inform(&UpsertComment{Number: pr.Number, Topic: topicFork, content: c}, d.Reason)
	}
	if d.Outcome == labels.Fail {
		out.add(&Refuse{Finding: d.Reason}, d.Reason)
	}
}

// forkDispatch starts the manual workflow of the base branch on the approved
// commit. Inputs that the workflow does not declare would have the dispatch
// rejected, so they are left out.
func forkDispatch(s config.Settings, pr *PullRequest, approved LabelEvent, d labels.Dispatch, declared []string) *DispatchWorkflow {
	all := map[string]string{
		"test-name": d.TestName, "ref": d.Ref, "changelog-base-ref": d.BaseSHA, "changelog-head-ref": d.HeadSHA,
		"trim-conc": strconv.FormatBool(d.Trim), "all-evals": strconv.FormatBool(d.AllEvals), "evals-only": strconv.FormatBool(d.EvalsOnly),
		"agentx-fast": strconv.FormatBool(d.AgentXFast), "fail-fast": strconv.FormatBool(d.FailFast),
		"pr-labels-json": labelsJSON(pr.Labels),
	}
	inputs := make(map[string]string)
	for _, name := range declared {
		if value, ok := all[name]; ok {
			inputs[name] = value
		}
	}
	return &DispatchWorkflow{
		Workflow: s.Workflows.Manual, Ref: s.Layout.BaseBranch, Inputs: inputs, Title: "e2e Test - " + d.TestName,
		Since: approved.CreatedAt.Add(-approvalSlack), PR: pr.Number, HeadSHA: d.HeadSHA,
	}
}

// topicFork is the topic of the comment about the newest approval.
const topicFork = "fork-dispatch"

// forkContent says what became of an approval.
type forkContent struct {
	site, workflow string
	decision       labels.Dispatch
	start          *DispatchWorkflow // nil where nothing was started
}

func (c forkContent) text(w words) string {
	if c.start == nil {
		name := "bot.fork-refused"
		if c.decision.Outcome == labels.Unknown {
			name = "bot.fork-waits"
		}
		return w.say(name) + " " + w.finding(c.decision.Reason)
	}
	address := c.site + "/actions/workflows/" + c.workflow
	link := w.say("bot.fork-workflow")
	if c.start.RunID != 0 {
		id := strconv.FormatInt(c.start.RunID, 10)
		address, link = c.site+"/actions/runs/"+id, w.say("bot.progress-run", "id", markdown(id))
	}
	return w.say("bot.fork-dispatched", "sha", markdown(code(shortSHA(c.decision.HeadSHA))), "run", markdown(mdLink(link, address)))
}

func (c forkContent) body(s seal, _ []string) string {
	text := layout([]section{
		{lines: []string{c.text(words{catalog.English})}},
		{fold: "中文", folded: true, nested: []section{{lines: []string{c.text(words{catalog.Chinese})}}}},
	}, maxComment-200)
	return s.write(topicFork, text, "")
}

func (c forkContent) holds(s seal, body string) bool { return same(body, c.body(s, nil)) }

func (c forkContent) keeps(s seal, body string) bool { return c.holds(s, body) }

// declaredInputs are the inputs that a workflow of the base branch declares
// for a dispatch.
func (b *Bot) declaredInputs(ctx context.Context, workflow string) ([]string, error) {
	name := ".github/workflows/" + workflow
	data, err := b.Planner.BaseFile(ctx, name)
	if err != nil {
		return nil, diag.New("bot.workflow-unreadable", diag.Place{File: name}, "detail", fmt.Sprint(err)).In("unreadable")
	}
	return dispatchInputs(name, data)
}
