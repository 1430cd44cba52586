package shell

import (
	"strconv"
	"strings"
)

// variable returns what a name stands for, or nil when it is not set, and notes
// that its value counts.
func (m *machine) variable(name string) *variable {
	v := m.peek(name)
	v.counts()
	return v
}

// peek returns what a name stands for, for those who do not look at its value.
// Name references are followed a few times.
func (m *machine) peek(name string) *variable {
	for range 8 {
		b := m.st.get(key{spaceVar, name})
		if b == nil || b.v == nil {
			return nil
		}
		if !b.v.nameref {
			return b.v
		}
		target, ok := b.v.val.Known()
		if !ok || target == "" || !validName(target) {
			return b.v
		}
		name = target
	}
	return nil
}

// target follows name references for writing.
func (m *machine) target(name string) string {
	for range 8 {
		b := m.st.get(key{spaceVar, name})
		if b == nil || b.v == nil || !b.v.nameref {
			break
		}
		to, ok := b.v.val.Known()
		if !ok || !validName(to) {
			break
		}
		name = to
	}
	return name
}

// store replaces the visible binding of a variable; nil unsets it.
func (m *machine) store(name string, v *variable) {
	name = m.target(name)
	k := key{spaceVar, name}
	old := m.st.get(k)
	b := &binding{v: v}
	if old != nil {
		b.depth, b.outer = old.depth, old.outer
	}
	m.noteWrite(name, v)
	if v != nil && v.exported || old != nil && old.v != nil && old.v.exported {
		m.newEnv()
	}
	m.st.put(k, b)
}

// declareLocal hides a name in the current function.
func (m *machine) declareLocal(name string, v *variable) {
	k := key{spaceVar, name}
	old := m.st.get(k)
	b := &binding{depth: m.fnDepth, v: v, outer: old}
	if old != nil && old.depth >= m.fnDepth {
		b.outer = old.outer
	}
	if f := m.functionFrame(); f != nil {
		f.locals = append(f.locals, name)
	}
	m.noteWrite(name, v)
	if b.exported() || old.exported() {
		m.newEnv()
	}
	m.st.put(k, b)
}

// dropLocals removes the bindings of the function that ends.
func (m *machine) dropLocals(f *frame) {
	for _, name := range f.locals {
		k := key{spaceVar, name}
		b := m.st.get(k)
		had := b.exported()
		for b != nil && b.depth >= m.fnDepth {
			b = b.outer
		}
		if had || b.exported() {
			m.newEnv()
		}
		m.st.put(k, b)
	}
}

// assign sets a scalar, or element 0 of an array, as NAME=value does.
func (m *machine) assign(name string, val Value) {
	old := m.peek(name)
	v := variable{set: true}
	if old != nil {
		v = *old
		v.set = true
	}
	if v.kind == scalar {
		v.from = nil
	}
	val = m.cased(&v, val)
	if v.kind == scalar {
		v.val = val
	} else {
		m.setElement(&v, "0", 0, val)
	}
	if m.flag("a") {
		v.exported = true
	}
	m.store(name, &v)
}

// cased applies the attributes of a variable to a new value.
func (m *machine) cased(v *variable, val Value) Value {
	switch {
	case v.integer:
		return m.arithText(val)
	case v.upper:
		return m.apply(val, "upper case", strings.ToUpper)
	case v.lower:
		return m.apply(val, "lower case", strings.ToLower)
	}
	return val
}

// setElement replaces or adds one element in a copy of the elements.
func (m *machine) setElement(v *variable, k string, i int, val Value) {
	m.step(1 + len(v.elems)/8)
	elems := append(make([]Value, 0, len(v.elems)+1), v.elems...)
	if v.kind == assoc {
		for j := range v.keys {
			if v.keys[j] == k {
				elems[j] = val
				v.elems = elems
				return
			}
		}
		v.keys = append(append([]string(nil), v.keys...), k)
		v.elems = append(elems, val)
		return
	}
	at := v.at
	if at == nil && i == len(elems) {
		v.elems = append(elems, val)
		return
	}
	if at == nil && i < len(elems) {
		elems[i] = val
		v.elems = elems
		return
	}
	idx := indices(v)
	j := 0
	for j < len(idx) && idx[j] < i {
		j++
	}
	if j < len(idx) && idx[j] == i {
		elems[j] = val
		v.elems = elems
		return
	}
	v.elems = append(elems[:j:j], append([]Value{val}, elems[j:]...)...)
	v.at = append(idx[:j:j], append([]int{i}, idx[j:]...)...)
}

