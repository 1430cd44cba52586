package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// attributes are the options of a declaration.
type attributes struct {
	array, assoc, integer, upper, lower, nameref bool
	export, unexport, local, global, print       bool
	functions                                    bool
}

func (a *attributes) option(s string) {
	on := s[0] == '-'
	for _, c := range s[1:] {
		switch c {
		case 'a':
			a.array = on
		case 'A':
			a.assoc = on
		case 'i':
			a.integer = on
		case 'u':
			a.upper = on
		case 'l':
			a.lower = on
		case 'n':
			a.nameref = on
			if a.export {
				a.export, a.unexport, a.nameref = false, true, false
			}
		case 'x':
			a.export, a.unexport = on, !on
		case 'g':
			a.global = on
		case 'p':
			a.print = on
		case 'f', 'F':
			a.functions = on
		}
	}
}

// declClause runs declare, local, export, readonly and typeset.
func (m *machine) declClause(x *syntax.DeclClause) flow {
	var a attributes
	switch x.Variant.Value {
	case "export":
		a.export = true
	case "local":
		a.local = true
	case "declare", "typeset", "nameref":
		a.local = m.functionFrame() != nil
		a.nameref = x.Variant.Value == "nameref"
	}
	m.substRan = false
	listed := false
	if a.functions {
		m.setStatus(0)
	}
	for _, arg := range x.Args {
		if arg.Name != nil {
			listed = true
			m.declare(a, arg)
			continue
		}
		for _, v := range m.fields([]*syntax.Word{arg.Value}) {
			s, ok := m.joined(v)
			if ok && len(s) > 1 && (s[0] == '-' || s[0] == '+') {
				a.option(s)
				continue
			}
			listed = true
			m.declareText(a, v)
		}
	}
	if !listed || a.print {
		m.say(m.unknown(ReasonUnsupported, x.Variant.Value+" listing"))
	}
	if !a.functions {
		m.setStatus(0)
	}
	return flowNext
}

// showFunction runs declare -f NAME, of which only the status matters.
func (m *machine) showFunction(name string) {
	if b := m.st.get(key{spaceFunc, name}); b == nil || b.v == nil {
		m.setStatus(1)
		return
	}
	m.say(m.text(name + "\n"))
}

// declare carries out one NAME, NAME=value or NAME=(...) of a declaration.
func (m *machine) declare(a attributes, arg *syntax.Assign) {
	name := arg.Name.Value
	if a.functions {
		m.showFunction(name)
		return
	}
	local := a.local && !a.global
	old := m.variable(name)
	if a.nameref {
		if b := m.st.get(key{spaceVar, name}); b != nil {
			old = b.v
		}
	}
	if local && (old == nil || m.st.get(key{spaceVar, name}).depth < m.fnDepth) {
		// The value is expanded before the name is hidden (local x="$x").
		v := m.declared(a, name, nil, arg)
		m.declareLocal(name, v)
		return
	}
	if arg.Index != nil && arg.Array == nil {
		m.assignment(arg)
		return
	}
	v := m.declared(a, name, old, arg)
	if v != nil {
		m.store(name, v)
	}
}

// declared returns the variable that a declaration makes of an old one.
func (m *machine) declared(a attributes, name string, old *variable, arg *syntax.Assign) *variable {
	v := &variable{}
	if old != nil {
		copied := *old
		v = &copied
	}
	a.apply(v)
	switch {
	case arg.Array != nil:
		filled := m.arrayValue(name, v, arg)
		a.apply(filled)
		return filled
	case arg.Naked && !arg.Append:
		return v
	}
	val := m.cased(v, m.appended(old, arg))
	v.set = true
	if v.kind == scalar {
		v.val = val
	} else {
		m.setElement(v, "0", 0, val)
	}
	return v
}

// apply sets the attributes of a variable.
func (a attributes) apply(v *variable) {
	v.exported = (v.exported || a.export) && !a.unexport
	v.integer = v.integer || a.integer
	v.upper = v.upper || a.upper
	v.lower = v.lower || a.lower
	v.nameref = v.nameref || a.nameref
	if (a.array || a.assoc) && v.kind == scalar {
		v.kind = indexed
		if a.assoc {
			v.kind = assoc
		}
		if v.set {
			v.elems = []Value{v.val}
			if v.kind == assoc {
				v.keys = []string{"0"}
			}
			v.val = Value{}
		}
		v.set = true
	}
}

// declareText carries out a declaration whose word is a value: export "$k=$v".
func (m *machine) declareText(a attributes, v Value) {
	if name, ok := m.joined(v); a.functions && ok {
		m.showFunction(name)
	}
	if len(v.segs) == 0 || a.functions {
		return
	}
	head := v.segs[0]
	if s, ok := m.joined(v); ok {
		head = Segment{Text: s, Origin: head.Origin}
	}
	if head.Unknown != nil {
		m.note(ReasonUnsupported, "a declaration of an unknown name")
		return
	}
	name, _, assigned := strings.Cut(head.Text, "=")
	if !validName(name) {
		return
	}
	lit := &syntax.Assign{Name: &syntax.Lit{Value: name}, Naked: true}
	m.declare(a, lit)
	if !assigned {
		return
	}
	if v.IsKnown() {
		m.assign(name, slice(v, len(name)+1, v.size))
		return
	}
	segs := append([]Segment(nil), v.segs...)
	segs[0].Text = segs[0].Text[len(name)+1:]
	m.assign(name, Value{segs: segs, size: v.size - len(name) - 1})
}

// unsetNames runs unset.
func (m *machine) unsetNames(argv []Value) {
	functions := false
	for _, v := range argv {
		s, ok := m.joined(v)
		switch {
		case !ok:
			m.note(ReasonUnsupported, "unset of an unknown name")
		case s == "-f":
			functions = true
		case strings.HasPrefix(s, "-"):
		case functions || m.peek(s) == nil && m.st.get(key{spaceFunc, s}) != nil:
			m.st.put(key{spaceFunc, s}, nil)
		case strings.HasSuffix(s, "]"):
			m.unsetElement(s)
		default:
			m.store(s, nil)
		}
	}
}

// unsetElement runs unset 'A[i]'.
func (m *machine) unsetElement(s string) {
	name, index, _ := strings.Cut(strings.TrimSuffix(s, "]"), "[")
	index = strings.Trim(index, `"'`)
	old := m.variable(name)
	if old == nil || old.kind == scalar {
		return
	}
	v := *old
	idx := indices(old)
	want := int64(-1)
	if v.kind == indexed {
		n := m.number64(m.text(index))
		want = n.n
		if want < 0 && len(idx) > 0 {
			want += int64(idx[len(idx)-1] + 1)
		}
	}
	v.elems, v.keys, v.at = nil, nil, nil
	for i, e := range old.elems {
		if old.kind == assoc && old.keys[i] == index || old.kind == indexed && int64(idx[i]) == want {
			continue
		}
		v.elems = append(v.elems, e)
		if old.kind == assoc {
			v.keys = append(v.keys, old.keys[i])
		} else {
			v.at = append(v.at, idx[i])
		}
	}
	m.store(name, &v)
}
