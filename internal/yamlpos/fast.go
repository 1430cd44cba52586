package yamlpos

import (
	"strings"
	"unicode/utf8"
)

// readFast reads the plain subset of YAML that configs and changelogs are
// written in: block mappings and sequences, scalars on one line, flow
// collections on one line, comments.
//
// It exists for speed only: the full parser takes more than ten times as long,
// longer than all else that is done with a large config. The full parser stays
// the judge: readFast never reports an error, it returns false for everything that
// it does not know for certain (anchors, tags, block scalars, text over several
// lines, repeated keys, any mistake) and the text is then read again in full.
// Where it returns true, the value equals that of the full parser, positions
// included.
func readFast(data []byte, opt Options) (*Value, bool) {
	wide, ok := plainCharacters(data)
	if !ok || checkDialect("", data) != nil {
		return nil, false
	}
	r := fastReader{src: string(data), wide: wide, line: max(opt.FirstLine, 1) - 1, end: -1}
	r.values.chunk = min(len(data)/bytesPerValue+1, largestChunk)
	r.fields.chunk, r.items.chunk = r.values.chunk, r.values.chunk/2
	r.nextLine()
	if r.indent < 0 {
		return nil, false
	}
	v := r.node(0)
	return v, v != nil && r.indent < 0
}

// Values are allocated in chunks: one for a small text, chunks that the
// allocator still keeps among its small sizes for a large one.
const (
	bytesPerValue = 12
	largestChunk  = 256
)

// longestKey is the number of characters within which the full parser expects
// the colon of a key. Bytes are counted here, which refuses a little more.
const longestKey = 1024

// fastReader walks the lines of a text. Its methods return nil for what is
// outside the subset; the reader is of no use afterwards.
type fastReader struct {
	src  string
	wide bool // src has characters beyond ASCII

	// The current line, which has content, or indent < 0 after the last one.
	line   int
	start  int // offset of its first byte
	end    int // offset of its line feed
	indent int // spaces before its content
	at     int // offset of the next byte to read

	// Characters between start and counted, so that columns of a long line
	// are counted once.
	counted, runes int

	values slab[Value]
	fields slab[Field]
	items  slab[*Value]
	// Entries of the collections that are still open, innermost last.
	openFields []Field
	openItems  []*Value
}

// slab hands out parts of chunks that are allocated at once.
type slab[T any] struct {
	free  []T
	chunk int
}

func (s *slab[T]) take(n int) []T {
	if len(s.free) < n {
		s.free = make([]T, max(n, s.chunk))
	}
	part := s.free[:n:n]
	s.free = s.free[n:]
	return part
}

func (r *fastReader) newValue(pos Pos, kind Kind, text string) *Value {
	v := &r.values.take(1)[0]
	v.Pos, v.Kind, v.Text = pos, kind, text
	return v
}

// nextLine goes to the content of the next line that has any.
func (r *fastReader) nextLine() {
	for r.end+1 < len(r.src) {
		r.line++
		start := r.end + 1
		at := start
		for at < len(r.src) && r.src[at] == ' ' {
			at++
		}
		r.end = len(r.src)
		if n := strings.IndexByte(r.src[at:], '\n'); n >= 0 {
			r.end = at + n
		}
		if at < r.end && r.src[at] != '#' {
			r.start, r.at, r.indent = start, at, at-start
			r.counted, r.runes = start, 0
			return
		}
	}
	r.at, r.indent = r.end, -1
}

// pos is the position of an offset in the current line; offsets asked for
// within a line never decrease.
func (r *fastReader) pos(at int) Pos {
	if !r.wide {
		return Pos{Line: r.line, Column: at - r.start + 1}
	}
	r.runes += utf8.RuneCountInString(r.src[r.counted:at])
	r.counted = at
	return Pos{Line: r.line, Column: r.runes + 1}
}

// peek skips spaces and returns the next byte of the line, or 0 at its end.
func (r *fastReader) peek() byte {
	for ; r.at < r.end; r.at++ {
		if c := r.src[r.at]; c != ' ' {
			return c
		}
	}
	return 0
}

// lineDone reports whether nothing but a comment is left in the line.
func (r *fastReader) lineDone() bool {
	c := r.peek()
	return c == 0 || c == '#' && r.src[r.at-1] == ' '
}

// endLine goes to the next line after a value that ends the current one.
func (r *fastReader) endLine(v *Value) *Value {
	if v == nil || !r.lineDone() {
		return nil
	}
	r.nextLine()
	return v
}

