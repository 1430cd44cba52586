package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"golang.org/x/oauth2"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// identity proves who we are, request by request.
type identity interface {
	http.RoundTripper
	// key names the identity in the cache. It is no text of a token, since
	// tokens of one identity change every hour, and it is never the same for
	// two identities (spec/security.md S73).
	key() string
	// generation counts tokens; renew drops the one of the generation and
	// reports whether there may be another.
	generation() int
	renew(generation int) bool
}

// identityError says that a token could not be had.
type identityError struct {
	status int
	cause  error
}

func (e *identityError) Error() string { return "no token: " + plain(e.cause).Error() }
func (e *identityError) Unwrap() error { return e.cause }

// isRefusedIdentity reports whether GitHub refused us a token for good.
func isRefusedIdentity(err error) bool {
	var e *identityError
	if !errors.As(err, &e) {
		return false
	}
	return e.status >= 400 && e.status < 500 && e.status != http.StatusTooManyRequests && e.status != http.StatusRequestTimeout
}

// fixedToken is an identity with one token.
type fixedToken struct {
	http.RoundTripper
	name string
}

func newFixedToken(token, name string, next http.RoundTripper) *fixedToken {
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token})
	return &fixedToken{&oauth2.Transport{Source: source, Base: next}, name}
}

func (t *fixedToken) key() string     { return t.name }
func (t *fixedToken) generation() int { return 0 }
func (t *fixedToken) renew(int) bool  { return false }

// signedApp is the App itself; it signs a new token for each request.
type signedApp struct {
	http.RoundTripper
	name string
}

func newSignedApp(app App, base *url.URL, next http.RoundTripper) (*signedApp, error) {
	t, err := ghinstallation.NewAppsTransport(next, app.ID, app.PrivateKey)
	if err != nil {
		// The library's text is left out: it describes the key.
		return nil, diag.New("ghapi.bad-key", diag.Place{}).In("usage")
	}
	t.BaseURL = strings.TrimSuffix(base.String(), "/")
	return &signedApp{t, fmt.Sprintf("app/%d@%s", app.ID, base.Host)}, nil
}

func (a *signedApp) key() string     { return a.name }
func (a *signedApp) generation() int { return 0 }
func (a *signedApp) renew(int) bool  { return false }

// installation is an App where it is installed. Its token lives an hour; the
// library gets a new one a minute before the end, and we have it start afresh
// when GitHub refuses the one we hold (spec/security.md S71).
type installation struct {
	app  App
	base *url.URL
	next http.RoundTripper

	mu      sync.Mutex
	made    int
	current *ghinstallation.Transport
}

func newInstallation(app App, base *url.URL, next http.RoundTripper) (*installation, error) {
	i := &installation{app: app, base: base, next: next}
	if err := i.start(); err != nil {
		return nil, diag.New("ghapi.bad-key", diag.Place{}).In("usage")
	}
	return i, nil
}

// start forgets the token.
func (i *installation) start() error {
	t, err := ghinstallation.New(i.next, i.app.ID, i.app.InstallationID, i.app.PrivateKey)
	if err != nil {
		return err
	}
	t.BaseURL = strings.TrimSuffix(i.base.String(), "/")
	i.current = t
	i.made++
	return nil
}

func (i *installation) key() string {
	return fmt.Sprintf("app/%d/installation/%d@%s", i.app.ID, i.app.InstallationID, i.base.Host)
}

func (i *installation) generation() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.made
}

// renew drops the token, unless another call has done so meanwhile.
func (i *installation) renew(generation int) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return generation != i.made || i.start() == nil
}

// RoundTrip sends a request with the token of the installation.
func (i *installation) RoundTrip(req *http.Request) (*http.Response, error) {
	i.mu.Lock()
	t := i.current
	i.mu.Unlock()
	if err := haveToken(req.Context(), t); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	return t.RoundTrip(req)
}

// haveToken gets a token if need be. The library does so by itself, but then
// its failure could not be told from one of the request.
func haveToken(ctx context.Context, t *ghinstallation.Transport) error {
	_, err := t.Token(ctx)
	if err == nil {
		return nil
	}
	failed := &identityError{cause: err}
	var refused *ghinstallation.HTTPError
	if errors.As(err, &refused) && refused.Response != nil {
		failed.status = refused.Response.StatusCode
		io.Copy(io.Discard, io.LimitReader(refused.Response.Body, 4096))
		refused.Response.Body.Close()
	}
	return failed
}
