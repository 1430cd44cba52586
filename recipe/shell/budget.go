package shell

import (
	"context"

	"mvdan.cc/sh/v3/syntax"
)

// stop ends the evaluation; Run recovers it. err is nil when a limit was
// reached.
type stop struct{ err error }

// budget counts what a run may still use.
type budget struct {
	ctx    context.Context
	limits Limits
	steps  int
	bytes  int
	depth  int
	nextCC int // steps at which the context is looked at again
	hit    []Limit
}

// fill takes the default for every limit that is not set.
func (l Limits) fill() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ have, def *int }{
		{&l.Steps, &d.Steps}, {&l.ValueBytes, &d.ValueBytes}, {&l.TotalBytes, &d.TotalBytes},
		{&l.Words, &d.Words}, {&l.Depth, &d.Depth}, {&l.LoopTurns, &d.LoopTurns}, {&l.Ways, &d.Ways},
		{&l.Commands, &d.Commands}, {&l.FileBytes, &d.FileBytes}, {&l.Written, &d.Written},
	} {
		if *f.have <= 0 {
			*f.have = *f.def
		}
	}
	return l
}

// reached records a limit, once for each name.
func (m *machine) reached(name string, at Origin) {
	for _, l := range m.hit {
		if l.Name == name {
			return
		}
	}
	m.hit = append(m.hit, Limit{Name: name, Origin: at})
}

// step takes n steps; out of steps the run ends.
func (m *machine) step(n int) {
	if n < 0 || n > m.limits.Steps-m.steps {
		m.steps = m.limits.Steps
		m.end("steps")
	}
	m.steps += n
	if m.steps >= m.nextCC {
		m.nextCC = m.steps + 4096
		if err := m.ctx.Err(); err != nil {
			panic(stop{err})
		}
	}
}

// end stops the run because of a limit that concerns all of it.
func (m *machine) end(name string) {
	m.reached(name, m.at)
	panic(stop{})
}

// spend takes n bytes of memory that are about to be allocated; out of bytes
// the run ends.
func (m *machine) spend(n int) {
	if n < 0 || n > m.limits.TotalBytes-m.bytes {
		m.end("total bytes")
	}
	m.bytes += n
}

// enter goes one level deeper; false means that the level is not allowed and
// the caller has to give up this part. Pair with leave.
func (m *machine) enter() bool {
	if m.depth >= m.limits.Depth {
		m.reached("depth", m.at)
		return false
	}
	m.depth++
	return true
}

func (m *machine) leave() { m.depth-- }

// limited returns the unknown that stands for a value that was not built.
func (m *machine) limited(name string) Value {
	m.reached(name, m.at)
	return Unknowable(Unknown{Reason: ReasonLimit, Detail: name, Origin: m.at})
}

// origin turns a position of the current file into an origin.
func (m *machine) origin(pos syntax.Pos) Origin {
	if at, ok := m.src.originAt(int(pos.Offset())); ok {
		return at
	}
	return Origin{File: m.file, Line: int(pos.Line()), Column: int(pos.Col())}
}
