package shell

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// jqOptions are the options of one call.
type jqOptions struct {
	null, raw, compact, join, status bool
	vars                             map[string]ordjson.Value
	filter                           string
	files                            []string
}

func readJq(args []string) (jqOptions, bool) {
	o := jqOptions{vars: map[string]ordjson.Value{}}
	seen := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case (a == "--arg" || a == "--argjson") && i+2 < len(args):
			v := ordjson.Str(args[i+2])
			if a == "--argjson" {
				var err error
				if v, err = ordjson.Parse([]byte(args[i+2])); err != nil {
					return o, false
				}
			}
			o.vars[args[i+1]] = v
			i += 2
		case a == "--raw-output" || a == "--compact-output" || a == "--null-input":
			o.letters(a[2:3])
		case len(a) > 1 && a[0] == '-' && a[1] != '-' && !seen || len(a) == 2 && a[0] == '-':
			if !o.letters(a[1:]) {
				return o, false
			}
		case strings.HasPrefix(a, "--"):
			return o, false
		case !seen:
			o.filter, seen = a, true
		default:
			o.files = append(o.files, a)
		}
	}
	return o, seen
}

func (o *jqOptions) letters(s string) bool {
	for _, c := range s {
		switch c {
		case 'n':
			o.null = true
		case 'r':
			o.raw = true
		case 'c':
			o.compact = true
		case 'j':
			o.raw, o.join = true, true
		case 'e':
			o.status = true
		case 'M', 'a':
		default:
			return false
		}
	}
	return true
}

// modelJq runs paths, literals, objects, arrays, variables, pipes, //, + and
// a few functions; any other filter gives an unknown.
func modelJq(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return Result{Stdout: c.m.derived("jq", c.Argv...)}
	}
	o, ok := readJq(args)
	if !ok {
		return unsupported(c, "options")
	}
	p := jqParser{s: o.filter, step: c.Step}
	filter := p.pipe()
	if p.skip(); p.failed || p.s != "" {
		return unsupported(c, "filter")
	}
	input := ordjson.Null()
	if !o.null {
		in, ok := c.input(o.files).Known()
		if !ok {
			return Result{Stdout: c.m.derived("jq", c.input(o.files))}
		}
		c.Step(1 + len(in)/4)
		v, err := ordjson.Parse([]byte(in))
		if err != nil {
			return unsupported(c, "input")
		}
		input = v
	}
	r := jqRun{vars: o.vars, step: c.Step}
	out := r.eval(filter, input)
	if r.failed {
		return unsupported(c, "filter")
	}
	return o.print(c, out)
}

func (o *jqOptions) print(c *Call, out []ordjson.Value) Result {
	var b strings.Builder
	for _, v := range out {
		switch {
		case o.raw && v.Kind == ordjson.String:
			b.WriteString(v.Text)
		case o.compact:
			b.WriteString(v.String())
		default:
			indentJSON(&b, v, "")
		}
		if !o.join {
			b.WriteByte('\n')
		}
		if !c.Fits(b.Len()) {
			return Result{Stdout: c.m.limited("value bytes")}
		}
	}
	r := Result{Stdout: c.Text(b.String()), StatusKnown: true}
	if o.status && (len(out) == 0 || !jqTruthy(out[len(out)-1])) {
		r.Status = 1
	}
	return r
}

// indentJSON writes a value the way jq prints it.
func indentJSON(b *strings.Builder, v ordjson.Value, indent string) {
	inner := indent + "  "
	switch {
	case v.Kind == ordjson.Object && len(v.Members) > 0:
		b.WriteString("{\n")
		for i, m := range v.Members {
			b.WriteString(inner + ordjson.Str(m.Name).String() + ": ")
			indentJSON(b, m.Value, inner)
			b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i+1 < len(v.Members)])
		}
		b.WriteString(indent + "}")
	case v.Kind == ordjson.Array && len(v.Items) > 0:
		b.WriteString("[\n")
		for i, item := range v.Items {
			b.WriteString(inner)
			indentJSON(b, item, inner)
			b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i+1 < len(v.Items)])
		}
		b.WriteString(indent + "]")
	default:
		b.WriteString(v.String())
	}
}

func jqTruthy(v ordjson.Value) bool {
	return v.Kind != ordjson.Literal || v.Text != "null" && v.Text != "false"
}

// jqNode is one part of a filter.
type jqNode struct {
	op   string // ".", "lit", "var", "field", "index", "each", "|", "//", "+", "[]", "{}", "call"
	text string
	lit  ordjson.Value
	args []*jqNode
	keys []*jqNode
}

// jqParser reads a filter by recursive descent.
type jqParser struct {
	s      string
	depth  int
	failed bool
	step   func(int)
}

func (p *jqParser) skip() { p.s = strings.TrimLeft(p.s, " \t\r\n") }

func (p *jqParser) eat(op string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.s, op)
	if ok {
		p.s = rest
	}
	return ok
}

func (p *jqParser) fail() *jqNode {
	p.failed, p.s = true, ""
	return &jqNode{op: "."}
}

func (p *jqParser) pipe() *jqNode {
	p.step(1)
	if p.depth++; p.depth > 50 || p.failed {
		return p.fail()
	}
	defer func() { p.depth-- }()
	x := p.alternative()
	for p.eat("|") {
		x = &jqNode{op: "|", args: []*jqNode{x, p.alternative()}}
	}
	return x
}

func (p *jqParser) alternative() *jqNode {
	x := p.sum()
	for p.eat("//") {
		x = &jqNode{op: "//", args: []*jqNode{x, p.sum()}}
	}
	return x
}

