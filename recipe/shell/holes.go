package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parseValue parses a script that is a value. Unknown parts stand for text
// inside a word: each is read as a parameter of a name that the text does not
// hold, and expands to the unknown again. ok is false when the value has no
// known part to go by.
func (m *machine) parseValue(v Value) (*source, bool) {
	if s, ok := m.joined(v); ok {
		src := *m.parseText(s)
		src.spans = m.spans(v, func(i int) int { return len(v.segs[i].Text) })
		return &src, true
	}
	if strings.TrimSpace(knownPart(v)) == "" || v.segs[0].Unknown != nil {
		return nil, false
	}
	m.spend(v.size)
	prefix := "unknown_"
	for strings.Contains(knownPart(v), prefix) {
		m.step(1 + v.size/64)
		prefix += "_"
	}
	var b strings.Builder
	holes := make(map[string]Segment)
	sizes := make([]int, len(v.segs))
	for i, s := range v.segs {
		text := s.Text
		if s.Unknown != nil {
			name := prefix + strconv.Itoa(i)
			holes[name] = s
			text = "${" + name + "}"
		}
		sizes[i] = len(text)
		b.WriteString(text)
	}
	m.step(1 + b.Len()/8)
	src := parse([]byte(b.String()), m.limits.FileBytes)
	src.holes = holes
	src.spans = m.spans(v, func(i int) int { return sizes[i] })
	return src, true
}

// spans lists where the segments of a text were written.
func (m *machine) spans(v Value, size func(i int) int) []span {
	m.spend(48 * len(v.segs))
	list := make([]span, 0, len(v.segs))
	end := 0
	for i, s := range v.segs {
		end += size(i)
		at := s.Origin
		if at == (Origin{}) {
			at = m.at
		}
		list = append(list, span{end, at})
	}
	return list
}

// knownPart returns the known text of a value.
func knownPart(v Value) string {
	var b strings.Builder
	for _, s := range v.segs {
		b.WriteString(s.Text)
	}
	return b.String()
}

// hole returns the unknown that a parameter of the present text stands for.
func (m *machine) hole(x *syntax.ParamExp) (Value, bool) {
	if m.src == nil || m.src.holes == nil || x.Param == nil {
		return Value{}, false
	}
	s, ok := m.src.holes[x.Param.Value]
	return Value{segs: []Segment{s}}, ok
}

// filled returns a text in which no parameters are expanded (single quotes,
// quoted documents) with the unknowns back in their places.
func (m *machine) filled(text string, at Origin) Value {
	v := Text(text, at)
	if m.src == nil {
		return v
	}
	for name, hole := range m.src.holes {
		v = fillOne(v, "${"+name+"}", hole)
	}
	return v
}

func fillOne(v Value, mark string, hole Segment) Value {
	var out Value
	for _, s := range v.segs {
		for s.Unknown == nil {
			head, tail, found := strings.Cut(s.Text, mark)
			if !found {
				break
			}
			if head != "" {
				out.segs = append(out.segs, Segment{Text: head, Origin: s.Origin})
				out.size += len(head)
			}
			out.segs = append(out.segs, hole)
			s.Text = tail
		}
		if s.Unknown != nil || s.Text != "" {
			out.segs = append(out.segs, s)
			out.size += len(s.Text)
		}
	}
	return out
}
