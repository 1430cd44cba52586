package bot

import (
	"context"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/labels"
)

// Setting says where events are handled, which decides what may be done there
// (docs/security.md).
type Setting uint8

// InActions is a job: on pull_request events it has the workflow file of the
// pull request and, on forks, a token that cannot write, so that it only
// speaks to its own job; on all other events it has the file of the default
// branch. AsApp is a server that gets webhooks of a GitHub App.
const (
	InActions Setting = iota
	AsApp
)

// Bot decides what events mean. Handlers read facts, decide, and return
// effects; they write nothing.
type Bot struct {
	GitHub  GitHub
	Planner Planner
	// Reuse answers what reuse commands ask for, Resolver which run they
	// publish; without one nothing is published.
	Reuse    ReuseFacts
	Resolver ReuseResolver
	Setting  Setting
	// Comments are the rooms that understand comments, in their order.
	Comments []CommentHandler
	// SignOffs verifies sign-offs in reviews and by their address; nil for none.
	// Those in the conversation come through Comments.
	SignOffs *SignOffs
	Options
}

// Options are what an installation decides.
type Options struct {
	// Repository is owner/name; events of others are left alone.
	Repository string
	// Self are the numeric ids of our accounts, SigningKey signs our comments:
	// see World. Comments by them are never input.
	Self       []int64
	SigningKey []byte
	// Now is the clock, which only tells that points wait too long; nil is
	// none, so that nothing is ever said to.
	Now func() time.Time
	// Dispatches lets a server start sweeps. Without it GitHub's own engine
	// starts them on pull_request.
	Dispatches bool
	// PlanFile is where the job finds the plan when it is too large for an
	// output; "" for nowhere.
	PlanFile string
}

// ReuseFacts answers what the reuse commands of a pull request ask for.
type ReuseFacts interface {
	// State tells whether a command is in force, and whether it holds.
	State(ctx context.Context, pr *PullRequest) (labels.Reuse, error)
	// Pinned returns every run that a command may name, to be left alone.
	Pinned(ctx context.Context, pr *PullRequest) ([]int64, error)
}

// story is the handler of some events.
type story struct {
	name  string
	wants func(b *Bot, d *Delivery) bool
	tell  func(ctx context.Context, b *Bot, d *Delivery, out *Decided) error
	// sees gives the reason why the event needs no telling, if it shows one;
	// nil where events never do.
	sees func(b *Bot, d *Delivery, out *Decided)
}

// stories are the handlers; the first that wants an event gets it.
var stories = []story{
	{name: "sweep-job", wants: (*Bot).wantsSweepJob, tell: tellSweepJob},
	{name: "pull-request", wants: (*Bot).wantsPullRequest, tell: tellPullRequest},
	{name: "merged", wants: (*Bot).wantsMerged, tell: tellMerged},
	{name: "run", wants: (*Bot).wantsRun, tell: tellRun},
	{name: "job", wants: (*Bot).wantsJob, tell: tellJob, sees: seeJob},
	{name: "comment", wants: (*Bot).wantsComment, tell: tellComment, sees: seeComment},
	{name: "review", wants: (*Bot).wantsReview, tell: tellReview, sees: seeReview},
	{name: "sign-off", wants: (*Bot).wantsAddress, tell: tellAddress},
	{name: "schedule", wants: (*Bot).wantsSchedule, tell: tellSchedule},
	{name: "push", wants: (*Bot).wantsPush, tell: tellPush},
}

// Decide says what an event asks for. The error is for facts that could not
// be read; whatever is wrong with the event itself is a reason.
func (b *Bot) Decide(ctx context.Context, d Delivery) (Decided, error) {
	out, over := b.AtSight(d)
	if over {
		return out, nil
	}
	err := b.storyOf(&d).tell(ctx, b, &d, &out)
	return out, err
}

// AtSight decides what the event alone tells, without a look at anything else:
// over says that nothing more is to be done. Most events that a server gets end
// here, so that they are worth neither a request nor a fetch. It needs neither
// GitHub nor Planner.
func (b *Bot) AtSight(d Delivery) (out Decided, over bool) {
	s := b.storyOf(&d)
	switch {
	case !strings.EqualFold(d.Repository, b.Repository):
		out.because("bot.event-other-repository", "repository", d.Repository)
		return out, true
	case s == nil:
		out.because("bot.event-not-handled", "event", d.Name, "action", d.Action)
		return out, true
	}
	out.Story = s.name
	if s.sees != nil {
		s.sees(b, &d, &out)
	}
	return out, len(out.Reasons) > 0
}

func (b *Bot) storyOf(d *Delivery) *story {
	for i := range stories {
		if stories[i].wants(b, d) {
			return &stories[i]
		}
	}
	return nil
}

// isPull reports whether an event is about a pull request and, in a job, runs
// the pull request's own workflow file.
func (d *Delivery) isPull() bool { return d.Name == labels.PullRequest && d.PR != nil }

func (b *Bot) wantsSweepJob(d *Delivery) bool { return b.Setting == InActions && d.isPull() }

func (b *Bot) wantsPullRequest(d *Delivery) bool {
	return b.Setting == AsApp && d.isPull() && d.Action != labels.Closed
}

func (b *Bot) wantsMerged(d *Delivery) bool {
	return b.Setting == AsApp && d.isPull() && d.Action == labels.Closed
}

func (b *Bot) wantsRun(d *Delivery) bool { return d.Name == "workflow_run" && d.Run != nil }

func (b *Bot) wantsJob(d *Delivery) bool {
	return b.Setting == AsApp && d.Name == "workflow_job" && d.Job != nil
}

func (b *Bot) wantsComment(d *Delivery) bool {
	return d.Name == "issue_comment" && d.Issue != nil && d.Comment != nil
}

func (b *Bot) wantsSchedule(d *Delivery) bool { return d.Name == "schedule" }

func (b *Bot) wantsPush(d *Delivery) bool { return d.Name == labels.Push && d.Push != nil }

// sameRepo reports whether the head of a pull request lies in this repository.
func (b *Bot) sameRepo(pr *PullRequest) bool {
	return pr.HeadRepo != "" && strings.EqualFold(pr.HeadRepo, b.Repository)
}
