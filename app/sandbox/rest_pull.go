package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// pullRoutes are pull requests.
var pullRoutes = []route{
	{"GET /repos/{owner}/{repo}/pulls", reads("pull_requests"), listPulls},
	{"POST /repos/{owner}/{repo}/pulls", anyone, postPull},
	{"GET /repos/{owner}/{repo}/pulls/{number}", reads("pull_requests", "contents"), getPull},
	{"PATCH /repos/{owner}/{repo}/pulls/{number}", anyone, patchPull},
	{"GET /repos/{owner}/{repo}/pulls/{number}/files", reads("pull_requests"), listFiles},
	{"GET /repos/{owner}/{repo}/pulls/{number}/commits", reads("pull_requests"), listPullCommits},
	{"GET /repos/{owner}/{repo}/pulls/{number}/merge", reads("pull_requests"), isMerged},
	{"PUT /repos/{owner}/{repo}/pulls/{number}/merge", anyone, putMerge},
	{"PUT /repos/{owner}/{repo}/pulls/{number}/update-branch", anyone, updateBranch},
}

// pull returns the pull request of a path.
func (c *call) pull() (*issue, error) {
	n, err := c.number("number")
	if err != nil {
		return nil, err
	}
	if x := c.repo.pull(int(n)); x != nil {
		return x, nil
	}
	return nil, notFound()
}

// isState compares a state with a filter: open by default, or all.
func isState(state, wanted string) bool {
	return wanted == "all" || state == cmp.Or(wanted, "open")
}

func listPulls(c *call) (any, error) {
	head, base := c.query("head"), c.query("base")
	list := filter(c.repo.pulls(), func(x *issue) bool {
		name := x.pull.headOwner.login + ":" + x.pull.headBranch
		return isState(x.state, c.query("state")) && (head == "" || head == name || !strings.Contains(head, ":")) && (base == "" || base == x.pull.base)
	})
	return convert(page(c, c.sorted(list)), func(x *issue) doc { return c.s.pullDoc(x, false, false) }), nil
}

// sorted orders issues as asked: newest first by default.
func (c *call) sorted(list []*issue) []*issue {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *issue) int {
		if strings.HasPrefix(c.query("sort"), "updated") {
			return a.updated.Compare(b.updated)
		}
		return cmp.Compare(a.number, b.number)
	})
	if c.query("direction") != "asc" {
		slices.Reverse(list)
	}
	return list
}

