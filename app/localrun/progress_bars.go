package localrun

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// barWidth is the width of a bar in characters.
const barWidth = 20

// erase takes the bars off the screen.
func (d *display) erase() {
	if d.terminal == nil || d.drawn == 0 {
		return
	}
	fmt.Fprintf(d.w, "\x1b[%dA\x1b[J", d.drawn)
	d.drawn = 0
}

// draw puts the bars on the screen. No line is longer than the screen is wide,
// or erasing would leave rests.
func (d *display) draw() {
	if d.terminal == nil {
		return
	}
	columns, rows, err := term.GetSize(int(d.terminal.Fd()))
	if err != nil || columns < 20 {
		columns, rows = 80, 24
	}
	lines := d.lines()
	if len(lines) >= rows { // the cursor cannot go back above the screen
		lines = lines[len(lines)-1:]
	}
	for _, line := range lines {
		fmt.Fprintln(d.w, cut(diag.Printable(line), columns-1))
		d.drawn++
	}
}

// lines are the bars and the line below them.
func (d *display) lines() []string {
	width := 0
	for _, l := range d.lanes {
		width = max(width, len(l.name))
	}
	var lines []string
	for _, l := range d.lanes {
		lines = append(lines, l.line(width))
	}
	last := fmt.Sprintf("%d/%d  %s", d.finished, d.total, shortly(time.Since(d.begun)))
	if left := d.left(); left > 0 {
		last += "  " + catalog.Message(d.lang, "localrun.time-left", "time", shortly(left))
	}
	return append(lines, last)
}

// line is one bar: name, bar, counts, and what runs.
func (l *lane) line(width int) string {
	full := barWidth * l.ended / max(1, l.total)
	bar := strings.Repeat("=", full) + strings.Repeat(".", barWidth-full)
	line := fmt.Sprintf("%-*s [%s] %3d/%d", width, l.name, bar, l.ended, l.total)
	if l.failed > 0 {
		line += fmt.Sprintf("  %d failed", l.failed)
	}
	if len(l.active) > 0 {
		line += "  " + l.running
	}
	return line
}
