package actions

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// Payload is an event as far as we use it. What an event does not have is nil
// or zero. Texts are as their authors wrote them.
type Payload struct {
	Action     string
	Repository Repository
	// Sender caused the event; its id is 0 where the account is gone.
	Sender         bot.User
	InstallationID int64

	// Label was added or removed, in the events labeled and unlabeled.
	Label       string
	PullRequest *bot.PullRequest
	// Issue comes with issue_comment, where a pull request is an issue too.
	Issue *Issue
	// Comment comes with issue_comment, pull_request_review_comment, and as
	// the text of a review with pull_request_review.
	Comment *bot.Comment
	// EditedFrom is the earlier text of an edited comment.
	EditedFrom *string
	// Run comes with workflow_run.
	Run *bot.Run
	// Push comes with push.
	Push *Push
	// Inputs come with workflow_dispatch.
	Inputs map[string]string
}

// Repository is where the event happened.
type Repository struct {
	ID            int64
	FullName      string // owner/name
	DefaultBranch string
	Private       bool
}

// Issue is the issue or pull request under a comment.
type Issue struct {
	Number        int
	State         string
	IsPullRequest bool
	Author        bot.User
	Labels        []string
}

// Push is an update of a branch or tag.
type Push struct {
	Ref    string
	Branch string // "" for a tag
	// Before and After are commits; "" where the branch did not or does not
	// exist.
	Before, After string
	// Message is that of the head commit; nil where there is none.
	Message *string
}

// Bounds of texts, in bytes. GitHub's own lie below.
const (
	maxBody   = 512 << 10
	maxTitle  = 4 << 10
	maxName   = 1 << 10
	maxInputs = 100
	maxDepth  = 64
)

func payloadTooLarge() diag.Finding {
	return diag.New("actions.payload-size", diag.Place{}, "limit", strconv.Itoa(MaxPayload)).In("unreadable")
}

// known are the events of which more than the common fields is read.
var known = []string{
	"pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment",
	"issue_comment", "workflow_run", "push", "workflow_dispatch",
}

// ParsePayload reads the body of an event, from the file of a step or from a
// webhook. Unknown events have the common fields only. Wrong types, missing
// fields that the event always has, texts beyond their bounds and nesting are
// errors, each a diag.Finding (spec/security.md S13 to S15).
func ParsePayload(event string, data []byte) (Payload, error) {
	if len(data) > MaxPayload {
		return Payload{}, payloadTooLarge()
	}
	if deeperThan(data, maxDepth) {
		return Payload{}, diag.New("actions.payload-depth", diag.Place{}, "limit", strconv.Itoa(maxDepth)).In("unreadable")
	}
	var w wirePayload
	var target any = &w
	if !slices.Contains(known, event) {
		target = &w.wireCommon
	}
	if err := json.Unmarshal(data, target); err != nil {
		return Payload{}, decodeFinding(err)
	}
	c := &checker{}
	p := w.payload(event, c)
	if c.err != nil {
		return Payload{}, c.err
	}
	return p, nil
}

// deeperThan reports whether JSON nests deeper than a limit, without a stack.
// Broken JSON is left to the decoder.
func deeperThan(data []byte, limit int) bool {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			end := stringEnd(data[i+1:])
			if end < 0 {
				return false
			}
			i += 1 + end
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// stringEnd returns where the quote is that ends a string, or -1.
func stringEnd(data []byte) int {
	for i := 0; ; {
		n := bytes.IndexAny(data[i:], `"\`)
		if n < 0 || i+n >= len(data) {
			return -1
		}
		if data[i+n] == '"' {
			return i + n
		}
		if i += n + 2; i > len(data) {
			return -1
		}
	}
}

func decodeFinding(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fieldFinding(kind.Field, "it is a "+kind.Value)
	}
	return diag.New("actions.payload-json", diag.Place{}, "detail", diag.Printable(err.Error())).In("unreadable")
}

func fieldFinding(field, detail string) diag.Finding {
	return diag.New("actions.payload-field", diag.Place{}, "field", field, "detail", diag.Printable(detail)).In("unreadable")
}

// checker holds values against their bounds and keeps the first error.
type checker struct{ err error }

func (c *checker) fail(field, detail string) {
	if c.err == nil {
		c.err = fieldFinding(field, detail)
	}
}

func (c *checker) text(field, value string, limit int) string {
	if len(value) > limit {
		c.fail(field, "it has more than "+strconv.Itoa(limit)+" bytes")
		return ""
	}
	return value
}

func (c *checker) sha(field, value string) string {
	if !shaForm().MatchString(value) {
		c.fail(field, "it is no commit id")
	}
	return value
}

// commit checks a commit id that may be missing, which GitHub writes as zeros.
func (c *checker) commit(field, value string) string {
	if strings.Trim(value, "0") == "" {
		return ""
	}
	return c.sha(field, value)
}

func (c *checker) number(field string, value int64) int {
	if value <= 0 || value > 1<<31-1 {
		c.fail(field, "it is no number of an issue or pull request")
	}
	return int(value)
}

func (c *checker) id(field string, value int64) int64 {
	if value <= 0 {
		c.fail(field, "it is no id")
	}
	return value
}

// repository checks a full name; "" stays.
func (c *checker) repository(field, value string) string {
	if value != "" && !repositoryForm().MatchString(value) {
		c.fail(field, "it is no owner/name")
	}
	return value
}

func (c *checker) labels(field string, list []wireLabel) []string {
	if len(list) > labels.MaxLabels {
		c.fail(field, "there are more than "+strconv.Itoa(labels.MaxLabels))
		return nil
	}
	var names []string
	for i, l := range list {
		names = append(names, c.text(field+"."+strconv.Itoa(i)+".name", l.Name, labels.MaxLabelBytes))
	}
	return names
}

func (c *checker) user(field string, u *wireUser) bot.User {
	if u == nil {
		return bot.User{}
	}
	return bot.User{ID: u.ID, Login: c.text(field+".login", u.Login, maxName), Bot: u.Type == "Bot"}
}

// inputs accepts what GitHub sends (texts) and what older servers and local
// runners send (booleans and numbers).
func (c *checker) inputs(raw map[string]json.RawMessage) map[string]string {
	if len(raw) > maxInputs {
		c.fail("inputs", "there are more than "+strconv.Itoa(maxInputs))
		return nil
	}
	inputs := make(map[string]string, len(raw))
	for name, value := range raw {
		field := "inputs." + name
		c.text("inputs", name, maxName)
		var text string
		switch first := strings.TrimSpace(string(value)); {
		case first == "null":
			continue
		case first == "true", first == "false", first != "" && strings.Contains("-0123456789", first[:1]):
			text = first
		case json.Unmarshal(value, &text) != nil:
			c.fail(field, "it is neither a text nor a number nor a truth value")
		}
		inputs[name] = c.text(field, text, maxBody)
	}
	return inputs
}
