package localrun

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// text is a member of a row as the text of a workflow input: a string as it
// is, a number or boolean in its JSON form, "" for absent and null.
func text(row ordjson.Value, name string) string {
	v, ok := row.Get(name)
	switch {
	case !ok || v.Kind == ordjson.Literal && v.Text == "null":
		return ""
	case v.Kind == ordjson.String || v.Kind == ordjson.Literal:
		return v.Text
	}
	return v.String()
}

// textOr is text with a default for absent members.
func textOr(row ordjson.Value, name, otherwise string) string {
	if t := text(row, name); t != "" {
		return t
	}
	return otherwise
}

// truth is "true" or "false", never "": an absent boolean is false, not an
// empty input (known failure F11).
func truth(row ordjson.Value, name string) string {
	return strconv.FormatBool(text(row, name) == "true")
}

// oneOrZero is "1" or "0".
func oneOrZero(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// document is a member as compact JSON, "" for absent and null.
func document(row ordjson.Value, name string) string {
	v, ok := row.Get(name)
	if !ok || v.Kind == ordjson.Literal && v.Text == "null" {
		return ""
	}
	return v.String()
}

// block is an object member; an absent one has no members.
func block(row ordjson.Value, name string) ordjson.Value {
	v, _ := row.Get(name)
	return v
}

// words are the elements of a list member as texts; a single value is a list
// of one.
func words(row ordjson.Value, name string) []string {
	v, ok := row.Get(name)
	if !ok || v.Kind == ordjson.Literal && v.Text == "null" {
		return nil
	}
	if v.Kind != ordjson.Array {
		return []string{v.Text}
	}
	out := make([]string, len(v.Items))
	for i, item := range v.Items {
		out[i] = item.Text
	}
	return out
}

// offloading is the KV offload mode; several tiers are joined by "+".
func offloading(row ordjson.Value) string { return strings.Join(words(row, "kv-offloading"), "+") }

// largest is the largest of some decimal numbers, "" for none.
func largest(numbers []string) string {
	if len(numbers) == 0 {
		return ""
	}
	return slices.MaxFunc(numbers, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}

// product multiplies decimal numbers; what is no number counts 1.
func product(numbers ...string) int {
	total := 1
	for _, text := range numbers {
		if n, err := strconv.Atoi(text); err == nil {
			total *= n
		}
	}
	return total
}

// atoi reads digits; anything else is 0.
func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
