package sandbox

import (
	"net/http"
	"slices"
	"time"
)

// review is a review of a pull request.
type review struct {
	id        int64
	issue     *issue
	author    *user
	body      string
	state     string // PENDING, COMMENTED, APPROVED, CHANGES_REQUESTED, DISMISSED
	commit    string
	submitted time.Time
	updated   time.Time
}

// note is a review comment: one on a line of the diff.
type note struct {
	id        int64
	issue     *issue
	review    *review
	author    *user
	body      string
	path      string
	line      int
	side      string
	commit    string
	replyTo   int64
	created   time.Time
	updated   time.Time
	reactions []*reaction
}

// reviewStates are the outcomes of a review by its event.
var reviewStates = map[string]string{
	"": "PENDING", "COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED",
}

// addReview reviews a pull request.
func (s *Server) addReview(who *identity, x *issue, event, body, commit string, notes []note) (*review, error) {
	if err := who.check(x.repo, writes(roleRead, "pull_requests")); err != nil {
		return nil, err
	}
	state, known := reviewStates[event]
	switch {
	case !known:
		return nil, unprocessable("Variable $event of type PullRequestReviewEvent was provided invalid value")
	case event != "COMMENT" && event != "" && who.user == x.author:
		return nil, unprocessable("Can not %s your own pull request", map[string]string{"APPROVE": "approve", "REQUEST_CHANGES": "request changes on"}[event])
	}
	if err := checkBody("PullRequestReview", body, event == "APPROVE" || event == "" || len(notes) > 0); err != nil {
		return nil, err
	}
	if commit == "" {
		commit = x.pull.headSHA
	}
	rv := &review{id: s.ids.take(kindReview), issue: x, author: who.user, body: body, state: state, commit: commit}
	x.pull.reviews = append(x.pull.reviews, rv)
	if event != "" {
		s.submit(who, rv)
	}
	for _, n := range notes {
		n.review = rv
		if _, err := s.addNote(who, x, n); err != nil {
			return rv, err
		}
	}
	return rv, nil
}

// submit publishes a review.
func (s *Server) submit(who *identity, rv *review) {
	rv.submitted = s.now()
	rv.updated = rv.submitted
	s.record(who, rv.issue, "reviewed", nil).review = rv
	s.emitReview(who, rv, "submitted", nil)
}

// editReview changes the text of a review.
func (s *Server) editReview(who *identity, rv *review, body string) error {
	if err := who.mayChange(rv.issue, rv.author); err != nil {
		return err
	}
	was := rv.body
	rv.body, rv.updated = body, s.now()
	s.emitReview(who, rv, "edited", doc{"changes": doc{"body": doc{"from": was}}})
	return nil
}

// dismissReview takes a review out of the count.
func (s *Server) dismissReview(who *identity, rv *review) error {
	if err := who.check(rv.issue.repo, writes(roleWrite, "pull_requests")); err != nil {
		return err
	}
	if rv.state != "APPROVED" && rv.state != "CHANGES_REQUESTED" {
		return unprocessable("Can not dismiss a commented pull request review")
	}
	rv.state, rv.updated = "DISMISSED", s.now()
	s.emitReview(who, rv, "dismissed", nil)
	return nil
}

func (s *Server) emitReview(who *identity, rv *review, action string, extra doc) {
	payload := merged(doc{"review": s.reviewDoc(rv, true), "pull_request": s.pullDoc(rv.issue, false, true)}, extra)
	s.emit(happening{repo: rv.issue.repo, who: who, name: "pull_request_review", action: action, payload: payload, workflows: s.onMergeRef(rv.issue)})
}

// onMergeRef makes an event of a pull request run the files of the test merge.
func (s *Server) onMergeRef(x *issue) []source {
	p := x.pull
	return []source{{
		commit: p.testMerge, ref: pullRef(x.number, "merge"), sha: p.testMerge, headSHA: p.headSHA, headBranch: p.headBranch,
		headRepo: p.headRepo, pull: x, baseRef: p.base, headRef: p.headBranch, branch: p.base, fork: x.isFork(),
	}}
}

// addNote comments on a line, or answers such a comment.
func (s *Server) addNote(who *identity, x *issue, n note) (*note, error) {
	if err := who.check(x.repo, writes(roleRead, "pull_requests")); err != nil {
		return nil, err
	}
	if err := checkBody("PullRequestReviewComment", n.body, false); err != nil {
		return nil, err
	}
	if parent := x.repo.note(n.replyTo); n.replyTo != 0 {
		if parent == nil || parent.issue != x {
			return nil, notFound()
		}
		n.path, n.line, n.side, n.commit, n.review = parent.path, parent.line, parent.side, parent.commit, parent.review
	}
	if n.path == "" {
		return nil, invalid("PullRequestReviewComment", "path", "missing_field", "")
	}
	if n.review == nil {
		n.review = &review{id: s.ids.take(kindReview), issue: x, author: who.user, state: "COMMENTED", commit: x.pull.headSHA, submitted: s.now()}
		x.pull.reviews = append(x.pull.reviews, n.review)
	}
	added := n
	added.id, added.issue, added.author = s.ids.take(kindComment), x, who.user
	if added.commit == "" {
		added.commit = x.pull.headSHA
	}
	added.created = s.now()
	added.updated = added.created
	x.pull.notes = append(x.pull.notes, &added)
	s.emitNote(who, &added, "created", nil)
	return &added, nil
}

// editNote changes a review comment.
func (s *Server) editNote(who *identity, n *note, body string) error {
	if err := who.mayChange(n.issue, n.author); err != nil {
		return err
	}
	if err := checkBody("PullRequestReviewComment", body, false); err != nil {
		return err
	}
	was := n.body
	n.body, n.updated = body, s.now()
	s.emitNote(who, n, "edited", doc{"changes": doc{"body": doc{"from": was}}})
	return nil
}

// deleteNote removes a review comment.
func (s *Server) deleteNote(who *identity, n *note) error {
	if err := who.mayChange(n.issue, n.author); err != nil {
		return err
	}
	p := n.issue.pull
	p.notes = slices.DeleteFunc(slices.Clone(p.notes), func(o *note) bool { return o == n })
	s.emitNote(who, n, "deleted", nil)
	return nil
}

func (s *Server) emitNote(who *identity, n *note, action string, extra doc) {
	payload := merged(doc{"comment": s.noteDoc(n, true), "pull_request": s.pullDoc(n.issue, false, true)}, extra)
	s.emit(happening{repo: n.issue.repo, who: who, name: "pull_request_review_comment", action: action, payload: payload, workflows: s.onMergeRef(n.issue)})
}

// note returns a review comment of the repository, or nil.
func (r *repository) note(id int64) *note {
	for _, x := range r.pulls() {
		if n := find(x.pull.notes, func(n *note) bool { return n.id == id }); n != nil {
			return n
		}
	}
	return nil
}

// review returns a review of a pull request.
func (x *issue) review(id int64) (*review, error) {
	if rv := find(x.pull.reviews, func(rv *review) bool { return rv.id == id }); rv != nil {
		return rv, nil
	}
	return nil, refuse(http.StatusNotFound, "Not Found")
}