// indices returns the indices of an indexed array.
func indices(v *variable) []int {
	if v.at != nil {
		return v.at
	}
	idx := make([]int, len(v.elems))
	for i := range idx {
		idx[i] = i
	}
	return idx
}

// element returns one element of a variable; ok is false when it is not set.
// A scalar is its own element 0.
func (m *machine) element(v *variable, k string) (val Value, ok bool) {
	if v == nil || !v.set {
		return Value{}, false
	}
	if v.kind == assoc {
		for j := range v.keys {
			if v.keys[j] == k {
				return v.elems[j], true
			}
		}
		return Value{}, false
	}
	i, err := strconv.Atoi(k)
	if err != nil {
		return Value{}, false
	}
	if v.kind == scalar {
		return v.val, i == 0 || i == -1
	}
	return m.indexed(v, i)
}

// indexed returns element i of an indexed array; negative counts from the end.
func (m *machine) indexed(v *variable, i int) (Value, bool) {
	for j, e := range v.elems {
		if e.Words() && (i < 0 || j <= i) {
			return m.derived("element of a list", e), true
		}
	}
	if v.at == nil {
		if i < 0 {
			i += len(v.elems)
		}
		if i < 0 || i >= len(v.elems) {
			return Value{}, false
		}
		return v.elems[i], true
	}
	if i < 0 && len(v.at) > 0 {
		i += v.at[len(v.at)-1] + 1
	}
	for j, n := range v.at {
		if n == i {
			return v.elems[j], true
		}
	}
	return Value{}, false
}

// scalarOf returns what $name is: the value, or element 0 of an array.
func (m *machine) scalarOf(v *variable) (Value, bool) {
	if v == nil || !v.set {
		return Value{}, false
	}
	if v.kind == scalar {
		return v.val, true
	}
	return m.element(v, "0")
}

// validName reports whether s is the name of a variable.
func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// args returns the positional parameters.
func (m *machine) args() []Value {
	if b := m.st.get(keyArgs); b != nil && b.v != nil {
		return b.v.elems
	}
	return nil
}

// setArgs replaces the positional parameters of the current function or
// script.
func (m *machine) setArgs(list []Value) {
	old := m.st.get(keyArgs)
	b := &binding{v: &variable{kind: indexed, set: true, elems: list}}
	if old != nil {
		b.depth, b.outer = old.depth, old.outer
	}
	m.st.put(keyArgs, b)
}

// hostNames are set on every machine, each its own way.
var hostNames = []string{"HOME", "PATH", "USER", "LOGNAME", "HOSTNAME", "SHELL", "LD_LIBRARY_PATH", "PYTHONPATH"}

// special returns the value of a parameter that the shell itself sets.
func (m *machine) special(name string) (Value, bool) {
	switch name {
	case "?":
		if u := m.st.status.unknown; u != nil {
			return Unknowable(*u), true
		}
		return m.text(strconv.Itoa(m.st.status.code)), true
	case "#":
		args := m.args()
		if anyWords(args) {
			return m.number(ReasonDerived, "number of arguments"), true
		}
		return m.text(strconv.Itoa(len(args))), true
	case "0":
		return m.args0, true
	case "$", "BASHPID", "PPID":
		return m.number(ReasonHost, "process id"), true
	case "!":
		if v := m.variable("!"); v != nil {
			return v.val, true
		}
		return Value{}, false
	case "-":
		v, _ := m.entry(keyFlags)
		return v, true
	case "PWD":
		return m.dir(), true
	case "LINENO":
		return m.text(strconv.Itoa(m.at.Line)), true
	case "BASH_VERSION":
		return m.unknown(ReasonHost, name), true
	case "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME":
		if m.variable(name) == nil {
			return m.number(ReasonClock, name), true
		}
	case "UID", "EUID":
		return m.number(ReasonHost, name), true
	}
	return Value{}, false
}

// stackArray returns BASH_SOURCE, FUNCNAME and the like.
func (m *machine) stackArray(name string) (*variable, bool) {
	if name != "BASH_SOURCE" && name != "FUNCNAME" && name != "BASH_LINENO" {
		return nil, false
	}
	v := &variable{kind: indexed, set: true}
	for i := len(m.stack) - 1; i >= 0; i-- {
		c := m.stack[i]
		switch name {
		case "BASH_SOURCE":
			v.elems = append(v.elems, c.name)
		case "BASH_LINENO":
			v.elems = append(v.elems, m.text(strconv.Itoa(c.at.Line)))
		default:
			v.elems = append(v.elems, m.text(c.fn))
		}
	}
	return v, true
}
