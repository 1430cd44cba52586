package shell

import (
	"fmt"
	"strings"
)

// Origin is the place where a piece of text was written. File is a repository
// path, or a word in angle brackets for text from elsewhere ("<row>"). Line
// and Column count from 1; zero means the whole of File.
type Origin struct {
	File   string
	Line   int
	Column int
}

// String returns file:line:column without the parts that are not known.
func (o Origin) String() string {
	switch {
	case o.Line == 0:
		return o.File
	case o.Column == 0:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
	}
}

// Segment is one piece of a value: known text, or an unknown. Exactly one of
// both counts: Text when Unknown is nil.
type Segment struct {
	Text    string
	Unknown *Unknown
	// Origin is where the text was written, or where the unknown arose.
	Origin Origin
}

// Value is the text of a word, a variable or a file: segments in order. The
// zero value is the empty text. Values are immutable.
type Value struct {
	segs []Segment
	// size is the number of known bytes, so that limits can be checked before
	// text is joined.
	size int
}

// Text returns a known value.
func Text(s string, at Origin) Value {
	if s == "" {
		return Value{}
	}
	return Value{segs: []Segment{{Text: s, Origin: at}}, size: len(s)}
}

// Unknowable returns a value that is one unknown.
func Unknowable(u Unknown) Value {
	return Value{segs: []Segment{{Unknown: &u, Origin: u.Origin}}}
}

// Known returns the text, and false when any part of it is unknown.
func (v Value) Known() (string, bool) {
	switch len(v.segs) {
	case 0:
		return "", true
	case 1:
		return v.segs[0].Text, v.segs[0].Unknown == nil
	}
	if !v.IsKnown() {
		return "", false
	}
	var b strings.Builder
	b.Grow(v.size)
	for i := range v.segs {
		b.WriteString(v.segs[i].Text)
	}
	return b.String(), true
}

// IsKnown reports whether no part is unknown.
func (v Value) IsKnown() bool {
	for i := range v.segs {
		if v.segs[i].Unknown != nil {
			return false
		}
	}
	return true
}

// String returns the value for display; unknown parts are shown as
// ‹unknown: reason›. It is not for comparing: a script may contain such text.
func (v Value) String() string {
	var b strings.Builder
	for i := range v.segs {
		if u := v.segs[i].Unknown; u != nil {
			b.WriteString("‹unknown: " + u.String() + "›")
			continue
		}
		b.WriteString(v.segs[i].Text)
	}
	return b.String()
}

// Segments returns the pieces in order. The caller must not change them.
func (v Value) Segments() []Segment { return v.segs }

// Unknowns returns the unknown parts in order.
func (v Value) Unknowns() []Unknown {
	var all []Unknown
	for i := range v.segs {
		if u := v.segs[i].Unknown; u != nil {
			all = append(all, *u)
		}
	}
	return all
}

// Origins returns the places of the pieces in order, each once.
func (v Value) Origins() []Origin {
	var all []Origin
	for i := range v.segs {
		at := v.segs[i].Origin
		seen := false
		for _, o := range all {
			seen = seen || o == at
		}
		if !seen && at != (Origin{}) {
			all = append(all, at)
		}
	}
	return all
}

// Words reports whether the value may stand for any number of words (an
// unknown list, or an unknown text that was expanded without quotes), so that
// its place in an argument list is not certain.
func (v Value) Words() bool {
	for i := range v.segs {
		if u := v.segs[i].Unknown; u != nil && u.Shape == ShapeWords {
			return true
		}
	}
	return false
}

// Equal reports whether two values are the same text, whatever their origins.
// Two unknowns are equal only when they arose at the same place for the same
// reason; nothing says that they are the same text, so Equal is for "nothing
// changed", not for deciding a condition.
func (v Value) Equal(w Value) bool {
	a, b := v.segs, w.segs
	var ai, bi, ao, bo int // segment and offset in each
	for {
		for ai < len(a) && a[ai].Unknown == nil && ao == len(a[ai].Text) {
			ai, ao = ai+1, 0
		}
		for bi < len(b) && b[bi].Unknown == nil && bo == len(b[bi].Text) {
			bi, bo = bi+1, 0
		}
		switch {
		case ai == len(a) || bi == len(b):
			return ai == len(a) && bi == len(b)
		case a[ai].Unknown != nil || b[bi].Unknown != nil:
			if !a[ai].Unknown.same(b[bi].Unknown) {
				return false
			}
			ai, bi, ao, bo = ai+1, bi+1, 0, 0
			continue
		}
		s, t := a[ai].Text[ao:], b[bi].Text[bo:]
		n := min(len(s), len(t))
		if s[:n] != t[:n] {
			return false
		}
		ao, bo = ao+n, bo+n
	}
}
