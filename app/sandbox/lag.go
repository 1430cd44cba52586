package sandbox

import (
	"bytes"
	"net/http"
	"strings"
)

// pastAnswer is what readers of one address were shown last.
type pastAnswer struct {
	shown []byte
	// left counts the reads that still get it although it is outdated; below
	// zero it is not.
	left int
}

// stale returns what a read gets: the answer as it is now, or for as many
// reads as Faults.Stale says the one before it. An address that was never read
// has none before.
func (f *faultState) stale(kind, address string, now []byte) []byte {
	reads := f.Stale[kind]
	if reads <= 0 {
		return now
	}
	past := f.past[address]
	switch {
	case past == nil:
		if f.past == nil {
			f.past = make(map[string]*pastAnswer)
		}
		f.past[address] = &pastAnswer{now, -1}
		return now
	case bytes.Equal(past.shown, now):
		past.left = -1
		return now
	case past.left < 0:
		past.left = reads
	}
	if past.left == 0 {
		past.shown, past.left = now, -1
		return now
	}
	past.left--
	return past.shown
}

// staleKinds are the kinds of Faults.Stale by what an address contains; the
// first that fits counts.
var staleKinds = []struct{ part, kind string }{
	{"/comments", "comments"}, {"/reactions", "comments"}, {"/jobs", "jobs"}, {"/artifacts", "artifacts"}, {"/check-", "checks"},
	{"/status", "statuses"}, {"/events", "events"}, {"/timeline", "events"}, {"/labels", "labels"}, {"/actions/", "runs"},
	{"/pulls", "pulls"}, {"/issues", "pulls"},
}

// outdated is stale for one request.
func (c *call) outdated(now []byte) []byte {
	for _, k := range staleKinds {
		if strings.Contains(c.r.URL.Path, k.part) {
			return c.s.faults.stale(k.kind, c.r.URL.String(), now)
		}
	}
	return now
}

// lose breaks the connection after a request was done, without a byte of an
// answer.
func (x *Fault) lose() {
	if x != nil && x.Kind == "lost" {
		panic(http.ErrAbortHandler)
	}
}
