package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call runs a simple command.
func (m *machine) call(x *syntax.CallExpr, redirects []Redirect) flow {
	m.substRan = false
	argv := m.fields(x.Args)
	if len(argv) == 0 {
		for _, a := range x.Assigns {
			m.assignment(a)
		}
		if !m.substRan {
			m.setStatus(0)
		}
		return flowNext
	}
	var prefix []Assignment
	for _, a := range x.Assigns {
		if a.Name == nil || a.Array != nil || a.Index != nil {
			continue
		}
		at := m.at
		m.at = m.origin(a.Pos())
		prefix = append(prefix, Assignment{Name: a.Name.Value, Value: m.appended(m.peek(a.Name.Value), a), Prefix: true})
		m.at = at
	}
	return m.dispatch(argv, prefix, redirects, true)
}

// dispatch runs a command by its expanded words: a function (when allowed), a
// builtin, or an external command.
func (m *machine) dispatch(argv []Value, prefix []Assignment, redirects []Redirect, functions bool) flow {
	name, ok := m.joined(argv[0])
	if !ok || argv[0].Words() {
		return m.external(argv, prefix, redirects)
	}
	if functions {
		if b := m.st.get(key{spaceFunc, name}); b != nil && b.v != nil {
			return m.callFunction(name, b.v.fn, argv[1:], prefix)
		}
	}
	if b := builtinFor(name); b != nil {
		return m.builtin(b, argv, prefix, redirects)
	}
	return m.external(argv, prefix, redirects)
}

// builtin runs a builtin with its prefix assignments in force.
func (m *machine) builtin(b builtin, argv []Value, prefix []Assignment, redirects []Redirect) flow {
	m.redirects = redirects
	if len(prefix) == 0 {
		return b(m, argv)
	}
	type saved struct {
		k key
		b *binding
	}
	var old []saved
	for _, p := range prefix {
		k := key{spaceVar, p.Name}
		old = append(old, saved{k, m.st.get(k)})
		m.assign(p.Name, p.Value)
	}
	f := b(m, argv)
	if f != flowDead {
		for _, s := range old {
			m.st.put(s.k, s.b)
		}
		m.newEnv()
	}
	return f
}

// callFunction runs a function.
func (m *machine) callFunction(name string, fn *function, args []Value, prefix []Assignment) flow {
	if !m.enter() {
		m.unknownStatus(name)
		return flowNext
	}
	defer m.leave()
	if m.st.cond != nil && m.active(name) >= maxRecursion {
		// How deep it goes depends on an unknown.
		m.note(ReasonLoop, "recursion of "+name)
		m.say(m.unknown(ReasonLoop, name))
		m.unknownStatus(name)
		return flowNext
	}
	at, file, src := m.at, m.file, m.src
	m.stack = append(m.stack, caller{fn: name, name: fn.name, at: at})
	fr := m.push(&frame{kind: frameCall, function: true})
	m.fnDepth++
	m.st.put(keyArgs, &binding{depth: m.fnDepth, v: &variable{kind: indexed, set: true, elems: args}, outer: m.st.get(keyArgs)})
	fr.locals = append(fr.locals, "@")
	for _, p := range prefix {
		m.declareLocal(p.Name, &variable{set: true, exported: true, val: p.Value})
	}
	m.setStatus(0)
	m.file, m.src = fn.file, fn.src
	f := m.stmt(fn.body)
	if f == flowReturn {
		f = flowNext
	}
	m.at, m.file, m.src = at, file, src
	m.stack = m.stack[:len(m.stack)-1]
	return m.endCall(fr, f)
}

// maxRecursion bounds how often a function calls itself when that depends on
// unknowns.
const maxRecursion = 3

// active returns how often a function is on the call stack.
func (m *machine) active(name string) int {
	n := 0
	for _, c := range m.stack {
		if c.fn == name {
			n++
		}
	}
	return n
}

// endCall joins the ways of a function or sourced file and drops its locals.
func (m *machine) endCall(fr *frame, f flow) flow {
	if f != flowNext && f != flowDead && len(fr.pending) > 0 {
		var out outcome
		frames := m.frames
		m.frames = m.frames[:len(m.frames)-1] // the jump goes further out
		m.finish(&out, Condition{Text: "call", Origin: m.at, Holds: true}, f)
		m.frames = frames
		f = m.pop(fr, "call", flowNext, false)
	} else if f == flowNext || f == flowDead {
		f = m.pop(fr, "call", f, f == flowNext)
	} else {
		m.frames = m.frames[:len(m.frames)-1]
	}
	if fr.function {
		if f != flowDead {
			m.dropLocals(fr)
		}
		m.fnDepth--
	}
	return f
}

