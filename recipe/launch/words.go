package launch

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// cut splits a value at the first sep among its known text.
func cut(v shell.Value, sep string) (before, after shell.Value, found bool) {
	segs := v.Segments()
	for i, s := range segs {
		if s.Unknown != nil {
			continue
		}
		a, b, ok := strings.Cut(s.Text, sep)
		if !ok {
			continue
		}
		head := append(append([]shell.Segment(nil), segs[:i]...), shell.Segment{Text: a, Origin: s.Origin})
		tail := append([]shell.Segment{{Text: b, Origin: s.Origin}}, segs[i+1:]...)
		return shell.FromSegments(head), shell.FromSegments(tail), true
	}
	return v, shell.Value{}, false
}

// split cuts a value at every sep.
func split(v shell.Value, sep string) []shell.Value {
	var out []shell.Value
	for {
		head, tail, found := cut(v, sep)
		out = append(out, head)
		if !found {
			return out
		}
		v = tail
	}
}

// known is the text of a value, "" when it is not known.
func known(v shell.Value) string {
	text, _ := v.Known()
	return text
}

// begins reports whether a value certainly begins with a prefix.
func begins(v shell.Value, prefix string) bool {
	segs := v.Segments()
	return len(segs) > 0 && segs[0].Unknown == nil && strings.HasPrefix(segs[0].Text, prefix)
}

// place is an origin as a place; text that no file holds has none. The text of
// an inline script lies where its starter stands.
func (v *visit) place(o shell.Origin) diag.Place {
	if o == ofRow {
		return diag.Place{File: v.row.Entry.Place.File, Line: v.row.Entry.Place.Line}
	}
	if strings.HasPrefix(o.File, "<") {
		return diag.Place{}
	}
	if v.virtual.holds(o.File) {
		shown, line, _ := strings.Cut(v.origins[o.File], "\x00")
		if line == "" {
			return diag.Place{File: shown, Line: o.Line, Column: o.Column}
		}
		n, _ := strconv.Atoi(line)
		return diag.Place{File: shown, Line: n}
	}
	return diag.Place{File: o.File, Line: o.Line, Column: o.Column}
}

// placeOf is where a value was written: its first piece with a place.
func (v *visit) placeOf(value shell.Value) diag.Place {
	for _, s := range value.Segments() {
		if p := v.place(s.Origin); p.File != "" {
			return p
		}
	}
	return diag.Place{}
}

// maxAlternatives is the number of alternatives that are kept of an unknown.
const maxAlternatives = 8

// cause is an unknown as the core names it.
func cause(u *shell.Unknown) *recipe.Cause {
	c := &recipe.Cause{Code: string(u.Reason), Detail: u.Detail}
	if len(u.Alternatives) > maxAlternatives {
		return c
	}
	for _, a := range u.Alternatives {
		text, ok := a.Known()
		if !ok {
			return &recipe.Cause{Code: c.Code, Detail: c.Detail}
		}
		c.Alternatives = append(c.Alternatives, text)
	}
	return c
}

// text is a value as the core keeps it. A part that stands for an unknown in a
// rendered text is unknown again.
func (v *visit) text(value shell.Value) recipe.Text {
	at := v.placeOf(value)
	if lit, ok := value.Known(); ok && !strings.Contains(lit, unknownPrefix) {
		return recipe.Literal(lit, at)
	}
	segs := value.Segments()
	parts := make([]recipe.Part, len(segs))
	for i, s := range segs {
		switch {
		case s.Unknown != nil:
			parts[i].Unknown = cause(s.Unknown)
		case strings.Contains(s.Text, unknownPrefix):
			parts[i].Unknown = &recipe.Cause{Code: string(shell.ReasonDerived), Detail: "quoted text"}
		default:
			parts[i].Text = s.Text
		}
	}
	return recipe.FromParts(parts, at)
}

// texts converts the words of a command.
func (v *visit) texts(words []shell.Value) []recipe.Text {
	out := make([]recipe.Text, len(words))
	for i, w := range words {
		out[i] = v.text(w)
	}
	return out
}
