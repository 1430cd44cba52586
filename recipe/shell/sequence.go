package shell

import (
	"math"
	"strconv"
	"strings"
)

// sequence lists a brace range {from..to..step} of numbers or letters. ok is
// false when it would have more than most items or is no range.
func sequence(from, to, step string, most int) ([]string, bool) {
	by := int64(1)
	if step != "" {
		n, err := strconv.ParseInt(step, 10, 64)
		if err != nil || n == math.MinInt64 {
			return nil, false
		}
		if n != 0 {
			by = max(n, -n)
		}
	}
	a, errA := strconv.ParseInt(from, 10, 64)
	b, errB := strconv.ParseInt(to, 10, 64)
	letters := false
	if errA != nil || errB != nil {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		a, b, letters = int64(from[0]), int64(to[0]), true
	}
	span := uint64(b) - uint64(a)
	if a > b {
		span = uint64(a) - uint64(b)
	}
	if span/uint64(by) >= uint64(most) {
		return nil, false
	}
	width := 0
	if !letters && (padded(from) || padded(to)) {
		width = max(len(from), len(to))
	}
	var out []string
	for i := uint64(0); i <= span/uint64(by); i++ {
		n := a + int64(i)*by
		if a > b {
			n = a - int64(i)*by
		}
		if letters {
			out = append(out, string([]byte{byte(n)}))
			continue
		}
		s := strconv.FormatInt(n, 10)
		if len(s) < width {
			s = strings.Repeat("0", width-len(s)) + s
		}
		out = append(out, s)
	}
	return out, true
}

func padded(s string) bool { return len(s) > 1 && s[0] == '0' }
