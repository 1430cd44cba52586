package contract

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/hook"
)

// example is one published payload.
type example struct {
	event string
	index int // among those of the event
	body  []byte
}

func (e example) String() string { return fmt.Sprintf("%s/%d", e.event, e.index) }

// examples reads the published payloads.
func examples(t *testing.T) []example {
	t.Helper()
	var groups []struct {
		Name     string
		Examples []json.RawMessage
	}
	noError(t, json.Unmarshal(published(t, Examples), &groups))
	var list []example
	for _, g := range groups {
		for i, body := range g.Examples {
			list = append(list, example{g.Name, i, body})
		}
	}
	return list
}

// handled are the events that the readers know in detail, and with which the
// published examples can tell whether they are right.
var handled = []string{
	"check_run", "issue_comment", "ping", "pull_request", "pull_request_review", "pull_request_review_comment", "push", "repository_dispatch",
	"workflow_dispatch", "workflow_job", "workflow_run",
}

// facts are the fields of a payload and what the reader makes of them, by
// event; "" is every event.
var facts = map[string]map[string]func(d bot.Delivery) any{
	"": {
		"action":                    func(d bot.Delivery) any { return d.Action },
		"sender.id":                 func(d bot.Delivery) any { return d.Sender.ID },
		"sender.login":              func(d bot.Delivery) any { return d.Sender.Login },
		"repository.full_name":      func(d bot.Delivery) any { return d.Repository },
		"repository.default_branch": func(d bot.Delivery) any { return d.DefaultBranch },
	},
	"pull_request": {
		"pull_request.number":              func(d bot.Delivery) any { return d.PR.Number },
		"pull_request.title":               func(d bot.Delivery) any { return d.PR.Title },
		"pull_request.body":                func(d bot.Delivery) any { return d.PR.Body },
		"pull_request.state":               func(d bot.Delivery) any { return d.PR.State },
		"pull_request.draft":               func(d bot.Delivery) any { return d.PR.Draft },
		"pull_request.user.login":          func(d bot.Delivery) any { return d.PR.Author.Login },
		"pull_request.base.ref":            func(d bot.Delivery) any { return d.PR.BaseBranch },
		"pull_request.base.sha":            func(d bot.Delivery) any { return d.PR.BaseSHA },
		"pull_request.head.ref":            func(d bot.Delivery) any { return d.PR.HeadBranch },
		"pull_request.head.sha":            func(d bot.Delivery) any { return d.PR.HeadSHA },
		"pull_request.head.repo.full_name": func(d bot.Delivery) any { return d.PR.HeadRepo },
		"pull_request.merge_commit_sha":    func(d bot.Delivery) any { return d.PR.MergeSHA },
		"label.name":                       func(d bot.Delivery) any { return d.Label },
	},
	"pull_request_review": {
		"pull_request.head.sha": func(d bot.Delivery) any { return d.PR.HeadSHA },
		"review.id":             func(d bot.Delivery) any { return d.Comment.ID },
		"review.html_url":       func(d bot.Delivery) any { return d.Comment.URL },
		"review.user.id":        func(d bot.Delivery) any { return d.Comment.Author.ID },
	},
	"pull_request_review_comment": {
		"pull_request.head.sha": func(d bot.Delivery) any { return d.PR.HeadSHA },
		"comment.id":            func(d bot.Delivery) any { return d.Comment.ID },
		"comment.body":          func(d bot.Delivery) any { return d.Comment.Body },
	},
	"issue_comment": {
		"issue.number":               func(d bot.Delivery) any { return d.Issue.Number },
		"issue.state":                func(d bot.Delivery) any { return d.Issue.State },
		"issue.user.id":              func(d bot.Delivery) any { return d.Issue.Author.ID },
		"comment.id":                 func(d bot.Delivery) any { return d.Comment.ID },
		"comment.body":               func(d bot.Delivery) any { return d.Comment.Body },
		"comment.user.login":         func(d bot.Delivery) any { return d.Comment.Author.Login },
		"comment.author_association": func(d bot.Delivery) any { return d.Comment.AuthorAssociation },
	},
	"workflow_run": {
		"workflow_run.id":                        func(d bot.Delivery) any { return d.Run.ID },
		"workflow_run.run_attempt":               func(d bot.Delivery) any { return d.Run.Attempt },
		"workflow_run.event":                     func(d bot.Delivery) any { return d.Run.Event },
		"workflow_run.status":                    func(d bot.Delivery) any { return d.Run.Status },
		"workflow_run.conclusion":                func(d bot.Delivery) any { return d.Run.Conclusion },
		"workflow_run.head_branch":               func(d bot.Delivery) any { return d.Run.HeadBranch },
		"workflow_run.head_sha":                  func(d bot.Delivery) any { return d.Run.HeadSHA },
		"workflow_run.path":                      func(d bot.Delivery) any { return d.Run.Workflow },
		"workflow_run.head_repository.full_name": func(d bot.Delivery) any { return d.Run.HeadRepo },
	},
	"push": {
		"head_commit.message": func(d bot.Delivery) any { return d.Push.Message },
		"before":              func(d bot.Delivery) any { return orZeros(d.Push.Before) },
		"after":               func(d bot.Delivery) any { return orZeros(d.Push.After) },
		"ref":                 func(d bot.Delivery) any { return d.Push.Ref },
	},
}

