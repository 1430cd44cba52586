package shell

import (
	"slices"
)

// environment returns what the exported environment has other than at the
// start, sorted by name. It is computed once while nothing changes.
func (m *machine) environment() []Assignment {
	if m.envFor == m.st.env {
		return m.envList
	}
	m.step((m.start.size() + m.added) / 8)
	var list []Assignment
	for _, name := range m.envOrder(m.st.start == nil) {
		v := m.peek(name)
		g := m.start.of(name)
		if v == nil || !v.exported || !v.set {
			if g != nil {
				list = append(list, Assignment{Name: name, Unset: true})
			}
			continue
		}
		if g != nil && v == &g.variable {
			continue
		}
		g.counts()
		v.counts()
		val, ok := m.scalarOf(v)
		if !ok || v.kind != scalar || g != nil && (sameSegments(val, g.variable.val) || val.Equal(g.variable.val)) {
			continue
		}
		list = append(list, Assignment{Name: name, Value: val})
	}
	m.envFor, m.envList = m.st.env, slices.Clip(list)
	return m.envList
}

// newEnv notes that the exported environment of the present state changed.
func (m *machine) newEnv() {
	m.envs++
	m.st.env = m.envs
}

// noteWrite notes that a variable is written, if that may change the exported
// environment.
func (m *machine) noteWrite(name string, v *variable) {
	_, of := m.start.value(name)
	if _, known := m.touched[name]; known || !of && (v == nil || !v.exported) {
		return
	}
	if !of {
		m.added++
	}
	m.touched[name] = struct{}{}
	at, _ := slices.BinarySearch(m.sorted, name)
	m.sorted = slices.Insert(m.sorted, at, name)
}

func sameSegments(a, b Value) bool {
	return len(a.segs) == len(b.segs) && (len(a.segs) == 0 || &a.segs[0] == &b.segs[0])
}

// envOrder returns the names whose exported value may be another than at the
// start, sorted: those written, or all in a shell that did not get the start.
func (m *machine) envOrder(all bool) []string {
	if !all {
		return m.sorted
	}
	names := append(m.start.names(), m.sorted...)
	slices.Sort(names)
	return slices.Compact(names)
}

// variableNames returns the names of the set variables, sorted.
func (m *machine) variableNames() []string {
	seen := make(map[string]struct{})
	for s := m.st; s != nil; s = s.base {
		m.step(1 + s.vars.size()/4)
		s.vars.each(func(k key) {
			if k.space == spaceVar && validName(k.name) {
				seen[k.name] = struct{}{}
			}
		})
	}
	if m.st.start != nil {
		m.step(1 + m.start.size()/4)
		for _, name := range m.start.names() {
			if validName(name) {
				seen[name] = struct{}{}
			}
		}
	}
	var names []string
	for name := range seen {
		if v := m.peek(name); v != nil && v.set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// freshShell makes the state of a new shell process: exported variables only.
func (m *machine) freshShell(with start, args []Value) *state {
	s := newState(nil)
	s.cond, s.status = m.st.cond, status{}
	m.envs++
	s.env = m.envs
	if !with.fresh {
		m.inherit(s)
	}
	for _, name := range hostNames {
		if !with.fresh {
			break
		}
		g := m.start.of(name)
		if g.counts(); !g.variable.val.IsKnown() {
			s.put(key{spaceVar, name}, &binding{v: &variable{set: true, exported: true, val: g.variable.val}})
		}
	}
	for _, p := range with.assigns {
		if p.Unset {
			m.noteWrite(p.Name, nil)
			s.put(key{spaceVar, p.Name}, &binding{})
			continue
		}
		v := &variable{set: true, exported: true, val: p.Value}
		m.noteWrite(p.Name, v)
		s.put(key{spaceVar, p.Name}, &binding{v: v})
	}
	for path := range m.written {
		k := key{spaceFile, path}
		if b := m.st.get(k); b != nil {
			s.put(k, b)
		}
	}
	for _, n := range [2]int{m.sink, m.errSink} {
		if n >= 0 {
			s.put(keyOut(n), m.st.get(keyOut(n)))
		}
	}
	if m.input > 0 {
		s.put(keyIn(m.input), m.st.get(keyIn(m.input)))
	}
	s.put(keyDir, m.st.get(keyDir))
	s.put(keyArgs, &binding{v: &variable{kind: indexed, set: true, elems: args}})
	return s
}

// inherit gives a new shell the exported variables of the present one.
func (m *machine) inherit(s *state) {
	s.start = m.st.start
	for _, name := range m.envOrder(s.start == nil) {
		b := (*binding)(nil) // not there, also where the start has it
		if v := m.peek(name); v != nil && v.exported && v.kind == scalar {
			b = &binding{v: v}
		}
		s.put(key{spaceVar, name}, b)
	}
}
