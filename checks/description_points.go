package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// concurrenciesAtHead are the concurrencies of the affected points, ascending.
func (d *description) concurrenciesAtHead() []int64 {
	var all []int64
	for _, key := range d.affected.Submitted() {
		for _, row := range key.Rows {
			all = append(all, row.Conc...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// concurrencies compares a list of points with those of the affected rows.
func (d *description) concurrencies(c claim) {
	all := d.concurrenciesAtHead()
	if len(all) == 0 {
		return
	}
	var missing []string
	for word := range strings.SplitSeq(c.value, ", ") {
		if conc, err := strconv.ParseInt(word, 10, 64); err != nil || !slices.Contains(all, conc) {
			missing = append(missing, "C"+word)
		}
	}
	if len(missing) > 0 {
		d.contradict(c, fmt.Sprintf("no affected point at %s has %s", quoted(short(d.e.Head)), joined(missing, ", ", 4)))
		return
	}
	d.agree(c)
}

// concurrencyRange compares "12-128" with the affected points: both ends are
// theirs, of all of them or of one key or only of some.
func (d *description) concurrencyRange(c claim) {
	all := d.concurrenciesAtHead()
	if len(all) == 0 {
		return
	}
	from, to, _ := strings.Cut(c.value, "-")
	for _, end := range []string{from, to} {
		if conc, err := strconv.ParseInt(end, 10, 64); err != nil || !slices.Contains(all, conc) {
			d.contradict(c, fmt.Sprintf("the affected points at %s have C%d to C%d and none has C%s", quoted(short(d.e.Head)), all[0], all[len(all)-1], end))
			return
		}
	}
	d.agree(c)
}

// count compares a number of points with every number that it can mean: of all
// affected keys, of one, or of the points that are new; rows of the matrix are
// called points as well.
func (d *description) count(c claim) {
	said, err := strconv.Atoi(c.value)
	if err != nil {
		return
	}
	var totals []int
	all, fresh, rows := 0, 0, 0
	for _, key := range d.affected.Submitted() {
		n := pointCount(key.Rows)
		all += n
		fresh += len(points(key.Rows)) - overlap(points(key.Rows), points(key.Base))
		rows += len(key.Rows)
		totals = append(totals, n, len(key.Rows))
	}
	totals = append(totals, all, fresh, rows)
	switch {
	case all == 0:
	case slices.Contains(totals, said):
		d.agree(c)
	default:
		d.contradict(c, fmt.Sprintf("the affected keys have %s at %s", count(all, "point", "points"), quoted(short(d.e.Head))))
	}
}

// overlap is the number of items of a that are in b; both are sorted.
func overlap(a, b []string) int {
	n := 0
	for _, item := range a {
		if _, ok := slices.BinarySearch(b, item); ok {
			n++
		}
	}
	return n
}
