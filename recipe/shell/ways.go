package shell

// flow is how a statement ends.
type flow uint8

const (
	flowNext flow = iota
	flowBreak
	flowContinue
	flowReturn
	flowExit
	// flowDead: every way was suspended in a frame; nothing follows here.
	flowDead
)

// frameKind is what a suspended way jumps to.
type frameKind uint8

const (
	frameShell frameKind = iota // exit: a subshell, or the main script
	frameCall                   // return: a function or a sourced file
	frameLoop                   // break
	frameTurn                   // continue
)

// frame collects the ways that jump to its end.
type frame struct {
	kind     frameKind
	entry    *state
	pending  []*state
	function bool // of a function, for locals
	locals   []string
	// open says that ends of ways are collected (a subshell); the main script
	// drops them.
	open bool
	// leaky says that a way left for a frame further out: what follows this
	// frame then runs only when it did not.
	leaky bool
}

func (m *machine) push(f *frame) *frame {
	f.entry = m.st
	m.frames = append(m.frames, f)
	return f
}

func (m *machine) functionFrame() *frame {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if m.frames[i].function {
			return m.frames[i]
		}
	}
	return nil
}

// frameFor finds the frame a jump goes to. level counts loops.
func (m *machine) frameFor(f flow, level int) *frame {
	for i := len(m.frames) - 1; i >= 0; i-- {
		fr := m.frames[i]
		switch {
		case f == flowExit && fr.kind == frameShell, f == flowReturn && (fr.kind == frameCall || fr.kind == frameShell):
			return fr
		case f == flowContinue && fr.kind == frameTurn, f == flowBreak && fr.kind == frameLoop:
			if level--; level <= 0 {
				return fr
			}
		case (f == flowBreak || f == flowContinue) && (fr.kind == frameCall || fr.kind == frameShell):
			return nil
		}
	}
	return nil
}

// suspend parks the current way in a frame until the frame ends.
func (m *machine) suspend(fr *frame, s *state) {
	if len(fr.pending) >= m.limits.Ways {
		for _, p := range fr.pending {
			p.pin(fr.entry, -1)
		}
		fr.entry.pins++ // the join must not write the base
		joined := m.join("ways", fr.entry, fr.pending)
		fr.entry.pins--
		fr.pending = []*state{joined}
		joined.pin(fr.entry, 1)
	}
	s.pin(fr.entry, 1)
	fr.pending = append(fr.pending, s)
	for i := len(m.frames) - 1; i >= 0 && m.frames[i] != fr; i-- {
		m.frames[i].leaky = true
	}
}

// pop ends a frame: the suspended ways and the current one (when f says that
// there is one) are joined. It returns how the whole ends: flowNext when any
// way is left, else f.
func (m *machine) pop(fr *frame, detail string, f flow, here bool) flow {
	m.frames = m.frames[:len(m.frames)-1]
	for _, p := range fr.pending {
		p.pin(fr.entry, -1)
	}
	all := fr.pending
	if here {
		all = append(all, m.st)
	}
	if len(all) == 0 {
		m.st = fr.entry
		if f == flowNext {
			return flowDead
		}
		return f
	}
	if len(all) == 1 && all[0] == m.st && m.st == fr.entry {
		return flowNext
	}
	cond := fr.entry.cond
	if fr.leaky {
		cond = commonConditions(all)
	}
	m.st = m.join(detail, fr.entry, all)
	m.st.cond = cond
	return flowNext
}

// commonConditions returns the conditions that hold on all ways.
func commonConditions(all []*state) *conditions {
	common := all[0].cond
	for _, s := range all[1:] {
		for a := common; a != nil; a = a.outer {
			b := s.cond
			for b != nil && b != a {
				b = b.outer
			}
			if b != nil {
				common = a
				break
			}
			common = nil
		}
	}
	return common
}

// way is one side of a decision.
type way struct {
	cond Condition
	run  func() flow
}

// outcome is how the ways of a decision ended.
type outcome struct {
	live      []*state
	suspended []Condition
	exited    []Condition
}

// decide takes every way from the present state and joins them.
func (m *machine) decide(detail string, ways ...way) flow {
	base := m.st
	at := m.at
	var out outcome
	for _, w := range ways {
		m.step(1)
		s := newState(base)
		s.cond = &conditions{Condition: w.cond, outer: base.cond}
		m.st = s
		m.at = at
		m.finish(&out, w.cond, w.run())
	}
	m.at = at
	return m.settle(detail, base, out)
}

// finish files the end of one way.
func (m *machine) finish(out *outcome, cond Condition, f flow) {
	level := 1
	if f == flowBreak || f == flowContinue {
		level = m.breakLevel
	}
	switch f {
	case flowNext:
		out.live = append(out.live, m.st)
	case flowDead:
		out.suspended = append(out.suspended, cond)
	default:
		fr := m.frameFor(f, level)
		if f == flowExit && (fr == nil || !fr.open) || fr == nil {
			out.exited = append(out.exited, cond)
			return
		}
		out.suspended = append(out.suspended, cond)
		m.suspend(fr, m.st)
	}
}

// settle continues after a decision.
func (m *machine) settle(detail string, base *state, out outcome) flow {
	if len(out.live) == 0 {
		m.st = base
		if len(out.suspended) > 0 {
			return flowDead
		}
		return flowExit
	}
	for _, c := range out.exited {
		c.Holds = !c.Holds
		m.assume(c)
	}
	cond := base.cond
	for _, c := range out.suspended {
		c.Holds = !c.Holds
		cond = &conditions{Condition: c, outer: cond}
	}
	m.st = m.join(detail, base, out.live)
	m.st.cond = cond
	return flowNext
}

// assume records a condition that is taken as decided, once.
func (m *machine) assume(c Condition) {
	for i := range m.assumed {
		if m.assumed[i].Origin == c.Origin && m.assumed[i].Text == c.Text && m.assumed[i].Holds == c.Holds {
			return
		}
	}
	if len(m.assumed) < 1000 {
		m.assumed = append(m.assumed, c)
	}
}