// dash reports whether a sequence entry begins here.
func (r *fastReader) dash() bool {
	return r.src[r.at] == '-' && (r.at+1 == r.end || r.src[r.at+1] == ' ')
}

// colon consumes the colon that makes the scalar read since from a key.
func (r *fastReader) colon(from int) bool {
	if r.peek() != ':' || r.at+1 < r.end && r.src[r.at+1] != ' ' || r.at-from > longestKey {
		return false
	}
	r.at++
	return true
}

// node reads the node that begins here, where a block collection may begin
// too; its indent is the column of its first entry. It ends at the next line.
func (r *fastReader) node(depth int) *Value {
	from := r.at
	switch {
	case r.dash():
		return r.sequence(from-r.start, depth)
	case r.src[from] == '[' || r.src[from] == '{':
		return r.endLine(r.inline(depth, false))
	}
	v := r.scalar(false)
	if v != nil && r.colon(from) {
		return r.mapping(v, from-r.start, depth)
	}
	return r.endLine(v)
}

// sequence reads a block sequence from its first dash on. At its end the
// current line belongs to a collection around it. A line at an indent that
// belongs to none, such as one that continues a plain scalar, ends all of them,
// and readFast finds it left over.
func (r *fastReader) sequence(indent, depth int) *Value {
	if depth >= maxDepth {
		return nil
	}
	v := r.newValue(r.pos(r.at), Sequence, "")
	base := len(r.openItems)
	for r.at++; ; r.at++ {
		item := r.item(indent, depth+1)
		if item == nil {
			return nil
		}
		r.openItems = append(r.openItems, item)
		if r.indent != indent || !r.dash() {
			break
		}
	}
	v.Items = r.closeItems(base)
	return v
}

// item reads what stands after a dash.
func (r *fastReader) item(indent, depth int) *Value {
	after := r.at
	if !r.lineDone() {
		return r.node(depth)
	}
	empty := r.pos(after)
	if r.nextLine(); r.indent > indent {
		return r.node(depth)
	}
	return r.newValue(empty, Null, "")
}

// mapping reads a block mapping after the colon of its first key.
func (r *fastReader) mapping(key *Value, indent, depth int) *Value {
	if depth >= maxDepth {
		return nil
	}
	v := r.newValue(key.Pos, Mapping, "")
	base := len(r.openFields)
	var seen keySet
	for {
		value := r.fieldValue(indent, depth+1)
		if value == nil || !r.addField(base, &seen, key, value) {
			return nil
		}
		if r.indent != indent {
			break
		}
		from := r.at
		if key = r.scalar(false); key == nil || !r.colon(from) {
			return nil
		}
	}
	v.Fields = r.closeFields(base)
	return v
}

// fieldValue reads what stands after the colon of a block mapping's key. A
// sequence below the key need not be indented.
func (r *fastReader) fieldValue(indent, depth int) *Value {
	after := r.at
	if !r.lineDone() {
		return r.endLine(r.inline(depth, false))
	}
	empty := r.pos(after)
	r.nextLine()
	switch {
	case r.indent > indent:
		return r.node(depth)
	case r.indent == indent && r.dash():
		return r.sequence(indent, depth)
	}
	return r.newValue(empty, Null, "")
}

// addField adds a field to the innermost open mapping, which begins at base.
// It refuses a key that is there already.
func (r *fastReader) addField(base int, seen *keySet, key, value *Value) bool {
	fields := r.openFields[base:]
	if len(fields) < fewKeys {
		for i := range fields {
			k := fields[i].Key
			if k.Kind == String && key.Kind == String {
				if k.Text == key.Text {
					return false
				}
			} else if k.Equal(key) {
				return false
			}
		}
	} else if seen.find(fields, key) >= 0 {
		return false
	}
	seen.add(key, len(fields))
	r.openFields = append(r.openFields, Field{key, value})
	return true
}

// closeItems returns the entries from base on and forgets them.
func (r *fastReader) closeItems(base int) []*Value {
	n := len(r.openItems) - base
	if n == 0 {
		return nil
	}
	items := r.items.take(n)
	copy(items, r.openItems[base:])
	r.openItems = r.openItems[:base]
	return items
}

func (r *fastReader) closeFields(base int) []Field {
	n := len(r.openFields) - base
	if n == 0 {
		return []Field{}
	}
	fields := r.fields.take(n)
	copy(fields, r.openFields[base:])
	r.openFields = r.openFields[:base]
	return fields
}
