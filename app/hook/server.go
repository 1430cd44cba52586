package hook

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"time"
)

// Handler takes an accepted delivery. It must return quickly: GitHub waits at
// most 10 seconds for the answer. An error makes the answer a 5xx, so that the
// delivery counts as failed and can be delivered again.
type Handler func(ctx context.Context, d Delivery) error

// Server is an http.Handler for webhooks.
type Server struct {
	secrets []Secret
	events  map[string]bool
	seen    *Seen
	handle  Handler
	log     *slog.Logger
}

// Options configure a server.
type Options struct {
	// Secrets are the webhook secrets in force; at least one, none empty.
	Secrets []Secret
	// Events are the event names that are handled; others are answered with
	// 202 and dropped.
	Events []string
	// Seen drops repeats.
	Seen   *Seen
	Handle Handler
	Log    *slog.Logger
}

// New returns a server, or an error when it would accept unsigned deliveries.
func New(o Options) (*Server, error) {
	if err := checkSecrets(o.Secrets); err != nil {
		return nil, err
	}
	s := &Server{secrets: o.Secrets, events: make(map[string]bool), seen: o.Seen, handle: o.Handle, log: o.Log}
	for _, name := range o.Events {
		s.events[name] = true
	}
	return s, nil
}

// Timeouts of a listening server. A sender that is slower is cut off.
const (
	readTimeout   = 10 * time.Second
	headerTimeout = 5 * time.Second
	writeTimeout  = 15 * time.Second
	idleTimeout   = 60 * time.Second
)

// HTTPServer returns a server with the bounds that a public address needs.
func (s *Server) HTTPServer(addr string) *http.Server {
	return &http.Server{
		Addr: addr, Handler: s, MaxHeaderBytes: 64 << 10,
		ReadTimeout: readTimeout, ReadHeaderTimeout: headerTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
	}
}

// refusal is an HTTP status with the word that is logged and answered.
type refusal struct {
	status int
	reason string
}

func (r refusal) Error() string { return r.reason }

// ServeHTTP answers one delivery: 202 when taken, repeated or not handled
// here, 4xx when it proves nothing or is malformed, 5xx when the handler
// failed.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, err := s.read(w, r)
	if err == nil {
		err = s.take(r.Context(), d)
	}
	status := http.StatusAccepted
	var refused refusal
	switch {
	case errors.As(err, &refused):
		status = refused.status
		s.log.Warn("webhook refused", "reason", refused.reason, "status", status, "delivery", printable(d.ID), "event", printable(d.Event))
	case err != nil:
		status = http.StatusInternalServerError
		s.log.Error("webhook not handled", "error", err, "delivery", printable(d.ID), "event", printable(d.Event))
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	if refused.reason != "" {
		_, _ = io.WriteString(w, refused.reason+"\n") // the status is already sent
	}
}

// read proves a request before it looks at what the body says.
func (s *Server) read(w http.ResponseWriter, r *http.Request) (Delivery, error) {
	d := Delivery{ID: r.Header.Get("X-GitHub-Delivery"), Event: r.Header.Get("X-GitHub-Event")}
	if f := checkRequest(r, d); f != nil {
		return d, *f
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return d, refusal{http.StatusRequestEntityTooLarge, "the body is larger than 25 MiB"}
	case err != nil:
		return d, refusal{http.StatusBadRequest, "the body ended early"}
	case !verify(s.secrets, r.Header.Get("X-Hub-Signature-256"), body):
		return d, refusal{http.StatusUnauthorized, "the signature in X-Hub-Signature-256 does not fit"}
	}
	if err := checkJSON(body); err != nil {
		s.log.Warn("signed webhook is not JSON", "error", err, "bytes", len(body), "delivery", printable(d.ID))
		return d, refusal{http.StatusBadRequest, "the body is not a JSON object of reasonable depth"}
	}
	d.Body = body
	return d, nil
}

// checkRequest looks at everything but the body.
func checkRequest(r *http.Request, d Delivery) *refusal {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Method != http.MethodPost:
		return &refusal{http.StatusMethodNotAllowed, "webhooks are sent with POST"}
	case d.Event == "" || len(d.Event) > maxHeader:
		return &refusal{http.StatusBadRequest, "X-GitHub-Event is missing or too long"}
	case d.ID == "" || len(d.ID) > maxHeader:
		return &refusal{http.StatusBadRequest, "X-GitHub-Delivery is missing or too long"}
	case r.Header.Get("Content-Encoding") != "":
		return &refusal{http.StatusUnsupportedMediaType, "Content-Encoding is not accepted"}
	case err != nil || media != "application/json":
		return &refusal{http.StatusUnsupportedMediaType, "set the webhook's content type to application/json"}
	}
	return nil
}

// take hands a delivery on, once.
func (s *Server) take(ctx context.Context, d Delivery) error {
	switch s.seen.Note(d.ID, d.Body) {
	case Repeated:
		return nil
	case Forged:
		return refusal{http.StatusConflict, "this delivery id was used for another body"}
	}
	if !s.events[d.Event] {
		return nil
	}
	if err := s.handle(ctx, d); err != nil {
		s.seen.Forget(d.ID)
		return err
	}
	return nil
}

// printable keeps control characters of a header out of the log.
func printable(text string) string {
	out := []rune(text)
	for i, r := range out {
		if r < ' ' || r == 0x7f {
			out[i] = '?'
		}
	}
	return string(out[:min(len(out), maxHeader)])
}
