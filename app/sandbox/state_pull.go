package sandbox

import (
	"net/http"
	"slices"
	"time"
)

// pull is the pull request side of an issue.
type pull struct {
	id         int64
	base       string // branch
	baseSHA    string // tip of the base when the head last moved
	headRepo   *repository
	headOwner  *user
	headBranch string
	headSHA    string
	draft      bool
	merged     bool
	mergedBy   *user
	mergedAt   time.Time
	mergeSHA   string // what merging made
	testMerge  string // commit of refs/pull/N/merge, "" when there are conflicts
	mergeBase  string
	commits    []string // oldest first
	editable   bool     // maintainers may push to the fork's branch
	reviews    []*review
	notes      []*note

	// lateHead is an earlier head that reads still show, lateMerge hides the
	// outcome of the test merge, as GitHub does for some seconds.
	lateHead  lag
	shownHead string
	lateMerge lag

	diffOf string // mergeBase..head for which diff holds
	diff   []fileChange
}

// isFork reports whether the head is in another repository.
func (x *issue) isFork() bool { return x.pull != nil && x.pull.headRepo != x.repo }

// headTip is the tip of the head branch, "" once it or its repository is gone.
func (p *pull) headTip() string {
	if p.headRepo == nil {
		return ""
	}
	return p.headRepo.heads[p.headBranch]
}

// pullSpec is a pull request to be opened.
type pullSpec struct {
	title, body, base string
	headRepo          *repository
	headBranch        string
	draft, editable   bool
}

// openPull opens a pull request.
func (s *Server) openPull(who *identity, r *repository, spec pullSpec) (*issue, error) {
	if err := s.checkPull(who, r, spec); err != nil {
		return nil, err
	}
	x := s.newIssue(who, r, spec.title, spec.body)
	x.pull = &pull{
		id: s.ids.take(kindPull), base: spec.base, headRepo: spec.headRepo, headOwner: spec.headRepo.owner,
		headBranch: spec.headBranch, headSHA: spec.headRepo.heads[spec.headBranch], draft: spec.draft, editable: spec.editable,
	}
	if err := s.syncHead(x); err != nil {
		return nil, err
	}
	if len(x.pull.commits) == 0 {
		r.issues = r.issues[:len(r.issues)-1]
		r.nextIssue--
		return nil, invalid("PullRequest", "base", "custom", "No commits between "+spec.base+" and "+spec.headBranch)
	}
	s.emitPull(who, x, "opened", nil)
	return x, nil
}

// checkPull refuses a pull request that cannot be.
func (s *Server) checkPull(who *identity, r *repository, spec pullSpec) error {
	if err := who.check(r, writes(roleRead, "pull_requests")); err != nil {
		return err
	}
	same := func(x *issue) bool {
		return x.state == "open" && x.pull.headRepo == spec.headRepo && x.pull.headBranch == spec.headBranch && x.pull.base == spec.base
	}
	switch {
	case spec.title == "":
		return invalid("PullRequest", "title", "missing_field", "")
	case r.heads[spec.base] == "":
		return invalid("PullRequest", "base", "invalid", "")
	case spec.headRepo.heads[spec.headBranch] == "":
		return invalid("PullRequest", "head", "invalid", "")
	case find(r.pulls(), same) != nil:
		return invalid("PullRequest", "", "custom", "A pull request already exists for "+spec.headRepo.owner.login+":"+spec.headBranch+".")
	}
	return checkBody("PullRequest", spec.body, true)
}

// syncHead follows the head branch: objects of forks are fetched, the refs of
// the pull request move, and the merge is tried again.
func (s *Server) syncHead(x *issue) error {
	p, ref := x.pull, pullRef(x.number, "head")
	p.baseSHA = x.repo.heads[p.base]
	if x.isFork() {
		if err := x.repo.git.fetch(s.ctx, p.headRepo.git, p.headBranch, ref); err != nil {
			return err
		}
	} else if err := x.repo.git.setRef(s.ctx, ref, p.headSHA); err != nil {
		return err
	}
	return s.tryMerge(x)
}

// tryMerge computes the test merge with the tip of the base and what the pull
// request adds to it.
func (s *Server) tryMerge(x *issue) error {
	p, g, base := x.pull, x.repo.git, x.repo.heads[x.pull.base]
	p.lateMerge = s.faults.lagOf("mergeable")
	commits, err := g.commitsBetween(s.ctx, base, p.headSHA)
	if err != nil {
		return err
	}
	p.commits = commits
	p.mergeBase, _ = g.read.MergeBase(s.ctx, base, p.headSHA) // "" for unrelated histories
	tree, clean, err := g.merge(s.ctx, base, p.headSHA)
	if err != nil {
		return err
	}
	p.testMerge = ""
	if clean {
		by := signature{"GitHub", "noreply@github.com", s.now()}
		message := "Merge " + p.headSHA + " into " + base
		if p.testMerge, err = g.commitTree(s.ctx, tree, []string{base, p.headSHA}, message, by, by); err != nil {
			return err
		}
	}
	return g.setRef(s.ctx, pullRef(x.number, "merge"), p.testMerge)
}

// pullDiff returns the files that a pull request changes.
func (s *Server) pullDiff(x *issue) ([]fileChange, error) {
	p := x.pull
	from := p.mergeBase
	if from == "" {
		from = p.baseSHA
	}
	if key := from + ".." + p.headSHA; p.diffOf != key {
		list, err := x.repo.git.changes(s.ctx, from, p.headSHA, maxPullFiles)
		if err != nil {
			return nil, err
		}
		p.diffOf, p.diff = key, list
	}
	return p.diff, nil
}

