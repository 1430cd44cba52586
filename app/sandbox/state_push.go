package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// noCommit is how git and webhooks write the absence of a commit.
const noCommit = "0000000000000000000000000000000000000000"

// push is a ref that moved.
type push struct {
	ref           string
	before, after string // "" for a ref that is new or gone
	onTop         bool   // after is known to follow before
	forced        bool
}

// branch returns the name of a moved branch.
func (p push) branch() (string, bool) { return strings.CutPrefix(p.ref, "refs/heads/") }

// refresh reads the refs of a repository again and returns what moved.
func (s *Server) refresh(ctx context.Context, r *repository) ([]push, error) {
	refs, err := r.git.refs(ctx)
	if err != nil {
		return nil, err
	}
	heads, tags := make(map[string]string), make(map[string]string)
	for ref, oid := range refs {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
			heads[name] = oid
		}
		if name, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
			tags[name] = oid
		}
	}
	moved := append(movedRefs("refs/heads/", r.heads, heads), movedRefs("refs/tags/", r.tags, tags)...)
	slices.SortFunc(moved, func(a, b push) int { return cmp.Compare(a.ref, b.ref) })
	r.heads, r.tags = heads, tags
	return moved, nil
}

func movedRefs(prefix string, was, is map[string]string) []push {
	var moved []push
	for name, oid := range is {
		if was[name] != oid {
			moved = append(moved, push{ref: prefix + name, before: was[name], after: oid})
		}
	}
	for name, oid := range was {
		if is[name] == "" {
			moved = append(moved, push{ref: prefix + name, before: oid})
		}
	}
	return moved
}

// moved lets everything that hangs on a ref follow it: pull requests from and
// onto the branch, the list of workflows, and the events.
func (s *Server) moved(who *identity, r *repository, p push) error {
	r.place(p)
	r.pushed = s.now()
	p.forced = !p.onTop && p.before != "" && p.after != "" && !r.git.contains(s.ctx, p.after, p.before)
	branch, ok := p.branch()
	if ok && branch == r.defaultBranch {
		s.registerWorkflows(r)
	}
	s.emitPush(who, r, p)
	s.recordPush(who, r, p)
	if !ok {
		return nil
	}
	for _, x := range s.openPullsOf(r, branch) {
		if err := s.headMoved(who, x, p); err != nil {
			return err
		}
	}
	return s.baseMoved(who, r, branch)
}

// place remembers where a ref is.
func (r *repository) place(p push) {
	names, name := r.tags, strings.TrimPrefix(p.ref, "refs/tags/")
	if branch, ok := p.branch(); ok {
		names, name = r.heads, branch
	}
	if names[name] = p.after; p.after == "" {
		delete(names, name)
	}
}

// headMoved lets a pull request follow its head branch.
func (s *Server) headMoved(who *identity, x *issue, p push) error {
	pr := x.pull
	if p.after == "" {
		return s.setState(who, x, "closed", "")
	}
	pr.shownHead, pr.lateHead = pr.headSHA, s.faults.lagOf("pulls")
	pr.headSHA = p.after
	if err := s.syncHead(x); err != nil {
		return err
	}
	if p.forced {
		s.record(who, x, "head_ref_force_pushed", nil).commit = p.after
	}
	x.updated = s.now()
	s.emitPull(who, x, "synchronize", doc{"before": p.before, "after": p.after})
	return nil
}

// baseMoved tries the merges onto a branch again. A pull request whose head the
// branch now contains is merged.
func (s *Server) baseMoved(who *identity, r *repository, branch string) error {
	tip := r.heads[branch]
	for _, x := range r.pulls() {
		if x.state != "open" || x.pull.base != branch {
			continue
		}
		switch {
		case tip == "":
			if err := s.setState(who, x, "closed", ""); err != nil {
				return err
			}
		case len(x.pull.commits) > 0 && r.git.contains(s.ctx, tip, x.pull.headSHA):
			s.closeMerged(who, x, tip)
		default:
			if err := s.tryMerge(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// emitPush tells of a moved ref and starts the workflows of the pushed commit.
func (s *Server) emitPush(who *identity, r *repository, p push) {
	from := source{commit: p.after, ref: p.ref, sha: p.after, headSHA: p.after, headRepo: r}
	if branch, ok := p.branch(); ok {
		from.branch, from.headBranch = branch, branch
	} else {
		from.tag = strings.TrimPrefix(p.ref, "refs/tags/")
		from.headBranch = from.tag
	}
	from.paths = func() ([]string, error) { return r.git.changedPaths(s.ctx, p.before, p.after) }
	var sources []source
	if p.after != "" {
		sources = []source{from}
	}
	s.emit(happening{repo: r, who: who, name: "push", payload: s.pushDoc(who, r, p), workflows: sources})
}

// commitFiles writes a commit on a branch, creating the branch from start if it
// does not exist.
func (s *Server) commitFiles(who *identity, r *repository, branch, start, message string, files map[string]blob) (string, error) {
	if err := who.check(r, writes(roleWrite, "contents")); err != nil {
		return "", err
	}
	before := r.heads[branch]
	parent := cmp.Or(before, start)
	if parent == "" {
		return "", unprocessable("Branch %s not found", branch)
	}
	after, err := r.git.commit(s.ctx, newCommit{
		branch: branch, parents: []string{parent}, files: files, message: message, author: s.signature(who.user),
	})
	if err != nil {
		return "", err
	}
	return after, s.moved(who, r, push{ref: "refs/heads/" + branch, before: before, after: after, onTop: true})
}

// signature is a person's in a commit made now.
func (s *Server) signature(u *user) signature {
	if u == nil {
		return signature{"nobody", "nobody@users.noreply.github.com", s.now()}
	}
	return signature{cmp.Or(u.name, u.login), u.email(), s.now()}
}

// pullRef is the ref under which git clients find a pull request.
func pullRef(number int, what string) string { return fmt.Sprintf("refs/pull/%d/%s", number, what) }

// defaultMerge is the message of a merge commit.
func defaultMerge(x *issue) (title, message string) {
	return fmt.Sprintf("Merge pull request #%d from %s/%s", x.number, x.pull.headOwner.login, x.pull.headBranch), x.title
}

func defaultSquash(x *issue) string { return fmt.Sprintf("%s (#%d)", x.title, x.number) }

// squashMessage lists the messages of the commits, as GitHub does; so a mark
// in one of them reaches the default branch (known failure F25).
func (s *Server) squashMessage(x *issue) string {
	commits, err := x.repo.git.read.Commits(s.ctx, x.pull.commits...)
	if err != nil || len(commits) < 2 {
		return ""
	}
	return strings.Join(convert(commits, func(c gitCommit) string { return "* " + strings.TrimSpace(c.Message) }), "\n\n")
}

func joinMessage(title, message string) string {
	if message == "" {
		return title
	}
	return title + "\n\n" + message
}
