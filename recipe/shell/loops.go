package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// surplusTurns is the number of turns taken after one that may not have been
// the last: what still changes then becomes unknown.
const surplusTurns = 2

// shortList is the length up to which every item of a list gets its turn, even
// when an earlier turn may have been the last.
const shortList = 16

// loop drives the turns of a loop. next says whether there is a turn: yes, no,
// or unsure; it may change the state (conditions, loop variables).
type loop struct {
	detail string
	cond   func(holds bool) Condition
	next   func() (truth, flow)
	body   func() flow
	after  func() // what follows a turn (the step of for ((;;)))
	// surplus is how many turns follow an uncertain one; 0 is surplusTurns.
	surplus int
}

func (m *machine) whileClause(x *syntax.WhileClause) flow {
	from, to := x.WhilePos, x.DoPos
	return m.loop(loop{
		detail: "while",
		cond:   func(holds bool) Condition { return m.condition(from, to, holds) },
		next: func() (truth, flow) {
			f := m.quietly(x.Cond)
			t := m.succeeded()
			if x.Until {
				t = t.not()
			}
			return t, f
		},
		body: func() flow { return m.stmts(x.Do) },
	})
}

// loop runs turns until the condition is known to end it, or a limit of turns
// is reached, or the end is uncertain and a few turns more changed nothing new.
func (m *machine) loop(l loop) flow {
	fr := m.push(&frame{kind: frameLoop})
	m.setStatus(0)
	f, here := m.turns(fr, l)
	if f == flowBreak {
		if m.breakLevel > 1 {
			m.breakLevel--
			m.pop(fr, l.detail, f, true)
			return flowBreak
		}
		f = flowNext
	}
	if f != flowNext && f != flowDead {
		// A certain jump further out; ways that left the loop before go on.
		if len(fr.pending) == 0 {
			m.frames = m.frames[:len(m.frames)-1]
			return f
		}
		var out outcome
		m.finish(&out, Condition{Text: l.detail, Origin: m.at, Holds: true}, f)
		here = false
	}
	return m.pop(fr, l.detail, f, here && f != flowDead)
}

// turns runs the turns. here says whether the current way goes on behind the
// loop.
func (m *machine) turns(fr *frame, l loop) (f flow, here bool) {
	surplus, most := 0, max(l.surplus, surplusTurns)
	for turn := 0; ; turn++ {
		m.step(1)
		start := m.st
		layer := newState(start)
		m.st = layer
		t, f := l.next()
		switch {
		case f != flowNext:
			return f, true
		case t == no:
			return flowNext, true
		case t == unsure:
			m.leave1(fr, l)
		}
		uncertain := t == unsure || len(fr.pending) > 0
		if f = m.turn(l); f != flowNext {
			if f == flowDead {
				return f, false
			}
			return f, true
		}
		switch {
		case !uncertain && turn < m.limits.LoopTurns:
			if t == yes && len(m.changedSince(start)) == 0 && l.after == nil {
				return flowNext, true // an endless wait: go on behind it
			}
			m.fold(start)
			continue
		case !uncertain:
			m.reached("loop turns", m.at)
			m.widen(start)
			return flowNext, true
		}
		if surplus++; surplus < most && len(m.changedSince(start)) > 0 {
			continue
		}
		return m.lastTurn(fr, l, start, t)
	}
}

// leave1 suspends the way that does not take the next turn.
func (m *machine) leave1(fr *frame, l loop) {
	out := newState(m.st)
	out.cond = &conditions{Condition: l.cond(false), outer: m.st.cond}
	out.status = status{}
	m.suspend(fr, out)
	on := newState(m.st)
	on.cond = &conditions{Condition: l.cond(true), outer: m.st.cond}
	m.st = on
}

// lastTurn makes what changes in a turn unknown, takes one more turn with it,
// and ends the loop.
func (m *machine) lastTurn(fr *frame, l loop, start *state, t truth) (flow, bool) {
	if len(m.changedSince(start)) > 0 {
		m.st = newState(m.st)
		m.widen(start)
		m.repeated++
		again, f := l.next()
		if f == flowNext && again != no {
			f = m.turn(l)
		}
		m.repeated--
		if f == flowDead {
			return f, false
		}
		if f != flowNext {
			return f, true
		}
	}
	if t == yes && len(fr.pending) > 0 {
		return flowDead, false // it only ends by the ways that left
	}
	return flowNext, true
}

// turn runs the body once; ways that continue are joined at its end.
func (m *machine) turn(l loop) flow {
	fr := m.push(&frame{kind: frameTurn})
	f := l.body()
	if f == flowContinue {
		if m.breakLevel > 1 {
			m.breakLevel--
			m.frames = m.frames[:len(m.frames)-1]
			return f
		}
		f = flowNext
	}
	if f != flowNext && f != flowDead {
		if len(fr.pending) == 0 {
			m.frames = m.frames[:len(m.frames)-1]
			return f
		}
		var out outcome
		m.finish(&out, Condition{Text: l.detail, Origin: m.at, Holds: true}, f)
		f = m.pop(fr, l.detail, flowNext, false)
	} else {
		f = m.pop(fr, l.detail, f, f == flowNext)
	}
	if f == flowNext && l.after != nil {
		l.after()
	}
	return f
}

