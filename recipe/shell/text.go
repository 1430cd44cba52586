package shell

import "strings"

// maxSegments is the number of segments above which a value is compacted:
// neighbouring known texts are joined, keeping the first origin.
const maxSegments = 64

// joined returns the known text of a value like Known, and pays for it.
func (m *machine) joined(v Value) (string, bool) {
	if len(v.segs) > 1 && v.IsKnown() {
		m.spend(v.size)
	}
	return v.Known()
}

// concat returns the values one behind the other.
func (m *machine) concat(parts ...Value) Value {
	size, segs := 0, 0
	only := -1
	for i, p := range parts {
		size += p.size
		segs += len(p.segs)
		if len(p.segs) > 0 {
			if only = i; segs > len(p.segs) {
				only = -2
			}
		}
	}
	switch {
	case segs == 0:
		return Value{}
	case size > m.limits.ValueBytes:
		return m.limited("value bytes")
	case only >= 0:
		return parts[only]
	}
	m.spend(segs * 64)
	out := make([]Segment, 0, segs)
	for _, p := range parts {
		out = append(out, p.segs...)
	}
	v := Value{segs: out, size: size}
	if segs > maxSegments {
		v = m.compact(v)
	}
	return v
}

// compact joins neighbouring known segments.
func (m *machine) compact(v Value) Value {
	m.spend(v.size)
	var out []Segment
	for i := 0; i < len(v.segs); {
		if v.segs[i].Unknown != nil {
			out = append(out, v.segs[i])
			i++
			continue
		}
		j, n := i, 0
		for ; j < len(v.segs) && v.segs[j].Unknown == nil; j++ {
			n += len(v.segs[j].Text)
		}
		var b strings.Builder
		b.Grow(n)
		for k := i; k < j; k++ {
			b.WriteString(v.segs[k].Text)
		}
		out = append(out, Segment{Text: b.String(), Origin: v.segs[i].Origin})
		i = j
	}
	if len(out) > 4*maxSegments {
		u := out[0].Unknown
		for i := range out {
			if out[i].Unknown != nil {
				u = out[i].Unknown
			}
		}
		return m.derived("many unknown parts", Unknowable(*u))
	}
	return Value{segs: out, size: v.size}
}

// slice returns the bytes from i to j of a known value with their origins.
func slice(v Value, i, j int) Value {
	var out Value
	at := 0
	for _, s := range v.segs {
		from, to := max(i-at, 0), min(j-at, len(s.Text))
		if from < to {
			out.segs = append(out.segs, Segment{Text: s.Text[from:to], Origin: s.Origin})
			out.size += to - from
		}
		at += len(s.Text)
	}
	return out
}

// trimLines removes final line ends, as a command substitution does.
func trimLines(v Value) Value {
	n := len(v.segs)
	if n > 0 && v.segs[n-1].Unknown != nil && len(v.segs[n-1].Unknown.Alternatives) > 0 {
		u := *v.segs[n-1].Unknown
		u.Alternatives = make([]Value, len(u.Alternatives))
		for i, a := range v.segs[n-1].Unknown.Alternatives {
			u.Alternatives[i] = trimLines(a)
		}
		segs := append([]Segment(nil), v.segs...)
		segs[n-1].Unknown = &u
		return Value{segs: segs, size: v.size}
	}
	for n > 0 && v.segs[n-1].Unknown == nil {
		s := v.segs[n-1]
		t := strings.TrimRight(s.Text, "\n")
		if t == s.Text {
			break
		}
		out := Value{segs: append([]Segment(nil), v.segs[:n-1]...), size: v.size - len(s.Text)}
		if t != "" {
			out.segs = append(out.segs, Segment{Text: t, Origin: s.Origin})
			out.size += len(t)
			return out
		}
		v, n = out, n-1
	}
	return v
}

// firstOrigin returns where the value starts, or where we are.
func (m *machine) firstOrigin(v Value) Origin {
	for _, s := range v.segs {
		if s.Origin != (Origin{}) {
			return s.Origin
		}
	}
	return m.at
}

