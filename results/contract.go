package results

import (
	"math"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/results/document"
)

// Problem is one offence of a value against a contract. Type and Text are those
// of the rejected-rows file (spec/results.md section 8.3).
type Problem struct {
	Type  string
	Field string
	Text  string
}

// The types of problems.
const (
	problemMissing  = "missing"
	problemUnknown  = "extra_forbidden"
	problemText     = "string_type"
	problemBool     = "bool_type"
	problemInt      = "int_type"
	problemNumber   = "float_type"
	problemFinite   = "finite_number"
	problemAbove    = "greater_than"
	problemAtLeast  = "greater_than_equal"
	problemAtMost   = "less_than_equal"
	problemObject   = "dict_type"
	problemList     = "list_type"
	problemLiteral  = "literal_error"
	problemPattern  = "string_pattern_mismatch"
	problemEmpty    = "string_too_short"
	problemMismatch = "value_error"
)

// shape checks one value and names the problem, "" for none.
type shape func(v ordjson.Value) (kind, text string)

// field is one member of a closed object.
type field struct {
	name     string
	optional bool
	is       shape
}

func need(name string, is shape) field { return field{name: name, is: is} }

func may(name string, is shape) field { return field{name: name, optional: true, is: is} }

func each(is shape, names ...string) []field {
	out := make([]field, len(names))
	for i, name := range names {
		out[i] = need(name, is)
	}
	return out
}

func aText(v ordjson.Value) (kind, text string) {
	if v.Kind != ordjson.String {
		return problemText, "must be a text"
	}
	return "", ""
}

func someText(v ordjson.Value) (kind, text string) {
	if kind, text := aText(v); kind != "" {
		return kind, text
	}
	if v.Text == "" {
		return problemEmpty, "must not be empty"
	}
	return "", ""
}

func aBool(v ordjson.Value) (kind, text string) {
	if _, ok := document.Bool(v); !ok {
		return problemBool, "must be true or false"
	}
	return "", ""
}

// flagText is a boolean that rows spell as text.
func flagText(v ordjson.Value) (kind, text string) {
	return oneOf("true", "false")(v)
}

func oneOf(words ...string) shape {
	return func(v ordjson.Value) (kind, text string) {
		if v.Kind != ordjson.String || !slices.Contains(words, v.Text) {
			return problemLiteral, "must be one of " + quoteAll(words)
		}
		return "", ""
	}
}

func quoteAll(words []string) string {
	out := ""
	for i, word := range words {
		if i > 0 {
			out += ", "
		}
		out += strconv.Quote(word)
	}
	return out
}

func atLeast(least int64) shape {
	return func(v ordjson.Value) (kind, text string) {
		n, ok := document.Int(v)
		switch {
		case !ok:
			return problemInt, "must be a whole number"
		case n < least && least == 1:
			return problemAbove, "must be greater than 0"
		case n < least:
			return problemAtLeast, "must be at least " + strconv.FormatInt(least, 10)
		}
		return "", ""
	}
}

func aNumber(v ordjson.Value) (kind, text string) {
	f, ok := document.Number(v)
	switch {
	case !ok:
		return problemNumber, "must be a number"
	case math.IsNaN(f) || math.IsInf(f, 0):
		return problemFinite, "must be a finite number"
	}
	return "", ""
}

func anObject(v ordjson.Value) (kind, text string) {
	if v.Kind != ordjson.Object {
		return problemObject, "must be an object"
	}
	return "", ""
}

func aList(v ordjson.Value) (kind, text string) {
	if v.Kind != ordjson.Array {
		return problemList, "must be a list"
	}
	return "", ""
}

func orNull(is shape) shape {
	return func(v ordjson.Value) (kind, text string) {
		if document.IsNull(v) {
			return "", ""
		}
		return is(v)
	}
}

var fingerprintPattern = pattern.Lazy(`^(?:[0-9a-f]{64})?$`)

func fingerprint(v ordjson.Value) (kind, text string) {
	if kind, text := aText(v); kind != "" {
		return kind, text
	}
	if !fingerprintPattern().MatchString(v.Text) {
		return problemPattern, "must be empty or 64 lower-case hexadecimal digits"
	}
	return "", ""
}

// checkFields holds an object against a closed list of fields. extra judges
// members that are not in the list; nil refuses them.
func checkFields(v ordjson.Value, prefix string, fields []field, extra func(name string) shape) []Problem {
	var out []Problem
	report := func(name, kind, text string) {
		if kind != "" {
			out = append(out, Problem{Type: kind, Field: prefix + name, Text: text})
		}
	}
	found := 0
	for _, f := range fields {
		member, ok := v.Get(f.name)
		if ok {
			found++
			kind, text := f.is(member)
			report(f.name, kind, text)
		} else if !f.optional {
			report(f.name, problemMissing, "is missing")
		}
	}
	if found == len(v.Members) {
		return out
	}
	for _, m := range v.Members {
		if slices.ContainsFunc(fields, func(f field) bool { return f.name == m.Name }) {
			continue
		}
		if extra != nil {
			if is := extra(m.Name); is != nil {
				kind, text := is(m.Value)
				report(m.Name, kind, text)
				continue
			}
		}
		report(m.Name, problemUnknown, "is not a field of this row")
	}
	return out
}

// closed is the shape of an object with exactly these fields; the first problem
// inside counts.
func closed(fields ...field) shape {
	return func(v ordjson.Value) (kind, text string) {
		if kind, text := anObject(v); kind != "" {
			return kind, text
		}
		if inner := checkFields(v, "", fields, nil); len(inner) > 0 {
			return inner[0].Type, inner[0].Field + " " + inner[0].Text
		}
		return "", ""
	}
}

var (
	component        = closed(need("name", someText), need("version", someText))
	componentVersion = closed(need("name", someText), may("version", someText))
)

// checkComponent holds a router or offload back end against its shape.
func checkComponent(v ordjson.Value, name string, versionOptional bool) []Problem {
	is := component
	if versionOptional {
		is = componentVersion
	}
	if kind, text := is(v); kind != "" {
		return []Problem{{Type: kind, Field: name, Text: text}}
	}
	return nil
}
