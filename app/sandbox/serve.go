package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// apiRoots are the first parts of API addresses at the root; no account can
// have one of these names.
var apiRoots = []string{"api", "repos", "users", "user", "orgs", "app", "apps", "installation", "rate_limit", "meta", "_sandbox"}

// ServeHTTP hands a request to the API, git, the pages or the controls. A name
// of another host is refused: a page on the web must not reach the sandbox by
// pointing a name of its own at this machine.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isOwnHost(r.Host) {
		http.Error(w, "this is a sandbox on 127.0.0.1", http.StatusMisdirectedRequest)
		return
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	rest, isAPI := strings.CutPrefix(r.URL.Path, "/api/v3")
	switch {
	case isGraphQL(r):
		refuseGraphQL(w)
	case isAPI && (rest == "" || rest[0] == '/'):
		s.serveAPI(w, below(r, "/api/v3"))
	case strings.HasPrefix(r.Host, "api."):
		s.serveAPI(w, r)
	case first == "_sandbox":
		s.serveControls(w, r)
	case slices.Contains(apiRoots, first):
		s.serveAPI(w, r)
	case r.URL.Path == "/" && !strings.Contains(r.Header.Get("Accept"), "text/html"):
		s.serveAPI(w, r)
	default:
		if repo, service, ok := gitRequest(r); ok {
			s.serveGit(w, r, repo, service)
			return
		}
		s.servePage(w, r)
	}
}

// apiURL is an address of the API. In answers it begins like the address that
// was asked, so that a client that came by a name keeps its credentials.
func (s *Server) apiURL(format string, args ...any) string {
	return cmp.Or(s.asked, s.base+"/api/v3") + fmt.Sprintf(format, args...)
}

// askedRoot is the root of the API as a request names it, where answers keep to
// that: a name of its own for the API, or TLS. "" is the plain address.
func askedRoot(r *http.Request) string {
	switch byName := strings.HasPrefix(r.Host, "api."); {
	case byName && r.TLS != nil:
		return "https://" + r.Host
	case byName:
		return "http://" + r.Host
	case r.TLS != nil:
		return "https://" + r.Host + "/api/v3"
	}
	return ""
}

// isGraphQL reports whether a request is for the other API: at /graphql of the
// name for the API, at /api/graphql of any other.
func isGraphQL(r *http.Request) bool {
	return r.URL.Path == "/graphql" || r.URL.Path == "/api/graphql"
}

// refuseGraphQL says that there is REST only. It is an error of GraphQL, which
// comes with status 200: clients show its message to their user.
func refuseGraphQL(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(encode(doc{
		"data":   nil,
		"errors": []doc{{"type": "NOT_SERVED", "message": "this sandbox does not serve GraphQL, only the REST API"}},
	})) // the client went away: nobody is left to tell
}

// webURL is the address of a page.
func (s *Server) webURL(format string, args ...any) string {
	return s.base + "/" + fmt.Sprintf(format, args...)
}

// isOwnHost reports whether a host name is one of this machine.
func isOwnHost(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = strings.Trim(hostPort, "[]")
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// below is a request with the beginning of its path cut off.
func below(r *http.Request, prefix string) *http.Request {
	out := r.Clone(r.Context())
	cut := func(p string) string {
		if p = strings.TrimPrefix(p, prefix); p == "" {
			return "/"
		}
		return p
	}
	out.URL = &url.URL{Path: cut(r.URL.Path), RawQuery: r.URL.RawQuery}
	if r.URL.RawPath != "" {
		out.URL.RawPath = cut(r.URL.RawPath)
	}
	return out
}

// gitName is the folder of a repository.
func (r *repository) gitName() string { return fmt.Sprintf("%d.git", r.id) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
