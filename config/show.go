package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Show prints settings as a settings file that sets every key, in the order of
// the reference. Load reads an equal value back.
func Show(s Settings) []byte {
	var b bytes.Buffer
	show(&b, tree(), reflect.ValueOf(s), "")
	return b.Bytes()
}

func show(b *bytes.Buffer, n *node, v reflect.Value, indent string) {
	for _, kid := range n.kids {
		b.WriteString(indent + kid.name + ":")
		field := v.Field(kid.index)
		switch {
		case kid.group():
			b.WriteByte('\n')
			show(b, kid, field, indent+"  ")
		case field.Kind() == reflect.Slice && field.Len() > 0:
			b.WriteByte('\n')
			for i := range field.Len() {
				b.WriteString(indent + "  - " + flow(field.Index(i)) + "\n")
			}
		default:
			b.WriteString(" " + flow(field) + "\n")
		}
	}
}

// flow prints a value on one line, in YAML's flow style.
func flow(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = flow(v.Index(i))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Struct:
		fields := make([]string, v.NumField())
		for i := range fields {
			fields[i] = v.Type().Field(i).Tag.Get("yaml") + ": " + flow(v.Field(i))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	default:
		return scalar(v.String())
	}
}

// bare is the form of a text that needs no quotes in any dialect of YAML,
// unless it is one of the words that YAML 1.1 reads as something else.
var bare = pattern.Lazy(`^[A-Za-z][A-Za-z0-9_./-]*$`)

var reserved = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

func scalar(text string) string {
	if bare().MatchString(text) && !among(reserved, strings.ToLower(text)) {
		return text
	}
	// A JSON string is a double-quoted YAML scalar of the same value.
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return strconv.QuoteToASCII(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lookup returns the value of a dotted key below n. For a key of the items of
// a list it is the list of the items' values.
func lookup(v reflect.Value, n *node, key string) reflect.Value {
	name, rest, deeper := strings.Cut(key, ".")
	kid := n.kid(strings.TrimSuffix(name, "[]"))
	v = v.Field(kid.index)
	switch {
	case !deeper:
		return v
	case kid.group():
		return lookup(v, kid, rest)
	}
	leaf := kid.kid(rest)
	column := reflect.MakeSlice(reflect.SliceOf(leaf.typ), 0, v.Len())
	for i := range v.Len() {
		column = reflect.Append(column, v.Index(i).Field(leaf.index))
	}
	return column
}
