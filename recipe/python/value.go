package python

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The values are nil, bool, int64, float64, string, *list, *dict, *function,
// method and module.
type (
	list struct {
		items []any
		tuple bool
	}
	dict struct {
		keys   []any
		values map[any]any
	}
	method struct {
		of   any
		name string
	}
	module struct{ name string }
	file   struct{ text string }
)

func newDict() *dict { return &dict{values: make(map[any]any)} }

func (d *dict) set(key, value any) {
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	d.values[key] = value
}

// keyOf makes a value usable as a key; 1 and 1.0 and True are one.
func keyOf(v any) (any, bool) {
	switch v := v.(type) {
	case nil, string, int64:
		return v, true
	case bool:
		if v {
			return int64(1), true
		}
		return int64(0), true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v), true
		}
		return v, true
	}
	return nil, false
}

func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case *list:
		return len(v.items) > 0
	case *dict:
		return len(v.keys) > 0
	}
	return true
}

// text is str(v), or repr(v) where strings are quoted.
func text(v any, quoted bool) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return floatText(v)
	case string:
		if !quoted {
			return v
		}
		if strings.Contains(v, "'") && !strings.Contains(v, `"`) {
			return `"` + v + `"`
		}
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`).Replace(v) + "'"
	case *list:
		return listText(v)
	case *dict:
		parts := make([]string, len(v.keys))
		for i, k := range v.keys {
			parts[i] = text(k, true) + ": " + text(v.values[k], true)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	panic(failure{errUnsupported})
}

func listText(v *list) string {
	parts := make([]string, len(v.items))
	for i, item := range v.items {
		parts[i] = text(item, true)
	}
	all := strings.Join(parts, ", ")
	switch {
	case !v.tuple:
		return "[" + all + "]"
	case len(parts) == 1:
		return "(" + all + ",)"
	}
	return "(" + all + ")"
}

func floatText(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		panic(failure{errUnsupported})
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		return mantissa + "e" + exponent
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// fromYAML is a YAML value as the program sees it.
func fromYAML(v *yamlpos.Value) any {
	switch v.Kind {
	case yamlpos.Null:
		return nil
	case yamlpos.Bool:
		return v.Int == 1
	case yamlpos.Int:
		return v.Int
	case yamlpos.Float:
		return v.Float
	case yamlpos.String:
		return v.Text
	case yamlpos.Sequence:
		out := &list{}
		for _, item := range v.Items {
			out.items = append(out.items, fromYAML(item))
		}
		return out
	case yamlpos.Mapping:
		out := newDict()
		for _, f := range v.Fields {
			key, ok := keyOf(fromYAML(f.Key))
			if !ok {
				panic(failure{errUnsupported})
			}
			out.set(key, fromYAML(f.Value))
		}
		return out
	}
	panic(failure{errUnsupported}) // a date
}
