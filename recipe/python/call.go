package python

import (
	"math"
	"sort"
	"strconv"
	"strings"
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
