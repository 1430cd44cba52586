package document

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// IsNumber reports whether v is a number, a non-finite literal included. The
// zero Value is none: it stands for what is absent.
func IsNumber(v ordjson.Value) bool {
	if v.Kind != ordjson.Literal || v.Text == "" {
		return false
	}
	c := v.Text[0]
	return c == '-' || c >= '0' && c <= '9' || c == 'N' || c == 'I'
}

// IsNull reports whether v is null.
func IsNull(v ordjson.Value) bool { return v.Kind == ordjson.Literal && v.Text == "null" }

// IsInt reports whether v is a number without fraction and exponent.
func IsInt(v ordjson.Value) bool { return IsNumber(v) && !strings.ContainsAny(v.Text, ".eENI") }

// Number returns the number of v. Texts and booleans are none. The value may be
// infinite or NaN where the document was read with NonFinite.
func Number(v ordjson.Value) (float64, bool) {
	if !IsNumber(v) {
		return 0, false
	}
	switch v.Text {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	f, _ := strconv.ParseFloat(v.Text, 64)
	return f, true
}

// Finite returns the number of v if it is one and finite.
func Finite(v ordjson.Value) (float64, bool) {
	f, ok := Number(v)
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// Int returns the integer of v. Numbers with a fraction or an exponent, and
// numbers beyond 64 bits, are none.
func Int(v ordjson.Value) (int64, bool) {
	if !IsInt(v) {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// Bool returns the boolean of v.
func Bool(v ordjson.Value) (value, ok bool) {
	if v.Kind != ordjson.Literal {
		return false, false
	}
	return v.Text == "true", v.Text == "true" || v.Text == "false"
}

// Text returns the text of v.
func Text(v ordjson.Value) (string, bool) { return v.Text, v.Kind == ordjson.String }

// Float returns a number as the reference's encoder spells it: shortest digits,
// ".0" behind whole numbers, an exponent from 10^16 and below 10^-4.
func Float(f float64) ordjson.Value { return ordjson.Value{Text: spell(f)} }

func spell(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if size := math.Abs(f); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// normal returns a number literal as the reference writes it after reading it.
func normal(text string) string {
	switch text {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return text
	case "-0":
		return "0"
	}
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	f, _ := strconv.ParseFloat(text, 64)
	return spell(f)
}
