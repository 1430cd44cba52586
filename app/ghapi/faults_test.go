package ghapi

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// codeOf returns the code of an error's finding.
func codeOf(err error) string {
	var f diag.Finding
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// TestS69Faults has GitHub fail in every way a read can meet, each of which is
// handled as itself: what is tried again, how long it waits, what comes out.
func TestS69Faults(t *testing.T) {
	good := doc(`{"id":1,"body":"hello"}`)
	reset := strconv.FormatInt(newClock().now.Add(10*time.Minute).Unix(), 10)
	tests := []struct {
		name    string
		replies []reply
		sleeps  []int
		code    string // of the error; "" is success
		is      error
		says    string
	}{
		{"403 with retry-after", []reply{status(403, `{"message":"slow down"}`, "Retry-After", "30"), good}, []int{30}, "", nil, ""},
		{"429 with retry-after as a date", []reply{status(429, `{}`, "Retry-After", "Fri, 01 Jan 2100 12:00:45 GMT", "Date", "Fri, 01 Jan 2100 12:00:05 GMT"), good}, []int{40}, "", nil, ""},
		{"429 without", []reply{status(429, `{}`, "Date", ""), good}, []int{60}, "", nil, ""},
		{"403 with the quota used up", []reply{status(403, `{"message":"API rate limit exceeded"}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset, "Date", "Fri, 01 Jan 2100 12:00:00 GMT"), good}, []int{601}, "", nil, ""},
		{"the same by a clock that is an hour ahead of ours", []reply{status(403, `{"message":"API rate limit exceeded"}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset, "Date", "Fri, 01 Jan 2100 12:09:00 GMT"), good}, []int{61}, "", nil, ""},
		{"secondary limit in words, met twice", []reply{
			status(403, `{"message":"You have exceeded a secondary rate limit."}`),
			status(403, `{"message":"no","documentation_url":"https://docs.github.com/x#abuse-rate-limits"}`), good,
		}, []int{60, 120}, "", nil, ""},
		{"403 of a missing permission", []reply{status(403, `{"message":"Resource not accessible by integration"}`)}, []int{}, "ghapi.forbidden", bot.ErrForbidden, "Resource not accessible by integration"},
		{"401 of a token that cannot be renewed", []reply{status(401, `{"message":"Bad credentials"}`)}, []int{}, "ghapi.unauthorized", bot.ErrForbidden, "Bad credentials"},
		{"404", []reply{status(404, `{"message":"Not Found"}`)}, []int{}, "ghapi.not-found", bot.ErrNotFound, "GET repos/{owner}/{repo}/issues/comments/{number}"},
		{"409", []reply{status(409, `{"message":"busy"}`)}, []int{}, "ghapi.refused", bot.ErrConflict, "busy"},
		{"410", []reply{status(410, `{}`)}, []int{}, "ghapi.gone", bot.ErrNotFound, "Gone"},
		{"422 with reasons", []reply{status(422, `{"message":"Validation Failed","errors":[{"resource":"IssueComment","code":"custom","field":"body","message":"body is too long"}]}`)}, []int{}, "ghapi.invalid", nil, "Validation Failed; body is too long"},
		{"418", []reply{status(418, `{}`)}, []int{}, "ghapi.unexpected", nil, "418"},
		{"502 page", []reply{html(502), good}, []int{1}, "", nil, ""},
		{"503 that says when", []reply{status(503, `{}`, "Retry-After", "7"), good}, []int{7}, "", nil, ""},
		{"502 without end", []reply{html(502), html(502), html(504), html(500)}, []int{1, 2, 4}, "ghapi.server-error", nil, "500 Internal Server Error"},
		{"200 page", []reply{html(200), good}, []int{1}, "", nil, ""},
		{"200 page without end", []reply{html(200), html(200), html(200), html(200)}, []int{1, 2, 4}, "ghapi.bad-answer", nil, "a page instead of a document"},
		{"200 with an error document", []reply{doc(`{"message":"Server Error","documentation_url":"x"}`), good}, []int{1}, "", nil, ""},
		{"cut document of the right length", []reply{doc(`{"id":1,"bo`), good}, []int{1}, "", nil, ""},
		{"reset in the middle of the document", []reply{cutOff(`{"id":1,"bo`), good}, []int{1}, "", nil, ""},
		{"empty answer", []reply{doc(``), good}, []int{1}, "", nil, ""},
		{"304 that nobody asked for", []reply{status(304, ``), good}, []int{1}, "", nil, ""},
		{"document of another kind", []reply{doc(`{"id":"one"}`)}, []int{}, "ghapi.bad-answer", nil, "cannot unmarshal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo, clock := newRepo(t, script(t, tt.replies...))
			c, err := repo.Comment(t.Context(), 1)
			if got := codeOf(err); got != tt.code || (err == nil) != (tt.code == "") {
				t.Fatalf("error %v, want code %q", err, tt.code)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v is not %v", err, tt.is)
			}
			if err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %q does not say %q", err, tt.says)
			}
			if err == nil && c.Body != "hello" {
				t.Errorf("comment %+v", c)
			}
			if diff := cmp.Diff(tt.sleeps, clock.sleeps()); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
		})
	}
}

