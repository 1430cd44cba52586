package sandbox

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// router finds the route of a request. http.ServeMux will not do: GitHub has
// paths such as issues/{number}/comments and issues/comments/{id}, of which
// neither is more special than the other.
type router struct{ routes []compiled }

// compiled is a route with its pattern taken apart.
type compiled struct {
	route
	method   string
	segments []string
}

func newRouter(routes []route) *router {
	r := &router{}
	for _, rt := range routes {
		method, address, _ := strings.Cut(rt.pattern, " ")
		r.routes = append(r.routes, compiled{rt, method, strings.Split(strings.Trim(address, "/"), "/")})
	}
	// Words before placeholders, segment by segment: the first match is right.
	slices.SortStableFunc(r.routes, func(a, b compiled) int { return slices.Compare(a.order(), b.order()) })
	return r
}

func (c compiled) order() []string {
	return convert(c.segments, func(part string) string {
		switch {
		case strings.HasSuffix(part, "...}"):
			return "\xff\xff"
		case strings.HasPrefix(part, "{"):
			return "\xff"
		}
		return part
	})
}

// find returns the route of a request and sets its path values. known says
// whether there is one for another method.
func (r *router) find(req *http.Request) (rt route, ok bool) {
	method := req.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	parts := strings.Split(strings.Trim(req.URL.EscapedPath(), "/"), "/")
	for _, c := range r.routes {
		if c.method != method {
			continue
		}
		if values, ok := c.match(parts); ok {
			for name, value := range values {
				req.SetPathValue(name, value)
			}
			return c.route, true
		}
	}
	return route{}, false
}

// match holds the parts of a path against a pattern.
func (c compiled) match(parts []string) (values map[string]string, ok bool) {
	values = make(map[string]string)
	for i, want := range c.segments {
		name, isName := strings.CutPrefix(want, "{")
		name = strings.TrimSuffix(name, "}")
		rest, isRest := strings.CutSuffix(name, "...")
		switch {
		case isRest && i < len(parts):
			values[rest] = unescape(strings.Join(parts[i:], "/"))
			return values, true
		case i >= len(parts) || isRest:
			return nil, false
		case isName:
			values[name] = unescape(parts[i])
		case want != parts[i]:
			return nil, false
		}
	}
	return values, len(parts) == len(c.segments)
}

func unescape(text string) string {
	plain, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return plain
}
