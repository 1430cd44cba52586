package sandbox

import (
	"context"
	"net/http"
)

// Person acts in the name of a made-up user, with that user's rights. It is how
// stories are told; errors are *APIError where GitHub would refuse.
type Person struct {
	s     *Server
	login string
}

// As returns somebody to act as.
func (s *Server) As(login string) *Person { return &Person{s, login} }

// do runs one action with the state locked.
func (p *Person) do(ctx context.Context, action func(who *identity) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	u := p.s.user(p.login)
	switch {
	case u == nil:
		return refuse(http.StatusNotFound, "there is no user %s", p.login)
	case u.suspended:
		return refuse(http.StatusForbidden, "Sorry. Your account was suspended.")
	}
	return action(personal(u))
}

// onIssue is do with an issue or pull request of the sample repository.
func (p *Person) onIssue(ctx context.Context, number int, action func(who *identity, x *issue) error) error {
	return p.do(ctx, func(who *identity) error {
		x := p.s.main.issue(number)
		if x == nil {
			return notFound()
		}
		return action(who, x)
	})
}

// onPull is do with a pull request.
func (p *Person) onPull(ctx context.Context, number int, action func(who *identity, x *issue) error) error {
	return p.onIssue(ctx, number, func(who *identity, x *issue) error {
		if x.pull == nil {
			return notFound()
		}
		return action(who, x)
	})
}

// onRun is do with a workflow run.
func (p *Person) onRun(ctx context.Context, id int64, action func(who *identity, u *run) error) error {
	return p.do(ctx, func(who *identity) error {
		u := p.s.main.run(id)
		if u == nil {
			return notFound()
		}
		return action(who, u)
	})
}

// Edit is a commit: files to write, by path, and files to delete.
type Edit struct {
	Message    string
	Files      map[string]string
	Executable map[string]string
	Delete     []string
}

func (e Edit) blobs() map[string]blob {
	files := make(map[string]blob)
	for name, text := range e.Files {
		files[name] = blob{modeFile, []byte(text)}
	}
	for name, text := range e.Executable {
		files[name] = blob{modeExecutable, []byte(text)}
	}
	for _, name := range e.Delete {
		files[name] = blob{}
	}
	return files
}

// message is that of the commit.
func (e Edit) message() string {
	if e.Message == "" {
		return "Update files"
	}
	return e.Message
}

// PullSpec is a pull request to be opened.
type PullSpec struct {
	Title, Body string
	// Branch is the head; it is made from the base unless it exists. Base is
	// the target, by default the default branch.
	Branch, Base string
	// Fork puts the branch in the person's fork, making it if needed.
	Fork  bool
	Draft bool
	// Edit is the first commit; it may be empty for a branch that exists.
	Edit   Edit
	Labels []string
}

// OpenPR opens a pull request and returns its number.
func (p *Person) OpenPR(ctx context.Context, spec PullSpec) (int, error) {
	number := 0
	err := p.do(ctx, func(who *identity) error {
		s, head := p.s, p.s.main
		if spec.Base == "" {
			spec.Base = head.defaultBranch
		}
		if spec.Fork {
			var err error
			if head, err = s.fork(who.user, s.main); err != nil {
				return err
			}
		}
		if files := spec.Edit.blobs(); len(files) > 0 {
			if _, err := s.commitFiles(who, head, spec.Branch, s.main.heads[spec.Base], spec.Edit.message(), files); err != nil {
				return err
			}
		}
		x, err := s.openPull(who, s.main, pullSpec{
			title: spec.Title, body: spec.Body, base: spec.Base, headRepo: head, headBranch: spec.Branch, draft: spec.Draft, editable: true,
		})
		if err != nil {
			return err
		}
		number = x.number
		if len(spec.Labels) == 0 {
			return nil
		}
		return s.addLabels(who, x, spec.Labels)
	})
	return number, err
}

