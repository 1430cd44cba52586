package reuse

import (
	"strings"
	"unicode"
)

// blank reports what the grammar calls a blank: all Unicode white space and the
// four information separators. U+200B and U+FEFF are none (spec/reuse.md
// section 1).
func blank(r rune) bool { return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f' }

// inner is a blank that may stand between a command and its number.
func inner(r rune) bool { return blank(r) && r != '\n' && r != '\r' }

// scriptBlank is a blank of the staging command, whose parser is of another
// language: U+FEFF counts, the information separators and U+0085 do not.
func scriptBlank(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) && r != '\u0085' }

// digits returns text in ASCII digits when it consists of decimal digits of any
// script, and of nothing else.
func digits(text string) (string, bool) {
	if text == "" {
		return "", false
	}
	var b strings.Builder
	for _, r := range text {
		d, ok := digit(r)
		if !ok {
			return "", false
		}
		b.WriteByte('0' + d)
	}
	return b.String(), true
}

// digit returns the value of a decimal digit. Unicode assigns them in runs of
// ten from zero up, so that the distance to the start of a range of the table
// tells the value.
func digit(r rune) (byte, bool) {
	if '0' <= r && r <= '9' {
		return byte(r - '0'), true
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, span := range unicode.Nd.R16 {
		if rune(span.Lo) <= r && r <= rune(span.Hi) {
			return byte((r - rune(span.Lo)) % 10), true
		}
	}
	for _, span := range unicode.Nd.R32 {
		if rune(span.Lo) <= r && r <= rune(span.Hi) {
			return byte((r - rune(span.Lo)) % 10), true
		}
	}
	return 0, false
}

// plain drops leading zeros: two spellings of one number are one run.
func plain(number string) string {
	if number = strings.TrimLeft(number, "0"); number == "" {
		return "0"
	}
	return number
}
