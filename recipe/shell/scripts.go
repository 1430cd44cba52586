package shell

import (
	"bytes"
	"strings"
)

// shells are the programs that run scripts.
var shells = map[string]bool{"bash": true, "sh": true, "dash": true}

// followIn follows a command in the directory where it is started.
func (m *machine) followIn(argv []Value, with start) bool {
	if with.dir == nil {
		return m.follow(argv, with)
	}
	saved := m.st.get(keyDir)
	dir := *with.dir
	if abs, ok := m.absolute(dir); ok {
		dir = Text(abs, m.firstOrigin(dir))
	}
	m.put(keyDir, &variable{set: true, val: dir})
	followed := m.follow(argv, with)
	m.st.put(keyDir, saved)
	return followed
}

// follow runs a script of the repository that a command starts. It reports
// whether it did.
func (m *machine) follow(argv []Value, with start) bool {
	if shells[programName(argv[0])] {
		return m.followShell(argv, with)
	}
	name, ok := m.joined(argv[0])
	if !ok || !strings.Contains(name, "/") && !with.script {
		return false
	}
	abs, ok := m.absolute(argv[0])
	if !ok {
		return false
	}
	data, ok := m.scriptText(abs)
	if !ok || !strings.HasSuffix(abs, ".sh") && !isShellScript(data) {
		return false
	}
	m.runScript(abs, argv[0], data, argv[1:], with)
	return true
}

func isShellScript(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.HasPrefix(line, []byte("#!")) && (bytes.Contains(line, []byte("bash")) || bytes.HasSuffix(bytes.TrimSpace(line), []byte("sh")))
}

// followShell runs bash SCRIPT ARGS, bash -c TEXT and bash with a script on
// its input.
func (m *machine) followShell(argv []Value, with start) bool {
	i := 1
	for ; i < len(argv); i++ {
		s, ok := argv[i].Known()
		if !ok || len(s) < 2 || s[0] != '-' && s[0] != '+' {
			break
		}
		if s == "-s" || s == "--" {
			i++
			break
		}
		if !strings.HasPrefix(s, "--") && strings.Contains(s, "c") {
			return m.followText(argv, i+1, with)
		}
		if s == "-o" || s == "-O" || s == "+o" || s == "+O" || s == "--rcfile" || s == "--init-file" {
			i++
		}
	}
	if i >= len(argv) || isOption(argv[i-1], "-s") {
		in, ok := m.stdin()
		if !ok {
			return false
		}
		return m.runText(in, Text("bash", m.at), argv[min(i, len(argv)):], with)
	}
	abs, ok := m.absolute(argv[i])
	if !ok {
		m.note(ReasonMissing, "script "+argv[i].String())
		return false
	}
	data, ok := m.scriptText(abs)
	if !ok {
		if v := m.content(argv[i]); v.IsKnown() && v.size > 0 {
			return m.runText(v, argv[i], argv[i+1:], with)
		}
		m.note(ReasonMissing, "script "+abs)
		return false
	}
	m.runScript(abs, argv[i], data, argv[i+1:], with)
	return true
}

func isOption(v Value, want string) bool {
	s, ok := v.Known()
	return ok && s == want
}

// scriptText returns a script of the repository, unless the run wrote another
// one at its place.
func (m *machine) scriptText(abs string) ([]byte, bool) {
	if b := m.st.get(key{spaceFile, abs}); b != nil && b.v != nil {
		s, ok := m.joined(b.v.val)
		return []byte(s), ok && !b.v.partly
	}
	return m.repositoryFile(abs)
}

// followText runs bash -c TEXT NAME ARGS.
func (m *machine) followText(argv []Value, i int, with start) bool {
	if i >= len(argv) {
		return false
	}
	name, rest := Text("bash", m.at), []Value(nil)
	if i+1 < len(argv) {
		name, rest = argv[i+1], argv[i+2:]
	}
	return m.runText(argv[i], name, rest, with)
}

