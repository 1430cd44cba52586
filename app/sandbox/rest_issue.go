package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// issueRoutes are issues, their labels and their timeline.
var issueRoutes = []route{
	{"GET /repos/{owner}/{repo}/issues", reads("issues", "pull_requests"), listIssues},
	{"POST /repos/{owner}/{repo}/issues", anyone, postIssue},
	{"GET /repos/{owner}/{repo}/issues/{number}", reads("issues", "pull_requests"), getIssue},
	{"PATCH /repos/{owner}/{repo}/issues/{number}", anyone, patchIssue},
	{"GET /repos/{owner}/{repo}/issues/{number}/labels", reads("issues", "pull_requests"), issueLabels},
	{"POST /repos/{owner}/{repo}/issues/{number}/labels", anyone, postIssueLabels},
	{"PUT /repos/{owner}/{repo}/issues/{number}/labels", anyone, putIssueLabels},
	{"DELETE /repos/{owner}/{repo}/issues/{number}/labels", anyone, clearIssueLabels},
	{"DELETE /repos/{owner}/{repo}/issues/{number}/labels/{name}", anyone, deleteIssueLabel},
	{"GET /repos/{owner}/{repo}/issues/{number}/events", reads("issues", "pull_requests"), listEvents},
	{"GET /repos/{owner}/{repo}/issues/{number}/timeline", reads("issues", "pull_requests"), listTimeline},
}

// issue returns the issue or pull request of a path.
func (c *call) issue() (*issue, error) {
	n, err := c.number("number")
	if err != nil {
		return nil, err
	}
	if x := c.repo.issue(int(n)); x != nil {
		return x, nil
	}
	return nil, notFound()
}

func listIssues(c *call) (any, error) {
	var wanted []string
	if q := c.query("labels"); q != "" {
		wanted = strings.Split(q, ",")
	}
	since := c.since()
	list := filter(c.repo.issues, func(x *issue) bool {
		return isState(x.state, c.query("state")) && x.hasAll(wanted) && !x.updated.Before(since)
	})
	return convert(page(c, c.sorted(list)), func(x *issue) doc { return c.s.issueDoc(x, false) }), nil
}

// since reads the parameter of that name; without it everything is new enough.
func (c *call) since() time.Time {
	t, err := time.Parse(time.RFC3339, c.query("since"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// hasAll reports whether an issue has all of the labels.
func (x *issue) hasAll(names []string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(x.labels, func(l *label) bool { return strings.EqualFold(l.name, name) }) {
			return false
		}
	}
	return true
}

func postIssue(c *call) (any, error) {
	var in struct {
		Title, Body string
		Labels      []any
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	x, err := c.s.openIssue(c.who, c.repo, in.Title, in.Body, labelNames(in.Labels))
	if err != nil {
		return nil, err
	}
	return c.created(c.s.issueDoc(x, false))
}

func getIssue(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	return c.s.issueDoc(x, false), nil
}

func patchIssue(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	var in issueFields
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.editIssue(c.who, x, edit{title: in.Title, body: in.Body, state: in.State, reason: in.Reason}); err != nil {
		return nil, err
	}
	if in.Labels != nil {
		if err := c.s.setLabels(c.who, x, labelNames(*in.Labels)); err != nil {
			return nil, err
		}
	}
	return c.s.issueDoc(x, false), nil
}

func issueLabels(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	return convert(page(c, x.labels), func(l *label) doc { return c.s.labelDoc(c.repo, l) }), nil
}

// namedLabels reads the labels of a request: an object, or just a list.
func (c *call) namedLabels() ([]string, error) {
	var in any
	if err := c.body(&in); err != nil {
		return nil, err
	}
	switch v := in.(type) {
	case []any:
		return labelNames(v), nil
	case map[string]any:
		if list, ok := v["labels"].([]any); ok {
			return labelNames(list), nil
		}
	}
	return nil, unprocessable("Invalid request.\n\n\"labels\" wasn't supplied.")
}

func postIssueLabels(c *call) (any, error) { return changeLabels(c, c.s.addLabels) }

func putIssueLabels(c *call) (any, error) { return changeLabels(c, c.s.setLabels) }

func changeLabels(c *call, change func(*identity, *issue, []string) error) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	names, err := c.namedLabels()
	if err != nil {
		return nil, err
	}
	if err := change(c.who, x, names); err != nil {
		return nil, err
	}
	return c.s.labelDocs(x), nil
}

func clearIssueLabels(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	return nil, c.s.setLabels(c.who, x, nil)
}

func deleteIssueLabel(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	if err := c.s.removeLabel(c.who, x, c.path("name")); err != nil {
		return nil, err
	}
	return c.s.labelDocs(x), nil
}

func listEvents(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	list := filter(x.timeline, func(e *event) bool { return e.kind != "reviewed" })
	return convert(page(c, list), func(e *event) doc { return c.s.eventDoc(x, e) }), nil
}

// listTimeline is the events and the comments, in the order of time.
func listTimeline(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	type line struct {
		at time.Time
		d  doc
	}
	var lines []line
	for _, e := range x.timeline {
		lines = append(lines, line{e.created, c.s.eventDoc(x, e)})
	}
	for _, m := range x.comments {
		d := merged(c.s.commentDoc(m, false), doc{"event": "commented", "actor": c.s.userDoc(m.author)})
		lines = append(lines, line{m.created, d})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	return convert(page(c, lines), func(l line) doc { return l.d }), nil
}

// noContent answers 204.
func noContent(c *call, err error) (any, error) {
	c.status = http.StatusNoContent
	return nil, err
}
