package diag

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns text as it may be shown on a terminal or in a workflow
// log: on one line, and without anything that either would obey. Control and
// format characters (escape sequences, reordering marks) and bytes that are no
// UTF-8 are written as escapes, and so are the beginnings of workflow commands
// (spec/security.md, workflow-command injection).
func Printable(text string) string {
	if plainASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		writePrintable(&b, text[i:], r, size, strings.TrimSpace(text[:i]) == "")
		i += size
	}
	return b.String()
}

// plainASCII reports whether text needs no escape, as nearly all texts do.
func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c >= 0x7f || (c == ':' || c == '#') && i+1 < len(text) && text[i+1] == c {
			return false
		}
	}
	return true
}

// writePrintable writes the first rune of rest; first says that only blanks
// stand before it.
func writePrintable(b *strings.Builder, rest string, r rune, size int, first bool) {
	switch {
	case r == utf8.RuneError && size <= 1:
		writeHex(b, `\x`, rune(rest[0]), 2)
	case first && strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "##["):
		writeHex(b, `\x`, r, 2)
	case !Obeyed(r):
		b.WriteRune(r)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r < 0x100:
		writeHex(b, `\x`, r, 2)
	case r < 0x10000:
		writeHex(b, `\u`, r, 4)
	default:
		writeHex(b, `\U`, r, 8)
	}
}

// Obeyed reports whether a terminal acts on r instead of showing it: control
// and format characters, line and paragraph separators.
func Obeyed(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r > 0xff && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

func writeHex(b *strings.Builder, prefix string, r rune, digits int) {
	hex := strconv.FormatInt(int64(r), 16)
	b.WriteString(prefix)
	b.WriteString(strings.Repeat("0", digits-len(hex)))
	b.WriteString(hex)
}

// PrintableJSON returns an encoded JSON document in which nothing is left that
// a terminal or a workflow log obeys. The document means the same as before.
func PrintableJSON(doc []byte) []byte {
	if !obeyedIn(doc) {
		return doc
	}
	var b strings.Builder
	b.Grow(len(doc) + 64)
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteString(`\ufffd`)
		case r == '[' && bytes.HasSuffix(doc[:i], []byte("##")):
			writeHex(&b, `\u`, r, 4)
		case r == '\n' || !Obeyed(r):
			b.WriteRune(r)
		case r < 0x10000:
			writeHex(&b, `\u`, r, 4)
		default:
			high, low := utf16.EncodeRune(r)
			writeHex(&b, `\u`, high, 4)
			writeHex(&b, `\u`, low, 4)
		}
		i += size
	}
	return []byte(b.String())
}

// obeyedIn reports whether PrintableJSON has anything to replace. Line ends
// between the members of a document stay, and "##[" can only stand in a string.
func obeyedIn(doc []byte) bool {
	for i := 0; i < len(doc); {
		r, size := utf8.DecodeRune(doc[i:])
		if r != '\n' && Obeyed(r) || r == utf8.RuneError && size <= 1 {
			return true
		}
		i += size
	}
	return bytes.Contains(doc, []byte("##["))
}
