package sandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// deliveryTimeout is how long GitHub waits for an answer.
const deliveryTimeout = 10 * time.Second

// maxPayload is the size of a payload in bytes above which GitHub sends none.
const maxPayload = 25 << 20

// newSender returns the client for deliveries: no proxy, no redirects, nothing
// but this machine.
func newSender() *http.Client {
	return &http.Client{
		Timeout:       deliveryTimeout,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 2},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send delivers what is in the queue, one after the other, until the sandbox
// ends.
func (s *Server) send() {
	client := newSender()
	defer client.CloseIdleConnections()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.sending) == 0 && s.ctx.Err() == nil {
			s.changed.Wait()
		}
		if s.ctx.Err() != nil {
			return
		}
		d := s.sending[0]
		s.sending, s.inFlight = s.sending[1:], true
		lost := s.faults.chance(s.rng, s.faults.Lose)
		s.mu.Unlock()
		result := s.attempt(client, d, lost)
		s.mu.Lock()
		d.finish(result)
		s.inFlight = false
		s.changed.Broadcast()
	}
}

// sent is the outcome of a delivery.
type sent struct {
	code     int
	status   string
	request  http.Header
	response http.Header
	answer   string
	took     time.Duration
}

func (d *delivery) finish(r sent) {
	d.code, d.status, d.answer, d.duration = r.code, r.status, r.answer, r.took
	d.request, d.response = flat(r.request), flat(r.response)
	d.hook.last = d
}

func flat(h http.Header) map[string]string {
	out := make(map[string]string, len(h))
	for name := range h {
		out[name] = h.Get(name)
	}
	return out
}

// attempt sends one delivery. It reads only what does not change.
func (s *Server) attempt(client *http.Client, d *delivery, lost bool) sent {
	body, contentType := d.payload, "application/json"
	if d.hook.form {
		body, contentType = []byte("payload="+url.QueryEscape(string(d.payload))), "application/x-www-form-urlencoded"
	}
	header := d.headers(body, contentType)
	switch {
	case len(d.payload) > maxPayload:
		return sent{status: "payload too large", request: header}
	case lost:
		return sent{status: "failed to connect to host", request: header}
	}
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, d.hook.url, bytes.NewReader(body))
	if err != nil {
		return sent{status: "invalid url", request: header}
	}
	req.Header = header
	start := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return sent{status: failure(err), request: header, took: time.Since(start)}
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what came is shown
	return sent{resp.StatusCode, word(resp.StatusCode), header, resp.Header, string(answer), time.Since(start)}
}

// failure is GitHub's word for a delivery without an answer.
func failure(err error) string {
	if errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "Client.Timeout") {
		return "timed out"
	}
	return "failed to connect to host"
}

// word is GitHub's status of an answered delivery.
func word(code int) string {
	if code >= 200 && code < 300 {
		return "OK"
	}
	return "Invalid HTTP Response: " + strconv.Itoa(code)
}

// headers are those of a delivery, signed over the body as it is sent.
func (d *delivery) headers(body []byte, contentType string) http.Header {
	h := http.Header{
		"Content-Type": {contentType}, "User-Agent": {"GitHub-Hookshot/5a4d8b0"}, "Accept": {"*/*"},
		"X-Github-Event": {d.event}, "X-Github-Delivery": {d.guid}, "X-Github-Hook-Id": {strconv.FormatInt(d.hook.id, 10)},
	}
	target, id := "integration", d.hook.app
	if d.hook.repo != nil {
		target, id = "repository", d.hook.repo.id
	}
	h.Set("X-GitHub-Hook-Installation-Target-Type", target)
	h.Set("X-GitHub-Hook-Installation-Target-ID", strconv.FormatInt(id, 10))
	if d.hook.secret != "" {
		h.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, d.hook.secret, body))
		h.Set("X-Hub-Signature", "sha1="+sign(sha1.New, d.hook.secret, body)) // GitHub still sends it; nobody may trust it
	}
	return h
}

func sign(algorithm func() hash.Hash, secret string, body []byte) string {
	mac := hmac.New(algorithm, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Settle waits until nothing more happens by itself: every delivery is
// answered and no engine is at work. Deliveries that a fault holds back are
// sent.
func (s *Server) Settle(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.release()
		if len(s.sending) == 0 && !s.inFlight && s.active == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.changed.Wait()
	}
}
