package bot

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// minForForecast is the number of points that must have passed before a
// forecast is worth its line.
const minForForecast = 3

// forecast tells when the last point of a run will be over, in Unix seconds: 0
// as long as that cannot be known. It stands on the times of GitHub's jobs
// alone and knows no clock, so that the same jobs give the same answer.
//
// Points compete for the runners of their pool. What is left of a pool is dealt
// out to as many runners as were seen at work there at once, each point for as
// long as those of the pool took on average that passed; one that failed ended
// early and says nothing. A pool with work left of which no point has passed
// yet, and points that have no job yet, make the whole unknown.
func forecast(points []point, t Tally) int64 {
	if t.Ended() >= t.Total() || t.listed() < t.Total() {
		return 0
	}
	now := time.Unix(newestChange(points), 0)
	pools := make(map[string]*pool)
	passed := 0
	for i := range points {
		name := poolOf(points[i].Labels)
		if pools[name] == nil {
			pools[name] = &pool{}
		}
		pools[name].take(&points[i])
		if points[i].state == pointPassed {
			passed++
		}
	}
	if passed < minForForecast {
		return 0
	}
	end := now
	for _, p := range pools {
		last, known := p.end(now)
		if !known {
			return 0
		}
		if last.After(end) {
			end = last
		}
	}
	return end.Unix()
}

// newestChange is the newest time at which a point started or ended, in Unix
// seconds; 0 where none did. It is the moment that the state of a run shows.
func newestChange(points []point) int64 {
	var newest int64
	for _, p := range points {
		for _, at := range []time.Time{p.StartedAt, p.CompletedAt} {
			if !at.IsZero() && p.state != pointWaiting {
				newest = max(newest, at.Unix())
			}
		}
	}
	return newest
}

// ownLabels are labels that name a job and not a kind of runner
// (spec/labels-and-sweeps.md section 9.1).
var ownLabels = []string{"ci-job-", "ci-attempt-", "ci-skip-queue-pr-", "nodes:"}

// poolOf names the runners that a job asks for.
func poolOf(labels []string) string {
	var kind []string
	for _, l := range labels {
		if l != "self-hosted" && !slices.ContainsFunc(ownLabels, func(prefix string) bool { return strings.HasPrefix(l, prefix) }) {
			kind = append(kind, l)
		}
	}
	slices.Sort(kind)
	return strings.Join(kind, ",")
}

// pool is what is known of the runners of one kind.
type pool struct {
	spans   []span
	passed  int
	spent   time.Duration // by those that passed
	running []time.Time   // when they started
	waiting int
}

// span is one job on one runner; its end is zero while it runs.
type span struct{ from, to time.Time }

func (p *pool) take(j *point) {
	ran := !j.StartedAt.IsZero() && !j.CompletedAt.Before(j.StartedAt)
	switch {
	case j.state == pointWaiting:
		p.waiting++
	case j.state == pointRunning:
		p.running = append(p.running, j.StartedAt)
		p.spans = append(p.spans, span{from: j.StartedAt})
	case ran:
		p.spans = append(p.spans, span{j.StartedAt, j.CompletedAt})
		if j.state == pointPassed {
			p.passed++
			p.spent += j.CompletedAt.Sub(j.StartedAt)
		}
	}
}

// end is when the last point of the pool will be over; known is false where
// points are left and none has passed.
func (p *pool) end(now time.Time) (last time.Time, known bool) {
	if p.waiting == 0 && len(p.running) == 0 {
		return now, true
	}
	if p.passed == 0 {
		return now, false
	}
	each := p.spent / time.Duration(p.passed)
	free := make([]time.Time, mostAtOnce(p.spans))
	for i := range free {
		free[i] = now
		if i < len(p.running) {
			// One that takes longer than the average may end any moment.
			free[i] = later(p.running[i].Add(each), now)
		}
	}
	for range p.waiting {
		i := soonest(free)
		free[i] = free[i].Add(each)
	}
	return slices.MaxFunc(free, time.Time.Compare), true
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func soonest(times []time.Time) int {
	first := 0
	for i := range times {
		if times[i].Before(times[first]) {
			first = i
		}
	}
	return first
}

// mostAtOnce is the largest number of jobs that were at work at once, at least 1.
func mostAtOnce(spans []span) int {
	type edge struct {
		at   time.Time
		step int
	}
	var edges []edge
	for _, s := range spans {
		edges = append(edges, edge{s.from, 1})
		if !s.to.IsZero() {
			edges = append(edges, edge{s.to, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.step, b.step)) })
	now, most := 0, 1
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}
