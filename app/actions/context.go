package actions

import (
	"cmp"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

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

	// Delivery is the event.
	Delivery bot.Delivery
}

// Running reports whether the process is a step of a workflow.
func Running(getenv func(string) string) bool { return getenv("GITHUB_ACTIONS") == "true" }

// ReadFile reads a file up to the first byte that is one too many for an event;
// it is the readFile of Load.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, bot.MaxPayload+1))
}

var (
	repositoryForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}$`)
	eventForm      = pattern.Lazy(`^[a-z][a-z_]{1,60}$`)
	shaForm        = pattern.Lazy(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	variableForm   = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)
)

// Given are values that a command line gives in the place of variables.
type Given struct {
	// EventPath is the file with the payload, Event the name of the event,
	// Repository owner/name.
	EventPath, Event, Repository string
}

// Load reads the environment of a step and the event. The error is a
// diag.Finding. No token is read; see Token.
func Load(getenv func(string) string, readFile func(string) ([]byte, error)) (Context, error) {
	return load(getenv, readFile, "")
}

// LoadEvent is Load for an event that need not be that of a job: what is given
// goes before the environment, and the numbers of a run may be missing.
func LoadEvent(getenv func(string) string, readFile func(string) ([]byte, error), given Given) (Context, error) {
	over := map[string]string{"GITHUB_EVENT_PATH": given.EventPath, "GITHUB_EVENT_NAME": given.Event, "GITHUB_REPOSITORY": given.Repository}
	return load(func(name string) string { return cmp.Or(over[name], getenv(name)) }, readFile, "0")
}

func load(getenv func(string) string, readFile func(string) ([]byte, error), noRun string) (Context, error) {
	e := environment{getenv: getenv}
	c := Context{
		Event:      e.form("GITHUB_EVENT_NAME", eventForm()),
		Repository: e.form("GITHUB_REPOSITORY", repositoryForm()),
		SHA:        getenv("GITHUB_SHA"),
		Ref:        getenv("GITHUB_REF"),
		RunID:      e.number("GITHUB_RUN_ID", noRun),
		Attempt:    int(e.number("GITHUB_RUN_ATTEMPT", "1")),
		Workflow:   getenv("GITHUB_WORKFLOW"),
		Job:        getenv("GITHUB_JOB"),
		ServerURL:  e.address("GITHUB_SERVER_URL", "https://github.com"),
		APIURL:     e.address("GITHUB_API_URL", "https://api.github.com"),
	}
	path := e.present("GITHUB_EVENT_PATH")
	if e.err != nil {
		return Context{}, e.err
	}
	data, err := readFile(path)
	if err != nil {
		return Context{}, unreadable(err)
	}
	id := ""
	if c.RunID != 0 {
		id = strconv.FormatInt(c.RunID, 10)
	}
	if c.Delivery, err = bot.ParseDelivery(c.Event, id, c.Repository, data); err != nil {
		return Context{}, err
	}
	c.completePush()
	return c, c.agrees()
}

// completePush takes what a local runner leaves out of a push from the
// environment.
func (c *Context) completePush() {
	p := c.Delivery.Push
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
	if !strings.EqualFold(c.Delivery.Repository, c.Repository) {
		return diag.New("actions.other-repository", diag.Place{}, "event", c.Delivery.Repository, "run", c.Repository).In("unreadable")
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

// number returns a positive whole number, or what stands for a missing one.
func (e *environment) number(name, otherwise string) int64 {
	value := e.getenv(name)
	if value == "" && otherwise == "" {
		e.fail("actions.variable-missing", name)
		return 0
	}
	if value == "" {
		value = otherwise
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if (err != nil || n <= 0) && value != otherwise {
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
	d := c.Delivery
	e := labels.Event{Name: c.Event, Action: d.Action, Label: d.Label, RunID: c.RunID}
	if pr := d.PR; pr != nil {
		e.Labels = pr.Labels
		e.Number = pr.Number
		e.HeadSHA = pr.HeadSHA
		e.BaseBranch = pr.BaseBranch
		e.SameRepo = pr.HeadRepo != "" && strings.EqualFold(pr.HeadRepo, c.Repository)
		e.Draft = pr.Draft
		e.Merged = pr.Merged
		e.Conflict = pr.Mergeable != nil && !*pr.Mergeable
	}
	if push := d.Push; push != nil {
		e.HeadSHA = push.After
		e.BaseBranch = push.Branch
		if push.Message != "" {
			e.HeadMessage = &push.Message
		}
	}
	return e
}
