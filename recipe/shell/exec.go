package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// stmts runs statements in order until one ends the way.
func (m *machine) stmts(list []*syntax.Stmt) flow {
	for _, s := range list {
		if f := m.stmt(s); f != flowNext {
			return f
		}
	}
	return flowNext
}

// stmt runs one statement.
func (m *machine) stmt(s *syntax.Stmt) flow {
	m.step(1)
	m.at = m.origin(s.Pos())
	if !m.enter() {
		m.unknownStatus("deep nesting")
		return flowNext
	}
	defer m.leave()
	if s.Background || s.Coprocess {
		return m.inBackground(s)
	}
	f := m.redirected(s)
	if s.Negated && f == flowNext {
		switch m.succeeded() {
		case yes:
			m.setStatus(1)
		case no:
			m.setStatus(0)
		}
	}
	return f
}

// inBackground runs a statement beside the script: what it changes is lost.
func (m *machine) inBackground(s *syntax.Stmt) flow {
	m.background++
	m.subshell(false, func() flow { return m.redirected(s) })
	m.background--
	m.setStatus(0)
	m.store("!", &variable{set: true, val: m.number(ReasonHost, "process id")})
	return flowNext
}

// command runs the command of a statement.
func (m *machine) command(c syntax.Command, redirects []Redirect) flow {
	switch x := c.(type) {
	case nil:
		m.setStatus(0)
		return flowNext
	case *syntax.CallExpr:
		return m.call(x, redirects)
	case *syntax.Block:
		return m.stmts(x.Stmts)
	case *syntax.Subshell:
		m.subshell(false, func() flow { return m.stmts(x.Stmts) })
		return flowNext
	case *syntax.IfClause:
		return m.ifClause(x)
	case *syntax.WhileClause:
		return m.whileClause(x)
	case *syntax.ForClause:
		return m.forClause(x)
	case *syntax.CaseClause:
		return m.caseClause(x)
	case *syntax.BinaryCmd:
		return m.binary(x)
	case *syntax.FuncDecl:
		m.declareFunction(x)
		return flowNext
	case *syntax.TestClause:
		t, why := m.test(x.X)
		m.setTruth(t, why...)
		return flowNext
	case *syntax.ArithmCmd:
		v := m.arith(x.X)
		m.setTruth(v.truth(), v.asValue(m))
		return flowNext
	case *syntax.LetClause:
		for _, e := range x.Exprs {
			v := m.arith(e)
			m.setTruth(v.truth(), v.asValue(m))
		}
		return flowNext
	case *syntax.DeclClause:
		return m.declClause(x)
	case *syntax.TimeClause:
		if x.Stmt == nil {
			return flowNext
		}
		return m.stmt(x.Stmt)
	case *syntax.CoprocClause:
		return m.inBackground(x.Stmt)
	}
	m.note(ReasonUnsupported, "this construct")
	m.unknownStatus("a construct")
	return flowNext
}

func (m *machine) declareFunction(x *syntax.FuncDecl) {
	if x.Name == nil {
		return
	}
	fn := &function{body: x.Body, file: m.file, src: m.src, name: m.stack[len(m.stack)-1].name}
	m.put(key{spaceFunc, x.Name.Value}, &variable{set: true, fn: fn})
	m.setStatus(0)
}

// condition describes a decision on the source text between two positions.
func (m *machine) condition(from, to syntax.Pos, holds bool) Condition {
	c := Condition{Text: m.sourceText(from, to), Origin: m.origin(from), Holds: holds}
	if u := m.st.status.unknown; u != nil {
		c.Because = []Unknown{*u}
	}
	return c
}

// sourceText returns a piece of the current file, shortened to one line.
func (m *machine) sourceText(from, to syntax.Pos) string {
	a, b := int(from.Offset()), int(to.Offset())
	if m.src == nil || a < 0 || b > len(m.src.text) || a >= b {
		return ""
	}
	return short(string(m.src.text[a:min(b, a+400)]))
}

