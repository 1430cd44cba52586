package config

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

const (
	maxItems    = 64  // of one list
	maxFindings = 100 // of one file, which may be hostile
	maxShown    = 60  // bytes of a value repeated in a message
)

// decoder writes a document into a Settings value by walking the tree of
// nodes. It goes on after a fault, so that one run shows all of them.
type decoder struct {
	file  string
	set   map[string]diag.Place // keys that the file sets
	items map[string]diag.Place // items of its lists, by document path
	list  diag.List
}

// add records a finding. Past maxFindings only the fact is recorded.
func (d *decoder) add(f diag.Finding) {
	switch {
	case len(d.list) < maxFindings:
		d.list = append(d.list, f)
	case len(d.list) == maxFindings:
		d.list = append(d.list, diag.New("config.many-findings", diag.Place{File: d.file},
			"limit", strconv.Itoa(maxFindings)))
	}
}

// full reports whether further findings would not be shown anyway.
func (d *decoder) full() bool { return len(d.list) > maxFindings }

// refuse records a finding about v, found at a document path.
func (d *decoder) refuse(v *yamlpos.Value, path, code string, args ...string) {
	d.add(diag.New(code, v.Place(d.file), args...).At(path))
}

// mapping decodes the keys of v into the struct target. n is the mapping, or
// the list whose item v is.
func (d *decoder) mapping(v *yamlpos.Value, n *node, target reflect.Value, path string) {
	if v.Kind != yamlpos.Mapping {
		d.refuse(v, path, "config.wrong-type", "want", "mapping", "got", v.Kind.String())
		return
	}
	for _, field := range v.Fields {
		if d.full() {
			return
		}
		kid := n.kid(field.Key.Text)
		if kid == nil || field.Key.Kind != yamlpos.String {
			d.unknown(field.Key, n, path)
			continue
		}
		d.set[kid.key] = field.Key.Place(d.file)
		d.value(field.Value, kid, target.Field(kid.index), join(path, kid.name))
	}
}

func (d *decoder) unknown(key *yamlpos.Value, in *node, path string) {
	name := clip(key.Text)
	if near := suggest(key.Text, in); near != "" {
		d.refuse(key, path, "config.unknown-key-near", "key", name, "near", near)
		return
	}
	names := make([]string, len(in.kids))
	for i, kid := range in.kids {
		names[i] = kid.name
	}
	d.refuse(key, path, "config.unknown-key", "key", name, "known", strings.Join(names, ", "))
}

func (d *decoder) value(v *yamlpos.Value, n *node, target reflect.Value, path string) {
	switch target.Kind() {
	case reflect.Struct:
		// A mapping all of whose keys are commented out is null.
		if v.Kind != yamlpos.Null {
			d.mapping(v, n, target, path)
		}
	case reflect.Slice:
		d.sequence(v, n, target, path)
	case reflect.Bool:
		if v.Kind != yamlpos.Bool {
			d.wrong(v, n, path)
			return
		}
		target.SetBool(v.Int != 0)
	case reflect.Int:
		if number, ok := d.integer(v, n, path); ok {
			target.SetInt(number)
		}
	default:
		if text, ok := d.text(v, n, path); ok {
			target.SetString(text)
		}
	}
}

func (d *decoder) wrong(v *yamlpos.Value, n *node, path string) {
	d.refuse(v, path, "config.wrong-type", "want", n.typeName(), "got", v.Kind.String())
}

// plainInteger is the form in which everybody reads the same number. YAML 1.1
// also has octal, hexadecimal and base 60 (spec/security.md S43).
var plainInteger = pattern.Lazy(`^[+-]?(0|[1-9][0-9_]*)$`)

