package document

import (
	"bytes"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// AppendIndented appends v as the collectors of the reference write their
// files: two blanks a level, empty lists and objects on one line, everything
// beyond ASCII escaped, numbers in normal form, no final line end. Lines after
// the first are indented by level more steps.
func AppendIndented(dst []byte, v ordjson.Value, level int) []byte {
	switch {
	case v.Kind == ordjson.Literal:
		return append(dst, normal(v.Text)...)
	case v.Kind == ordjson.String:
		return v.Append(dst, ordjson.Spaced)
	case v.Kind == ordjson.Array && len(v.Items) == 0:
		return append(dst, "[]"...)
	case v.Kind == ordjson.Array:
		dst = append(dst, '[')
		for i := range v.Items {
			dst = AppendIndented(newline(dst, i > 0, level+1), v.Items[i], level+1)
		}
		return append(newline(dst, false, level), ']')
	case len(v.Members) == 0:
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	for i := range v.Members {
		dst = newline(dst, i > 0, level+1)
		dst = ordjson.Str(v.Members[i].Name).Append(dst, ordjson.Spaced)
		dst = AppendIndented(append(dst, ": "...), v.Members[i].Value, level+1)
	}
	return append(newline(dst, false, level), '}')
}

func newline(dst []byte, comma bool, level int) []byte {
	if comma {
		dst = append(dst, ',')
	}
	dst = append(dst, '\n')
	return append(dst, bytes.Repeat([]byte("  "), level)...)
}

// AppendReadable appends v as the plan step of the reference writes files: two
// blanks a level, UTF-8 as it is, a final line end.
func AppendReadable(dst []byte, v ordjson.Value) []byte {
	return append(appendReadable(dst, v, 0), '\n')
}

func appendReadable(dst []byte, v ordjson.Value, level int) []byte {
	switch {
	case v.Kind == ordjson.Array && len(v.Items) > 0:
		dst = append(dst, '[')
		for i := range v.Items {
			dst = appendReadable(newline(dst, i > 0, level+1), v.Items[i], level+1)
		}
		return append(newline(dst, false, level), ']')
	case v.Kind == ordjson.Object && len(v.Members) > 0:
		dst = append(dst, '{')
		for i := range v.Members {
			dst = newline(dst, i > 0, level+1)
			dst = ordjson.Str(v.Members[i].Name).Append(dst, ordjson.Compact)
			dst = appendReadable(append(dst, ": "...), v.Members[i].Value, level+1)
		}
		return append(newline(dst, false, level), '}')
	}
	return v.Append(dst, ordjson.Compact)
}
