package launch

import (
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/recipe/shell"
)

// memo keeps traces of scripts, so that rows which give a script the same are
// evaluated once: the launcher of a curve's points sees the same variables for
// all of them. It is safe for concurrent use.
type memo struct {
	mu      sync.Mutex
	scripts map[string]*remembered // by script
}

// remembered are the traces of one script. names are the words in all files
// that its evaluations have read: a variable whose name is none of them cannot
// have mattered.
type remembered struct {
	names  map[string]bool
	cutoff map[string]bool // names of which only the part before "_" is used
	seen   map[string]bool // names of which that is known
	traces map[string]*shell.Trace
}

// maxTraces bounds the traces of one script.
const maxTraces = 512

// find returns the trace of an equal evaluation, nil if there is none.
func (m *memo) find(s stage, place string) *shell.Trace {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.scripts[s.script]
	if r == nil {
		return nil
	}
	return r.traces[r.key(s, place)]
}

// keep remembers a trace. A script that has read a file with other words than
// before starts anew, since older keys may lack them.
func (m *memo) keep(s stage, place string, t *shell.Trace, read func(name string) []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.scripts == nil {
		m.scripts = make(map[string]*remembered)
	}
	r := m.scripts[s.script]
	if r == nil {
		r = &remembered{names: make(map[string]bool), cutoff: make(map[string]bool), seen: make(map[string]bool), traces: make(map[string]*shell.Trace)}
		m.scripts[s.script] = r
	}
	if r.learn(t.Files, s.env, read) || len(r.traces) >= maxTraces {
		r.traces = make(map[string]*shell.Trace)
	}
	r.traces[r.key(s, place)] = t
}

// learn takes the words of files, and reports whether there are new ones. env
// are the variables for which it is looked at how they are used; the use of
// others is not restricted.
func (r *remembered) learn(files []string, env shell.Env, read func(name string) []byte) (grown bool) {
	for _, f := range files {
		if r.names["\x00"+f] {
			continue
		}
		r.names["\x00"+f] = true
		grown = true
		text := string(read(f))
		here := make(map[string]bool)
		for _, w := range identifiers(text) {
			r.names[w], here[w] = true, true
		}
		for name := range env {
			if !here[name] {
				continue
			}
			only := strings.Count(text, name) == strings.Count(text, name+"%%_*")
			r.cutoff[name] = only && (r.cutoff[name] || !r.seen[name])
			r.seen[name] = true
		}
	}
	return grown
}

// identifiers are the words of a text that may name a variable.
func identifiers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// key is what an evaluation depends on, as text.
func (r *remembered) key(s stage, place string) string {
	var b strings.Builder
	b.WriteString(place + "\x00" + s.name + "\x00" + s.dir + "\x00" + strconv.Itoa(len(s.args)))
	for _, a := range s.args {
		b.WriteString("\x00" + a.String())
	}
	for _, dir := range sortedNames(s.mounts) {
		b.WriteString("\x00" + dir + "=" + s.mounts[dir])
	}
	names := make([]string, 0, len(s.env))
	for name := range s.env {
		if r.names[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		value := s.env[name].String()
		if r.cutoff[name] {
			value, _, _ = strings.Cut(value, "_")
		}
		b.WriteString("\x00" + name + "=" + value)
	}
	return b.String()
}

func sortedNames(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
