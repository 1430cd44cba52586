package ghapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// wire is the last step before the network. It sends to one host only, counts,
// bounds what comes back, and notes when GitHub announces the end of the API
// version.
type wire struct {
	next    http.RoundTripper
	base    *url.URL
	maxBody int64
	totals  *Recorder
	notice  func(http.Header)
}

// errOtherHost means that an address outside the API reached the wire. The
// identity must not be shown there.
var errOtherHost = errors.New("the address is not GitHub's API")

// RoundTrip sends one request.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != w.base.Host || req.URL.Scheme != w.base.Scheme {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, errOtherHost
	}
	count(req.Context(), w.totals, func(s *Stats) { s.request(req.Method, endpoint(w.base, req.URL)) })
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	w.notice(resp.Header)
	resp.Body = &boundedBody{body: resp.Body, left: w.maxBody, limit: w.maxBody}
	return resp, nil
}

// boundedBody fails once more than its limit has been read.
type boundedBody struct {
	body        io.ReadCloser
	left, limit int64
}

// Read reads at most one byte more than is left, to tell the end from an
// excess.
func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n + int(b.left), fmt.Errorf("%w: limit %d", ErrTooLarge, b.limit)
	}
	return n, err
}

// Close closes the body.
func (b *boundedBody) Close() error { return b.body.Close() }

// sunset logs, once a process and client, that GitHub will end the version of
// the API we ask for (spec/security.md S75).
type sunset struct {
	once sync.Once
	log  func(deprecation, end, link string)
}

func (s *sunset) see(h http.Header) {
	deprecation, end := h.Get("Deprecation"), h.Get("Sunset")
	if deprecation == "" && end == "" {
		return
	}
	s.once.Do(func() { s.log(deprecation, end, h.Get("Link")) })
}