// Push commits to the head branch of a pull request and returns the commit.
func (p *Person) Push(ctx context.Context, number int, e Edit) (sha string, err error) {
	err = p.onPull(ctx, number, func(who *identity, x *issue) error {
		if x.pull.headRepo == nil {
			return notFound()
		}
		sha, err = p.s.commitFiles(who, x.pull.headRepo, x.pull.headBranch, "", e.message(), e.blobs())
		return err
	})
	return sha, err
}

// PushBranch commits to a branch of the sample repository, making it from the
// default branch if needed, and returns the commit.
func (p *Person) PushBranch(ctx context.Context, branch string, e Edit) (sha string, err error) {
	err = p.do(ctx, func(who *identity) error {
		sha, err = p.s.commitFiles(who, p.s.main, branch, p.s.main.tip(), e.message(), e.blobs())
		return err
	})
	return sha, err
}

// ForcePush sets the head branch of a pull request to a commit that the
// repository has, such as an older one.
func (p *Person) ForcePush(ctx context.Context, number int, sha string) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error {
		head := x.pull.headRepo
		if head == nil || head.git.resolve(p.s.ctx, sha) != sha {
			return notFound()
		}
		if err := who.check(head, writes(roleWrite, "contents")); err != nil {
			return err
		}
		ref := "refs/heads/" + x.pull.headBranch
		if err := head.git.setRef(p.s.ctx, ref, sha); err != nil {
			return err
		}
		return p.s.moved(who, head, push{ref: ref, before: x.pull.headSHA, after: sha})
	})
}

// UpdateBranch merges the base into the head branch of a pull request.
func (p *Person) UpdateBranch(ctx context.Context, number int) error {
	return p.onPull(ctx, number, p.s.mergeBase)
}

// AddLabel puts a label on an issue or pull request.
func (p *Person) AddLabel(ctx context.Context, number int, name string) error {
	return p.onIssue(ctx, number, func(who *identity, x *issue) error { return p.s.addLabels(who, x, []string{name}) })
}

// RemoveLabel takes a label off.
func (p *Person) RemoveLabel(ctx context.Context, number int, name string) error {
	return p.onIssue(ctx, number, func(who *identity, x *issue) error { return p.s.removeLabel(who, x, name) })
}

// Comment writes a comment and returns its id.
func (p *Person) Comment(ctx context.Context, number int, body string) (id int64, err error) {
	err = p.onIssue(ctx, number, func(who *identity, x *issue) error {
		c, err := p.s.addComment(who, x, body)
		if err == nil {
			id = c.id
		}
		return err
	})
	return id, err
}

// EditComment changes a comment, his own or, with write access, somebody's.
func (p *Person) EditComment(ctx context.Context, id int64, body string) error {
	return p.onComment(ctx, id, func(who *identity, c *comment) error { return p.s.editComment(who, c, body) })
}

// DeleteComment removes a comment.
func (p *Person) DeleteComment(ctx context.Context, id int64) error {
	return p.onComment(ctx, id, p.s.deleteComment)
}

// React adds a reaction such as "eyes" to a comment.
func (p *Person) React(ctx context.Context, commentID int64, content string) error {
	return p.onComment(ctx, commentID, func(who *identity, c *comment) error {
		_, _, err := p.s.react(who, c.issue, &c.reactions, content)
		return err
	})
}

func (p *Person) onComment(ctx context.Context, id int64, action func(who *identity, c *comment) error) error {
	return p.do(ctx, func(who *identity) error {
		c := p.s.main.comment(id)
		if c == nil {
			return notFound()
		}
		return action(who, c)
	})
}

// Review reviews a pull request: COMMENT, APPROVE or REQUEST_CHANGES. It
// returns the id.
func (p *Person) Review(ctx context.Context, number int, event, body string) (id int64, err error) {
	err = p.onPull(ctx, number, func(who *identity, x *issue) error {
		rv, err := p.s.addReview(who, x, event, body, "", nil)
		if err == nil {
			id = rv.id
		}
		return err
	})
	return id, err
}

