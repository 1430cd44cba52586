package contract

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// found is the operation of an address, with what stands for its variable
// parts. Without one the operation is nil.
type found struct {
	name      string // path in the description
	item      *openapi3.PathItem
	operation *openapi3.Operation
	values    map[string]string
}

// flawedRequests are requests that GitHub takes although its description does
// not, by operation.
var flawedRequests = map[string]string{
	// The library for tokens of Apps sends null where it has no options.
	"POST /app/installations/{installation_id}/access_tokens": "Value is not nullable",
	// A search expression such as ">=2026-01-01" in GitHub's own guide.
	"GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs": `parameter "created" in query`,
}

// find looks for the operation of an address. Of several the one with the most
// fixed parts is right.
func (in *inspector) find(method, path string) found {
	var best found
	fixed := -1
	for name, item := range in.doc.Paths.Map() {
		values, ok := match(name, path)
		if n := strings.Count(name, "/") - len(values); ok && item.GetOperation(method) != nil && n > fixed {
			best, fixed = found{name, item, item.GetOperation(method), values}, n
		}
	}
	return best
}

// match holds an address against a path of the description. Names of files and
// refs, at the end, go over several parts.
func match(name, path string) (values map[string]string, ok bool) {
	want, have := strings.Split(name, "/"), strings.Split(path, "/")
	if last := len(want) - 1; (want[last] == "{path}" || want[last] == "{ref}") && len(have) > len(want) {
		have = append(have[:last:last], strings.Join(have[last:], "/"))
	}
	if len(want) != len(have) {
		return nil, false
	}
	values = make(map[string]string)
	for i := range want {
		if placeholder.FindString(want[i]) != want[i] || want[i] == "" {
			if want[i] != have[i] {
				return nil, false
			}
			continue
		}
		plain, err := url.PathUnescape(have[i])
		if err != nil || plain == "" {
			return nil, false
		}
		values[strings.Trim(want[i], "{}")] = plain
	}
	return values, true
}

// request holds a request against the description: variable parts, the query,
// and the body. Parameters that GitHub does not know it ignores, so they are
// errors here.
func (in *inspector) request(r found, req *http.Request, body []byte) {
	where := req.Method + " " + r.name
	in.seen[req.Method+" "+shape(r.name)] = true
	for key := range req.URL.Query() {
		if r.operation.Parameters.GetByInAndName("query", key) == nil && r.item.Parameters.GetByInAndName("query", key) == nil {
			in.complain(fmt.Sprintf("%s has no parameter %s", where, key))
		}
	}
	again := req.Clone(req.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	err := openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
		Request: again, PathParams: r.values,
		Route:   &routers.Route{Spec: in.doc, Path: r.name, PathItem: r.item, Method: req.Method, Operation: r.operation},
		Options: &openapi3filter.Options{MultiError: true, SkipSettingDefaults: true},
	})
	flaw, flawed := flawedRequests[where]
	switch {
	case flawed && (err == nil || !strings.Contains(err.Error(), flaw)):
		in.complain(fmt.Sprintf("%s: the request is no longer flawed: %v", where, err))
	case !flawed && err != nil:
		in.complain(fmt.Sprintf("%s: request: %s", where, brief(err)))
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name, path, want string
	}{
		{"/a/{id}", "/a/1", "map[id:1]"},
		{"/a/{id}", "/a/1/b", "no"},
		{"/a/{id}", "/a/", "no"},
		{"/a/b", "/a/b", "map[]"},
		{"/a/b", "/a/c", "no"},
		{"/c/{path}", "/c/x/y%20z", "map[path:x/y z]"},
		{"/c/{path}/d", "/c/x/y/d", "no"},
	} {
		got := "no"
		if values, ok := match(tt.name, tt.path); ok {
			got = fmt.Sprint(values)
		}
		if got != tt.want {
			t.Errorf("%s against %s: %s, want %s", tt.path, tt.name, got, tt.want)
		}
	}
}
