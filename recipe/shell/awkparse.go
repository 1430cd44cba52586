package shell

import (
	"regexp"
	"strconv"
	"strings"
)

// awkRule is one pattern { action } of a program.
type awkRule struct {
	begin, end bool
	pattern    *awkExpr // nil always runs
	action     []awkStmt
	print      bool // a pattern without action
}

// awkStmt is one statement.
type awkStmt struct {
	kind    byte // 'p' print, 'f' printf, 'e' expression, 'i' if, 'x' exit, 'n' next
	args    []*awkExpr
	then    []awkStmt
	otherly []awkStmt
}

// awkExpr is one expression: an operator with operands, or a leaf.
type awkExpr struct {
	op   string // "num", "str", "var", "re", "$", "=", "+=", "++", "call", "?:", "cat" or an operator
	text string
	num  float64
	re   *regexp.Regexp
	args []*awkExpr
}

// awkParser reads the small part of the language that launch scripts use:
// rules, print, printf, if, exit, next, expressions. Loops, arrays, functions
// and files are not read.
type awkParser struct {
	tokens []awkToken
	i      int
	depth  int
	failed bool
	regex  func(string) *regexp.Regexp
}

type awkToken struct {
	kind byte // 'n' number, 's' string, 'w' word, 'r' regular expression, 'o' operator, ';' end of statement, 0 end
	text string
	// glued says that no space is in front of an opening parenthesis.
	glued bool
}

var awkOperators = []string{"**", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "++", "--", "!~",
	"+", "-", "*", "/", "%", "^", "<", ">", "=", "!", "~", "?", ":", "(", ")", "{", "}", "$", ","}

// awkTokens splits a program; nil when it holds what is not read.
func awkTokens(s string) []awkToken {
	var out []awkToken
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i += 2
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case c == '\n' || c == ';':
			out = append(out, awkToken{kind: ';'})
			i++
		case c == '"':
			text, n := awkQuoted(s[i+1:], '"')
			if n < 0 {
				return nil
			}
			out = append(out, awkToken{kind: 's', text: ansiQuoted(text)})
			i += n + 2
		case c == '/' && regexPlace(out):
			text, n := awkQuoted(s[i+1:], '/')
			if n < 0 {
				return nil
			}
			out = append(out, awkToken{kind: 'r', text: strings.ReplaceAll(text, `\/`, "/")})
			i += n + 2
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			n := numberEnd(s[i:])
			out = append(out, awkToken{kind: 'n', text: s[i : i+n]})
			i += n
		case c == '_' || c|32 >= 'a' && c|32 <= 'z':
			n := 1
			for i+n < len(s) && validName(s[i:i+n+1]) {
				n++
			}
			out = append(out, awkToken{kind: 'w', text: s[i : i+n], glued: i+n < len(s) && s[i+n] == '('})
			i += n
		default:
			op := ""
			for _, o := range awkOperators {
				if strings.HasPrefix(s[i:], o) {
					op = o
					break
				}
			}
			if op == "" {
				return nil
			}
			out = append(out, awkToken{kind: 'o', text: op})
			i += len(op)
		}
	}
	return out
}

// regexPlace reports whether a slash starts a regular expression here.
func regexPlace(before []awkToken) bool {
	if len(before) == 0 {
		return true
	}
	t := before[len(before)-1]
	return t.kind == ';' || t.kind == 'o' && t.text != ")" && t.text != "$" && t.text != "++" && t.text != "--"
}

func awkQuoted(s string, end byte) (string, int) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == end {
			return s[:i], i
		} else if s[i] == '\n' {
			return "", -1
		}
	}
	return "", -1
}

func numberEnd(s string) int {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.') {
		n++
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		k := n + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && s[k] >= '0' && s[k] <= '9' {
			for k < len(s) && s[k] >= '0' && s[k] <= '9' {
				k++
			}
			return k
		}
	}
	return n
}

