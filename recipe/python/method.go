package python

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

func (m *machine) moduleCall(name string, args []any) any {
	switch {
	case name == "sys.exit":
		status := 0
		if len(args) == 1 {
			status = int(toInt(args[0]))
		}
		panic(failure{exited{status}})
	case len(args) == 1 && (name == "yaml.safe_load" || name == "json.load" || name == "json.loads"):
		return m.load(name, args[0])
	case name == "shlex.quote" && len(args) == 1:
		return quote(text(args[0], false))
	case name == "os.getenv":
		return m.environCall("get", args)
	case name == "sys.stdin.read" && len(args) == 0:
		return m.world.Stdin
	case name == "json.dumps" && len(args) == 1:
		return dump(args[0])
	}
	panic(failure{errUnsupported})
}

func (m *machine) load(name string, from any) any {
	source, ok := from.(string)
	switch f := from.(type) {
	case file:
		source, ok = f.text, true
	case module:
		source, ok = m.world.Stdin, f.name == "sys.stdin"
	}
	if !ok {
		panic(failure{errUnsupported})
	}
	root, err := yamlpos.Parse("", []byte(source), yamlpos.Options{LastKeyWins: true})
	if err != nil {
		raise("cannot be parsed")
	}
	if name != "yaml.safe_load" {
		if _, err := ordjson.Parse([]byte(source)); err != nil {
			raise("cannot be parsed")
		}
	}
	return fromYAML(root)
}

func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"
}

// dump is json.dumps.
func dump(v any) string {
	return string(jsonOf(v).Append(nil, ordjson.Spaced))
}

func jsonOf(v any) ordjson.Value {
	switch v := v.(type) {
	case nil:
		return ordjson.Null()
	case bool:
		return ordjson.Bool(v)
	case int64:
		return ordjson.Int(v)
	case float64:
		return ordjson.Value{Text: floatText(v)}
	case string:
		return ordjson.Str(v)
	case *list:
		out := ordjson.List()
		for _, item := range v.items {
			out.Items = append(out.Items, jsonOf(item))
		}
		return out
	case *dict:
		out := ordjson.Map()
		for _, k := range v.keys {
			out.Add(text(k, false), jsonOf(v.values[k]))
		}
		return out
	}
	panic(failure{errUnsupported})
}

func (m *machine) dictCall(d *dict, name string, args []any) any {
	switch {
	case name == "get" && len(args) > 0:
		key, ok := keyOf(args[0])
		if v, found := d.values[key]; ok && found {
			return v
		}
		if len(args) > 1 {
			return args[1]
		}
		return nil
	case name == "keys" && len(args) == 0:
		return &list{items: append([]any(nil), d.keys...)}
	case name == "values" && len(args) == 0:
		out := &list{}
		for _, k := range d.keys {
			out.items = append(out.items, d.values[k])
		}
		return out
	case name == "items" && len(args) == 0:
		out := &list{}
		for _, k := range d.keys {
			out.items = append(out.items, &list{items: []any{k, d.values[k]}, tuple: true})
		}
		return out
	}
	panic(failure{errUnsupported})
}

// environCall looks at the environment. All of it is those variables that the
// program and its files can name.
func (m *machine) environCall(name string, args []any) any {
	switch {
	case name == "get" && len(args) > 0:
		if value, ok := m.variable(text(args[0], false)); ok {
			return value
		}
		if len(args) > 1 {
			return args[1]
		}
		return nil
	case name == "items" && len(args) == 0:
		names := make([]string, 0, len(m.names))
		for n := range m.names {
			names = append(names, n)
		}
		sort.Strings(names)
		out := &list{}
		for _, n := range names {
			value, set, known := m.world.Lookup(n)
			switch {
			case !known:
				out.items = append(out.items, &list{items: []any{n, unknown{}}, tuple: true})
			case set:
				out.items = append(out.items, &list{items: []any{n, value}, tuple: true})
			}
		}
		return out
	}
	panic(failure{errUnsupported})
}

func (m *machine) stringCall(s, name string, args []any) any {
	words := make([]string, len(args))
	for i, a := range args {
		w, ok := a.(string)
		if !ok && name != "join" && name != "split" {
			panic(failure{errUnsupported})
		}
		words[i] = w
	}
	switch name + strconv.Itoa(len(args)) {
	case "strip0":
		return strings.TrimSpace(s)
	case "strip1":
		return strings.Trim(s, words[0])
	case "rstrip1":
		return strings.TrimRight(s, words[0])
	case "lower0":
		return strings.ToLower(s)
	case "upper0":
		return strings.ToUpper(s)
	case "replace2":
		if out := strings.ReplaceAll(s, words[0], words[1]); len(out) <= maxOutput {
			return out
		}
	case "startswith1":
		return strings.HasPrefix(s, words[0])
	case "endswith1":
		return strings.HasSuffix(s, words[0])
	case "split0":
		return texts(strings.Fields(s))
	case "split1":
		if words[0] != "" {
			return texts(strings.Split(s, words[0]))
		}
	case "join1":
		return m.join(s, args[0])
	case "isdigit0":
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	panic(failure{errUnsupported})
}

func texts(words []string) *list {
	out := &list{}
	for _, w := range words {
		out.items = append(out.items, w)
	}
	return out
}

func (m *machine) join(sep string, of any) any {
	var b strings.Builder
	for i, item := range m.items(of) {
		s, ok := item.(string)
		if !ok {
			raise("expected a string")
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
		if b.Len() > maxOutput {
			panic(failure{errUnsupported})
		}
	}
	return b.String()
}

// formatValue is a value in one of the simple formats: .2f, d, g.
func formatValue(v any, format string) string {
	if digits, ok := strings.CutPrefix(format, "."); ok {
		if n, err := strconv.Atoi(strings.TrimRight(digits, "fg")); err == nil && n >= 0 && n < 20 {
			switch digits[len(digits)-1] {
			case 'f':
				return strconv.FormatFloat(number64(v), 'f', n, 64)
			}
		}
	}
	if n, ok := v.(int64); ok && format == "d" {
		return strconv.FormatInt(n, 10)
	}
	panic(failure{errUnsupported})
}
