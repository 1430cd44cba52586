package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// listIndex returns "@" or "*" when an index is one of them.
func listIndex(x syntax.ArithmExpr) string {
	w, ok := x.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return ""
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if ok && (lit.Value == "@" || lit.Value == "*") {
		return lit.Value
	}
	return ""
}

// paramList evaluates the expansions that give a list: $@, ${A[@]}, ${!A[@]},
// ${!prefix@} and their operators. star says that they were written with *.
func (m *machine) paramList(x *syntax.ParamExp) (list []Value, star, ok bool) {
	if x.Param == nil || x.Length {
		return nil, false, false
	}
	name := x.Param.Value
	if x.Names != 0 {
		return m.namesWith(name), x.Names == syntax.NamesPrefix, true
	}
	mark := listIndex(x.Index)
	if name == "@" || name == "*" {
		mark = name
	}
	if mark == "" {
		return nil, false, false
	}
	star = mark == "*"
	v := m.listOf(name)
	if x.Excl {
		return m.keysOf(v), star, true
	}
	list = elements(v)
	switch {
	case x.Slice != nil:
		list = m.sliceList(name, v, list, x.Slice)
	case x.Exp != nil:
		list = m.listDefault(x, list)
	case x.Repl != nil:
		list = m.mapList(list, func(e Value) Value { return m.replace(x.Repl, e) })
	}
	return list, star, true
}

// listOf returns the variable behind $@ or an array name.
func (m *machine) listOf(name string) *variable {
	if name == "@" || name == "*" {
		return &variable{kind: indexed, set: true, elems: m.args()}
	}
	if v, ok := m.stackArray(name); ok {
		return v
	}
	return m.variable(name)
}

func (m *machine) mapList(list []Value, f func(Value) Value) []Value {
	m.spend(32 * len(list))
	out := make([]Value, len(list))
	for i, e := range list {
		m.step(1)
		if e.Words() {
			out[i] = e
			continue
		}
		out[i] = f(e)
	}
	return out
}

// keysOf returns ${!A[@]}.
func (m *machine) keysOf(v *variable) []Value {
	if v == nil || !v.set {
		return nil
	}
	var out []Value
	if v.kind == assoc {
		for _, k := range v.keys {
			out = append(out, m.text(k))
		}
		return out
	}
	if anyWords(v.elems) {
		return []Value{Unknowable(Unknown{Reason: ReasonDerived, Detail: "indices", Origin: m.at, Shape: ShapeWords})}
	}
	if v.kind == scalar {
		return []Value{m.text("0")}
	}
	m.spend(32 * len(v.elems))
	for _, i := range indices(v) {
		out = append(out, m.text(strconv.Itoa(i)))
	}
	return out
}

// namesWith returns the set variables whose names start with a prefix.
func (m *machine) namesWith(prefix string) []Value {
	var out []Value
	for _, name := range m.variableNames() {
		if strings.HasPrefix(name, prefix) {
			out = append(out, m.text(name))
		}
	}
	return out
}

// sliceList evaluates ${A[@]:offset:length}.
func (m *machine) sliceList(name string, v *variable, list []Value, s *syntax.Slice) []Value {
	off := m.arith(s.Offset)
	length := num{known: true, n: 1 << 40}
	if s.Length != nil {
		length = m.arith(s.Length)
	}
	if !off.known || !length.known || anyWords(list) && (off.n < 0 || s.Length != nil) {
		return []Value{Unknowable(Unknown{Reason: ReasonDerived, Detail: "part of a list", Origin: m.at, Shape: ShapeWords})}
	}
	from := off.n
	if name == "@" || name == "*" {
		if from == 0 {
			list = append([]Value{m.args0}, list...)
		} else if from > 0 {
			from--
		}
	}
	n := int64(len(list))
	if v != nil && v.at != nil {
		k := int64(0)
		for k < n && int64(v.at[k]) < from {
			k++
		}
		from = k
	}
	if from < 0 {
		from += n
	}
	if from < 0 || from > n || length.n < 0 {
		return nil
	}
	to := min(n, from+min(length.n, n))
	for i := int64(0); i < from; i++ {
		if list[i].Words() {
			return []Value{Unknowable(Unknown{Reason: ReasonDerived, Detail: "part of a list", Origin: m.at, Shape: ShapeWords})}
		}
	}
	return list[from:to]
}

// listDefault evaluates operators on a list: the defaults count for the whole
// list, the others for each element.
func (m *machine) listDefault(x *syntax.ParamExp, list []Value) []Value {
	empty := len(list) == 0
	switch x.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if empty {
			return m.fields([]*syntax.Word{x.Exp.Word})
		}
		return list
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if empty {
			return nil
		}
		if len(list) == 1 && list[0].Words() {
			words := m.fields([]*syntax.Word{x.Exp.Word})
			return m.joinElems("list", nil, words)
		}
		return m.fields([]*syntax.Word{x.Exp.Word})
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return list
	}
	return m.mapList(list, func(e Value) Value { return m.operator(x, e, true, false) })
}

