package python

import (
	"strconv"
	"strings"
)

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
