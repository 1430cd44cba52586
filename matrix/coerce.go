package matrix

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// intForm says what stands for an integer (spec/matrix.md section 5).
type intForm uint8

const (
	intStrict  intForm = iota // a YAML integer
	intLenient                // also a bool, a whole float, a string of digits
)

// asInt returns the integer that v stands for. whole is false when v is a
// number with a fraction.
func asInt(v *yamlpos.Value, form intForm) (n int64, ok, whole bool) {
	switch v.Kind {
	case yamlpos.Int:
		return v.Int, true, true
	case yamlpos.Bool:
		return v.Int, form == intLenient, true
	case yamlpos.Float:
		if v.Float != math.Trunc(v.Float) || math.Abs(v.Float) > 1<<53 {
			return 0, false, false
		}
		return int64(v.Float), form == intLenient, true
	case yamlpos.String:
		if form == intLenient {
			n, ok = parseLenientInt(v.Text)
		}
		return n, ok, true
	}
	return 0, false, true
}

// parseLenientInt reads a string that holds an integer: optional sign,
// surrounding blanks, single "_" between digits, optional ".0".
func parseLenientInt(text string) (int64, bool) {
	text = strings.TrimSpace(text)
	if whole, zeros, found := strings.Cut(text, "."); found {
		if zeros == "" || strings.Trim(zeros, "0") != "" {
			return 0, false
		}
		text = whole
	}
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	return n, err == nil
}

// asBool returns the boolean that v stands for.
func asBool(v *yamlpos.Value, lenient bool) (b, ok bool) {
	switch v.Kind {
	case yamlpos.Bool:
		return v.Int == 1, true
	case yamlpos.Int:
		return v.Int == 1, lenient && (v.Int == 0 || v.Int == 1)
	case yamlpos.Float:
		return v.Float == 1, lenient && (v.Float == 0 || v.Float == 1)
	case yamlpos.String:
		switch strings.ToLower(v.Text) {
		case "true", "t", "yes", "y", "on", "1":
			return true, lenient
		case "false", "f", "no", "n", "off", "0":
			return false, lenient
		}
	}
	return false, false
}

// literalBool reports whether v is the given boolean, or with lenient types a
// number equal to it.
func literalBool(v *yamlpos.Value, want, lenient bool) bool {
	if v.Kind == yamlpos.String {
		return false
	}
	b, ok := asBool(v, lenient)
	return ok && b == want
}

// truthy is the reference's language's notion of a true value; it selects the
// schema by "multinode".
func truthy(v *yamlpos.Value) bool {
	switch {
	case v == nil:
		return false
	case v.Kind == yamlpos.Bool || v.Kind == yamlpos.Int:
		return v.Int != 0
	case v.Kind == yamlpos.Float:
		return v.Float != 0
	case v.Kind == yamlpos.Null:
		return false
	case v.Kind == yamlpos.Sequence:
		return len(v.Items) > 0
	case v.Kind == yamlpos.Mapping:
		return len(v.Fields) > 0
	}
	return v.Text != ""
}

// asDecimal returns the shortest decimal text of a number.
func asDecimal(v *yamlpos.Value, lenient bool) (text string, number float64, ok bool) {
	switch {
	case v.Kind == yamlpos.Float:
		return shortest(v.Float), v.Float, true
	case v.Kind == yamlpos.Int:
		return strconv.FormatInt(v.Int, 10), float64(v.Int), true
	case v.Kind == yamlpos.Bool && lenient:
		return strconv.FormatInt(v.Int, 10), float64(v.Int), true
	case v.Kind == yamlpos.String && lenient:
		text := strings.TrimSpace(v.Text)
		f, err := strconv.ParseFloat(text, 64)
		return shortest(f), f, err == nil
	}
	return "", 0, false
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// display is the text that a scalar gives inside a name, as the reference's
// language formats it.
func display(v *yamlpos.Value) string {
	switch v.Kind {
	case yamlpos.Int:
		return strconv.FormatInt(v.Int, 10)
	case yamlpos.Bool:
		if v.Int == 1 {
			return "True"
		}
		return "False"
	case yamlpos.Float:
		return displayFloat(v.Float)
	}
	return v.Text
}

// displayFloat is the shortest round-trip form, with ".0" for whole numbers.
func displayFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e16 {
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	return strings.Replace(text, "e+0", "e+", 1)
}

// isNumber reports whether v equals the number n.
func isNumber(v *yamlpos.Value, n int64) bool {
	switch v.Kind {
	case yamlpos.Int, yamlpos.Bool:
		return v.Int == n
	case yamlpos.Float:
		return v.Float == float64(n)
	}
	return false
}

var (
	zero  = yamlpos.NewInt(0)
	one   = yamlpos.NewInt(1)
	falsy = yamlpos.NewBool(false)
)

// orElse returns v, or fallback when v is nil.
func orElse(v, fallback *yamlpos.Value) *yamlpos.Value {
	if v == nil {
		return fallback
	}
	return v
}
