package bot

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/labels"
)

// Provenance says where a run comes from, all of it read from GitHub and none
// of it from what the run itself uploaded.
type Provenance struct {
	Repository string
	Workflow   string // path of the workflow file
	Event      string
	RunID      int64
	Attempt    int
	HeadRepo   string
	HeadBranch string
	// HeadSHA is the commit of the pull request that the run is about. Of a
	// dispatched run that is not the commit of its workflow file.
	HeadSHA string
	// Fork says that the commit is of another repository.
	Fork bool
}

func (p *Provenance) document() ordjson.Value {
	return ordjson.Map(
		member("repository", ordjson.Str(p.Repository)), member("workflow", ordjson.Str(p.Workflow)), member("event", ordjson.Str(p.Event)),
		member("run", ordjson.Int(p.RunID)), member("attempt", ordjson.Int(int64(p.Attempt))), member("head-repository", ordjson.Str(p.HeadRepo)),
		member("head-branch", ordjson.Str(p.HeadBranch)), member("head-sha", ordjson.Str(p.HeadSHA)), member("fork", ordjson.Bool(p.Fork)))
}

// belongs maps a run to its pull request, by head repository, branch and
// commit: runs of forks do not list theirs (known failure F30), and a branch
// name repeats across forks. The finding says why a run belongs to none.
func (b *Bot) belongs(ctx context.Context, s config.Settings, run *Run) (*PullRequest, Provenance, *diag.Finding, error) {
	p := Provenance{
		Repository: b.Repository, Workflow: run.Workflow, Event: run.Event, RunID: run.ID, Attempt: max(1, run.Attempt),
		HeadRepo: run.HeadRepo, HeadBranch: run.HeadBranch, HeadSHA: run.HeadSHA,
	}
	var pr *PullRequest
	var err error
	switch run.Event {
	case labels.PullRequest:
		pr, err = b.byHead(ctx, s, run)
	case "workflow_dispatch":
		pr, err = b.byTitle(ctx, s, run, &p)
	default:
		why := note("bot.run-event", "event", run.Event)
		return nil, p, &why, nil
	}
	if err != nil {
		return nil, p, nil, err
	}
	if pr == nil {
		why := note("bot.run-no-pull", "run", strconv.FormatInt(run.ID, 10))
		return nil, p, &why, nil
	}
	p.Fork = !b.sameRepo(pr)
	return pr, p, nil, nil
}

// byHead finds the pull request of a run that GitHub started for one.
func (b *Bot) byHead(ctx context.Context, s config.Settings, run *Run) (*PullRequest, error) {
	if run.HeadRepo == "" || run.HeadBranch == "" {
		return nil, nil
	}
	candidates, err := b.GitHub.PullRequestsFor(ctx, run.HeadRepo, run.HeadBranch, run.HeadSHA)
	if err != nil {
		return nil, err
	}
	for i := range candidates {
		pr := &candidates[i]
		if pr.BaseBranch != s.Layout.BaseBranch || !strings.EqualFold(pr.HeadRepo, run.HeadRepo) || pr.HeadBranch != run.HeadBranch {
			continue
		}
		if pr.HeadSHA == run.HeadSHA {
			return pr, nil
		}
		commits, err := b.GitHub.PullRequestCommits(ctx, pr.Number)
		if err != nil {
			return nil, err
		}
		if slices.Contains(commits, run.HeadSHA) {
			return pr, nil
		}
	}
	return nil, nil
}

// byTitle finds the pull request that the title of a dispatched run names.
// Only who may write can dispatch, and only the file of the base branch counts.
func (b *Bot) byTitle(ctx context.Context, s config.Settings, run *Run, p *Provenance) (*PullRequest, error) {
	ref, ok := titleOf(run.Title)
	if !ok || run.HeadBranch != s.Layout.BaseBranch || !strings.EqualFold(run.HeadRepo, b.Repository) {
		return nil, nil
	}
	pr, err := b.GitHub.PullRequest(ctx, ref.number)
	if err != nil || pr.BaseBranch != s.Layout.BaseBranch {
		return nil, err
	}
	p.HeadRepo, p.HeadBranch, p.HeadSHA = pr.HeadRepo, pr.HeadBranch, pr.HeadSHA
	if strings.HasPrefix(pr.HeadSHA, ref.short) {
		return &pr, nil
	}
	commits, err := b.GitHub.PullRequestCommits(ctx, pr.Number)
	if p.HeadSHA = fullSHA(commits, ref.short); err != nil || p.HeadSHA == "" {
		return nil, err
	}
	return &pr, nil
}

// fullSHA returns the one commit that begins with some digits, "" if there is
// none or more than one.
func fullSHA(commits []string, short string) string {
	found := ""
	for _, c := range commits {
		if !strings.HasPrefix(c, short) {
			continue
		}
		if found != "" && found != c {
			return ""
		}
		found = c
	}
	return found
}

// isWorkflow reports whether a run is of a workflow file of ours.
func isWorkflow(run *Run, file string) bool {
	return file != "" && run.Workflow == ".github/workflows/"+path.Base(file)
}