func (p *jqParser) sum() *jqNode {
	x := p.postfix()
	for p.eat("+") {
		x = &jqNode{op: "+", args: []*jqNode{x, p.postfix()}}
	}
	return x
}

func (p *jqParser) postfix() *jqNode {
	p.skip()
	x := p.primary()
	for !p.failed {
		switch {
		case strings.HasPrefix(p.s, "[]"):
			p.s = p.s[2:]
			x = &jqNode{op: "each", args: []*jqNode{x}}
		case strings.HasPrefix(p.s, "["):
			p.s = p.s[1:]
			i := p.pipe()
			if !p.eat("]") {
				return p.fail()
			}
			x = &jqNode{op: "index", args: []*jqNode{x, i}}
		case len(p.s) > 1 && p.s[0] == '.' && (p.s[1] == '"' || nameLength(p.s[1:]) > 0):
			p.s = p.s[1:]
			x = &jqNode{op: "index", args: []*jqNode{x, p.key()}}
		case strings.HasPrefix(p.s, "?"):
			p.s = p.s[1:]
		default:
			return x
		}
	}
	return x
}

func nameLength(s string) int {
	n := 0
	for n < len(s) && validName(s[:n+1]) {
		n++
	}
	return n
}

// key reads a name or a string as a literal.
func (p *jqParser) key() *jqNode {
	if strings.HasPrefix(p.s, `"`) {
		return p.text()
	}
	n := nameLength(p.s)
	if n == 0 {
		return p.fail()
	}
	name := p.s[:n]
	p.s = p.s[n:]
	return &jqNode{op: "lit", lit: ordjson.Str(name)}
}

// text reads a string without interpolation.
func (p *jqParser) text() *jqNode {
	for i := 1; i < len(p.s); i++ {
		switch p.s[i] {
		case '\\':
			if i++; i < len(p.s) && p.s[i] == '(' {
				return p.fail()
			}
		case '"':
			v, err := ordjson.Parse([]byte(p.s[:i+1]))
			if err != nil {
				return p.fail()
			}
			p.s = p.s[i+1:]
			return &jqNode{op: "lit", lit: v}
		}
	}
	return p.fail()
}

func (p *jqParser) primary() *jqNode {
	if p.s == "" {
		return p.fail()
	}
	switch c := p.s[0]; {
	case c == '.':
		p.s = p.s[1:]
		if strings.HasPrefix(p.s, `"`) || nameLength(p.s) > 0 {
			return &jqNode{op: "index", args: []*jqNode{{op: "."}, p.key()}}
		}
		return &jqNode{op: "."}
	case c == '"':
		return p.text()
	case c == '$':
		n := nameLength(p.s[1:])
		name := p.s[1 : 1+n]
		p.s = p.s[1+n:]
		return &jqNode{op: "var", text: name}
	case c == '(':
		p.s = p.s[1:]
		x := p.pipe()
		if !p.eat(")") {
			return p.fail()
		}
		return x
	case c == '[':
		p.s = p.s[1:]
		return p.array()
	case c == '{':
		p.s = p.s[1:]
		return p.object()
	case c >= '0' && c <= '9' || c == '-':
		n := 1
		for n < len(p.s) && (p.s[n] >= '0' && p.s[n] <= '9' || p.s[n] == '.') {
			n++
		}
		v, err := ordjson.Parse([]byte(p.s[:n]))
		p.failed = p.failed || err != nil
		p.s = p.s[n:]
		return &jqNode{op: "lit", lit: v}
	}
	n := nameLength(p.s)
	word := p.s[:n]
	p.s = p.s[n:]
	switch word {
	case "true", "false":
		return &jqNode{op: "lit", lit: ordjson.Bool(word == "true")}
	case "null":
		return &jqNode{op: "lit", lit: ordjson.Null()}
	case "length", "keys", "tonumber", "tostring", "tojson", "fromjson", "ascii_downcase", "ascii_upcase", "not":
		return &jqNode{op: "call", text: word}
	}
	return p.fail()
}

func (p *jqParser) array() *jqNode {
	x := &jqNode{op: "[]"}
	for !p.eat("]") {
		x.args = append(x.args, p.pipe())
		if !p.eat(",") {
			if !p.eat("]") {
				return p.fail()
			}
			break
		}
	}
	return x
}

func (p *jqParser) object() *jqNode {
	x := &jqNode{op: "{}"}
	for !p.eat("}") {
		k, v := p.member()
		x.keys, x.args = append(x.keys, k), append(x.args, v)
		if !p.eat(",") {
			if !p.eat("}") {
				return p.fail()
			}
			break
		}
	}
	return x
}

// member reads "name: value", "(key): value", "$name" or "name".
func (p *jqParser) member() (k, v *jqNode) {
	p.skip()
	switch {
	case strings.HasPrefix(p.s, "$"):
		v = p.primary()
		return &jqNode{op: "lit", lit: ordjson.Str(v.text)}, v
	case strings.HasPrefix(p.s, "("):
		k = p.primary()
	default:
		k = p.key()
	}
	if p.eat(":") {
		return k, p.alternative()
	}
	return k, &jqNode{op: "index", args: []*jqNode{{op: "."}, k}}
}

// itemAt reads an index of an array.
func itemAt(v ordjson.Value, text string) (ordjson.Value, bool) {
	i, err := strconv.Atoi(text)
	if err != nil {
		return ordjson.Null(), false
	}
	if i < 0 {
		i += len(v.Items)
	}
	if i < 0 || i >= len(v.Items) {
		return ordjson.Null(), true
	}
	return v.Items[i], true
}
