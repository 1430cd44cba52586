package yamlpos

import (
	"bytes"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// checkCharacters refuses what the reference's reader refuses before it looks
// at any syntax: invalid UTF-8 and control characters, even inside quotes.
func checkCharacters(file string, data []byte) *diag.Finding {
	line, start := 1, 0
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '\n':
				line, start = line+1, i+1
			case c < ' ' && c != '\t' && c != '\r', c == 0x7f:
				return refuse("yaml.control-character", file, line, column(data[start:i]), "code", hex(rune(c)))
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			f := refuse("yaml.not-utf8", file, line, column(data[start:i]))
			f.Category = "not-utf8"
			return f
		case r >= 0x80 && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return refuse("yaml.control-character", file, line, column(data[start:i]), "code", hex(r))
		}
		i += size
	}
	return nil
}

func refuse(code, file string, line, col int, args ...string) *diag.Finding {
	f := diag.New(code, diag.Place{File: file, Line: line, Column: col}, args...).In("yaml-invalid")
	return &f
}

func column(prefix []byte) int { return utf8.RuneCount(prefix) + 1 }

func hex(r rune) string {
	const digits = "0123456789ABCDEF"
	return "U+" + string([]byte{digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

// checkDialect refuses three things that the underlying parser lets pass and
// the reference's reader does not: a TAB outside quoted scalars, block scalar
// content and comments; the escape \' in a double-quoted scalar; a comment
// that touches a block scalar indicator.
func checkDialect(file string, data []byte) *diag.Finding {
	if bytes.IndexByte(data, '\t') < 0 && !bytes.Contains(data, []byte(`\'`)) &&
		!bytes.Contains(data, []byte("|#")) && !bytes.Contains(data, []byte(">#")) {
		return nil
	}
	s := dialectScanner{block: -1}
	line := 0
	for len(data) > 0 {
		text := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			text, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		line++
		if at := s.scan(text); at >= 0 {
			code := "yaml.tab"
			if text[at] != '\t' {
				code = "yaml.dialect"
			}
			return refuse(code, file, line, column(text[:at]), "text", string(text[at]))
		}
	}
	return nil
}

// dialectScanner walks lines and keeps the little state that decides whether
// a TAB is content: an open quote, or the indent below which a block scalar
// ends.
type dialectScanner struct {
	quote byte
	block int
}

// scan returns the offset of the first refused character of a line, or -1.
func (s *dialectScanner) scan(line []byte) int {
	i := 0
	if s.quote == 0 && s.block >= 0 {
		indent := leadingBlanks(line)
		if indent == len(bytes.TrimRight(line, " \r")) || indent > s.block {
			return -1
		}
		s.block = -1
	}
	tokenStart := true
	for i < len(line) {
		c := line[i]
		switch {
		case s.quote != 0:
			n, refused := s.skipQuoted(line[i:])
			if refused {
				return i + n
			}
			i += n
			tokenStart = false
			continue
		case c == '\t':
			return i
		case c == ' ' || c == '\r':
		case c == '#' && (i == 0 || line[i-1] == ' '):
			return -1
		case tokenStart && (c == '"' || c == '\''):
			s.quote = c
		case tokenStart && (c == '|' || c == '>'):
			s.block = blockParent(line[:i])
			return badBlockHeader(line, i)
		case tokenStart && (c == '!' || c == '&'):
			i += wordLength(line[i:])
			continue
		default:
			tokenStart = startsToken(line, i)
		}
		i++
	}
	return -1
}

// skipQuoted consumes bytes of an open quoted scalar and returns how many, or
// the offset of an escape that the reference's reader does not know.
func (s *dialectScanner) skipQuoted(rest []byte) (n int, refused bool) {
	for i := 0; i < len(rest); i++ {
		switch {
		case s.quote == '"' && rest[i] == '\\':
			if i++; i < len(rest) && rest[i] == '\'' {
				return i, true
			}
		case rest[i] == s.quote && s.quote == '\'' && i+1 < len(rest) && rest[i+1] == '\'':
			i++
		case rest[i] == s.quote:
			s.quote = 0
			return i + 1, false
		}
	}
	return len(rest), false
}

// startsToken reports whether a new token may begin after the indicator at i.
func startsToken(line []byte, i int) bool {
	switch line[i] {
	case '[', '{', ',', ']', '}':
		return true
	case '-', '?', ':':
		return i+1 >= len(line) || line[i+1] == ' ' || line[i+1] == '\t'
	}
	return false
}

func leadingBlanks(line []byte) int {
	n := 0
	for n < len(line) && line[n] == ' ' {
		n++
	}
	return n
}

// blockParent is the indent of the collection that holds a block scalar: the
// column of the last entry that begins on its line.
func blockParent(before []byte) int {
	n := leadingBlanks(before)
	for n+1 < len(before) && before[n] == '-' && before[n+1] == ' ' {
		if rest := bytes.TrimLeft(before[n+1:], " "); len(rest) == 0 {
			break
		}
		n += 1 + leadingBlanks(before[n+1:])
	}
	return n
}

// badBlockHeader finds a TAB before the comment of a block scalar header, or a
// comment that is not separated from it.
func badBlockHeader(line []byte, from int) int {
	end := len(line)
	if c := bytes.IndexByte(line[from:], '#'); c >= 0 {
		end = from + c
		if b := line[end-1]; b != ' ' && b != '\t' {
			return end
		}
	}
	if t := bytes.IndexByte(line[from:end], '\t'); t >= 0 {
		return from + t
	}
	return -1
}

func wordLength(rest []byte) int {
	if n := bytes.IndexAny(rest, " \t\r"); n >= 0 {
		return n
	}
	return len(rest)
}
