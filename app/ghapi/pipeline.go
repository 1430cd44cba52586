package ghapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/sweepbot/sweepbot/app/bot"
)

const (
	// maxTries bounds the tries of one call at an outside failure, maxLimited
	// how often one call waits out a limit.
	maxTries, maxLimited = 4, 5
	// tryTimeout bounds one try, its body included.
	tryTimeout = time.Minute
	// The pause before another try doubles from firstRetry to lastRetry; half
	// of it is left to chance, so that clients do not come back together.
	firstRetry, lastRetry = time.Second, 15 * time.Second
)

// pipeline carries the requests of one identity (see the package comment). It
// is the transport of the client library.
type pipeline struct {
	options Options
	base    *url.URL
	who     identity
	limits  *limits
	cache   *Cache
	totals  *Recorder
	scrub   scrubber

	reads  singleflight.Group
	writes atomic.Int64 // writes so far
}

type repeatableKey struct{}

// repeatable marks a write that may be sent twice because the second time
// changes nothing.
func repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

func isRead(req *http.Request) bool {
	return req.Method == http.MethodGet || req.Method == http.MethodHead
}

func mayRepeat(req *http.Request) bool {
	marked, _ := req.Context().Value(repeatableKey{}).(bool)
	return marked || isRead(req) || req.Method == http.MethodPut || req.Method == http.MethodDelete
}

