package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fieldList builds the words of a command.
type fieldList struct {
	m      *machine
	fields []Value
	cur    []piece
	open   bool // the current word exists, even when empty
}

// fields expands words to arguments: braces, parameters, splitting, patterns.
func (m *machine) fields(words []*syntax.Word) []Value {
	l := fieldList{m: m, fields: make([]Value, 0, len(words))}
	for _, w := range words {
		if w == nil {
			continue
		}
		m.step(1)
		if hasBraces(w.Parts) {
			for _, parts := range m.braces(w.Parts) {
				l.word(parts)
			}
			continue
		}
		l.word(w.Parts)
	}
	return l.fields
}

// word adds one word.
func (l *fieldList) word(parts []syntax.WordPart) {
	for i, p := range parts {
		l.part(p, i == 0)
	}
	l.close()
}

func (l *fieldList) part(p syntax.WordPart, first bool) {
	m := l.m
	switch x := p.(type) {
	case *syntax.Lit:
		l.add(m.literal(x, first)...)
	case *syntax.DblQuoted:
		l.quoted(x)
	case *syntax.ParamExp:
		at := m.at
		m.at = m.origin(x.Pos())
		if list, _, ok := m.paramList(x); ok {
			l.unquotedList(list)
		} else {
			l.split(m.param(x, false))
		}
		m.at = at
	case *syntax.CmdSubst, *syntax.ArithmExp:
		l.split(m.expansion(p, false))
	default:
		l.add(m.part(p, first)...)
	}
}

// quoted adds a double-quoted part; "$@" and "${A[@]}" in it are words of
// their own.
func (l *fieldList) quoted(x *syntax.DblQuoted) {
	m := l.m
	l.open = true
	alone := len(x.Parts) == 1
	for _, p := range x.Parts {
		pe, ok := p.(*syntax.ParamExp)
		if !ok {
			l.add(piece{m.documentPart(p, false), true})
			continue
		}
		at := m.at
		m.at = m.origin(pe.Pos())
		list, star, isList := m.paramList(pe)
		if isList && !star {
			if len(list) == 0 && alone && len(l.cur) == 0 {
				l.open = false
			}
			l.quotedList(list)
		} else {
			l.add(piece{m.param(pe, true), true})
		}
		m.at = at
	}
}

func (l *fieldList) add(p ...piece) {
	for _, x := range p {
		if x.quoted || len(x.v.segs) > 0 {
			l.open = true
			l.cur = append(l.cur, x)
		}
	}
}

// quotedList adds the words of "${A[@]}".
func (l *fieldList) quotedList(list []Value) {
	for i, v := range list {
		if i > 0 {
			l.close()
		}
		l.add(piece{v, true})
	}
}

// unquotedList adds the words of $@ or ${A[@]} without quotes.
func (l *fieldList) unquotedList(list []Value) {
	for i, v := range list {
		if i > 0 {
			l.close()
		}
		l.split(v)
	}
}

// close ends the current word.
func (l *fieldList) close() {
	if !l.open {
		return
	}
	m := l.m
	pattern := false
	for _, p := range l.cur {
		if !p.quoted {
			for _, s := range p.v.segs {
				pattern = pattern || s.Unknown == nil && strings.ContainsAny(s.Text, "*?[")
			}
		}
	}
	if len(l.fields) >= m.limits.Words {
		m.reached("words", m.at)
	} else {
		m.spend(24)
		if names, ok := []Value(nil), false; pattern {
			if names, ok = m.globPaths(l.cur); ok {
				l.fields = append(l.fields, names...)
				l.cur, l.open = l.cur[:0], false
				return
			}
		}
		l.fields = append(l.fields, m.joinPieces(l.cur))
	}
	l.cur, l.open = l.cur[:0], false
}

// split adds the words of an expansion without quotes.
func (l *fieldList) split(v Value) {
	m := l.m
	ifs := " \t\n"
	if sep, ok := m.scalarOf(m.variable("IFS")); ok {
		if s, known := sep.Known(); known {
			ifs = s
		}
	}
	for _, s := range v.segs {
		if s.Unknown != nil {
			l.add(piece{Value{segs: []Segment{{Unknown: asWords(s.Unknown, ifs), Origin: s.Origin}}}, false})
			continue
		}
		l.splitText(s, ifs)
	}
}

// splitText splits known text at the separators.
func (l *fieldList) splitText(s Segment, ifs string) {
	t := s.Text
	for t != "" {
		i := strings.IndexAny(t, ifs)
		if ifs == "" || i < 0 {
			l.add(piece{Text(t, s.Origin), false})
			return
		}
		if i > 0 {
			l.add(piece{Text(t[:i], s.Origin), false})
		}
		if !blank(t[i]) && !l.open {
			l.open = true // an empty word between two separators
		}
		l.close()
		t = t[i+1:]
		l.m.step(1)
	}
}

// asWords marks an unknown that may fall apart into any number of words. One
// that is a number, or lists alternatives of one word each, stays one word.
func asWords(u *Unknown, ifs string) *Unknown {
	if u.Shape != ShapeText && u.Shape != ShapeMaybeWord {
		return u
	}
	if single, filled := oneOf(u, ifs); single && filled {
		return u
	}
	w := *u
	w.Shape = ShapeWords
	return &w
}

func hasBraces(parts []syntax.WordPart) bool {
	for _, p := range parts {
		if _, ok := p.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// braces expands {a,b} and {1..3} of a word to the parts of each resulting
// word. Too many give one unknown word.
func (m *machine) braces(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, p := range parts {
		m.step(1)
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i][:len(out[i]):len(out[i])], p)
			}
			continue
		}
		choices, ok := m.braceChoices(b)
		if !ok || len(choices)*len(out) > m.limits.Words {
			m.reached("words", m.at)
			return nil
		}
		m.spend(len(choices) * len(out) * 48)
		m.step(len(choices) * len(out))
		next := make([][]syntax.WordPart, 0, len(choices)*len(out))
		for _, head := range out {
			for _, c := range choices {
				next = append(next, append(head[:len(head):len(head)], c...))
			}
		}
		out = next
	}
	return out
}

// braceChoices returns what one brace stands for.
func (m *machine) braceChoices(b *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	if b.Sequence {
		return m.braceSequence(b)
	}
	var all [][]syntax.WordPart
	for _, e := range b.Elems {
		if !m.enter() {
			return nil, false
		}
		inner := m.braces(e.Parts)
		m.leave()
		if inner == nil || len(all)+len(inner) > m.limits.Words {
			return nil, false
		}
		all = append(all, inner...)
	}
	return all, true
}

// braceSequence returns {from..to..step} as literals.
func (m *machine) braceSequence(b *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	text := func(i int) string {
		if i < len(b.Elems) && len(b.Elems[i].Parts) == 1 {
			if lit, ok := b.Elems[i].Parts[0].(*syntax.Lit); ok {
				return lit.Value
			}
		}
		return ""
	}
	items, ok := sequence(text(0), text(1), text(2), m.limits.Words)
	if !ok {
		return nil, false
	}
	m.step(len(items))
	m.spend(len(items) * 64)
	all := make([][]syntax.WordPart, 0, len(items))
	for _, s := range items {
		all = append(all, []syntax.WordPart{&syntax.Lit{ValuePos: b.Pos(), ValueEnd: b.End(), Value: s}})
	}
	return all, true
}