// parseAwk reads a program; ok is false when it holds what is not read.
func parseAwk(program string, regex func(string) *regexp.Regexp) ([]awkRule, bool) {
	p := awkParser{tokens: awkTokens(program), regex: regex}
	var rules []awkRule
	for p.skipEnds(); p.i < len(p.tokens) && !p.failed; p.skipEnds() {
		rules = append(rules, p.rule())
	}
	return rules, !p.failed && len(rules) > 0
}

func (p *awkParser) skipEnds() {
	for p.i < len(p.tokens) && p.tokens[p.i].kind == ';' {
		p.i++
	}
}

func (p *awkParser) peek() awkToken {
	if p.i < len(p.tokens) {
		return p.tokens[p.i]
	}
	return awkToken{}
}

func (p *awkParser) is(op string) bool { t := p.peek(); return t.kind == 'o' && t.text == op }

func (p *awkParser) word(w string) bool { t := p.peek(); return t.kind == 'w' && t.text == w }

func (p *awkParser) want(op string) {
	if !p.is(op) {
		p.failed = true
		p.i = len(p.tokens)
		return
	}
	p.i++
}

func (p *awkParser) rule() awkRule {
	var r awkRule
	switch {
	case p.word("BEGIN"):
		r.begin = true
		p.i++
	case p.word("END"):
		r.end = true
		p.i++
	case !p.is("{"):
		r.pattern = p.expr()
	}
	if p.is("{") {
		r.action = p.block()
	} else {
		r.print = true
	}
	return r
}

func (p *awkParser) block() []awkStmt {
	p.want("{")
	var list []awkStmt
	for p.skipEnds(); !p.is("}") && !p.failed; p.skipEnds() {
		if p.i >= len(p.tokens) {
			p.failed = true
			break
		}
		list = append(list, p.stmt())
	}
	p.want("}")
	return list
}

// body reads a block or one statement.
func (p *awkParser) body() []awkStmt {
	p.skipEnds()
	if p.is("{") {
		return p.block()
	}
	return []awkStmt{p.stmt()}
}

func (p *awkParser) stmt() awkStmt {
	if p.depth++; p.depth > 50 {
		p.failed = true
	}
	defer func() { p.depth-- }()
	t := p.peek()
	if t.kind != 'w' || p.failed {
		return awkStmt{kind: 'e', args: []*awkExpr{p.expr()}}
	}
	switch t.text {
	case "print", "printf":
		p.i++
		s := awkStmt{kind: 'p'}
		if t.text == "printf" {
			s.kind = 'f'
		}
		s.args = p.list()
		if p.is(">") {
			p.failed = true
		}
		return s
	case "exit", "next":
		p.i++
		s := awkStmt{kind: 'n'}
		if t.text == "exit" {
			s.kind = 'x'
			if k := p.peek().kind; k != ';' && k != 0 && !p.is("}") {
				s.args = []*awkExpr{p.expr()}
			}
		}
		return s
	case "if":
		p.i++
		p.want("(")
		s := awkStmt{kind: 'i', args: []*awkExpr{p.expr()}}
		p.want(")")
		s.then = p.body()
		save := p.i
		p.skipEnds()
		if p.word("else") {
			p.i++
			s.otherly = p.body()
		} else {
			p.i = save
		}
		return s
	case "for", "while", "do", "function", "getline", "delete", "switch":
		p.failed = true
		p.i = len(p.tokens)
	}
	return awkStmt{kind: 'e', args: []*awkExpr{p.expr()}}
}

// list reads expressions with commas between, perhaps in parentheses.
func (p *awkParser) list() []*awkExpr {
	if k := p.peek().kind; k == ';' || k == 0 || p.is("}") {
		return nil
	}
	if p.is("(") {
		save, failed := p.i, p.failed
		p.i++
		list := p.commas()
		if p.is(")") {
			p.i++
			if k := p.peek().kind; k == ';' || k == 0 || p.is("}") {
				return list
			}
		}
		p.i, p.failed = save, failed
	}
	return p.commas()
}

func (p *awkParser) commas() []*awkExpr {
	list := []*awkExpr{p.noGreater()}
	for p.is(",") {
		p.i++
		list = append(list, p.noGreater())
	}
	return list
}

