package ghapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
)

const (
	shaA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	shaB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// clock is a clock that moves only while somebody sleeps. It stands far in the
// future, so that deadlines of contexts, which go by the real clock, never end
// during a test.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newClock() *clock {
	return &clock{now: time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// sleeps returns the pauses so far in whole seconds.
func (c *clock) sleeps() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	seconds := []int{}
	for _, d := range c.slept {
		seconds = append(seconds, int(d.Round(time.Second)/time.Second))
	}
	return seconds
}

// reply is one answer of a scripted GitHub.
type reply func(w http.ResponseWriter, r *http.Request)

// ServeHTTP answers a request.
func (f reply) ServeHTTP(w http.ResponseWriter, r *http.Request) { f(w, r) }

// doc answers 200 with a document.
func doc(body string) reply { return status(200, body) }

// status answers with a document and headers, given as name, value pairs.
func status(code int, body string, header ...string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// html answers with a page, as proxies and failing servers do.
func html(code int) reply {
	return status(code, "<html><body>Unicorn!</body></html>", "Content-Type", "text/html")
}

// cutOff promises more than it sends and drops the connection.
func cutOff(body string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100000")
		io.WriteString(w, body)
		panic(http.ErrAbortHandler)
	}
}

// script answers with each reply once, in order. A request too many fails the
// test, and so does one too few.
func script(t *testing.T, replies ...reply) reply {
	t.Helper()
	var mu sync.Mutex
	n := 0
	t.Cleanup(func() {
		if n != len(replies) {
			t.Errorf("%d of %d scripted answers were fetched", n, len(replies))
		}
	})
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		i := n - 1
		mu.Unlock()
		if i >= len(replies) {
			t.Errorf("request %d is one too many: %s %s", i+1, r.Method, r.URL)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		replies[i](w, r)
	}
}

// routes maps "METHOD /path" to what answers it. Other requests fail the test.
type routes map[string]reply

func (m routes) serve(t *testing.T) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		h := m[r.Method+" "+r.URL.Path]
		if h == nil {
			t.Errorf("unexpected request %s %s", r.Method, r.URL)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		h(w, r)
	}
}

// newClientOn returns a client of a test server, with a clock that only moves
// by sleeping and no chance.
func newClientOn(t *testing.T, h http.Handler, change ...func(*Options)) (*Client, *clock) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c := newClock()
	o := Options{Token: "ghs_canary0123456789", BaseURL: server.URL, Now: c.Now, Sleep: c.Sleep, Jitter: func() float64 { return 1 }}
	for _, f := range change {
		f(&o)
	}
	client, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return client, c
}

// newRepo is newClientOn for the repository acme/bench.
func newRepo(t *testing.T, h http.Handler, change ...func(*Options)) (bot.GitHub, *clock) {
	t.Helper()
	client, c := newClientOn(t, h, change...)
	return client.Repository("acme", "bench"), c
}

// benchRepo is newRepo for benchmarks, without a network.
func benchRepo(b *testing.B, f wireFunc) bot.GitHub {
	b.Helper()
	c := newClock()
	client, err := New(b.Context(), Options{Token: "t", Transport: f, Now: c.Now, Sleep: c.Sleep})
	if err != nil {
		b.Fatal(err)
	}
	return client.Repository("acme", "bench")
}

// wireFunc answers requests without a network.
type wireFunc func(*http.Request) (*http.Response, error)

func (f wireFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// overWire has a function stand in for the network.
func overWire(f wireFunc) func(*Options) {
	return func(o *Options) { o.Transport = f }
}

// document is a response for wireFunc.
func document(code int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// comments is a page of comments with the given ids.
func comments(ids ...int) string {
	var b bytes.Buffer
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"body":"text %d","user":{"id":7,"login":"ann","type":"User"}}`, id, id)
	}
	return "[" + b.String() + "]"
}

// body returns what a request carries.
func body(t *testing.T, r *http.Request) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return strings.TrimSpace(string(data))
}
