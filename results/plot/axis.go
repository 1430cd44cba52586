package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// axis is the range of one direction with its ticks.
type axis struct {
	low, high float64
	log       bool
	ticks     []float64
}

// logFrom is the ratio of the largest to the smallest value from which the
// latency axis is logarithmic: below it, a linear one keeps points apart.
const logFrom = 12

// newAxis covers all values, which are above 0, with about so many ticks.
// Linear axes begin at 0, so that heights compare as they are.
func newAxis(values []float64, ticks int, mayLog bool) axis {
	smallest, largest := slices.Min(values), slices.Max(values)
	if mayLog && largest/smallest >= logFrom {
		return logAxis(smallest, largest)
	}
	a := axis{high: largest * 1.05}
	step := niceStep(a.high / float64(ticks))
	for i := 0; float64(i)*step <= a.high*(1+1e-9); i++ {
		a.ticks = append(a.ticks, float64(i)*step)
	}
	return a
}

// niceStep is the next of 1, 2, 5, 10 ... at or above a number.
func niceStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least*(1-1e-9) {
			return factor * power
		}
	}
	return 10 * power
}

func logAxis(smallest, largest float64) axis {
	a := axis{low: smallest / 1.25, high: largest * 1.25, log: true}
	factors := []float64{1, 2, 5}
	decades := math.Log10(largest / smallest)
	if decades > 3 {
		factors = factors[:1]
	}
	for e := math.Floor(math.Log10(a.low)); e <= math.Ceil(math.Log10(a.high)); e += max(1, math.Ceil(decades/8)) {
		for _, f := range factors {
			if t := f * math.Pow(10, e); t >= a.low && t <= a.high {
				a.ticks = append(a.ticks, t)
			}
		}
	}
	return a
}

// share is where a value lies, from 0 to 1.
func (a axis) share(v float64) float64 {
	if a.log {
		return math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return (v - a.low) / (a.high - a.low)
}

// short is a tick in few characters: 12k, 1.5M, 0.02.
func short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		size := unit.size
		if unit.name == "k" {
			size = 1e3
		}
		if math.Abs(v) >= unit.size {
			return trimmed(v/size) + unit.name
		}
	}
	return trimmed(v)
}

func trimmed(v float64) string {
	text := strconv.FormatFloat(v, 'g', 6, 64)
	if strings.ContainsRune(text, 'e') {
		text = strconv.FormatFloat(v, 'g', 3, 64)
	}
	return text
}
