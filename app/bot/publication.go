package bot

import (
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// PublishOutcome says what a push to the base branch publishes.
type PublishOutcome string

// The outcomes (spec/labels-and-sweeps.md section 16, spec/reuse.md section
// 7). All that begin with "no" and the refusal end the job red, since what is
// merged must not look published (known failure F26); off does not, since
// nobody is there to publish to.
const (
	PublishOff      PublishOutcome = "off"
	PublishNoPull   PublishOutcome = "no-associated-pr"
	PublishNoWish   PublishOutcome = "no-authorization"
	PublishNoAnswer PublishOutcome = "no-answer" // something looks like a command, and nothing here can tell whether it holds
	PublishRefused  PublishOutcome = "refused"
	PublishUpload   PublishOutcome = "upload" // the plan's metadata has to be uploaded first
	PublishSend     PublishOutcome = "send"
)

// ReusedRun is the sweep that a reuse command names.
type ReusedRun struct {
	ID      int64
	Attempt int
	PR      int
	HeadSHA string
}

// Resolution is what the reuse commands of a merged pull request come to: a
// run, or the reason why there is none.
type Resolution struct {
	// Category is the word of spec/reuse.md section 7; "reused" has a run,
	// "no-authorization" nobody's wish, and all others refuse for Why.
	Category string
	Run      ReusedRun
	Why      diag.Finding
}

// The categories that are told apart here.
const (
	CategoryReused          = "reused"
	CategoryNoAuthorization = "no-authorization"
)

// Publication is what is decided about a push: the run to publish, and the
// message that says so.
type Publication struct {
	Outcome PublishOutcome
	Why     diag.Finding
	Source  ReusedRun
	// MergeRun is the run whose job decides this; its metadata is published.
	MergeRun int64
	Agentic  bool
}

// publishFacts are what the decision about a publication stands on.
type publishFacts struct {
	settings config.Settings
	push     *Push
	pr       *PullRequest // nil where the push merged none
	// open says that nothing here can tell what the commands come to.
	open       bool
	resolution Resolution
	// refusal is why the merged change cannot be planned, nil if it can.
	refusal  *diag.Finding
	agentic  bool // the plan has agentic throughput points
	mergeRun int64
	uploaded bool // the merge run has the plan's metadata
}

// decide is the decision. Nothing is ever sent without a run that a reuse
// command names and that holds.
func (f *publishFacts) decide() Publication {
	p := Publication{MergeRun: f.mergeRun, Agentic: f.agentic, Source: f.resolution.Run}
	commit := shortSHA(f.push.After)
	no := func(outcome PublishOutcome, code string, args ...string) Publication {
		p.Outcome, p.Why = outcome, diag.New(code, diag.Place{}, append([]string{"commit", commit}, args...)...)
		return p
	}
	switch {
	case f.settings.Publish.Repository == "":
		p = no(PublishOff, "bot.publish-off")
		p.Why = p.Why.WithSeverity(diag.Note)
		return p
	case f.pr == nil:
		return no(PublishNoPull, "bot.publish-no-pull")
	case f.open:
		return no(PublishNoAnswer, "bot.publish-no-answer", "number", strconv.Itoa(f.pr.Number))
	case f.resolution.Category == CategoryNoAuthorization:
		return no(PublishNoWish, "bot.publish-not-authorised")
	case f.resolution.Category != CategoryReused:
		p.Outcome, p.Why = PublishRefused, f.resolution.Why
		return p
	case f.refusal != nil:
		p.Outcome, p.Why = PublishRefused, *f.refusal
		return p
	}
	run := strconv.FormatInt(p.Source.ID, 10)
	p.Outcome, p.Why = PublishUpload, note("bot.publish-upload", "run", run)
	if f.uploaded {
		p.Outcome, p.Why = PublishSend, note("bot.publish-send", "run", run, "repository", f.settings.Publish.Repository)
	}
	return p
}

// message is what the consumer is sent: one message for all artifacts of the
// run, whatever kinds of points it has (known failure F34), and no more than
// two numbers, so that nothing is copied through this job (F28).
func (p *Publication) message(s config.Publish) *SendPublication {
	e := &SendPublication{
		Repository: s.Repository, Event: s.Event, SourceRun: p.Source.ID, MergeRun: p.MergeRun,
	}
	if p.Agentic {
		e.Event, e.Database = s.AgenticEvent, s.Target
	}
	return e
}
