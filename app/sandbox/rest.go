package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// call is one API request that is being answered.
type call struct {
	s      *Server
	r      *http.Request
	who    *identity
	repo   *repository // of paths below /repos/{owner}/{repo}
	status int
	header http.Header
}

// handler answers a call with a document, a raw body or a redirect. It is
// called with the state locked. Nil is an answer without content.
type handler func(c *call) (any, error)

// raw is an answer that is not JSON.
type raw struct {
	contentType string
	data        []byte
}

// redirect is a 302.
type redirect string

// route is one operation of the API: method and path, what the caller needs in
// the repository, and what answers.
type route struct {
	pattern string
	need    need
	handle  handler
}

// anyone marks operations that are not of a repository, or check for
// themselves.
var anyone = need{scopes: []string{"metadata"}, level: levelRead}

// routes lists the whole API.
func routes() []route {
	return slices.Concat(
		repoRoutes, contentRoutes, gitRoutes, pullRoutes, issueRoutes, commentRoutes, reviewRoutes, activityRoutes, checkRoutes,
		actionRoutes, runRoutes, userRoutes, appRoutes, hookRoutes,
	)
}

// lost is the operation of addresses that do not exist.
var lost = route{"", anyone, func(*call) (any, error) { return nil, notFound() }}

// serveAPI answers a request whose path is below the API's root.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	rt, ok := s.api.find(r)
	if !ok {
		rt = lost
	}
	s.serve(w, r, rt)
}

// serve answers one request: faults, then who it is, whether the quota lasts,
// and the operation.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, rt route) {
	w.Header().Set("X-GitHub-Request-Id", fmt.Sprintf("%04X:5A2D:%08X", s.requests.Add(1)%0xffff, s.requests.Load()))
	w.Header().Set("Server", "github.com")
	w.Header().Set("X-GitHub-Media-Type", "github.v3; format=json")
	w.Header().Set("X-GitHub-Api-Version-Selected", "2022-11-28")
	fault := s.faultFor(r)
	if s.fail(w, r, fault) {
		return
	}
	c, answer, err := s.answer(r, rt)
	fault.lose()
	for name, values := range c.header {
		w.Header()[name] = values
	}
	if err != nil {
		s.writeError(w, err)
		return
	}
	s.write(w, c, answer, fault)
}

// faultFor picks the failure that a request meets, as a copy.
func (s *Server) faultFor(r *http.Request) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.faults.pick(s.rng, r.Method, r.URL.Path)
	if x == nil {
		return nil
	}
	met := *x
	return &met
}

// answer does the operation under the lock.
func (s *Server) answer(r *http.Request, rt route) (c *call, answer any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = askedRoot(r)
	defer func() { s.asked = "" }()
	c = &call{s: s, r: r, status: http.StatusOK, header: make(http.Header)}
	if c.who, err = s.authenticate(r); err != nil {
		return c, nil, err
	}
	if err := s.spend(c, r.URL.Path == "/rate_limit"); err != nil {
		return c, nil, err
	}
	if err := c.enter(rt); err != nil {
		return c, nil, err
	}
	answer, err = rt.handle(c)
	if err != nil {
		return c, nil, err
	}
	return c, s.encodeAnswer(c, answer), nil
}

// enter finds the repository of a path and holds the caller's rights against
// what the operation needs.
func (c *call) enter(rt route) error {
	if !strings.Contains(rt.pattern, "/{owner}/{repo}") {
		return nil
	}
	c.repo = c.s.repo(c.path("owner") + "/" + c.path("repo"))
	if c.repo == nil {
		return notFound()
	}
	if len(rt.need.scopes) == 0 {
		return nil
	}
	accepted := convert(rt.need.scopes, func(scope string) string { return scope + "=" + rt.need.level.String() })
	c.header.Set("X-Accepted-GitHub-Permissions", strings.Join(accepted, "; "))
	return c.who.check(c.repo, rt.need)
}