// orZeros is how GitHub writes that there is no commit.
func orZeros(sha string) string {
	if sha == "" {
		return strings.Repeat("0", 40)
	}
	return sha
}

// TestExamplesAreRead gives every published payload to the readers: signed
// through the webhook server, and from there to the reader of deliveries. What
// it reads is what stands in the payload. None of them is refused.
func TestExamplesAreRead(t *testing.T) {
	list := examples(t)
	var events []string
	for _, e := range list {
		events = append(events, e.event)
	}
	post, met := receiver(t, events), make(map[string]bool)
	for _, e := range list {
		got := post(e)
		if !bytes.Equal(got.Body, e.body) || got.Event != e.event {
			t.Errorf("%s does not come through the server", e)
			continue
		}
		d, err := bot.ParseDelivery(got.Event, got.ID, "", got.Body)
		if err != nil {
			t.Errorf("%s is refused: %v", e, err)
			continue
		}
		e.compare(t, d, met)
	}
	for event, fields := range facts {
		for path := range fields {
			if !met[event+" "+path] {
				t.Errorf("no example of %s has %s", event, path)
			}
		}
	}
	for _, event := range handled {
		if !slices.Contains(events, event) {
			t.Errorf("there is no example of %s", event)
		}
	}
	t.Logf("%d examples of %d events", len(list), len(slices.Compact(slices.Sorted(slices.Values(events)))))
}

// compare holds what was read against the payload, and notes which fields it
// has.
func (e example) compare(t *testing.T, d bot.Delivery, met map[string]bool) {
	t.Helper()
	var payload any
	noError(t, json.Unmarshal(e.body, &payload))
	for _, event := range []string{"", e.event} {
		for path, read := range facts[event] {
			want := at(payload, path)
			if want == nil {
				want = ""
			}
			met[event+" "+path] = met[event+" "+path] || want != ""
			if got := fmt.Sprint(read(d)); got != fmt.Sprint(want) && (want != "" || got != "0" && got != "false") {
				t.Errorf("%s: %s is %q, read as %q", e, path, want, got)
			}
		}
	}
}

// receiver is the webhook server; the function it returns posts to it and
// returns what arrives behind it.
func receiver(t *testing.T, events []string) func(example) hook.Delivery {
	t.Helper()
	secret := []byte("secret")
	var arrived hook.Delivery
	server, err := hook.New(hook.Options{
		Secrets: []hook.Secret{secret}, Events: events, Seen: hook.NewSeen(1000), Log: slog.New(slog.DiscardHandler),
		Handle: func(_ context.Context, d hook.Delivery) error {
			arrived = d
			return nil
		},
	})
	noError(t, err)
	return func(e example) hook.Delivery {
		mac := hmac.New(sha256.New, secret)
		mac.Write(e.body)
		req := httptest.NewRequest("POST", "/", bytes.NewReader(e.body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-GitHub-Event", e.event)
		req.Header.Set("X-GitHub-Delivery", e.String())
		req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		arrived = hook.Delivery{}
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, req)
		if answer.Code != 202 {
			text, _ := io.ReadAll(answer.Body)
			t.Errorf("%s: %d %s", e, answer.Code, text)
		}
		return arrived
	}
}

// Published payloads that fit the description are accepted, and no longer when
// a field has another type: the examples prove the inspector, too. Half of them
// are older than the description and lack fields.
func TestPayloadsCanFail(t *testing.T) {
	p := payloads(t)
	fit := make(map[string]int)
	for _, e := range examples(t) {
		if !slices.Contains(handled, e.event) {
			continue
		}
		if _, err := p.Validate(e.event, e.body); err != nil {
			continue
		}
		if fit[e.event]++; fit[e.event] > 1 {
			continue
		}
		var payload map[string]any
		noError(t, json.Unmarshal(e.body, &payload))
		payload["sender"] = "somebody"
		wrong, err := json.Marshal(payload)
		noError(t, err)
		if _, err := p.Validate(e.event, wrong); err == nil || !strings.Contains(err.Error(), "sender") {
			t.Errorf("%s with a text for a sender: %v", e, err)
		}
	}
	t.Logf("examples that fit the description: %v", fit)
	for _, event := range []string{"check_run", "issue_comment", "pull_request", "workflow_dispatch", "workflow_job", "workflow_run"} {
		if fit[event] == 0 {
			t.Errorf("no example of %s fits the description", event)
		}
	}
	if _, err := p.Validate("nothing", []byte(`{}`)); err == nil {
		t.Error("an unknown webhook is accepted")
	}
}
