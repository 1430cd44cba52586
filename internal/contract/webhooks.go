package contract

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Payloads holds payloads of webhooks against their description.
type Payloads struct {
	compiler *jsonschema.Compiler
	refs     map[string]string // schema by the name of the webhook
	compiled map[string]*jsonschema.Schema
}

// described is the address that the description has for the compiler.
const described = "https://webhooks.invalid/description.json"

// NewPayloads reads a description of webhooks: OpenAPI 3.1, whose schemas are
// those of JSON Schema 2020-12. Formats are held to as well.
func NewPayloads(description []byte) (*Payloads, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(description))
	if err != nil {
		return nil, err
	}
	p := &Payloads{compiler: jsonschema.NewCompiler(), refs: make(map[string]string), compiled: make(map[string]*jsonschema.Schema)}
	p.compiler.DefaultDraft(jsonschema.Draft2020)
	p.compiler.AssertFormat()
	// The library's own takes the slash in "{/name}" for the end of a part.
	p.compiler.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: uriTemplate})
	webhooks, _ := field(doc, "webhooks").(map[string]any)
	for name, item := range webhooks {
		ref, _ := field(item, "post", "requestBody", "content", "application/json", "schema", "$ref").(string)
		p.refs[name] = ref
	}
	return p, p.compiler.AddResource(described, doc)
}

// uriTemplate accepts an address in which every expression is closed.
func uriTemplate(v any) error {
	text, isText := v.(string)
	if !isText {
		return nil
	}
	if plain := expression.ReplaceAllString(text, ""); strings.ContainsAny(plain, "{} ") {
		return fmt.Errorf("%q is no template", text)
	}
	return nil
}

// expression is a variable part of an address, such as {/name} or {?a,b}.
var expression = regexp.MustCompile(`\{[+#./;?&]?[A-Za-z0-9_.,*:]+\}`)

// field goes down a document by keys.
func field(v any, keys ...string) any {
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// WebhookName is what the description calls a webhook: "issue-comment-created".
// A repository_dispatch has its event type for an action, so that all of them
// share one name.
func WebhookName(event, action string) string {
	if event == "repository_dispatch" {
		action = "sample.collected"
	}
	name := strings.ReplaceAll(event, "_", "-")
	if action != "" {
		name += "-" + strings.ReplaceAll(action, "_", "-")
	}
	return name
}

// Names lists the webhooks that are described.
func (p *Payloads) Names() []string {
	var names []string
	for name := range p.refs {
		names = append(names, name)
	}
	return slices.Sorted(slices.Values(names))
}

// Validate holds the body of a delivery against the description, and returns
// the name of the webhook and what differs, one line a place. A webhook that is
// not described is an error.
func (p *Payloads) Validate(event string, body []byte) (name string, err error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return event, err
	}
	action, _ := field(v, "action").(string)
	name = WebhookName(event, action)
	schema, err := p.schema(name)
	if err != nil {
		return name, err
	}
	var differs *jsonschema.ValidationError
	if err := schema.Validate(v); errors.As(err, &differs) {
		return name, errors.New(strings.Join(places(differs), "\n\t"))
	}
	return name, nil
}

func (p *Payloads) schema(name string) (*jsonschema.Schema, error) {
	if p.refs[name] == "" {
		return nil, fmt.Errorf("webhook %s is not described", name)
	}
	if p.compiled[name] == nil {
		s, err := p.compiler.Compile(described + p.refs[name])
		if err != nil {
			return nil, err
		}
		p.compiled[name] = s
	}
	return p.compiled[name], nil
}

// places lists what differs, one line each, of a long list the beginning.
func places(e *jsonschema.ValidationError) []string {
	var out []string
	for _, unit := range e.BasicOutput().Errors {
		if len(out) == 12 {
			break
		}
		if unit.Error != nil {
			out = append(out, unit.InstanceLocation+": "+unit.Error.String())
		}
	}
	return out
}