// encodeAnswer turns a document into bytes with an ETag. An unchanged answer
// costs nothing of the quota. The tag depends on who asks, so that no cache
// can serve one identity's answer to another (spec/security.md S73).
func (s *Server) encodeAnswer(c *call, answer any) any {
	switch answer.(type) {
	case nil:
		c.status = max(c.status, http.StatusNoContent)
		return nil
	case redirect, raw:
		return answer
	}
	body := encode(answer)
	if c.r.Method != http.MethodGet && c.r.Method != http.MethodHead {
		return raw{"application/json; charset=utf-8", body}
	}
	body = c.outdated(body)
	sum := sha256.Sum256(append(body, c.who.key...))
	tag := hex.EncodeToString(sum[:])
	c.header.Set("ETag", `W/"`+tag+`"`)
	c.header.Set("Cache-Control", "private, max-age=60, s-maxage=60")
	c.header.Set("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP")
	if strings.Contains(c.r.Header.Get("If-None-Match"), tag) {
		c.status = http.StatusNotModified
		s.refund(c)
		return nil
	}
	return raw{"application/json; charset=utf-8", body}
}

// write sends an answer.
func (s *Server) write(w http.ResponseWriter, c *call, answer any, fault *Fault) {
	switch x := answer.(type) {
	case redirect:
		w.Header().Set("Location", string(x))
		w.WriteHeader(http.StatusFound)
	case raw:
		w.Header().Set("Content-Type", x.contentType)
		if fault != nil && (fault.Kind == "truncate" || fault.Kind == "reset") {
			fault.cut(w, c.status, x.data)
			return
		}
		w.WriteHeader(c.status)
		_, _ = w.Write(x.data) // the client went away: nobody is left to tell
	default:
		w.WriteHeader(c.status)
	}
}

// writeError answers with an error in the API's form.
func (s *Server) writeError(w http.ResponseWriter, err error) {
	var e *APIError
	if !errors.As(err, &e) {
		e = refuse(http.StatusInternalServerError, "sandbox: %v", err)
	}
	for name, value := range e.header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(e.Status)
	_, _ = w.Write(encode(e.document())) // as in write
}

// path returns a part of the request's path.
func (c *call) path(name string) string { return c.r.PathValue(name) }

// number returns a numeric part of the path.
func (c *call) number(name string) (int64, error) {
	n, err := strconv.ParseInt(c.path(name), 10, 64)
	if err != nil || n < 1 {
		return 0, notFound()
	}
	return n, nil
}

// query returns a parameter.
func (c *call) query(name string) string { return c.r.URL.Query().Get(name) }

// maxRequest is how many bytes of a request are read.
const maxRequest = 8 << 20

// body reads the request's document into v. No body is an empty document.
func (c *call) body(v any) error {
	data, err := io.ReadAll(io.LimitReader(c.r.Body, maxRequest+1))
	switch {
	case err != nil:
		return refuse(http.StatusBadRequest, "Problems reading the request")
	case len(data) > maxRequest:
		return refuse(http.StatusRequestEntityTooLarge, "Payload too big")
	case len(data) == 0:
		return nil
	}
	var mismatch *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, v); {
	case errors.As(err, &mismatch):
		return unprocessable("Invalid request.\n\nFor '%s', %s is not a %s.", mismatch.Field, mismatch.Value, mismatch.Type)
	case err != nil:
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	return nil
}

// created answers 201.
func (c *call) created(answer any) (any, error) {
	c.status = http.StatusCreated
	return answer, nil
}

// wants reports whether the client asks for a media type by name.
func (c *call) wants(media string) bool { return strings.Contains(c.r.Header.Get("Accept"), media) }

// Operations lists the operations of the API as method and path, in the form
// "GET /repos/{owner}/{repo}/pulls/{number}".
func Operations() []string {
	return convert(routes(), func(rt route) string { return strings.ReplaceAll(rt.pattern, "...}", "}") })
}
