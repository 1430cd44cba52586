package sandbox

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// Faults is what goes wrong on demand. The same seed and the same requests give
// the same failures.
type Faults struct {
	// Lag is for how many reads something new stays unseen, by kind: comments,
	// runs, pulls (the head of a pull request), checks, statuses, artifacts,
	// mergeable (null meanwhile). Reads by id of a new run answer 404 too. New
	// settings end the lag of what was made under the old ones.
	Lag map[string]int
	// Stale is for how many reads of one address an answer that changed is
	// still the one before, by kind: comments, runs, jobs, artifacts, checks,
	// statuses, events (the history of labels), labels, pulls.
	Stale map[string]int
	// Duplicate and Lose are probabilities of a delivery being sent twice with
	// one id, and of its not arriving.
	Duplicate, Lose float64
	// Reorder holds back deliveries until so many wait, or Settle is called,
	// and sends them in random order. Below 2 it is off.
	Reorder int
	// Requests are failures of API requests; the first that applies is used.
	Requests []Fault
}

// Fault is one kind of failure of requests.
type Fault struct {
	ID int64 `json:"id"`
	// Method and Path say which requests fail; empty is all. Path is a pattern
	// of package path, matched against the path without /api/v3, or a prefix
	// that ends in "/".
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Kind is one of: status, html (an error page), ok-html (the same with
	// status 200), rate-limit, secondary, secondary-bare (without Retry-After),
	// slow, truncate, reset, lost (done, but the connection breaks before the
	// answer), move-head.
	Kind string `json:"kind"`
	// Status is the code of status and html; 0 is 502.
	Status int `json:"status,omitempty"`
	// RetryAfter is in seconds, for rate limits; 0 is 60.
	RetryAfter int `json:"retry_after,omitempty"`
	// Delay is of slow, in milliseconds.
	Delay int `json:"delay,omitempty"`
	// Pull is the pull request whose head move-head moves.
	Pull int `json:"pull,omitempty"`
	// Skip lets so many matching requests pass first; Times is how many fail
	// then, 0 for all. Probability lets chance decide; 0 is always.
	Skip        int     `json:"skip,omitempty"`
	Times       int     `json:"times,omitempty"`
	Probability float64 `json:"probability,omitempty"`

	seen, used int
}

// faultKinds are the values of Fault.Kind.
var faultKinds = []string{
	"status", "html", "ok-html", "rate-limit", "secondary", "secondary-bare", "slow", "truncate", "reset", "lost", "move-head",
}

// faultState is the faults that are switched on.
type faultState struct {
	Faults
	past map[string]*pastAnswer // by address
	// over ends the lag of what was made under these settings.
	over *bool
}

// SetFaults replaces all faults.
func (s *Server) SetFaults(f Faults) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.setFaults(f)
}

func (s *Server) setFaults(f Faults) error {
	requests := slices.Clone(f.Requests)
	for i := range requests {
		if !slices.Contains(faultKinds, requests[i].Kind) {
			return unprocessable("unknown kind of fault %q: use one of %s", requests[i].Kind, strings.Join(faultKinds, ", "))
		}
		requests[i].ID = s.ids.take(kindFault)
	}
	f.Requests = requests
	if s.faults.over != nil {
		*s.faults.over = true // what lags by the old settings is seen now
	}
	s.faults = faultState{Faults: f, over: new(bool)}
	return nil
}

// pick returns the fault that a request meets, or nil.
func (f *faultState) pick(rng *rand.Rand, method, address string) *Fault {
	for i := range f.Requests {
		x := &f.Requests[i]
		if !x.applies(method, address) {
			continue
		}
		x.seen++
		if x.seen <= x.Skip || x.Times > 0 && x.used >= x.Times {
			continue
		}
		if x.Probability > 0 && !f.chance(rng, x.Probability) {
			continue
		}
		x.used++
		return x
	}
	return nil
}

