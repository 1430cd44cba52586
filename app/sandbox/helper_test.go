package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// sweep is a workflow as the sample repository of the tests has it.
const sweep = `name: Run Sweep
run-name: Run Sweep - ${{ github.event.pull_request.title }}
on:
  pull_request:
    branches: [main]
    types: [synchronize, labeled, unlabeled]
    paths: [perf-changelog.yaml]
permissions:
  contents: read
jobs:
  setup:
    runs-on: ubuntu-latest
`

// onComment runs for comments, with rights to write.
const onCommentFile = `name: Use
on:
  issue_comment:
    types: [created, edited]
permissions:
  issues: write
  pull-requests: write
  actions: read
jobs:
  use:
    runs-on: ubuntu-latest
`

// manual can be dispatched.
const manual = `name: e2e Test
on:
  workflow_dispatch:
    inputs:
      test-name: {required: true}
      trim-conc: {type: boolean, default: false}
      kind: {type: choice, options: [a, b], default: a}
  repository_dispatch:
    types: [go]
jobs:
  all:
    runs-on: ubuntu-latest
`

func sample() fstest.MapFS {
	return fstest.MapFS{
		"README.md":                          {Data: []byte("# Bench\n\nA sample.\n")},
		"perf-changelog.yaml":                {Data: []byte("- config-keys:\n    - a\n  pr-link: https://example.org/1\n")},
		".github/workflows/run-sweep.yml":    {Data: []byte(sweep)},
		".github/workflows/use.yml":          {Data: []byte(onCommentFile)},
		".github/workflows/e2e-tests.yml":    {Data: []byte(manual)},
		"configs/amd-master.yaml":            {Data: []byte("a:\n  image: x\n")},
		"benchmarks/run.sh":                  {Data: []byte("#!/bin/sh\necho hi\n"), Mode: 0o755},
		"benchmarks/empty":                   {Data: nil},
		"docs/with space & other #1/Å.md":    {Data: []byte("å\n")},
		"scripts/deep/er/file.txt":           {Data: []byte(strings.Repeat("0123456789\n", 200))},
		".github/workflows/not-workflow.txt": {Data: []byte("x")},
	}
}

// start runs a sandbox with a story clock until the end of a test.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Seed == nil {
		o.Seed = sample()
	}
	if o.Clock == nil {
		o.Clock = NewClock(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), time.Second).Now
	}
	if o.Limits == (Limits{}) {
		o.Limits = Limits{WritesMinute: -1, WritesHour: -1, PointsMinute: -1}
	}
	s, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// reply is an answer of the API.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// api sends a request below /api/v3 of the sample repository ("pulls/1"), or of
// the whole API for a path that begins with a slash.
type api struct {
	t     testing.TB
	s     *Server
	token string
}

// as returns a client of a person, or of nobody for "".
func as(t testing.TB, s *Server, login string) api {
	t.Helper()
	if login == "" {
		return api{t, s, ""}
	}
	token, err := s.Token(login)
	if err != nil {
		t.Fatal(err)
	}
	return api{t, s, token}
}

func (a api) do(method, path string, body any, headers ...string) reply {
	a.t.Helper()
	if !strings.HasPrefix(path, "/") {
		path = "/repos/" + a.s.Repository() + "/" + path
	}
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			a.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, a.s.URL()+"/api/v3"+path, in)
	if err != nil {
		a.t.Fatal(err)
	}
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return a.send(req)
}

// direct is a client that follows no redirect.
var direct = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (a api) send(req *http.Request) reply {
	a.t.Helper()
	resp, err := direct.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return reply{a.t, resp.StatusCode, resp.Header, data}
}

func (a api) get(path string, headers ...string) reply {
	a.t.Helper()
	return a.do("GET", path, nil, headers...)
}

// is fails unless the answer has a status.
func (r reply) is(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	return r
}

// value decodes the answer.
func (r reply) value() any {
	r.t.Helper()
	var v any
	if err := json.Unmarshal(r.body, &v); err != nil {
		r.t.Fatalf("%v: %s", err, r.body)
	}
	return v
}

// at returns a value inside the answer: "head.sha", "0.name".
func (r reply) at(path string) any {
	r.t.Helper()
	v := r.value()
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			var i int
			if err := json.Unmarshal([]byte(part), &i); err != nil || i >= len(x) {
				r.t.Fatalf("no %s in %s", path, r.body)
			}
			v = x[i]
		default:
			r.t.Fatalf("no %s in %s", path, r.body)
		}
	}
	return v
}

// has fails unless the values at the paths are as given, in pairs.
func (r reply) has(pairs ...any) reply {
	r.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		got := r.at(pairs[i].(string))
		want := pairs[i+1]
		if n, ok := want.(int); ok {
			want = float64(n)
		}
		if n, ok := want.(int64); ok {
			want = float64(n)
		}
		if got != want {
			r.t.Errorf("%s is %v, want %v", pairs[i], got, want)
		}
	}
	return r
}

// texts collects a member of every element of a list.
func (r reply) texts(list, member string) []string {
	r.t.Helper()
	v := r.value()
	if list != "" {
		v = r.at(list)
	}
	var out []string
	for _, x := range v.([]any) {
		out = append(out, x.(map[string]any)[member].(string))
	}
	return out
}

func (r reply) count(list string) int {
	r.t.Helper()
	v := r.value()
	if list != "" {
		v = r.at(list)
	}
	return len(v.([]any))
}

// must fails on an error.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openPR opens a pull request that appends to the changelog.
func openPR(t testing.TB, s *Server, login, branch string, fork bool) int {
	t.Helper()
	return must(s.As(login).OpenPR(t.Context(), PullSpec{
		Title: "Add " + branch, Body: "Adds **" + branch + "**.", Branch: branch, Fork: fork,
		Edit: Edit{Message: "Add " + branch, Files: map[string]string{
			"perf-changelog.yaml": string(sample()["perf-changelog.yaml"].Data) + "- config-keys:\n    - " + branch + "\n",
		}},
	}))(t)
}

// settle waits until nothing more happens.
func settle(t testing.TB, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ok(t, s.Settle(ctx))
}

// page gets a web page.
func (a api) page(path string) reply {
	a.t.Helper()
	req, err := http.NewRequest("GET", a.s.URL()+path, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	return a.send(req)
}
