package workflows

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// scope is what an expression can see: contexts by name, and the state of the
// run for the status functions.
type scope struct {
	contexts            map[string]any
	cancelled, succeeds bool
}

// parser evaluates an expression of GitHub Actions while it reads it. Both
// operands of && and || are evaluated; only one of them is the result.
type parser struct {
	t     *testing.T
	text  string
	words []string
	at    int
	scope scope
}

var lexeme = regexp.MustCompile(`\s*('(?:[^']|'')*'|[A-Za-z_][\w-]*|\d+(?:\.\d+)?|&&|\|\||==|!=|[!().,\[\]*])`)

// eval evaluates an expression without its ${{ }}.
func eval(t *testing.T, text string, s scope) any {
	t.Helper()
	p := &parser{t: t, text: text, scope: s, words: split(t, text)}
	v := p.or()
	if p.at != len(p.words) {
		t.Fatalf("no expression: %s, behind word %d", text, p.at)
	}
	return v
}

// split returns the words of an expression; those of the files are few.
func split(t *testing.T, text string) []string {
	t.Helper()
	if words, ok := splits.Load(text); ok {
		return words.([]string)
	}
	var words []string
	for rest := strings.TrimSpace(text); rest != ""; {
		at := lexeme.FindStringSubmatchIndex(rest)
		if at == nil || at[0] != 0 {
			t.Fatalf("no expression: %s, at %q", text, rest)
		}
		words = append(words, rest[at[2]:at[3]])
		rest = strings.TrimSpace(rest[at[1]:])
	}
	splits.Store(text, words)
	return words
}

var splits sync.Map

func (p *parser) peek() string {
	if p.at < len(p.words) {
		return p.words[p.at]
	}
	return ""
}

func (p *parser) next() string {
	word := p.peek()
	p.at++
	return word
}

func (p *parser) expect(word string) {
	if got := p.next(); got != word {
		p.t.Fatalf("%s: got %q, want %q", p.text, got, word)
	}
}

func (p *parser) or() any {
	v := p.and()
	for p.peek() == "||" {
		p.next()
		if w := p.and(); !truthy(v) {
			v = w
		}
	}
	return v
}

func (p *parser) and() any {
	v := p.equal()
	for p.peek() == "&&" {
		p.next()
		if w := p.equal(); truthy(v) {
			v = w
		}
	}
	return v
}

func (p *parser) equal() any {
	v := p.unary()
	for p.peek() == "==" || p.peek() == "!=" {
		op := p.next()
		v = same(v, p.unary()) == (op == "==")
	}
	return v
}

func (p *parser) unary() any {
	if p.peek() == "!" {
		p.next()
		return !truthy(p.unary())
	}
	v := p.primary()
	for {
		switch p.peek() {
		case ".":
			p.next()
			v = property(v, p.next())
		case "[":
			p.next()
			v = property(v, p.or())
			p.expect("]")
		default:
			return v
		}
	}
}

func (p *parser) primary() any {
	switch word := p.next(); {
	case word == "(":
		v := p.or()
		p.expect(")")
		return v
	case strings.HasPrefix(word, "'"):
		return strings.ReplaceAll(word[1:len(word)-1], "''", "'")
	case word == "true" || word == "false":
		return word == "true"
	case word == "null":
		return nil
	case word[0] >= '0' && word[0] <= '9':
		f, _ := strconv.ParseFloat(word, 64)
		return f
	case p.peek() == "(":
		return p.call(word)
	default:
		v, ok := p.scope.contexts[word]
		if !ok {
			p.t.Fatalf("%s: no context %s here", p.text, word)
		}
		return v
	}
}