// param evaluates an expansion to one value.
func (m *machine) param(x *syntax.ParamExp, quoted bool) Value {
	m.step(1)
	if x.Param == nil {
		return m.unknown(ReasonUnsupported, "this expansion")
	}
	if x.Length {
		return m.length(x)
	}
	if v, ok := m.hole(x); ok {
		return v
	}
	if list, star, ok := m.paramList(x); ok {
		return m.joinList(list, star && quoted)
	}
	v, set := m.read(x)
	if x.Excl {
		return m.indirect(x, v, quoted)
	}
	return m.finishParam(x, v, set, quoted)
}

func (m *machine) finishParam(x *syntax.ParamExp, v Value, set, quoted bool) Value {
	switch {
	case x.Slice != nil:
		return m.substring(v, x.Slice)
	case x.Repl != nil:
		return m.replace(x.Repl, v)
	case x.Exp != nil:
		return m.operator(x, v, set, quoted)
	case !set && v.size == 0 && len(v.segs) == 0 && m.flag("u") && validName(x.Param.Value):
		m.note(ReasonUnset, x.Param.Value)
	}
	return v
}

// read returns the parameter or element that an expansion names.
func (m *machine) read(x *syntax.ParamExp) (Value, bool) {
	name := x.Param.Value
	if n, ok := position(name); ok && n > 0 {
		args := m.args()
		for i := 0; i < len(args) && i < n; i++ {
			if args[i].Words() {
				u := *m.derived("argument", args[i]).segs[0].Unknown
				u.Unset = true
				return Unknowable(u), true
			}
		}
		if n <= len(args) {
			return args[n-1], true
		}
		return Value{}, false
	}
	if v, ok := m.special(name); ok {
		return v, true
	}
	v := m.listOf(name)
	if x.Index == nil {
		return m.scalarOf(v)
	}
	k, ok := m.subscript(v, x.Index)
	if !ok {
		return m.derived("element of "+name, elements(v)...), v != nil
	}
	return m.element(v, k)
}

// position returns the number of a positional parameter. Most names are none:
// they are told apart without an error being made.
func position(name string) (int, bool) {
	if name == "" || name[0] != '+' && name[0] != '-' && (name[0] < '0' || name[0] > '9') {
		return 0, false
	}
	n, err := strconv.Atoi(name)
	return n, err == nil
}

// indirect evaluates ${!name} with its operators.
func (m *machine) indirect(x *syntax.ParamExp, name Value, quoted bool) Value {
	s, ok := m.joined(name)
	if !ok {
		return m.derived("indirect name", name)
	}
	base, index, isElement := strings.Cut(strings.TrimSuffix(s, "]"), "[")
	var v Value
	set := false
	switch {
	case isElement && (index == "@" || index == "*"):
		return m.joinList(elements(m.listOf(base)), false)
	case isElement:
		v, set = m.element(m.variable(base), index)
	default:
		pe := syntax.ParamExp{Dollar: x.Dollar, Param: &syntax.Lit{ValuePos: x.Param.ValuePos, Value: s}}
		v, set = m.read(&pe)
	}
	return m.finishParam(x, v, set, quoted)
}

// joinList joins a list with spaces, or with the first character of IFS.
func (m *machine) joinList(list []Value, star bool) Value {
	sep := " "
	if ifs, ok := m.scalarOf(m.variable("IFS")); ok && star {
		if s, known := ifs.Known(); known {
			sep = s[:min(1, len(s))]
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	parts := make([]Value, 0, 2*len(list))
	for i, v := range list {
		if i > 0 {
			parts = append(parts, m.text(sep))
		}
		parts = append(parts, v)
	}
	return m.concat(parts...)
}

// length evaluates ${#x} and ${#A[@]}.
func (m *machine) length(x *syntax.ParamExp) Value {
	name := x.Param.Value
	if name == "@" || name == "*" || listIndex(x.Index) != "" {
		list := elements(m.listOf(name))
		if anyWords(list) {
			return m.number(ReasonDerived, "length of a list")
		}
		return m.text(strconv.Itoa(len(list)))
	}
	v, _ := m.read(x)
	return m.apply(v, "length", func(s string) string { return strconv.Itoa(utf8.RuneCountInString(s)) })
}

// substring evaluates ${x:offset:length}.
func (m *machine) substring(v Value, sl *syntax.Slice) Value {
	off := m.arith(sl.Offset)
	length := num{known: true, n: 1 << 40}
	if sl.Length != nil {
		length = m.arith(sl.Length)
	}
	if !off.known || !length.known {
		return m.derived("part of a text", v, off.asValue(m), length.asValue(m))
	}
	return m.apply(v, "part of a text", func(s string) string {
		m.step(len(s) / 16)
		r := []rune(s)
		n := int64(len(r))
		from := off.n
		if from < 0 {
			from += n
		}
		if from < 0 || from > n {
			return ""
		}
		to := n
		if length.n < 0 {
			to = n + length.n
		} else {
			to = min(n, from+min(length.n, n))
		}
		if to <= from {
			return ""
		}
		return string(r[from:to])
	})
}
