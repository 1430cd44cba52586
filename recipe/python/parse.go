package python

import (
	"strconv"
	"strings"
)

// The nodes of a program. An expression is evaluated by machine.eval, a
// statement by machine.run.
type (
	expr interface{}

	constant  struct{ value any }
	variable  struct{ name string }
	attribute struct {
		of   expr
		name string
	}
	index struct{ of, at expr }
	slice struct{ of, from, to expr }
	call  struct {
		of    expr
		args  []expr
		named map[string]expr
	}
	unary struct {
		op string
		x  expr
	}
	binary struct {
		op   string
		x, y expr
	}
	ternary struct{ test, yes, no expr }
	display struct { // of a list, tuple or set
		items []expr
		tuple bool
	}
	mapping   struct{ keys, values []expr }
	formatted struct{ parts []expr }
	spec      struct {
		x      expr
		format string
		repr   bool
	}
	comprehension struct {
		item     expr
		targets  []string
		in, cond expr
	}

	assign struct {
		targets []expr
		value   expr
		op      string
	}
	branch struct {
		test    expr
		yes, no []any
	}
	loop struct {
		targets []string
		in      expr
		body    []any
	}
	function struct {
		name     string
		params   []string
		defaults map[string]expr
		body     []any
	}
	giveBack struct{ x expr }
	with     struct {
		x    expr
		name string
		body []any
	}
	attempt struct {
		body, handler, after []any
		bound                string
	}
	bare struct{ x expr }
	jump struct{ word string } // break, continue, pass
)

// parser reads tokens.
type parser struct {
	tokens []token
	at     int
	depth  int
}

// failure carries an error out of the recursion.
type failure struct{ err error }

func (p *parser) fail() { panic(failure{errUnsupported}) }

func parse(src string) (body []any, err error) {
	tokens, err := scan(src)
	if err != nil {
		return nil, err
	}
	defer recovered(&err)
	p := &parser{tokens: tokens}
	for p.peek().kind != end {
		body = append(body, p.statement()...)
	}
	return body, nil
}

func recovered(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(failure)
		if !ok {
			panic(r)
		}
		*err = f.err
	}
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != end {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == op || t.kind == name) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail()
	}
}

// deeper bounds the nesting of what is read.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	return func() { p.depth-- }
}

const maxDepth = 60

// block reads what follows a colon.
func (p *parser) block() []any {
	defer p.deeper()()
	p.expect(":")
	if p.peek().kind != newline {
		return p.line()
	}
	p.take()
	if p.take().kind != indent {
		p.fail()
	}
	var out []any
	for p.peek().kind != dedent {
		if p.peek().kind == end {
			p.fail()
		}
		out = append(out, p.statement()...)
	}
	p.take()
	return out
}

func (p *parser) statement() []any {
	switch {
	case p.peek().kind == newline:
		p.take()
		return nil
	case p.accept("if"):
		return []any{p.branch()}
	case p.accept("for"):
		targets := p.names()
		p.expect("in")
		in := p.tuple()
		return []any{loop{targets, in, p.block()}}
	case p.accept("def"):
		return []any{p.function()}
	case p.accept("with"):
		x := p.expression()
		w := with{x: x}
		if p.accept("as") {
			w.name = p.word()
		}
		w.body = p.block()
		return []any{w}
	case p.accept("try"):
		return []any{p.attempt()}
	}
	return p.line()
}

func (p *parser) branch() branch {
	b := branch{test: p.expression()}
	b.yes = p.block()
	switch {
	case p.accept("elif"):
		b.no = []any{p.branch()}
	case p.accept("else"):
		b.no = p.block()
	}
	return b
}

func (p *parser) attempt() attempt {
	a := attempt{body: p.block()}
	for p.accept("except") {
		bound := ""
		if !p.is(":") {
			p.expression()
			if p.accept("as") {
				bound = p.word()
			}
		}
		body := p.block()
		if a.handler == nil {
			a.handler, a.bound = append(body, jump{"pass"}), bound
		}
	}
	if p.accept("finally") {
		a.after = p.block()
	}
	return a
}

func (p *parser) word() string {
	t := p.take()
	if t.kind != name {
		p.fail()
	}
	return t.text
}

func (p *parser) names() []string {
	paren := p.accept("(")
	out := []string{p.word()}
	for p.accept(",") {
		out = append(out, p.word())
	}
	if paren {
		p.expect(")")
	}
	return out
}

