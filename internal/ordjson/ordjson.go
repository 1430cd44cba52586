// Package ordjson holds JSON documents whose members keep their order, and
// the three encodings that the product's interfaces fix byte for byte.
package ordjson

import (
	"sort"
	"strconv"
	"unicode/utf8"
)

// Kind is the JSON type of a value.
type Kind uint8

// The kinds. Literal is a number, true, false or null in its source form.
const (
	Literal Kind = iota
	String
	Array
	Object
)

// Value is one JSON value. The zero Value is not valid JSON; build values with
// the functions below.
type Value struct {
	Kind    Kind
	Text    string   // content of a String, source form of a Literal
	Items   []Value  // elements of an Array
	Members []Member // members of an Object, in order
}

// Member is one name with its value.
type Member struct {
	Name  string
	Value Value
}

// Str returns a string value.
func Str(text string) Value { return Value{Kind: String, Text: text} }

// Int returns a number.
func Int(n int64) Value { return Value{Text: strconv.FormatInt(n, 10)} }

// Bool returns true or false.
func Bool(b bool) Value { return Value{Text: strconv.FormatBool(b)} }

// Null returns null.
func Null() Value { return Value{Text: "null"} }

// List returns an array of items.
func List(items ...Value) Value { return Value{Kind: Array, Items: items} }

// Ints returns an array of numbers.
func Ints(numbers []int64) Value {
	items := make([]Value, len(numbers))
	for i, n := range numbers {
		items[i] = Int(n)
	}
	return Value{Kind: Array, Items: items}
}

// Strs returns an array of strings.
func Strs(texts []string) Value {
	items := make([]Value, len(texts))
	for i, text := range texts {
		items[i] = Str(text)
	}
	return Value{Kind: Array, Items: items}
}

// Map returns an object with members in the given order.
func Map(members ...Member) Value { return Value{Kind: Object, Members: members} }

// Add appends a member to an object under construction.
func (v *Value) Add(name string, value Value) {
	v.Members = append(v.Members, Member{name, value})
}

// Get returns the first member of that name.
func (v Value) Get(name string) (Value, bool) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value, true
		}
	}
	return Value{}, false
}

// Style selects one of the encodings.
type Style struct {
	item, colon string
	ascii       bool
	sorted      bool
}

// The encodings. Compact writes no blanks and leaves UTF-8 as it is (plan
// documents). Spaced writes ", " and ": " and escapes non-ASCII (generator
// output). Canonical sorts members at every level, writes no blanks and
// escapes non-ASCII: the text that fingerprints and queue tokens hash
// (spec/matrix.md section 12). ASCII is Canonical without the sorting
// (annotated plan documents).
var (
	Compact   = Style{item: ",", colon: ":"}
	Spaced    = Style{item: ", ", colon: ": ", ascii: true}
	Canonical = Style{item: ",", colon: ":", ascii: true, sorted: true}
	ASCII     = Style{item: ",", colon: ":", ascii: true}
)

// Append appends the encoding of v in the given style.
func (v Value) Append(dst []byte, style Style) []byte {
	switch v.Kind {
	case Literal:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text, style.ascii)
	case Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, style.item...)
			}
			dst = v.Items[i].Append(dst, style)
		}
		return append(dst, ']')
	}
	members := v.Members
	if style.sorted && !sort.SliceIsSorted(members, func(i, j int) bool { return members[i].Name < members[j].Name }) {
		members = append([]Member(nil), members...)
		sort.SliceStable(members, func(i, j int) bool { return members[i].Name < members[j].Name })
	}
	dst = append(dst, '{')
	for i := range members {
		if i > 0 {
			dst = append(dst, style.item...)
		}
		dst = appendString(dst, members[i].Name, style.ascii)
		dst = append(dst, style.colon...)
		dst = members[i].Value.Append(dst, style)
	}
	return append(dst, '}')
}

// String returns the compact encoding of v as a string.
func (v Value) String() string { return string(v.Append(nil, Compact)) }

const hexDigits = "0123456789abcdef"

// appendString escapes as the reference's encoder does: short escapes where
// JSON has them, \u00XX for other control characters, and with ascii also DEL
// and everything above as lower-case \uXXXX. "<", ">", "&" and "/" stay.
func appendString(dst []byte, text string, ascii bool) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			dst = appendByte(dst, c, ascii)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !ascii && !(r == utf8.RuneError && size == 1):
			dst = append(dst, text[i:i+size]...)
		case r > 0xffff:
			r -= 0x10000
			dst = appendUnicode(appendUnicode(dst, 0xd800+(r>>10)), 0xdc00+(r&0x3ff))
		default:
			dst = appendUnicode(dst, r)
		}
		i += size
	}
	return append(dst, '"')
}

func appendByte(dst []byte, c byte, ascii bool) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	}
	if c < ' ' || (c == 0x7f && ascii) {
		return appendUnicode(dst, rune(c))
	}
	return append(dst, c)
}

func appendUnicode(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
