package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// assignment carries out NAME=value, NAME+=value, NAME[i]=value or NAME=(...).
func (m *machine) assignment(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := m.target(a.Name.Value)
	m.at = m.origin(a.Pos())
	old := m.peek(name)
	if a.Append || a.Index != nil {
		old.counts()
	}
	switch {
	case a.Array != nil:
		m.store(name, m.arrayValue(name, old, a))
	case a.Index != nil:
		m.assignElement(name, old, a)
	default:
		m.assign(name, m.appended(old, a))
	}
}

// appended returns the value of an assignment; += adds to the old one.
func (m *machine) appended(old *variable, a *syntax.Assign) Value {
	var v Value
	if a.Value != nil {
		v = m.assignWord(a.Value)
	}
	if !a.Append {
		return v
	}
	old.counts()
	before, _ := m.scalarOf(old)
	if old != nil && old.integer {
		return m.arithBinary(syntax.Add, m.number64(before), m.number64(v)).asValue(m)
	}
	return m.concat(before, v)
}

// assignElement carries out NAME[i]=value.
func (m *machine) assignElement(name string, old *variable, a *syntax.Assign) {
	v := variable{kind: indexed, set: true}
	if old != nil {
		v = *old
		if v.kind == scalar {
			v.kind, v.val = indexed, Value{}
			if old.set {
				v.elems = []Value{old.val}
			}
		}
		v.set = true
	}
	k, ok := m.subscript(&v, a.Index)
	var val Value
	if a.Value != nil {
		val = m.assignWord(a.Value)
	}
	if !ok {
		u := Unknown{Reason: ReasonDerived, Detail: name + "[...]", Origin: m.at, Shape: ShapeWords}
		v.elems, v.at, v.keys, v.kind = []Value{Unknowable(u)}, nil, nil, indexed
		m.store(name, &v)
		return
	}
	if a.Append {
		before, _ := m.element(&v, k)
		val = m.concat(before, val)
	}
	i, _ := strconv.Atoi(k)
	if v.kind != assoc && i < 0 {
		i += len(v.elems)
	}
	if len(v.elems) >= m.limits.Words {
		m.reached("words", m.at)
		return
	}
	if i < 0 || i > 1<<30 {
		return
	}
	m.setElement(&v, k, i, m.cased(&v, val))
	m.store(name, &v)
}

// subscript returns the key of an index expression: the text for an
// associative array, the number otherwise. ok is false when it is unknown.
func (m *machine) subscript(v *variable, index syntax.ArithmExpr) (string, bool) {
	if v != nil && v.kind == assoc {
		w, ok := index.(*syntax.Word)
		if !ok {
			return m.sourceText(index.Pos(), index.End()), true
		}
		return m.joined(m.word(w))
	}
	n := m.arith(index)
	return strconv.FormatInt(n.n, 10), n.known
}

// arrayValue returns the variable that NAME=(...) or NAME+=(...) makes.
func (m *machine) arrayValue(name string, old *variable, a *syntax.Assign) *variable {
	v := &variable{kind: indexed, set: true}
	if old != nil {
		v.exported, v.integer = old.exported, old.integer
		if old.kind == assoc {
			v.kind = assoc
		}
		if a.Append && old.set {
			v.elems, v.keys, v.at = elements(old), old.keys, old.at
		}
	}
	m.step(len(v.elems) / 8)
	v.elems = append(make([]Value, 0, len(v.elems)+len(a.Array.Elems)), v.elems...)
	next := -1 // index behind one that was given
	for i := 0; i < len(a.Array.Elems); i++ {
		e := a.Array.Elems[i]
		m.step(1)
		switch {
		case e.Index != nil:
			next = m.indexedElem(v, e) + 1
		case next > 0 && v.kind == indexed:
			for _, w := range m.fields([]*syntax.Word{e.Value}) {
				m.setElement(v, "", next, w)
				next++
			}
		case v.kind == assoc:
			i += m.pairElem(v, a.Array.Elems[i:])
		default:
			m.appendElems(v, m.fields([]*syntax.Word{e.Value}))
		}
	}
	return v
}

// indexedElem adds [key]=value of an array literal and returns the index.
func (m *machine) indexedElem(v *variable, e *syntax.ArrayElem) int {
	k, ok := m.subscript(v, e.Index)
	var val Value
	if e.Value != nil {
		val = m.assignWord(e.Value)
	}
	i, err := strconv.Atoi(k)
	if !ok || v.kind != assoc && (err != nil || i < 0 || i > 1<<30) {
		m.appendElems(v, []Value{Unknowable(Unknown{Reason: ReasonDerived, Detail: "index", Origin: m.at, Shape: ShapeWords})})
		return -1
	}
	m.setElement(v, k, i, val)
	return i
}

// pairElem adds the pair "key value" of an associative array literal without
// brackets; it returns how many more elements it used.
func (m *machine) pairElem(v *variable, rest []*syntax.ArrayElem) int {
	k, ok := m.joined(m.word(rest[0].Value))
	if !ok {
		return 0
	}
	var val Value
	used := 0
	if len(rest) > 1 && rest[1].Value != nil {
		val, used = m.word(rest[1].Value), 1
	}
	m.setElement(v, k, 0, val)
	return used
}

// appendElems adds words behind the last element.
func (m *machine) appendElems(v *variable, words []Value) {
	if len(v.elems)+len(words) > m.limits.Words {
		m.reached("words", m.at)
		return
	}
	m.spend(32 * len(words))
	if v.at != nil {
		next := v.at[len(v.at)-1] + 1
		at := append([]int(nil), v.at...)
		for i := range words {
			at = append(at, next+i)
		}
		v.at = at
	}
	v.elems = append(v.elems, words...)
}
