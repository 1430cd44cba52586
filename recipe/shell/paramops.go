package shell

import (
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// null returns what is known of a value being absent (colon false) or absent
// or empty (colon true).
func null(v Value, set, colon bool) truth {
	if !set {
		return yes
	}
	if len(v.segs) == 0 {
		return truthOf(colon)
	}
	maybe := no
	for _, s := range v.segs {
		if s.Unknown == nil {
			if s.Text != "" {
				return no
			}
			continue
		}
		switch {
		case s.Unknown.Unset:
			maybe = unsure
		case !colon:
		case s.Unknown.Shape == ShapeNumber || s.Unknown.Shape == ShapeWord:
			return no
		case len(s.Unknown.Alternatives) == 0:
			maybe = unsure
		default:
			for _, a := range s.Unknown.Alternatives {
				if null(a, true, true) != no {
					maybe = unsure
				}
			}
		}
	}
	if maybe == no && colon && v.size == 0 {
		for _, s := range v.segs {
			if s.Unknown != nil {
				return no
			}
		}
		return yes
	}
	return maybe
}

// operator evaluates ${x:-w} and the other operators on one value.
func (m *machine) operator(x *syntax.ParamExp, v Value, set, quoted bool) Value {
	e := x.Exp
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		return m.defaulted(x.Param.Value, v, null(v, set, e.Op == syntax.DefaultUnsetOrNull), e.Word, quoted)
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		t := null(v, set, e.Op == syntax.AssignUnsetOrNull)
		out := m.defaulted(x.Param.Value, v, t, e.Word, quoted)
		if t != no && validName(x.Param.Value) && x.Index == nil {
			m.assign(x.Param.Value, out)
		}
		return out
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if null(v, set, e.Op == syntax.ErrorUnsetOrNull) == yes {
			m.note(ReasonUnset, x.Param.Value)
			return m.unknown(ReasonUnset, x.Param.Value)
		}
		return present(v)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch null(v, set, e.Op == syntax.AlternateUnsetOrNull) {
		case yes:
			return Value{}
		case no:
			return m.defaultWord(e.Word, quoted)
		}
		return m.either(x.Param.Value, Value{}, m.defaultWord(e.Word, quoted))
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return m.trim(v, m.pattern(e.Word), e.Op)
	case syntax.UpperAll, syntax.UpperFirst, syntax.LowerAll, syntax.LowerFirst:
		return m.recase(v, e)
	case syntax.OtherParamOps:
		return m.transform(v, e)
	}
	return m.unknown(ReasonUnsupported, "${...} operator "+e.Op.String())
}

// present drops the possibility that a value is not set.
func present(v Value) Value {
	for i, s := range v.segs {
		if s.Unknown != nil && s.Unknown.Unset {
			u := *s.Unknown
			u.Unset = false
			segs := append([]Segment(nil), v.segs...)
			segs[i].Unknown = &u
			if len(u.Alternatives) == 1 && len(v.segs) == 1 {
				return u.Alternatives[0]
			}
			return Value{segs: segs, size: v.size}
		}
	}
	return v
}

// defaulted returns the value, or the word when it is missing.
func (m *machine) defaulted(name string, v Value, missing truth, w *syntax.Word, quoted bool) Value {
	switch missing {
	case no:
		return v
	case yes:
		return m.defaultWord(w, quoted)
	}
	other := m.defaultWord(w, quoted)
	if len(v.segs) == 1 && len(v.segs[0].Unknown.Alternatives) > 0 {
		var all []Value
		for _, a := range v.segs[0].Unknown.Alternatives {
			if null(a, true, true) != yes {
				all = append(all, a)
			}
		}
		return m.either(name, append(all, other)...)
	}
	u := *m.derived(name, v).segs[0].Unknown
	return m.either(name, Unknowable(u), other)
}

// trim removes a matching start or end.
func (m *machine) trim(v Value, g *glob, op syntax.ParExpOperator) Value {
	if g.unknown != nil {
		return m.derived("trimmed by an unknown pattern", v, *g.unknown)
	}
	if s, ok := m.joined(v); ok {
		i, j := m.trimmed(s, g, op)
		return slice(v, i, j)
	}
	// The known end of a partly unknown value is enough for many patterns.
	if out, ok := m.trimPart(v, g, op); ok {
		return out
	}
	return m.apply(v, "trimmed", func(s string) string {
		i, j := m.trimmed(s, g, op)
		return s[i:j]
	})
}

// trimPart trims literal patterns off the known end of a value.
func (m *machine) trimPart(v Value, g *glob, op syntax.ParExpOperator) (Value, bool) {
	if !g.isLit || g.lit == "" {
		return v, false
	}
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	i := 0
	if suffix {
		i = len(v.segs) - 1
	}
	s := v.segs[i]
	if s.Unknown != nil || len(s.Text) < len(g.lit) {
		return v, false
	}
	t := strings.TrimPrefix(s.Text, g.lit)
	if suffix {
		t = strings.TrimSuffix(s.Text, g.lit)
	}
	segs := append([]Segment(nil), v.segs...)
	segs[i].Text = t
	return Value{segs: segs, size: v.size - len(s.Text) + len(t)}, true
}