// emitPull tells of a change of a pull request. pull_request runs the workflow
// files of the test merge, and nothing while there are conflicts;
// pull_request_target those of the base branch.
func (s *Server) emitPull(who *identity, x *issue, action string, extra doc) {
	p := x.pull
	payload := merged(doc{"number": x.number, "pull_request": s.pullDoc(x, true, true)}, extra)
	from := source{
		ref: pullRef(x.number, "merge"), sha: p.testMerge, commit: p.testMerge, headSHA: p.headSHA, headBranch: p.headBranch,
		headRepo: p.headRepo, pull: x, baseRef: p.base, headRef: p.headBranch, branch: p.base, fork: x.isFork(),
		paths: func() ([]string, error) { return x.repo.git.changedPaths(s.ctx, p.mergeBase, p.headSHA) },
	}
	target := from
	target.event, target.fork = "pull_request_target", false
	target.commit = x.repo.heads[p.base]
	target.ref, target.sha = "refs/heads/"+p.base, target.commit
	s.emit(happening{repo: x.repo, who: who, name: "pull_request", action: action, payload: payload, workflows: []source{from, target}})
}

// setDraft marks a pull request as draft or ready.
func (s *Server) setDraft(who *identity, x *issue, draft bool) error {
	least := roleWrite
	if who.user == x.author {
		least = roleRead
	}
	if err := who.check(x.repo, writes(least, "pull_requests")); err != nil {
		return err
	}
	if x.pull.draft == draft {
		return nil
	}
	x.pull.draft = draft
	line, action := "ready_for_review", "ready_for_review"
	if draft {
		line, action = "convert_to_draft", "converted_to_draft"
	}
	s.record(who, x, line, nil)
	s.emitPull(who, x, action, nil)
	return nil
}

// retarget changes the base branch.
func (s *Server) retarget(who *identity, x *issue, base string) error {
	p := x.pull
	switch {
	case base == p.base:
		return nil
	case x.repo.heads[base] == "":
		return invalid("PullRequest", "base", "invalid", "")
	}
	was := doc{"base": doc{"ref": doc{"from": p.base}, "sha": doc{"from": p.baseSHA}}}
	s.record(who, x, "base_ref_changed", nil)
	p.base, p.baseSHA = base, x.repo.heads[base]
	if err := s.tryMerge(x); err != nil {
		return err
	}
	s.emitPull(who, x, "edited", doc{"changes": was})
	return nil
}

// mergeSpec says how to merge.
type mergeSpec struct {
	method, title, message string
	sha                    string // the head must be this, "" for any
}

// mergePull merges a pull request and returns the commit.
func (s *Server) mergePull(who *identity, x *issue, m mergeSpec) (string, error) {
	if err := who.check(x.repo, writes(roleWrite, "contents")); err != nil {
		return "", err
	}
	p := x.pull
	switch {
	case p.draft:
		return "", refuse(http.StatusMethodNotAllowed, "Pull Request is still a draft")
	case x.state != "open" || p.testMerge == "":
		return "", refuse(http.StatusMethodNotAllowed, "Pull Request is not mergeable")
	case m.sha != "" && m.sha != p.headSHA:
		return "", refuse(http.StatusConflict, "Head branch was modified. Review and try the merge again.")
	}
	before := x.repo.heads[p.base]
	commit, err := s.mergeCommit(who, x, m)
	if err != nil {
		return "", err
	}
	if err := x.repo.git.setRef(s.ctx, "refs/heads/"+p.base, commit); err != nil {
		return "", err
	}
	s.closeMerged(who, x, commit)
	return commit, s.moved(who, x.repo, push{ref: "refs/heads/" + p.base, before: before, after: commit, onTop: true})
}

// mergeCommit makes the commit of a merge or squash.
func (s *Server) mergeCommit(who *identity, x *issue, m mergeSpec) (string, error) {
	p, g := x.pull, x.repo.git
	base := x.repo.heads[p.base]
	tree, clean, err := g.merge(s.ctx, base, p.headSHA)
	if err != nil || !clean {
		return "", err
	}
	parents := []string{base, p.headSHA}
	author := s.signature(who.user)
	title, message := defaultMerge(x)
	switch m.method {
	case "", "merge":
	case "squash":
		parents, author = parents[:1], s.signature(x.author)
		title, message = defaultSquash(x), s.squashMessage(x)
	default:
		return "", refuse(http.StatusMethodNotAllowed, "Rebase merges are not allowed on this repository.")
	}
	if m.title != "" {
		title = m.title
	}
	if m.message != "" {
		message = m.message
	}
	committer := signature{"GitHub", "noreply@github.com", author.when}
	return g.commitTree(s.ctx, tree, parents, joinMessage(title, message), author, committer)
}

// closeMerged ends a pull request as merged.
func (s *Server) closeMerged(who *identity, x *issue, commit string) {
	p, now := x.pull, s.now()
	p.merged, p.mergedBy, p.mergedAt, p.mergeSHA = true, who.user, now, commit
	x.state, x.closed, x.closedBy = "closed", now, who.user
	s.record(who, x, "merged", nil).commit = commit
	s.record(who, x, "closed", nil)
	s.emitPull(who, x, "closed", nil)
}

// openPullsOf lists open pull requests whose head is a branch of r.
func (s *Server) openPullsOf(r *repository, branch string) []*issue {
	var all []*issue
	for _, target := range s.repositories() {
		all = append(all, filter(target.pulls(), func(x *issue) bool {
			return x.state == "open" && x.pull.headRepo == r && x.pull.headBranch == branch
		})...)
	}
	return all
}

// pullsOfCommit lists the pull requests that contain or made a commit.
func (r *repository) pullsOfCommit(sha string) []*issue {
	return filter(r.pulls(), func(x *issue) bool {
		return x.pull.mergeSHA == sha || x.pull.headSHA == sha || slices.Contains(x.pull.commits, sha)
	})
}