// RoundTrip answers a request of the client library.
func (p *pipeline) RoundTrip(req *http.Request) (*http.Response, error) {
	a, err := p.answer(req)
	if req.Body != nil {
		req.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	return a.response(req), nil
}

func (p *pipeline) answer(req *http.Request) (*answer, error) {
	if isRead(req) {
		return p.merge(req)
	}
	// Counted on both sides, so that a read that starts during or after a
	// write never joins one that started before.
	p.writes.Add(1)
	defer p.writes.Add(1)
	return p.perform(req)
}

// merge makes equal reads at the same time one. Who joins a read never gets
// the end of another's context: it then asks by itself.
func (p *pipeline) merge(req *http.Request) (*answer, error) {
	key := fmt.Sprintf("%d %s %s %s", p.writes.Load(), req.Method, req.URL, req.Header.Get("Accept"))
	for {
		var led atomic.Bool
		shared := p.reads.DoChan(key, func() (any, error) {
			led.Store(true)
			return p.perform(req)
		})
		select {
		case r := <-shared:
			if !led.Load() {
				p.count(req.Context(), func(s *Stats) { s.Merged++ })
				if isOfLeader(r.Err) {
					continue
				}
			}
			a, _ := r.Val.(*answer)
			return a, r.Err
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
}

// isOfLeader reports whether an error comes from the context of the call that
// led a merged read.
func isOfLeader(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || isLimit(err)
}

// perform tries a request until there is an answer for the caller, or none to
// be had.
func (p *pipeline) perform(req *http.Request) (*answer, error) {
	renewed := false
	for try, refusals := 1, 0; ; {
		generation := p.who.generation()
		a, err := p.try(req)
		o, why := judge(req, a, err)
		switch {
		case o == unproven && !renewed && p.who.renew(generation):
			renewed = true
		case o == limited && refusals < maxLimited:
			refusals++
			wait, secondary, _ := limitOf(a, p.options.Now())
			p.limits.hit(wait, secondary)
		case o == limited:
			until, secondary := p.limits.blocked()
			return nil, &bot.RateLimitError{Until: until, Secondary: secondary}
		case (o == unsent || o == uncertain && mayRepeat(req)) && try < maxTries:
			if err := p.backOff(req, try, a); err != nil {
				return nil, err
			}
			try++
		case o == final || o == unproven:
			p.limits.passed()
			return a, nil
		default:
			return nil, p.giveUp(req, o, a, why, err)
		}
	}
}

// try sends a request once, conditionally where we know an earlier answer.
func (p *pipeline) try(req *http.Request) (*answer, error) {
	leave, err := p.limits.enter(req.Context(), !isRead(req))
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(req.Context(), tryTimeout)
	defer cancel()
	attempt := req.Clone(ctx)
	if req.GetBody != nil {
		if attempt.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	if req.Method != http.MethodGet {
		return p.send(attempt)
	}
	key := cacheKey{p.who.key(), req.URL.String(), req.Header.Get("Accept")}
	known := p.cache.get(key)
	if known != nil {
		known.askIfChanged(attempt)
	}
	a, err := p.send(attempt)
	if err != nil {
		return nil, err
	}
	if known != nil && a.status == http.StatusNotModified {
		p.count(ctx, func(s *Stats) { s.NotModified++ })
		return known.unchanged(a), nil
	}
	p.remember(key, a)
	return a, nil
}

// remember keeps a good answer, and forgets one that we may no longer see.
func (p *pipeline) remember(key cacheKey, a *answer) {
	switch o, _ := judgeAnswer(a); {
	case o == final && a.status == http.StatusOK:
		p.cache.put(key, a)
	case o == final || o == unproven:
		p.cache.drop(key)
	}
}

// send sends a request and reads the answer to its end.
func (p *pipeline) send(req *http.Request) (*answer, error) {
	resp, err := p.who.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	p.limits.see(resp.Header)
	p.count(req.Context(), func(s *Stats) { s.Bytes += int64(len(body)) })
	a := &answer{status: resp.StatusCode, header: resp.Header, body: body}
	if a.ok() {
		a.flaw = a.broken(req)
	}
	return a, nil
}

// backOff pauses before another try, for as long as GitHub asks for if it
// does.
func (p *pipeline) backOff(req *http.Request, try int, a *answer) error {
	d := min(firstRetry<<(try-1), lastRetry)
	d = d/2 + time.Duration(p.options.Jitter()*float64(d/2))
	if a != nil {
		if given, ok := retryAfter(a.header, p.options.Now()); ok {
			d = given
		}
	}
	p.count(req.Context(), func(s *Stats) { s.Retries++ })
	return p.options.Sleep(req.Context(), d)
}

// giveUp says why there is no answer.
func (p *pipeline) giveUp(req *http.Request, o outcome, a *answer, why string, err error) error {
	request, why := p.describe(req), p.scrub.detail(why)
	var limit *bot.RateLimitError
	var refused *identityError
	switch {
	case errors.As(err, &limit):
		return limit
	case req.Context().Err() != nil:
		return interrupted(request, req.Context().Err())
	case errors.Is(err, ErrTooLarge):
		return newError(0, "ghapi.too-large", []error{ErrTooLarge}, "request", request, "limit", strconv.FormatInt(p.options.MaxBody, 10))
	case errors.As(err, &refused) && refused.status >= 500:
		return newError(refused.status, "ghapi.server-error", nil, "request", "POST app/installations/{id}/access_tokens", "detail", http.StatusText(refused.status))
	case errors.As(err, &refused) && refused.status != 0:
		return newError(refused.status, "ghapi.no-token", []error{bot.ErrForbidden}, "identity", p.who.key(), "status", strconv.Itoa(refused.status))
	case o == uncertain && !isRead(req):
		return newError(statusOf(a), "ghapi.outcome-unknown", []error{ErrOutcomeUnknown}, "request", request, "detail", why)
	case a != nil && a.ok():
		return newError(a.status, "ghapi.bad-answer", nil, "request", request, "detail", why)
	case a != nil:
		return newError(a.status, "ghapi.server-error", nil, "request", request, "detail", why)
	}
	return newError(0, "ghapi.unreachable", nil, "request", request, "detail", p.scrub.detail(plain(err).Error()))
}

func statusOf(a *answer) int {
	if a == nil {
		return 0
	}
	return a.status
}

// describe names a request for people, without what varies.
func (p *pipeline) describe(req *http.Request) string {
	return req.Method + " " + endpoint(p.base, req.URL)
}

// count counts for the client and for the recorders of the context.
func (p *pipeline) count(ctx context.Context, change func(*Stats)) {
	count(ctx, p.totals, change)
}