// TestS69EncryptedReset drops an encrypted connection in the middle of a body.
func TestS69EncryptedReset(t *testing.T) {
	server := httptest.NewTLSServer(script(t, cutOff(`{"id":1,`), doc(`{"id":1}`)))
	t.Cleanup(server.Close)
	repo, _ := newRepo(t, http.NotFoundHandler(), func(o *Options) {
		o.BaseURL, o.Transport = server.URL, server.Client().Transport
	})
	if c, err := repo.Comment(t.Context(), 1); err != nil || c.ID != 1 {
		t.Errorf("comment %+v, %v", c, err)
	}
}

// TestLimitBeyondTheDeadline: a wait that would outlast the context is an
// error that says until when, and costs no request.
func TestLimitBeyondTheDeadline(t *testing.T) {
	clock := newClock()
	ctx, cancel := context.WithDeadline(t.Context(), clock.now.Add(time.Minute))
	defer cancel()
	tests := []struct {
		name      string
		refusal   reply
		secondary bool
		until     time.Time
	}{
		{"secondary", status(403, `{}`, "Retry-After", "90"), true, clock.now.Add(90 * time.Second)},
		{"primary", status(403, `{}`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", strconv.FormatInt(clock.now.Add(time.Hour).Unix(), 10), "Date", ""), false, clock.now.Add(time.Hour + time.Second)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo, _ := newRepo(t, script(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Date"] = nil
				tt.refusal(w, r)
			}))
			for range 2 { // the second call knows by itself
				_, err := repo.Comment(ctx, 1)
				var limit *bot.RateLimitError
				if !errors.As(err, &limit) || limit.Secondary != tt.secondary || !limit.Until.Equal(tt.until) {
					t.Fatalf("error %#v", err)
				}
			}
		})
	}
}

// TestLimitsHaveAnEnd: GitHub that refuses without end is given up on.
func TestLimitsHaveAnEnd(t *testing.T) {
	refuse := status(403, `{"message":"secondary rate limit"}`)
	repo, clock := newRepo(t, script(t, refuse, refuse, refuse, refuse, refuse, refuse))
	_, err := repo.Comment(t.Context(), 1)
	var limit *bot.RateLimitError
	if !errors.As(err, &limit) || !limit.Secondary {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{60, 120, 240, 480, 960}, clock.sleeps()); diff != "" {
		t.Error(diff)
	}
}

// TestLibraryKeepsNoLimits: the client library would remember a used-up quota
// and refuse the next calls by itself. Ours waits and sends them.
func TestLibraryKeepsNoLimits(t *testing.T) {
	reset := strconv.FormatInt(newClock().now.Add(20*time.Second).Unix(), 10)
	repo, clock := newRepo(t, script(t,
		status(200, `{"id":1}`, "X-RateLimit-Limit", "1000", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset, "Date", "Fri, 01 Jan 2100 12:00:00 GMT"),
		doc(`{"id":2}`)))
	for id := range int64(2) {
		if _, err := repo.Comment(t.Context(), id+1); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]int{21}, clock.sleeps()); diff != "" {
		t.Error(diff)
	}
}

// TestAnswerSize: an answer above the limit is dropped, not read into memory.
func TestAnswerSize(t *testing.T) {
	big := doc(`{"body":"` + strings.Repeat("x", 2000) + `"}`)
	repo, _ := newRepo(t, script(t, big), func(o *Options) { o.MaxBody = 1000 })
	_, err := repo.Comment(t.Context(), 1)
	if !errors.Is(err, ErrTooLarge) || codeOf(err) != "ghapi.too-large" {
		t.Error(err)
	}
}

// TestCancelledCall: the end of the caller's context ends the call, whatever
// it is waiting for.
func TestCancelledCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	repo, _ := newRepo(t, script(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	_, err := repo.Comment(ctx, 1)
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrOutcomeUnknown) {
		t.Error(err)
	}
}

// TestS75Sunset: the announced end of the API version is logged once.
func TestS75Sunset(t *testing.T) {
	ending := status(200, `{"id":1}`, "Deprecation", "Sat, 01 Aug 2099 00:00:00 GMT", "Sunset", "Fri, 01 Aug 2100 00:00:00 GMT")
	var log logBuffer
	repo, _ := newRepo(t, script(t, ending, ending, ending), log.use)
	for id := range int64(3) {
		if _, err := repo.Comment(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "01 Aug 2100"); n != 1 {
		t.Errorf("%d notices in\n%s", n, log.String())
	}
}

// FuzzLimitOf: no header makes us wait less than a second or more than a day.
func FuzzLimitOf(f *testing.F) {
	f.Add("30", "0", "4102488000", "Fri, 01 Jan 2100 12:00:00 GMT")
	f.Add("-1", "0", "9223372036854775807", "")
	f.Add("99999999999999999999", "x", "-5", "yesterday")
	f.Fuzz(func(t *testing.T, after, remaining, reset, date string) {
		h := http.Header{"Retry-After": {after}, "X-Ratelimit-Remaining": {remaining}, "X-Ratelimit-Reset": {reset}, "Date": {date}}
		wait, _, _ := limitOf(&answer{status: 403, header: h}, newClock().now)
		if wait != 0 && (wait < time.Second || wait > 24*time.Hour) {
			t.Errorf("wait %v", wait)
		}
	})
}
