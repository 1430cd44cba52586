package sandbox

import "slices"

// reviewRoutes are reviews and comments on lines.
var reviewRoutes = []route{
	{"GET /repos/{owner}/{repo}/pulls/{number}/reviews", reads("pull_requests"), listReviews},
	{"POST /repos/{owner}/{repo}/pulls/{number}/reviews", anyone, postReview},
	{"GET /repos/{owner}/{repo}/pulls/{number}/reviews/{review}", reads("pull_requests"), getReview},
	{"PUT /repos/{owner}/{repo}/pulls/{number}/reviews/{review}", anyone, putReview},
	{"POST /repos/{owner}/{repo}/pulls/{number}/reviews/{review}/events", anyone, submitReview},
	{"PUT /repos/{owner}/{repo}/pulls/{number}/reviews/{review}/dismissals", anyone, dismissReview},
	{"GET /repos/{owner}/{repo}/pulls/{number}/comments", reads("pull_requests"), listNotes},
	{"POST /repos/{owner}/{repo}/pulls/{number}/comments", anyone, postNote},
	{"POST /repos/{owner}/{repo}/pulls/{number}/comments/{id}/replies", anyone, replyNote},
	{"GET /repos/{owner}/{repo}/pulls/comments", reads("pull_requests"), allNotes},
	{"GET /repos/{owner}/{repo}/pulls/comments/{id}", reads("pull_requests"), getNote},
	{"PATCH /repos/{owner}/{repo}/pulls/comments/{id}", anyone, patchNote},
	{"DELETE /repos/{owner}/{repo}/pulls/comments/{id}", anyone, deleteNote},
}

func listReviews(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	list := filter(x.pull.reviews, func(rv *review) bool { return rv.state != "PENDING" || rv.author == c.who.user })
	return convert(page(c, list), func(rv *review) doc { return c.s.reviewDoc(rv, false) }), nil
}

// noteFields are a comment on a line as requests give it.
type noteFields struct {
	Body, Path, Side string
	Line, Position   int
	Commit           string `json:"commit_id"`
	ReplyTo          int64  `json:"in_reply_to"`
}

func (f noteFields) note() note {
	return note{body: f.Body, path: f.Path, line: max(f.Line, f.Position), side: f.Side, commit: f.Commit, replyTo: f.ReplyTo}
}

func postReview(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	var in struct {
		Body, Event string
		Commit      string       `json:"commit_id"`
		Comments    []noteFields `json:"comments"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	rv, err := c.s.addReview(c.who, x, in.Event, in.Body, in.Commit, convert(in.Comments, noteFields.note))
	if err != nil {
		return nil, err
	}
	return c.s.reviewDoc(rv, false), nil
}

// review returns the review of a path.
func (c *call) review() (*review, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	id, err := c.number("review")
	if err != nil {
		return nil, err
	}
	return x.review(id)
}

func getReview(c *call) (any, error) {
	rv, err := c.review()
	if err != nil {
		return nil, err
	}
	return c.s.reviewDoc(rv, false), nil
}

func putReview(c *call) (any, error) {
	rv, err := c.review()
	if err != nil {
		return nil, err
	}
	var in words
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.editReview(c.who, rv, in.Body); err != nil {
		return nil, err
	}
	return c.s.reviewDoc(rv, false), nil
}

func submitReview(c *call) (any, error) {
	rv, err := c.review()
	if err != nil {
		return nil, err
	}
	var in struct{ Body, Event string }
	if err := c.body(&in); err != nil {
		return nil, err
	}
	state, known := reviewStates[in.Event]
	if !known || in.Event == "" || rv.state != "PENDING" || rv.author != c.who.user {
		return nil, unprocessable("Can not submit this review")
	}
	rv.state = state
	if in.Body != "" {
		rv.body = in.Body
	}
	c.s.submit(c.who, rv)
	return c.s.reviewDoc(rv, false), nil
}

func dismissReview(c *call) (any, error) {
	rv, err := c.review()
	if err != nil {
		return nil, err
	}
	if err := c.s.dismissReview(c.who, rv); err != nil {
		return nil, err
	}
	return c.s.reviewDoc(rv, false), nil
}

func listNotes(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	list := slices.Clone(x.pull.notes)
	if c.query("sort") == "updated" {
		slices.SortStableFunc(list, func(a, b *note) int { return a.updated.Compare(b.updated) })
	}
	if c.query("sort") != "" && c.query("direction") == "desc" { // which alone says nothing
		slices.Reverse(list)
	}
	return convert(page(c, list), func(n *note) doc { return c.s.noteDoc(n, false) }), nil
}

func allNotes(c *call) (any, error) {
	var list []*note
	for _, x := range c.repo.pulls() {
		list = append(list, x.pull.notes...)
	}
	return convert(page(c, list), func(n *note) doc { return c.s.noteDoc(n, false) }), nil
}

func postNote(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	var in noteFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	return c.addNote(x, in.note())
}

func replyNote(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	id, err := c.number("id")
	if err != nil {
		return nil, err
	}
	var in noteFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	return c.addNote(x, note{body: in.Body, replyTo: id})
}

func (c *call) addNote(x *issue, n note) (any, error) {
	added, err := c.s.addNote(c.who, x, n)
	if err != nil {
		return nil, err
	}
	return c.created(c.s.noteDoc(added, false))
}

// note returns the review comment of a path.
func (c *call) note() (*note, error) {
	id, err := c.number("id")
	if err != nil {
		return nil, err
	}
	if n := c.repo.note(id); n != nil {
		return n, nil
	}
	return nil, notFound()
}

func getNote(c *call) (any, error) {
	n, err := c.note()
	if err != nil {
		return nil, err
	}
	return c.s.noteDoc(n, false), nil
}

func patchNote(c *call) (any, error) {
	n, err := c.note()
	if err != nil {
		return nil, err
	}
	var in words
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.editNote(c.who, n, in.Body); err != nil {
		return nil, err
	}
	return c.s.noteDoc(n, false), nil
}

func deleteNote(c *call) (any, error) {
	n, err := c.note()
	if err != nil {
		return nil, err
	}
	return nil, c.s.deleteNote(c.who, n)
}
