package shell

import (
	"regexp"
	"regexp/syntax"
	"strings"

	sh "mvdan.cc/sh/v3/syntax"
)

// test evaluates [[ ... ]]; why lists the values that leave it open.
func (m *machine) test(x sh.TestExpr) (truth, []Value) {
	m.step(1)
	if !m.enter() {
		return unsure, nil
	}
	defer m.leave()
	switch e := x.(type) {
	case *sh.Word:
		v := m.word(e)
		return null(v, true, true).not(), []Value{v}
	case *sh.ParenTest:
		return m.test(e.X)
	case *sh.UnaryTest:
		if e.Op == sh.TsNot {
			t, why := m.test(e.X)
			return t.not(), why
		}
		w, _ := e.X.(*sh.Word)
		v := m.word(w)
		return m.unaryTest(e.Op.String(), v), []Value{v}
	case *sh.BinaryTest:
		return m.binaryTestNode(e)
	}
	return unsure, nil
}

func (m *machine) binaryTestNode(e *sh.BinaryTest) (truth, []Value) {
	switch e.Op {
	case sh.AndTest, sh.OrTest:
		a, whyA := m.test(e.X)
		if a == truthOf(e.Op == sh.OrTest) {
			return a, nil
		}
		b, whyB := m.test(e.Y)
		switch {
		case b == truthOf(e.Op == sh.OrTest), a == truthOf(e.Op == sh.AndTest):
			return b, whyB
		}
		return unsure, append(whyA, whyB...)
	}
	xw, _ := e.X.(*sh.Word)
	yw, _ := e.Y.(*sh.Word)
	left := m.word(xw)
	switch e.Op {
	case sh.TsReMatch:
		return m.regexTest(left, yw), []Value{left}
	case sh.TsMatch, sh.TsMatchShort, sh.TsNoMatch:
		g := m.pattern(yw)
		t := m.matches(left, g)
		if e.Op == sh.TsNoMatch {
			t = t.not()
		}
		why := []Value{left}
		if g.unknown != nil {
			why = append(why, *g.unknown)
		}
		return t, why
	}
	right := m.word(yw)
	return m.binaryTest(e.Op.String(), left, right), []Value{left, right}
}

// unaryTest evaluates -z, -n, -f and the like.
func (m *machine) unaryTest(op string, v Value) truth {
	switch op {
	case "-z":
		return null(v, true, true)
	case "-n":
		return null(v, true, true).not()
	case "-v":
		return m.isSet(v)
	case "-o", "-t":
		return unsure
	case "-L", "-h", "-p", "-S", "-b", "-c":
		return unsure
	case "-d":
		if abs, ok := m.absolute(v); ok && m.exists(v) == yes {
			if m.isDir(abs) || abs == "/" || abs == "/tmp" {
				return yes
			}
			return no
		}
	case "-f", "-s":
		if abs, ok := m.absolute(v); ok && m.isDir(abs) && op == "-f" {
			return no
		}
	}
	return m.exists(v)
}

// isSet evaluates -v NAME and -v NAME[key].
func (m *machine) isSet(v Value) truth {
	s, ok := m.joined(v)
	if !ok {
		return unsure
	}
	name, index, element := strings.Cut(strings.TrimSuffix(s, "]"), "[")
	found := m.variable(name)
	if element {
		val, ok := m.element(found, index)
		return null(val, ok, false).not()
	}
	val, ok := m.scalarOf(found)
	if _, special := m.special(name); special {
		return yes
	}
	return null(val, ok, false).not()
}

// binaryTest evaluates the comparisons of [ and [[ that take two texts.
func (m *machine) binaryTest(op string, a, b Value) truth {
	switch op {
	case "=", "==":
		return m.equal(a, b)
	case "!=":
		return m.equal(a, b).not()
	case "<", ">":
		return m.each(a, b, func(s, t string) bool { return (op == "<") == (s < t) && s != t })
	case "-nt", "-ot", "-ef":
		return unsure
	}
	ops := map[string]sh.BinAritOperator{"-eq": sh.Eql, "-ne": sh.Neq, "-lt": sh.Lss, "-le": sh.Leq, "-gt": sh.Gtr, "-ge": sh.Geq}
	cmp, ok := ops[op]
	if !ok {
		m.note(ReasonUnsupported, "test operator "+op)
		return unsure
	}
	return m.each(a, b, func(s, t string) bool {
		return m.arithBinary(cmp, m.number64(Text(s, m.at)), m.number64(Text(t, m.at))).truth() == yes
	})
}

// equal compares two values as texts.
func (m *machine) equal(a, b Value) truth {
	if s, ok := m.joined(b); ok {
		return m.matches(a, &glob{isLit: true, lit: s})
	}
	if s, ok := m.joined(a); ok {
		return m.matches(b, &glob{isLit: true, lit: s})
	}
	return m.each(a, b, func(s, t string) bool { return s == t })
}

// each compares all pairs of what two values may be.
func (m *machine) each(a, b Value, f func(s, t string) bool) truth {
	left, okA := m.options(a)
	right, okB := m.options(b)
	if !okA || !okB {
		return unsure
	}
	first := f(left[0], right[0])
	for _, s := range left {
		for _, t := range right {
			if f(s, t) != first {
				return unsure
			}
		}
	}
	return truthOf(first)
}

// regexTest evaluates text =~ expression and sets BASH_REMATCH.
func (m *machine) regexTest(v Value, w *sh.Word) truth {
	if w == nil {
		return unsure
	}
	var expr strings.Builder
	for _, p := range m.pieces(w.Parts) {
		s, ok := m.joined(p.v)
		if !ok || expr.Len()+len(s) > maxPattern {
			return unsure
		}
		if p.quoted {
			s = regexp.QuoteMeta(s)
		}
		expr.WriteString(s)
	}
	re := m.regex(expr.String())
	options, ok := m.options(v)
	if re == nil || !ok {
		m.store("BASH_REMATCH", &variable{kind: indexed, set: true, elems: []Value{
			Unknowable(Unknown{Reason: ReasonDerived, Detail: "BASH_REMATCH", Origin: m.at, Shape: ShapeWords})}})
		return unsure
	}
	var t truth
	for i, s := range options {
		m.step(1 + len(s)*(1+len(expr.String())/32)/8)
		found := re.FindStringSubmatch(s)
		if got := truthOf(found != nil); i > 0 && got != t {
			return unsure
		} else {
			t = got
		}
		list := make([]Value, len(found))
		for j := range found {
			list[j] = m.text(found[j])
		}
		m.store("BASH_REMATCH", &variable{kind: indexed, set: true, elems: list})
	}
	return t
}

// regex compiles an extended regular expression; nil when it is not one we
// take. The engine runs in linear time; the size of its program is bounded
// before it is built.
func (m *machine) regex(expr string) *regexp.Regexp {
	if len(expr) > maxPattern {
		return nil
	}
	m.step(1 + len(expr))
	return m.o.Cache.expression(expr, compileBounded)
}

// compileBounded compiles an expression whose program is not too large.
func compileBounded(expr string) *regexp.Regexp {
	tree, err := syntax.Parse(expr, syntax.Perl&^syntax.UnicodeGroups)
	if err != nil || regexSize(tree) > 20_000 {
		return nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	re.Longest()
	return re
}

// regexSize estimates the instructions of an expression.
func regexSize(x *syntax.Regexp) int {
	n := 1 + len(x.Rune)/2
	for _, s := range x.Sub {
		n += regexSize(s)
	}
	if x.Op == syntax.OpRepeat {
		n *= max(x.Min, x.Max, 1)
	}
	return min(n, 1<<30)
}
