package ghapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestWireStaysHome: an identity is shown to one host only, whatever asks.
func TestWireStaysHome(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/"}
	w := &wire{base: base, maxBody: 10, totals: &Recorder{}, notice: func(http.Header) {},
		next: wireFunc(func(*http.Request) (*http.Response, error) { return document(200, `{}`), nil })}
	for address, allowed := range map[string]bool{
		"https://api.example.com/x": true, "http://api.example.com/x": false, "https://example.com/x": false,
		"https://api.example.com:8443/x": false, "https://api.example.com.evil.org/": false,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := w.RoundTrip(req)
		if (err == nil) != allowed || !allowed && !errors.Is(err, errOtherHost) {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	if n := w.totals.Stats().Requests; n != 1 {
		t.Errorf("%d requests", n)
	}
}

// TestBoundedBody: up to the limit is read, one byte more is an error.
func TestBoundedBody(t *testing.T) {
	for n := range 25 {
		b := &boundedBody{body: io.NopCloser(strings.NewReader(strings.Repeat("x", n))), left: 12, limit: 12}
		got, err := io.ReadAll(b)
		if len(got) != min(n, 12) || errors.Is(err, ErrTooLarge) != (n > 12) {
			t.Errorf("%d bytes: read %d, %v", n, len(got), err)
		}
	}
}

// BenchmarkCachedRead is a read of a 200 kB list that has not changed.
func BenchmarkCachedRead(b *testing.B) {
	body := "[" + strings.Repeat(`{"id":1,"body":"`+strings.Repeat("x", 2000)+`"},`, 98) + `{"id":2}]`
	repo := benchRepo(b, func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("If-None-Match") != "" {
			return document(304, ``), nil
		}
		return document(200, body, "ETag", `"e"`), nil
	})
	for b.Loop() {
		if all, err := repo.Comments(b.Context(), 1); err != nil || len(all) != 2 {
			b.Fatal(len(all), err)
		}
	}
}

// BenchmarkJobs is a list of 3,000 jobs over 30 pages.
func BenchmarkJobs(b *testing.B) {
	p := &pagedJobs{total: 3000}
	repo := benchRepo(b, p.answer)
	for b.Loop() {
		if jobs, err := repo.Jobs(b.Context(), 1, 0); err != nil || len(jobs) != 3000 {
			b.Fatal(fmt.Sprint(len(jobs)), err)
		}
	}
}
