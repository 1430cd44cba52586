package sandbox

import (
	"net/http"
	"slices"
)

// commentRoutes are comments and reactions.
var commentRoutes = []route{
	{"GET /repos/{owner}/{repo}/issues/{number}/comments", reads("issues", "pull_requests"), listComments},
	{"POST /repos/{owner}/{repo}/issues/{number}/comments", anyone, postComment},
	{"GET /repos/{owner}/{repo}/issues/comments", reads("issues", "pull_requests"), allComments},
	{"GET /repos/{owner}/{repo}/issues/comments/{id}", reads("issues", "pull_requests"), getComment},
	{"PATCH /repos/{owner}/{repo}/issues/comments/{id}", anyone, patchComment},
	{"DELETE /repos/{owner}/{repo}/issues/comments/{id}", anyone, deleteComment},
	{"GET /repos/{owner}/{repo}/issues/comments/{id}/reactions", reads("issues", "pull_requests"), listReactions(onComment)},
	{"POST /repos/{owner}/{repo}/issues/comments/{id}/reactions", anyone, postReaction(onComment)},
	{"DELETE /repos/{owner}/{repo}/issues/comments/{id}/reactions/{reaction}", anyone, deleteReaction(onComment)},
	{"GET /repos/{owner}/{repo}/issues/{number}/reactions", reads("issues", "pull_requests"), listReactions(onIssue)},
	{"POST /repos/{owner}/{repo}/issues/{number}/reactions", anyone, postReaction(onIssue)},
	{"DELETE /repos/{owner}/{repo}/issues/{number}/reactions/{reaction}", anyone, deleteReaction(onIssue)},
	{"GET /repos/{owner}/{repo}/pulls/comments/{id}/reactions", reads("pull_requests"), listReactions(onNote)},
	{"POST /repos/{owner}/{repo}/pulls/comments/{id}/reactions", anyone, postReaction(onNote)},
	{"DELETE /repos/{owner}/{repo}/pulls/comments/{id}/reactions/{reaction}", anyone, deleteReaction(onNote)},
}

func listComments(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	since := c.since()
	list := filter(seen(x.comments), func(m *comment) bool { return !m.updated.Before(since) })
	return convert(page(c, list), func(m *comment) doc { return c.s.commentDoc(m, false) }), nil
}

func allComments(c *call) (any, error) {
	var list []*comment
	for _, x := range c.repo.issues {
		list = append(list, x.comments...)
	}
	list = filter(list, func(m *comment) bool { return !m.updated.Before(c.since()) })
	slices.SortFunc(list, func(a, b *comment) int { return int(a.id - b.id) })
	if c.query("direction") == "desc" {
		slices.Reverse(list)
	}
	return convert(page(c, list), func(m *comment) doc { return c.s.commentDoc(m, false) }), nil
}

// words is the body of a comment.
type words struct{ Body string }

func postComment(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	var in words
	if err := c.body(&in); err != nil {
		return nil, err
	}
	m, err := c.s.addComment(c.who, x, in.Body)
	if err != nil {
		return nil, err
	}
	return c.created(c.s.commentDoc(m, false))
}

// comment returns the issue comment of a path.
func (c *call) comment() (*comment, error) {
	id, err := c.number("id")
	if err != nil {
		return nil, err
	}
	if m := c.repo.comment(id); m != nil {
		return m, nil
	}
	return nil, notFound()
}

func getComment(c *call) (any, error) {
	m, err := c.comment()
	if err != nil {
		return nil, err
	}
	return c.s.commentDoc(m, false), nil
}

func patchComment(c *call) (any, error) {
	m, err := c.comment()
	if err != nil {
		return nil, err
	}
	var in words
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.editComment(c.who, m, in.Body); err != nil {
		return nil, err
	}
	return c.s.commentDoc(m, false), nil
}

func deleteComment(c *call) (any, error) {
	m, err := c.comment()
	if err != nil {
		return nil, err
	}
	return nil, c.s.deleteComment(c.who, m)
}

// reactable finds what a path reacts to.
type reactable func(c *call) (*issue, *[]*reaction, error)

func onComment(c *call) (*issue, *[]*reaction, error) {
	m, err := c.comment()
	if err != nil {
		return nil, nil, err
	}
	return m.issue, &m.reactions, nil
}

func onIssue(c *call) (*issue, *[]*reaction, error) {
	x, err := c.issue()
	if err != nil {
		return nil, nil, err
	}
	return x, &x.reactions, nil
}

func onNote(c *call) (*issue, *[]*reaction, error) {
	n, err := c.note()
	if err != nil {
		return nil, nil, err
	}
	return n.issue, &n.reactions, nil
}

func listReactions(on reactable) handler {
	return func(c *call) (any, error) {
		_, list, err := on(c)
		if err != nil {
			return nil, err
		}
		content := c.query("content")
		some := filter(*list, func(r *reaction) bool { return content == "" || r.content == content })
		return convert(page(c, some), c.s.reactionDoc), nil
	}
}

func postReaction(on reactable) handler {
	return func(c *call) (any, error) {
		x, list, err := on(c)
		if err != nil {
			return nil, err
		}
		var in struct{ Content string }
		if err := c.body(&in); err != nil {
			return nil, err
		}
		r, added, err := c.s.react(c.who, x, list, in.Content)
		if err != nil {
			return nil, err
		}
		if added {
			c.status = http.StatusCreated
		}
		return c.s.reactionDoc(r), nil
	}
}

func deleteReaction(on reactable) handler {
	return func(c *call) (any, error) {
		x, list, err := on(c)
		if err != nil {
			return nil, err
		}
		id, err := c.number("reaction")
		if err != nil {
			return nil, err
		}
		return nil, c.s.unreact(c.who, x, list, id)
	}
}
