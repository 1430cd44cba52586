package python

import (
	"errors"
	"strings"
)

// World is what a program sees of the outside.
type World struct {
	// Args are sys.argv behind the program's name.
	Args []string
	// Stdin is the standard input.
	Stdin string
	// Open returns the content of a file; ok is false where it is not known.
	Open func(path string) (content string, ok bool)
	// Lookup returns a variable of the environment: its value, whether it is
	// set, and whether that is known.
	Lookup func(name string) (value string, set, known bool)
}

// Bounds of one program.
const (
	maxSource = 64 << 10
	maxSteps  = 200_000
	maxOutput = 256 << 10
)

// ErrUnknown is returned for a program whose output cannot be told.
var ErrUnknown = errors.New("the output of the program is not known")

// Run computes what a program prints, and its exit status. Everything that
// this package does not know makes both unknown: the error is then ErrUnknown.
func Run(source string, w World) (stdout string, status int, err error) {
	if len(source) > maxSource {
		return "", 0, ErrUnknown
	}
	body, err := parse(source)
	if err != nil {
		return "", 0, ErrUnknown
	}
	m := &machine{world: w, names: words(source)}
	err = m.program(body)
	var exit exited
	switch {
	case errors.As(err, &exit):
		return m.out.String(), exit.status, nil
	case err != nil:
		return "", 0, ErrUnknown
	}
	return m.out.String(), 0, nil
}

// words are the names that a text may refer to.
func words(source string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.FieldsFunc(source, func(r rune) bool { return r >= 128 || !isLetter(byte(r)) && !isDigit(byte(r)) }) {
		out[w] = true
	}
	return out
}

type machine struct {
	world World
	out   strings.Builder
	steps int
	depth int
	// names are all that the program and the files it read mention: of the
	// environment nothing else can matter.
	names map[string]bool
}

// raised is an exception of the program.
type raised struct{ text string }

func (r raised) Error() string { return r.text }

// exited is sys.exit.
type exited struct{ status int }

func (exited) Error() string { return "exit" }

// scope holds the names of a function, or of the program.
type scope struct {
	names  map[string]any
	global *scope
}

func (s *scope) get(name string) (any, bool) {
	if v, ok := s.names[name]; ok {
		return v, true
	}
	if s.global != nil {
		return s.global.get(name)
	}
	return nil, false
}

// signal says how a block ended.
type signal struct {
	word  string // "", break, continue, return
	value any
}

func (m *machine) program(body []any) (err error) {
	defer recovered(&err)
	m.block(&scope{names: make(map[string]any)}, body)
	return nil
}

func (m *machine) step() {
	if m.steps++; m.steps > maxSteps {
		panic(failure{errUnsupported})
	}
}

// raise throws an exception of the program.
func raise(text string) { panic(failure{raised{text}}) }

func (m *machine) block(s *scope, body []any) signal {
	for _, statement := range body {
		if sig := m.statement(s, statement); sig.word != "" {
			return sig
		}
	}
	return signal{}
}

func (m *machine) statement(s *scope, statement any) signal {
	m.step()
	switch x := statement.(type) {
	case bare:
		m.eval(s, x.x)
	case assign:
		m.assign(s, x)
	case branch:
		if truth(m.eval(s, x.test)) {
			return m.block(s, x.yes)
		}
		return m.block(s, x.no)
	case loop:
		return m.loop(s, x)
	case function:
		s.names[x.name] = &x
	case giveBack:
		return signal{"return", m.eval(s, x.x)}
	case with:
		value := m.eval(s, x.x)
		if x.name != "" {
			s.names[x.name] = value
		}
		return m.block(s, x.body)
	case attempt:
		return m.attempt(s, x)
	case jump:
		if x.word != "pass" {
			return signal{word: x.word}
		}
	}
	return signal{}
}

func (m *machine) loop(s *scope, x loop) signal {
	for _, item := range m.items(m.eval(s, x.in)) {
		m.step()
		m.bind(s, x.targets, item)
		switch sig := m.block(s, x.body); sig.word {
		case "break":
			return signal{}
		case "return":
			return sig
		}
	}
	return signal{}
}

func (m *machine) bind(s *scope, targets []string, value any) {
	if len(targets) == 1 {
		s.names[targets[0]] = value
		return
	}
	items := m.items(value)
	if len(items) != len(targets) {
		raise("values to unpack")
	}
	for i, t := range targets {
		s.names[t] = items[i]
	}
}

// attempt runs a body; an exception of the program goes to its handler.
func (m *machine) attempt(s *scope, x attempt) (sig signal) {
	text := ""
	caught := func() (caught bool) {
		defer func() {
			r := recover()
			if r == nil {
				return
			}
			f, ok := r.(failure)
			var e raised
			if !ok || !errors.As(f.err, &e) || x.handler == nil {
				panic(r)
			}
			caught, text = true, e.text
		}()
		sig = m.block(s, x.body)
		return false
	}()
	if caught {
		if x.bound != "" {
			s.names[x.bound] = text
		}
		sig = m.block(s, x.handler)
	}
	if after := m.block(s, x.after); after.word != "" {
		return after
	}
	return sig
}

func (m *machine) assign(s *scope, a assign) {
	value := m.eval(s, a.value)
	if a.op != "" {
		value = m.binary(a.op, m.eval(s, a.targets[0]), value)
	}
	for _, t := range a.targets {
		m.store(s, t, value)
	}
}

func (m *machine) store(s *scope, target expr, value any) {
	switch t := target.(type) {
	case variable:
		s.names[t.name] = value
	case display:
		items := m.items(value)
		if len(items) != len(t.items) {
			raise("values to unpack")
		}
		for i, part := range t.items {
			m.store(s, part, items[i])
		}
	case index:
		d, ok := m.eval(s, t.of).(*dict)
		key, hashable := keyOf(m.eval(s, t.at))
		if !ok || !hashable {
			panic(failure{errUnsupported})
		}
		d.set(key, value)
	default:
		panic(failure{errUnsupported})
	}
}

// items are the elements of what a loop goes over.
func (m *machine) items(v any) []any {
	switch v := v.(type) {
	case *list:
		return v.items
	case *dict:
		return v.keys
	case string:
		var out []any
		for _, r := range v {
			m.step()
			out = append(out, string(r))
		}
		return out
	}
	panic(failure{errUnsupported})
}