func (p *parser) function() function {
	f := function{name: p.word(), defaults: make(map[string]expr)}
	p.expect("(")
	for !p.accept(")") {
		param := p.word()
		f.params = append(f.params, param)
		if p.accept(":") {
			p.expression()
		}
		if p.accept("=") {
			f.defaults[param] = p.expression()
		}
		if !p.is(")") {
			p.expect(",")
		}
	}
	if p.accept("->") {
		p.expression()
	}
	f.body = p.block()
	return f
}

// line reads simple statements up to the end of a line.
func (p *parser) line() []any {
	var out []any
	for {
		out = append(out, p.simple())
		if !p.accept(";") {
			break
		}
		if p.peek().kind == newline {
			break
		}
	}
	if t := p.take(); t.kind != newline && t.kind != end {
		p.fail()
	}
	return out
}

func (p *parser) simple() any {
	switch {
	case p.accept("import"), p.accept("from"):
		for p.peek().kind != newline && p.peek().kind != end && !p.is(";") {
			p.take()
		}
		return jump{"pass"}
	case p.is("pass") || p.is("break") || p.is("continue"):
		return jump{p.take().text}
	case p.accept("return"):
		if p.peek().kind == newline || p.is(";") {
			return giveBack{constant{nil}}
		}
		return giveBack{p.tuple()}
	}
	x := p.tuple()
	for _, o := range []string{"+=", "-=", "*="} {
		if p.accept(o) {
			return assign{[]expr{x}, p.tuple(), o[:1]}
		}
	}
	if !p.accept("=") {
		return bare{x}
	}
	targets := []expr{x}
	value := p.tuple()
	for p.accept("=") {
		targets = append(targets, value)
		value = p.tuple()
	}
	return assign{targets, value, ""}
}

// tuple reads an expression, or several with commas between them.
func (p *parser) tuple() expr {
	x := p.expression()
	if !p.is(",") {
		return x
	}
	items := []expr{x}
	for p.accept(",") {
		if t := p.peek(); t.kind == newline || p.is("=") || p.is(")") {
			break
		}
		items = append(items, p.expression())
	}
	return display{items, true}
}

func (p *parser) expression() expr {
	defer p.deeper()()
	x := p.level(0)
	if !p.accept("if") {
		return x
	}
	test := p.level(0)
	p.expect("else")
	return ternary{test, x, p.expression()}
}

