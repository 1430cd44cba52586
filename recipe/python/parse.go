package python

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
