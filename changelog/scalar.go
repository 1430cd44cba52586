package changelog

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// boolean reads a flag. Leniently it accepts what the reference's validator
// accepts: 0 and 1 as any number, and words (spec/matrix.md section 5).
func boolean(v *yamlpos.Value, lenient bool) (value, ok bool) {
	switch {
	case v.Kind == yamlpos.Bool:
		return v.Int == 1, true
	case !lenient:
		return false, false
	case v.Kind == yamlpos.Int:
		return v.Int == 1, v.Int == 0 || v.Int == 1
	case v.Kind == yamlpos.Float:
		return v.Float == 1, v.Float == 0 || v.Float == 1
	case v.Kind == yamlpos.String:
		return booleanWord(v.Text)
	}
	return false, false
}

func booleanWord(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "on", "1":
		return true, true
	case "false", "f", "no", "n", "off", "0":
		return false, true
	}
	return false, false
}

// integer reads a count. Leniently it accepts booleans, floats without a
// fraction, and text in integer form.
func integer(v *yamlpos.Value, lenient bool) (n int, ok bool) {
	switch {
	case v.Kind == yamlpos.Int:
		return int(v.Int), true
	case !lenient:
		return 0, false
	case v.Kind == yamlpos.Bool:
		return int(v.Int), true
	case v.Kind == yamlpos.Float:
		whole := v.Float == math.Trunc(v.Float) && math.Abs(v.Float) < 1<<53
		return int(v.Float), whole
	case v.Kind == yamlpos.String:
		return integerText(v.Text)
	}
	return 0, false
}

// integerText accepts an optional sign, blanks around, "_" between digits and
// a zero fraction.
func integerText(text string) (n int, ok bool) {
	text = strings.TrimSpace(text)
	if whole, fraction, found := strings.Cut(text, "."); found {
		if fraction == "" || strings.Trim(fraction, "0") != "" {
			return 0, false
		}
		text = whole
	}
	sign, digits := "", text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, digits = text[:1], text[1:]
	}
	if strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") || strings.Contains(digits, "__") {
		return 0, false
	}
	digits = strings.ReplaceAll(digits, "_", "")
	if !onlyDigits(digits) {
		return 0, false
	}
	n, err := strconv.Atoi(sign + digits)
	return n, err == nil
}
