package ghapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// ErrOutcomeUnknown marks a write of which we cannot tell whether GitHub
// carried it out: the answer was lost or was a server's error page. Look for
// what the write should have left before trying again.
var ErrOutcomeUnknown = errors.New("GitHub may or may not have done it")

// ErrTooLarge marks an answer or archive above its byte limit.
var ErrTooLarge = errors.New("more bytes than allowed")

// Error is a call that failed. It wraps its finding, whose text is in the
// catalogue, and the error of package bot (ErrNotFound, ErrForbidden,
// ErrConflict) or of this one that callers branch on. It holds no secret.
type Error struct {
	diag.Finding
	// Status is GitHub's answer, 0 where there was none.
	Status int
	marks  []error
}

// Error returns the sentence of the finding.
func (e *Error) Error() string { return e.Finding.Error() }

// Unwrap returns the finding and the errors that the failure counts as.
func (e *Error) Unwrap() []error { return append([]error{e.Finding}, e.marks...) }

func newError(status int, code string, marks []error, args ...string) *Error {
	return &Error{Finding: diag.New(code, diag.Place{}, args...).In("unreadable"), Status: status, marks: marks}
}

// meaning is what a refusal of GitHub stands for.
type meaning struct {
	code string
	mark error
}

// meanings are the statuses that have one; see also the outcomes (outcome.go).
var meanings = map[int]meaning{
	http.StatusMovedPermanently:           {"ghapi.moved", nil},
	http.StatusFound:                      {"ghapi.moved", nil},
	http.StatusTemporaryRedirect:          {"ghapi.moved", nil},
	http.StatusPermanentRedirect:          {"ghapi.moved", nil},
	http.StatusUnauthorized:               {"ghapi.unauthorized", bot.ErrForbidden},
	http.StatusForbidden:                  {"ghapi.forbidden", bot.ErrForbidden},
	http.StatusNotFound:                   {"ghapi.not-found", bot.ErrNotFound},
	http.StatusMethodNotAllowed:           {"ghapi.refused", bot.ErrConflict},
	http.StatusConflict:                   {"ghapi.refused", bot.ErrConflict},
	http.StatusGone:                       {"ghapi.gone", bot.ErrNotFound},
	http.StatusUnprocessableEntity:        {"ghapi.invalid", nil},
	http.StatusUnavailableForLegalReasons: {"ghapi.forbidden", bot.ErrForbidden},
}

// statusError says what a refusing status means.
func statusError(status int, request, detail string) *Error {
	m, ok := meanings[status]
	if !ok {
		m = meaning{"ghapi.unexpected", nil}
	}
	var marks []error
	if m.mark != nil {
		marks = append(marks, m.mark)
	}
	return newError(status, m.code, marks, "request", request, "status", strconv.Itoa(status), "detail", orElse(detail, http.StatusText(status)))
}

// translate turns the error of a call through the library into one of ours.
func (p *pipeline) translate(request string, err error) error {
	var own *Error
	var limit *bot.RateLimitError
	var refusal *github.ErrorResponse
	var accepted *github.AcceptedError
	var factor *github.TwoFactorAuthError
	switch {
	case err == nil, errors.As(err, &accepted): // 202: will be done
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &factor):
		return statusError(http.StatusUnauthorized, request, p.scrub.detail(factor.Message))
	case errors.As(err, &refusal):
		return statusError(refusal.Response.StatusCode, request, p.scrub.detail(refusalText(refusal)))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return interrupted(request, err)
	case isDecoding(err):
		return newError(0, "ghapi.bad-answer", nil, "request", request, "detail", p.scrub.detail(plain(err).Error()))
	}
	return newError(0, "ghapi.unreachable", nil, "request", request, "detail", p.scrub.detail(plain(err).Error()))
}

// refusalText joins GitHub's message with the reasons it lists.
func refusalText(r *github.ErrorResponse) string {
	text := r.Message
	for _, e := range r.Errors {
		text += "; " + orElse(e.Message, e.Resource+" "+e.Field+" "+e.Code)
	}
	return text
}

// interrupted says that the context ended. A write may have been on its way.
func interrupted(request string, err error) *Error {
	mark := context.Canceled
	if errors.Is(err, context.DeadlineExceeded) {
		mark = context.DeadlineExceeded
	}
	if strings.HasPrefix(request, http.MethodGet+" ") {
		return newError(0, "ghapi.interrupted", []error{mark}, "request", request)
	}
	return newError(0, "ghapi.interrupted", []error{mark, ErrOutcomeUnknown}, "request", request)
}

func isDecoding(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var clock *time.ParseError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.As(err, &clock) || errors.Is(err, io.ErrUnexpectedEOF)
}

// plain drops the address from an error of the HTTP client: addresses of
// downloads are secrets.
func plain(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}

// neverSent reports whether an error came before a request left this machine,
// so that any request may be repeated.
func neverSent(err error) bool {
	var op *net.OpError
	var name *net.DNSError
	var unproven *identityError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &name) || errors.As(err, &unproven)
}
