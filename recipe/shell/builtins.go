package shell

import (
	"strconv"
	"strings"
)

// builtin runs one builtin of the shell; argv[0] is its name.
type builtin func(m *machine, argv []Value) flow

// builtinFor returns the builtin of a name, or nil.
func builtinFor(name string) builtin {
	switch name {
	case ":", "true", "trap", "hash", "alias", "unalias", "ulimit", "umask", "jobs", "disown", "enable", "times", "bind",
		"complete", "history":
		return succeed
	case "false":
		return fail
	case "wait", "kill", "fg", "bg", "dirs":
		return uncertain
	case "echo":
		return (*machine).echo
	case "printf":
		return (*machine).printf
	case "cd", "pushd":
		return (*machine).cd
	case "popd":
		return (*machine).popd
	case "pwd":
		return (*machine).pwd
	case "test", "[":
		return (*machine).testCmd
	case "let":
		return (*machine).let
	case "export", "declare", "local", "readonly", "typeset":
		return (*machine).declareWords
	case "unset":
		return (*machine).unset
	case "read":
		return (*machine).readCmd
	case "mapfile", "readarray":
		return (*machine).mapfile
	case "getopts":
		return (*machine).getopts
	}
	return controlBuiltin(name)
}

// controlBuiltin returns the builtins that steer the shell.
func controlBuiltin(name string) builtin {
	switch name {
	case "shift":
		return (*machine).shift
	case "set":
		return (*machine).set
	case "shopt":
		return (*machine).shopt
	case "exit":
		return (*machine).exitCmd
	case "return":
		return (*machine).returnCmd
	case "break":
		return (*machine).breakCmd
	case "continue":
		return (*machine).continueCmd
	case "eval":
		return (*machine).eval
	case "source", ".":
		return (*machine).source
	case "exec":
		return (*machine).exec
	case "command":
		return (*machine).commandCmd
	case "builtin":
		return (*machine).builtinCmd
	case "type":
		return (*machine).typeCmd
	}
	return nil
}

func succeed(m *machine, _ []Value) flow {
	m.setStatus(0)
	return flowNext
}

func fail(m *machine, _ []Value) flow {
	m.setStatus(1)
	return flowNext
}

func uncertain(m *machine, argv []Value) flow {
	m.unknownStatus(programName(argv[0]))
	return flowNext
}

// echo prints its arguments with spaces between.
func (m *machine) echo(argv []Value) flow {
	args := argv[1:]
	newline, escapes := true, false
	for len(args) > 0 {
		s, ok := args[0].Known()
		if !ok || len(s) < 2 || s[0] != '-' || strings.Trim(s[1:], "neE") != "" {
			break
		}
		newline = newline && !strings.Contains(s, "n")
		escapes = escapes || strings.Contains(s, "e")
		args = args[1:]
	}
	out := m.spaced(args)
	if escapes {
		out = m.apply(out, "echo", ansiQuoted)
	}
	if newline {
		out = m.concat(out, m.text("\n"))
	}
	m.say(out)
	m.setStatus(0)
	return flowNext
}

// spaced joins values with spaces.
func (m *machine) spaced(list []Value) Value {
	parts := make([]Value, 0, 2*len(list))
	for i, v := range list {
		if i > 0 {
			parts = append(parts, m.text(" "))
		}
		parts = append(parts, v)
	}
	return m.concat(parts...)
}

func (m *machine) cd(argv []Value) flow {
	args := argv[1:]
	for len(args) > 0 {
		if s, ok := args[0].Known(); ok && (s == "-P" || s == "-L" || s == "--") {
			args = args[1:]
			continue
		}
		break
	}
	to := m.unknown(ReasonHost, "HOME")
	if len(args) > 0 {
		to = args[0]
	} else if home, ok := m.scalarOf(m.variable("HOME")); ok {
		to = home
	}
	if s, ok := to.Known(); ok && s == "-" {
		to, _ = m.scalarOf(m.variable("OLDPWD"))
		m.say(m.concat(to, m.text("\n")))
	}
	m.assign("OLDPWD", m.dir())
	if abs, ok := m.absolute(to); ok {
		m.put(keyDir, &variable{set: true, val: Text(abs, m.firstOrigin(to))})
	} else {
		m.put(keyDir, &variable{set: true, val: m.within(m.dir(), to)})
	}
	m.setStatus(0)
	return flowNext
}

// within returns the directory that a partly unknown path leads to.
func (m *machine) within(dir, to Value) Value {
	if len(to.segs) == 0 {
		return dir
	}
	if s := to.segs[0]; s.Unknown != nil || strings.HasPrefix(s.Text, "/") {
		return to
	}
	return m.concat(dir, m.text("/"), to)
}

func (m *machine) popd([]Value) flow {
	if v, ok := m.scalarOf(m.variable("OLDPWD")); ok {
		m.put(keyDir, &variable{set: true, val: v})
	}
	m.setStatus(0)
	return flowNext
}

func (m *machine) pwd([]Value) flow {
	m.say(m.concat(m.dir(), m.text("\n")))
	m.setStatus(0)
	return flowNext
}

func (m *machine) unset(argv []Value) flow {
	m.unsetNames(argv[1:])
	m.setStatus(0)
	return flowNext
}

