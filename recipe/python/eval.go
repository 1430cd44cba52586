package python

import (
	"math"
	"strings"
)

func (m *machine) eval(s *scope, x expr) any {
	m.step()
	if m.depth++; m.depth > 4*maxDepth {
		panic(failure{errUnsupported})
	}
	defer func() { m.depth-- }()
	switch x := x.(type) {
	case constant:
		return x.value
	case variable:
		return m.lookup(s, x.name)
	case attribute:
		return m.member(m.eval(s, x.of), x.name)
	case index:
		return m.at(m.eval(s, x.of), m.eval(s, x.at))
	case slice:
		return m.slice(m.eval(s, x.of), m.eval(s, x.from), m.eval(s, x.to))
	case call:
		return m.call(s, x)
	case unary:
		return m.unary(x.op, m.eval(s, x.x))
	case binary:
		return m.operation(s, x)
	case ternary:
		if truth(m.eval(s, x.test)) {
			return m.eval(s, x.yes)
		}
		return m.eval(s, x.no)
	case display:
		out := &list{tuple: x.tuple}
		for _, item := range x.items {
			out.items = append(out.items, m.eval(s, item))
		}
		return out
	case mapping:
		return m.mapping(s, x)
	case formatted:
		return m.formatted(s, x)
	case spec:
		return m.spec(s, x)
	case comprehension:
		return m.comprehension(s, x)
	}
	panic(failure{errUnsupported})
}

func (m *machine) mapping(s *scope, x mapping) any {
	out := newDict()
	for i := range x.keys {
		key, ok := keyOf(m.eval(s, x.keys[i]))
		if !ok {
			raise("unhashable")
		}
		out.set(key, m.eval(s, x.values[i]))
	}
	return out
}

func (m *machine) formatted(s *scope, x formatted) any {
	var b strings.Builder
	for _, part := range x.parts {
		b.WriteString(text(m.eval(s, part), false))
		if b.Len() > maxOutput {
			panic(failure{errUnsupported})
		}
	}
	return b.String()
}

func (m *machine) spec(s *scope, x spec) any {
	v := m.eval(s, x.x)
	if x.format == "" {
		return text(v, x.repr)
	}
	return formatValue(v, x.format)
}

func (m *machine) comprehension(s *scope, x comprehension) any {
	out := &list{}
	inner := &scope{names: make(map[string]any), global: s}
	for _, item := range m.items(m.eval(s, x.in)) {
		m.bind(inner, x.targets, item)
		if x.cond == nil || truth(m.eval(inner, x.cond)) {
			out.items = append(out.items, m.eval(inner, x.item))
		}
	}
	return out
}

// modules are the names that imports bind.
var modules = map[string]bool{"yaml": true, "sys": true, "os": true, "json": true, "shlex": true}

func (m *machine) lookup(s *scope, name string) any {
	if v, ok := s.get(name); ok {
		return v
	}
	if modules[name] {
		return module{name}
	}
	if builtins[name] != nil || special[name] || exceptions[name] || types[name] {
		return method{nil, name}
	}
	raise("name '" + name + "' is not defined")
	return nil
}

// special are the functions that builtin treats one by one.
var special = map[string]bool{"print": true, "open": true, "eval": true, "isinstance": true}

// exceptions are the classes that handlers and raise name.
var exceptions = map[string]bool{"Exception": true, "ValueError": true, "TypeError": true, "KeyError": true, "OSError": true}

// types are the classes that isinstance asks for.
var types = map[string]bool{"int": true, "float": true, "str": true, "bool": true, "list": true, "dict": true, "tuple": true}

func (m *machine) operation(s *scope, x binary) any {
	left := m.eval(s, x.x)
	switch x.op {
	case "and":
		if !truth(left) {
			return left
		}
		return m.eval(s, x.y)
	case "or":
		if truth(left) {
			return left
		}
		return m.eval(s, x.y)
	}
	return m.binary(x.op, left, m.eval(s, x.y))
}

func (m *machine) unary(op string, v any) any {
	if op == "not" {
		return !truth(v)
	}
	switch v := v.(type) {
	case int64:
		return -v
	case float64:
		return -v
	}
	raise("bad operand type")
	return nil
}

func (m *machine) binary(op string, x, y any) any {
	switch op {
	case "==", "is":
		return equal(x, y)
	case "!=", "is not":
		return !equal(x, y)
	case "in":
		return m.contains(y, x)
	case "not in":
		return !m.contains(y, x)
	case "<":
		return compare(x, y) < 0
	case ">":
		return compare(x, y) > 0
	case "<=":
		return compare(x, y) <= 0
	case ">=":
		return compare(x, y) >= 0
	}
	return m.arithmetic(op, x, y)
}

