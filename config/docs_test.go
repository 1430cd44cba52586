package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

const (
	guideFile  = "../docs/config.md"
	schemaFile = "../docs/schema/config.schema.json"
)

// TestGuide keeps the generated parts of docs/config.md: the example files,
// which other tests load, and the table of all keys.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile(guideFile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(guide)
	for name, part := range map[string]string{
		"example":      fence("testdata/example.yml"),
		"other-layout": fence("testdata/other-layout.yml"),
		"keys":         keysTable(),
		"needs":        needsTable(),
	} {
		open, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
		before, rest, found := strings.Cut(text, open)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no part %s", guideFile, name)
		}
		text = before + open + part + end + after
	}
	golden(t, guideFile, []byte(text))
}

func fence(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return "```yaml\n" + string(data) + "```\n"
}

// keysTable is one table for each top-level mapping.
func keysTable() string {
	var b strings.Builder
	header := "| key | takes | `" + strings.Join(PresetNames(), "` | `") + "` | meaning |\n|---|---|---|---|---|---|\n"
	for _, top := range tree().kids {
		doc := catalog.Message(catalog.English, docCode(top.key))
		if !top.group() {
			b.WriteString("\n" + header + row(top))
			continue
		}
		b.WriteString("\n### `" + top.name + "`\n\n" + doc + ".\n\n" + header)
		top.walk(func(n *node) {
			if !n.group() {
				b.WriteString(row(n))
			}
		})
	}
	return b.String() + "\n"
}

func row(n *node) string {
	cells := []string{"`" + n.key + "`", n.typeName()}
	last := ""
	for _, name := range PresetNames() {
		preset, _ := Preset(name)
		value := valueAt(preset, n.key)
		switch {
		case n.listOfMappings():
			cells = append(cells, "see below")
		case value == last:
			cells = append(cells, "same")
		default:
			cells = append(cells, "`"+value+"`")
		}
		last = value
	}
	cells = append(cells, catalog.Message(catalog.English, docCode(n.key)))
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// needsTable lists the rules between keys.
func needsTable() string {
	var b strings.Builder
	b.WriteString("| this key | needs |\n|---|---|\n")
	for _, need := range (Settings{}).needs() {
		fmt.Fprintf(&b, "| `%s` | `%s: %s` |\n", need.key, need.other, need.want)
	}
	return b.String()
}

func TestSchemaFile(t *testing.T) {
	golden(t, schemaFile, schemaText(t))
}

func schemaText(t *testing.T) []byte {
	t.Helper()
	root := schema(tree())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Settings of sweepbot (.github/sweepbot.yml)"
	delete(root, "description")
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// schema describes a node in JSON Schema. It is a little looser than the
// loader: patterns only catch the usual slips, rules between keys are missing.
func schema(n *node) map[string]any {
	s := map[string]any{"description": catalog.Message(catalog.English, docCode(n.key))}
	switch kind := n.typ.Kind(); {
	case n.group():
		s["type"] = []string{"object", "null"}
		s["additionalProperties"] = false
		s["properties"], _ = properties(n)
	case kind == reflect.Bool:
		s["type"] = "boolean"
	case kind == reflect.Int:
		s["type"], s["minimum"], s["maximum"] = "integer", n.rule.min, n.rule.max
	case kind == reflect.Slice:
		s["type"], s["maxItems"], s["uniqueItems"] = "array", maxItems, true
		s["items"] = itemSchema(n)
		if n.rule.filled {
			s["minItems"] = 1
		}
	default:
		textSchema(s, n.rule)
	}
	return s
}

func itemSchema(n *node) map[string]any {
	s := map[string]any{}
	if !n.listOfMappings() {
		textSchema(s, n.rule)
		return s
	}
	s["type"] = "object"
	s["additionalProperties"] = false
	s["properties"], s["required"] = properties(n)
	return s
}

func properties(n *node) (map[string]any, []string) {
	all, required := map[string]any{}, []string(nil)
	for _, kid := range n.kids {
		all[kid.name] = schema(kid)
		if kid.rule.required {
			required = append(required, kid.name)
		}
	}
	return all, required
}

func textSchema(s map[string]any, r rule) {
	if r.values != nil {
		s["enum"] = r.values
		return
	}
	s["type"], s["pattern"] = "string", r.text.pattern
	if !r.text.empty {
		s["minLength"] = 1
	}
}

// TestSchemaAgrees holds the schema file against the loader: it accepts what
// the loader accepts, and refuses what the loader refuses for one value.
func TestSchemaAgrees(t *testing.T) {
	compiled := compile(t)
	for _, name := range PresetNames() {
		preset, _ := Preset(name)
		if err := compiled.Validate(plain(t, string(Show(preset)))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, test := range loadCases {
		err := compiled.Validate(plain(t, test.file))
		switch looser := beyondSchema(test.want); {
		case len(test.want) == 0 && err != nil:
			t.Errorf("%s: refused: %v", test.name, err)
		case len(test.want) > 0 && err == nil && !looser:
			t.Errorf("%s: accepted, but the loader says %v", test.name, test.want)
		}
	}
}

// beyondSchema reports whether all findings are of rules that the schema does
// not know.
func beyondSchema(want []string) bool {
	for _, line := range want {
		switch line[strings.LastIndex(line, " ")+1:] {
		case "config.conflict", "config.duplicate-label", "config.repeated-item", "config.bad-path", "config.bad-label", "config.bad-branch":
		default:
			return false
		}
	}
	return true
}

func TestSchemaAcceptsExamples(t *testing.T) {
	compiled := compile(t)
	for _, file := range []string{"testdata/example.yml", "testdata/other-layout.yml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(plain(t, string(data))); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// plain reads a file as an editor does, whose YAML 1.2 knows no booleans but
// true and false. An empty file is an empty mapping to it.
func plain(t *testing.T, file string) any {
	t.Helper()
	root, err := yamlpos.Parse("s.yml", []byte(file), yamlpos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return generic(root)
}

func generic(v *yamlpos.Value) any {
	switch v.Kind {
	case yamlpos.Null:
		return nil
	case yamlpos.Int:
		return v.Int
	case yamlpos.Float:
		return v.Float
	case yamlpos.Sequence:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			items[i] = generic(item)
		}
		return items
	case yamlpos.Mapping:
		fields := map[string]any{}
		for _, f := range v.Fields {
			fields[f.Key.Text] = generic(f.Value)
		}
		return fields
	case yamlpos.Bool:
		if v.Text == "true" || v.Text == "false" {
			return v.Int != 0
		}
	}
	return v.Text
}
