package ghapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/sweepbot/sweepbot/app/bot"
)

// Our own limits lie below GitHub's secondary ones (spec/github-limits.md): 900
// points a minute, a read being 1 and a write 5; 80 content writes a minute
// and 500 an hour; 100 requests at once. A bucket allows its size plus what
// flows in, so that any minute and any hour stay within.
const (
	pointsPerSecond, pointsAtOnce = 12, 180
	pointsOfRead, pointsOfWrite   = 1, 5
	writesPerSecond, writesAtOnce = 1, 1
	writesPerHour, writesReserve  = 360, 40
	maxConcurrent                 = 16

	// Without a word from GitHub a secondary limit is waited out for a minute,
	// then for twice as long each time it is met again.
	firstPause, longestPause = time.Minute, 16 * time.Minute
)

// Quota is GitHub's primary limit as last seen.
type Quota struct {
	Limit     int       `json:"limit"`
	Remaining int       `json:"remaining"`
	Reset     time.Time `json:"reset"`
}

// limits hold requests back. One is shared by all requests of an identity.
type limits struct {
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	maxWait time.Duration
	waited  func(context.Context, time.Duration)

	points, writes, hourly *rate.Limiter
	slots                  chan struct{}

	mu                 sync.Mutex
	primary, secondary time.Time // no request before
	strikes            int       // secondary limits in a row without a given end
	quota              Quota
}

func newLimits(o Options, waited func(context.Context, time.Duration)) *limits {
	return &limits{
		now: o.Now, sleep: o.Sleep, maxWait: o.MaxWait, waited: waited,
		points: rate.NewLimiter(pointsPerSecond, pointsAtOnce),
		writes: rate.NewLimiter(writesPerSecond, writesAtOnce),
		hourly: rate.NewLimiter(rate.Limit(writesPerHour)/3600, writesReserve),
		slots:  make(chan struct{}, maxConcurrent),
	}
}

// enter returns once a request may be sent, and what to call when it is done.
// The error is that of the context, or a *bot.RateLimitError where the wait
// would outlast it.
func (l *limits) enter(ctx context.Context, write bool) (leave func(), err error) {
	if err := l.waitForGitHub(ctx); err != nil {
		return nil, err
	}
	if err := l.waitForBuckets(ctx, write); err != nil {
		return nil, err
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// waitForGitHub waits while one of GitHub's limits is known to be in force. It
// looks again after each wait, since other requests may have met a new limit.
func (l *limits) waitForGitHub(ctx context.Context) error {
	for {
		until, secondary := l.blocked()
		if !until.After(l.now()) {
			return nil
		}
		if err := l.pause(ctx, until, secondary); err != nil {
			return err
		}
	}
}

func (l *limits) blocked() (until time.Time, secondary bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.secondary.After(l.primary) {
		return l.secondary, true
	}
	return l.primary, false
}

// waitForBuckets takes what the request costs from our own buckets and waits
// until they have it. Nothing stays taken when the wait would be too long.
func (l *limits) waitForBuckets(ctx context.Context, write bool) error {
	now := l.now()
	taken := []*rate.Reservation{l.points.ReserveN(now, pointsOfRead)}
	if write {
		taken = []*rate.Reservation{l.points.ReserveN(now, pointsOfWrite), l.writes.ReserveN(now, 1), l.hourly.ReserveN(now, 1)}
	}
	wait := time.Duration(0)
	for _, r := range taken {
		wait = max(wait, r.DelayFrom(now))
	}
	if wait == 0 {
		return nil
	}
	err := l.pause(ctx, now.Add(wait), true)
	if err != nil {
		for _, r := range taken {
			r.CancelAt(now)
		}
	}
	return err
}

// pause waits until a time, if the context lives that long.
func (l *limits) pause(ctx context.Context, until time.Time, secondary bool) error {
	d := until.Sub(l.now())
	end, bounded := ctx.Deadline()
	if bounded && until.After(end) || l.maxWait > 0 && d > l.maxWait {
		return &bot.RateLimitError{Until: until, Secondary: secondary}
	}
	l.waited(ctx, d)
	return l.sleep(ctx, d)
}

// see learns from an answer: the quota, and that requests get through.
func (l *limits) see(h http.Header) {
	remaining, err := strconv.Atoi(h.Get("X-Ratelimit-Remaining"))
	resource := h.Get("X-Ratelimit-Resource")
	if err != nil || resource != "" && resource != "core" {
		return
	}
	total, _ := strconv.Atoi(h.Get("X-Ratelimit-Limit"))
	now := l.now()
	wait := untilReset(h, now)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quota = Quota{Limit: total, Remaining: remaining, Reset: now.Add(wait)}
	if remaining == 0 && wait > 0 {
		l.primary = now.Add(wait)
	}
}

// passed forgets the limits met in a row.
func (l *limits) passed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strikes = 0
}

// hit notes a refusal because of a limit; wait 0 means that GitHub did not say
// how long.
func (l *limits) hit(wait time.Duration, secondary bool) (until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait == 0 {
		wait = min(firstPause<<min(l.strikes, 8), longestPause)
		l.strikes++
	}
	until = l.now().Add(wait)
	if !secondary {
		l.primary = until
	} else if until.After(l.secondary) {
		l.secondary = until
	}
	return until
}

// seen returns the quota as last seen.
func (l *limits) seen() Quota {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.quota
}
