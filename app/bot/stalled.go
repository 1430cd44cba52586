package bot

import (
	"maps"
	"slices"
	"time"
)

// stalled lists the pools that points have waited for longer than patience
// lasts while none of their runners took or finished one. A queue that moves is
// none, however long it is.
func stalled(points []point, now time.Time, patience time.Duration) []StalledPool {
	type queue struct {
		waiting, running int
		since            time.Time
	}
	pools := make(map[string]*queue)
	for i := range points {
		p := &points[i]
		name := poolOf(p.Labels)
		q := pools[name]
		if q == nil {
			q = &queue{}
			pools[name] = q
		}
		switch p.state {
		case pointWaiting:
			q.waiting++ // GitHub gives a job that waits the time at which it began to
		case pointRunning:
			q.running++
		}
		q.since = later(q.since, later(p.StartedAt, p.CompletedAt))
	}
	var out []StalledPool
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		q := pools[name]
		if q.waiting > 0 && q.running == 0 && !q.since.IsZero() && now.Sub(q.since) >= patience {
			out = append(out, StalledPool{Pool: shorten(name, maxPool), Points: q.waiting, Since: max(0, q.since.Unix())})
		}
	}
	return out[:min(len(out), maxStalled)]
}
