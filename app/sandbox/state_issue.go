package sandbox

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// issue is an issue, or the conversation of a pull request.
type issue struct {
	id          int64
	repo        *repository
	number      int
	title, body string
	author      *user
	via         *app
	state       string // open or closed
	reason      string // why it is closed
	labels      []*label
	created     time.Time
	updated     time.Time
	closed      time.Time
	closedBy    *user
	comments    []*comment
	timeline    []*event
	reactions   []*reaction
	pull        *pull // nil for a plain issue
}

// event is one line of the timeline.
type event struct {
	id      int64
	kind    string // labeled, closed, head_ref_force_pushed, ...
	actor   *user
	via     *app
	created time.Time
	commit  string
	extra   doc
	review  *review // of "reviewed"
}

// maxBody is how many characters a comment or description may have.
const maxBody = 65_536

// checkBody refuses what GitHub refuses as a text.
func checkBody(resource, body string, empty bool) error {
	switch {
	case !empty && strings.TrimSpace(body) == "":
		return invalid(resource, "body", "missing_field", "body can't be blank")
	case utf8.RuneCountInString(body) > maxBody:
		return invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// scopes that let a token write to the conversation of an issue.
func (x *issue) scopes() []string {
	if x.pull != nil {
		return []string{"pull_requests", "issues"}
	}
	return []string{"issues"}
}

// newIssue adds an issue without telling anybody.
func (s *Server) newIssue(who *identity, r *repository, title, body string) *issue {
	r.nextIssue++
	now := s.now()
	x := &issue{
		id: s.ids.take(kindIssue), repo: r, number: r.nextIssue, title: title, body: body,
		author: who.user, via: who.through(), state: "open", created: now, updated: now,
	}
	r.issues = append(r.issues, x)
	return x
}

// through is the App by which a caller acts, or nil.
func (who *identity) through() *app {
	if who.kind == byInstallation || who.kind == byWorkflow {
		return who.app
	}
	return nil
}

// openIssue adds an issue.
func (s *Server) openIssue(who *identity, r *repository, title, body string, labels []string) (*issue, error) {
	if err := who.check(r, writes(roleRead, "issues")); err != nil {
		return nil, err
	}
	if title == "" {
		return nil, invalid("Issue", "title", "missing_field", "")
	}
	if err := checkBody("Issue", body, true); err != nil {
		return nil, err
	}
	x := s.newIssue(who, r, title, body)
	s.emitIssue(who, x, "opened", nil)
	if len(labels) > 0 && who.check(r, writes(roleTriage, "issues")) == nil {
		return x, s.addLabels(who, x, labels)
	}
	return x, nil
}

// record adds a line to the timeline.
func (s *Server) record(who *identity, x *issue, kind string, extra doc) *event {
	e := &event{id: s.ids.take(kindEvent), kind: kind, actor: who.user, via: who.through(), created: s.now(), extra: extra}
	x.timeline = append(x.timeline, e)
	x.updated = e.created
	return e
}

// emitIssue tells of a change of an issue or of the issue side of a pull
// request.
func (s *Server) emitIssue(who *identity, x *issue, action string, extra doc) {
	if x.pull != nil {
		s.emitPull(who, x, action, extra)
		return
	}
	payload := doc{"issue": s.issueDoc(x, true)}
	s.emit(happening{repo: x.repo, who: who, name: "issues", action: action, payload: merged(payload, extra), workflows: s.onDefaultBranch(x.repo)})
}

// edit is a change of an issue's own fields; nil fields stay.
type edit struct {
	title, body, state *string
	reason             string
}

// editIssue changes title, body or state.
func (s *Server) editIssue(who *identity, x *issue, e edit) error {
	least := roleTriage
	if who.user == x.author {
		least = roleRead
	}
	if err := who.check(x.repo, writes(least, x.scopes()...)); err != nil {
		return err
	}
	if e.body != nil {
		if err := checkBody("Issue", *e.body, true); err != nil {
			return err
		}
	}
	s.editText(who, x, e)
	if e.state != nil && *e.state != x.state {
		return s.setState(who, x, *e.state, e.reason)
	}
	return nil
}

// editText changes title and body, telling what they were.
func (s *Server) editText(who *identity, x *issue, e edit) {
	was := doc{}
	if e.title != nil && *e.title != x.title {
		s.record(who, x, "renamed", doc{"rename": doc{"from": x.title, "to": *e.title}})
		was["title"] = doc{"from": x.title}
		x.title = *e.title
	}
	if e.body != nil && *e.body != x.body {
		was["body"] = doc{"from": x.body}
		x.body = *e.body
	}
	if len(was) > 0 {
		x.updated = s.now()
		s.emitIssue(who, x, "edited", doc{"changes": was})
	}
}

// setState opens or closes.
func (s *Server) setState(who *identity, x *issue, state, reason string) error {
	action := "reopened"
	switch {
	case state == "closed":
		action = "closed"
		x.closed, x.closedBy = s.now(), who.user
	case state != "open":
		return invalid("Issue", "state", "invalid", "")
	case x.pull != nil && (x.pull.merged || x.repo.heads[x.pull.base] == "" || x.pull.headTip() == ""):
		return invalid("PullRequest", "state", "invalid", "state cannot be changed. The pull request cannot be reopened.")
	default:
		x.closed, x.closedBy = time.Time{}, nil
	}
	x.state, x.reason = state, reason
	s.record(who, x, action, nil)
	s.emitIssue(who, x, action, nil)
	return nil
}

// label is a label of a repository.
type label struct {
	id                       int64
	name, color, description string
}

// label returns a label by its name, which is compared without case, or nil.
func (r *repository) label(name string) *label {
	return find(r.labels, func(l *label) bool { return strings.EqualFold(l.name, name) })
}

// newLabel creates a label.
func (s *Server) newLabel(r *repository, name, color, description string) (*label, error) {
	switch {
	case strings.TrimSpace(name) == "":
		return nil, invalid("Label", "name", "missing_field", "")
	case utf8.RuneCountInString(name) > 50:
		return nil, invalid("Label", "name", "custom", "name is too long (maximum is 50 characters)")
	case r.label(name) != nil:
		return nil, invalid("Label", "name", "already_exists", "")
	}
	l := &label{s.ids.take(kindLabel), name, color, description}
	r.labels = append(r.labels, l)
	return l, nil
}

// addLabels puts labels on an issue, creating those that don't exist. Every
// new one is an event of its own.
func (s *Server) addLabels(who *identity, x *issue, names []string) error {
	if err := who.check(x.repo, writes(roleTriage, x.scopes()...)); err != nil {
		return err
	}
	for _, name := range names {
		l := x.repo.label(name)
		if l == nil {
			var err error
			if l, err = s.newLabel(x.repo, name, "ededed", ""); err != nil {
				return err
			}
		}
		if slices.Contains(x.labels, l) {
			continue
		}
		x.labels = append(x.labels, l)
		s.labelEvent(who, x, "labeled", l)
	}
	return nil
}

// removeLabel takes a label off an issue.
func (s *Server) removeLabel(who *identity, x *issue, name string) error {
	if err := who.check(x.repo, writes(roleTriage, x.scopes()...)); err != nil {
		return err
	}
	i := slices.IndexFunc(x.labels, func(l *label) bool { return strings.EqualFold(l.name, name) })
	if i < 0 {
		return refuse(404, "Label does not exist")
	}
	l := x.labels[i]
	x.labels = slices.Delete(slices.Clone(x.labels), i, i+1)
	s.labelEvent(who, x, "unlabeled", l)
	return nil
}

func (s *Server) labelEvent(who *identity, x *issue, action string, l *label) {
	s.record(who, x, action, doc{"label": doc{"name": l.name, "color": l.color}})
	s.emitIssue(who, x, action, doc{"label": s.labelDoc(x.repo, l)})
}

// setLabels makes the labels of an issue exactly these.
func (s *Server) setLabels(who *identity, x *issue, names []string) error {
	for _, l := range slices.Clone(x.labels) {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, l.name) }) {
			if err := s.removeLabel(who, x, l.name); err != nil {
				return err
			}
		}
	}
	return s.addLabels(who, x, names)
}
