package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// hooks are the webhooks that the tour causes, by their names in the
// description.
var hooks = []string{
	"ping", "push", "status", "workflow-dispatch", "repository-dispatch-sample.collected", "issue-comment-created", "issue-comment-edited", "issue-comment-deleted",
	"issues-opened", "issues-closed", "issues-edited", "issues-labeled", "issues-unlabeled", "check-run-created", "check-run-completed", "check-suite-completed",
	"pull-request-opened", "pull-request-closed", "pull-request-edited", "pull-request-labeled", "pull-request-unlabeled", "pull-request-synchronize",
	"pull-request-ready-for-review", "pull-request-converted-to-draft", "pull-request-reopened", "pull-request-review-submitted", "pull-request-review-edited",
	"pull-request-review-dismissed", "pull-request-review-comment-created", "pull-request-review-comment-edited", "pull-request-review-comment-deleted",
	"workflow-run-requested", "workflow-run-in-progress", "workflow-run-completed", "workflow-job-queued", "workflow-job-in-progress", "workflow-job-completed",
}

// flaws are places where the description cannot be met, by operation.
var flaws = map[string]string{
	// The account would have to be a user and an enterprise at once.
	"GET /app/installations": `Error at "/0/account"`,
}

// description loads what the sandbox's operations need of GitHub's description.
func description(t *testing.T) *openapi3.T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	data, err := Description(ctx, ".cache")
	switch {
	case err != nil && os.Getenv("SWEEPBOT_CONTRACT") == "1":
		t.Fatal(err)
	case err != nil:
		t.Skipf("GitHub's description cannot be had (SWEEPBOT_CONTRACT=1 insists on it): %v", err)
	}
	paths, webhooks := make(map[string]bool), make(map[string]bool)
	for _, op := range sandbox.Operations() {
		_, path, _ := strings.Cut(op, " ")
		paths[shape(path)] = true
	}
	for _, name := range hooks {
		webhooks[name] = true
	}
	small, err := cut(data, paths, webhooks)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(small)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// inspector holds answers against the description.
type inspector struct {
	complain func(text string)
	doc      *openapi3.T
	mu       sync.Mutex
	seen     map[string]bool // operations met, "GET /a/{}"
	hook     map[string]bool // webhooks met
}

// operation finds a path of the description by its shape.
func (in *inspector) operation(method, path string) (string, *openapi3.PathItem, *openapi3.Operation) {
	for name, item := range in.doc.Paths.Map() {
		if shape(name) == shape(path) && item.GetOperation(method) != nil {
			return name, item, item.GetOperation(method)
		}
	}
	return "", nil, nil
}

// answer holds one answer against the description.
func (in *inspector) answer(pattern string, req *http.Request, status int, header http.Header, body []byte) {
	method, path, _ := strings.Cut(pattern, " ")
	in.seen[method+" "+shape(path)] = true
	name, item, op := in.operation(method, path)
	if op == nil {
		in.complain(fmt.Sprintf("%s is not in GitHub's description", pattern))
		return
	}
	if op.Responses.Status(status) == nil {
		if status < 400 {
			in.complain(fmt.Sprintf("%s answers %d, which is not described", pattern, status))
		}
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: req, Route: &routers.Route{Spec: in.doc, Path: name, PathItem: item, Method: method, Operation: op},
		},
		Status: status, Header: header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(body)
	err := openapi3filter.ValidateResponse(context.Background(), input)
	flaw, flawed := flaws[pattern]
	switch {
	case flawed && (err == nil || !strings.Contains(err.Error(), flaw)):
		in.complain(fmt.Sprintf("%s is no longer flawed: %v", pattern, err))
	case !flawed && err != nil:
		in.complain(fmt.Sprintf("%s %d: %s", pattern, status, brief(err)))
	}
}

// brief is an error without the schema and the value that it prints.
func brief(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if strings.Contains(line, "Error at") || strings.Contains(line, "doesn't match") || strings.HasPrefix(line, "response") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines[:min(len(lines), 12)], "\n\t")
}

// delivery holds the payload of a webhook against the description.
func (in *inspector) delivery(event string, body []byte) {
	var payload map[string]any
	if err := json.Unmarshal(body, &payload); err != nil {
		in.complain(fmt.Sprintf("%s: %v", event, err))
		return
	}
	name := strings.ReplaceAll(event, "_", "-")
	if action, ok := payload["action"].(string); ok {
		name += "-" + strings.ReplaceAll(action, "_", "-")
	}
	in.mu.Lock()
	in.hook[name] = true
	in.mu.Unlock()
	item := in.doc.Paths.Value("/webhooks/" + name)
	if item == nil {
		if event != "repository_dispatch" {
			in.complain(fmt.Sprintf("webhook %s is not described", name))
		}
		return
	}
	schema := item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	if err := schema.VisitJSON(payload, openapi3.MultiErrors()); err != nil {
		in.complain(fmt.Sprintf("webhook %s: %s", name, brief(err)))
	}
}

// ServeHTTP takes deliveries.
func (in *inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		in.complain(err.Error())
	}
	in.delivery(r.Header.Get("X-GitHub-Event"), body)
}

// visitor sends the requests of the tour.
type visitor struct {
	t     *testing.T
	in    *inspector
	s     *sandbox.Server
	token string
}

// do sends a request: the pattern of the operation, a value for each of its
// variable parts behind owner and repo, a query, and a body. It returns the
// decoded answer.
func (v visitor) do(want int, pattern string, values []any, body any, accept ...string) any {
	v.t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	path, query, _ := strings.Cut(path, "?")
	owner, repo, _ := strings.Cut(v.s.Repository(), "/")
	filled := strings.NewReplacer("{owner}", owner, "{repo}", repo).Replace(path)
	for _, value := range values {
		at := placeholder.FindStringIndex(filled)
		filled = filled[:at[0]] + fmt.Sprint(value) + filled[at[1]:]
	}
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			v.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, v.s.URL()+"/api/v3"+filled+"?"+query, in)
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+v.token)
	if len(accept) > 0 {
		req.Header.Set("Accept", accept[0])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	if resp.StatusCode != want {
		v.t.Fatalf("%s %v: %d, want %d: %s", pattern, values, resp.StatusCode, want, data)
	}
	if len(accept) == 0 {
		v.in.answer(method+" "+path, req, resp.StatusCode, resp.Header, data)
	}
	var out any
	_ = json.Unmarshal(data, &out) // some answers have no document
	return out
}

// at returns a number or text inside an answer: "0.id".
func at(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		}
	}
	if n, ok := v.(float64); ok {
		return int64(n)
	}
	return v
}
