package bot

import "strings"

// barWidth is the number of characters of a progress bar.
const barWidth = 20

// bar draws a tally as text: what passed, failed, is running and is to come.
// Whatever there is at all gets at least one character.
func (t Tally) bar() string {
	parts := []struct {
		n    int
		mark string
	}{
		{t.Passed, "█"}, {t.Failed, "▚"}, {t.Cancelled + t.Unclear, "╳"}, {t.Running, "▒"}, {t.Total() - t.Ended() - t.Running, "░"},
	}
	total := t.Total()
	if total == 0 {
		return ""
	}
	widths := make([]int, len(parts))
	used, widest := 0, 0
	for i, p := range parts {
		if p.n > 0 {
			widths[i] = max(1, p.n*barWidth/total)
		}
		used += widths[i]
		if widths[i] > widths[widest] {
			widest = i
		}
	}
	widths[widest] += barWidth - used
	var b strings.Builder
	for i, p := range parts {
		b.WriteString(strings.Repeat(p.mark, widths[i]))
	}
	return b.String()
}
