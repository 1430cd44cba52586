package sandbox

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// checkRoutes are check runs, suites and statuses.
var checkRoutes = []route{
	{"POST /repos/{owner}/{repo}/check-runs", anyone, postCheck},
	{"GET /repos/{owner}/{repo}/check-runs/{id}", reads("checks"), getCheck},
	{"PATCH /repos/{owner}/{repo}/check-runs/{id}", anyone, patchCheck},
	{"GET /repos/{owner}/{repo}/check-runs/{id}/annotations", reads("checks"), listAnnotations},
	{"GET /repos/{owner}/{repo}/check-suites/{id}", reads("checks"), getSuite},
	{"GET /repos/{owner}/{repo}/check-suites/{id}/check-runs", reads("checks"), suiteChecks},
	{"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", reads("checks"), commitChecks},
	{"GET /repos/{owner}/{repo}/commits/{ref}/check-suites", reads("checks"), commitSuites},
	{"POST /repos/{owner}/{repo}/statuses/{sha}", anyone, postStatus},
	{"GET /repos/{owner}/{repo}/commits/{ref}/statuses", reads("statuses"), listStatuses},
	{"GET /repos/{owner}/{repo}/commits/{ref}/status", reads("statuses"), combinedStatus},
}

func postCheck(c *call) (any, error) {
	var in checkChange
	if err := c.body(&in); err != nil {
		return nil, err
	}
	k, err := c.s.addCheck(c.who, c.repo, in)
	if err != nil {
		return nil, err
	}
	return c.created(c.s.checkDoc(k))
}

// check returns the check run of a path.
func (c *call) check() (*check, error) {
	id, err := c.number("id")
	if err != nil {
		return nil, err
	}
	if k := find(c.repo.checks, func(k *check) bool { return k.id == id }); k != nil {
		return k, nil
	}
	return nil, notFound()
}

func getCheck(c *call) (any, error) {
	k, err := c.check()
	if err != nil {
		return nil, err
	}
	return c.s.checkDoc(k), nil
}

func patchCheck(c *call) (any, error) {
	k, err := c.check()
	if err != nil {
		return nil, err
	}
	var in checkChange
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if err := c.s.changeCheck(c.who, k, in); err != nil {
		return nil, err
	}
	return c.s.checkDoc(k), nil
}

func listAnnotations(c *call) (any, error) {
	k, err := c.check()
	if err != nil {
		return nil, err
	}
	return convert(page(c, k.annotations), func(a annotation) doc {
		return doc{
			"path": a.Path, "blob_href": c.s.webURL("%s/blob/%s/%s", c.repo.fullName(), k.suite.sha, escapePath(a.Path)),
			"start_line": a.StartLine, "end_line": a.EndLine, "start_column": a.StartColumn, "end_column": a.EndColumn,
			"annotation_level": a.Level, "title": orNil(a.Title), "message": a.Message, "raw_details": orNil(a.RawDetails),
		}
	}), nil
}

// suite returns the check suite of a path.
func (c *call) suite() (*suite, error) {
	id, err := c.number("id")
	if err != nil {
		return nil, err
	}
	if u := find(c.repo.suites, func(u *suite) bool { return u.id == id }); u != nil {
		return u, nil
	}
	return nil, notFound()
}

func getSuite(c *call) (any, error) {
	u, err := c.suite()
	if err != nil {
		return nil, err
	}
	return c.s.suiteDoc(u), nil
}

func suiteChecks(c *call) (any, error) {
	u, err := c.suite()
	if err != nil {
		return nil, err
	}
	return counted(c, "check_runs", c.chosen(u.checks()), c.s.checkDoc), nil
}

// chosen narrows check runs as asked; by default only the newest of each name
// in a suite is listed.
func (c *call) chosen(list []*check) []*check {
	name, state, appID := c.query("check_name"), c.query("status"), c.query("app_id")
	list = newestFirst(filter(list, func(k *check) bool {
		return (name == "" || k.name == name) && (state == "" || k.status == state) && (appID == "" || strconv.FormatInt(k.suite.app.id, 10) == appID)
	}))
	if c.query("filter") == "all" {
		return list
	}
	type key struct {
		suite int64
		name  string
	}
	met := make(map[key]bool)
	return filter(list, func(k *check) bool {
		was := met[key{k.suite.id, k.name}]
		met[key{k.suite.id, k.name}] = true
		return !was
	})
}

func commitChecks(c *call) (any, error) {
	sha, err := c.commitOf(c.path("ref"))
	if err != nil {
		return nil, err
	}
	list := filter(c.repo.checks, func(k *check) bool { return k.suite.sha == sha })
	return counted(c, "check_runs", c.chosen(seen(list)), c.s.checkDoc), nil
}

func commitSuites(c *call) (any, error) {
	sha, err := c.commitOf(c.path("ref"))
	if err != nil {
		return nil, err
	}
	list := filter(c.repo.suites, func(u *suite) bool { return u.sha == sha })
	return counted(c, "check_suites", list, c.s.suiteDoc), nil
}

func postStatus(c *call) (any, error) {
	var in struct {
		State, Context, Description string
		Link                        string `json:"target_url"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	st, err := c.s.addStatus(c.who, c.repo, status{
		sha: c.path("sha"), state: in.State, context: in.Context, description: in.Description, link: in.Link,
	})
	if err != nil {
		return nil, err
	}
	return c.created(c.s.statusDoc(c.repo, st))
}

// statuses lists those of a commit, newest first.
func (c *call) statuses() (sha string, list []*status, err error) {
	sha, err = c.commitOf(c.path("ref"))
	list = newestFirst(filter(c.repo.statuses, func(st *status) bool { return st.sha == sha }))
	return sha, seen(list), err
}

func listStatuses(c *call) (any, error) {
	_, list, err := c.statuses()
	if err != nil {
		return nil, err
	}
	return convert(page(c, list), func(st *status) doc { return c.s.statusDoc(c.repo, st) }), nil
}

// combinedStatus is the newest status of every context, and what they make
// together.
func combinedStatus(c *call) (any, error) {
	sha, list, err := c.statuses()
	if err != nil {
		return nil, err
	}
	newest := make(map[string]*status)
	for _, st := range list {
		key := strings.ToLower(st.context)
		newest[key] = cmp.Or(newest[key], st)
	}
	state := "success"
	if len(newest) == 0 {
		state = "pending"
	}
	var latest []*status
	for _, st := range newest {
		latest = append(latest, st)
		switch st.state {
		case "failure", "error":
			state = "failure"
		case "pending":
			if state == "success" {
				state = "pending"
			}
		}
	}
	slices.SortFunc(latest, func(a, b *status) int { return cmp.Compare(a.id, b.id) })
	at := c.s.repoURL(c.repo) + "/commits/" + sha
	return merged(counted(c, "statuses", latest, func(st *status) doc { return c.s.statusDoc(c.repo, st) }), doc{
		"state": state, "sha": sha, "repository": c.s.smallRepoDoc(c.repo), "commit_url": at, "url": at + "/status",
	}), nil
}
