package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// function is a shell function with the file that defines it.
type function struct {
	body *syntax.Stmt
	file string
	src  *source
	name Value // the file as it was started, for BASH_SOURCE
}

// caller is one level of the call stack.
type caller struct {
	fn   string // function name, "source" or "main"
	name Value  // the file as it was started
	at   Origin // where it was called
}

// machine evaluates one script. All that a way may change is in its state; the
// rest only grows.
type machine struct {
	budget
	o  *Options
	st *state

	// Where we are.
	at         Origin
	file       string
	src        *source
	stack      []caller
	args0      Value
	fnDepth    int
	background int
	repeated   int
	breakLevel int
	// sink and input are where output goes and input comes from: entries of
	// the state, numbered from the outside; -1 drops output, 0 is the script's
	// own input.
	sink, sinks   int
	errSink       int
	input, inputs int
	writeStamp    int
	substRan      bool // a command substitution set $? in this command
	procs         int
	redirects     []Redirect // of the builtin that runs
	quietExit     int        // conditions in which a failing command is no failure

	frames []*frame

	// start is the environment at the start.
	start    *givens
	touched  map[string]struct{} // names of it that were written, and all exported since
	sorted   []string            // the same, in order
	added    int                 // how many of them are not of the start
	envs     int                 // numbers given out for environments
	envFor   int                 // number that envList belongs to
	envList  []Assignment
	finalEnv []Assignment

	commands []Command
	unknowns []Unknown
	assumed  []Condition
	exit     *Exit
	used     map[string]struct{} // repository files used
	probed   map[string]struct{} // repository files missed
	written  map[string]Origin   // absolute paths of files written
	evals    map[string]*source
	patterns map[string]*glob
	blobs    map[string]blob
	lists    map[string]struct{} // repository directories listed
}

// blob is a repository file read in this run.
type blob struct {
	data []byte
	ok   bool
}

// note records an unknown that shaped the trace, once for each place.
func (m *machine) note(reason Reason, detail string) Unknown {
	u := Unknown{Reason: reason, Detail: short(detail), Origin: m.at}
	for i := range m.unknowns {
		if m.unknowns[i].same(&u) {
			return u
		}
	}
	if len(m.unknowns) < 1000 {
		m.unknowns = append(m.unknowns, u)
	}
	return u
}

// unknown returns an unknown value that arises here.
func (m *machine) unknown(reason Reason, detail string) Value {
	return Unknowable(Unknown{Reason: reason, Detail: short(detail), Origin: m.at})
}

// number returns an unknown number that arises here.
func (m *machine) number(reason Reason, detail string) Value {
	return Unknowable(Unknown{Reason: reason, Detail: short(detail), Origin: m.at, Shape: ShapeNumber})
}

// setStatus sets $?.
func (m *machine) setStatus(code int) { m.st.status = status{code: code} }

// unknownStatus makes $? unknown because of a command.
func (m *machine) unknownStatus(of string) {
	m.st.status = status{unknown: &Unknown{Reason: ReasonStatus, Detail: short(of), Origin: m.at, Shape: ShapeNumber}}
}

// truth is what is known of a condition.
type truth uint8

const (
	unsure truth = iota
	yes
	no
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unsure
}

// setTruth sets $? from a condition.
func (m *machine) setTruth(t truth, why ...Value) {
	switch t {
	case yes:
		m.setStatus(0)
	case no:
		m.setStatus(1)
	default:
		u := m.derived("condition", why...).segs[0].Unknown
		m.st.status = status{unknown: u}
	}
}

// succeeded returns what is known of $? being 0.
func (m *machine) succeeded() truth {
	if m.st.status.unknown != nil {
		return unsure
	}
	return truthOf(m.st.status.code == 0)
}

// put replaces an entry of the shell's own.
func (m *machine) put(k key, v *variable) { m.st.put(k, &binding{v: v}) }

// entry returns an entry of the shell's own.
func (m *machine) entry(k key) (Value, bool) {
	if b := m.st.get(k); b != nil && b.v != nil && b.v.set {
		return b.v.val, true
	}
	return Value{}, false
}

// dir returns the working directory.
func (m *machine) dir() Value {
	v, _ := m.entry(keyDir)
	return v
}

// options of the shell that matter here, kept as a text in the state.
var keyFlags = key{spaceShell, "flags"}

func (m *machine) flag(c string) bool {
	v, _ := m.entry(keyFlags)
	s, ok := v.Known()
	return ok && strings.Contains(s, c)
}

func (m *machine) setFlag(c string, on bool) {
	v, _ := m.entry(keyFlags)
	s, _ := v.Known()
	s = strings.ReplaceAll(s, c, "")
	if on {
		s += c
	}
	m.put(keyFlags, &variable{set: true, val: Text(s, Origin{})})
}
