package changelog

import (
	"fmt"
	"strings"
	"unicode"
)

// shownRunes bounds how much of a line a message quotes.
const shownRunes = 120

// show makes hostile or long text fit for a message: invisible characters are
// named and the length is bounded.
func show(text string) string {
	var b strings.Builder
	count := 0
	for _, r := range text {
		if count == shownRunes {
			b.WriteString("…")
			break
		}
		count++
		switch {
		case r == ' ':
			b.WriteByte(' ')
		case r == '\t':
			b.WriteRune('␉')
		case r == '\r':
			b.WriteRune('␍')
		case r == '\n':
			b.WriteRune('␊')
		case r == unicode.ReplacementChar, !unicode.IsGraphic(r), unicode.IsSpace(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// showLine is show for a whole line: blanks at its end are made visible too
// (known failure F16).
func showLine(line []byte) string {
	text := strings.TrimSuffix(string(line), "\n")
	body := strings.TrimRight(text, " \t\r")
	return show(body) + strings.ReplaceAll(show(text[len(body):]), " ", "␠")
}

// showChange shows two versions of a line. Of long lines with a common
// beginning it shows the part around the first difference.
func showChange(old, new []byte) (string, string) {
	common := commonPrefix(old, new)
	const before, long = 40, 80
	if common <= long || len(old) <= shownRunes && len(new) <= shownRunes {
		return showLine(old), showLine(new)
	}
	cut := common - before
	for cut > 0 && old[cut]&0xc0 == 0x80 { // not inside a character
		cut--
	}
	return "…" + showLine(old[cut:]), "…" + showLine(new[cut:])
}

// isBlank reports whether a line holds white space only, by the reference's
// reading of white space.
func isBlank(line []byte) bool {
	return len(strings.TrimFunc(string(line), isSpace)) == 0
}

func isSpace(r rune) bool {
	return unicode.IsSpace(r) || (r >= 0x1c && r <= 0x1f)
}
