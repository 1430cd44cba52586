package shell

import (
	"math/bits"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// num is an arithmetic value: 64 bits that wrap around, as in bash.
type num struct {
	n     int64
	known bool
	u     *Unknown
}

func known(n int64) num { return num{n: n, known: true} }

// asValue returns the decimal text, or an unknown number.
func (n num) asValue(m *machine) Value {
	if n.known {
		return m.text(strconv.FormatInt(n.n, 10))
	}
	u := Unknown{Reason: ReasonDerived, Detail: "arithmetic", Origin: m.at}
	if n.u != nil {
		u = *n.u
	}
	u.Shape, u.Alternatives, u.Unset = ShapeNumber, nil, false
	return Unknowable(u)
}

// truth is whether the value is not zero.
func (n num) truth() truth {
	if !n.known {
		return unsure
	}
	return truthOf(n.n != 0)
}

func (m *machine) noNumber(v Value) num {
	return num{u: m.derived("arithmetic", v).segs[0].Unknown}
}

// arith evaluates an expression.
func (m *machine) arith(x syntax.ArithmExpr) num {
	if x == nil {
		return known(0)
	}
	m.step(1)
	if !m.enter() {
		return num{u: m.limited("depth").segs[0].Unknown}
	}
	defer m.leave()
	switch e := x.(type) {
	case *syntax.Word:
		return m.arithWord(e)
	case *syntax.ParenArithm:
		return m.arith(e.X)
	case *syntax.UnaryArithm:
		return m.arithUnary(e)
	case *syntax.BinaryArithm:
		return m.arithNode(e)
	}
	return num{u: m.unknown(ReasonUnsupported, "this arithmetic").segs[0].Unknown}
}

// arithWord evaluates a name, a number or an expansion.
func (m *machine) arithWord(w *syntax.Word) num {
	if name, index := lvalue(w); name != "" {
		if index == nil {
			return m.numberOf(name)
		}
		v := m.variable(name)
		k, ok := m.subscript(v, index)
		if !ok {
			return m.noNumber(m.number(ReasonDerived, name))
		}
		e, _ := m.element(v, k)
		return m.number64(e)
	}
	return m.number64(m.word(w))
}

// lvalue returns the variable that an operand names, if any.
func lvalue(x syntax.ArithmExpr) (string, syntax.ArithmExpr) {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return "", nil
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if validName(p.Value) {
			return p.Value, nil
		}
	case *syntax.ParamExp:
		if !p.Dollar.IsValid() && p.Param != nil && p.Index != nil {
			return p.Param.Value, p.Index
		}
	}
	return "", nil
}

func (m *machine) numberOf(name string) num {
	if v, ok := m.special(name); ok {
		return m.number64(v)
	}
	v, _ := m.scalarOf(m.variable(name))
	return m.number64(v)
}

// number64 evaluates the text of a value as an expression.
func (m *machine) number64(v Value) num {
	s, ok := m.joined(v)
	if !ok {
		return m.noNumber(v)
	}
	s = strings.TrimSpace(s)
	if n, ok := parseNumber(s); ok {
		return known(n)
	}
	if !m.enter() {
		return num{u: m.limited("depth").segs[0].Unknown}
	}
	defer m.leave()
	m.step(1 + len(s))
	if validName(s) {
		return m.numberOf(s)
	}
	if len(s) <= 1024 {
		if x, err := parseArithmetic(s); err == nil && x != nil {
			if w, ok := x.(*syntax.Word); !ok || len(w.Parts) == 1 && isDollar(w.Parts[0]) {
				return m.arith(x)
			}
		}
	}
	return num{u: m.unknown(ReasonUnsupported, "arithmetic on '"+short(s)+"'").segs[0].Unknown}
}

func isDollar(p syntax.WordPart) bool {
	_, ok := p.(*syntax.ParamExp)
	return ok
}

// arithText evaluates a value for an integer variable.
func (m *machine) arithText(v Value) Value { return m.number64(v).asValue(m) }

