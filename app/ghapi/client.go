package ghapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Client is GitHub as one identity sees it. It may be used from several
// goroutines; make one for a process, since limits and caches live in it.
type Client struct {
	options Options
	base    *url.URL
	wire    *wire
	totals  *Recorder
	clean   scrubber

	// main acts on repositories; nil for an App without an installation.
	main *actor
	// asApp is the App itself; nil without one.
	asApp *actor

	mu    sync.Mutex
	sites map[int64]*Client // by installation
}

// actor is an identity with its pipeline and its library client.
type actor struct {
	pipe  *pipeline
	gh    *github.Client
	fresh *fresh
}

// New returns a client. Where an App is given by a repository, its
// installation is looked up, which is the only request. The error is a
// diag.Finding or an *Error.
func New(ctx context.Context, o Options) (*Client, error) {
	o, base, err := o.complete()
	if err != nil {
		return nil, err
	}
	c := newClient(o, base)
	if o.App == nil {
		c.main = c.newActor(newFixedToken(o.Token, o.Cache.newName("token"), c.wire))
		return c, nil
	}
	app, err := newSignedApp(*o.App, base, c.wire)
	if err != nil {
		return nil, err
	}
	c.asApp = c.newActor(app)
	switch {
	case o.App.InstallationID != 0:
		return c.ForInstallation(o.App.InstallationID)
	case o.App.Repository != "":
		return c.ForRepository(ctx, o.App.Repository)
	}
	return c, nil
}

func newClient(o Options, base *url.URL) *Client {
	c := &Client{options: o, base: base, totals: &Recorder{}, clean: scrubber{known: []string{o.Token}}, sites: make(map[int64]*Client)}
	notices := &sunset{log: c.warnSunset}
	c.wire = &wire{next: o.Transport, base: base, maxBody: o.MaxBody, totals: c.totals, notice: notices.see}
	return c
}

func (c *Client) warnSunset(deprecation, end, link string) {
	c.options.Log.Warn("GitHub will end the version of the API that this program asks for; update it in time",
		"deprecation", c.clean.detail(deprecation), "sunset", c.clean.detail(end), "link", c.clean.detail(link))
}

// newActor builds the pipeline of an identity.
func (c *Client) newActor(who identity) *actor {
	p := &pipeline{options: c.options, base: c.base, who: who, cache: c.options.Cache, totals: c.totals, scrub: c.clean}
	p.limits = newLimits(c.options, func(ctx context.Context, d time.Duration) {
		p.count(ctx, func(s *Stats) { s.Waits++; s.Waited += d })
		c.options.Log.Info("waiting for a limit of GitHub", "seconds", int(d.Seconds()))
	})
	return &actor{pipe: p, gh: newLibrary(c.options, c.base, p), fresh: newFresh(c.options)}
}

// newLibrary makes a client of the library on a transport.
func newLibrary(o Options, base *url.URL, transport http.RoundTripper) *github.Client {
	gh := github.NewClient(&http.Client{Transport: transport, CheckRedirect: stayHome(base)})
	gh.BaseURL = base
	gh.UserAgent = o.UserAgent
	return gh
}

// stayHome follows redirects within the API, which GitHub sends for renamed
// repositories. A write is only repeated where the redirect keeps its method.
func stayHome(base *url.URL) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		keeps := req.Response != nil && (req.Response.StatusCode == http.StatusTemporaryRedirect || req.Response.StatusCode == http.StatusPermanentRedirect)
		if len(via) > 3 || req.URL.Host != base.Host || req.URL.Scheme != base.Scheme || !isRead(via[0]) && !keeps {
			return http.ErrUseLastResponse
		}
		return nil
	}
}

// ForInstallation returns a client for one installation of the App. It is
// always the same one for an id, and shares cache and connections.
func (c *Client) ForInstallation(id int64) (*Client, error) {
	if c.asApp == nil || id <= 0 {
		return nil, diag.New("ghapi.no-app", diag.Place{}).In("usage")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if site := c.sites[id]; site != nil {
		return site, nil
	}
	app := *c.options.App
	app.InstallationID = id
	who, err := newInstallation(app, c.base, c.wire)
	if err != nil {
		return nil, err
	}
	site := &Client{options: c.options, base: c.base, wire: c.wire, totals: c.totals, clean: c.clean, asApp: c.asApp, sites: c.sites}
	site.main = c.newActor(who)
	c.sites[id] = site
	return site, nil
}

// ForRepository looks up the installation of the App on a repository,
// owner/name, and returns its client.
func (c *Client) ForRepository(ctx context.Context, repository string) (*Client, error) {
	owner, name, ok := splitRepository(repository)
	if c.asApp == nil || !ok {
		return nil, diag.New("ghapi.no-app", diag.Place{}).In("usage")
	}
	found, _, err := c.asApp.gh.Apps.FindRepositoryInstallation(ctx, owner, name)
	if err != nil {
		return nil, c.asApp.pipe.translate("GET repos/{owner}/{repo}/installation", err)
	}
	return c.ForInstallation(found.GetID())
}

// Repository returns one repository. A name that GitHub would not allow gives
// one whose every method fails.
func (c *Client) Repository(owner, name string) bot.GitHub {
	if _, _, ok := splitRepository(owner + "/" + name); !ok {
		return c.failing(diag.New("ghapi.bad-repository", diag.Place{}, "name", c.clean.detail(owner+"/"+name)).In("usage"))
	}
	if c.main == nil {
		return c.failing(diag.New("ghapi.no-installation", diag.Place{}).In("usage"))
	}
	return &repository{owner: owner, name: name, actor: c.main, client: c}
}

// failing returns a repository whose every request ends in the finding.
func (c *Client) failing(f diag.Finding) bot.GitHub {
	err := &Error{Finding: f, marks: []error{bot.ErrNotFound}}
	refuse := refusing{err}
	p := &pipeline{options: c.options, base: c.base, scrub: c.clean, totals: c.totals}
	return &repository{owner: "-", name: "-", client: c,
		actor: &actor{pipe: p, gh: newLibrary(c.options, c.base, refuse), fresh: newFresh(c.options)}}
}

// refusing is a transport without a network.
type refusing struct{ err error }

// RoundTrip fails.
func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		req.Body.Close()
	}
	return nil, r.err
}

// Stats returns the costs of all calls so far, those of all installations of
// an App included. Record counts those under one context.
func (c *Client) Stats() Stats { return c.totals.Stats() }

// Quota returns GitHub's primary limit as the newest answer gave it.
func (c *Client) Quota() Quota {
	if c.main == nil {
		return c.asApp.pipe.limits.seen()
	}
	return c.main.pipe.limits.seen()
}

var (
	ownerForm      = pattern.Lazy(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$`)
	repositoryForm = pattern.Lazy(`^[A-Za-z0-9._-]{1,100}$`)
)

// splitRepository takes owner/name apart and reports whether GitHub could have
// such a repository. The parts are safe in addresses.
func splitRepository(text string) (owner, name string, ok bool) {
	owner, name, ok = strings.Cut(text, "/")
	return owner, name, ok && ownerForm().MatchString(owner) && repositoryForm().MatchString(name) && name != "." && name != ".."
}
