package linediff

// box is a part of the comparison: lines oldFrom..oldTo of the old text
// against newFrom..newTo of the new one, the ends excluded.
type box struct{ oldFrom, oldTo, newFrom, newTo int }

func (b box) empty() bool { return b.oldFrom == b.oldTo || b.newFrom == b.newTo }

// search finds a shortest edit script with the linear-space method of Myers
// ("An O(ND) Difference Algorithm and Its Variations", 1986): walk from both
// ends of a box at once, cut it where the walks meet, repeat on both parts.
type search struct {
	old, new []bool // the marks to set, by line
	steps    int    // work left

	// Lines that occur in both texts, as small numbers, and where each stands.
	oldIDs, newIDs []int32
	oldAt, newAt   []int32
	// Furthest old index reached on each diagonal (old index - new index),
	// from the start and from the end; shift makes indexes non-negative.
	ahead, back []int32
	shift       int
}

// run compares one box of the two texts. Lines without any partner are edits
// in every script and take no part in the walk.
func (s *search) run(old, new Text, b box) error {
	s.number(old, new, b)
	return s.walkAll()
}

// walkAll compares the numbered lines.
func (s *search) walkAll() error {
	diagonals := len(s.oldIDs) + len(s.newIDs) + 3
	s.ahead, s.back = make([]int32, diagonals), make([]int32, diagonals)
	s.shift = len(s.newIDs) + 1
	return s.split(box{0, len(s.oldIDs), 0, len(s.newIDs)})
}

// number gives equal lines equal numbers and marks lines that occur on one
// side only.
func (s *search) number(old, new Text, b box) {
	ids := make(map[string]int32, old.Len())
	for i := range old.Len() {
		if _, known := ids[string(old.Line(i))]; !known {
			ids[string(old.Line(i))] = int32(len(ids))
		}
	}
	inNew := make([]bool, len(ids))
	for j := range new.Len() {
		if id, known := ids[string(new.Line(j))]; known {
			inNew[id] = true
		}
	}
	for i := b.oldFrom; i < b.oldTo; i++ {
		if id := ids[string(old.Line(i))]; inNew[id] {
			s.oldIDs, s.oldAt = append(s.oldIDs, id), append(s.oldAt, int32(i))
		} else {
			s.old[i] = true
		}
	}
	for j := b.newFrom; j < b.newTo; j++ {
		if id, known := ids[string(new.Line(j))]; known {
			s.newIDs, s.newAt = append(s.newIDs, id), append(s.newAt, int32(j))
		} else {
			s.new[j] = true
		}
	}
}

// mark marks every line of a box of original line numbers.
func (s *search) mark(b box) {
	for i := b.oldFrom; i < b.oldTo; i++ {
		s.old[i] = true
	}
	for j := b.newFrom; j < b.newTo; j++ {
		s.new[j] = true
	}
}

// split walks a box of numbered lines down to parts that are wholly deleted
// or wholly inserted.
func (s *search) split(b box) error {
	for {
		for !b.empty() && s.oldIDs[b.oldFrom] == s.newIDs[b.newFrom] {
			b.oldFrom, b.newFrom = b.oldFrom+1, b.newFrom+1
		}
		for !b.empty() && s.oldIDs[b.oldTo-1] == s.newIDs[b.newTo-1] {
			b.oldTo, b.newTo = b.oldTo-1, b.newTo-1
		}
		if b.empty() {
			for _, i := range s.oldAt[b.oldFrom:b.oldTo] {
				s.old[i] = true
			}
			for _, j := range s.newAt[b.newFrom:b.newTo] {
				s.new[j] = true
			}
			return nil
		}
		i, j := s.meet(b)
		if s.steps < 0 {
			return ErrTooDifferent
		}
		if err := s.split(box{b.oldFrom, i, b.newFrom, j}); err != nil {
			return err
		}
		b.oldFrom, b.newFrom = i, j
	}
}

// walk is the state of one direction: the diagonals reached so far.
type walk struct{ low, high int }

// meet returns a point of the box that lies on a shortest path.
func (s *search) meet(b box) (i, j int) {
	lowest, highest := b.oldFrom-b.newTo, b.oldTo-b.newFrom
	start, end := b.oldFrom-b.newFrom, b.oldTo-b.newTo
	fore, aft := walk{start, start}, walk{end, end}
	s.ahead[start+s.shift], s.back[end+s.shift] = int32(b.oldFrom), int32(b.oldTo)
	meetsAhead := (start-end)%2 != 0
	for s.steps >= 0 {
		fore.widen(s.ahead, s.shift, lowest, highest, -1)
		for d := fore.high; d >= fore.low; d -= 2 {
			i := s.forward(b, d)
			if meetsAhead && aft.low <= d && d <= aft.high && int(s.back[d+s.shift]) <= i {
				return i, i - d
			}
		}
		aft.widen(s.back, s.shift, lowest, highest, 1<<30)
		for d := aft.high; d >= aft.low; d -= 2 {
			i := s.backward(b, d)
			if !meetsAhead && fore.low <= d && d <= fore.high && i <= int(s.ahead[d+s.shift]) {
				return i, i - d
			}
		}
	}
	return b.oldFrom, b.newFrom
}

// widen lets a walk reach one diagonal further on both sides; at the edge of
// the box it turns back instead. Diagonals just outside get a value that is
// never chosen.
func (w *walk) widen(reach []int32, shift, lowest, highest int, never int32) {
	if w.low > lowest {
		w.low--
		reach[w.low-1+shift] = never
	} else {
		w.low++
	}
	if w.high < highest {
		w.high++
		reach[w.high+1+shift] = never
	} else {
		w.high--
	}
}

// forward extends the walk from the start on diagonal d by one edit and all
// equal lines after it. Deleting is preferred to inserting.
func (s *search) forward(b box, d int) int {
	i := int(s.ahead[d+1+s.shift])
	if below := int(s.ahead[d-1+s.shift]); below >= i {
		i = below + 1
	}
	from := i
	for i < b.oldTo && i-d < b.newTo && s.oldIDs[i] == s.newIDs[i-d] {
		i++
	}
	s.ahead[d+s.shift] = int32(i)
	s.steps -= i - from + 1
	return i
}

// backward is forward's mirror image.
func (s *search) backward(b box, d int) int {
	i := int(s.back[d+1+s.shift]) - 1
	if below := int(s.back[d-1+s.shift]); below <= i {
		i = below
	}
	from := i
	for i > b.oldFrom && i-d > b.newFrom && s.oldIDs[i-1] == s.newIDs[i-d-1] {
		i--
	}
	s.back[d+s.shift] = int32(i)
	s.steps -= from - i + 1
	return i
}
