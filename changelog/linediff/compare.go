package linediff

import "errors"

// Script says which lines of the old text are deleted and which lines of the
// new text are inserted; all other lines are common to both, in order.
type Script struct {
	Deleted  []bool
	Inserted []bool
}

// ErrTooDifferent is returned when two texts are so far apart that comparing
// them would exceed the bound on work.
var ErrTooDifferent = errors.New("linediff: the texts differ too much to be compared")

// maxSteps bounds the work of one comparison. Moving 771 lines of a file of
// 6,400 lines costs about 3 million steps; the bound is near half a second.
const maxSteps = 100_000_000

// Compare marks a shortest edit script between two texts and then moves its
// groups to the places that git chooses (spec/changelog.md section 6.1). The
// only error is ErrTooDifferent.
func Compare(old, new Text) (Script, error) {
	return compare(old, new, maxSteps)
}

func compare(old, new Text, steps int) (Script, error) {
	s := Script{Deleted: make([]bool, old.Len()), Inserted: make([]bool, new.Len())}
	head, tail := commonEnds(old, new)
	search := search{old: s.Deleted, new: s.Inserted, steps: steps}
	box := box{head, old.Len() - tail, head, new.Len() - tail}
	if box.empty() {
		search.mark(box)
	} else if err := search.run(old, new, box); err != nil {
		return Script{}, err
	}
	placement{text: old, marked: s.Deleted, other: s.Inserted}.run()
	placement{text: new, marked: s.Inserted, other: s.Deleted}.run()
	return s, nil
}

// Sequences marks a shortest edit script between two sequences of numbers, in
// which equal elements have equal numbers. Groups are not moved.
func Sequences(old, new []int32) (Script, error) {
	s := Script{Deleted: make([]bool, len(old)), Inserted: make([]bool, len(new))}
	search := search{old: s.Deleted, new: s.Inserted, steps: maxSteps}
	for i, id := range old {
		search.oldIDs, search.oldAt = append(search.oldIDs, id), append(search.oldAt, int32(i))
	}
	for j, id := range new {
		search.newIDs, search.newAt = append(search.newIDs, id), append(search.newAt, int32(j))
	}
	return s, search.walkAll()
}

// commonEnds counts the equal lines at both ends, the start first.
func commonEnds(old, new Text) (head, tail int) {
	limit := min(old.Len(), new.Len())
	for head < limit && string(old.Line(head)) == string(new.Line(head)) {
		head++
	}
	for tail < limit-head && string(old.Line(old.Len()-1-tail)) == string(new.Line(new.Len()-1-tail)) {
		tail++
	}
	return head, tail
}
