package shell

import "strings"

// start is how a command behind wrappers is started.
type start struct {
	assigns []Assignment
	// fresh says that the environment is not passed on (a container); only
	// assigns count.
	fresh bool
	// dir is the working directory when a wrapper sets it.
	dir *Value
	// entry is the program when a wrapper names it apart (--entrypoint).
	entry *Value
	// script says that the command is a file, also without a directory.
	script bool
}

// unwrap skips wrapper words (timeout 10, numactl -N 0, env A=b ...) and
// returns where the wrapped command begins.
func (m *machine) unwrap(argv []Value, prefix []Assignment) (int, start) {
	inner := 0
	with := start{assigns: prefix}
	for inner < len(argv) {
		m.step(1)
		w, ok := m.o.Wrappers[programName(argv[inner])]
		if !ok {
			break
		}
		r := wrapperReader{m: m, w: w, argv: argv, i: inner + 1, with: with}
		if !r.read() || r.i >= len(argv) && r.with.entry == nil {
			break // used for itself, without a command
		}
		inner, with = r.i, r.with
		with.script = w.Script
		if with.entry != nil {
			break
		}
	}
	return inner, with
}

// wrapperReader reads a wrapper's own arguments.
type wrapperReader struct {
	m    *machine
	w    Wrapper
	argv []Value
	i    int
	with start
}

func (r *wrapperReader) read() bool {
	operands := r.w.Operands
	if len(r.w.Subcommands) > 0 {
		if r.i >= len(r.argv) || !isOneOf(r.argv[r.i], r.w.Subcommands) {
			return false
		}
		r.i++
	}
	// The list is never written through: it may be the caller's.
	r.with.assigns = r.with.assigns[:len(r.with.assigns):len(r.with.assigns)]
	if r.w.Fresh {
		r.with.assigns, r.with.fresh = nil, true
	}
	for ; r.i < len(r.argv); r.i++ {
		v := r.argv[r.i]
		s, known := v.Known()
		switch {
		case !known && v.Words():
			continue // unknown options
		case known && s == "--":
			r.i++
			return true
		case known && len(s) > 1 && s[0] == '-', !known && strings.HasPrefix(knownHead(v), "-"):
			r.option(v)
		case r.w.Assigns && assignedName(v) != "":
			r.assign(v)
		case operands > 0:
			operands--
		default:
			return true
		}
	}
	return operands == 0
}

// knownHead returns the known text at the start of a value.
func knownHead(v Value) string {
	if len(v.segs) == 0 || v.segs[0].Unknown != nil {
		return ""
	}
	return v.segs[0].Text
}

// option reads one option and its value.
func (r *wrapperReader) option(v Value) {
	name, _, inline := strings.Cut(knownHead(v), "=")
	var value Value
	switch {
	case inline:
		value = cutHead(v, len(name)+1)
	case r.valued(name):
		r.i += max(1, r.w.Values[name])
		if r.i < len(r.argv) {
			value = r.argv[r.i]
		}
	default:
		return
	}
	switch {
	case contains(r.w.Env, name):
		r.environment(value)
	case contains(r.w.Dir, name):
		r.with.dir = &value
	case contains(r.w.Entry, name):
		r.with.entry = &value
	case contains(r.w.Unset, name):
		if variable, ok := value.Known(); ok && validName(variable) {
			r.with.assigns = append(r.with.assigns, Assignment{Name: variable, Unset: true, Prefix: true})
		}
	}
}

func (r *wrapperReader) valued(name string) bool {
	_, ok := r.w.Values[name]
	return ok || contains(r.w.Valued, name) || contains(r.w.Env, name) || contains(r.w.Dir, name) || contains(r.w.Entry, name) || contains(r.w.Unset, name)
}

// environment reads NAME=value, or NAME for the variable as it is here.
func (r *wrapperReader) environment(v Value) {
	if assignedName(v) != "" {
		r.assign(v)
		return
	}
	name, ok := v.Known()
	if !ok || !validName(name) {
		return
	}
	if x := r.m.variable(name); x != nil && x.exported {
		if val, set := r.m.scalarOf(x); set {
			r.with.assigns = append(r.with.assigns, Assignment{Name: name, Value: val, Prefix: true})
		}
	}
}

func (r *wrapperReader) assign(v Value) {
	name := assignedName(v)
	r.with.assigns = append(r.with.assigns, Assignment{Name: name, Value: cutHead(v, len(name)+1), Prefix: true})
}

// assignedName returns NAME of NAME=value.
func assignedName(v Value) string {
	name, _, ok := strings.Cut(knownHead(v), "=")
	if !ok {
		if s, known := v.Known(); known {
			name, _, ok = strings.Cut(s, "=")
		}
	}
	if !ok || !validName(name) {
		return ""
	}
	return name
}

// cutHead drops known bytes at the start of a value.
func cutHead(v Value, n int) Value {
	out := Value{size: v.size - n}
	for _, s := range v.segs {
		if s.Unknown == nil && n > 0 {
			k := min(n, len(s.Text))
			s.Text, n = s.Text[k:], n-k
		}
		if s.Unknown != nil || s.Text != "" {
			out.segs = append(out.segs, s)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func isOneOf(v Value, list []string) bool {
	s, ok := v.Known()
	return ok && contains(list, s)
}
