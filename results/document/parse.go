package document

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Options says how a document is read. The zero value is strict, with default
// limits.
type Options struct {
	// NonFinite accepts the literals NaN, Infinity and -Infinity, and numbers
	// that overflow to them, as the reference's reader does.
	NonFinite bool
	// LastWins keeps the last of repeated names at the first one's place.
	LastWins bool
	// Depth and Values bound the nesting and the number of values; 0 means 64
	// levels and 500,000 values.
	Depth, Values int
}

const (
	defaultDepth  = 64
	defaultValues = 500_000
	// maxDigits bounds number literals: the longest that a double or a 64-bit
	// counter needs is far shorter.
	maxDigits = 400
)

// Parse reads one JSON document. Names keep their order, numbers their source
// form. The error is an *Error.
func Parse(data []byte, opt Options) (ordjson.Value, error) {
	p := parser{data: data, opt: opt}
	if p.opt.Depth == 0 {
		p.opt.Depth = defaultDepth
	}
	if p.opt.Values == 0 {
		p.opt.Values = defaultValues
	}
	p.blanks()
	v, err := p.value(0)
	if err != nil {
		return ordjson.Value{}, err
	}
	p.blanks()
	if p.at < len(p.data) {
		return ordjson.Value{}, p.fault(FaultSyntax, "more than one document")
	}
	return v, nil
}

type parser struct {
	data   []byte
	at     int
	values int
	opt    Options
}

func (p *parser) fault(f Fault, format string, args ...any) *Error {
	return &Error{Fault: f, Offset: int64(p.at), Detail: fmt.Sprintf(format, args...)}
}

func (p *parser) blanks() {
	for p.at < len(p.data) && isBlank(p.data[p.at]) {
		p.at++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

func (p *parser) value(depth int) (ordjson.Value, error) {
	if p.values++; p.values > p.opt.Values {
		return ordjson.Value{}, p.fault(FaultLarge, "more than %d values", p.opt.Values)
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if depth >= p.opt.Depth {
			return ordjson.Value{}, p.fault(FaultLarge, "nested deeper than %d levels", p.opt.Depth)
		}
		p.at++
		p.blanks()
		if c == '[' {
			return p.array(depth + 1)
		}
		return p.object(depth + 1)
	case c == '"':
		text, err := p.text()
		return ordjson.Str(text), err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return p.word()
}

func (p *parser) array(depth int) (ordjson.Value, error) {
	out := ordjson.List()
	if p.peek() == ']' {
		p.at++
		return out, nil
	}
	for {
		item, err := p.value(depth)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, item)
		more, err := p.next(']')
		if !more {
			return out, err
		}
	}
}

func (p *parser) object(depth int) (ordjson.Value, error) {
	out := ordjson.Map()
	if p.peek() == '}' {
		p.at++
		return out, nil
	}
	var seen names
	for {
		name, err := p.name()
		if err != nil {
			return out, err
		}
		first := seen.find(out.Members, name)
		if first >= 0 && !p.opt.LastWins {
			return out, p.fault(FaultDuplicate, "the name %q stands twice in one object", shorten(name))
		}
		v, err := p.value(depth)
		if err != nil {
			return out, err
		}
		if first >= 0 {
			out.Members[first].Value = v
		} else {
			seen.add(name, len(out.Members))
			out.Add(name, v)
		}
		more, err := p.next('}')
		if !more {
			return out, err
		}
	}
}

// name reads a member's name and the colon behind it.
func (p *parser) name() (string, error) {
	if p.peek() != '"' {
		return "", p.fault(FaultSyntax, "a name in quotes is missing")
	}
	name, err := p.text()
	if err != nil {
		return "", err
	}
	p.blanks()
	if p.peek() != ':' {
		return "", p.fault(FaultSyntax, "a colon is missing")
	}
	p.at++
	p.blanks()
	return name, nil
}

// next reads the comma or the end of a list and reports whether there is more.
func (p *parser) next(end byte) (bool, error) {
	p.blanks()
	switch p.peek() {
	case ',':
		p.at++
		p.blanks()
		return true, nil
	case end:
		p.at++
		return false, nil
	}
	return false, p.fault(FaultSyntax, "a comma or %q is missing", string(rune(end)))
}

// names finds repeated names; small objects are searched, larger ones get an
// index, so that a hostile object does not cost quadratic time.
type names struct{ index map[string]int }

const smallObject = 16

func (n *names) find(members []ordjson.Member, name string) int {
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range members {
		if members[i].Name == name {
			return i
		}
	}
	if len(members) == smallObject {
		n.index = make(map[string]int, 4*smallObject)
		for i := range members {
			n.index[members[i].Name] = i
		}
	}
	return -1
}

func (n *names) add(name string, at int) {
	if n.index != nil {
		n.index[name] = at
	}
}

func (p *parser) word() (ordjson.Value, error) {
	rest := p.data[p.at:]
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(string(rest[:min(len(rest), 5)]), word) {
			p.at += len(word)
			return ordjson.Value{Text: word}, nil
		}
	}
	for _, word := range []string{"NaN", "Infinity"} {
		if len(rest) >= len(word) && string(rest[:len(word)]) == word {
			return p.nonFinite(word)
		}
	}
	if len(rest) == 0 {
		return ordjson.Value{}, p.fault(FaultSyntax, "the document ends here")
	}
	return ordjson.Value{}, p.fault(FaultSyntax, "no value begins with %q", shorten(firstRune(rest)))
}

func (p *parser) nonFinite(word string) (ordjson.Value, error) {
	if !p.opt.NonFinite {
		return ordjson.Value{}, p.fault(FaultFinite, "%s is not a number of JSON", word)
	}
	p.at += len(word)
	return ordjson.Value{Text: word}, nil
}

func firstRune(data []byte) string {
	r, _ := utf8.DecodeRune(data)
	return string(r)
}

func shorten(text string) string {
	const longest = 60
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
