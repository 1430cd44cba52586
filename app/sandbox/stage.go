package sandbox

import (
	"net/http"
	"strings"
	"time"
)

// fork returns a person's fork of a repository, making it if needed.
func (s *Server) fork(u *user, of *repository) (*repository, error) {
	if r := s.repo(u.login + "/" + of.name); r != nil {
		return r, nil
	}
	r, err := s.addRepo(u, of.name, of)
	if err != nil {
		return nil, err
	}
	if err := r.git.setRef(s.ctx, "refs/heads/"+of.defaultBranch, of.tip()); err != nil {
		return nil, err
	}
	_, err = s.refresh(s.ctx, r)
	return r, err
}

// locked runs something with the state locked.
func (s *Server) locked(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return do()
}

// DeleteFork deletes a person's fork; its pull requests keep no head
// repository (spec/security.md S39).
func (s *Server) DeleteFork(login string) error {
	return s.locked(func() error {
		r := s.repo(login + "/" + s.main.name)
		if r == nil || r.parent == nil {
			return notFound()
		}
		for _, x := range s.main.pulls() {
			if x.pull.headRepo != r {
				continue
			}
			x.pull.headRepo = nil
			if x.state == "open" {
				if err := s.setState(personal(r.owner), x, "closed", ""); err != nil {
					return err
				}
			}
		}
		delete(s.repos, lower(r.fullName()))
		return r.git.read.Close()
	})
}

// AddRepository adds a repository, such as one that receives dispatches. It is
// of the same owner, unless the name is owner/name: then of an organisation,
// which is made if needed. It has one commit.
func (s *Server) AddRepository(name string, files map[string]string) error {
	return s.locked(func() error {
		owner := s.main.owner
		if login, short, other := strings.Cut(name, "/"); other {
			if owner = s.user(login); owner == nil {
				owner = s.addUser(login, "", "Organization")
			}
			name = short
		}
		if s.repo(owner.login+"/"+name) != nil {
			return unprocessable("name already exists on this account")
		}
		r, err := s.addRepo(owner, name, nil)
		if err != nil {
			return err
		}
		for id, a := range s.main.roles {
			r.roles[id] = a
		}
		content := Edit{Files: map[string]string{"README.md": "# " + name + "\n"}}.blobs()
		for path, text := range files {
			content[path] = blob{modeFile, []byte(text)}
		}
		tip, err := r.git.commit(s.ctx, newCommit{branch: r.defaultBranch, files: content, message: "Initial commit", author: s.signature(r.owner)})
		r.heads[r.defaultBranch] = tip
		s.registerWorkflows(r)
		return err
	})
}

// SetRole changes what a person may do in the sample repository from now on.
func (s *Server) SetRole(login, roleName string) error {
	return s.onUser(login, func(u *user) error {
		rl, known := parseRole(roleName)
		if !known {
			return unprocessable("there is no role %q", roleName)
		}
		a := s.main.roles[u.id]
		a.role = rl
		s.main.roles[u.id] = a
		return nil
	})
}

// Suspend suspends an account: its tokens are refused.
func (s *Server) Suspend(login string) error {
	return s.onUser(login, func(u *user) error { u.suspended = true; return nil })
}

// DeleteUser deletes an account. What it wrote stays, without a user.
func (s *Server) DeleteUser(login string) error {
	return s.onUser(login, func(u *user) error { u.deleted = true; return nil })
}

func (s *Server) onUser(login string, do func(u *user) error) error {
	return s.locked(func() error {
		u := s.user(login)
		if u == nil {
			return refuse(http.StatusNotFound, "there is no user %s", login)
		}
		return do(u)
	})
}

// SetAppWebhook lets the App's deliveries go to an address on this machine,
// signed with a secret.
func (s *Server) SetAppWebhook(address, secret string) error {
	return s.locked(func() error {
		if k := s.app.hook; k != nil {
			if !isLocal(address) {
				return unprocessable("%s is not on this machine", address)
			}
			k.url, k.secret = address, secret
			return nil
		}
		return s.setAppHook(Hook{URL: address, Secret: secret, Events: s.opt.App.Events})
	})
}

