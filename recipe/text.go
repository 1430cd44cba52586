package recipe

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Part is a piece of a text: literal characters, or something that cannot be
// known without running the recipe.
type Part struct {
	Text string
	// Unknown says why the piece is not known, nil for literal characters.
	Unknown *Cause
}

// Cause says why something is not known. Two pieces with the same cause stand
// for the same thing on the same machine, for example the output of one
// command.
type Cause struct {
	// Code is the reason in the catalogue, Detail its placeholder of that name.
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
	// Alternatives are the texts it may be, where they are few and all known.
	Alternatives []string `json:"alternatives,omitempty"`
}

// String returns the cause as a short English phrase.
func (c *Cause) String() string {
	if len(c.Alternatives) > 0 {
		return strings.Join(c.Alternatives, " or ")
	}
	return catalog.Message(catalog.English, c.Code, "detail", c.Detail)
}

// id tells causes apart, wherever they arose.
func (c *Cause) id() string {
	return c.Code + "\x00" + c.Detail + "\x00" + strings.Join(c.Alternatives, "\x00")
}

// causeOf is the cause that an id tells apart.
func causeOf(id string) *Cause {
	parts := strings.Split(id, "\x00")
	c := &Cause{Code: parts[0]}
	if len(parts) > 1 {
		c.Detail = parts[1]
	}
	if len(parts) > 2 && parts[2] != "" {
		c.Alternatives = parts[2:]
	}
	return c
}

// Text is a value of a recipe with its origin. Most texts are known and have
// one literal part.
type Text struct {
	// Lit are the characters of a known text.
	Lit string
	// Parts are set only when some part is unknown; Lit is then "".
	Parts []Part
	// Place is where the value was written, a file of the repository with its
	// line.
	Place diag.Place
	// Row says that the value is a fact of the row in the form that the
	// launcher gives it on its machines: the model's folder instead of its
	// name. It is shown, and compared by what it stands for.
	Row string
}

// Literal returns a known text.
func Literal(text string, place diag.Place) Text { return Text{Lit: text, Place: place} }

// UnknownText returns a text of which nothing is known but why.
func UnknownText(why Cause, place diag.Place) Text {
	return Text{Parts: []Part{{Unknown: &why}}, Place: place}
}

// FromParts joins parts, so that a text without unknown parts is literal.
func FromParts(parts []Part, place diag.Place) Text {
	var lit strings.Builder
	for _, p := range parts {
		if p.Unknown != nil {
			return Text{Parts: parts, Place: place}
		}
		lit.WriteString(p.Text)
	}
	return Text{Lit: lit.String(), Place: place}
}

// Known reports whether every character is known.
func (t Text) Known() bool { return t.Parts == nil }

// open reports whether the text is neither known nor a fact of the row.
func (t Text) open() bool { return !t.Known() && t.Row == "" }

// Causes returns the causes of the unknown parts, each once, in order.
func (t Text) Causes() []*Cause {
	var out []*Cause
	seen := make(map[string]bool)
	for _, p := range t.Parts {
		if p.Unknown != nil && !seen[p.Unknown.id()] {
			seen[p.Unknown.id()] = true
			out = append(out, p.Unknown)
		}
	}
	return out
}

// String shows the text to people; unknown parts stand in angle brackets.
func (t Text) String() string {
	if t.Known() {
		return t.Lit
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Unknown != nil {
			b.WriteString("<" + p.Unknown.String() + ">")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// HasPrefix reports whether the text certainly begins with prefix.
func (t Text) HasPrefix(prefix string) bool {
	if t.Known() {
		return strings.HasPrefix(t.Lit, prefix)
	}
	return t.Parts[0].Unknown == nil && strings.HasPrefix(t.Parts[0].Text, prefix)
}

// cut splits a text at the first sep among its literal characters.
func (t Text) cut(sep string) (before, after Text, found bool) {
	if t.Known() {
		a, b, ok := strings.Cut(t.Lit, sep)
		before, after = t, t
		before.Lit, after.Lit = a, b
		return before, after, ok
	}
	for i, p := range t.Parts {
		a, b, ok := strings.Cut(p.Text, sep)
		if p.Unknown != nil || !ok {
			continue
		}
		head := append(append([]Part(nil), t.Parts[:i]...), Part{Text: a})
		tail := append([]Part{{Text: b}}, t.Parts[i+1:]...)
		before, after = FromParts(head, t.Place), FromParts(tail, t.Place)
		return before, after, true
	}
	return t, Text{}, false
}
