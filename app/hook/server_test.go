package hook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const secret = "correct horse"

func sign(key, body string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

type call struct {
	method, body, key string
	header            map[string]string
}

func newServer(t *testing.T, handle Handler) *Server {
	t.Helper()
	s, err := New(Options{
		Secrets: []Secret{Secret(secret), Secret("next")}, Events: []string{"pull_request"},
		Seen: NewSeen(100), Handle: handle, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (c call) send(s *Server) int {
	r := httptest.NewRequest(c.method, "/", strings.NewReader(c.body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", "pull_request")
	r.Header.Set("X-GitHub-Delivery", "d1")
	r.Header.Set("X-Hub-Signature-256", sign(c.key, c.body))
	for name, value := range c.header {
		if r.Header.Del(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code
}

// TestIntake holds the inputs S01 to S15 of spec/security.md that concern one
// request.
func TestIntake(t *testing.T) {
	good := sign(secret, "{}")
	deep := `{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
	tests := []struct {
		name   string
		call   call
		status int
		taken  bool
	}{
		{"good", call{"POST", "{}", secret, nil}, 202, true},
		{"second secret", call{"POST", "{}", "next", nil}, 202, true},
		{"S01 method", call{"GET", "{}", secret, nil}, 405, false},
		{"S02 no event", call{"POST", "{}", secret, map[string]string{"X-GitHub-Event": ""}}, 400, false},
		{"S03 no delivery id", call{"POST", "{}", secret, map[string]string{"X-GitHub-Delivery": ""}}, 400, false},
		{"long delivery id", call{"POST", "{}", secret, map[string]string{"X-GitHub-Delivery": strings.Repeat("x", 129)}}, 400, false},
		{"S05 SHA-1 only", call{"POST", "{}", secret, map[string]string{"X-Hub-Signature-256": "", "X-Hub-Signature": "sha1=0123456789012345678901234567890123456789"}}, 401, false},
		{"S06 upper case", call{"POST", "{}", secret, map[string]string{"X-Hub-Signature-256": "sha256=" + strings.ToUpper(good[7:])}}, 401, false},
		{"S06 63 digits", call{"POST", "{}", secret, map[string]string{"X-Hub-Signature-256": good[:len(good)-1]}}, 401, false},
		{"S06 65 digits", call{"POST", "{}", secret, map[string]string{"X-Hub-Signature-256": good + "0"}}, 401, false},
		{"S06 space", call{"POST", "{}", secret, map[string]string{"X-Hub-Signature-256": "sha256= " + good[7:]}}, 401, false},
		{"wrong secret", call{"POST", "{}", "guess", nil}, 401, false},
		{"empty secret", call{"POST", "{}", "", nil}, 401, false},
		{"S07 form", call{"POST", "payload={}", secret, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, 415, false},
		{"S10 encoding", call{"POST", "{}", secret, map[string]string{"Content-Encoding": "gzip"}}, 415, false},
		{"S13 unknown event", call{"POST", "{}", secret, map[string]string{"X-GitHub-Event": "star"}}, 202, false},
		{"S14 broken JSON", call{"POST", `{"a":`, secret, nil}, 400, false},
		{"two documents", call{"POST", `{}{}`, secret, nil}, 400, false},
		{"not an object", call{"POST", `[]`, secret, nil}, 400, false},
		{"empty", call{"POST", ``, secret, nil}, 400, false},
		{"S15 depth", call{"POST", deep, secret, nil}, 400, false},
		{"too large", call{"POST", strings.Repeat(" ", MaxBody+1), secret, nil}, 413, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			taken := false
			s := newServer(t, func(context.Context, Delivery) error { taken = true; return nil })
			if status := tt.call.send(s); status != tt.status || taken != tt.taken {
				t.Errorf("status %d, taken %v; want %d, %v", status, taken, tt.status, tt.taken)
			}
		})
	}
}

// TestRepeats is S11: one delivery fifty times at once has one effect; the
// same id with another body is a security event.
func TestRepeats(t *testing.T) {
	var taken atomic.Int32
	s := newServer(t, func(context.Context, Delivery) error { taken.Add(1); return nil })
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if status := (call{"POST", `{"n":1}`, secret, nil}).send(s); status != 202 {
				t.Errorf("status %d", status)
			}
		})
	}
	wait.Wait()
	if taken.Load() != 1 {
		t.Errorf("handled %d times", taken.Load())
	}
	if status := (call{"POST", `{"n":2}`, secret, nil}).send(s); status != 409 {
		t.Errorf("another body under the same id: status %d", status)
	}
}

// TestFailureIsTakenAgain is S17: what could not be stored is answered 5xx and
// taken when it is delivered again.
func TestFailureIsTakenAgain(t *testing.T) {
	fail := true
	s := newServer(t, func(context.Context, Delivery) error {
		if fail {
			return errors.New("disk full")
		}
		return nil
	})
	one := call{"POST", "{}", secret, nil}
	if status := one.send(s); status != http.StatusInternalServerError {
		t.Errorf("status %d", status)
	}
	fail = false
	if status := one.send(s); status != http.StatusAccepted {
		t.Errorf("redelivery: status %d", status)
	}
}

func TestEmptySecretRefusesToStart(t *testing.T) {
	for _, secrets := range [][]Secret{nil, {nil}, {Secret("a"), Secret("")}} {
		if _, err := New(Options{Secrets: secrets}); err == nil {
			t.Errorf("%q was accepted", secrets)
		}
	}
}

func TestSeenForgetsTheOldest(t *testing.T) {
	s := NewSeen(2)
	for _, id := range []string{"a", "b", "c"} {
		s.Note(id, nil)
	}
	if s.Note("a", nil) != Fresh || s.Note("c", nil) != Repeated {
		t.Error("the memory does not keep the newest")
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{"{}", `{"a":[{}]}`, "[", `{"a":1}{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if err := checkJSON(body); err == nil && (len(body) == 0 || !strings.Contains(string(body), "{")) {
			t.Fatalf("%q was accepted", body)
		}
	})
}
