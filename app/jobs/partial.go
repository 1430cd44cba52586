package jobs

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// staleBudget bounds the comparison of a partial sweep with what it stands on.
// What is not decided by then runs.
const staleBudget = 5 * time.Minute

// partial leaves of a plan what the newest sweep of the pull request that can
// be stood on has measured with success and what would certainly serve the same
// now, where a partial sweep was asked for. Whatever keeps that from being
// proved makes it a full sweep, which says so; a run that somebody named is
// refused instead.
func (h *Host) partial(ctx context.Context, o order, planned bot.Planned, where *place) (bot.Planned, error) {
	if !planned.Selection.OnlyStale || o.event.Number == 0 {
		if o.since != 0 {
			return planned, diag.New("jobs.since-full", diag.Place{}).In("usage")
		}
		return planned, nil
	}
	m, why, err := h.measurement(ctx, o, planned)
	if err != nil {
		return planned, err
	}
	var current map[*matrix.Row]bool
	if why == nil {
		current, why, err = h.current(ctx, o, planned, where, m)
	}
	switch {
	case err != nil:
		return planned, err
	case why != nil && o.since != 0:
		return planned, why.WithSeverity(diag.Error)
	case why != nil:
		planned.Findings = append(planned.Findings, bot.NotPartial(*why))
		return planned, nil
	}
	kept, list := bot.KeepOnly(planned, bot.Partial{Since: m.Plan.Commit, Run: m.Run.ID}, func(r *matrix.Row) bool { return !current[r] })
	if list.Refused() {
		return planned, list
	}
	return kept, nil
}

// measurement asks GitHub for the sweep to stand on.
func (h *Host) measurement(ctx context.Context, o order, planned bot.Planned) (*bot.Measurement, *diag.Finding, error) {
	if h.GitHub == nil {
		return nil, nil, diag.New("jobs.no-variable", diag.Place{}, "name", "GITHUB_TOKEN").In("usage")
	}
	gh, err := h.GitHub(ctx)
	if err != nil {
		return nil, nil, err
	}
	pr := o.pull
	if pr == nil { // a dispatch knows no more than its number
		read, err := gh.PullRequest(ctx, o.event.Number)
		if err != nil {
			return nil, nil, err
		}
		pr = &read
	}
	return bot.FindMeasurement(ctx, gh, bot.MeasurementOrder{
		Settings: planned.Settings, Repository: o.run.Repository, PR: pr,
		Run: o.since, Before: o.run.RunID, Fast: planned.Selection.AgentXFast,
	})
}

// current are the points of the plan that the measurement stands for.
func (h *Host) current(ctx context.Context, o order, planned bot.Planned, where *place, m *bot.Measurement) (map[*matrix.Row]bool, *diag.Finding, error) {
	commit, why, err := h.measuredCommit(ctx, where, m)
	if err != nil || why != nil {
		return nil, why, err
	}
	was, err := where.space.Revision(ctx, commit.ID)
	if err != nil {
		return nil, nil, err
	}
	is, err := where.space.Revision(ctx, where.here.ID)
	if err != nil {
		return nil, nil, err
	}
	passed, why, err := h.passed(ctx, o, where, m)
	if err != nil || why != nil {
		return nil, why, err
	}
	then, err := resolverOf(planned, was.Files)
	if err != nil {
		return nil, unproved(m, err), nil
	}
	now, err := resolverOf(planned, is.Files)
	if err != nil {
		return nil, unproved(m, err), nil
	}
	var rows []*matrix.Row
	for _, f := range planned.Families {
		rows = append(rows, f.Rows...)
	}
	budget, cancel := context.WithTimeout(ctx, staleBudget)
	defer cancel()
	points, err := stale.Compare(budget, stale.Side{Rows: passed, Resolver: then}, stale.Side{Rows: rows, Resolver: now})
	if err != nil {
		return nil, unproved(m, err), ctx.Err()
	}
	// An eval is judged by the bars of the commit it ran on.
	bars := bytes.Equal(barsOf(was.Files, planned.Settings.Layout), barsOf(is.Files, planned.Settings.Layout))
	out := make(map[*matrix.Row]bool)
	for _, p := range points {
		out[p.Row] = p.Verdict.Current() && (bars || p.Row.RunEval != matrix.Yes)
	}
	return out, nil, nil
}

// passed makes the plan of the measurement again, from git, and takes of it the
// points that the run planned and whose jobs are green.
func (h *Host) passed(ctx context.Context, o order, where *place, m *bot.Measurement) ([]*matrix.Row, *diag.Finding, error) {
	change, err := where.space.Change(ctx, m.Plan.Base, m.Plan.Head)
	if err != nil {
		return nil, unproved(m, err), nil
	}
	change.Trim, change.AllEvals, change.EvalsOnly = m.Plan.Trim, m.Plan.AllEvals, m.Plan.EvalsOnly
	planned, err := bot.PlanChange(bot.PlanRequest{Change: change, PR: o.event.Number})
	if err != nil {
		return nil, unproved(m, err), nil
	}
	if planned.Plan == nil {
		return nil, unproved(m, planned.Findings), nil
	}
	return m.Passed(planned.Families), nil, nil
}

