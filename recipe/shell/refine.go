package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// refinement returns what a condition on one variable teaches on each way:
// where [[ "$x" == a ]] holds, x is a; where [[ -z "$x" ]] holds, it is empty.
func (m *machine) refinement(cond []*syntax.Stmt) func(holds bool) {
	nothing := func(bool) {}
	if len(cond) != 1 || len(cond[0].Redirs) > 0 {
		return nothing
	}
	name, op, operand := simpleTest(cond[0].Cmd)
	if name == "" {
		return nothing
	}
	negated := cond[0].Negated
	return func(holds bool) {
		if negated {
			holds = !holds
		}
		v := m.variable(name)
		if v == nil || v.kind != scalar || v.val.IsKnown() {
			return
		}
		switch {
		case op == "-z" && holds, op == "-n" && !holds:
			m.narrow(name, v, Value{})
		case (op == "=" || op == "==") && holds, op == "!=" && !holds:
			if operand != nil && literalWord(operand) {
				m.narrow(name, v, m.word(operand))
			}
		case op == "=" || op == "==" || op == "!=":
			if operand != nil && literalWord(operand) {
				m.narrow(name, v, without(v.val, m.word(operand)))
			}
		case op == "-n" || op == "-z":
			m.narrow(name, v, without(present(v.val), Value{}))
		}
	}
}

// without drops one of the alternatives of an unknown.
func without(v, gone Value) Value {
	if len(v.segs) == 1 && v.segs[0].Unknown != nil && v.segs[0].Unknown.Shape == ShapeMaybeWord && len(gone.segs) == 0 {
		u := *v.segs[0].Unknown
		u.Shape, u.Unset = ShapeWord, false
		return Unknowable(u)
	}
	if len(v.segs) != 1 || v.segs[0].Unknown == nil || len(v.segs[0].Unknown.Alternatives) == 0 {
		return v
	}
	u := *v.segs[0].Unknown
	u.Alternatives = nil
	for _, a := range v.segs[0].Unknown.Alternatives {
		if !a.Equal(gone) {
			u.Alternatives = append(u.Alternatives, a)
		}
	}
	switch {
	case len(u.Alternatives) == 1 && !u.Unset:
		return u.Alternatives[0]
	case len(u.Alternatives) == 0:
		return v
	}
	return Unknowable(u)
}

// refineCase narrows the variable of a case clause on the way of an arm with
// one literal pattern, and on the other way.
func (m *machine) refineCase(x *syntax.CaseClause, item *syntax.CaseItem, holds bool) {
	name := plainVariable(x.Word)
	if name == "" || len(item.Patterns) != 1 || !literalWord(item.Patterns[0]) {
		return
	}
	v := m.variable(name)
	if v == nil || v.kind != scalar || v.val.IsKnown() {
		return
	}
	if holds {
		m.narrow(name, v, m.word(item.Patterns[0]))
	} else {
		m.narrow(name, v, without(v.val, m.word(item.Patterns[0])))
	}
}

func (m *machine) narrow(name string, v *variable, val Value) {
	w := *v
	w.val = val
	m.store(name, &w)
}

// simpleTest reads a test of one variable: its name, the operator and the
// other operand.
func simpleTest(c syntax.Command) (name, op string, operand *syntax.Word) {
	switch x := c.(type) {
	case *syntax.TestClause:
		switch e := x.X.(type) {
		case *syntax.UnaryTest:
			w, _ := e.X.(*syntax.Word)
			return plainVariable(w), e.Op.String(), nil
		case *syntax.BinaryTest:
			w, _ := e.X.(*syntax.Word)
			y, _ := e.Y.(*syntax.Word)
			return plainVariable(w), e.Op.String(), y
		}
	case *syntax.CallExpr:
		if len(x.Args) < 4 || x.Args[0].Lit() != "[" {
			return "", "", nil
		}
		if len(x.Args) == 4 {
			return plainVariable(x.Args[2]), x.Args[1].Lit(), nil
		}
		if len(x.Args) == 5 {
			return plainVariable(x.Args[1]), x.Args[2].Lit(), x.Args[3]
		}
	}
	return "", "", nil
}

// plainVariable returns x of "$x", "${x}" and "${x:-}".
func plainVariable(w *syntax.Word) string {
	if w == nil || len(w.Parts) != 1 {
		return ""
	}
	p := w.Parts[0]
	if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		p = q.Parts[0]
	}
	x, ok := p.(*syntax.ParamExp)
	if !ok || x.Param == nil || !validName(x.Param.Value) || x.Excl || x.Length || x.Index != nil || x.Slice != nil || x.Repl != nil || x.Names != 0 {
		return ""
	}
	if e := x.Exp; e != nil && (e.Op != syntax.DefaultUnset && e.Op != syntax.DefaultUnsetOrNull || e.Word != nil && len(e.Word.Parts) > 0) {
		return ""
	}
	return x.Param.Value
}

// literalWord reports whether a word is plain text without patterns.
func literalWord(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch x := p.(type) {
		case *syntax.Lit:
			for i := range len(x.Value) {
				switch x.Value[i] {
				case '*', '?', '[', '\\', '~':
					return false
				}
			}
		case *syntax.SglQuoted:
		case *syntax.DblQuoted:
			for _, q := range x.Parts {
				if lit, ok := q.(*syntax.Lit); !ok || len(lit.Value) == 0 {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
