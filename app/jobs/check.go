package jobs

import (
	"context"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// Check is the job check-changelog: it checks the changelog with the flags of
// the labels and says which jobs run. It pins the base commit for the jobs
// after it, so that all of one run mean the same base.
func Check(ctx context.Context, h *Host) error {
	c, err := h.event()
	if err != nil {
		return err
	}
	pr := c.Payload.PullRequest
	change, where, err := h.change(ctx, pr, "refs/remotes/origin/"+pr.BaseBranch)
	if err != nil {
		return err
	}
	defer where.close()
	planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Labels: pr.Labels, PR: pr.Number})
	if err != nil {
		return err
	}
	e := facts(c)
	e.HeadMessage = &where.head.Message
	e.Validator = labels.Rejected
	if planned.Plan != nil {
		e.Validator = labels.Accepted
	}
	sources := bot.Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: planned.Settings.Layout}
	findings := sources.Locate(planned.Findings)
	decision := Decide(planned, e)
	if err := h.outputs(CheckOutputs(decision, change.Base.Commit)...); err != nil {
		return err
	}
	if err := h.summary(checkSummary(decision, h)); err != nil {
		return err
	}
	if decision.Validate.Outcome == labels.Fail {
		return append(findings, decision.Validate.Reason)
	}
	h.annotate(findings)
	return nil
}

// Decide decides an event by the settings of the planned change. Whether a
// reuse command is in force is for the gate to say: until then there is none.
func Decide(planned bot.Planned, e labels.Event) labels.Decision {
	return labels.Decide(planned.Settings.Labels, planned.Settings.Layout.BaseBranch, e)
}

// CheckOutputs are the outputs of the job check-changelog. gate says whether a
// reuse command is to be looked for, sweep whether the sweep runs if there is
// none, skip-pr-sweep whether the head commit carries the marker.
func CheckOutputs(d labels.Decision, base string) []bot.Output {
	open := d.Sweep.Outcome == labels.Unknown && d.Gate.Outcome == labels.Unknown
	return []bot.Output{
		{Name: "base", Value: base},
		{Name: "gate", Value: strconv.FormatBool(d.Gate.Outcome != labels.Skip && d.Validate.Outcome == labels.Run)},
		{Name: "sweep", Value: strconv.FormatBool(d.Sweep.Outcome == labels.Run || open)},
		{Name: "skip-pr-sweep", Value: strconv.FormatBool(d.Sweep.Reason.Code == "labels.skip-marker")},
	}
}

func checkSummary(d labels.Decision, h *Host) string {
	var b strings.Builder
	b.WriteString("### Sweep\n\n")
	for _, step := range []struct {
		name string
		is   labels.Step
	}{{"changelog", d.Validate}, {"reuse gate", d.Gate}, {"sweep", d.Sweep}} {
		b.WriteString("- " + step.name + ": " + plain(step.is.Reason.Message(h.Language)) + "\n")
	}
	return b.String()
}

// plain keeps text of a repository from being read as Markdown.
func plain(text string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "<", "&lt;", "@", "@\u200b", "|", "\\|").
		Replace(diag.Printable(text))
}

// place is a checkout with its commits.
type place struct {
	space *bot.Workspace
	repo  *gitrepo.Repo
	head  gitrepo.Commit // of the pull request
}

func (w *place) close() {
	if w.space != nil {
		_ = w.space.Close()
	}
	if w.repo != nil {
		_ = w.repo.Close()
	}
}

// change opens the checkout and returns both sides of the change, pinned. The
// head is the commit of the event, never what the branch holds by now.
func (h *Host) change(ctx context.Context, pr *bot.PullRequest, base string) (matrix.Change, *place, error) {
	dir, err := h.workspace()
	if err != nil {
		return matrix.Change{}, nil, err
	}
	w := &place{}
	fail := func(err error) (matrix.Change, *place, error) {
		w.close()
		return matrix.Change{}, nil, err
	}
	if w.repo, err = gitrepo.Open(ctx, dir); err != nil {
		return fail(err)
	}
	before, err := w.repo.Commit(ctx, base)
	if err != nil {
		return fail(err)
	}
	if w.head, err = w.repo.Commit(ctx, pr.HeadSHA); err != nil {
		return fail(err)
	}
	if w.space, err = bot.OpenWorkspace(ctx, dir); err != nil {
		return fail(err)
	}
	change, err := w.space.Change(ctx, before.ID, w.head.ID)
	if err != nil {
		return fail(err)
	}
	return change, w, nil
}
