package ghapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/app/bot"
)

// TestAlwaysRevalidates: every read asks GitHub; an unchanged answer comes
// from the cache and costs no quota, a changed one replaces it.
func TestAlwaysRevalidates(t *testing.T) {
	asked := func(etag string, next reply) reply {
		return func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("If-None-Match"); got != etag {
				t.Errorf("If-None-Match %q, want %q", got, etag)
			}
			next(w, r)
		}
	}
	client, _ := newClientOn(t, script(t,
		asked("", status(200, `{"id":1,"body":"old"}`, "ETag", `"a"`)),
		asked(`"a"`, status(304, ``)),
		asked(`"a"`, status(200, `{"id":1,"body":"new"}`, "ETag", `"b"`)),
		asked(`"b"`, status(304, ``)),
		asked(`"b"`, status(404, `{}`)),
		asked("", status(404, `{}`)), // what we may no longer see is forgotten
	))
	repo := client.Repository("acme", "bench")
	for i, want := range []string{"old", "old", "new", "new"} {
		if c, err := repo.Comment(t.Context(), 1); err != nil || c.Body != want {
			t.Errorf("read %d: %q, %v", i, c.Body, err)
		}
	}
	for range 2 {
		if _, err := repo.Comment(t.Context(), 1); !errors.Is(err, bot.ErrNotFound) {
			t.Error(err)
		}
	}
	if s := client.Stats(); s.Requests != 6 || s.NotModified != 2 || s.Cost() != 4 {
		t.Errorf("stats %+v", s)
	}
}

// TestS73Identities: two identities share a cache, and GitHub gives both the
// same validator; neither is ever served what the other may see.
func TestS73Identities(t *testing.T) {
	var conditional atomic.Int32
	serve := func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("If-None-Match") != "" {
			conditional.Add(1)
			return document(304, ``), nil
		}
		owner := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		return document(200, `{"id":1,"body":"for `+owner+`"}`, "ETag", `"same"`), nil
	}
	shared := NewCache(1 << 20)
	read := func(token string) (bot.GitHub, func()) {
		repo, _ := newRepo(t, http.NotFoundHandler(), overWire(serve), func(o *Options) { o.Token, o.Cache = token, shared })
		return repo, func() {
			c, err := repo.Comment(t.Context(), 1)
			if err != nil || c.Body != "for "+token {
				t.Errorf("%s got %q, %v", token, c.Body, err)
			}
		}
	}
	_, ann := read("ann-token")
	_, bob := read("bob-token")
	ann()
	bob()
	if n := conditional.Load(); n != 0 {
		t.Errorf("%d requests used the validator of another identity", n)
	}
	ann()
	bob()
	if n := conditional.Load(); n != 2 {
		t.Errorf("%d conditional requests, want 2", n)
	}
}

// TestCacheKeepsToItsSize: whatever is put in, the bytes stay within the
// limit, are counted right, and what is found is what was put last.
func TestCacheKeepsToItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := int64(rapid.IntRange(0, 20_000).Draw(t, "limit"))
		c := NewCache(limit)
		last := make(map[cacheKey]string)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key := cacheKey{identity: "i", address: fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "key"))}
			body := strings.Repeat("x", rapid.IntRange(0, 6000).Draw(t, "bytes"))
			header := http.Header{}
			if rapid.Bool().Draw(t, "validator") {
				header.Set("Etag", body[:min(len(body), 5)]+"!")
			}
			c.put(key, &answer{status: 200, header: header, body: []byte(body)})
			last[key] = body
			sum := int64(0)
			for k, e := range c.entries {
				sum += e.Value.(*cached).size()
				if got := string(e.Value.(*cached).answer.body); got != last[k] {
					t.Fatalf("%d bytes for %v, last were %d", len(got), k, len(last[k]))
				}
			}
			if c.bytes != sum || sum > limit || c.recent.Len() != len(c.entries) {
				t.Fatalf("%d bytes counted, %d held, limit %d, %d in order of %d", c.bytes, sum, limit, c.recent.Len(), len(c.entries))
			}
		}
	})
}

