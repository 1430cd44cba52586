package yamlpos

import (
	"bytes"
	"runtime"
	"sync"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// batchBytes is the amount of text that one worker parses at a time: large
// enough to amortise a parser, small enough to bound memory and to share the
// work of a 300 KB file among a few cores.
const batchBytes = 16 << 10

// MapFields reads a document whose root is a mapping and returns
// decode(field) for every field in source order. It equals Parse followed by
// a loop, but large files are parsed and decoded in parallel, and no more than
// a few batches of values exist at any time. decode must be pure.
//
// The text is cut at lines that can only begin a top-level key, and each part
// is parsed by itself. If any part does not parse, or holds another number of
// keys than it was cut for, or repeats a key or an anchor of another part, the
// result is thrown away and the whole document is parsed in one piece, whose
// outcome counts. A part that ends inside a quoted scalar or a flow collection
// never parses, and a block scalar always ends before such a line, so parts
// that all parse mean the same as the whole.
//
// Errors are findings of category "yaml-invalid" or "duplicate-key"; a root of
// another kind is category "config-root".
func MapFields[T any](file string, data []byte, opt Options, decode func(Field) T) ([]T, error) {
	return mapFields(file, data, opt, decode, batchBytes)
}

func mapFields[T any](file string, data []byte, opt Options, decode func(Field) T, batch int) ([]T, error) {
	if parts := split(data, batch); parts != nil {
		if out, ok := mapParts(file, parts, opt, decode); ok {
			return out, nil
		}
	}
	root, err := Parse(file, data, opt)
	if err != nil {
		return nil, err
	}
	if root.Kind != Mapping {
		return nil, diag.New("yaml.root-not-mapping", root.Place(file), "kind", root.Kind.String()).In("config-root")
	}
	out := make([]T, len(root.Fields))
	for i, f := range root.Fields {
		out[i] = decode(f)
	}
	return out, nil
}

// part is a run of complete top-level fields.
type part struct {
	text []byte
	line int // of the first line of text
	keys int
}

// split cuts text into parts of at least batch bytes, or returns nil when a line
// at the margin is anything but a plain key, a list dash, a comment or blank.
func split(data []byte, batch int) []part {
	// Other line breaks than LF would make line numbers disagree.
	for _, lineBreak := range []string{"\r", "\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(data, []byte(lineBreak)) {
			return nil
		}
	}
	var parts []part
	current := part{line: 1}
	start, line := 0, 0
	for at := 0; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line++
		switch margin(data[at:end]) {
		case marginKey:
			if at-start >= batch {
				current.text = data[start:at]
				parts = append(parts, current)
				start, current = at, part{line: line}
			}
			current.keys++
		case marginDash:
			if current.keys == 0 {
				return nil
			}
		case marginOther:
			return nil
		}
		at = end
	}
	if current.keys == 0 {
		return nil
	}
	current.text = data[start:]
	return append(parts, current)
}

type marginKind uint8

const (
	marginInside marginKind = iota // indented, blank or a comment
	marginKey
	marginDash
	marginOther
)

// margin classifies a line by what stands in its first column.
func margin(line []byte) marginKind {
	switch c := line[0]; {
	case c == ' ' || c == '\n' || c == '#':
		return marginInside
	case c == '-' && len(line) > 1 && (line[1] == ' ' || line[1] == '\n'):
		return marginDash
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
	default:
		return marginOther
	}
	colon := bytes.IndexByte(line, ':')
	if colon < 0 || colon+1 < len(line) && line[colon+1] != ' ' && line[colon+1] != '\n' {
		return marginOther
	}
	return marginKey
}

type partResult[T any] struct {
	values  []T
	keys    []string
	anchors []string
	ok      bool
}

func mapParts[T any](file string, parts []part, opt Options, decode func(Field) T) ([]T, bool) {
	results := make([]partResult[T], len(parts))
	var next, wait = make(chan int), sync.WaitGroup{}
	for range min(len(parts), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				results[i] = mapPart(file, parts[i], opt, decode)
			}
		})
	}
	for i := range parts {
		next <- i
	}
	close(next)
	wait.Wait()
	return joinParts(results)
}

func mapPart[T any](file string, p part, opt Options, decode func(Field) T) partResult[T] {
	opt.FirstLine = max(opt.FirstLine, 1) + p.line - 1
	root, anchors, err := parse(file, p.text, opt)
	if err != nil || root.Kind != Mapping || len(root.Fields) != p.keys {
		return partResult[T]{}
	}
	r := partResult[T]{values: make([]T, p.keys), keys: make([]string, p.keys), anchors: anchors, ok: true}
	for i, f := range root.Fields {
		r.keys[i] = keyID(f.Key)
		r.values[i] = decode(f)
	}
	return r
}

// joinParts concatenates results unless a key or an anchor stands in two.
func joinParts[T any](results []partResult[T]) ([]T, bool) {
	total := 0
	for _, r := range results {
		if !r.ok {
			return nil, false
		}
		total += len(r.values)
	}
	out := make([]T, 0, total)
	keys, anchors := make(map[string]bool, total), make(map[string]bool)
	for _, r := range results {
		for _, key := range r.keys {
			if keys[key] {
				return nil, false
			}
			keys[key] = true
		}
		for _, anchor := range r.anchors {
			if anchors[anchor] {
				return nil, false
			}
			anchors[anchor] = true
		}
		out = append(out, r.values...)
	}
	return out, true
}