func (x *Fault) applies(method, address string) bool {
	if x.Method != "" && x.Method != method {
		return false
	}
	if x.Path == "" || strings.HasSuffix(x.Path, "/") && strings.HasPrefix(address, x.Path) {
		return true
	}
	ok, err := path.Match(x.Path, address)
	return err == nil && ok
}

// chance decides something with a probability.
func (*faultState) chance(rng *rand.Rand, p float64) bool { return p > 0 && rng.Float64() < p }

// lag counts for how many more reads something stays unseen, at most until the
// settings change.
type lag struct {
	left int
	over *bool
}

func (f *faultState) lagOf(kind string) lag { return lag{f.Lag[kind], f.over} }

// hide reports whether a read does not see it yet.
func (l *lag) hide() bool {
	if l.left == 0 || l.over != nil && *l.over {
		return false
	}
	l.left--
	return true
}

// seen drops what a read does not see yet.
func seen[T interface{ hide() bool }](list []T) []T {
	return filter(list, func(x T) bool { return !x.hide() })
}

// fail does what a fault does before the request is handled. It reports whether
// that answered the request.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, x *Fault) bool {
	if x == nil {
		return false
	}
	switch x.Kind {
	case "truncate", "reset", "lost": // of the answer: see cut and lose
		return false
	case "slow":
		s.pause(r, time.Duration(x.Delay)*time.Millisecond)
		return false
	case "move-head":
		s.moveHead(x.Pull)
		return false
	case "html", "ok-html":
		code := cmp.Or(x.Status, http.StatusBadGateway)
		if x.Kind == "ok-html" {
			code = http.StatusOK
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		fmt.Fprint(w, "<!DOCTYPE html><html><head><title>Unicorn!</title></head><body><p>We couldn't respond to your request in time.</p></body></html>")
	default:
		s.limitFault(w, x)
	}
	return true
}

// cut writes half of an answer, either as if it were whole or breaking the
// connection in the middle.
func (x *Fault) cut(w http.ResponseWriter, code int, body []byte) {
	half := body[:len(body)/2]
	if x.Kind == "reset" {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	}
	w.WriteHeader(code)
	_, _ = w.Write(half) // nobody is told: the connection breaks anyway
	if x.Kind == "reset" {
		panic(http.ErrAbortHandler)
	}
}

// limitFault answers with an error in the API's form.
func (s *Server) limitFault(w http.ResponseWriter, x *Fault) {
	e := refuse(http.StatusBadGateway, "Server Error")
	if x.Status != 0 {
		e.Status, e.Message = x.Status, http.StatusText(x.Status)
	}
	wait := fmt.Sprint(x.RetryAfter)
	if x.RetryAfter == 0 {
		wait = "60"
	}
	switch x.Kind {
	case "rate-limit":
		e = refuse(http.StatusTooManyRequests, "API rate limit exceeded")
		e.header = map[string]string{"X-RateLimit-Remaining": "0", "Retry-After": wait}
	case "secondary":
		e = secondaryLimit(wait)
	case "secondary-bare":
		e = secondaryLimit("")
	}
	s.writeError(w, e)
}

// pause waits, but not longer than the client.
func (s *Server) pause(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-s.ctx.Done():
	}
}

// moveHead pushes a commit to the head of a pull request behind the caller's
// back.
func (s *Server) moveHead(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.main.pull(number)
	if x == nil || x.pull.headTip() == "" {
		return
	}
	name := fmt.Sprintf("moved-%d.txt", len(x.pull.commits))
	_, _ = s.commitFiles(personal(x.pull.headRepo.owner), x.pull.headRepo, x.pull.headBranch, "", "Move the head", map[string]blob{
		name: {modeFile, []byte("moved\n")},
	}) // a failure leaves the head where it is, which the test that asked will notice
}

// ExpireArtifact lets an artifact expire before its time.
func (s *Server) ExpireArtifact(id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.repos {
		if a := r.artifact(id); a != nil {
			a.expired = true
			return nil
		}
	}
	return notFound()
}
