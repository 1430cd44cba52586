package sandbox

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// suite is the set of check runs of one App on one commit.
type suite struct {
	id      int64
	repo    *repository
	app     *app
	branch  string
	sha     string
	run     *run // of a workflow run
	created time.Time
	updated time.Time
}

// check is a check run. A job of a workflow is one too, with the same id.
type check struct {
	lag
	id          int64
	suite       *suite
	name        string
	external    string
	details     string
	status      string // queued, in_progress, completed
	conclusion  string
	started     time.Time
	completed   time.Time
	title       string
	summary     string
	text        string
	annotations []annotation
	job         *job
}

// annotation marks lines of a file.
type annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"`
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"`
	Title       string `json:"title"`
	Message     string `json:"message"`
	RawDetails  string `json:"raw_details"`
}

// Limits of a check run (spec/github-limits.md).
const (
	maxAnnotations = 50 // a request
	maxCheckText   = 65_535
)

// checkChange is what a request sets; nil fields stay.
type checkChange struct {
	Name        *string     `json:"name"`
	HeadSHA     string      `json:"head_sha"`
	DetailsURL  *string     `json:"details_url"`
	ExternalID  *string     `json:"external_id"`
	Status      *string     `json:"status"`
	Conclusion  *string     `json:"conclusion"`
	StartedAt   *time.Time  `json:"started_at"`
	CompletedAt *time.Time  `json:"completed_at"`
	Output      *checkWords `json:"output"`
}

// checkWords is the text of a check run.
type checkWords struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []annotation `json:"annotations"`
}

var checkStatuses = []string{"queued", "in_progress", "completed", "waiting", "requested", "pending"}

var checkConclusions = []string{
	"success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required", "stale",
}

// validate refuses what GitHub refuses.
func (c *checkChange) validate() error {
	switch {
	case c.Status != nil && !slices.Contains(checkStatuses, *c.Status):
		return unprocessable("Invalid request.\n\n%s is not a member of the list of statuses.", *c.Status)
	case c.Conclusion != nil && !slices.Contains(checkConclusions, *c.Conclusion):
		return unprocessable("Invalid request.\n\n%s is not a member of the list of conclusions.", *c.Conclusion)
	case c.Status != nil && *c.Status == "completed" && c.Conclusion == nil:
		return unprocessable("Invalid request.\n\nFor 'completed' status, conclusion must be given.")
	case c.Output == nil:
		return nil
	case len(c.Output.Annotations) > maxAnnotations:
		return unprocessable("Invalid request.\n\nNo more than %d items are allowed; %d were supplied.", maxAnnotations, len(c.Output.Annotations))
	case tooLong(c.Output.Summary) || tooLong(c.Output.Text):
		return invalid("CheckRun", "output", "custom", "Only 65535 characters are allowed")
	}
	return nil
}

func tooLong(text *string) bool { return text != nil && utf8.RuneCountInString(*text) > maxCheckText }

