package shell

// testCmd runs test and [.
func (m *machine) testCmd(argv []Value) flow {
	args := argv[1:]
	if s, _ := argv[0].Known(); s == "[" && len(args) > 0 {
		args = args[:len(args)-1]
	}
	p := testParser{m: m, args: args}
	t := unsure
	if !anyWords(args) {
		t = p.or()
	}
	m.setTruth(t, args...)
	return flowNext
}

// testParser reads the words of a test by recursive descent.
type testParser struct {
	m    *machine
	args []Value
	i    int
}

func (p *testParser) left() int { return len(p.args) - p.i }

func (p *testParser) peek(k int) string {
	if p.i+k >= len(p.args) {
		return ""
	}
	s, _ := p.args[p.i+k].Known()
	return s
}

func (p *testParser) or() truth {
	t := p.and()
	for p.peek(0) == "-o" && p.left() > 1 {
		p.i++
		u := p.and()
		switch {
		case t == yes || u == yes:
			t = yes
		case t == unsure || u == unsure:
			t = unsure
		}
	}
	return t
}

func (p *testParser) and() truth {
	t := p.not()
	for p.peek(0) == "-a" && p.left() > 1 {
		p.i++
		u := p.not()
		switch {
		case t == no || u == no:
			t = no
		case t == unsure || u == unsure:
			t = unsure
		}
	}
	return t
}

func (p *testParser) not() truth {
	negate := false
	for p.peek(0) == "!" && p.left() > 1 {
		p.m.step(1)
		p.i++
		negate = !negate
	}
	t := p.primary()
	if negate {
		return t.not()
	}
	return t
}

// binaryTests are the operators between two words.
var binaryTests = map[string]bool{
	"=": true, "==": true, "!=": true, "<": true, ">": true, "-eq": true, "-ne": true, "-lt": true, "-le": true,
	"-gt": true, "-ge": true, "-nt": true, "-ot": true, "-ef": true,
}

func (p *testParser) primary() truth {
	m := p.m
	m.step(1)
	switch {
	case p.left() <= 0:
		return no
	case p.left() >= 3 && binaryTests[p.peek(1)]:
		a, b := p.args[p.i], p.args[p.i+2]
		op := p.peek(1)
		p.i += 3
		return m.binaryTest(op, a, b)
	case p.peek(0) == "(" && p.left() >= 3:
		if !m.enter() {
			return unsure
		}
		p.i++
		t := p.or()
		p.i++
		m.leave()
		return t
	}
	s := p.peek(0)
	if len(s) == 2 && s[0] == '-' && p.left() >= 2 {
		v := p.args[p.i+1]
		p.i += 2
		return m.unaryTest(s, v)
	}
	v := p.args[p.i]
	p.i++
	return null(v, true, true).not()
}
