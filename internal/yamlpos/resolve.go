package yamlpos

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// resolvePlain gives a plain scalar its kind by the forms of spec/matrix.md
// section 5. It returns false for the few forms that have no value there:
// "=" and "<<" in value position, numbers without a digit, and integers
// beyond 64 bits.
func resolvePlain(v *Value) bool {
	text := v.Text
	v.Kind = String
	if text == "" {
		v.Kind = Null
		return true
	}
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '-', c == '+', c == '.':
		return resolveNumber(v)
	case c == '=' || c == '<':
		return text != "=" && text != "<<"
	}
	resolveWord(v)
	return true
}

// resolveWord recognises the words for null and the booleans.
func resolveWord(v *Value) {
	switch v.Text {
	case "~", "null", "Null", "NULL":
		v.Kind = Null
	case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON":
		v.Kind, v.Int = Bool, 1
	case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF":
		v.Kind = Bool
	}
}

// resolveNumber recognises integers, floats and dates; everything else that
// begins like a number is a string.
func resolveNumber(v *Value) bool {
	digits, negative := cutSign(v.Text)
	if isInt, ok := parseInt(v, digits, negative); isInt {
		return ok
	}
	if parseFloat(v, digits, negative) {
		return true
	}
	if len(v.Text) >= 8 && v.Text[4] == '-' && timestampForm().MatchString(v.Text) {
		v.Kind = Timestamp
	}
	return true
}

func cutSign(text string) (digits string, negative bool) {
	switch text[0] {
	case '-':
		return text[1:], true
	case '+':
		return text[1:], false
	}
	return text, false
}

// parseInt reports whether digits has one of the integer forms: decimal,
// 0b binary, 0 octal, 0x hexadecimal, base 60 with colons; "_" may stand
// between digits. ok is false when the form has no 64-bit value.
func parseInt(v *Value, digits string, negative bool) (isInt, ok bool) {
	number, base := digits, 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		number, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		number, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		number, base = digits[1:], 8
	case strings.IndexByte(digits, ':') > 0 && digits[0] != '0':
		return parseSexagesimal(v, digits, negative)
	}
	if number == "" || !onlyDigits(number, base) || (base == 10 && digits[0] == '_') {
		return false, false
	}
	plain := strings.ReplaceAll(number, "_", "")
	if plain == "" {
		if base == 8 { // "0_" is zero
			v.Kind, v.Int = Int, 0
			return true, true
		}
		return true, false
	}
	if negative {
		plain = "-" + plain
	}
	n, err := strconv.ParseInt(plain, base, 64)
	if err != nil {
		return true, false
	}
	v.Kind, v.Int = Int, n
	return true, true
}

func onlyDigits(text string, base int) bool {
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '_', c == '0', c == '1':
		case c >= '2' && c <= '7':
			if base == 2 {
				return false
			}
		case c == '8' || c == '9':
			if base < 10 {
				return false
			}
		case c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			if base != 16 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// parseSexagesimal reads digits of base 60 such as 1:30 (90).
func parseSexagesimal(v *Value, digits string, negative bool) (isInt, ok bool) {
	parts := strings.Split(digits, ":")
	if !onlyDigits(parts[0], 10) {
		return false, false
	}
	total, err := strconv.ParseInt(strings.ReplaceAll(parts[0], "_", ""), 10, 64)
	for _, part := range parts[1:] {
		if !sexagesimalDigit(part) {
			return false, false
		}
		d, _ := strconv.ParseInt(part, 10, 64)
		if total > (math.MaxInt64-59)/60 {
			return true, false
		}
		total = total*60 + d
	}
	if err != nil {
		return true, false
	}
	if negative {
		total = -total
	}
	v.Kind, v.Int = Int, total
	return true, true
}

func sexagesimalDigit(part string) bool {
	switch len(part) {
	case 1:
		return part[0] >= '0' && part[0] <= '9'
	case 2:
		return part[0] >= '0' && part[0] <= '5' && part[1] >= '0' && part[1] <= '9'
	}
	return false
}

// floatForm is the float grammar after an optional sign. A leading point
// takes no sign.
var floatForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$`)
})

var sexagesimalFloatForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$`)
})

var timestampForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)` +
		`[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)
})

func parseFloat(v *Value, digits string, negative bool) bool {
	signed := len(digits) < len(v.Text)
	switch digits {
	case ".inf", ".Inf", ".INF":
		v.Kind, v.Float = Float, math.Inf(1)
		if negative {
			v.Float = math.Inf(-1)
		}
		return true
	case ".nan", ".NaN", ".NAN":
		if signed {
			return false
		}
		v.Kind, v.Float = Float, math.NaN()
		return true
	}
	if !strings.Contains(digits, ".") || (signed && strings.HasPrefix(digits, ".")) {
		return false
	}
	switch {
	case floatForm().MatchString(digits):
		// ParseFloat returns ±Inf with a range error, the value that the
		// reference computes too.
		v.Float, _ = strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64)
	case sexagesimalFloatForm().MatchString(digits):
		for _, part := range strings.Split(strings.ReplaceAll(digits, "_", ""), ":") {
			f, _ := strconv.ParseFloat(part, 64)
			v.Float = v.Float*60 + f
		}
	default:
		return false
	}
	v.Kind = Float
	if negative {
		v.Float = -v.Float
	}
	return true
}
