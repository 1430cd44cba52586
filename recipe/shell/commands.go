package shell

import (
	"path"
	"strings"
)

// eval runs its words as a script in the current shell.
func (m *machine) eval(argv []Value) flow {
	src, ok := m.parseValue(m.spaced(argv[1:]))
	if !ok {
		m.note(ReasonUnsupported, "eval of a text that is not known")
		m.unknownStatus("eval")
		return flowNext
	}
	if src.err != nil {
		m.note(ReasonSyntax, "eval: "+src.err.Error())
		m.unknownStatus("eval")
		return flowNext
	}
	if !m.enter() {
		m.unknownStatus("eval")
		return flowNext
	}
	defer m.leave()
	at, old := m.at, m.src
	m.src = src
	f := m.stmts(src.file.Stmts)
	m.at, m.src = at, old
	return f
}

func (m *machine) source(argv []Value) flow {
	if len(argv) < 2 {
		m.setStatus(2)
		return flowNext
	}
	return m.sourceFile(argv[1], argv[2:])
}

// exec replaces the shell by a command; without one it only redirects.
func (m *machine) exec(argv []Value) flow {
	i := 1
	for i < len(argv) {
		s, ok := argv[i].Known()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		if i++; s == "-a" {
			i++
		}
	}
	if i >= len(argv) {
		m.setStatus(0)
		return flowNext
	}
	m.dispatch(argv[i:], nil, m.redirects, false)
	status, _ := m.special("?")
	return m.exitWith(status)
}

// commandCmd runs command: -v and -V look a name up, else the rest is run
// without functions.
func (m *machine) commandCmd(argv []Value) flow {
	i := 1
	look := false
	for i < len(argv) {
		s, ok := argv[i].Known()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		look = look || strings.ContainsAny(s, "vV")
		i++
	}
	switch {
	case i >= len(argv):
		m.setStatus(0)
	case look:
		m.lookUp(argv[i:])
	default:
		return m.dispatch(argv[i:], nil, m.redirects, false)
	}
	return flowNext
}

// lookUp says where a command is: known for functions and builtins, a path of
// the machine for programs.
func (m *machine) lookUp(names []Value) {
	for _, n := range names {
		s, ok := m.joined(n)
		if !ok {
			m.say(m.derived("command -v", n))
			m.unknownStatus("command -v")
			continue
		}
		if b := m.st.get(key{spaceFunc, s}); builtinFor(s) != nil || b != nil && b.v != nil {
			m.say(m.text(s + "\n"))
			m.setStatus(0)
			continue
		}
		m.say(m.concat(m.unknown(ReasonHost, "directory of "+s), m.text("/"+path.Base(s)+"\n")))
		m.unknownStatus("command -v " + s)
	}
}