// fold writes the layers of a finished turn down, when nothing stands on them.
func (m *machine) fold(start *state) {
	if start.pins > 0 || m.st == start {
		return
	}
	for s := m.st; s != start; s = s.base {
		if s.pins > 0 {
			return
		}
	}
	cond := start.cond
	m.st = m.join("loop", start, []*state{m.st})
	m.st.cond = cond
}

// changedSince returns the entries that are not what they were in start.
func (m *machine) changedSince(start *state) []key {
	var all layer
	m.st.changed(start, &all)
	var list []key
	all.each(func(k key) {
		a, b := start.get(k), m.st.get(k)
		if a == b || k.space == spaceOut || k.space == spaceVar && k.name == "!" {
			return
		}
		if a != nil && b != nil && a.depth == b.depth && sameVariable(a.v, b.v) {
			return
		}
		list = append(list, k)
	})
	return list
}

func sameVariable(a, b *variable) bool {
	if a == b {
		return true
	}
	a.counts()
	b.counts()
	if a == nil || b == nil || a.set != b.set || a.kind != b.kind || a.exported != b.exported || a.fn != b.fn ||
		!a.val.Equal(b.val) || len(a.elems) != len(b.elems) {
		return false
	}
	for i := range a.elems {
		if !a.elems[i].Equal(b.elems[i]) || i < len(a.keys) && a.keys[i] != b.keys[i] {
			return false
		}
	}
	return true
}

// widen makes unknown what changed since start.
func (m *machine) widen(start *state) {
	for _, k := range m.changedSince(start) {
		b := m.st.get(k)
		if b == nil || b.v == nil || b.v.fn != nil {
			continue
		}
		v := *b.v
		u := Unknown{Reason: ReasonLoop, Detail: k.name, Origin: m.at}
		if v.kind == scalar {
			v.val = Unknowable(u)
		} else {
			u.Shape = ShapeWords
			keep := 0
			if a := start.get(k); a != nil && a.v != nil && v.kind == indexed && v.at == nil && a.v.at == nil {
				for keep < len(a.v.elems) && keep < len(v.elems) && a.v.elems[keep].Equal(v.elems[keep]) {
					keep++
				}
			}
			v.kind, v.keys, v.at = indexed, nil, nil
			v.elems = append(append([]Value(nil), v.elems[:keep]...), Unknowable(u))
		}
		m.st.put(k, &binding{depth: b.depth, v: &v, outer: b.outer})
		if v.exported {
			m.newEnv()
		}
	}
}

// forClause runs for x in ...; and for ((;;)).
func (m *machine) forClause(x *syntax.ForClause) flow {
	cond := func(holds bool) Condition { return m.condition(x.ForPos, x.DoPos, holds) }
	body := func() flow { return m.stmts(x.Do) }
	switch l := x.Loop.(type) {
	case *syntax.CStyleLoop:
		if l.Init != nil {
			m.arith(l.Init)
		}
		return m.loop(loop{detail: "for", cond: cond, body: body,
			next: func() (truth, flow) {
				if l.Cond == nil {
					return yes, flowNext
				}
				v := m.arith(l.Cond)
				m.setTruth(v.truth(), v.asValue(m))
				return v.truth(), flowNext
			},
			after: func() {
				if l.Post != nil {
					m.arith(l.Post)
				}
			}})
	case *syntax.WordIter:
		return m.forIn(x, l, cond, body)
	}
	m.note(ReasonUnsupported, "this loop")
	return flowNext
}

func (m *machine) forIn(x *syntax.ForClause, l *syntax.WordIter, cond func(bool) Condition, body func() flow) flow {
	list := m.args()
	if l.InPos.IsValid() {
		list = m.fields(l.Items)
	}
	name := l.Name.Value
	if x.Select {
		list = []Value{Unknowable(Unknown{Reason: ReasonUnsupported, Detail: "select", Origin: m.at, Shape: ShapeWords})}
	}
	i := 0
	surplus := 0
	if len(list) <= shortList && !anyWords(list) {
		surplus = len(list) + 1
	}
	return m.loop(loop{detail: "for", cond: cond, body: body, after: func() {}, surplus: surplus,
		next: func() (truth, flow) {
			if i >= len(list) {
				return no, flowNext
			}
			item := list[i]
			if !item.Words() {
				i++
				m.assign(name, item)
				return yes, flowNext
			}
			// An unknown number of turns, with this and all later items.
			u := m.derived("item of a list", item).segs[0].Unknown
			m.st.status = status{unknown: u}
			m.assign(name, Unknowable(*u))
			return unsure, flowNext
		}})
}