// TestCacheDropsLeastRecent: a read makes an entry recent.
func TestCacheDropsLeastRecent(t *testing.T) {
	c := NewCache(3000)
	put := func(name string) {
		c.put(cacheKey{address: name}, &answer{status: 200, header: http.Header{"Etag": {"e"}}, body: make([]byte, 200)})
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		put(name)
	}
	c.get(cacheKey{address: "a"})
	put("e")
	var left []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if c.get(cacheKey{address: name}) != nil {
			left = append(left, name)
		}
	}
	if diff := cmp.Diff([]string{"a", "c", "d", "e"}, left); diff != "" {
		t.Error(diff)
	}
}

// TestUnchangedKeepsLinks: a 304 has none of the headers that describe the
// body, and new ones on limits.
func TestUnchangedKeepsLinks(t *testing.T) {
	c := NewCache(1 << 20)
	c.put(cacheKey{}, &answer{status: 200, body: []byte("[]"), header: http.Header{
		"Etag": {"e"}, "Link": {`<https://x?page=2>; rel="next"`}, "Content-Type": {"application/json"}, "X-Ratelimit-Remaining": {"0"},
	}})
	got := c.get(cacheKey{}).unchanged(&answer{status: 304, header: http.Header{"Content-Type": {"text/plain"}, "Date": {"now"}}})
	want := http.Header{"Etag": {"e"}, "Link": {`<https://x?page=2>; rel="next"`}, "Content-Type": {"application/json"}, "Date": {"now"}}
	if diff := cmp.Diff(want, got.header); diff != "" || got.status != 200 {
		t.Error(got.status, diff)
	}
}

// held is a network that answers only when it is told to.
type held struct {
	release chan struct{}
	reads   atomic.Int32
}

func (h *held) answer(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return document(200, `{"id":2}`), nil
	}
	n := h.reads.Add(1)
	select {
	case <-h.release:
		return document(200, fmt.Sprintf(`{"id":1,"body":"read %d"}`, n)), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// bubble runs a test in which all goroutines can be waited for.
func bubble(t *testing.T, f func(t *testing.T, h *held, repo bot.GitHub, client *Client)) {
	synctest.Test(t, func(t *testing.T) {
		h := &held{release: make(chan struct{})}
		clock := newClock()
		client, err := New(t.Context(), Options{Token: "t", Transport: wireFunc(h.answer), Now: clock.Now, Sleep: clock.Sleep})
		if err != nil {
			t.Fatal(err)
		}
		f(t, h, client.Repository("acme", "bench"), client)
	})
}

// TestEqualReadsMerge: twenty equal reads at once are one request.
func TestEqualReadsMerge(t *testing.T) {
	bubble(t, func(t *testing.T, h *held, repo bot.GitHub, client *Client) {
		for range 20 {
			go func() {
				if c, err := repo.Comment(t.Context(), 1); err != nil || c.Body != "read 1" {
					t.Errorf("%q, %v", c.Body, err)
				}
			}()
		}
		synctest.Wait()
		close(h.release)
		synctest.Wait()
		if s := client.Stats(); s.Requests != 1 || s.Merged != 19 {
			t.Errorf("stats %+v", s)
		}
	})
}

// TestMergedReadOutlivesItsLeader: the caller who asked first gives up; those
// who waited with him still get their answer.
func TestMergedReadOutlivesItsLeader(t *testing.T) {
	bubble(t, func(t *testing.T, h *held, repo bot.GitHub, _ *Client) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := repo.Comment(ctx, 1); !errors.Is(err, context.Canceled) {
				t.Error("leader:", err)
			}
		}()
		synctest.Wait()
		for range 3 {
			go func() {
				if c, err := repo.Comment(t.Context(), 1); err != nil || c.Body != "read 2" {
					t.Errorf("follower: %q, %v", c.Body, err)
				}
			}()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(h.release)
		synctest.Wait()
	})
}

// TestReadsAfterWritesAreNew: a read that starts after a write must not be
// answered by one that started before it.
func TestReadsAfterWritesAreNew(t *testing.T) {
	bubble(t, func(t *testing.T, h *held, repo bot.GitHub, _ *Client) {
		read := func() {
			if _, err := repo.Comment(t.Context(), 1); err != nil {
				t.Error(err)
			}
		}
		go read()
		synctest.Wait()
		if err := repo.UpdateComment(t.Context(), 1, "new"); err != nil {
			t.Error(err)
		}
		go read()
		synctest.Wait()
		if n := h.reads.Load(); n != 2 {
			t.Errorf("%d reads reached GitHub, want 2", n)
		}
		close(h.release)
		synctest.Wait()
	})
}