// parseNumber reads decimal, 0x, octal and base#digits.
func parseNumber(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	sign := int64(1)
	if s[0] == '-' || s[0] == '+' {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	base := 10
	switch {
	case strings.Contains(s, "#"):
		b, digits, _ := strings.Cut(s, "#")
		n, err := strconv.Atoi(b)
		if err != nil || n < 2 || n > 36 || digits == "" {
			return 0, false
		}
		base, s = n, digits
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	n := int64(0)
	for i := range len(s) {
		d, err := strconv.ParseUint(s[i:i+1], base, 8)
		if err != nil {
			return 0, false
		}
		n = n*int64(base) + int64(d) // wraps around, as bash does
	}
	return sign * n, true
}

func (m *machine) arithUnary(e *syntax.UnaryArithm) num {
	switch e.Op {
	case syntax.Inc, syntax.Dec:
		old := m.arith(e.X)
		by := int64(1)
		if e.Op == syntax.Dec {
			by = -1
		}
		now := m.arithBinary(syntax.Add, old, known(by))
		m.setNumber(e.X, now)
		if e.Post {
			return old
		}
		return now
	}
	v := m.arith(e.X)
	if !v.known {
		return v
	}
	switch e.Op {
	case syntax.Not:
		return boolean(v.n == 0)
	case syntax.BitNegation:
		return known(^v.n)
	case syntax.Minus:
		return known(-v.n)
	}
	return v
}

func boolean(b bool) num {
	if b {
		return known(1)
	}
	return known(0)
}

// setNumber assigns to the variable an operand names.
func (m *machine) setNumber(x syntax.ArithmExpr, n num) {
	name, index := lvalue(x)
	if name == "" {
		return
	}
	if index == nil {
		m.assign(name, n.asValue(m))
		return
	}
	old := m.variable(name)
	v := variable{kind: indexed, set: true}
	if old != nil {
		v = *old
		v.set = true
	}
	k, ok := m.subscript(&v, index)
	i, _ := strconv.Atoi(k)
	if ok && i >= 0 && i < 1<<30 && len(v.elems) < m.limits.Words {
		m.setElement(&v, k, i, n.asValue(m))
		m.store(name, &v)
	}
}

// assigning maps the operators that assign to the one they apply.
var assigning = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul,
	syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem, syntax.AndAssgn: syntax.And,
	syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

func (m *machine) arithNode(e *syntax.BinaryArithm) num {
	switch e.Op {
	case syntax.Assgn:
		v := m.arith(e.Y)
		m.setNumber(e.X, v)
		return v
	case syntax.Comma:
		m.arith(e.X)
		return m.arith(e.Y)
	case syntax.TernQuest:
		return m.ternary(e)
	case syntax.AndArit, syntax.OrArit:
		return m.arithLogic(e)
	}
	if op, ok := assigning[e.Op]; ok {
		v := m.arithBinary(op, m.arith(e.X), m.arith(e.Y))
		m.setNumber(e.X, v)
		return v
	}
	return m.arithBinary(e.Op, m.arith(e.X), m.arith(e.Y))
}

// arithLogic evaluates && and ||; a side that decides alone does so.
func (m *machine) arithLogic(e *syntax.BinaryArithm) num {
	x := m.arith(e.X)
	decides := e.Op == syntax.OrArit
	if x.known && (x.n != 0) == decides {
		return boolean(decides)
	}
	y := m.arith(e.Y)
	switch {
	case y.known && (y.n != 0) == decides:
		return boolean(decides)
	case !x.known:
		return x
	case !y.known:
		return y
	}
	return boolean(y.n != 0)
}

func (m *machine) ternary(e *syntax.BinaryArithm) num {
	arms, ok := e.Y.(*syntax.BinaryArithm)
	if !ok {
		return num{}
	}
	c := m.arith(e.X)
	if !c.known {
		a, b := m.arith(arms.X), m.arith(arms.Y)
		if a.known && b.known && a.n == b.n {
			return a
		}
		return c
	}
	if c.n != 0 {
		return m.arith(arms.X)
	}
	return m.arith(arms.Y)
}

// arithBinary applies an operator; overflow wraps around.
func (m *machine) arithBinary(op syntax.BinAritOperator, x, y num) num {
	switch {
	case !x.known:
		return x
	case !y.known:
		return y
	}
	a, b := x.n, y.n
	switch op {
	case syntax.Add:
		return known(a + b)
	case syntax.Sub:
		return known(a - b)
	case syntax.Mul:
		return known(a * b)
	case syntax.Quo, syntax.Rem:
		if b == 0 {
			return num{u: m.unknown(ReasonUnsupported, "division by zero").segs[0].Unknown}
		}
		if b == -1 { // the smallest number has no positive counterpart
			if op == syntax.Rem {
				return known(0)
			}
			return known(-a)
		}
		if op == syntax.Quo {
			return known(a / b)
		}
		return known(a % b)
	case syntax.Pow:
		return m.power(a, b)
	case syntax.Shl:
		return known(a << (uint64(b) & (bits.UintSize - 1)))
	case syntax.Shr:
		return known(a >> (uint64(b) & (bits.UintSize - 1)))
	case syntax.And:
		return known(a & b)
	case syntax.Or:
		return known(a | b)
	case syntax.Xor:
		return known(a ^ b)
	}
	return compare(op, a, b)
}

func compare(op syntax.BinAritOperator, a, b int64) num {
	switch op {
	case syntax.Eql:
		return boolean(a == b)
	case syntax.Neq:
		return boolean(a != b)
	case syntax.Lss:
		return boolean(a < b)
	case syntax.Leq:
		return boolean(a <= b)
	case syntax.Gtr:
		return boolean(a > b)
	case syntax.Geq:
		return boolean(a >= b)
	}
	return num{}
}

// power raises by squaring, so that the exponent costs no time.
func (m *machine) power(a, b int64) num {
	if b < 0 {
		return num{u: m.unknown(ReasonUnsupported, "negative exponent").segs[0].Unknown}
	}
	out := int64(1)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			out *= a
		}
		a *= a
	}
	return known(out)
}
