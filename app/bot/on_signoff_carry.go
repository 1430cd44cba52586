package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks/trigger"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/labels"
)

// Pushes reads what GitHub records of pushes.
type Pushes interface {
	// LastPush is the newest push to a branch of a repository: before, after and
	// who pushed. ErrNotFound means that none is recorded.
	LastPush(ctx context.Context, repository, branch string) (Push, User, error)
}

// tellPushed moves the coverage of a passed verdict along with a push, or leaves
// it behind, in the mode carry. A server has the push from the webhook.
func (b *Bot) tellPushed(ctx context.Context, d *Delivery, pr *PullRequest, out *Decided) error {
	if b.SignOffs == nil || d.Action != labels.Synchronize || d.Heads == nil {
		return nil
	}
	s, err := b.Planner.Settings(ctx, pr.BaseSHA)
	if err != nil || s.Checks.Verdict.Mode != config.VerdictCarry {
		return err
	}
	return b.carry(ctx, s, pr, *d.Heads, d.Sender, d.Sender, out)
}

// tellRelayedPush is that for a job, which hears of the push by the relay. What
// the relay runs on is up to the file of the pull request, so that its run proves
// no push: GitHub's record of the branch does.
func (b *Bot) tellRelayedPush(ctx context.Context, s config.Settings, d *Delivery, run *Run, pr *PullRequest, out *Decided) (handled bool, err error) {
	if b.Setting != InActions || b.SignOffs == nil || s.Checks.Verdict.Mode != config.VerdictCarry || d.Action != "completed" {
		return false, nil
	}
	pushes, ok := b.GitHub.(Pushes)
	if !ok {
		return false, nil
	}
	push, actor, err := pushes.LastPush(ctx, pr.HeadRepo, pr.HeadBranch)
	if err != nil && ctx.Err() != nil {
		return true, err
	}
	// One that can't be read is nobody's.
	return true, b.carry(ctx, s, pr, push, run.Actor, actor, out)
}

// carry decides about one push, and says so by the footer of the verdict and by
// the status of the new head.
func (b *Bot) carry(ctx context.Context, s config.Settings, pr *PullRequest, push Push, sender, actor User, out *Decided) error {
	comments, err := b.GitHub.Comments(ctx, pr.Number)
	if err != nil {
		return err
	}
	old, body := b.lastVerdict(s.Checks.Verdict, comments)
	p := trigger.Push{
		Passed: old.Overall == verdict.Passed, Covered: old.Covered, Before: push.Before, After: push.After, Head: pr.HeadSHA,
		Sender: accountOf(sender), Actor: accountOf(actor),
	}
	if p.Covered == pr.HeadSHA {
		out.because("signoff.carry-done")
		return nil
	}
	why := trigger.Carries(p)
	if why == trigger.ByNoAdmin { // all else holds: now the permission is worth a request
		role, err := b.GitHub.Permission(ctx, actor.Login)
		if p.Admin = err == nil && role == "admin"; p.Admin {
			why = trigger.Goes
		}
	}
	status := Status{Context: verdictName, State: "failure", Description: catalog.Message(catalog.English, "signoff.left-behind"), TargetURL: pr.URL}
	switch why {
	case trigger.NothingCovered:
		out.because(string(why))
	case trigger.Goes:
		carried, _ := verdict.Cover(body, pr.HeadSHA)
		reason := note("signoff.carried", "from", shortSHA(p.Covered), "to", shortSHA(pr.HeadSHA))
		key := out.add(&UpsertVerdict{
			Number: pr.Number, FormerBots: s.Checks.Verdict.FormerBots, Comment: verdict.Comment{Marker: old.Marker, Body: carried, Overall: old.Overall},
		}, reason)
		out.Reasons = append(out.Reasons, reason)
		status.State, status.Description = "success", catalog.Message(catalog.English, "signoff.carried", "from", shortSHA(p.Covered), "to", shortSHA(pr.HeadSHA))
		out.add(&SetStatus{SHA: pr.HeadSHA, Status: status}, reason, key)
	default:
		out.because(string(why), "number", strconv.Itoa(pr.Number))
		out.add(&SetStatus{SHA: pr.HeadSHA, Status: status}, note(string(why)))
	}
	return nil
}

// lastVerdict is the newest verdict of ours with the marker of the mode, and its
// text.
func (b *Bot) lastVerdict(s config.Verdict, comments []Comment) (verdict.Reading, string) {
	ours := (&World{Self: b.Self}).writer(s.FormerBots)
	for _, c := range slices.Backward(comments) {
		body := strings.ReplaceAll(c.Body, "\r\n", "\n")
		if read, ok := verdict.Read(body); ok && read.Marker == (verdict.Marker{}) && ours(c.Author) {
			return read, body
		}
	}
	return verdict.Reading{}, ""
}
