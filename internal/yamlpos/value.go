// Package yamlpos reads YAML into values that know their position.
//
// It is the one reader of the product: configs, changelog, recipes, curves and
// our own settings go through it. Plain scalars are resolved by the rules of
// YAML 1.1 as the public reference's reader (PyYAML) applies them, by an
// explicit table, whatever the underlying parser would make of them
// (spec/matrix.md section 5).
package yamlpos

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Pos is a position in the source; both count from 1.
type Pos struct {
	Line   int
	Column int
}

// Kind is the resolved type of a value.
type Kind uint8

// The kinds. Timestamp is a plain scalar in the form of a date, with or
// without a time; the product never interprets it.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Timestamp
	Sequence
	Mapping
)

// String returns the name used in messages.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "integer", "number", "string", "date", "list", "mapping"}[k]
}

// Value is one node of a document. The zero Value is null without a position.
type Value struct {
	Pos
	Kind Kind
	// Text is the content of a scalar: the characters of a string, the source
	// form of everything else.
	Text string
	// Int is the number of an Int, and 0 or 1 for a Bool.
	Int int64
	// Float is the number of a Float.
	Float float64
	// Items are the elements of a Sequence in order.
	Items []*Value
	// Fields are the entries of a Mapping in source order, each key once.
	Fields []Field
}

// Field is one entry of a mapping.
type Field struct {
	Key   *Value
	Value *Value
}

// Get returns the value under a string key, or nil when v is not a mapping or
// has no such key.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for i := range v.Fields {
		if key := v.Fields[i].Key; key.Kind == String && key.Text == name {
			return v.Fields[i].Value
		}
	}
	return nil
}

// Written returns the value under a key by its source form, or nil: an unquoted
// "on" is a boolean to a reader of YAML 1.1, and its text is the same.
func (v *Value) Written(key string) *Value {
	if v == nil {
		return nil
	}
	for _, f := range v.Fields {
		if f.Key.Text == key {
			return f.Value
		}
	}
	return nil
}

// IsNull reports whether v is absent (nil) or null.
func (v *Value) IsNull() bool { return v == nil || v.Kind == Null }

// Place returns the position of v in a named file.
func (v *Value) Place(file string) diag.Place {
	if v == nil {
		return diag.Place{File: file}
	}
	return diag.Place{File: file, Line: v.Line, Column: v.Column}
}

// Equal reports deep equality by value: the order of mapping keys does not
// matter, and the number 1, 1.0 and true are equal, as they are in the
// reference's language.
func (v *Value) Equal(w *Value) bool {
	if v == nil || w == nil {
		return v == w
	}
	if v.numeric() && w.numeric() {
		if v.Kind != Float && w.Kind != Float {
			return v.Int == w.Int
		}
		return v.number() == w.number()
	}
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Null:
		return true
	case String, Timestamp:
		return v.Text == w.Text
	case Sequence:
		return equalItems(v.Items, w.Items)
	default:
		return equalFields(v, w)
	}
}

func equalItems(a, b []*Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func equalFields(v, w *Value) bool {
	if len(v.Fields) != len(w.Fields) {
		return false
	}
	for i, f := range v.Fields {
		// Most equal mappings have the same order: try the same index first.
		if w.Fields[i].Key.Equal(f.Key) {
			if !f.Value.Equal(w.Fields[i].Value) {
				return false
			}
			continue
		}
		other := w.find(f.Key)
		if other == nil || !f.Value.Equal(other) {
			return false
		}
	}
	return true
}

func (v *Value) find(key *Value) *Value {
	for _, f := range v.Fields {
		if f.Key.Equal(key) {
			return f.Value
		}
	}
	return nil
}

func (v *Value) numeric() bool { return v.Kind == Int || v.Kind == Bool || v.Kind == Float }

func (v *Value) number() float64 {
	if v.Kind == Float {
		return v.Float
	}
	return float64(v.Int)
}

// NewString returns a string value without a position.
func NewString(text string) *Value { return &Value{Kind: String, Text: text} }

// NewInt returns an integer value without a position.
func NewInt(n int64) *Value {
	return &Value{Kind: Int, Text: strconv.FormatInt(n, 10), Int: n}
}

// NewBool returns a boolean value without a position.
func NewBool(b bool) *Value {
	if b {
		return &Value{Kind: Bool, Text: "true", Int: 1}
	}
	return &Value{Kind: Bool, Text: "false"}
}
