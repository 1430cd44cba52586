package sandbox

import (
	"slices"
	"time"
)

// comment is a comment of a conversation.
type comment struct {
	lag
	id        int64
	issue     *issue
	author    *user
	via       *app
	body      string
	created   time.Time
	updated   time.Time
	reactions []*reaction
}

// comment returns an issue comment of the repository, or nil.
func (r *repository) comment(id int64) *comment {
	for _, x := range r.issues {
		if c := find(x.comments, func(c *comment) bool { return c.id == id }); c != nil {
			return c
		}
	}
	return nil
}

// addComment writes a comment.
func (s *Server) addComment(who *identity, x *issue, body string) (*comment, error) {
	if err := who.check(x.repo, writes(roleRead, x.scopes()...)); err != nil {
		return nil, err
	}
	if err := checkBody("IssueComment", body, false); err != nil {
		return nil, err
	}
	now := s.now()
	c := &comment{
		lag: s.faults.lagOf("comments"), id: s.ids.take(kindComment), issue: x, author: who.user,
		via: who.through(), body: body, created: now, updated: now,
	}
	x.comments = append(x.comments, c)
	x.updated = now
	s.emitComment(who, c, "created", nil)
	return c, nil
}

// mayChange refuses a change of somebody's text. A person may change what is
// his own, and with write access what others wrote.
func (who *identity) mayChange(x *issue, author *user) error {
	least := roleWrite
	if who.user == author {
		least = roleRead
	}
	return who.check(x.repo, writes(least, x.scopes()...))
}

// editComment changes a comment. The sender of the event is the editor, who
// need not be the author.
func (s *Server) editComment(who *identity, c *comment, body string) error {
	if err := who.mayChange(c.issue, c.author); err != nil {
		return err
	}
	if err := checkBody("IssueComment", body, false); err != nil {
		return err
	}
	was := c.body
	c.body, c.updated = body, s.now()
	c.issue.updated = c.updated
	s.emitComment(who, c, "edited", doc{"changes": doc{"body": doc{"from": was}}})
	return nil
}

// deleteComment removes a comment.
func (s *Server) deleteComment(who *identity, c *comment) error {
	if err := who.mayChange(c.issue, c.author); err != nil {
		return err
	}
	c.issue.comments = slices.DeleteFunc(slices.Clone(c.issue.comments), func(o *comment) bool { return o == c })
	c.issue.updated = s.now()
	s.emitComment(who, c, "deleted", nil)
	return nil
}

func (s *Server) emitComment(who *identity, c *comment, action string, extra doc) {
	r := c.issue.repo
	payload := doc{"issue": s.issueDoc(c.issue, true), "comment": s.commentDoc(c, true)}
	s.emit(happening{repo: r, who: who, name: "issue_comment", action: action, payload: merged(payload, extra), workflows: s.onDefaultBranch(r)})
}

// reaction is one person's reaction to something.
type reaction struct {
	id      int64
	user    *user
	content string
	created time.Time
}

// reactionWords are the contents that GitHub knows.
var reactionWords = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

// react adds a reaction to a list. One that exists is returned instead, as
// GitHub does; added says which.
func (s *Server) react(who *identity, x *issue, list *[]*reaction, content string) (r *reaction, added bool, err error) {
	if err := who.check(x.repo, writes(roleRead, x.scopes()...)); err != nil {
		return nil, false, err
	}
	if !slices.Contains(reactionWords, content) {
		return nil, false, invalid("Reaction", "content", "invalid", "")
	}
	same := func(r *reaction) bool { return r.user == who.user && r.content == content }
	if old := find(*list, same); old != nil {
		return old, false, nil
	}
	r = &reaction{s.ids.take(kindReaction), who.user, content, s.now()}
	*list = append(*list, r)
	return r, true, nil
}

// unreact removes a reaction. Nobody removes those of others.
func (s *Server) unreact(who *identity, x *issue, list *[]*reaction, id int64) error {
	if err := who.check(x.repo, writes(roleRead, x.scopes()...)); err != nil {
		return err
	}
	i := slices.IndexFunc(*list, func(r *reaction) bool { return r.id == id && r.user == who.user })
	if i < 0 {
		return notFound()
	}
	*list = slices.Delete(*list, i, i+1)
	return nil
}
