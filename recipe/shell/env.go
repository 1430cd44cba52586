package shell

import (
	"maps"
	"slices"
)

// environment returns what the exported environment has other than at the
// start, sorted by name. It is computed once while nothing changes.
func (m *machine) environment() []Assignment {
	if m.envFor == m.st.env {
		return m.envList
	}
	m.step(len(m.envNames) / 8)
	var list []Assignment
	for _, name := range m.envOrder() {
		v := m.variable(name)
		was, had := m.start[name]
		if v == nil || !v.exported || !v.set {
			if had {
				list = append(list, Assignment{Name: name, Unset: true})
			}
			continue
		}
		val, ok := m.scalarOf(v)
		if !ok || v.kind != scalar || had && (sameSegments(val, was) || val.Equal(was)) {
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

func sameSegments(a, b Value) bool {
	return len(a.segs) == len(b.segs) && (len(a.segs) == 0 || &a.segs[0] == &b.segs[0])
}

// envOrder returns the names that were ever exported, sorted.
func (m *machine) envOrder() []string {
	if len(m.envSorted) != len(m.envNames) {
		m.envSorted = slices.Sorted(maps.Keys(m.envNames))
	}
	return m.envSorted
}

// variableNames returns the names of the set variables, sorted.
func (m *machine) variableNames() []string {
	seen := make(map[string]struct{})
	for s := m.st; s != nil; s = s.base {
		m.step(1 + len(s.vars)/4)
		for k := range s.vars {
			if k.space == spaceVar && validName(k.name) {
				seen[k.name] = struct{}{}
			}
		}
	}
	var names []string
	for name := range seen {
		if v := m.variable(name); v != nil && v.set {
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
	for _, name := range m.envOrder() {
		if v := m.variable(name); v != nil && v.exported && v.kind == scalar && !with.fresh {
			s.put(key{spaceVar, name}, &binding{v: v})
		}
	}
	for _, name := range hostNames {
		if v := m.start[name]; with.fresh && !v.IsKnown() {
			s.put(key{spaceVar, name}, &binding{v: &variable{set: true, exported: true, val: v}})
		}
	}
	for _, p := range with.assigns {
		if p.Unset {
			s.put(key{spaceVar, p.Name}, &binding{})
			continue
		}
		s.put(key{spaceVar, p.Name}, &binding{v: &variable{set: true, exported: true, val: p.Value}})
		m.envNames[p.Name] = struct{}{}
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
