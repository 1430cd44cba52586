package shell

// join makes one state of several that all stand on base. The result is base
// itself when nothing else stands on it, a layer on it otherwise. Entries that
// differ become unknown.
func (m *machine) join(detail string, base *state, states []*state) *state {
	if len(states) == 1 && states[0] == base {
		return base
	}
	into := base
	if base.pins > 0 {
		into = newState(base)
	}
	var keys layer
	for _, s := range states {
		s.changed(base, &keys)
	}
	m.step(1 + keys.size()*len(states)/8)
	st := states[0].status
	for _, s := range states[1:] {
		st = joinStatus(st, s.status)
	}
	merged := make([]entry, 0, keys.size())
	keys.each(func(k key) {
		b := states[0].get(k)
		for _, s := range states[1:] {
			b = m.joinBinding(k, b, s.get(k))
		}
		merged = append(merged, entry{k, b})
	})
	for _, e := range merged {
		into.put(e.key, e.binding)
	}
	into.status = st
	into.env = states[0].env
	for _, s := range states[1:] {
		if s.env != states[0].env {
			m.envs++
			into.env = m.envs
			break
		}
	}
	return into
}

func joinStatus(a, b status) status {
	switch {
	case a.unknown != nil:
		return a
	case b.unknown != nil:
		return b
	case a.code != b.code:
		return status{unknown: &Unknown{Reason: ReasonJoin, Detail: "status"}}
	}
	return a
}

func (m *machine) joinBinding(k key, a, b *binding) *binding {
	switch {
	case a == b:
		return a
	case a == nil:
		a = &binding{depth: b.depth}
	case b == nil:
		b = &binding{depth: a.depth}
	case a.depth > b.depth: // where it is not hidden, the outer one shows
		b = &binding{depth: a.depth, v: b.v, outer: b}
	case b.depth > a.depth:
		a = &binding{depth: b.depth, v: a.v, outer: a}
	}
	outer := a.outer
	if a.outer != b.outer {
		outer = m.joinBinding(k, a.outer, b.outer)
	}
	return &binding{depth: a.depth, v: m.joinVariable(k, a.v, b.v), outer: outer}
}

func (m *machine) joinVariable(k key, a, b *variable) *variable {
	switch {
	case a == b:
		return a
	case k.space == spaceFunc:
		if a == nil {
			return b
		}
		return a
	case a == nil || b == nil || !a.set || !b.set:
		return m.joinUnset(k, a, b)
	}
	a.counts()
	b.counts()
	v := *a
	v.exported = a.exported || b.exported
	v.partly = a.partly || b.partly
	switch {
	case a.kind == scalar && b.kind == scalar:
		v.val = m.joinValue(k.name, a.val, b.val)
	case a.kind == assoc && b.kind == assoc:
		m.joinAssoc(k.name, &v, a, b)
	default:
		v.kind = indexed
		v.at, v.keys = nil, nil
		v.elems = m.joinElems(k.name, elements(a), elements(b))
	}
	return &v
}

// joinUnset joins a variable with its absence.
func (m *machine) joinUnset(k key, a, b *variable) *variable {
	one := a
	if one == nil || !one.set {
		one = b
	}
	if one == nil || !one.set {
		return one
	}
	one.counts()
	v := *one
	switch {
	case k.space == spaceFile:
		v.partly = true
	case k.space == spaceOut || k.space == spaceIn:
		v.val = m.joinValue(k.name, Value{}, one.val)
	case v.kind == scalar:
		u := Unknown{Reason: ReasonJoin, Detail: k.name, Origin: m.at, Unset: true}
		if all, _, ok := distinct([]Value{one.val}); ok {
			u.Alternatives = all
		}
		v.val = Unknowable(u)
	default:
		v.elems = m.joinElems(k.name, nil, elements(one))
		v.at, v.keys, v.kind = nil, nil, indexed
	}
	return &v
}

// elements returns a variable as the list of its elements.
func elements(v *variable) []Value {
	switch {
	case v == nil || !v.set:
		return nil
	case v.kind == scalar:
		return []Value{v.val}
	}
	return v.elems
}

// joinAssoc joins two associative arrays key by key.
func (m *machine) joinAssoc(name string, into, a, b *variable) {
	into.keys, into.elems = nil, nil
	add := func(k string, v Value) {
		into.keys, into.elems = append(into.keys, k), append(into.elems, v)
	}
	find := func(v *variable, k string) (Value, bool) {
		for i := range v.keys {
			if v.keys[i] == k {
				return v.elems[i], true
			}
		}
		return Value{}, false
	}
	maybe := func(v Value) Value {
		return Unknowable(Unknown{Reason: ReasonJoin, Detail: name, Origin: m.at, Unset: true, Alternatives: []Value{v}})
	}
	m.step(len(a.keys) * (1 + len(b.keys)/64))
	for i, k := range a.keys {
		if w, ok := find(b, k); ok {
			add(k, m.joinValue(name, a.elems[i], w))
		} else {
			add(k, maybe(a.elems[i]))
		}
	}
	for i, k := range b.keys {
		if _, ok := find(a, k); !ok {
			add(k, maybe(b.elems[i]))
		}
	}
}

