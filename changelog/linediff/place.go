package linediff

// placement moves the groups of marked lines of one side to the places that
// git prefers (spec/changelog.md section 6.1, steps 2 to 4). A group is a
// maximal run of marked lines; it can move by a line when the line that it
// leaves equals the line that it takes in.
type placement struct {
	text   Text
	marked []bool
	other  []bool // marks of the other side
}

// group is a run of marked lines start..end, the end excluded, and the number
// of unmarked lines before it.
type group struct{ start, end, before int }

func (p placement) run() {
	facing := gaps(p.other)
	for g, ok := p.next(group{}); ok; g, ok = p.next(g) {
		p.place(&g, facing)
	}
}

// gaps says for each number of unmarked lines whether marked lines follow.
func gaps(marked []bool) []bool {
	facing := make([]bool, 1, len(marked)+1)
	for _, m := range marked {
		if m {
			facing[len(facing)-1] = true
		} else {
			facing = append(facing, false)
		}
	}
	return facing
}

// next returns the first group at or below the end of g.
func (p placement) next(g group) (group, bool) {
	before := g.before
	for i := g.end; i < len(p.marked); i++ {
		if !p.marked[i] {
			before++
			continue
		}
		end := i + 1
		for end < len(p.marked) && p.marked[end] {
			end++
		}
		return group{start: i, end: end, before: before}, true
	}
	return group{}, false
}

// place moves one group. Touching another group joins it, and then the joined
// group may move further; so the range is explored until the size is stable.
func (p placement) place(g *group, facing []bool) {
	var highest, faced int
	for size := 0; size != g.end-g.start; {
		size = g.end - g.start
		for p.up(g) {
		}
		highest, faced = g.end, -1
		for {
			if facing[g.before] {
				faced = g.end
			}
			if !p.down(g) {
				break
			}
		}
	}
	if highest == g.end {
		return
	}
	best := faced
	if faced < 0 {
		best = p.best(*g, highest)
	}
	for g.end > best {
		p.up(g)
	}
}

// up moves a group by one line towards the start, if it can.
func (p placement) up(g *group) bool {
	if g.start == 0 || !p.text.same(g.start-1, g.end-1) {
		return false
	}
	g.start, g.end, g.before = g.start-1, g.end-1, g.before-1
	p.marked[g.start], p.marked[g.end] = true, false
	for g.start > 0 && p.marked[g.start-1] {
		g.start--
	}
	return true
}

// down moves a group by one line towards the end, if it can.
func (p placement) down(g *group) bool {
	if g.end == len(p.marked) || !p.text.same(g.start, g.end) {
		return false
	}
	p.marked[g.start], p.marked[g.end] = false, true
	g.start, g.end, g.before = g.start+1, g.end+1, g.before+1
	for g.end < len(p.marked) && p.marked[g.end] {
		g.end++
	}
	return true
}

// maxMove is how far up a group is tried from its lowest place.
const maxMove = 100

// best chooses among the places between highest and the group's own, the
// lowest one, by the blanks and indents at its two cuts.
func (p placement) best(g group, highest int) int {
	size := g.end - g.start
	end := max(highest, g.end-size-1, g.end-maxMove)
	best, bestScore := end, p.score(end-size, end)
	for end++; end <= g.end; end++ {
		if score := p.score(end-size, end); score.notWorse(bestScore) {
			best, bestScore = end, score
		}
	}
	return best
}

// score is how bad a place is: first the indent of its cuts, then a penalty.
type score struct{ indent, penalty int }

// indentWeight is what a greater indent costs, in units of penalty.
const indentWeight = 60

func (s score) notWorse(t score) bool {
	sign := 0
	switch {
	case s.indent > t.indent:
		sign = 1
	case s.indent < t.indent:
		sign = -1
	}
	return indentWeight*sign+s.penalty-t.penalty <= 0
}

func (p placement) score(start, end int) score {
	upper, lower := p.cut(start), p.cut(end)
	return score{upper.indent + lower.indent, upper.penalty + lower.penalty}
}

// cut judges a cut above line at, which may be the end of the text.
func (p placement) cut(at int) score {
	indent, penalty := -1, 0
	if at == p.text.Len() {
		penalty += 21
	} else {
		indent = p.text.indent(at)
	}
	above, pre := p.blanks(at, -1)
	below, post := p.blanks(at, 1)
	after := 0
	if indent == -1 {
		after, indent = 1+below, post
	}
	blanks := above + after
	if pre == -1 && above == 0 {
		penalty++
	}
	penalty += 6*after - 30*blanks
	if indent >= 0 && pre >= 0 {
		penalty += relative(indent, pre, post, blanks > 0)
	}
	return score{indent, penalty}
}

// relative is the penalty for how a cut's indent compares with the lines
// around it.
func relative(indent, pre, post int, blanks bool) int {
	switch {
	case indent > pre && blanks:
		return 10
	case indent > pre:
		return -4
	case indent == pre:
		return 0
	case blanks:
		return 17
	case post > indent:
		return 24
	default:
		return 23
	}
}

// maxBlanks is where counting of blank lines stops.
const maxBlanks = 20

// blanks counts the blank lines next to a cut in one direction and returns the
// indent of the first line that is not blank, -1 if there is none.
func (p placement) blanks(at, direction int) (count, indent int) {
	for i := at + direction; i >= 0 && i < p.text.Len(); i += direction {
		if indent := p.text.indent(i); indent != -1 {
			return count, indent
		}
		if count++; count == maxBlanks {
			return count, 0
		}
	}
	return count, -1
}