func (m *machine) arithmetic(op string, x, y any) any {
	if a, ok := x.(string); ok {
		if b, ok := y.(string); ok && op == "+" {
			if len(a)+len(b) > maxOutput {
				panic(failure{errUnsupported})
			}
			return a + b
		}
		raise("unsupported operand type")
	}
	if a, ok := x.(*list); ok {
		if b, ok := y.(*list); ok && op == "+" && len(a.items)+len(b.items) < maxSteps {
			return &list{items: append(append([]any(nil), a.items...), b.items...), tuple: a.tuple}
		}
		panic(failure{errUnsupported})
	}
	a, isInt := x.(int64)
	b, alsoInt := y.(int64)
	if isInt && alsoInt {
		return wholeNumbers(op, a, b)
	}
	return floats(op, number64(x), number64(y))
}

// wholeNumbers computes with integers; results beyond 53 bits are not told.
func wholeNumbers(op string, a, b int64) any {
	const limit = 1 << 53
	if a > limit || a < -limit || b > limit || b < -limit {
		panic(failure{errUnsupported})
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		if a != 0 && b != 0 && math.Abs(float64(a))*math.Abs(float64(b)) > limit {
			panic(failure{errUnsupported})
		}
		return a * b
	case "/":
		if b == 0 {
			raise("division by zero")
		}
		return float64(a) / float64(b)
	}
	if b == 0 {
		raise("division by zero")
	}
	q, r := a/b, a%b
	if r != 0 && (r < 0) != (b < 0) {
		q, r = q-1, r+b
	}
	if op == "%" {
		return r
	}
	return q
}

func floats(op string, a, b float64) any {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		raise("division by zero")
	}
	switch op {
	case "/":
		return a / b
	case "//":
		return math.Floor(a / b)
	}
	panic(failure{errUnsupported})
}

func number64(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	}
	raise("unsupported operand type")
	return 0
}

func equal(x, y any) bool {
	a, ok := keyOf(x)
	b, also := keyOf(y)
	if ok && also {
		return a == b
	}
	p, isList := x.(*list)
	q, alsoList := y.(*list)
	if !isList || !alsoList {
		return ok == also && x == y
	}
	if len(p.items) != len(q.items) {
		return false
	}
	for i := range p.items {
		if !equal(p.items[i], q.items[i]) {
			return false
		}
	}
	return true
}

func compare(x, y any) int {
	if a, ok := x.(string); ok {
		if b, ok := y.(string); ok {
			return strings.Compare(a, b)
		}
		raise("not comparable")
	}
	a, b := number64(x), number64(y)
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (m *machine) contains(in, x any) bool {
	switch in := in.(type) {
	case string:
		sub, ok := x.(string)
		if !ok {
			raise("not a string")
		}
		return strings.Contains(in, sub)
	case *dict:
		key, ok := keyOf(x)
		_, found := in.values[key]
		return ok && found
	case *list:
		for _, item := range in.items {
			m.step()
			if equal(item, x) {
				return true
			}
		}
		return false
	}
	raise("not iterable")
	return false
}

func (m *machine) at(of, key any) any {
	switch of := of.(type) {
	case *dict:
		k, ok := keyOf(key)
		v, found := of.values[k]
		if !ok || !found {
			raise("KeyError")
		}
		return v
	case *list:
		return of.items[position(key, len(of.items))]
	case string:
		i := position(key, len(of))
		return of[i : i+1]
	case environ:
		value, ok := m.variable(text(key, false))
		if !ok {
			raise("KeyError")
		}
		return value
	}
	raise("not subscriptable")
	return nil
}

func position(key any, length int) int {
	n, ok := key.(int64)
	if !ok {
		raise("indices must be integers")
	}
	if n < 0 {
		n += int64(length)
	}
	if n < 0 || n >= int64(length) {
		raise("index out of range")
	}
	return int(n)
}

func (m *machine) slice(of, from, to any) any {
	length := 0
	switch of := of.(type) {
	case string:
		length = len(of)
	case *list:
		length = len(of.items)
	default:
		raise("not subscriptable")
	}
	a, b := bound(from, 0, length), bound(to, length, length)
	if a > b {
		a = b
	}
	if s, ok := of.(string); ok {
		return s[a:b]
	}
	l := of.(*list)
	return &list{items: append([]any(nil), l.items[a:b]...), tuple: l.tuple}
}

func bound(v any, otherwise, length int) int {
	n, ok := v.(int64)
	if v == nil {
		return otherwise
	}
	if !ok {
		raise("slice indices must be integers")
	}
	if n < 0 {
		n += int64(length)
	}
	return int(min(max(n, 0), int64(length)))
}