func (m *machine) shift(argv []Value) flow {
	n := 1
	if len(argv) > 1 {
		v := m.number64(argv[1])
		if !v.known || v.n < 0 {
			m.note(ReasonDerived, "shift")
			return flowNext
		}
		n = int(min(v.n, 1<<30))
	}
	args := m.args()
	if n > len(args) {
		m.setStatus(1)
		return flowNext
	}
	if anyWords(args[:n]) {
		args = []Value{Unknowable(Unknown{Reason: ReasonDerived, Detail: "shifted arguments", Origin: m.at, Shape: ShapeWords})}
		n = 0
	}
	m.setArgs(args[n:])
	m.setStatus(0)
	return flowNext
}

// set runs set: options and positional parameters.
func (m *machine) set(argv []Value) flow {
	m.setStatus(0)
	for i := 1; i < len(argv); i++ {
		s, ok := argv[i].Known()
		switch {
		case ok && (s == "--" || s == "-"):
			m.setArgs(argv[i+1:])
			return flowNext
		case !ok || len(s) < 2 || s[0] != '-' && s[0] != '+':
			m.setArgs(argv[i:])
			return flowNext
		}
		on := s[0] == '-'
		for _, c := range s[1:] {
			if c != 'o' {
				m.setFlag(string(c), on)
				continue
			}
			if i++; i < len(argv) {
				m.setOption(argv[i], on)
			}
		}
	}
	return flowNext
}

// setOption sets a long option by the letter it is kept under.
func (m *machine) setOption(name Value, on bool) {
	s, _ := name.Known()
	letters := map[string]string{"errexit": "e", "nounset": "u", "xtrace": "x", "pipefail": "P", "allexport": "a", "noglob": "f"}
	if c := letters[s]; c != "" {
		m.setFlag(c, on)
	}
}

func (m *machine) shopt(argv []Value) flow {
	m.setStatus(0)
	for _, a := range argv[1:] {
		if s, ok := a.Known(); ok && (s == "-q" || s == "-p") {
			m.unknownStatus("shopt")
		}
	}
	return flowNext
}

func (m *machine) exitCmd(argv []Value) flow {
	status, _ := m.special("?")
	if len(argv) > 1 {
		status = argv[1]
	}
	return m.exitWith(status)
}

func (m *machine) returnCmd(argv []Value) flow {
	if len(argv) > 1 {
		if v := m.number64(argv[1]); v.known {
			m.setStatus(int(v.n & 255))
		} else {
			m.st.status = status{unknown: v.u}
			if v.u == nil {
				m.unknownStatus("return")
			}
		}
	}
	for i := len(m.frames) - 1; i >= 0; i-- {
		if m.frames[i].kind == frameCall || m.frames[i].kind == frameShell && m.frames[i].open {
			return flowReturn
		}
	}
	return flowNext // outside of functions and sourced files it does nothing
}

// loopLevel reads the number of loops to leave, at most those there are.
func (m *machine) loopLevel(argv []Value) int {
	n := int64(1)
	if len(argv) > 1 {
		if v := m.number64(argv[1]); v.known && v.n > 0 {
			n = v.n
		}
	}
	loops := int64(0)
	for i := len(m.frames) - 1; i >= 0 && m.frames[i].kind >= frameLoop; i-- {
		if m.frames[i].kind == frameLoop {
			loops++
		}
	}
	return int(min(n, loops))
}

func (m *machine) breakCmd(argv []Value) flow {
	m.setStatus(0)
	if m.breakLevel = m.loopLevel(argv); m.breakLevel == 0 {
		return flowNext
	}
	return flowBreak
}

func (m *machine) continueCmd(argv []Value) flow {
	m.setStatus(0)
	if m.breakLevel = m.loopLevel(argv); m.breakLevel == 0 {
		return flowNext
	}
	return flowContinue
}

func (m *machine) builtinCmd(argv []Value) flow {
	if len(argv) < 2 {
		return succeed(m, argv)
	}
	return m.dispatch(argv[1:], nil, m.redirects, false)
}

func (m *machine) typeCmd(argv []Value) flow {
	if len(argv) == 3 {
		if s, ok := argv[1].Known(); ok && s == "-t" {
			if name, ok := m.joined(argv[2]); ok {
				if b := m.st.get(key{spaceFunc, name}); b != nil && b.v != nil {
					m.say(m.text("function\n"))
					m.setStatus(0)
					return flowNext
				}
			}
		}
	}
	m.say(m.unknown(ReasonHost, "type"))
	m.unknownStatus("type")
	return flowNext
}

func (m *machine) let(argv []Value) flow {
	for _, a := range argv[1:] {
		v := m.number64(a)
		m.setTruth(v.truth(), v.asValue(m))
	}
	return flowNext
}

// declareWords runs a declaration that was written through another builtin.
func (m *machine) declareWords(argv []Value) flow {
	name, _ := argv[0].Known()
	a := attributes{export: name == "export", local: name == "local" || name != "export" && name != "readonly" && m.functionFrame() != nil}
	for _, v := range argv[1:] {
		if s, ok := m.joined(v); ok && len(s) > 1 && (s[0] == '-' || s[0] == '+') {
			a.option(s)
			continue
		}
		m.declareText(a, v)
	}
	m.setStatus(0)
	return flowNext
}

// itoa is the decimal text of a number.
func itoa(n int) string { return strconv.Itoa(n) }
