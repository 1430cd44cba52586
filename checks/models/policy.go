package models

import (
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Policy is a model policy document as it was understood.
type Policy struct {
	rows    []modelRow
	global  []globalScenario
	notices []notice
}

// modelRow is a row of the support matrix.
type modelRow struct {
	line               int
	prefixes           []string
	active, deprecated []part
	// none says that the active cell names nothing.
	none bool
}

// globalScenario is a scenario that is over for all models.
type globalScenario struct {
	name  string
	line  int
	since Since
	known bool
}

// notice is a statement below a dated heading.
type notice struct {
	day      time.Time // the last allowed one
	prefixes []string
	part     part
}

// Parse reads a document. What it does not understand it leaves out, but for
// dates that it can't place, which make the part unknown.
func Parse(doc string) Policy {
	var p Policy
	var day time.Time // of the dated heading that the text is below
	dated := false
	open := 0 // first notice of the table that following text may suspend
	for _, s := range sections(doc) {
		switch {
		case s.heading != "":
			day, dated = headingDay(s.heading)
			open = len(p.notices)
		case s.table != nil:
			open = len(p.notices)
			p.readTable(s.table, day, dated)
		case dated:
			if notYetEnacted().MatchString(s.text) {
				p.suspend(open)
			}
			p.readSentences(s, day)
		}
	}
	return p
}

var notYetEnacted = pattern.Lazy(`(?i)not yet enacted|still runs`)

func headingDay(heading string) (time.Time, bool) {
	m := dayHeading().FindStringSubmatch(heading)
	if m == nil {
		return time.Time{}, false
	}
	return parseDay(m[1])
}

// suspend takes back the arm items of a table that are not yet enacted, but for
// those that hold from the beginning.
func (p *Policy) suspend(from int) {
	for i := range p.notices[from:] {
		if n := &p.notices[from+i]; n.part.arm != "" && !n.part.dayZero {
			n.part.suspended = true
		}
	}
}

// readTable reads a table by its columns; others say nothing.
func (p *Policy) readTable(t *table, day time.Time, dated bool) {
	prefix, active, deprecated := t.column("prefix", false), t.column("active scenarios", false), t.column("deprecated scenarios", false)
	if prefix >= 0 && active >= 0 && deprecated >= 0 {
		for _, r := range t.rows {
			p.rows = append(p.rows, readRow(r, prefix, active, deprecated))
		}
		return
	}
	if name, status := t.column("scenario", false), t.column("status", false); name >= 0 && status >= 0 {
		for _, r := range t.rows {
			p.readScenario(plain(r.cell(name)), plain(r.cell(status)), r.line)
		}
		return
	}
	model, over := t.column("model", false), t.column("deprecated", true)
	if !dated || model < 0 || over < 0 {
		return
	}
	for _, r := range t.rows {
		names := prefixes(r.cell(model))
		item := readPart(plain(r.cell(over)), r.line, false, names)
		if len(names) > 0 && item.says() {
			p.notices = append(p.notices, notice{day, names, item})
		}
	}
}

func readRow(r tableRow, prefix, active, deprecated int) modelRow {
	m := modelRow{line: r.line, prefixes: prefixes(r.cell(prefix))}
	cell := plain(r.cell(active))
	m.none = cell == "" || strings.HasPrefix(cell, "None") || strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "—") || strings.HasPrefix(cell, "–")
	m.active = readCell(cell, r.line, true, m.prefixes)
	m.deprecated = readCell(plain(r.cell(deprecated)), r.line, false, m.prefixes)
	return m
}

func readCell(cell string, line int, active bool, names []string) []part {
	parts, behind := split(cell)
	var out []part
	for _, text := range slices.Concat(parts, behind) {
		if p := readPart(text, line, active, names); p.says() {
			out = append(out, p)
		}
	}
	return out
}

// readScenario reads a row of the table of scenarios.
func (p *Policy) readScenario(name, status string, line int) {
	if !strings.HasPrefix(strings.ToLower(status), "deprecated") {
		return
	}
	i := slices.IndexFunc(scenarios, func(s string) bool { return strings.EqualFold(s, name) })
	if i < 0 {
		return
	}
	g := globalScenario{name: scenarios[i], line: line, since: ever, known: true}
	since, dated, known := placed(strings.TrimPrefix(status, status[:len("deprecated")]))
	if dated {
		g.since = since
	}
	g.known = known || dated
	p.global = append(p.global, g)
}

// lastDayFor is the sentence of a notice: "last day for the **Single-turn 8k1k**
// scenario on **Some-Model** (`prefix`)".
var lastDayFor = pattern.Lazy("(?i)last day for the ([^.(`]+?)(?: scenario)? on ([^`(.]+)\\(`([^`]+)`\\)")

func (p *Policy) readSentences(s section, day time.Time) {
	for _, m := range lastDayFor().FindAllStringSubmatch(plainTicks(s.text), -1) {
		item := readPart(m[1], s.line, false, nil)
		if item.says() {
			p.notices = append(p.notices, notice{day, []string{strings.ToLower(m[3])}, item})
		}
	}
}

// plainTicks is plain, which leaves back-ticks alone.
func plainTicks(text string) string { return plain(text) }

// Known reports whether the support matrix has a row for a prefix.
func (p Policy) Known(prefix string) bool { return len(p.of(prefix)) > 0 }

// of are the rows of a prefix.
func (p Policy) of(prefix string) []modelRow {
	var out []modelRow
	for _, r := range p.rows {
		if slices.Contains(r.prefixes, strings.ToLower(prefix)) {
			out = append(out, r)
		}
	}
	return out
}

// SameModel are the prefixes that share a row of the matrix with one, itself
// included: they are one model (spec/checks.md section 1.4).
func (p Policy) SameModel(prefix string) []string {
	out := []string{strings.ToLower(prefix)}
	for _, r := range p.of(prefix) {
		for _, other := range r.prefixes {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// Rows is the number of models of the support matrix.
func (p Policy) Rows() int { return len(p.rows) }
