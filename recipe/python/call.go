package python

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// environ is os.environ.
type environ struct{}

// unknown is a value that is not known; whatever looks at it ends the program.
type unknown struct{}

// variable is a variable of the environment. One that is not known makes the
// output unknown.
func (m *machine) variable(name string) (string, bool) {
	value, set, known := m.world.Lookup(name)
	if !known {
		panic(failure{errUnsupported})
	}
	return value, set
}

func (m *machine) member(of any, name string) any {
	mod, ok := of.(module)
	if !ok {
		return method{of, name}
	}
	switch mod.name + "." + name {
	case "os.environ":
		return environ{}
	case "os.path":
		return module{"os.path"}
	case "sys.argv":
		out := &list{items: []any{"-c"}}
		for _, a := range m.world.Args {
			out.items = append(out.items, a)
		}
		return out
	case "sys.stderr", "sys.stdout", "sys.stdin":
		return module{mod.name + "." + name}
	}
	return method{of, name}
}

func (m *machine) call(s *scope, c call) any {
	args := make([]any, len(c.args))
	for i, a := range c.args {
		args[i] = m.eval(s, a)
	}
	named := make(map[string]any, len(c.named))
	for name, x := range c.named {
		named[name] = m.eval(s, x)
	}
	switch of := m.eval(s, c.of).(type) {
	case *function:
		return m.apply(s, of, args, named)
	case method:
		switch target := of.of.(type) {
		case nil:
			return m.builtin(s, of.name, args, named)
		case module:
			return m.moduleCall(target.name+"."+of.name, args)
		case string:
			return m.stringCall(target, of.name, args)
		case *dict:
			return m.dictCall(target, of.name, args)
		case environ:
			return m.environCall(of.name, args)
		case *list:
			if of.name == "append" && len(args) == 1 {
				target.items = append(target.items, args[0])
				return nil
			}
		case file:
			if of.name == "read" && len(args) == 0 {
				return target.text
			}
		}
	}
	panic(failure{errUnsupported})
}

// apply calls a function of the program. Functions see the names of the
// program, not of their caller.
func (m *machine) apply(s *scope, f *function, args []any, named map[string]any) any {
	global := s
	for global.global != nil {
		global = global.global
	}
	inner := &scope{names: make(map[string]any), global: global}
	for i, param := range f.params {
		value, given := named[param]
		if i < len(args) {
			value, given = args[i], true
		}
		if !given {
			x, ok := f.defaults[param]
			if !ok {
				raise("missing argument")
			}
			value = m.eval(global, x)
		}
		inner.names[param] = value
	}
	if m.depth++; m.depth > 4*maxDepth {
		panic(failure{errUnsupported})
	}
	defer func() { m.depth-- }()
	return m.block(inner, f.body).value
}

// builtins are the functions of one argument that look at nothing else.
var builtins = map[string]func(m *machine, v any) any{
	"str":    func(_ *machine, v any) any { return text(v, false) },
	"repr":   func(_ *machine, v any) any { return text(v, true) },
	"bool":   func(_ *machine, v any) any { return truth(v) },
	"int":    func(_ *machine, v any) any { return toInt(v) },
	"float":  func(_ *machine, v any) any { return toFloat(v) },
	"len":    func(m *machine, v any) any { return int64(len(m.items(v))) },
	"list":   func(m *machine, v any) any { return &list{items: append([]any(nil), m.items(v)...)} },
	"tuple":  func(m *machine, v any) any { return &list{items: append([]any(nil), m.items(v)...), tuple: true} },
	"sorted": func(m *machine, v any) any { return sorted(m.items(v)) },
	"abs":    func(_ *machine, v any) any { return toFloatKeeping(v) },
	"min":    func(m *machine, v any) any { return sorted(m.items(v)).items[0] },
	"max":    func(m *machine, v any) any { l := sorted(m.items(v)); return l.items[len(l.items)-1] },
	"range":  func(m *machine, v any) any { return m.count(0, toInt(v)) },
}