// runText runs a script that is a value in a new shell.
func (m *machine) runText(text, name Value, args []Value, with start) bool {
	src, ok := m.parseValue(text)
	if !ok {
		m.note(ReasonDerived, "script text")
		return false
	}
	if src.err != nil {
		m.note(ReasonSyntax, src.err.Error())
		return false
	}
	m.inShell(m.file, src, name, args, with)
	return true
}

// runScript runs a script of the repository in a new shell.
func (m *machine) runScript(abs string, name Value, data []byte, args []Value, with start) {
	file := abs
	if p, ok := m.repositoryPath(abs); ok {
		file = p
	}
	src := m.parseFile(data)
	if src.err != nil {
		m.noteSyntax(file, src)
		m.unknownStatus(file)
		return
	}
	m.inShell(file, src, name, args, with)
}

func (m *machine) noteSyntax(file string, src *source) {
	at := m.at
	m.at = Origin{File: file}
	m.note(ReasonSyntax, src.err.Error())
	m.at = at
}

// inShell runs a parsed script in a shell of its own.
func (m *machine) inShell(file string, src *source, name Value, args []Value, with start) {
	if !m.enter() {
		m.unknownStatus(file)
		return
	}
	defer m.leave()
	args0, stack, depth := m.args0, m.stack, m.fnDepth
	child := m.freshShell(with, args)
	callStack := append(append([]caller(nil), stack...), caller{fn: "main", name: name, at: m.at})
	m.args0, m.stack, m.fnDepth = name, callStack, 0
	m.apart(child, false, func() flow {
		m.file, m.src = file, src
		return m.stmts(src.file.Stmts)
	})
	m.args0, m.stack, m.fnDepth = args0, stack, depth
}

// sourceFile runs a file in the current shell.
func (m *machine) sourceFile(target Value, args []Value) flow {
	abs, ok := m.absolute(target)
	if ok && !strings.Contains(target.String(), "/") {
		if _, found := m.scriptText(abs); !found {
			ok = false // looked up in PATH
		}
	}
	if !ok {
		m.note(ReasonMissing, "sourced file "+target.String())
		m.unknownStatus("source")
		return flowNext
	}
	data, found := m.scriptText(abs)
	if !found {
		m.note(ReasonMissing, "sourced file "+abs)
		m.unknownStatus("source")
		return flowNext
	}
	file := abs
	if p, inside := m.repositoryPath(abs); inside {
		file = p
	}
	src := m.parseFile(data)
	if src.err != nil {
		m.noteSyntax(file, src)
		m.unknownStatus("source")
		return flowNext
	}
	return m.inPlace(file, src, target, args)
}

// inPlace runs a parsed script in the current shell.
func (m *machine) inPlace(file string, src *source, name Value, args []Value) flow {
	if !m.enter() {
		m.unknownStatus("source")
		return flowNext
	}
	defer m.leave()
	at, oldFile, oldSrc := m.at, m.file, m.src
	saved := m.st.get(keyArgs)
	if len(args) > 0 {
		m.setArgs(args)
	}
	m.stack = append(m.stack, caller{fn: "source", name: name, at: at})
	fr := m.push(&frame{kind: frameCall})
	m.file, m.src = file, src
	m.setStatus(0)
	f := m.stmts(src.file.Stmts)
	if f == flowReturn {
		f = flowNext
	}
	m.at, m.file, m.src = at, oldFile, oldSrc
	m.stack = m.stack[:len(m.stack)-1]
	f = m.endCall(fr, f)
	if len(args) > 0 && f != flowDead {
		m.st.put(keyArgs, saved)
	}
	return f
}

// parseFile parses a script, through the cache.
func (m *machine) parseFile(data []byte) *source {
	if src, ok := m.o.Cache.lookup(data); ok {
		return src
	}
	m.step(1 + len(data)/64)
	src := parse(data, m.limits.FileBytes)
	m.o.Cache.keep(data, src)
	return src
}

// parseText parses a script that is a value.
func (m *machine) parseText(s string) *source {
	if src, ok := m.evals[s]; ok {
		return src
	}
	m.step(1 + len(s)/8)
	src := parse([]byte(s), m.limits.FileBytes)
	if len(m.evals) < 200 {
		m.evals[s] = src
	}
	return src
}
