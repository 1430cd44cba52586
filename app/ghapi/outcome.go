package ghapi

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
)

// outcome is what a try means for the call.
type outcome uint8

const (
	// final: the answer, good or refusing, goes to the caller.
	final outcome = iota
	// unproven: GitHub does not accept our token; a new one may help.
	unproven
	// limited: GitHub did not do it because of a limit.
	limited
	// unsent: GitHub never saw the request.
	unsent
	// uncertain: we do not know whether GitHub did it. Reads are repeated.
	uncertain
	// hopeless: another try would end the same way.
	hopeless
)

// judge tells what a try means. Why is a few words for messages where the
// answer itself will not be handed on.
func judge(req *http.Request, a *answer, err error) (o outcome, why string) {
	switch {
	case req.Context().Err() != nil:
		return hopeless, ""
	case errors.Is(err, ErrTooLarge), errors.Is(err, errOtherHost), isRefusedIdentity(err), isLimit(err):
		return hopeless, ""
	case err != nil && neverSent(err):
		return unsent, "no connection"
	case err != nil:
		return uncertain, "the connection broke"
	}
	return judgeAnswer(a)
}

// isLimit reports whether a wait for a limit would outlast the context.
func isLimit(err error) bool {
	var limit *bot.RateLimitError
	return errors.As(err, &limit)
}

func judgeAnswer(a *answer) (outcome, string) {
	switch a.status {
	case http.StatusUnauthorized:
		return unproven, ""
	case http.StatusForbidden, http.StatusTooManyRequests:
		if _, _, ok := limitOf(a, time.Time{}); ok {
			return limited, ""
		}
		return final, ""
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout, http.StatusRequestTimeout:
		return uncertain, strconv.Itoa(a.status) + " " + http.StatusText(a.status)
	case http.StatusNotModified: // not asked for
		return uncertain, "an answer that was not asked for"
	}
	if a.flaw != "" {
		return uncertain, a.flaw
	}
	return final, ""
}

// limitOf tells a limit from a missing permission, which is 403 as well. The
// zero wait means that GitHub did not say how long (spec/github-limits.md).
func limitOf(a *answer, now time.Time) (wait time.Duration, secondary, ok bool) {
	if d, given := retryAfter(a.header, now); given {
		return d, true, true
	}
	if a.header.Get("X-Ratelimit-Remaining") == "0" {
		return untilReset(a.header, now), false, true
	}
	text := strings.ToLower(a.message())
	for _, sign := range []string{"secondary rate limit", "secondary-rate-limits", "abuse detection", "abuse-rate-limits", "rate limit exceeded"} {
		if strings.Contains(text, sign) {
			return 0, true, true
		}
	}
	return 0, true, a.status == http.StatusTooManyRequests
}

// retryAfter reads a Retry-After header: seconds or a date. At least a second,
// at most a day.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	d := time.Duration(0)
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		d = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(serverTime(h, now))
	}
	return min(max(d, time.Second), 24*time.Hour), true
}

// untilReset returns how long the quota stays used up. It is reckoned on
// GitHub's clock where the answer shows it, ours may be wrong; one second more
// for the fraction that the header drops.
func untilReset(h http.Header, now time.Time) time.Duration {
	n, err := strconv.ParseInt(h.Get("X-Ratelimit-Reset"), 10, 64)
	if err != nil || n <= 0 {
		return 0
	}
	return min(max(time.Unix(n, 0).Sub(serverTime(h, now))+time.Second, time.Second), 24*time.Hour)
}

func serverTime(h http.Header, now time.Time) time.Time {
	if at, err := http.ParseTime(h.Get("Date")); err == nil {
		return at
	}
	return now
}