// EditReview changes the text of a review, his own or, with write access,
// somebody's.
func (p *Person) EditReview(ctx context.Context, number int, id int64, body string) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error {
		rv, err := x.review(id)
		if err != nil {
			return err
		}
		return p.s.editReview(who, rv, body)
	})
}

// EditLineComment changes a review comment, his own or, with write access,
// somebody's.
func (p *Person) EditLineComment(ctx context.Context, number int, id int64, body string) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error {
		n := x.repo.note(id)
		if n == nil {
			return notFound()
		}
		return p.s.editNote(who, n, body)
	})
}

// CommentOnLine writes a review comment and returns its id.
func (p *Person) CommentOnLine(ctx context.Context, number int, path string, line int, body string) (id int64, err error) {
	err = p.onPull(ctx, number, func(who *identity, x *issue) error {
		n, err := p.s.addNote(who, x, note{path: path, line: line, body: body})
		if err == nil {
			id = n.id
		}
		return err
	})
	return id, err
}

// Merge merges a pull request by "merge" or "squash" and returns the commit.
func (p *Person) Merge(ctx context.Context, number int, method string) (sha string, err error) {
	err = p.onPull(ctx, number, func(who *identity, x *issue) error {
		sha, err = p.s.mergePull(who, x, mergeSpec{method: method})
		return err
	})
	return sha, err
}

// Close closes an issue or pull request.
func (p *Person) Close(ctx context.Context, number int) error { return p.state(ctx, number, "closed") }

// Reopen opens it again.
func (p *Person) Reopen(ctx context.Context, number int) error { return p.state(ctx, number, "open") }

func (p *Person) state(ctx context.Context, number int, state string) error {
	return p.onIssue(ctx, number, func(who *identity, x *issue) error { return p.s.editIssue(who, x, edit{state: &state}) })
}

// EditPR changes title and body; empty ones stay.
func (p *Person) EditPR(ctx context.Context, number int, title, body string) error {
	return p.onIssue(ctx, number, func(who *identity, x *issue) error {
		var e edit
		if title != "" {
			e.title = &title
		}
		if body != "" {
			e.body = &body
		}
		return p.s.editIssue(who, x, e)
	})
}

// Retarget changes the base branch of a pull request.
func (p *Person) Retarget(ctx context.Context, number int, base string) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error { return p.s.retarget(who, x, base) })
}

// MarkReady takes a pull request out of draft.
func (p *Person) MarkReady(ctx context.Context, number int) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error { return p.s.setDraft(who, x, false) })
}

// MarkDraft makes it a draft again.
func (p *Person) MarkDraft(ctx context.Context, number int) error {
	return p.onPull(ctx, number, func(who *identity, x *issue) error { return p.s.setDraft(who, x, true) })
}

// Dispatch starts a workflow by hand and returns the run.
func (p *Person) Dispatch(ctx context.Context, file, ref string, inputs map[string]string) (id int64, err error) {
	err = p.do(ctx, func(who *identity) error {
		w := p.s.main.workflow(file)
		if w == nil {
			return notFound()
		}
		u, err := p.s.dispatch(who, p.s.main, w, ref, inputs)
		if err == nil {
			id = u.id
		}
		return err
	})
	return id, err
}

// Rerun runs a finished run again, all of it or what failed.
func (p *Person) Rerun(ctx context.Context, id int64, failedOnly bool) error {
	pick := failed
	if !failedOnly {
		pick = nil
	}
	return p.onRun(ctx, id, func(who *identity, u *run) error { return p.s.rerun(who, u, pick) })
}

// Cancel cancels a run.
func (p *Person) Cancel(ctx context.Context, id int64) error {
	return p.onRun(ctx, id, func(who *identity, u *run) error { return p.s.cancelRun(who, u, false) })
}
