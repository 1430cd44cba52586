package results

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Identities read values as the consumers of the rows do (spec/results.md
// section 7). Everything else in this package reads strictly.

// looseBool is x if it is a boolean, else whether its text is "true".
func looseBool(v ordjson.Value) bool {
	if b, ok := document.Bool(v); ok {
		return b
	}
	return v.Kind == ordjson.String && strings.EqualFold(v.Text, "true")
}

// looseInt truncates numbers and parses whole-number texts.
func looseInt(v ordjson.Value, fallback int64) int64 {
	if v.Kind == ordjson.String {
		if n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 10, 64); err == nil {
			return n
		}
		return fallback
	}
	if b, ok := document.Bool(v); ok {
		if b {
			return 1
		}
		return 0
	}
	if n, ok := document.Int(v); ok {
		return n
	}
	if f, ok := document.Finite(v); ok && math.Abs(f) < 1<<62 {
		return int64(f)
	}
	return fallback
}

// frozen is a value in the form that comparison needs: objects become lists of
// pairs sorted by key, at every level, so that neither order nor nesting can
// break an identity (spec/known-failures.md F27).
func frozen(v ordjson.Value) ordjson.Value {
	switch v.Kind {
	case ordjson.Array:
		items := make([]ordjson.Value, len(v.Items))
		for i := range v.Items {
			items[i] = frozen(v.Items[i])
		}
		return ordjson.List(items...)
	case ordjson.Object:
		return frozenObject(v)
	}
	if f, ok := document.Finite(v); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return ordjson.Int(int64(f))
	}
	return v
}

func frozenObject(v ordjson.Value) ordjson.Value {
	pairs := make([]ordjson.Value, len(v.Members))
	for i, m := range v.Members {
		pairs[i] = ordjson.List(ordjson.Str(m.Name), frozen(m.Value))
	}
	sortValues(pairs, func(v ordjson.Value) string { return v.Items[0].Text })
	return ordjson.List(pairs...)
}

// orNullValue is the member of a name, null when it is absent.
func orNullValue(v ordjson.Value, name string) ordjson.Value {
	if member, ok := v.Get(name); ok {
		return frozen(member)
	}
	return ordjson.Null()
}