func resolverOf(planned bot.Planned, files matrix.Files) (*launch.Resolver, error) {
	tree, ok := files.(*gitrepo.Tree)
	if !ok {
		return nil, errors.New("no commit")
	}
	inventory, list := matrix.ReadRunners(planned.Settings, files)
	if list.Refused() {
		return nil, list
	}
	return launch.New(planned.Settings, inventory, launch.GitTree(tree), nil)
}

// unproved is why a measurement cannot be stood on.
func unproved(m *bot.Measurement, err error) *diag.Finding {
	why := m.Refusal("bot.since-commit", "detail", diag.Cut(diag.Printable(err.Error()), 300))
	return &why
}

// measuredCommit gets the commit that a run checked out, by its id, and proves
// that it is what the run says: the merge of the head that GitHub ran it for
// with a commit of the base branch, and nothing but their merge. A run whose
// workflow files are not those of the base proves nothing.
func (h *Host) measuredCommit(ctx context.Context, where *place, m *bot.Measurement) (gitrepo.Commit, *diag.Finding, error) {
	commit, err := where.repo.Commit(ctx, m.Plan.Commit)
	if err != nil {
		if err := h.fetch(ctx, where.repo.Dir(), m.Plan.Commit); err != nil {
			return commit, unproved(m, err), ctx.Err()
		}
		if commit, err = where.repo.Commit(ctx, m.Plan.Commit); err != nil {
			return commit, unproved(m, err), ctx.Err()
		}
	}
	no := func(detail string) (gitrepo.Commit, *diag.Finding, error) {
		return commit, unproved(m, errors.New(detail)), ctx.Err()
	}
	if commit.Tree != m.Plan.Tree || len(commit.Parents) != 2 || commit.Parents[1] != m.Run.HeadSHA {
		return no("commit " + short(commit.ID) + " is no merge of the head of the run")
	}
	for _, base := range []string{commit.Parents[0], m.Plan.Base} {
		left, err := where.repo.MergeBase(ctx, base, where.base.ID)
		if err != nil || left != base {
			return no("commit " + short(base) + " is not on the base branch")
		}
	}
	again, err := exec.CommandContext(ctx, "git", "-C", where.repo.Dir(), "merge-tree", "--write-tree", commit.Parents[0], commit.Parents[1]).Output()
	if err != nil || strings.TrimSpace(string(again)) != commit.Tree {
		return no("commit " + short(commit.ID) + " holds something else than the merge of its parents")
	}
	same, err := sameWorkflows(ctx, where.repo, commit.Parents[0], commit.ID)
	if err != nil {
		return commit, unproved(m, err), ctx.Err()
	}
	if !same {
		why := m.Refusal("bot.since-workflow")
		return commit, &why, nil
	}
	return commit, nil, nil
}

// workflowFolder holds the files that decide what a job of some name did.
const workflowFolder = ".github/workflows"

func sameWorkflows(ctx context.Context, repo *gitrepo.Repo, a, b string) (bool, error) {
	trees, err := repo.Trees(ctx, a, b)
	if err != nil {
		return false, err
	}
	var ids [2]string
	for i, tree := range trees {
		entry, err := tree.Stat(workflowFolder)
		if err != nil {
			return false, err
		}
		ids[i] = entry.OID
	}
	return ids[0] == ids[1], nil
}

// fetchBudget bounds the fetch of one commit.
const fetchBudget = 5 * time.Minute

// fetch gets one commit, and what it needs that the clone has not, from the
// repository of the job. The token is in the environment of that one process;
// nothing that is fetched is checked out.
func (h *Host) fetch(ctx context.Context, dir, id string) error {
	if !isObjectID(id) {
		return errors.New("no commit id")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchBudget)
	defer cancel()
	c := exec.CommandContext(ctx, "git", "-C", dir, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "origin", id)
	c.Env = append(c.Environ(), "GIT_TERMINAL_PROMPT=0")
	server := strings.TrimSuffix(h.either("GITHUB_SERVER_URL", "https://github.com"), "/")
	if token := h.either("GITHUB_TOKEN", ""); token != "" {
		basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
		c.Env = append(c.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http."+server+"/.extraheader", "GIT_CONFIG_VALUE_0=AUTHORIZATION: basic "+basic)
	}
	if _, err := c.Output(); err != nil {
		return errors.New(detail(err))
	}
	return nil
}