// checkRight lets Apps and workflows write checks; people may not.
func (s *Server) checkRight(who *identity, r *repository) error {
	if who.kind == byPerson {
		return refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	return who.check(r, writes(roleAdmin, "checks"))
}

// addCheck creates a check run.
func (s *Server) addCheck(who *identity, r *repository, c checkChange) (*check, error) {
	if err := s.checkRight(who, r); err != nil {
		return nil, err
	}
	if c.Name == nil || *c.Name == "" {
		return nil, unprocessable("Invalid request.\n\n\"name\" wasn't supplied.")
	}
	sha := r.git.resolve(s.ctx, c.HeadSHA)
	if sha == "" || sha != c.HeadSHA {
		return nil, unprocessable("No commit found for SHA: %s", c.HeadSHA)
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	k := &check{lag: s.faults.lagOf("checks"), id: s.ids.take(kindCheck), suite: s.suiteOf(r, who.app, sha), status: "queued"}
	k.apply(c, s.now)
	r.checks = append(r.checks, k)
	s.emitCheck(who, k, "created")
	if k.status == "completed" {
		s.emitCheck(who, k, "completed")
	}
	return k, nil
}

// changeCheck updates a check run; only the App that made it may.
func (s *Server) changeCheck(who *identity, k *check, c checkChange) error {
	if err := s.checkRight(who, k.suite.repo); err != nil {
		return err
	}
	if k.suite.app != who.app {
		return refuse(http.StatusForbidden, "Invalid app_id `%d` - check run can only be modified by the GitHub App that created it.", who.app.id)
	}
	if c.Conclusion != nil && c.Status == nil {
		done := "completed"
		c.Status = &done
	}
	if err := c.validate(); err != nil {
		return err
	}
	was := k.status
	k.apply(c, s.now)
	if k.status == "completed" && was != "completed" {
		s.emitCheck(who, k, "completed")
	}
	return nil
}

// apply sets what is given. Annotations are appended.
func (k *check) apply(c checkChange, now func() time.Time) {
	for _, f := range []struct {
		to   *string
		from *string
	}{{&k.name, c.Name}, {&k.details, c.DetailsURL}, {&k.external, c.ExternalID}, {&k.status, c.Status}, {&k.conclusion, c.Conclusion}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if c.Conclusion != nil {
		k.status = "completed"
	}
	if k.status != "completed" {
		k.conclusion, k.completed = "", time.Time{}
	}
	k.setTimes(c, now)
	if c.Output == nil {
		return
	}
	for to, from := range map[*string]*string{&k.title: c.Output.Title, &k.summary: c.Output.Summary, &k.text: c.Output.Text} {
		if from != nil {
			*to = *from
		}
	}
	k.annotations = append(k.annotations, c.Output.Annotations...)
}

func (k *check) setTimes(c checkChange, now func() time.Time) {
	switch {
	case c.StartedAt != nil:
		k.started = *c.StartedAt
	case k.started.IsZero():
		k.started = now()
	}
	switch {
	case c.CompletedAt != nil:
		k.completed = *c.CompletedAt
	case k.status == "completed" && k.completed.IsZero():
		k.completed = now()
	}
	k.suite.updated = now()
}

// suiteOf returns the suite of an App on a commit, making one if needed.
// Workflow runs have suites of their own.
func (s *Server) suiteOf(r *repository, a *app, sha string) *suite {
	same := func(u *suite) bool { return u.app == a && u.sha == sha && u.run == nil }
	if u := find(r.suites, same); u != nil {
		return u
	}
	return s.newSuite(r, a, sha, branchOf(r, sha), nil)
}

func (s *Server) newSuite(r *repository, a *app, sha, branch string, of *run) *suite {
	now := s.now()
	u := &suite{id: s.ids.take(kindSuite), repo: r, app: a, branch: branch, sha: sha, run: of, created: now, updated: now}
	r.suites = append(r.suites, u)
	return u
}

// branchOf returns a branch whose tip a commit is, or "".
func branchOf(r *repository, sha string) string {
	for _, x := range newestFirst(r.pulls()) {
		if x.pull.headSHA == sha {
			return x.pull.headBranch
		}
	}
	if r.tip() == sha {
		return r.defaultBranch
	}
	return ""
}

func (s *Server) emitCheck(who *identity, k *check, action string) {
	r := k.suite.repo
	var from []source
	if k.suite.app != s.actions { // GitHub starts nothing for checks of its own workflows
		from = s.onDefaultBranch(r)
	}
	s.emit(happening{repo: r, who: who, name: "check_run", action: action, payload: doc{"check_run": s.checkDoc(k)}, workflows: from})
}

// outcome is the status and conclusion of a suite.
func (u *suite) outcome() (status, conclusion string) {
	if u.run != nil {
		return u.run.status, u.run.conclusion
	}
	status, conclusion = "queued", ""
	for _, k := range u.checks() {
		switch {
		case k.status != "completed":
			return "in_progress", ""
		case conclusion == "" || worse(k.conclusion, conclusion):
			status, conclusion = "completed", k.conclusion
		}
	}
	return status, conclusion
}

// worse orders conclusions by what they do to the whole.
func worse(a, b string) bool {
	order := []string{"skipped", "neutral", "success", "stale", "cancelled", "action_required", "timed_out", "failure"}
	return slices.Index(order, a) > slices.Index(order, b)
}

// checks lists the check runs of a suite.
func (u *suite) checks() []*check {
	return filter(u.repo.checks, func(k *check) bool { return k.suite == u })
}

// status is a commit status.
type status struct {
	lag
	id                                int64
	sha                               string
	state, context, description, link string
	creator                           *user
	created                           time.Time
}

// addStatus sets a commit status.
func (s *Server) addStatus(who *identity, r *repository, st status) (*status, error) {
	if err := who.check(r, writes(roleWrite, "statuses")); err != nil {
		return nil, err
	}
	switch {
	case r.git.resolve(s.ctx, st.sha) != st.sha || st.sha == "":
		return nil, unprocessable("No commit found for SHA: %s", st.sha)
	case !slices.Contains([]string{"error", "failure", "pending", "success"}, st.state):
		return nil, invalid("Status", "state", "inclusion", "state is not included in the list")
	case utf8.RuneCountInString(st.description) > 140:
		return nil, invalid("Status", "description", "custom", "description is too long (maximum is 140 characters)")
	}
	if st.context == "" {
		st.context = "default"
	}
	st.lag, st.id, st.creator, st.created = s.faults.lagOf("statuses"), s.ids.take(kindStatus), who.user, s.now()
	r.statuses = append(r.statuses, &st)
	payload := merged(s.statusDoc(r, &st), doc{"sha": st.sha, "name": r.fullName(), "branches": s.branchDocs(r, st.sha), "commit": nil})
	if c, err := r.git.read.Commit(s.ctx, st.sha); err == nil {
		payload["commit"] = s.commitDoc(r, c)
	}
	s.emit(happening{repo: r, who: who, name: "status", payload: payload, workflows: s.onDefaultBranch(r)})
	return &st, nil
}