// levels are the binary operators by precedence, weakest first.
var levels = [][]string{{"or"}, {"and"}, {"not"}, {"in", "is", "==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "//", "%"}}

func (p *parser) level(n int) expr {
	if n == len(levels) {
		return p.sign()
	}
	if levels[n][0] == "not" {
		if p.accept("not") {
			return unary{"not", p.level(n)}
		}
		return p.level(n + 1)
	}
	x := p.level(n + 1)
	for {
		o := p.operatorOf(levels[n])
		if o == "" {
			return x
		}
		x = binary{o, x, p.level(n + 1)}
	}
}

func (p *parser) operatorOf(list []string) string {
	if list[0] == "in" && p.is("not") && p.at+1 < len(p.tokens) && p.tokens[p.at+1].text == "in" {
		p.at += 2
		return "not in"
	}
	for _, o := range list {
		if p.accept(o) {
			if o == "is" && p.accept("not") {
				return "is not"
			}
			return o
		}
	}
	return ""
}

func (p *parser) sign() expr {
	if p.accept("-") {
		return unary{"-", p.sign()}
	}
	return p.trailers(p.atom())
}

// trailers reads what hangs on a value: members, calls, subscripts.
func (p *parser) trailers(x expr) expr {
	for {
		switch {
		case p.accept("."):
			x = attribute{x, p.word()}
		case p.accept("("):
			x = p.call(x)
		case p.accept("["):
			x = p.subscript(x)
		default:
			return x
		}
	}
}

func (p *parser) subscript(x expr) expr {
	var from expr = constant{nil}
	if !p.is(":") {
		from = p.tuple()
	}
	if p.accept("]") {
		return index{x, from}
	}
	p.expect(":")
	var to expr = constant{nil}
	if !p.is("]") {
		to = p.expression()
	}
	p.expect("]")
	return slice{x, from, to}
}

func (p *parser) call(of expr) expr {
	c := call{of: of, named: make(map[string]expr)}
	for !p.accept(")") {
		if t := p.peek(); t.kind == name && p.tokens[p.at+1].kind == op && p.tokens[p.at+1].text == "=" {
			p.at += 2
			c.named[t.text] = p.expression()
		} else {
			x := p.expression()
			if p.is("for") {
				x = p.comprehension(x)
			}
			c.args = append(c.args, x)
		}
		if !p.is(")") {
			p.expect(",")
		}
	}
	return c
}

func (p *parser) comprehension(item expr) expr {
	p.expect("for")
	c := comprehension{item: item, targets: p.names()}
	p.expect("in")
	c.in = p.level(0)
	if p.accept("if") {
		c.cond = p.level(0)
	}
	return c
}

func (p *parser) atom() expr {
	t := p.take()
	switch {
	case t.kind == number:
		return p.number(t.text)
	case t.kind == str:
		return p.strings(t)
	case t.kind == name:
		switch t.text {
		case "True":
			return constant{true}
		case "False":
			return constant{false}
		case "None":
			return constant{nil}
		}
		return variable{t.text}
	case t.kind == op && t.text == "(":
		return p.paren()
	case t.kind == op && t.text == "[":
		return p.list()
	case t.kind == op && t.text == "{":
		return p.braces()
	}
	p.fail()
	return nil
}

func (p *parser) number(text string) expr {
	text = strings.ReplaceAll(text, "_", "")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return constant{n}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.fail()
	}
	return constant{f}
}

func (p *parser) paren() expr {
	if p.accept(")") {
		return display{nil, true}
	}
	x := p.expression()
	switch {
	case p.is("for"):
		x = p.comprehension(x)
	case p.is(","):
		items := []expr{x}
		for p.accept(",") && !p.is(")") {
			items = append(items, p.expression())
		}
		x = display{items, true}
	}
	p.expect(")")
	return x
}

func (p *parser) list() expr {
	var items []expr
	for !p.accept("]") {
		x := p.expression()
		if p.is("for") {
			x = p.comprehension(x)
			p.expect("]")
			return x
		}
		items = append(items, x)
		if !p.is("]") {
			p.expect(",")
		}
	}
	return display{items, false}
}

func (p *parser) braces() expr {
	var m mapping
	for !p.accept("}") {
		key := p.expression()
		p.expect(":")
		m.keys, m.values = append(m.keys, key), append(m.values, p.expression())
		if !p.is("}") {
			p.expect(",")
		}
	}
	return m
}

// strings reads adjacent string literals as one.
func (p *parser) strings(first token) expr {
	parts := p.format(first)
	for p.peek().kind == str {
		parts = append(parts, p.format(p.take())...)
	}
	if len(parts) == 1 {
		if c, ok := parts[0].(constant); ok {
			return c
		}
	}
	return formatted{parts}
}

// format splits a string with replacement fields.
func (p *parser) format(t token) []expr {
	if strings.Contains(t.prefix, "b") {
		p.fail()
	}
	if !strings.Contains(t.prefix, "f") {
		return []expr{constant{t.text}}
	}
	var parts []expr
	rest := t.text
	for {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			return append(parts, constant{rest})
		}
		parts = append(parts, constant{rest[:at]})
		if at+1 < len(rest) && rest[at+1] == rest[at] {
			parts = append(parts, constant{rest[at : at+1]})
			rest = rest[at+2:]
			continue
		}
		if rest[at] == '}' {
			p.fail()
		}
		field, after := p.field(rest[at+1:])
		parts = append(parts, field)
		rest = after
	}
}

// field reads one replacement field up to its closing brace.
func (p *parser) field(text string) (expr, string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']') || c == '}' && depth > 0:
			depth--
		case c == '}':
			return p.fieldOf(text[:i]), text[i+1:]
		}
	}
	p.fail()
	return nil, ""
}

func (p *parser) fieldOf(text string) expr {
	s := spec{}
	if head, ok := strings.CutSuffix(text, "!r"); ok {
		s.repr, text = true, head
	}
	if at := formatAt(text); at >= 0 {
		s.format, text = text[at+1:], text[:at]
	}
	body, err := parse(strings.TrimSpace(text) + "\n")
	if err != nil || len(body) != 1 {
		p.fail()
	}
	b, ok := body[0].(bare)
	if !ok {
		p.fail()
	}
	s.x = b.x
	return s
}

// formatAt is where the format of a field begins: at a colon outside of
// brackets and quotes.
func formatAt(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ':' && depth == 0:
			return i
		}
	}
	return -1
}
