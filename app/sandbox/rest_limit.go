package sandbox

import (
	"net/http"
	"strconv"
	"time"
)

// quota is what an identity used of its limits.
type quota struct {
	start  time.Time // of the hour
	used   int
	recent []spent // of the last hour, oldest first
}

// spent is one request in the secondary limits.
type spent struct {
	at     time.Time
	points int
	write  bool
}

// hourly returns how many requests an hour an identity has.
func (s *Server) hourly(who *identity) int {
	switch who.kind {
	case byNobody:
		return s.opt.Limits.AnonymousHour
	case byInstallation:
		return s.opt.Limits.AppHour
	case byWorkflow:
		return s.opt.Limits.RunHour
	}
	return s.opt.Limits.UserHour
}

// quotaOf returns the quota of an identity, a new one every hour.
func (s *Server) quotaOf(who *identity) *quota {
	now := s.opt.AuthClock()
	q := s.quotas[who.key]
	if q == nil {
		q = &quota{start: now}
		s.quotas[who.key] = q
	}
	if now.Sub(q.start) >= time.Hour {
		q.start, q.used = now, 0
	}
	return q
}

// spend charges a request and refuses it when a limit is reached.
func (s *Server) spend(c *call, free bool) error {
	q, limit := s.quotaOf(c.who), s.hourly(c.who)
	if free {
		c.limitHeaders(q, limit)
		return nil
	}
	if limit >= 0 && q.used >= limit {
		c.limitHeaders(q, limit)
		e := refuse(http.StatusForbidden, "API rate limit exceeded for %s.", c.who.key)
		e.Documentation = "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting"
		return e
	}
	q.used++
	c.limitHeaders(q, limit)
	return s.spendSecondary(c, q)
}

// refund gives back what an unchanged answer was charged.
func (s *Server) refund(c *call) {
	q := s.quotaOf(c.who)
	q.used--
	c.limitHeaders(q, s.hourly(c.who))
}

// spendSecondary holds the limits on content and on points a minute.
func (s *Server) spendSecondary(c *call, q *quota) error {
	now := s.opt.AuthClock()
	write := c.r.Method != http.MethodGet && c.r.Method != http.MethodHead
	this := spent{now, 1, write}
	if write {
		this.points = 5
	}
	for len(q.recent) > 0 && now.Sub(q.recent[0].at) >= time.Hour {
		q.recent = q.recent[1:]
	}
	minuteWrites, hourWrites, points := 0, 0, this.points
	for _, p := range q.recent {
		last := now.Sub(p.at) < time.Minute
		if last {
			points += p.points
		}
		if p.write && last {
			minuteWrites++
		}
		if p.write {
			hourWrites++
		}
	}
	l := s.opt.Limits
	if write && (over(minuteWrites, l.WritesMinute) || over(hourWrites, l.WritesHour)) || l.PointsMinute >= 0 && points > l.PointsMinute {
		return secondaryLimit("60")
	}
	q.recent = append(q.recent, this)
	return nil
}

// over reports whether one more would be above a limit; negative is none.
func over(used, limit int) bool { return limit >= 0 && used >= limit }

// secondaryLimit is GitHub's answer to too much at once. Some come without
// Retry-After.
func secondaryLimit(retryAfter string) *APIError {
	e := refuse(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	e.Documentation = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	if retryAfter != "" {
		e.header = map[string]string{"Retry-After": retryAfter}
	}
	return e
}

// limitHeaders tells a client what is left.
func (c *call) limitHeaders(q *quota, limit int) {
	if limit < 0 {
		limit = 1_000_000
	}
	for name, value := range map[string]string{
		"Limit": strconv.Itoa(limit), "Remaining": strconv.Itoa(max(limit-q.used, 0)), "Used": strconv.Itoa(q.used),
		"Reset": strconv.FormatInt(q.start.Add(time.Hour).Unix(), 10), "Resource": "core",
	} {
		c.header.Set("X-RateLimit-"+name, value)
	}
}

// rateLimit is GET /rate_limit.
func rateLimit(c *call) (any, error) {
	q, limit := c.s.quotaOf(c.who), c.s.hourly(c.who)
	if limit < 0 {
		limit = 1_000_000
	}
	core := doc{"limit": limit, "used": q.used, "remaining": max(limit-q.used, 0), "reset": q.start.Add(time.Hour).Unix()}
	search := doc{"limit": 30, "used": 0, "remaining": 30, "reset": q.start.Add(time.Minute).Unix()}
	return doc{"resources": doc{"core": core, "search": search}, "rate": core}, nil
}
