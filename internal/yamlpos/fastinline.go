package yamlpos

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// inline reads a value that ends on the current line.
func (r *fastReader) inline(depth int, flow bool) *Value {
	switch r.peek() {
	case 0:
		return nil
	case '[':
		return r.flowSequence(depth)
	case '{':
		return r.flowMapping(depth)
	}
	return r.scalar(flow)
}

func (r *fastReader) flowSequence(depth int) *Value {
	if depth >= maxDepth {
		return nil
	}
	v := r.newValue(r.pos(r.at), Sequence, "")
	base := len(r.openItems)
	for r.at++; r.peek() != ']'; {
		item := r.inline(depth+1, true)
		if item == nil || !r.comma(']') {
			return nil
		}
		r.openItems = append(r.openItems, item)
	}
	r.at++
	v.Items = r.closeItems(base)
	return v
}

func (r *fastReader) flowMapping(depth int) *Value {
	if depth >= maxDepth {
		return nil
	}
	v := r.newValue(r.pos(r.at), Mapping, "")
	base := len(r.openFields)
	var seen keySet
	for r.at++; r.peek() != '}'; {
		from := r.at
		key := r.scalar(true)
		if key == nil || !r.colon(from) {
			return nil
		}
		value := r.inline(depth+1, true)
		if value == nil || !r.comma('}') || !r.addField(base, &seen, key, value) {
			return nil
		}
	}
	r.at++
	v.Fields = r.closeFields(base)
	return v
}

// comma consumes the comma after an entry, which may be missing only before
// the end of the collection.
func (r *fastReader) comma(end byte) bool {
	switch r.peek() {
	case ',':
		r.at++
		return true
	case end:
		return true
	}
	return false
}

// scalar reads a scalar and, when it is plain, the spaces after it.
func (r *fastReader) scalar(flow bool) *Value {
	rest := r.src[r.at:r.end]
	if rest == "" {
		return nil
	}
	if rest[0] == '"' || rest[0] == '\'' {
		return r.quoted(rest)
	}
	if !plainStart(rest) || r.at == r.start && documentMarker(rest) {
		return nil
	}
	n := plainLength(rest, flow)
	v := r.newValue(r.pos(r.at), String, strings.TrimRight(rest[:n], " "))
	if !resolvePlain(v) {
		return nil
	}
	r.at += n
	return v
}

func (r *fastReader) quoted(rest string) *Value {
	content := doubleQuoted
	if rest[0] == '\'' {
		content = singleQuoted
	}
	text, n := content(rest[1:])
	if n < 0 {
		return nil
	}
	v := r.newValue(r.pos(r.at), String, text)
	r.at += 1 + n
	return v
}

// documentMarker is true for some plain scalars too.
func documentMarker(line string) bool {
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
}

// plainStart reports whether text begins with a character that can begin a
// plain scalar. It leaves out "?" and ":", which sometimes can.
func plainStart(text string) bool {
	switch text[0] {
	case '-':
		return len(text) > 1 && text[1] != ' '
	case ' ', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	}
	return true
}

// plainLength is the length of a plain scalar with the spaces after it.
func plainLength(text string, flow bool) int {
	for i := range len(text) {
		switch text[i] {
		case ':':
			if i+1 == len(text) || text[i+1] == ' ' {
				return i
			}
		case '#':
			if text[i-1] == ' ' {
				return i
			}
		case ',', '?', '[', ']', '{', '}':
			if flow {
				return i
			}
		}
	}
	return len(text)
}

// singleQuoted returns the content of a quoted scalar and the length of its
// source with the closing quote, or -1 when that is not on this line.
func singleQuoted(body string) (text string, n int) {
	for n < len(body) {
		i := strings.IndexByte(body[n:], '\'')
		if i < 0 {
			break
		}
		if n += i + 1; n == len(body) || body[n] != '\'' {
			return strings.ReplaceAll(body[:n-1], "''", "'"), n
		}
		n++
	}
	return "", -1
}

// doubleQuoted is singleQuoted for the other quote. Of the escapes it knows
// those for the quote, the backslash and the line feed.
func doubleQuoted(body string) (text string, n int) {
	n = strings.IndexByte(body, '"')
	if n < 0 {
		return "", -1
	}
	if strings.IndexByte(body[:n], '\\') < 0 {
		return body[:n], n + 1
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '"':
			return b.String(), i + 1
		case c == '\\':
			if i++; i == len(body) {
				return "", -1
			}
			if c = body[i]; c == 'n' {
				c = '\n'
			} else if c != '"' && c != '\\' {
				return "", -1
			}
		}
		b.WriteByte(c)
	}
	return "", -1
}

// plainCharacters reports whether text holds only characters without a role
// in its layout, besides space and line feed, and whether any is beyond ASCII.
// It accepts less than checkCharacters: no TAB, no CR, no other line break, no
// byte order mark.
func plainCharacters(data []byte) (wide, ok bool) {
	for i := 0; i < len(data); {
		if i+8 <= len(data) {
			if word := binary.LittleEndian.Uint64(data[i:]); word&highBits == 0 {
				if hasControl(word) {
					return wide, false
				}
				i += 8
				continue
			}
		}
		c := data[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' || c == 0x7f {
				return wide, false
			}
			i++
			continue
		}
		wide = true
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xa0:
			return wide, false
		case r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			return wide, false
		}
		i += size
	}
	return wide, true
}

const (
	everyByte = 0x0101010101010101
	highBits  = everyByte << 7
)

// hasControl reports whether one of eight ASCII characters is a control
// character other than the line feed.
func hasControl(word uint64) bool {
	control := zeroBytes(word & (everyByte * 0xe0))
	return control&^zeroBytes(word^everyByte*'\n')|zeroBytes(word^everyByte*0x7f) != 0
}

// zeroBytes sets the high bit of every byte that is zero; no byte may have its
// high bit set.
func zeroBytes(word uint64) uint64 { return ^(word + everyByte*0x7f) & highBits }