// trimmed returns what is left of s, as offsets.
func (m *machine) trimmed(s string, g *glob, op syntax.ParExpOperator) (from, to int) {
	prefix := op == syntax.RemSmallPrefix || op == syntax.RemLargePrefix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	if g.isLit {
		switch {
		case prefix && strings.HasPrefix(s, g.lit):
			return len(g.lit), len(s)
		case !prefix && strings.HasSuffix(s, g.lit):
			return 0, len(s) - len(g.lit)
		}
		return 0, len(s)
	}
	for k := 0; k <= len(s); k++ {
		n := k // length of the matching part
		if large {
			n = len(s) - k
		}
		if prefix && m.globMatch(g, s[:n]) {
			return n, len(s)
		}
		if !prefix && m.globMatch(g, s[len(s)-n:]) {
			return 0, len(s) - n
		}
	}
	return 0, len(s)
}

// replace evaluates ${x/pattern/text} and ${x//pattern/text}.
func (m *machine) replace(r *syntax.Replace, v Value) Value {
	anchor := byte(0)
	g := m.replacePattern(r.Orig, &anchor)
	with := m.word(r.With)
	to, ok := m.joined(with)
	if g.unknown != nil || !ok {
		return asWord(m.derived("replacement", v, with), v, with)
	}
	tooBig := false
	out := m.apply(v, "replacement", func(s string) string {
		t, ok := m.replaced(s, g, to, r.All, anchor)
		tooBig = tooBig || !ok
		return t
	})
	if tooBig {
		return m.limited("value bytes")
	}
	return asWord(out, v, with)
}

// replacePattern reads the pattern, with # or % in front as an anchor.
func (m *machine) replacePattern(w *syntax.Word, anchor *byte) *glob {
	if w == nil {
		return &glob{isLit: true}
	}
	list := m.pieces(w.Parts)
	if len(list) > 0 && !list[0].quoted && len(list[0].v.segs) > 0 {
		s := list[0].v.segs[0]
		if s.Unknown == nil && s.Text != "" && (s.Text[0] == '#' || s.Text[0] == '%') {
			*anchor = s.Text[0]
			list[0].v = m.concat(Text(s.Text[1:], s.Origin), Value{segs: list[0].v.segs[1:], size: list[0].v.size - len(s.Text)})
		}
	}
	return m.globOf(list)
}

// replaced replaces the longest match at each place.
func (m *machine) replaced(s string, g *glob, to string, all bool, anchor byte) (string, bool) {
	if g.isLit && g.lit == "" && anchor == 0 {
		return s, true
	}
	if g.isLit && anchor == 0 {
		return m.replacedText(s, g.lit, to, all)
	}
	var b strings.Builder
	for i := 0; i <= len(s); {
		n := -1
		switch {
		case anchor == '%':
			if from, to := m.trimmed(s, g, syntax.RemLargeSuffix); i == 0 && to < len(s) && from == 0 {
				i, n = to, len(s)-to
				b.WriteString(s[:to])
			}
		default:
			n = m.longestAt(s, i, g)
		}
		if n <= 0 && !(n == 0 && anchor != 0) {
			if anchor != 0 || i == len(s) {
				break
			}
			b.WriteByte(s[i])
			i++
			continue
		}
		if b.Len()+len(to)+len(s)-i > m.limits.ValueBytes {
			return "", false
		}
		m.spend(len(to))
		b.WriteString(to)
		i += n
		if !all || anchor != 0 {
			b.WriteString(s[i:])
			return b.String(), true
		}
	}
	if anchor != 0 {
		return s, true
	}
	return b.String(), true
}

// replacedText replaces a plain text.
func (m *machine) replacedText(s, from, to string, all bool) (string, bool) {
	m.step(1 + len(s)/64)
	n := 1
	if all {
		n = strings.Count(s, from)
	}
	if size := len(s) + n*(len(to)-len(from)); size > m.limits.ValueBytes {
		return "", false
	}
	return strings.Replace(s, from, to, n), true
}

// longestAt returns the length of the longest match at i, or -1.
func (m *machine) longestAt(s string, i int, g *glob) int {
	if g.isLit {
		if strings.HasPrefix(s[i:], g.lit) {
			return len(g.lit)
		}
		m.step(1)
		return -1
	}
	for j := len(s); j > i; j-- {
		if m.globMatch(g, s[i:j]) {
			return j - i
		}
	}
	return -1
}

// recase evaluates ${x^}, ${x^^}, ${x,} and ${x,,}.
func (m *machine) recase(v Value, e *syntax.Expansion) Value {
	return m.apply(v, "case", func(s string) string {
		switch e.Op {
		case syntax.UpperAll:
			return strings.ToUpper(s)
		case syntax.LowerAll:
			return strings.ToLower(s)
		}
		r := []rune(s)
		if len(r) == 0 {
			return s
		}
		if e.Op == syntax.UpperFirst {
			r[0] = unicode.ToUpper(r[0])
		} else {
			r[0] = unicode.ToLower(r[0])
		}
		return string(r)
	})
}

// transform evaluates ${x@Q} and the like.
func (m *machine) transform(v Value, e *syntax.Expansion) Value {
	op, _ := m.word(e.Word).Known()
	switch op {
	case "Q":
		return m.apply(v, "quoted", quoteText)
	case "U":
		return m.apply(v, "case", strings.ToUpper)
	case "L":
		return m.apply(v, "case", strings.ToLower)
	case "E":
		return m.apply(v, "escapes", ansiQuoted)
	}
	return m.unknown(ReasonUnsupported, "${...@"+op+"}")
}

// quoteText quotes a text the way bash does for reuse as input.
func quoteText(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
