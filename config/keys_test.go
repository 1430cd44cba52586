package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// TestKeyTable walks the fields of Settings and holds them against the two
// tables: the rules and the texts of the catalogue.
func TestKeyTable(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	docs, fields := map[string]bool{}, map[string]bool{}
	tree().walk(func(n *node) {
		fields[n.key] = true
		if !form.MatchString(n.name) {
			t.Errorf("%s: the yaml tag is no lower-case name", n.key)
		}
		if docs[docCode(n.key)] {
			t.Errorf("%s shares its text with another key", n.key)
		}
		docs[docCode(n.key)] = true
		en, zh := catalog.Message(catalog.English, docCode(n.key)), catalog.Message(catalog.Chinese, docCode(n.key))
		if !catalog.Known(docCode(n.key)) || en == "" || zh == "" || zh == en || strings.HasSuffix(en, ".") {
			t.Errorf("%s: the text of %s is missing or not a sentence without a stop: %q, %q", n.key, docCode(n.key), en, zh)
		}
		checkRule(t, n)
	})
	for key := range rules {
		if !fields[key] {
			t.Errorf("rule %s has no field", key)
		}
	}
	for _, code := range catalog.Codes() {
		if strings.HasPrefix(code, "config.key-") && !docs[code] {
			t.Errorf("text %s has no field", code)
		}
	}
}

// checkRule makes sure that no text is free and no number unbounded.
func checkRule(t *testing.T, n *node) {
	t.Helper()
	r := n.rule
	bounded, formed := r.min < r.max, (r.text != nil) != (r.values != nil)
	switch kind := n.typ.Kind(); {
	case n.group() || kind == reflect.Bool:
		if !reflect.DeepEqual(r, rule{}) {
			t.Errorf("%s: a rule that nothing applies", n.key)
		}
	case kind == reflect.Int:
		if !bounded || formed {
			t.Errorf("%s: an unbounded number", n.key)
		}
	case n.listOfMappings():
		if bounded || formed {
			t.Errorf("%s: a rule that nothing applies", n.key)
		}
	case kind == reflect.Slice:
		if r.text == nil || r.text.plural == "" {
			t.Errorf("%s: a list of free texts", n.key)
		}
	case kind == reflect.String:
		if !formed {
			t.Errorf("%s: a free text", n.key)
		}
	default:
		t.Errorf("%s: a field of kind %s cannot be decoded", n.key, kind)
	}
}

// TestEveryKeyIsRead sets each key alone to the value that another preset
// gives it, and looks for it in the settings, in Show and in Explain.
func TestEveryKeyIsRead(t *testing.T) {
	tree().walk(func(n *node) {
		if n.group() || strings.Contains(n.key, "[]") || n.key == "preset" {
			return
		}
		value := sample(n)
		file := nest(n.key, value)
		s, source, list := decode(t, file)
		if list != nil {
			t.Errorf("%s: %v\n%s", n.key, list, file)
			return
		}
		if got := valueAt(s, n.key); got != value {
			t.Errorf("%s = %s, want %s", n.key, got, value)
		}
		if source.Set[n.key].Line == 0 {
			t.Errorf("%s: no place", n.key)
		}
		if !strings.Contains(string(Show(s)), n.name+":") {
			t.Errorf("%s is not shown", n.key)
		}
		e, err := Explain(n.key, s, source)
		if err != nil || e.Value != value || e.Set.Line == 0 {
			t.Errorf("%s: explained as %+v, %v", n.key, e, err)
		}
	})
}

// decode reads a file without the rules that hold between keys.
func decode(t rapid.TB, file string) (Settings, Source, diag.List) {
	t.Helper()
	root, err := yamlpos.Parse("s.yml", []byte(file), yamlpos.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	s := newest()
	d := decoder{file: "s.yml", set: map[string]diag.Place{}, items: map[string]diag.Place{}}
	d.mapping(root, tree(), reflect.ValueOf(&s).Elem(), "")
	return s, Source{Set: d.set}, d.list
}

// sample is a value that differs from the default preset's.
func sample(n *node) string {
	now := valueAt(newest(), n.key)
	switch kind := n.typ.Kind(); {
	case kind == reflect.Bool:
		return map[string]string{"true": "false", "false": "true"}[now]
	case kind == reflect.Int:
		return fmt.Sprint(n.rule.min)
	case n.key == "labels.primaries":
		return "[{name: only, canary: false, fail-fast: true, trim: true, reusable: false}]"
	case n.listOfMappings():
		return "[]"
	case kind == reflect.Slice:
		return "[" + scalar(validText(n)) + "]"
	case n.rule.values != nil:
		for _, value := range n.rule.values {
			if scalar(value) != now {
				return scalar(value)
			}
		}
	}
	return scalar(validText(n))
}

// validText is a text of the form that the key wants.
func validText(n *node) string {
	for _, value := range []string{"other", "other.yml", "other/name", "https://other.example", "@other/team", "@other/team:name"} {
		if n.rule.text.check(value) {
			return value
		}
	}
	return ""
}

func nest(key, value string) string {
	parts := strings.Split(key, ".")
	return strings.Join(parts, ": {") + ": " + value + strings.Repeat("}", len(parts)-1) + "\n"
}
