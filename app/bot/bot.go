package bot

import (
	"context"
	"strings"

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
}

// stories are the handlers; the first that wants an event gets it.
var stories = []story{
	{"sweep-job", (*Bot).wantsSweepJob, tellSweepJob},
	{"pull-request", (*Bot).wantsPullRequest, tellPullRequest},
	{"merged", (*Bot).wantsMerged, tellMerged},
	{"run", (*Bot).wantsRun, tellRun},
	{"job", (*Bot).wantsJob, tellJob},
	{"comment", (*Bot).wantsComment, tellComment},
	{"schedule", (*Bot).wantsSchedule, tellSchedule},
	{"push", (*Bot).wantsPush, tellPush},
}

// Decide says what an event asks for. The error is for facts that could not
// be read; whatever is wrong with the event itself is a reason.
func (b *Bot) Decide(ctx context.Context, d Delivery) (Decided, error) {
	out := Decided{}
	if !strings.EqualFold(d.Repository, b.Repository) {
		out.because("bot.event-other-repository", "repository", d.Repository)
		return out, nil
	}
	for _, s := range stories {
		if s.wants(b, &d) {
			out.Story = s.name
			err := s.tell(ctx, b, &d, &out)
			return out, err
		}
	}
	out.because("bot.event-not-handled", "event", d.Name, "action", d.Action)
	return out, nil
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
