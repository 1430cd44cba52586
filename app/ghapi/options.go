package ghapi

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// PublicAPI is the root of the API of github.com.
const PublicAPI = "https://api.github.com/"

// The limits that apply where Options leaves them at 0, in bytes.
const (
	DefaultMaxBody     = 32 << 20
	DefaultMaxArtifact = 1 << 30
	DefaultCacheBytes  = 64 << 20
)

// Options say who we are and where GitHub is. Exactly one of Token and App is
// given; everything else has a default.
type Options struct {
	// Token is a GITHUB_TOKEN, a personal access token, or any other token
	// that is used as it is.
	Token string
	// App is the identity of a GitHub App.
	App *App
	// BaseURL is the root of the API as GITHUB_API_URL gives it, for example
	// https://github.example.com/api/v3; "" is PublicAPI. It must be https,
	// but for this machine itself.
	BaseURL string
	// UserAgent defaults to "sweepbot".
	UserAgent string

	// MaxBody bounds one answer after decompression, MaxArtifact one archive.
	MaxBody, MaxArtifact int64
	// MaxWait bounds one wait for a limit to end, besides the deadline of the
	// context; 0 leaves it to the deadline.
	MaxWait time.Duration
	// Cache may be shared by clients of several identities; nil makes one.
	Cache *Cache

	// Log gets what people who run a server should know; nil drops it.
	Log *slog.Logger
	// Transport sends requests; nil is one with sane time limits.
	Transport http.RoundTripper
	// Now, Sleep and Jitter (0 to 1) replace the clock and chance in tests.
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Jitter func() float64
}

// App is a GitHub App with its private key (PEM). Without an installation the
// client can read deliveries, and make clients for installations.
type App struct {
	ID         int64
	PrivateKey []byte
	// InstallationID selects the installation.
	InstallationID int64
	// Repository, owner/name, looks the installation up when the id is 0.
	Repository string
}

// complete returns the options with every default filled in, or what is wrong
// with them. Nothing of a secret is in the error.
func (o Options) complete() (Options, *url.URL, error) {
	o.Token = strings.TrimSpace(o.Token)
	if (o.Token == "") == (o.App == nil) {
		return o, nil, diag.New("ghapi.no-identity", diag.Place{}).In("usage")
	}
	if strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return o, nil, diag.New("ghapi.bad-token", diag.Place{}).In("usage")
	}
	base, err := apiRoot(o.BaseURL)
	if err != nil {
		return o, nil, err
	}
	o.UserAgent = orElse(o.UserAgent, "sweepbot")
	o.MaxBody = orElse(o.MaxBody, DefaultMaxBody)
	o.MaxArtifact = orElse(o.MaxArtifact, DefaultMaxArtifact)
	if o.Cache == nil {
		o.Cache = NewCache(DefaultCacheBytes)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o, base, nil
}

func orElse[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// apiRoot reads the address of the API.
func apiRoot(text string) (*url.URL, error) {
	u, err := url.Parse(orElse(strings.TrimSpace(text), PublicAPI))
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "",
		u.Scheme != "https" && (u.Scheme != "http" || !onThisMachine(u.Hostname())):
		// The address itself may hold a password, so it is not repeated.
		return nil, diag.New("ghapi.bad-address", diag.Place{}).In("usage")
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	return u, nil
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// newTransport is the standard transport with limits on the parts of a request
// that can hang. Bodies are bounded by the time limit of a try.
func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = tryTimeout
	t.MaxIdleConnsPerHost = maxConcurrent
	t.MaxResponseHeaderBytes = 1 << 20
	return t
}

// sleep waits, or ends early with the error of the context.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