// AddHook adds a webhook to the sample repository.
func (s *Server) AddHook(h Hook) error {
	return s.locked(func() error {
		_, err := s.newHook(s.main, h)
		return err
	})
}

// SetNextRunID and SetNextPR let a story have the numbers of the thread that
// it retells. Both must be new.
func (s *Server) SetNextRunID(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids.from(kindRun, id)
}

// SetNextPR sets the number of the next issue or pull request.
func (s *Server) SetNextPR(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.main.nextIssue = number - 1
}

// PullState is what a story asks of a pull request.
type PullState struct {
	Number                   int
	Title, State             string
	Draft, Merged, Mergeable bool
	Base, HeadRepo, Head     string
	HeadSHA, MergeSHA        string // MergeSHA is the test merge, or what merging made
	Labels, Commits          []string
}

// Pull returns the state of a pull request.
func (s *Server) Pull(number int) (PullState, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.main.pull(number)
	if x == nil {
		return PullState{}, false
	}
	p := x.pull
	out := PullState{
		Number: number, Title: x.title, State: x.state, Draft: p.draft, Merged: p.merged, Mergeable: p.testMerge != "", Base: p.base,
		Head: p.headBranch, HeadSHA: p.headSHA, MergeSHA: p.testMerge, Commits: p.commits,
		Labels: convert(x.labels, func(l *label) string { return l.name }),
	}
	if p.merged {
		out.MergeSHA = p.mergeSHA
	}
	if p.headRepo != nil {
		out.HeadRepo = p.headRepo.fullName()
	}
	return out, true
}

// CommentState is a comment as a story sees it.
type CommentState struct {
	ID           int64
	Author, Body string
	Reactions    []string // "content by login"
	Created      time.Time
}

// Comments returns the conversation of an issue or pull request.
func (s *Server) Comments(number int) []CommentState {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.main.issue(number)
	if x == nil {
		return nil
	}
	return convert(x.comments, func(c *comment) CommentState {
		return CommentState{
			ID: c.id, Author: c.author.login, Body: c.body, Created: c.created,
			Reactions: convert(c.reactions, func(r *reaction) string { return r.content + " by " + r.user.login }),
		}
	})
}

// RunState is a workflow run as a story sees it.
type RunState struct {
	ID                         int64
	Attempt                    int
	Workflow, Path, Event      string
	Title, Status, Conclusion  string
	HeadSHA, SHA, WorkflowSHA  string
	Jobs                       []JobResult // of the newest attempt
	Artifacts                  []string
	ReadOnlyToken, WithSecrets bool
}

// Runs returns the runs of the sample repository, oldest first.
func (s *Server) Runs() []RunState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return convert(s.main.runs, func(u *run) RunState {
		return RunState{
			ID: u.id, Attempt: u.last().number, Workflow: u.workflow.name, Path: u.workflow.path, Event: u.event, Title: u.title,
			Status: u.status, Conclusion: u.conclusion, HeadSHA: u.src.headSHA, SHA: u.src.sha, WorkflowSHA: u.src.commit,
			ReadOnlyToken: u.src.fork, WithSecrets: u.secrets,
			Jobs:      convert(u.last().jobs, func(j *job) JobResult { return JobResult{j.check.name, j.check.conclusion} }),
			Artifacts: convert(u.artifacts(), func(a *artifact) string { return a.name }),
		}
	})
}

// Run returns the handle of the newest attempt of a run, to report in the
// place of an engine.
func (s *Server) Run(id int64) (*RunHandle, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.main.run(id)
	if u == nil {
		return nil, false
	}
	return &RunHandle{s, u, u.last()}, true
}

// TipOf is [Server.Tip] for any repository, named owner/name.
func (s *Server) TipOf(repository, branch string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.repo(repository); r != nil {
		return r.heads[branch]
	}
	return ""
}

// Tip returns the commit of a branch of the sample repository, or "".
func (s *Server) Tip(branch string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.main.heads[branch]
}