func (m *machine) ifClause(x *syntax.IfClause) flow {
	for x != nil && len(x.Cond) > 0 {
		if f := m.quietly(x.Cond); f != flowNext {
			return f
		}
		switch m.succeeded() {
		case yes:
			return m.stmts(x.Then)
		case no:
			x = x.Else
			m.setStatus(0)
			continue
		}
		return m.eitherBranch(x)
	}
	if x == nil {
		m.setStatus(0)
		return flowNext
	}
	return m.stmts(x.Then)
}

// eitherBranch takes both sides of an if.
func (m *machine) eitherBranch(x *syntax.IfClause) flow {
	from, to := x.Cond[0].Pos(), x.Cond[len(x.Cond)-1].End()
	refine := m.refinement(x.Cond)
	return m.decide("if", way{m.condition(from, to, true), func() flow {
		m.setStatus(0)
		refine(true)
		return m.stmts(x.Then)
	}}, way{m.condition(from, to, false), func() flow {
		m.setStatus(0)
		refine(false)
		return m.ifClause(x.Else)
	}})
}

// quietly runs the statements of a condition.
func (m *machine) quietly(list []*syntax.Stmt) flow {
	m.quietExit++
	f := m.stmts(list)
	m.quietExit--
	return f
}

// binary runs a && b, a || b and pipelines.
func (m *machine) binary(x *syntax.BinaryCmd) flow {
	if x.Op == syntax.Pipe || x.Op == syntax.PipeAll {
		return m.pipeline(x)
	}
	m.quietExit++
	f := m.stmt(x.X)
	m.quietExit--
	if f != flowNext {
		return f
	}
	onSuccess := x.Op == syntax.AndStmt
	switch m.succeeded() {
	case truthOf(onSuccess):
		return m.stmt(x.Y)
	case truthOf(!onSuccess):
		return flowNext
	}
	left, right := 0, 1
	if !onSuccess {
		left, right = 1, 0
	}
	from, to := x.X.Pos(), x.X.End()
	refine := m.refinement([]*syntax.Stmt{x.X})
	return m.decide(x.Op.String(), way{m.condition(from, to, onSuccess), func() flow {
		m.setStatus(left)
		refine(onSuccess)
		return m.stmt(x.Y)
	}}, way{m.condition(from, to, !onSuccess), func() flow {
		m.setStatus(right)
		refine(!onSuccess)
		return flowNext
	}})
}

// caseClause runs the first arm that matches; arms that may match are ways.
func (m *machine) caseClause(x *syntax.CaseClause) flow {
	subject := m.word(x.Word)
	m.setStatus(0)
	return m.caseFrom(x, subject, 0)
}

func (m *machine) caseFrom(x *syntax.CaseClause, subject Value, i int) flow {
	for ; i < len(x.Items); i++ {
		m.step(1)
		item := x.Items[i]
		switch m.caseMatches(item, subject) {
		case no:
			continue
		case yes:
			return m.caseArm(x, subject, i)
		}
		from, to := item.Patterns[0].Pos(), item.Patterns[len(item.Patterns)-1].End()
		head := m.sourceText(x.Word.Pos(), x.Word.End()) + " in "
		cond := Condition{Text: short(head + m.sourceText(from, to)), Origin: m.origin(from), Holds: true, Because: subject.Unknowns()}
		other := cond
		other.Holds = false
		here := i
		return m.decide("case", way{cond, func() flow {
			m.refineCase(x, item, true)
			return m.caseArm(x, subject, here)
		}}, way{other, func() flow {
			m.refineCase(x, item, false)
			return m.caseFrom(x, subject, here+1)
		}})
	}
	return flowNext
}

func (m *machine) caseMatches(item *syntax.CaseItem, subject Value) truth {
	t := no
	for _, p := range item.Patterns {
		switch m.matches(subject, m.pattern(p)) {
		case yes:
			return yes
		case unsure:
			t = unsure
		}
	}
	return t
}

// caseArm runs one arm and what follows it.
func (m *machine) caseArm(x *syntax.CaseClause, subject Value, i int) flow {
	for {
		item := x.Items[i]
		if f := m.stmts(item.Stmts); f != flowNext {
			return f
		}
		i++
		switch {
		case item.Op == syntax.Fallthrough && i < len(x.Items):
			continue
		case item.Op == syntax.Resume:
			return m.caseFrom(x, subject, i)
		}
		return flowNext
	}
}
