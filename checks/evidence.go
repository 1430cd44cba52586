package checks

import (
	"context"
	"sync"

	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/recipe"
)

// Evidence is everything a check may look at: the case, and what a source and a
// history answer. Each thing is loaded when it is first wanted, once, and is
// the same for every check of the verification. It may be used by several
// goroutines.
type Evidence struct {
	Case
	source  Source
	history History

	pull      memo[none, Pull]
	comments  memo[none, []Comment]
	checkRuns memo[string, []CheckRun]
	runs      memo[int64, Run]
	sweeps    memo[none, []Run]
	judged    memo[none, *sweepCheck]
	jobs      memo[int64, []Job]
	artifacts memo[int64, []Artifact]
	files     memo[artifactFile, []byte]
	teams     memo[team, Membership]
	upstream  memo[upstreamPull, Pull]
	pages     memo[string, []byte]
	images    memo[string, Image]
	trees     memo[string, Tree]
	changed   memo[none, []gitrepo.Change]
	commits   memo[none, []gitrepo.Commit]
	single    memo[string, gitrepo.Commit]
	versions  memo[string, versionsOf]

	revisions memo[string, *Revision]
	affected  memo[none, *Affected]
	launches  memo[launchKey, *recipe.Effective]

	parseSignOff  sync.Once
	parsedSignOff signoff.Document
}

// none is the key of what there is one of.
type none struct{}

type artifactFile struct {
	id   int64
	name string
}

type team struct{ org, slug string }

type upstreamPull struct {
	repository string
	number     int
}

// NewEvidence makes the evidence of a case.
func NewEvidence(c Case, source Source, history History) *Evidence {
	return &Evidence{Case: c, source: source, history: history}
}

// maxCommits bounds the commits of a pull request that are listed: the API
// stops at 250, git goes on (spec/checks.md section 1.2, C).
const maxCommits = 5000

// Pull is the pull request as it was read for this verification.
func (e *Evidence) Pull(ctx context.Context) (Pull, error) {
	return e.pull.get(ctx, none{}, e.source.Pull)
}

// Comments are the issue comments of the pull request, oldest first.
func (e *Evidence) Comments(ctx context.Context) ([]Comment, error) {
	return e.comments.get(ctx, none{}, e.source.Comments)
}

// CheckRuns are the check runs of a commit.
func (e *Evidence) CheckRuns(ctx context.Context, sha string) ([]CheckRun, error) {
	return e.checkRuns.get(ctx, sha, func(ctx context.Context) ([]CheckRun, error) { return e.source.CheckRuns(ctx, sha) })
}

// Run is a workflow run of the repository.
func (e *Evidence) Run(ctx context.Context, id int64) (Run, error) {
	return e.runs.get(ctx, id, func(ctx context.Context) (Run, error) { return e.source.Run(ctx, id) })
}

// Jobs are the jobs of a run, those of all attempts.
func (e *Evidence) Jobs(ctx context.Context, run int64) ([]Job, error) {
	return e.jobs.get(ctx, run, func(ctx context.Context) ([]Job, error) { return e.source.Jobs(ctx, run) })
}

// Artifacts are the artifacts of a run, those of all attempts.
func (e *Evidence) Artifacts(ctx context.Context, run int64) ([]Artifact, error) {
	return e.artifacts.get(ctx, run, func(ctx context.Context) ([]Artifact, error) { return e.source.Artifacts(ctx, run) })
}

// ArtifactFile is a file of an artifact, at most limit bytes. The first asker's
// limit holds.
func (e *Evidence) ArtifactFile(ctx context.Context, artifact int64, name string, limit int64) ([]byte, error) {
	return e.files.get(ctx, artifactFile{artifact, name}, func(ctx context.Context) ([]byte, error) {
		return e.source.ArtifactFile(ctx, artifact, name, limit)
	})
}

// Team says whether the signer is a member of @org/slug.
func (e *Evidence) Team(ctx context.Context, org, slug string) (Membership, error) {
	return e.teams.get(ctx, team{org, slug}, func(ctx context.Context) (Membership, error) { return e.source.Team(ctx, org, slug) })
}

// UpstreamPull is a pull request of another repository, with its files.
func (e *Evidence) UpstreamPull(ctx context.Context, repository string, number int) (Pull, error) {
	return e.upstream.get(ctx, upstreamPull{repository, number}, func(ctx context.Context) (Pull, error) {
		return e.source.UpstreamPull(ctx, repository, number)
	})
}

// Page is the text of a published page.
func (e *Evidence) Page(ctx context.Context, url string) ([]byte, error) {
	return e.pages.get(ctx, url, func(ctx context.Context) ([]byte, error) { return e.source.Page(ctx, url) })
}

// Image says whether a registry holds an image.
func (e *Evidence) Image(ctx context.Context, reference string) (Image, error) {
	return e.images.get(ctx, reference, func(ctx context.Context) (Image, error) { return e.source.Image(ctx, reference) })
}

// HeadTree is the tree of the assessed commit H.
func (e *Evidence) HeadTree(ctx context.Context) (Tree, error) { return e.Tree(ctx, e.Head) }

// BaseTree is the tree of the merge base B.
func (e *Evidence) BaseTree(ctx context.Context) (Tree, error) { return e.Tree(ctx, e.Base) }

// TargetTree is the tree of the target branch's tip D: policy files are read
// there, so that a pull request can't change the rules that judge it.
func (e *Evidence) TargetTree(ctx context.Context) (Tree, error) { return e.Tree(ctx, e.Target) }

// Tree is the tree of a commit.
func (e *Evidence) Tree(ctx context.Context, commit string) (Tree, error) {
	return e.trees.get(ctx, commit, func(ctx context.Context) (Tree, error) { return e.history.Tree(ctx, commit) })
}

// Changed are the paths that the pull request changes, B..H, both names of a
// rename.
func (e *Evidence) Changed(ctx context.Context) ([]gitrepo.Change, error) {
	return e.changed.get(ctx, none{}, func(ctx context.Context) ([]gitrepo.Change, error) {
		return e.history.Changed(ctx, e.Base, e.Head)
	})
}

// Commits are the commits of the pull request, newest first.
func (e *Evidence) Commits(ctx context.Context) ([]gitrepo.Commit, error) {
	return e.commits.get(ctx, none{}, func(ctx context.Context) ([]gitrepo.Commit, error) {
		return e.history.Commits(ctx, e.Target, e.Head, maxCommits)
	})
}

// maxVersions is how many commits of the target branch are looked at for the
// versions of a file: about a year of the reference repository.
const maxVersions = 1500

// versionsOf is a file with its versions.
type versionsOf struct {
	list     []Version
	complete bool
}

// Versions are the versions of a file of the target branch, newest first;
// complete says that the oldest one is the first.
func (e *Evidence) Versions(ctx context.Context, path string) (list []Version, complete bool, err error) {
	v, err := e.versions.get(ctx, path, func(ctx context.Context) (v versionsOf, err error) {
		v.list, v.complete, err = e.history.Versions(ctx, e.Target, path, maxVersions)
		return v, err
	})
	return v.list, v.complete, err
}

// Commit is one commit by its full or abbreviated id; one that does not exist
// is fs.ErrNotExist.
func (e *Evidence) Commit(ctx context.Context, rev string) (gitrepo.Commit, error) {
	return e.single.get(ctx, rev, func(ctx context.Context) (gitrepo.Commit, error) { return e.history.Commit(ctx, rev) })
}
