package launch

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/recipe/shell"
)

// memo keeps traces of scripts by what their evaluation has looked at, so that
// rows which give a script the same are evaluated once: of a curve's points
// most launchers see nothing else. It is safe for concurrent use.
type memo struct {
	mu     sync.Mutex
	places map[string]*remembered
}

// remembered are the traces of one place. Where as many were kept as trial says
// and none was found again, nothing more is kept: what such a script looks at
// differs from row to row.
type remembered struct {
	lookers []*lookers
	kept    int
	found   bool
}

const trial = 8

// lookers are the traces of one place whose evaluations looked at the same.
type lookers struct {
	inputs shell.Inputs
	traces map[string]*shell.Trace
}

// maxTraces bounds the traces of lookers, maxLookers the lookers of a place.
const (
	maxTraces  = 512
	maxLookers = 16
)

// place is where and how a stage's script begins, as text: all that an
// evaluation depends on but for the values of its variables and files.
func (s stage) place() string {
	b := appendPart(nil, s.script)
	b = appendPart(b, s.name)
	b = appendPart(b, s.dir)
	for _, a := range s.args {
		b = a.AppendIdentity(append(b, 'a'))
	}
	for _, dir := range sortedNames(s.mounts) {
		b = appendPart(append(b, 'm'), dir)
		b = appendPart(b, s.mounts[dir])
	}
	for _, name := range sortedNames(s.env) {
		b = appendPart(append(b, 'v'), name)
	}
	return string(b)
}

func appendPart(b []byte, s string) []byte { return shell.Text(s, shell.Origin{}).AppendIdentity(b) }

// find returns the trace of an equal evaluation, nil if there is none.
func (m *memo) find(place string, env shell.Env, top *overlay) *shell.Trace {
	m.mu.Lock()
	r := m.places[place]
	var all []*lookers
	if r != nil {
		all = r.lookers
	}
	m.mu.Unlock()
	for _, l := range all {
		key := l.key(env, top)
		m.mu.Lock()
		t := l.traces[key]
		r.found = r.found || t != nil
		m.mu.Unlock()
		if t != nil {
			return t
		}
	}
	return nil
}

// keep remembers a trace. One that was cut short by a limit is not kept: a limit
// counts the work, not its outcome.
func (m *memo) keep(place string, env shell.Env, top *overlay, t *shell.Trace) {
	if len(t.Limits) > 0 {
		return
	}
	l := &lookers{inputs: t.Inputs, traces: make(map[string]*shell.Trace)}
	key := l.key(env, top)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.places == nil {
		m.places = make(map[string]*remembered)
	}
	r := m.places[place]
	if r == nil {
		r = &remembered{}
		m.places[place] = r
	}
	if r.kept++; r.kept > trial && !r.found {
		r.lookers = nil
		return
	}
	at := slices.IndexFunc(r.lookers, func(o *lookers) bool { return equalInputs(o.inputs, t.Inputs) })
	switch {
	case at >= 0:
		l = r.lookers[at]
	case len(r.lookers) < maxLookers:
		r.lookers = append(r.lookers[:len(r.lookers):len(r.lookers)], l)
	}
	if len(l.traces) < maxTraces {
		l.traces[key] = t
	}
}

func equalInputs(a, b shell.Inputs) bool {
	return slices.Equal(a.Env, b.Env) && slices.Equal(a.Files, b.Files) && slices.Equal(a.Dirs, b.Dirs)
}

// key is what the lookers see, as text. Files of the repository are not part of
// it: a memo belongs to one revision.
func (l *lookers) key(env shell.Env, top *overlay) string {
	b := make([]byte, 0, 64*len(l.inputs.Env))
	for _, name := range l.inputs.Env {
		b = env[name].AppendIdentity(b)
	}
	for _, name := range l.inputs.Files {
		if top.holds(name) {
			data, ok := top.data[name]
			b = strconv.AppendBool(appendPart(append(b, 'f'), name), ok)
			b = appendPart(b, string(data))
		}
	}
	for _, dir := range l.inputs.Dirs {
		if top.holds(dir) {
			b = appendPart(append(b, 'd'), dir)
			b = appendPart(b, strings.Join(top.list(dir), "\x00"))
		}
	}
	return string(b)
}

func sortedNames[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
