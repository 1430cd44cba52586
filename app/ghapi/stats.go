package ghapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Stats counts what calls cost. Requests are what was really sent; answers 304
// among them cost no quota.
type Stats struct {
	Requests    int           `json:"requests"`
	NotModified int           `json:"not_modified"`
	Writes      int           `json:"writes"`
	Merged      int           `json:"merged"` // reads answered by another that was under way
	Retries     int           `json:"retries"`
	Waits       int           `json:"waits"` // pauses for a limit
	Waited      time.Duration `json:"waited_ns"`
	Bytes       int64         `json:"bytes"`
	// Endpoints counts requests by method and address form, most first.
	Endpoints []EndpointStats `json:"endpoints"`
}

// EndpointStats are the requests to one endpoint, such as
// "GET repos/{owner}/{repo}/pulls/{number}".
type EndpointStats struct {
	Endpoint string `json:"endpoint"`
	Requests int    `json:"requests"`
}

// Cost is the number of requests that count against GitHub's quota.
func (s Stats) Cost() int { return s.Requests - s.NotModified }

// request counts one request.
func (s *Stats) request(method, endpoint string) {
	s.Requests++
	if method != http.MethodGet && method != http.MethodHead {
		s.Writes++
	}
	name := method + " " + endpoint
	i := slices.IndexFunc(s.Endpoints, func(e EndpointStats) bool { return e.Endpoint == name })
	if i < 0 {
		i = len(s.Endpoints)
		s.Endpoints = append(s.Endpoints, EndpointStats{Endpoint: name})
	}
	s.Endpoints[i].Requests++
}

// Recorder collects the costs of all calls under one context, for example of
// one event. It may be used from several goroutines.
type Recorder struct {
	mu    sync.Mutex
	stats Stats
}

type recorderKey struct{}

// Record returns a context whose calls are counted by the recorder. Recorders
// nest: all of them count.
func Record(ctx context.Context) (context.Context, *Recorder) {
	r := &Recorder{}
	outer, _ := ctx.Value(recorderKey{}).([]*Recorder)
	return context.WithValue(ctx, recorderKey{}, append(outer[:len(outer):len(outer)], r)), r
}

// Stats returns what was counted so far.
func (r *Recorder) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Endpoints = slices.Clone(s.Endpoints)
	slices.SortStableFunc(s.Endpoints, func(a, b EndpointStats) int {
		return cmp.Or(b.Requests-a.Requests, cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return s
}

func (r *Recorder) add(change func(*Stats)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.stats)
}

// count changes the totals of a client and the recorders of a context.
func count(ctx context.Context, totals *Recorder, change func(*Stats)) {
	totals.add(change)
	under, _ := ctx.Value(recorderKey{}).([]*Recorder)
	for _, r := range under {
		r.add(change)
	}
}
