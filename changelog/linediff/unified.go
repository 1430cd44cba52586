package linediff

import (
	"fmt"
	"strings"
)

// context is how many common lines surround a hunk.
const context = 3

// Unified renders a script as a unified diff with three lines of context, ""
// when nothing changed.
func Unified(oldName, newName string, old, new Text, s Script) string {
	u := unified{old: old, new: new, script: s}
	edits := u.edits()
	if len(edits) == 0 {
		return ""
	}
	fmt.Fprintf(&u.out, "--- %s\n+++ %s\n", oldName, newName)
	for from := 0; from < len(edits); {
		to := from + 1
		for to < len(edits) && edits[to].old-edits[to-1].oldEnd <= 2*context {
			to++
		}
		u.hunk(edits[from:to])
		from = to
	}
	return u.out.String()
}

// edit is a run of deleted lines old..oldEnd and of inserted lines
// new..newEnd at the same place.
type edit struct{ old, oldEnd, new, newEnd int }

type unified struct {
	old, new Text
	script   Script
	out      strings.Builder
}

func (u *unified) edits() []edit {
	var list []edit
	for i, j := 0, 0; i < u.old.Len() || j < u.new.Len(); {
		e := edit{old: i, new: j}
		for i < u.old.Len() && u.script.Deleted[i] {
			i++
		}
		for j < u.new.Len() && u.script.Inserted[j] {
			j++
		}
		if e.oldEnd, e.newEnd = i, j; i > e.old || j > e.new {
			list = append(list, e)
			continue
		}
		i, j = i+1, j+1
	}
	return list
}

func (u *unified) hunk(edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	before := min(context, first.old)
	after := min(context, u.old.Len()-last.oldEnd)
	fmt.Fprintf(&u.out, "@@ -%s +%s @@\n",
		span(first.old-before, last.oldEnd+after), span(first.new-before, last.newEnd+after))
	at := first.old - before
	for _, e := range edits {
		u.lines(' ', u.old, at, e.old)
		u.lines('-', u.old, e.old, e.oldEnd)
		u.lines('+', u.new, e.new, e.newEnd)
		at = e.oldEnd
	}
	u.lines(' ', u.old, at, last.oldEnd+after)
}

// span writes a range of lines as the hunk header has it: an empty one names
// the line before it, and a length of one is left out.
func span(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, to-from)
	}
}

func (u *unified) lines(sign byte, text Text, from, to int) {
	for i := from; i < to; i++ {
		line := string(text.Line(i))
		u.out.WriteByte(sign)
		u.out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			u.out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
