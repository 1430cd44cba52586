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
	o, err := h.order()
	if err != nil {
		return err
	}
	change, where, err := h.change(ctx, o, o.base)
	if err != nil {
		return err
	}
	defer where.close()
	planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Labels: o.event.Labels, PR: o.event.Number})
	if err != nil {
		return err
	}
	e := o.event
	e.HeadMessage = &where.head.Message
	e.Validator = labels.Rejected
	if planned.Plan != nil {
		e.Validator = labels.Accepted
	}
	sources := bot.Sources{Base: change.Base.Files, Head: change.Head.Files, Layout: planned.Settings.Layout}
	findings := sources.Locate(planned.Findings)
	decision := Decide(planned, e)
	if err := h.outputs(CheckOutputs(decision, change.Base.Commit, where.here.ID)...); err != nil {
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

// CheckOutputs are the outputs of the job check-changelog: the base and the
// commit that is checked out, which all later jobs go by; gate says whether a
// reuse command is to be looked for, sweep whether the sweep runs if there is
// none, skip-pr-sweep whether the head commit carries the marker.
func CheckOutputs(d labels.Decision, base, commit string) []bot.Output {
	// A push to the base branch is not checked, and asks for a command where
	// such pushes sweep.
	push := d.Validate.Outcome == labels.Skip && d.Sweep.Outcome == labels.Unknown
	open := push || d.Sweep.Outcome == labels.Unknown && d.Gate.Outcome == labels.Unknown
	return []bot.Output{
		{Name: "base", Value: base},
		{Name: "commit", Value: commit},
		{Name: "gate", Value: strconv.FormatBool(push || d.Gate.Outcome != labels.Skip && d.Validate.Outcome == labels.Run)},
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
	// base and head are those of the change, here what is checked out.
	base, head, here gitrepo.Commit
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
func (h *Host) change(ctx context.Context, o order, base string) (matrix.Change, *place, error) {
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
	commits, err := w.repo.Commits(ctx, base, o.head, "HEAD")
	if err != nil {
		return fail(err)
	}
	before := commits[0]
	w.base, w.head, w.here = before, commits[1], commits[2]
	if err := w.prove(ctx, o, before); err != nil {
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