func (m *machine) builtin(s *scope, name string, args []any, named map[string]any) any {
	switch name {
	case "print":
		return m.print(args, named)
	case "open":
		return m.open(args)
	case "eval":
		return m.evaluate(args)
	case "isinstance":
		if len(args) == 2 {
			return isInstance(args[0], args[1])
		}
	case "range":
		if len(args) == 2 {
			return m.count(toInt(args[0]), toInt(args[1]))
		}
	case "min", "max":
		if len(args) > 1 {
			args = []any{&list{items: args}}
		}
	case "dict":
		if len(args) == 0 {
			return newDict()
		}
	}
	f := builtins[name]
	if f == nil || len(args) != 1 {
		panic(failure{errUnsupported})
	}
	return f(m, args[0])
}

func (m *machine) count(from, to int64) *list {
	out := &list{}
	for i := from; i < to; i++ {
		m.step()
		out.items = append(out.items, i)
	}
	return out
}

func (m *machine) print(args []any, named map[string]any) any {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = text(a, false)
	}
	sep, last := " ", "\n"
	if v, ok := named["sep"]; ok {
		sep = text(v, false)
	}
	if v, ok := named["end"]; ok {
		last = text(v, false)
	}
	if to, ok := named["file"].(module); ok && to.name == "sys.stderr" {
		return nil
	}
	m.out.WriteString(strings.Join(parts, sep) + last)
	if m.out.Len() > maxOutput {
		panic(failure{errUnsupported})
	}
	return nil
}

func (m *machine) open(args []any) any {
	name, ok := any(nil), false
	if len(args) > 0 {
		name = args[0]
	}
	path, isText := name.(string)
	content := ""
	if isText && (len(args) == 1 || args[1] == "r") {
		content, ok = m.world.Open(path)
	}
	if !ok {
		panic(failure{errUnsupported})
	}
	for w := range words(content) {
		m.names[w] = true
	}
	return file{content}
}

// evaluate is eval(expression, {...}, names) for arithmetic.
func (m *machine) evaluate(args []any) any {
	source, ok := args[0].(string)
	if !ok || len(source) > 1024 {
		raise("eval")
	}
	body, err := parse(source + "\n")
	if err != nil || len(body) != 1 {
		raise("invalid syntax")
	}
	x, ok := body[0].(bare)
	if !ok {
		raise("invalid syntax")
	}
	s := &scope{names: make(map[string]any)}
	if len(args) > 1 {
		if names, ok := args[len(args)-1].(*dict); ok {
			for k, v := range names.values {
				s.names[text(k, false)] = v
			}
		}
	}
	return m.eval(s, x.x)
}

func isInstance(v, of any) bool {
	if l, ok := of.(*list); ok {
		for _, t := range l.items {
			if isInstance(v, t) {
				return true
			}
		}
		return false
	}
	t, ok := of.(method)
	if !ok {
		panic(failure{errUnsupported})
	}
	switch v := v.(type) {
	case bool:
		return t.name == "bool" || t.name == "int"
	case int64:
		return t.name == "int"
	case float64:
		return t.name == "float"
	case string:
		return t.name == "str"
	case *list:
		return t.name == "list" && !v.tuple || t.name == "tuple" && v.tuple
	case *dict:
		return t.name == "dict"
	}
	return false
}

func toInt(v any) int64 {
	switch v := v.(type) {
	case unknown:
		panic(failure{errUnsupported})
	case int64:
		return v
	case bool:
		return int64(number64(v))
	case float64:
		if math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case string:
		if n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64); err == nil {
			return n
		}
	}
	raise("invalid literal for int()")
	return 0
}

func toFloat(v any) float64 {
	if s, ok := v.(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			raise("could not convert string to float")
		}
		return f
	}
	return number64(v)
}

func toFloatKeeping(v any) any {
	if n, ok := v.(int64); ok {
		if n < 0 {
			return -n
		}
		return n
	}
	return math.Abs(number64(v))
}

func sorted(items []any) *list {
	out := &list{items: append([]any(nil), items...)}
	if len(out.items) == 0 {
		return out
	}
	sort.SliceStable(out.items, func(i, j int) bool { return compare(out.items[i], out.items[j]) < 0 })
	return out
}

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
