package actions

import (
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// MaxPayload is the size of an event that is read, in bytes. GitHub cuts
// webhooks at the same size.
const MaxPayload = 25 << 20

// Context is the run that we are part of, and the event that started it.
type Context struct {
	// Event is the name of the event, such as "pull_request".
	Event      string
	Repository string // owner/name
	// SHA is the commit that was checked out: on a pull request the merge of
	// head and base, not the head. Ref is its ref.
	SHA, Ref string
	RunID    int64
	Attempt  int // from 1
	Workflow string
	Job      string
	// ServerURL and APIURL are without a slash at the end.
	ServerURL, APIURL string
	Workspace         string

	Payload Payload
}

// Running reports whether the process is a step of a workflow.
func Running(getenv func(string) string) bool { return getenv("GITHUB_ACTIONS") == "true" }

// ReadFile reads a file of at most MaxPayload bytes; it is the readFile of
// Load.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxPayload+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxPayload {
		return nil, payloadTooLarge()
	}
	return data, nil
}

var (
	repositoryForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}$`)
	eventForm      = pattern.Lazy(`^[a-z][a-z_]{1,60}$`)
	shaForm        = pattern.Lazy(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	variableForm   = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)
)

// Load reads the environment of a step and the event. The error is a
// diag.Finding. No token is read; see Token.
func Load(getenv func(string) string, readFile func(string) ([]byte, error)) (Context, error) {
	e := environment{getenv: getenv}
	c := Context{
		Event:      e.form("GITHUB_EVENT_NAME", eventForm()),
		Repository: e.form("GITHUB_REPOSITORY", repositoryForm()),
		SHA:        getenv("GITHUB_SHA"),
		Ref:        getenv("GITHUB_REF"),
		RunID:      e.number("GITHUB_RUN_ID", ""),
		Attempt:    int(e.number("GITHUB_RUN_ATTEMPT", "1")),
		Workflow:   getenv("GITHUB_WORKFLOW"),
		Job:        getenv("GITHUB_JOB"),
		ServerURL:  e.address("GITHUB_SERVER_URL", "https://github.com"),
		APIURL:     e.address("GITHUB_API_URL", "https://api.github.com"),
		Workspace:  getenv("GITHUB_WORKSPACE"),
	}
	path := e.present("GITHUB_EVENT_PATH")
	if e.err != nil {
		return Context{}, e.err
	}
	data, err := readFile(path)
	if err != nil {
		return Context{}, unreadable(err)
	}
	c.Payload, err = ParsePayload(c.Event, data)
	if err != nil {
		return Context{}, err
	}
	c.completePush()
	return c, c.agrees()
}

// completePush takes what a local runner leaves out of a push from the
// environment.
func (c *Context) completePush() {
	p := c.Payload.Push
	if p == nil || p.Ref != "" || p.After != "" || !shaForm().MatchString(c.SHA) {
		return
	}
	p.Ref, p.After = c.Ref, c.SHA
	if name, ok := strings.CutPrefix(c.Ref, "refs/heads/"); ok {
		p.Branch = name
	}
}

func unreadable(err error) error {
	if f, ok := err.(diag.Finding); ok {
		return f
	}
	return diag.New("actions.event-unreadable", diag.Place{}, "detail", diag.Printable(err.Error())).In("unreadable")
}

// agrees wants the event to be of the repository that the run is of.
func (c *Context) agrees() error {
	switch name := c.Payload.Repository.FullName; {
	case name == "":
		c.Payload.Repository.FullName = c.Repository
	case !strings.EqualFold(name, c.Repository):
		return diag.New("actions.other-repository", diag.Place{}, "event", name, "run", c.Repository).In("unreadable")
	}
	return nil
}

// environment reads variables and keeps the first error.
type environment struct {
	getenv func(string) string
	err    error
}

func (e *environment) fail(code, name string) {
	if e.err == nil {
		e.err = diag.New(code, diag.Place{}, "name", name).In("unreadable")
	}
}

// present returns a variable that must be set.
func (e *environment) present(name string) string {
	value := e.getenv(name)
	if value == "" {
		e.fail("actions.variable-missing", name)
	}
	return value
}

// form returns a variable that must be set and have a form.
func (e *environment) form(name string, form *regexp.Regexp) string {
	value := e.present(name)
	if value != "" && !form.MatchString(value) {
		e.fail("actions.variable-invalid", name)
	}
	return value
}

// number returns a positive whole number.
func (e *environment) number(name, otherwise string) int64 {
	value := e.getenv(name)
	if value == "" {
		value = otherwise
	}
	if value == "" {
		e.fail("actions.variable-missing", name)
		return 0
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n <= 0 {
		e.fail("actions.variable-invalid", name)
	}
	return n
}

// address returns an https address; without a certificate only this machine
// is trusted with a token.
func (e *environment) address(name, otherwise string) string {
	value := e.getenv(name)
	if value == "" {
		return otherwise
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !onThisMachine(u.Hostname())) {
		e.fail("actions.variable-invalid", name)
	}
	return strings.TrimRight(value, "/")
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Token returns a secret from the variable of that name, which the workflow
// chooses. It is not part of a Context, so that it cannot be printed with one.
func Token(getenv func(string) string, name string) (string, error) {
	if !variableForm().MatchString(name) {
		return "", diag.New("actions.variable-name", diag.Place{}, "name", diag.Printable(name)).In("usage")
	}
	token := strings.TrimSpace(getenv(name))
	if token == "" {
		return "", diag.New("actions.no-token", diag.Place{}, "name", name).In("usage")
	}
	return token, nil
}

// LabelsEvent is what the label rules need of the event. The caller adds what
// the event does not tell: whether the changelog is touched, and what is
// learned later.
func (c Context) LabelsEvent() labels.Event {
	p := c.Payload
	e := labels.Event{Name: c.Event, Action: p.Action, Label: p.Label, RunID: c.RunID}
	if pr := p.PullRequest; pr != nil {
		e.Labels = pr.Labels
		e.Number = pr.Number
		e.HeadSHA = pr.HeadSHA
		e.BaseBranch = pr.BaseBranch
		e.SameRepo = pr.HeadRepo != "" && strings.EqualFold(pr.HeadRepo, p.Repository.FullName)
		e.Draft = pr.Draft
		e.Merged = pr.Merged
		e.Conflict = pr.Mergeable != nil && !*pr.Mergeable
	}
	if push := p.Push; push != nil {
		e.HeadSHA = push.After
		e.BaseBranch = push.Branch
		e.HeadMessage = push.Message
	}
	return e
}
