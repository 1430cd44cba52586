package diag

import (
	"unicode"
	"unicode/utf8"
)

// Columns returns how many columns of a terminal printable text takes: two for
// the wide characters of East Asian scripts, none for combining marks.
func Columns(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && wide(r):
		return 2
	}
	return 1
}

// wide reports whether r is of a block whose characters are wide.
func wide(r rune) bool {
	for _, block := range wideBlocks {
		if r >= block[0] && r <= block[1] {
			return true
		}
	}
	return false
}

// wideBlocks are Hangul, CJK and its punctuation, full-width forms, pictures.
var wideBlocks = [...][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
	{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1faff}, {0x20000, 0x3fffd},
}

// Cut shortens printable text to at most columns columns; an ellipsis shows
// that something is missing.
func Cut(text string, columns int) string {
	if len(text) <= columns || Columns(text) <= columns {
		return text
	}
	used := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if used += runeColumns(r); used > columns-1 {
			return text[:i] + "…"
		}
		i += size
	}
	return text
}