// joinElems keeps what two lists have in common at both ends; what is between
// becomes one element for any number of words.
func (m *machine) joinElems(name string, a, b []Value) []Value {
	m.step((len(a) + len(b)) / 16)
	head := 0
	for head < len(a) && head < len(b) && a[head].Equal(b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail].Equal(b[len(b)-1-tail]) {
		tail++
	}
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(midA) == 0 && len(midB) == 0 {
		return a
	}
	out := append([]Value(nil), a[:head]...)
	if len(midA) == len(midB) && !anyWords(midA) && !anyWords(midB) {
		for i := range midA {
			out = append(out, m.joinValue(name, midA[i], midB[i]))
		}
	} else {
		u := Unknown{Reason: ReasonJoin, Detail: name, Origin: m.at, Shape: ShapeWords}
		u.Alternatives, _, _ = distinct(append(m.asLists(midA), m.asLists(midB)...))
		out = append(out, Unknowable(u))
	}
	return append(out, a[len(a)-tail:]...)
}

func anyWords(list []Value) bool {
	for _, v := range list {
		if v.Words() {
			return true
		}
	}
	return false
}

// asLists returns the alternatives that a middle part stands for, each as one
// text with spaces between the words.
func (m *machine) asLists(words []Value) []Value {
	if len(words) == 1 && len(words[0].segs) == 1 && words[0].Words() {
		if all := words[0].segs[0].Unknown.Alternatives; len(all) > 0 {
			return all
		}
	}
	parts := make([]Value, 0, 2*len(words))
	for i, w := range words {
		if i > 0 {
			parts = append(parts, m.text(" "))
		}
		parts = append(parts, w)
	}
	return []Value{m.concat(parts...)}
}

// joinValue joins two values; words that both have at their ends are kept.
func (m *machine) joinValue(name string, a, b Value) Value {
	if a.Equal(b) {
		return a
	}
	k := 0
	for k < len(a.segs) && k < len(b.segs) && a.segs[k].Text == b.segs[k].Text && a.segs[k].Unknown.same(b.segs[k].Unknown) {
		k++
	}
	if k > 0 {
		if head, restA, restB := cutSegments(a, b, k); !headGlued(head, restA, restB) {
			return m.concat(head, m.joinValue(name, restA, restB))
		}
	}
	s, okS := m.joined(a)
	t, okT := m.joined(b)
	if !okS || !okT || len(s)+len(t) < 16 {
		return m.either(name, a, b)
	}
	head, tail := commonWords(s, t)
	if head == 0 && tail == 0 {
		return m.either(name, a, b)
	}
	mid := m.either(name, slice(a, head, len(s)-tail), slice(b, head, len(t)-tail))
	return m.concat(slice(a, 0, head), mid, slice(a, len(s)-tail, len(s)))
}

// cutSegments cuts the first k segments off two values that share them.
func cutSegments(a, b Value, k int) (head, restA, restB Value) {
	n := 0
	for _, s := range a.segs[:k] {
		n += len(s.Text)
	}
	return Value{segs: a.segs[:k:k], size: n}, Value{segs: a.segs[k:], size: a.size - n}, Value{segs: b.segs[k:], size: b.size - n}
}

// headGlued reports whether a cut would go through a word.
func headGlued(head, a, b Value) bool {
	if last := head.segs[len(head.segs)-1]; last.Unknown != nil || blank(last.Text[len(last.Text)-1]) {
		return last.Unknown != nil
	}
	for _, v := range []Value{a, b} {
		if len(v.segs) > 0 && (v.segs[0].Unknown != nil || !blank(v.segs[0].Text[0])) {
			return true
		}
	}
	return false
}

// commonWords returns how many bytes two texts share at their start and end,
// whole words only.
func commonWords(s, t string) (head, tail int) {
	n := min(len(s), len(t))
	i := 0
	for i < n && s[i] == t[i] {
		i++
	}
	for head = i; head > 0 && !blank(s[head-1]) && !(head == len(s) && head < len(t) && blank(t[head])) &&
		!(head == len(t) && head < len(s) && blank(s[head])); {
		head--
	}
	i = 0
	for i < n-head && s[len(s)-1-i] == t[len(t)-1-i] {
		i++
	}
	for tail = i; tail > 0 && !blank(s[len(s)-tail]); {
		tail--
	}
	return head, tail
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }
