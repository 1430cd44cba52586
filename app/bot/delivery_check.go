package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// Bounds of texts, in bytes. GitHub's own lie below.
const (
	maxPayloadBody   = 512 << 10
	maxPayloadTitle  = 4 << 10
	maxPayloadName   = 1 << 10
	maxPayloadInputs = 100
	maxPayloadDepth  = 64
)

// repositoryForm is owner/name.
var repositoryForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}$`)

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
	return diag.New("bot.payload-json", diag.Place{}, "detail", diag.Printable(err.Error())).In("unreadable")
}

func fieldFinding(field, detail string) diag.Finding {
	return diag.New("bot.payload-field", diag.Place{}, "field", field, "detail", diag.Printable(detail)).In("unreadable")
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

func (c *checker) user(field string, u *wireUser) User {
	if u == nil {
		return User{}
	}
	return User{ID: u.ID, Login: c.text(field+".login", u.Login, maxPayloadName), Bot: u.Type == "Bot"}
}

// inputs accepts what GitHub sends (texts) and what older servers and local
// runners send (booleans and numbers).
func (c *checker) inputs(raw map[string]json.RawMessage) map[string]string {
	if len(raw) > maxPayloadInputs {
		c.fail("inputs", "there are more than "+strconv.Itoa(maxPayloadInputs))
		return nil
	}
	inputs := make(map[string]string, len(raw))
	for name, value := range raw {
		field := "inputs." + name
		c.text("inputs", name, maxPayloadName)
		var text string
		switch first := strings.TrimSpace(string(value)); {
		case first == "null":
			continue
		case first == "true", first == "false", first != "" && strings.Contains("-0123456789", first[:1]):
			text = first
		case json.Unmarshal(value, &text) != nil:
			c.fail(field, "it is neither a text nor a number nor a truth value")
		}
		inputs[name] = c.text(field, text, maxPayloadBody)
	}
	return inputs
}