// external records a command, follows it when it starts a script of the
// repository, and asks its model.
func (m *machine) external(argv []Value, prefix []Assignment, redirects []Redirect) flow {
	for _, a := range argv {
		m.touch(a)
	}
	at, with := m.unwrap(argv, prefix)
	i := m.record(argv, at, with, redirects)
	inner := argv[min(at, len(argv)):]
	if with.entry != nil {
		inner = append([]Value{*with.entry}, inner...)
	}
	if len(inner) == 0 {
		m.unknownStatus(m.nameOf(argv))
		return flowNext
	}
	if m.followIn(inner, with) {
		m.commands[i].Modelled = true
		return flowNext
	}
	name := m.nameOf(inner)
	if model, ok := m.o.Models[name]; ok {
		m.applyModel(model, inner, with.assigns)
		m.commands[i].Modelled = m.st.status.unknown == nil
		return flowNext
	}
	if m.sink > 0 {
		m.say(m.unknown(ReasonOutput, name))
	}
	m.unknownStatus(name)
	return flowNext
}

// nameOf returns the program's name without its directory, "" when unknown.
func (m *machine) nameOf(argv []Value) string {
	return programName(argv[0])
}

// programName returns the last component of a program's path.
func programName(v Value) string {
	if len(v.segs) == 0 {
		return ""
	}
	s := v.segs[len(v.segs)-1]
	if s.Unknown != nil {
		return ""
	}
	text := s.Text
	if len(v.segs) > 1 {
		if known, ok := v.Known(); ok {
			text = known
		} else if !strings.Contains(text, "/") {
			return ""
		}
	}
	return text[strings.LastIndexByte(text, '/')+1:]
}

// record adds a command to the trace.
func (m *machine) record(argv []Value, inner int, with start, redirects []Redirect) int {
	if len(m.commands) >= m.limits.Commands {
		m.end("commands")
	}
	m.spend(200 + 32*len(argv))
	c := Command{
		Argv: argv, Inner: inner, Env: m.environment(), Dir: m.dir(), Origin: m.at,
		Background: m.background > 0, Redirects: redirects, Repeated: m.repeated > 0,
	}
	if with.fresh {
		c.Env = nil
	}
	if with.dir != nil {
		c.Dir = *with.dir
	}
	if len(with.assigns) > 0 {
		c.Env = append(slices.Clip(c.Env), with.assigns...)
	}
	c.Stdin, c.HasStdin = m.stdin()
	for _, s := range m.stack[1:] {
		c.Calls = append(c.Calls, s.at)
	}
	for n := m.st.cond; n != nil; n = n.outer {
		c.Conditions = append(c.Conditions, n.Condition)
	}
	slices.Reverse(c.Conditions)
	m.commands = append(m.commands, c)
	return len(m.commands) - 1
}

// applyModel runs a model and applies what it says.
func (m *machine) applyModel(model Model, argv []Value, prefix []Assignment) {
	call := Call{Argv: argv, Origin: m.at, ReadFile: m.content, m: m}
	call.Stdin, call.HasStdin = m.stdin()
	call.Lookup = func(name string) (Value, bool) {
		for i := len(prefix) - 1; i >= 0; i-- {
			if prefix[i].Name == name {
				return prefix[i].Value, !prefix[i].Unset
			}
		}
		v := m.variable(name)
		if v == nil || !v.exported {
			return Value{}, false
		}
		return m.scalarOf(v)
	}
	call.List = func(dir string) ([]string, bool) {
		p, ok := m.repositoryPath(dir)
		if !ok {
			return nil, false
		}
		return m.list(p)
	}
	call.Dir = m.dir()
	r := model(&call)
	if r.Stdout.size > m.limits.ValueBytes {
		r.Stdout = m.limited("value bytes")
	}
	m.say(r.Stdout)
	for _, w := range r.Writes {
		m.write(w.Path, w.Content, false)
	}
	if r.StatusKnown {
		m.setStatus(r.Status)
	} else {
		m.unknownStatus(m.nameOf(argv))
	}
}