// text returns a known value written here.
func (m *machine) text(s string) Value { return Text(s, m.at) }

// derived returns the unknown result of an operation on unknown values.
func (m *machine) derived(how string, from ...Value) Value {
	u := Unknown{Reason: ReasonDerived, Detail: how, Origin: m.at}
	for _, v := range from {
		for _, s := range v.segs {
			if s.Unknown != nil && s.Unknown.Reason != ReasonDerived {
				u = Unknown{Reason: s.Unknown.Reason, Detail: s.Unknown.Detail, Origin: s.Unknown.Origin}
				return Unknowable(u)
			}
		}
	}
	return Unknowable(u)
}

// maxAlternatives bounds the values an unknown lists.
const maxAlternatives = 8

// options returns the texts a value may have when they are few: one for a
// known value, the alternatives of an unknown that lists them.
func (m *machine) options(v Value) ([]string, bool) {
	if s, ok := m.joined(v); ok {
		return []string{s}, true
	}
	all := []string{""}
	for _, s := range v.segs {
		choices := []string{s.Text}
		if u := s.Unknown; u != nil {
			if len(u.Alternatives) == 0 || u.Unset || u.Shape == ShapeWords {
				return nil, false
			}
			choices = choices[:0]
			for _, a := range u.Alternatives {
				t, ok := m.joined(a)
				if !ok {
					return nil, false
				}
				choices = append(choices, t)
			}
		}
		if len(all)*len(choices) > maxAlternatives {
			return nil, false
		}
		next := make([]string, 0, len(all)*len(choices))
		for _, head := range all {
			for _, tail := range choices {
				m.spend(len(head) + len(tail))
				next = append(next, head+tail)
			}
		}
		all = next
	}
	return all, true
}

// apply computes a text function of a value: for an unknown that lists its
// alternatives each of them is computed.
func (m *machine) apply(v Value, how string, f func(string) string) Value {
	options, ok := m.options(v)
	if !ok {
		return m.derived(how, v)
	}
	at := m.firstOrigin(v)
	if len(options) == 1 {
		s := f(options[0])
		m.spend(len(s))
		return Text(s, at)
	}
	out := make([]Value, 0, len(options))
	for _, o := range options {
		s := f(o)
		m.spend(len(s))
		out = append(out, Text(s, at))
	}
	return m.either(how, out...)
}

// either returns the value that is one of the given ones.
func (m *machine) either(detail string, values ...Value) Value {
	out, unset, ok := distinct(values)
	if ok && len(out) == 1 && !unset {
		return out[0]
	}
	u := Unknown{Reason: ReasonJoin, Detail: detail, Origin: m.at, Unset: unset}
	if ok {
		u.Alternatives = out
		return Unknowable(u)
	}
	return Unknowable(wordOf(u, values...))
}

// distinct lists the values without doubles, opening unknowns that are a
// choice themselves. unset says that one of them may not be set; ok is false
// when there are too many.
func distinct(values []Value) (out []Value, unset, ok bool) {
	ok = true
	add := func(v Value) {
		for _, o := range out {
			if o.Equal(v) {
				return
			}
		}
		out = append(out, v)
	}
	for _, v := range values {
		if len(v.segs) == 1 && v.segs[0].Unknown != nil {
			u := v.segs[0].Unknown
			unset = unset || u.Unset
			if u.Reason == ReasonJoin && len(u.Alternatives) > 0 && u.Shape != ShapeWords {
				for _, a := range u.Alternatives {
					add(a)
				}
				continue
			}
		}
		add(v)
	}
	if len(out) > maxAlternatives {
		return nil, unset, false
	}
	return out, unset, ok
}

// plain reports whether short leaves a text of its length as it is.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' && (c != ' ' || i == 0 || i == len(s)-1 || s[i-1] == ' ') || c >= 0x7f {
			return false
		}
	}
	return true
}

// short returns a text for display in reasons: one line, bounded.
func short(s string) string {
	if len(s) <= 80 && plain(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s[:min(len(s), 200)])
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:77], "") + "..."
	}
	return s
}
