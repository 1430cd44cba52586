package contract

import (
	"context"
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

// hooks are the webhooks that the sandbox sends, by their names in the
// description. The tour causes all of them.
var hooks = []string{
	"ping", "push", "status", "workflow-dispatch", "repository-dispatch-sample.collected",
	"issue-comment-created", "issue-comment-edited", "issue-comment-deleted",
	"issues-opened", "issues-closed", "issues-reopened", "issues-edited", "issues-labeled", "issues-unlabeled", "check-run-created", "check-run-completed", "check-suite-completed",
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

// published reads what GitHub publishes, or skips; SWEEPBOT_CONTRACT=1 insists
// on it.
func published(t *testing.T, p Published) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	data, err := p.Read(ctx, ".cache")
	switch {
	case err != nil && os.Getenv("SWEEPBOT_CONTRACT") == "1":
		t.Fatal(err)
	case err != nil:
		t.Skipf("%s cannot be had (SWEEPBOT_CONTRACT=1 insists on it): %v", p.Package, err)
	}
	return data
}

// operations reads the part of the description that the sandbox has, once.
var operations = sync.OnceValues(func() (*openapi3.T, error) {
	data, err := API.Read(context.Background(), ".cache") // published has fetched it
	if err != nil {
		return nil, err
	}
	paths := make(map[string]bool)
	for _, op := range sandbox.Operations() {
		_, path, _ := strings.Cut(op, " ")
		paths[shape(path)] = true
	}
	small, err := cut(data, paths)
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(small)
})

// payloads reads the description of webhooks.
func payloads(t *testing.T) *Payloads {
	t.Helper()
	published(t, Webhooks)
	p, err := webhooks()
	noError(t, err)
	return p
}

// webhooks reads the description of webhooks, once.
var webhooks = sync.OnceValues(func() (*Payloads, error) {
	data, err := Webhooks.Read(context.Background(), ".cache") // published has fetched it
	if err != nil {
		return nil, err
	}
	return NewPayloads(data)
})

// newInspector returns an inspector that complains to the test.
func newInspector(t *testing.T) *inspector {
	t.Helper()
	published(t, API)
	doc, err := operations()
	noError(t, err)
	return &inspector{complain: func(text string) { t.Error(text) }, doc: doc, payloads: payloads(t), seen: make(map[string]bool), hook: make(map[string]bool)}
}

// inspector holds answers against the description.
type inspector struct {
	complain func(text string)
	doc      *openapi3.T
	payloads *Payloads
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
		if strings.Contains(line, "Error at") || strings.Contains(line, "doesn't match") || strings.HasPrefix(line, "response") || strings.HasPrefix(line, "request") || strings.HasPrefix(line, "parameter") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines[:min(len(lines), 12)], "\n\t")
}

// delivery holds the payload of a webhook against the description.
func (in *inspector) delivery(event string, body []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	name, err := in.payloads.Validate(event, body)
	in.hook[name] = true
	if err != nil {
		in.complain(fmt.Sprintf("webhook %s: %v", name, err))
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
