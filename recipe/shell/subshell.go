package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

func keyOut(n int) key { return key{spaceOut, strconv.Itoa(n)} }
func keyIn(n int) key  { return key{spaceIn, strconv.Itoa(n)} }

// say writes to standard output of the shell.
func (m *machine) say(v Value) {
	if len(v.segs) == 0 || m.sink < 0 {
		return
	}
	k := keyOut(m.sink)
	old, _ := m.entry(k)
	m.put(k, &variable{set: true, val: m.concat(old, v)})
}

// into runs something with its standard output collected.
func (m *machine) into(run func() flow) (Value, flow) {
	saved := m.sink
	m.sinks++
	m.sink = m.sinks
	m.put(keyOut(m.sink), &variable{set: true})
	f := run()
	out, _ := m.entry(keyOut(m.sinks))
	m.sinks--
	m.sink = saved
	return out, f
}

// from runs something that reads v.
func (m *machine) from(v Value, run func() flow) flow {
	saved := m.input
	m.inputs++
	m.input = m.inputs
	m.put(keyIn(m.input), &variable{set: true, val: v})
	f := run()
	m.inputs--
	m.input = saved
	return f
}

// stdin returns what is left to read, and false when that is the script's own
// unknown input.
func (m *machine) stdin() (Value, bool) {
	if m.input <= 0 {
		return Value{}, false
	}
	return m.entry(keyIn(m.input))
}

func (m *machine) setStdin(v Value) {
	if m.input > 0 {
		m.put(keyIn(m.input), &variable{set: true, val: v})
	}
}

// subshell runs something in a copy of the state; only its output, its status
// and the files it writes remain. With capture the output is returned instead
// of written.
func (m *machine) subshell(capture bool, run func() flow) Value {
	parent := m.st
	return m.apart(newState(parent), capture, run)
}

// apart runs something in another state and returns to the present one.
func (m *machine) apart(child *state, capture bool, run func() flow) Value {
	parent, at, file, src := m.st, m.at, m.file, m.src
	m.st = child
	stamp := m.writeStamp
	frames := len(m.frames)
	fr := m.push(&frame{kind: frameShell, open: true})
	body := func() flow {
		f := run()
		return m.pop(fr, "subshell", flowNext, f != flowDead)
	}
	var out Value
	if capture {
		out, _ = m.into(body)
	} else {
		body()
	}
	end := m.st
	m.frames = m.frames[:frames]
	m.st, m.at, m.file, m.src = parent, at, file, src
	m.keep(parent, end, stamp, capture)
	parent.status = end.status
	return out
}

// keep carries over what a subshell leaves behind.
func (m *machine) keep(parent, end *state, stamp int, captured bool) {
	if m.writeStamp != stamp {
		for name := range m.written {
			k := key{spaceFile, name}
			if b := end.get(k); b != parent.get(k) {
				parent.put(k, b)
			}
		}
	}
	for i, n := range [2]int{m.sink, m.errSink} {
		if n < 0 || i == 0 && captured {
			continue
		}
		k := keyOut(n)
		if b := end.get(k); b != nil && b != parent.get(k) {
			parent.put(k, b)
		}
	}
	if m.input > 0 {
		k := keyIn(m.input)
		if b := end.get(k); b != nil && b != parent.get(k) {
			parent.put(k, b)
		}
	}
}

// pipeline runs the stages of a | b | c one after the other, each with the
// output of the one before.
func (m *machine) pipeline(x *syntax.BinaryCmd) flow {
	var stages []*syntax.Stmt
	left := x
	for {
		stages = append(stages, left.Y)
		next, ok := left.X.Cmd.(*syntax.BinaryCmd)
		if !ok || next.Op != syntax.Pipe && next.Op != syntax.PipeAll || len(left.X.Redirs) > 0 || left.X.Negated {
			stages = append(stages, left.X)
			break
		}
		left = next
	}
	m.step(len(stages))
	var piped Value
	var failed []status
	for i := len(stages) - 1; i >= 0; i-- {
		stage := stages[i]
		run := func() flow { return m.stmt(stage) }
		if i < len(stages)-1 {
			input := piped
			run = func() flow { return m.from(input, func() flow { return m.stmt(stage) }) }
		}
		piped = m.subshell(i > 0, run)
		failed = append(failed, m.st.status)
	}
	m.store("PIPESTATUS", m.pipeStatus(failed))
	if m.flag("P") {
		for _, s := range failed[:len(failed)-1] {
			if last := m.st.status; last.unknown == nil && last.code == 0 {
				m.st.status = s
			}
		}
	}
	return flowNext
}

// pipeStatus returns PIPESTATUS: one status for each stage.
func (m *machine) pipeStatus(list []status) *variable {
	v := &variable{kind: indexed, set: true}
	for _, s := range list {
		if s.unknown != nil {
			v.elems = append(v.elems, Unknowable(*s.unknown))
			continue
		}
		v.elems = append(v.elems, m.text(itoa(s.code)))
	}
	return v
}
