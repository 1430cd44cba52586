package shell

import "strings"

// blanks separate words where scripts do not say otherwise.
const blanks = " \t\n"

// oneWord reports whether a value is at most one word, whatever its unknowns
// are, and whether it is certainly not empty.
func oneWord(v Value, ifs string) (single, filled bool) {
	for _, s := range v.segs {
		one, some := !strings.ContainsAny(s.Text, ifs), s.Text != ""
		if s.Unknown != nil {
			one, some = oneOf(s.Unknown, ifs)
		}
		if !one {
			return false, false
		}
		filled = filled || some
	}
	return true, filled
}

// oneOf is oneWord of an unknown. File names count as one word: scripts that
// pass them on without quotes rely on that.
func oneOf(u *Unknown, ifs string) (single, filled bool) {
	switch u.Shape {
	case ShapeNumber, ShapeWord:
		return true, !u.Unset
	case ShapeMaybeWord:
		return true, false
	}
	filled = !u.Unset
	for _, a := range u.Alternatives {
		one, some := oneWord(a, ifs)
		if !one {
			return false, false
		}
		filled = filled && some
	}
	return len(u.Alternatives) > 0 && u.Shape == ShapeText, filled
}

// wordOf gives an unknown the shape of what it is made from.
func wordOf(u Unknown, from ...Value) Unknown {
	filled := !u.Unset
	for _, v := range from {
		one, some := oneWord(v, blanks)
		if !one {
			return u
		}
		filled = filled && some
	}
	u.Shape = ShapeMaybeWord
	if filled {
		u.Shape = ShapeWord
	}
	return u
}

// asWord is wordOf of a value that is one unknown; any other stays.
func asWord(v Value, from ...Value) Value {
	if len(v.segs) != 1 || v.segs[0].Unknown == nil || v.segs[0].Unknown.Shape != ShapeText || len(v.segs[0].Unknown.Alternatives) > 0 {
		return v
	}
	return Unknowable(wordOf(*v.segs[0].Unknown, from...))
}
