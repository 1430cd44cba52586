package bot

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

const ann = `{"id":1,"login":"ann","type":"User"}`

// Commits of the events here.
const (
	headSHA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	baseSHA = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	noSHA   = "0000000000000000000000000000000000000000"
)

// codeOf is the code of the finding that an error is.
func codeOf(err error) string {
	var f diag.Finding
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// labeled is a pull request from a fork that was given a label.
const labeled = `{"action":"labeled","number":5,"label":{"name":"full-sweep-fail-fast"},"sender":{"id":1,"login":"ann","type":"User"},
	"repository":{"id":9,"full_name":"acme/bench","default_branch":"main","private":false},"installation":{"id":7},
	"pull_request":{"number":5,"title":"fix: a $(b) title","body":null,"html_url":"u","state":"open","draft":true,"merged":false,"mergeable":false,
		"user":{"id":3,"login":"bob","type":"User"},"author_association":"CONTRIBUTOR","labels":[{"name":"full-sweep-fail-fast"},{"name":"evals-only"}],
		"base":{"ref":"main","sha":"` + baseSHA + `","repo":{"full_name":"acme/bench"}},
		"head":{"ref":"x","sha":"` + headSHA + `","repo":{"full_name":"bob/bench"}},"merge_commit_sha":null,"changed_files":3}}`

// TestDeliveries reads each event that means something here.
func TestDeliveries(t *testing.T) {
	user := User{ID: 1, Login: "ann"}
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	before := "old text"
	pull := &PullRequest{Number: 5, BaseBranch: "main", BaseSHA: baseSHA, HeadBranch: "x", HeadSHA: headSHA}
	const pullJSON = `"pull_request":{"number":5,"base":{"ref":"main","sha":"` + baseSHA + `"},"head":{"ref":"x","sha":"` + headSHA + `","repo":null}}`
	tests := []struct {
		name, event, payload string
		want                 Delivery
	}{
		{"comment", "issue_comment", `{"action":"edited","sender":` + ann + `,"changes":{"body":{"from":"old text"}},
			"issue":{"number":5,"state":"open","pull_request":{"url":"u"},"user":` + ann + `,"labels":[{"name":"a"}]},
			"comment":{"id":9,"body":"/use 1","html_url":"u","user":` + ann + `,"author_association":"NONE","created_at":"2026-11-30T12:00:00Z"}}`,
			Delivery{Action: "edited", Sender: user, EditedFrom: &before,
				Issue:   &Issue{Number: 5, State: "open", IsPullRequest: true, Author: user, Labels: []string{"a"}},
				Comment: &Comment{ID: 9, Body: "/use 1", URL: "u", Author: user, AuthorAssociation: "NONE", CreatedAt: at}}},
		{"comment on an issue by a deleted account", "issue_comment", `{"issue":{"number":5,"pull_request":null,"user":null},"comment":{"id":9,"body":"x","user":null}}`,
			Delivery{Issue: &Issue{Number: 5}, Comment: &Comment{ID: 9, Body: "x"}}},
		{"review", "pull_request_review", `{` + pullJSON + `,"review":{"id":8,"body":"/use 1","user":` + ann + `,"submitted_at":"2026-11-30T12:00:00Z"}}`,
			Delivery{PR: pull, Comment: &Comment{ID: 8, Body: "/use 1", Author: user, CreatedAt: at}}},
		{"review without text", "pull_request_review", `{` + pullJSON + `,"review":{"id":8,"body":null}}`, Delivery{PR: pull, Comment: &Comment{ID: 8}}},
		{"review comment", "pull_request_review_comment", `{` + pullJSON + `,"comment":{"id":8,"body":"x"}}`, Delivery{PR: pull, Comment: &Comment{ID: 8, Body: "x"}}},
		{"run", "workflow_run", `{"action":"completed","workflow_run":{"id":3,"run_attempt":2,"name":"Sweep","display_title":"t","path":".github/workflows/sweep.yml@main",
			"event":"pull_request","status":"completed","conclusion":null,"head_branch":null,"head_sha":"` + headSHA + `","head_repository":{"full_name":"bob/bench"},
			"actor":` + ann + `,"triggering_actor":null,"pull_requests":[{"number":5}]}}`,
			Delivery{Action: "completed", Run: &Run{ID: 3, Attempt: 2, Name: "Sweep", Title: "t", Workflow: ".github/workflows/sweep.yml", Event: "pull_request",
				Status: "completed", HeadSHA: headSHA, HeadRepo: "bob/bench", Actor: user, PullRequests: []int{5}}}},
		{"dispatch", "workflow_dispatch", `{"inputs":{"text":"a\nb","flag":true,"count":7,"none":null}}`, Delivery{Inputs: map[string]string{"text": "a\nb", "flag": "true", "count": "7"}}},
		{"dispatch without inputs", "workflow_dispatch", `{"inputs":null}`, Delivery{Inputs: map[string]string{}}},
		{"S13 unknown event of a strange form", "gollum", `{"action":"x","label":7,"comment":[],"sender":` + ann + `}`, Delivery{Action: "x", Sender: user}},
		{"S13 unknown action", "pull_request", `{"action":"pondered",` + pullJSON + `}`, Delivery{Action: "pondered", PR: pull}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Name = tt.event
			got, err := ParseDelivery(tt.event, "", "", []byte(tt.payload))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDeliveriesRefused: wrong types, missing and monstrous fields are errors
// that name the field, never panics (S14, S15, S37).
func TestDeliveriesRefused(t *testing.T) {
	deep := func(n int) string { return `{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	many := "[" + strings.Repeat(`{"name":"x"},`, 100) + `{"name":"x"}]`
	change := func(old, new string) string {
		if !strings.Contains(labeled, old) {
			panic(old)
		}
		return strings.Replace(labeled, old, new, 1)
	}
	tests := []struct {
		name, event, payload, code, says string
	}{
		{"S14 broken JSON", "push", `{"ref":"x"`, "bot.payload-json", "unexpected end"},
		{"S14 two documents", "push", `{}{}`, "bot.payload-json", "after top-level value"},
		{"S14 nothing", "push", ``, "bot.payload-json", ""},
		{"S15 depth", "push", deep(100_000), "bot.payload-depth", "64"},
		{"S15 depth that never ends", "push", strings.Repeat(`[{"a":`, 1_000_000), "bot.payload-depth", "64"},
		{"list for a document", "push", `[]`, "bot.payload-field", "array"},
		{"number for a text", "pull_request", change(`"title":"fix: a $(b) title"`, `"title":7`), "bot.payload-field", "pull_request.title"},
		{"text for a number", "pull_request", change(`"number":5,"title"`, `"number":"5","title"`), "bot.payload-field", "pull_request.number"},
		{"fraction for a number", "pull_request", change(`"number":5,"title"`, `"number":5.5,"title"`), "bot.payload-field", "pull_request.number"},
		{"number below one", "pull_request", change(`"number":5,"title"`, `"number":-5,"title"`), "bot.payload-field", "pull_request.number"},
		{"number above all", "pull_request", change(`"number":5,"title"`, `"number":4294967301,"title"`), "bot.payload-field", "pull_request.number"},
		{"object for a list", "pull_request", change(`"labels":[`, `"labels":{},"x":[`), "bot.payload-field", "labels"},
		{"no pull request", "pull_request", `{"action":"labeled"}`, "bot.payload-field", "pull_request"},
		{"no head", "pull_request", change(`"head":{`, `"tail":{`), "bot.payload-field", "pull_request"},
		{"branch for a commit", "pull_request", change(`"sha":"`+headSHA, `"sha":"main`), "bot.payload-field", "pull_request.head.sha"},
		{"path for a repository", "pull_request", change(`bob/bench`, `../../bench`), "bot.payload-field", "pull_request.head.repo.full_name"},
		{"101 labels", "pull_request", change(`[{"name":"full-sweep-fail-fast"},{"name":"evals-only"}]`, many), "bot.payload-field", "pull_request.labels"},
		{"monstrous label", "pull_request", change(`evals-only`, strings.Repeat("x", 201)), "bot.payload-field", "pull_request.labels.1.name"},
		{"monstrous title", "pull_request", change(`fix: a`, strings.Repeat("x", 5000)), "bot.payload-field", "pull_request.title"},
		{"no issue", "issue_comment", `{"comment":{"id":1}}`, "bot.payload-field", "issue"},
		{"no comment", "issue_comment", `{"issue":{"number":1}}`, "bot.payload-field", "comment"},
		{"comment without id", "issue_comment", `{"issue":{"number":1},"comment":{"body":"x"}}`, "bot.payload-field", "comment.id"},
		{"monstrous comment", "issue_comment", `{"issue":{"number":1},"comment":{"id":1,"body":"` + strings.Repeat("x", maxPayloadBody+1) + `"}}`, "bot.payload-field", "comment.body"},
		{"no run", "workflow_run", `{}`, "bot.payload-field", "workflow_run"},
		{"input that is a list", "workflow_dispatch", `{"inputs":{"a":[1]}}`, "bot.payload-field", "inputs.a"},
		{"time in words", "issue_comment", `{"issue":{"number":1},"comment":{"id":1,"created_at":"yesterday"}}`, "bot.payload-json", "yesterday"},
		{"commit in words", "push", `{"ref":"refs/heads/x","after":"HEAD"}`, "bot.payload-field", "after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParseDelivery(tt.event, "", "", []byte(tt.payload))
			if codeOf(err) != tt.code || !strings.Contains(fmt.Sprint(err), tt.says) {
				t.Errorf("error %.300v, want %s with %q", err, tt.code, tt.says)
			}
			if diff := cmp.Diff(Delivery{}, p); diff != "" {
				t.Error("a refused event was read:", diff)
			}
		})
	}
	inputs := make([]string, 101)
	for i := range inputs {
		inputs[i] = fmt.Sprintf(`"i%d":""`, i)
	}
	if _, err := ParseDelivery("workflow_dispatch", "", "", []byte(`{"inputs":{`+strings.Join(inputs, ",")+`}}`)); codeOf(err) != "bot.payload-field" {
		t.Error("101 inputs:", err)
	}
	if _, err := ParseDelivery("push", "", "", make([]byte, MaxPayload+1)); codeOf(err) != "bot.payload-size" {
		t.Error("size:", err)
	}
}

// TestDepth counts brackets outside of strings only.
func TestDepth(t *testing.T) {
	for text, want := range map[string]bool{
		`[[[]]]`: false, `[[[[]]]]`: true, `["[[[["]`: false, `["\"[[[["]`: false, `["\\",[[[]]]]`: true, `["\\"]`: false, `"`: false, `"\`: false, `[]][[[[[`: true, `[[],[],[[]]]`: false,
	} {
		if got := deeperThan([]byte(text), 3); got != want {
			t.Errorf("deeperThan(%s) = %v", text, got)
		}
	}
}

// FuzzParseDeliveryBounds: no bytes make it panic, and what is accepted is bounded.
func FuzzParseDeliveryBounds(f *testing.F) {
	f.Add("pull_request", labeled)
	f.Add("push", `{"ref":"refs/heads/main","before":"`+noSHA+`","after":"`+headSHA+`","head_commit":{"message":"m"}}`)
	f.Add("issue_comment", `{"issue":{"number":1},"comment":{"id":1,"body":"x"},"changes":{"body":{"from":"y"}}}`)
	f.Add("workflow_dispatch", `{"inputs":{"a":"b","c":true,"d":-1.5e3,"e":null}}`)
	f.Add("workflow_run", `{"workflow_run":{"id":1,"head_sha":"`+headSHA+`","pull_requests":[{"number":1}]}}`)
	f.Add("pull_request", `{"pull_request":{"head":{},"base":null}}`)
	f.Add("x", `"`+"\\")
	f.Fuzz(func(t *testing.T, event, payload string) {
		p, err := ParseDelivery(event, "", "", []byte(payload))
		if err != nil {
			if codeOf(err) == "" {
				t.Errorf("%T is no finding", err)
			}
			return
		}
		if pr := p.PR; pr != nil && (pr.Number <= 0 || !shaForm().MatchString(pr.HeadSHA) || len(pr.Title) > maxPayloadTitle || len(pr.Labels) > 100) {
			t.Errorf("%+v", pr)
		}
		if p.Comment != nil && (p.Comment.ID <= 0 || len(p.Comment.Body) > maxPayloadBody) {
			t.Errorf("%+v", p.Comment)
		}
	})
}
