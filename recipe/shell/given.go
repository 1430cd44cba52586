package shell

import (
	"maps"
	"path"
	"slices"
	"strconv"
)

// Inputs are what an evaluation has looked at. Another one of the same script
// with the same options, whose environment has the same names, and which finds
// the same here, gives the same trace.
type Inputs struct {
	// Env are the starting variables whose values were looked at, sorted.
	Env []string
	// Files are the repository paths that were looked at, whether they hold a
	// file or not; Dirs are the directories that were listed. Both are sorted.
	Files, Dirs []string
}

// given is a variable of the starting environment that was looked at.
type given struct {
	binding  binding
	variable variable
	counted  bool
}

// givens are the starting environment: what the caller gives, and what every
// machine sets its own way.
type givens struct {
	env  Env
	host map[string]Value
	seen map[string]*given
}

func newGivens(env Env) *givens {
	g := &givens{env: env, host: make(map[string]Value, len(hostNames)), seen: make(map[string]*given)}
	for _, name := range hostNames {
		if _, ok := env[name]; !ok {
			g.host[name] = Unknowable(Unknown{Reason: ReasonHost, Detail: name})
		}
	}
	return g
}

// size is the number of variables.
func (g *givens) size() int { return len(g.env) + len(g.host) }

// names are the variables, in no order.
func (g *givens) names() []string {
	return slices.AppendSeq(slices.AppendSeq(make([]string, 0, g.size()), maps.Keys(g.env)), maps.Keys(g.host))
}

// value is the value of a variable at the start.
func (g *givens) value(name string) (Value, bool) {
	if v, ok := g.env[name]; ok {
		return v, true
	}
	v, ok := g.host[name]
	return v, ok
}

// of returns a variable, nil where none is given.
func (g *givens) of(name string) *given {
	if x, ok := g.seen[name]; ok {
		return x
	}
	val, ok := g.value(name)
	if !ok {
		return nil
	}
	x := &given{variable: variable{set: true, exported: true, val: val}}
	x.variable.from, x.binding.v = x, &x.variable
	g.seen[name] = x
	return x
}

func (g *givens) get(name string) *binding {
	if x := g.of(name); x != nil {
		return &x.binding
	}
	return nil
}

// counts notes that the value of a starting variable counts.
func (g *given) counts() {
	if g != nil {
		g.counted = true
	}
}

// counts notes that the value of a variable counts: what was given, when it is
// still that.
func (v *variable) counts() {
	if v != nil && v.from != nil {
		v.from.counted = true
	}
}

func (m *machine) inputsUsed() Inputs {
	in := Inputs{Files: append(slices.Collect(maps.Keys(m.blobs)), path.Clean(m.o.Script)), Dirs: slices.Sorted(maps.Keys(m.lists))}
	slices.Sort(in.Files)
	in.Files = slices.Compact(in.Files)
	for name, g := range m.start.seen {
		if g.counted {
			in.Env = append(in.Env, name)
		}
	}
	slices.Sort(in.Env)
	return in
}

// AppendIdentity appends a text that is the same for two values only if they
// are the same in all: text, unknowns, places.
func (v Value) AppendIdentity(b []byte) []byte {
	b = strconv.AppendInt(b, int64(len(v.segs)), 10)
	for i := range v.segs {
		s := &v.segs[i]
		b = s.Origin.appendIdentity(b)
		b = appendText(b, s.Text)
		if s.Unknown == nil {
			b = append(b, '=')
			continue
		}
		b = s.Unknown.appendIdentity(b)
	}
	return b
}

func (o Origin) appendIdentity(b []byte) []byte {
	b = appendText(b, o.File)
	b = strconv.AppendInt(append(b, ':'), int64(o.Line), 10)
	return strconv.AppendInt(append(b, ':'), int64(o.Column), 10)
}

func (u *Unknown) appendIdentity(b []byte) []byte {
	b = appendText(append(b, '?'), string(u.Reason))
	b = appendText(b, u.Detail)
	b = u.Origin.appendIdentity(b)
	b = strconv.AppendInt(append(b, '/'), int64(u.Shape), 10)
	b = strconv.AppendBool(append(b, '/'), u.Unset)
	b = strconv.AppendInt(append(b, '/'), int64(len(u.Alternatives)), 10)
	for _, a := range u.Alternatives {
		b = a.AppendIdentity(append(b, '|'))
	}
	return b
}

// appendText appends a text with its length in front.
func appendText(b []byte, s string) []byte {
	b = strconv.AppendInt(append(b, ' '), int64(len(s)), 10)
	return append(append(b, ' '), s...)
}