func (p *awkParser) noGreater() *awkExpr { return p.expr() }

// awkLevels are the binary operators from loose to tight.
var awkLevels = [][]string{{"||"}, {"&&"}, {"~", "!~"}, {"<", "<=", "==", "!=", ">", ">="}, {"cat"}, {"+", "-"}, {"*", "/", "%"}}

func (p *awkParser) expr() *awkExpr {
	if p.depth++; p.depth > 50 || p.failed {
		p.failed = true
		p.i = len(p.tokens)
		p.depth--
		return &awkExpr{op: "num"}
	}
	defer func() { p.depth-- }()
	x := p.binary(0)
	switch t := p.peek(); {
	case t.kind != 'o':
	case t.text == "?":
		p.i++
		a := p.expr()
		p.want(":")
		return &awkExpr{op: "?:", args: []*awkExpr{x, a, p.expr()}}
	case t.text == "=" || t.text == "+=" || t.text == "-=" || t.text == "*=" || t.text == "/=" || t.text == "%=":
		if x.op != "var" {
			p.failed = true
		}
		p.i++
		return &awkExpr{op: t.text, text: x.text, args: []*awkExpr{p.expr()}}
	}
	return x
}

func (p *awkParser) binary(level int) *awkExpr {
	if level == len(awkLevels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for !p.failed {
		op := ""
		for _, o := range awkLevels[level] {
			if o == "cat" && p.startsOperand() || p.is(o) {
				op = o
			}
		}
		if op == "" {
			return x
		}
		if op != "cat" {
			p.i++
		}
		x = &awkExpr{op: op, args: []*awkExpr{x, p.binary(level + 1)}}
	}
	return x
}

// startsOperand reports whether another operand follows without an operator.
func (p *awkParser) startsOperand() bool {
	t := p.peek()
	return t.kind == 'n' || t.kind == 's' || t.kind == 'w' && t.text != "else" && t.text != "in" || t.kind == 'o' && (t.text == "$" || t.text == "(")
}

func (p *awkParser) unary() *awkExpr {
	if p.depth++; p.depth > 60 {
		p.failed = true
	}
	defer func() { p.depth-- }()
	for _, op := range []string{"!", "-", "+"} {
		if p.is(op) && !p.failed {
			p.i++
			return &awkExpr{op: "u" + op, args: []*awkExpr{p.unary()}}
		}
	}
	x := p.primary()
	switch {
	case p.is("^") || p.is("**"):
		p.i++
		return &awkExpr{op: "^", args: []*awkExpr{x, p.unary()}}
	case (p.is("++") || p.is("--")) && x.op == "var":
		op := p.peek().text
		p.i++
		return &awkExpr{op: op, text: x.text}
	}
	return x
}

func (p *awkParser) primary() *awkExpr {
	t := p.peek()
	p.i++
	switch {
	case p.failed:
	case t.kind == 'n':
		f, err := strconv.ParseFloat(t.text, 64)
		p.failed = p.failed || err != nil
		return &awkExpr{op: "num", num: f}
	case t.kind == 's':
		return &awkExpr{op: "str", text: t.text}
	case t.kind == 'r':
		re := p.regex(t.text)
		p.failed = p.failed || re == nil
		return &awkExpr{op: "re", re: re}
	case t.kind == 'w' && t.glued || t.kind == 'w' && (t.text == "int" || t.text == "length"):
		x := &awkExpr{op: "call", text: t.text}
		if p.is("(") {
			p.i++
			if !p.is(")") {
				x.args = p.commas()
			}
			p.want(")")
		}
		return x
	case t.kind == 'w':
		return &awkExpr{op: "var", text: t.text}
	case t.kind == 'o' && t.text == "$":
		return &awkExpr{op: "$", args: []*awkExpr{p.primary()}}
	case t.kind == 'o' && t.text == "(":
		x := p.expr()
		p.want(")")
		return &awkExpr{op: "()", args: []*awkExpr{x}}
	}
	p.failed = true
	return &awkExpr{op: "num"}
}