func (p *parser) call(name string) any {
	p.expect("(")
	var args []any
	for p.peek() != ")" {
		args = append(args, p.or())
		if p.peek() == "," {
			p.next()
		}
	}
	p.expect(")")
	switch strings.ToLower(name) {
	case "always":
		return true
	case "cancelled":
		return p.scope.cancelled
	case "success":
		return p.scope.succeeds
	case "contains":
		return contains(args[0], args[1])
	case "startswith":
		return strings.HasPrefix(strings.ToLower(text(args[0])), strings.ToLower(text(args[1])))
	case "fromjson":
		// GitHub fails on text that is no JSON; an operand that is not the
		// result would not be evaluated there.
		var v any
		_ = json.Unmarshal([]byte(text(args[0])), &v)
		return v
	case "tojson":
		out, _ := json.MarshalIndent(args[0], "", "  ")
		return string(out)
	case "format":
		out := text(args[0])
		for i, arg := range args[1:] {
			out = strings.ReplaceAll(out, "{"+strconv.Itoa(i)+"}", text(arg))
		}
		return strings.NewReplacer("{{", "{", "}}", "}").Replace(out)
	}
	p.t.Fatalf("%s: unknown function %s", p.text, name)
	return nil
}

func contains(in, what any) bool {
	if list, ok := in.([]any); ok {
		for _, one := range list {
			if same(one, what) {
				return true
			}
		}
		return false
	}
	return strings.Contains(strings.ToLower(text(in)), strings.ToLower(text(what)))
}

func property(v, name any) any {
	switch x := v.(type) {
	case map[string]any:
		return x[text(name)]
	case map[string]string:
		if out, ok := x[text(name)]; ok {
			return out
		}
	case []any:
		if i, ok := name.(float64); ok && int(i) < len(x) {
			return x[int(i)]
		}
	}
	return nil
}

func truthy(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case float64:
		return x != 0
	}
	return true
}

// same compares as GitHub does: texts without regard to case, an absent value
// like an empty text.
func same(a, b any) bool {
	return strings.EqualFold(text(a), text(b))
}

func text(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprintf("%v", v)
}

var expression = regexp.MustCompile(`(?s)\$\{\{(.*?)\}\}`)

// interpolate replaces the expressions of a text. A text that is one expression
// keeps the kind of its value.
func interpolate(t *testing.T, from string, s scope) any {
	t.Helper()
	from = strings.TrimSpace(from)
	if m := expression.FindStringSubmatch(from); m != nil && m[0] == from {
		return eval(t, m[1], s)
	}
	return expression.ReplaceAllStringFunc(from, func(one string) string {
		return text(eval(t, one[3:len(one)-2], s))
	})
}

var status = regexp.MustCompile(`\b(?:always|cancelled|success|failure)\(`)

// condition evaluates an if. Without a status function it also needs success.
func condition(t *testing.T, from string, s scope) bool {
	t.Helper()
	from = strings.TrimSpace(from)
	if m := expression.FindStringSubmatch(from); m != nil && m[0] == from {
		from = m[1]
	}
	if from == "" {
		return s.succeeds
	}
	return truthy(eval(t, from, s)) && (s.succeeds || status.MatchString(from))
}

func TestExpressions(t *testing.T) {
	s := scope{cancelled: false, succeeds: false, contexts: map[string]any{
		"needs":  map[string]any{"a-b": map[string]any{"result": "success", "outputs": map[string]any{"list": `{"x-1":[1],"y":[]}`}}},
		"github": map[string]any{"run_id": "42"},
	}}
	for from, want := range map[string]any{
		"needs.a-b.result == 'SUCCESS'":                                     true,
		"needs.none.result == 'success'":                                    false,
		"fromJSON(needs.a-b.outputs.list).x-1 && 'yes' || 'no'":             "yes",
		"fromJSON(needs.a-b.outputs.list).z && 'yes' || 'no'":               "no",
		"contains(fromJSON('[\"ab\"]'), 'a')":                               false,
		"contains(fromJSON('[\"ab\"]'), 'AB')":                              true,
		"!cancelled() && (github.run_id || 'active')":                       "42",
		"format('[\"{0}\",\"{{x}}\"]', 3)":                                  `["3","{x}"]`,
		"fromJSON('[{\"a\":1}]')[0].a == 1":                                 true,
		"'it''s' != 'its'":                                                  true,
		"always() && !('' || null)":                                         true,
		"needs.a-b.result != 'skipped' && needs['a-b'].result == 'success'": true,
	} {
		if got := eval(t, from, s); got != want {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
	}
	if condition(t, "needs.a-b.result == 'success'", s) {
		t.Error("a plain condition must imply success() (F09)")
	}
	if !condition(t, "${{ !cancelled() && needs.a-b.result == 'success' }}", s) {
		t.Error("a condition with a status function must not")
	}
}