func postPull(c *call) (any, error) {
	var in struct {
		Title, Body, Head, Base string
		Draft                   bool
		Editable                *bool `json:"maintainer_can_modify"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	from, branch := c.repo, in.Head
	if owner, rest, ok := strings.Cut(in.Head, ":"); ok {
		branch = rest
		from = find(c.s.repositories(), func(r *repository) bool {
			return strings.EqualFold(r.owner.login, owner) && (r == c.repo || r.parent == c.repo)
		})
	}
	if from == nil {
		return nil, invalid("PullRequest", "head", "invalid", "")
	}
	x, err := c.s.openPull(c.who, c.repo, pullSpec{
		title: in.Title, body: in.Body, base: in.Base, headRepo: from, headBranch: branch, draft: in.Draft, editable: in.Editable == nil || *in.Editable,
	})
	if err != nil {
		return nil, err
	}
	return c.created(c.s.pullDoc(x, true, false))
}

func getPull(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	for media, command := range map[string][]string{
		"diff":  {"diff", x.pull.mergeBase, x.pull.headSHA},
		"patch": {"format-patch", "--stdout", x.pull.mergeBase + ".." + x.pull.headSHA},
	} {
		if c.wants("application/vnd.github."+media) || c.wants("application/vnd.github.v3."+media) {
			text, err := c.repo.git.git(c.s.ctx, command...)
			return raw{"application/vnd.github." + media + "; charset=utf-8", []byte(text)}, err
		}
	}
	return c.s.pullDoc(x, true, false), nil
}

// issueFields are the body of a change of an issue or pull request.
type issueFields struct {
	Title, Body, State, Base *string
	Reason                   string `json:"state_reason"`
	Labels                   *[]any `json:"labels"`
}

// labelNames reads labels, which may be names or documents.
func labelNames(list []any) []string {
	var names []string
	for _, x := range list {
		switch l := x.(type) {
		case string:
			names = append(names, l)
		case map[string]any:
			if name, ok := l["name"].(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

func patchPull(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	var in issueFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.editIssue(c.who, x, edit{title: in.Title, body: in.Body, state: in.State}); err != nil {
		return nil, err
	}
	if in.Base != nil {
		if err := c.s.retarget(c.who, x, *in.Base); err != nil {
			return nil, err
		}
	}
	return c.s.pullDoc(x, true, false), nil
}

func listFiles(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	files, err := c.s.pullDiff(x)
	if err != nil {
		return nil, err
	}
	return convert(page(c, files), func(f fileChange) doc { return c.s.fileDoc(c.repo, f, x.pull.headSHA) }), nil
}

// maxPullCommits is how many commits of a pull request the API lists.
const maxPullCommits = 250

func listPullCommits(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	list := x.pull.commits
	return c.commits(page(c, list[:min(len(list), maxPullCommits)]))
}

func isMerged(c *call) (any, error) {
	x, err := c.pull()
	if err == nil && !x.pull.merged {
		err = notFound()
	}
	return nil, err
}

func putMerge(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	var in struct {
		Title   string `json:"commit_title"`
		Message string `json:"commit_message"`
		Method  string `json:"merge_method"`
		SHA     string `json:"sha"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	sha, err := c.s.mergePull(c.who, x, mergeSpec{method: in.Method, title: in.Title, message: in.Message, sha: in.SHA})
	if err != nil {
		return nil, err
	}
	return doc{"sha": sha, "merged": true, "message": "Pull Request successfully merged"}, nil
}

// updateBranch merges the base into the head branch.
func updateBranch(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	var in struct {
		Expected string `json:"expected_head_sha"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if in.Expected != "" && in.Expected != x.pull.headSHA {
		return nil, unprocessable("expected head sha didn’t match current head ref.")
	}
	if err := c.s.mergeBase(c.who, x); err != nil {
		return nil, err
	}
	c.status = http.StatusAccepted
	return doc{"message": "Updating pull request branch.", "url": c.s.pullURL(x)}, nil
}

// mergeBase merges the base branch of a pull request into its head branch.
func (s *Server) mergeBase(who *identity, x *issue) error {
	p := x.pull
	if p.headRepo == nil {
		return unprocessable("head repository is gone")
	}
	if err := who.check(p.headRepo, writes(roleWrite, "contents")); err != nil && !p.editable {
		return err
	}
	base, g := x.repo.heads[p.base], p.headRepo.git
	tree, clean, err := x.repo.git.merge(s.ctx, p.headSHA, base)
	switch {
	case err != nil:
		return err
	case !clean:
		return unprocessable("merge conflict between base and head")
	}
	by := s.signature(who.user)
	message := "Merge branch '" + p.base + "' into " + p.headBranch
	sha, err := x.repo.git.commitTree(s.ctx, tree, []string{p.headSHA, base}, message, by, by)
	if err != nil {
		return err
	}
	ref := "refs/heads/" + p.headBranch
	if p.headRepo == x.repo {
		err = g.setRef(s.ctx, ref, sha)
	} else if err = x.repo.git.setRef(s.ctx, "refs/heads/sandbox-update", sha); err == nil {
		err = g.fetch(s.ctx, x.repo.git, "sandbox-update", ref)
		_ = x.repo.git.setRef(s.ctx, "refs/heads/sandbox-update", "") // only there to be fetched
	}
	if err != nil {
		return err
	}
	return s.moved(who, p.headRepo, push{ref: ref, before: p.headSHA, after: sha, onTop: true})
}