func (d *decoder) integer(v *yamlpos.Value, n *node, path string) (int64, bool) {
	switch {
	case v.Kind != yamlpos.Int:
		d.wrong(v, n, path)
	case !plainInteger().MatchString(v.Text):
		d.refuse(v, path, "config.number-form", "value", clip(v.Text), "number", strconv.FormatInt(v.Int, 10))
	case v.Int < int64(n.rule.min) || v.Int > int64(n.rule.max):
		d.refuse(v, path, "config.number-range", "value", clip(v.Text),
			"min", strconv.Itoa(n.rule.min), "max", strconv.Itoa(n.rule.max))
	default:
		return v.Int, true
	}
	return 0, false
}

func (d *decoder) text(v *yamlpos.Value, n *node, path string) (string, bool) {
	// off without quotes is the boolean false to YAML 1.1.
	if v.Kind == yamlpos.String || v.Kind == yamlpos.Bool && among(n.rule.values, v.Text) {
		return v.Text, d.checkText(v, n, path)
	}
	switch v.Kind {
	case yamlpos.Null, yamlpos.Sequence, yamlpos.Mapping:
		d.wrong(v, n, path)
	default:
		d.refuse(v, path, "config.unquoted", "value", clip(v.Text), "got", v.Kind.String())
	}
	return "", false
}

func (d *decoder) checkText(v *yamlpos.Value, n *node, path string) bool {
	switch {
	case n.rule.values != nil:
		if !among(n.rule.values, v.Text) {
			d.refuse(v, path, "config.bad-value", "value", clip(v.Text), "values", strings.Join(n.rule.values, ", "))
			return false
		}
	case v.Text == "" && !n.rule.text.empty:
		d.refuse(v, path, "config.empty-text", "want", n.rule.text.name)
		return false
	case !n.rule.text.check(v.Text):
		d.refuse(v, path, n.rule.text.code, "value", clip(v.Text))
		return false
	}
	return true
}

// sequence replaces the list of the preset as a whole. An empty list is nil.
func (d *decoder) sequence(v *yamlpos.Value, n *node, target reflect.Value, path string) {
	switch {
	case v.Kind != yamlpos.Sequence:
		d.wrong(v, n, path)
		return
	case len(v.Items) == 0 && n.rule.filled:
		d.refuse(v, path, "config.empty-list")
		return
	case len(v.Items) > maxItems:
		d.refuse(v, path, "config.long-list", "count", strconv.Itoa(len(v.Items)), "max", strconv.Itoa(maxItems))
		return
	case len(v.Items) == 0:
		target.SetZero()
		return
	}
	list := reflect.MakeSlice(target.Type(), len(v.Items), len(v.Items))
	for i, item := range v.Items {
		d.item(item, n, list.Index(i), join(path, strconv.Itoa(i)))
	}
	if !n.listOfMappings() {
		d.repeats(v, path)
	}
	target.Set(list)
}

func (d *decoder) item(v *yamlpos.Value, n *node, target reflect.Value, path string) {
	d.items[path] = v.Place(d.file)
	if !n.listOfMappings() {
		if text, ok := d.text(v, n, path); ok {
			target.SetString(text)
		}
		return
	}
	d.mapping(v, n, target, path)
	if v.Kind != yamlpos.Mapping {
		return
	}
	for _, kid := range n.kids {
		if kid.rule.required && v.Get(kid.name) == nil {
			d.refuse(v, path, "config.missing-key", "key", kid.name)
		}
	}
}

func (d *decoder) repeats(v *yamlpos.Value, path string) {
	first := map[string]*yamlpos.Value{}
	for i, item := range v.Items {
		if item.Kind != yamlpos.String {
			continue
		}
		if earlier := first[item.Text]; earlier != nil {
			f := diag.New("config.repeated-item", item.Place(d.file),
				"value", clip(item.Text), "first", strconv.Itoa(earlier.Line))
			f.Related = []diag.Place{earlier.Place(d.file)}
			d.add(f.At(join(path, strconv.Itoa(i))))
			continue
		}
		first[item.Text] = item
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func among(values []string, text string) bool {
	for _, value := range values {
		if value == text {
			return true
		}
	}
	return false
}

// clip shortens a hostile text for a message.
func clip(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
