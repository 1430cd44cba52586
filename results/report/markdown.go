package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results"
)

// MarkdownOptions say for which surface Markdown is written.
type MarkdownOptions struct {
	// Limit is the most that may be written: bytes for summaries, characters for
	// comments. What does not fit is left out by whole sections.
	Limit int
	// Short writes narrow tables, as comments have room for.
	Short bool
	// Rows bounds the lines of one table.
	Rows int
	// Links are shown in the first line: the page of the report, its pictures.
	Links []NamedLink
}

// NamedLink is a link with our own text.
type NamedLink struct{ Name, URL string }

// ForComment are the options of a comment: GitHub takes 65,536 characters, and
// a comment has other parts too.
func ForComment(links ...NamedLink) MarkdownOptions {
	return MarkdownOptions{Limit: 60_000, Short: true, Rows: 60, Links: links}
}

// ForSummary are the options of a step summary, which GitHub drops above 1 MiB.
func ForSummary(links ...NamedLink) MarkdownOptions {
	return MarkdownOptions{Limit: 990_000, Rows: 1000, Links: links}
}

// section is a part of the text that stays or goes as a whole.
type section struct{ name, text string }

// WriteMarkdown writes the report as GitHub shows it: what matters first, tables
// folded, Chinese below in a block of its own (spec/results.md section 12).
func (r Report) WriteMarkdown(w io.Writer, opt MarkdownOptions) error {
	_, err := io.WriteString(w, r.Markdown(opt))
	return err
}

// Markdown is WriteMarkdown as a text.
func (r Report) Markdown(opt MarkdownOptions) string {
	m := markdown{Report: r, opt: opt}
	if m.opt.Rows <= 0 {
		m.opt.Rows = 1000
	}
	head, tail := m.head(), m.chinese()
	sections := []section{m.problems(), m.rerun(), m.comparison(), m.frontier(), m.coverage()}
	sections = append(sections, m.tables()...)
	sections = append(sections, m.allChanges(), m.clusters(), m.remarks())
	sections = slices.DeleteFunc(sections, func(s section) bool { return s.text == "" })
	return fit(head, sections, tail, opt.Limit)
}

// fit joins what has room. The note about the rest has its room reserved.
func fit(head string, sections []section, tail string, limit int) string {
	const note = 600
	out, left := head, []string(nil)
	for _, s := range sections {
		if limit > 0 && len(out)+len(s.text)+1+len(tail)+note > limit {
			left = append(left, s.name)
			continue
		}
		out += "\n" + s.text
	}
	if left != nil {
		out += "\n> " + say(catalog.English, "sections-left-out", "names", strings.Join(left, "; ")) + "\n"
	}
	if tail != "" && (limit <= 0 || len(out)+len(tail) < limit) {
		out += "\n" + tail
	}
	return out
}

type markdown struct {
	Report
	opt MarkdownOptions
}

func en(key string, args ...string) string { return say(catalog.English, key, args...) }

func (m markdown) head() string {
	var b strings.Builder
	b.WriteString("### " + en("title") + "\n\n**" + m.headline(catalog.English) + "** " + m.countLine(catalog.English) + "\n")
	if m.Comparison != nil {
		b.WriteString(m.Comparison.line(catalog.English) + "\n")
	}
	var facts []string
	if run := m.Run; run != nil {
		if run.ID > 0 {
			facts = append(facts, link(en("run")+" "+itoa(run.ID), run.URL))
		}
		if run.Attempt > 0 {
			facts = append(facts, en("attempt", "attempt", strconv.Itoa(run.Attempt)))
		}
		if run.Head != "" {
			facts = append(facts, en("commit")+" "+code(shortSHA(run.Head)))
		}
		if run.Label != "" {
			facts = append(facts, en("label")+" "+code(run.Label))
		}
		if run.Seconds > 0 {
			facts = append(facts, en("wall", "time", wallTime(run.Seconds)))
		}
	}
	for _, l := range m.opt.Links {
		facts = append(facts, link(l.Name, l.URL))
	}
	if facts != nil {
		b.WriteString("\n" + strings.Join(facts, " · ") + "\n")
	}
	return b.String()
}

// limited writes a table within the bound of rows.
func (m markdown) limited(t mdTable) string {
	text, left := t.write(m.opt.Rows)
	if left > 0 {
		text += "\n" + en("rows-left-out", "n", strconv.Itoa(left)) + "\n"
	}
	return text
}

func (m markdown) problems() section {
	t := mdTable{head: []string{"Point", "State", "Why", "Line of the log", "Job"}}
	for _, p := range m.Points {
		if p.State == results.Passed || p.State == results.Pending {
			continue
		}
		line, job := "", ""
		if p.Failure != nil {
			line = code(p.Failure.Line)
		}
		if url := p.LogURL(); plainAddress(url) {
			job = link("log", url)
		}
		t.rows = append(t.rows, []string{code(p.Label), sayOr(catalog.English, "state-", string(p.State)), escapeCell(p.why(catalog.English)), line, job})
	}
	if t.rows == nil {
		return section{}
	}
	return section{en("h-problems"), "#### " + en("h-problems") + "\n\n" + m.limited(t)}
}

// escapeCell is a text that is mostly ours, with names of machines in it.
func escapeCell(text string) string {
	name, rest, ok := strings.Cut(text, " (")
	if !ok {
		if strings.ContainsAny(text, "<>|`@[]") {
			return code(text)
		}
		return text
	}
	return name + " " + code(strings.TrimSuffix(rest, ")"))
}

// comparison shows what is worth being seen; the rest is in allChanges.
func (m markdown) comparison() section {
	c := m.Comparison
	if c == nil {
		return section{}
	}
	t := mdTable{head: []string{"Point", "Metric", "Now", "Before", "Change", "Spread", "Verdict"}, right: []bool{false, false, true, true, true, true}}
	for _, p := range c.Points {
		for _, ch := range p.Changes {
			if ch.notable() {
				t.rows = append(t.rows, changeCells(p, ch))
			}
		}
	}
	title := en("h-comparison", "source", oneLine(c.Source))
	text := "#### " + en("h-comparison", "source", code(c.Source)) + "\n\n" + en("no-repeats") + "\n"
	if t.rows != nil {
		text += "\n" + m.limited(t)
	}
	return section{title, text}
}

func changeCells(p Compared, ch Change) []string {
	return []string{
		code(p.Label), ch.Label, numberOf(ch.Current), numberOf(ch.Base), percent(ch.Percent), numberOf(ch.Spread), sayOr(catalog.English, "verdict-", string(ch.Verdict)),
	}
}

func (m markdown) allChanges() section {
	if m.Comparison == nil || m.opt.Short {
		return section{}
	}
	t := mdTable{head: []string{"Point", "Metric", "Now", "Before", "Change", "Spread", "Verdict"}, right: []bool{false, false, true, true, true, true}}
	for _, p := range m.Comparison.Points {
		for _, ch := range p.Changes {
			t.rows = append(t.rows, changeCells(p, ch))
		}
	}
	if t.rows == nil {
		return section{}
	}
	return section{en("h-all-changes"), folded(en("h-all-changes")+" ("+strconv.Itoa(len(t.rows))+")", m.limited(t))}
}

func (m markdown) frontier() section {
	t := mdTable{head: []string{"Curve", "Frontier", "Measured", "Before", "Status", "Kept points"}, right: []bool{false, true, true, true}}
	for _, c := range m.Curves {
		if c.View != viewLatency {
			continue
		}
		before := ""
		if c.Before != nil {
			before = strconv.Itoa(c.Before.Frontier) + " of " + strconv.Itoa(c.Before.Measured)
		}
		var kept []string
		for _, k := range c.Points {
			if k.Kept && len(kept) < 12 {
				kept = append(kept, k.Topology+" c"+itoa(k.Conc))
			}
		}
		measured := strconv.Itoa(c.Measured)
		if c.Invalid > 0 {
			measured += ", " + strconv.Itoa(c.Invalid) + " invalid"
		}
		t.rows = append(t.rows, []string{
			code(c.Key), strconv.Itoa(c.Frontier) + "/" + strconv.Itoa(c.Recommended), measured, before, c.Status, code(strings.Join(kept, ", ")),
		})
	}
	if t.rows == nil {
		return section{}
	}
	return section{en("h-frontier"), folded(en("h-frontier"), en("frontier-advice", "n", strconv.Itoa(recommended))+"\n\n"+m.limited(t))}
}

func (m markdown) coverage() section {
	if !m.HasPlan {
		return section{}
	}
	var text string
	for _, g := range []struct {
		name   string
		groups []Group
	}{{"Family", m.Coverage.Families}, {"Hardware", m.Coverage.Hardware}} {
		t := mdTable{
			head:  []string{g.name, "Planned", "Passed", "Failed", "Cancelled", "Skipped", "Missing"},
			right: []bool{false, true, true, true, true, true, true},
		}
		for _, c := range g.groups {
			cells := []string{code(c.Name)}
			for _, n := range []int{c.Planned, c.Passed, c.Failed, c.Cancelled, c.Skipped, c.Missing + c.Pending} {
				cells = append(cells, strconv.Itoa(n))
			}
			t.rows = append(t.rows, cells)
		}
		text += m.limited(t) + "\n"
	}
	return section{en("h-coverage"), folded(en("h-coverage"), text)}
}

// tables are the measurements, folded.
func (m markdown) tables() []section {
	var out []section
	for _, t := range m.Report.tables(m.opt.Short) {
		md := mdTable{}
		for _, c := range t.columns {
			md.head, md.right = append(md.head, c.name), append(md.right, c.number)
		}
		for _, p := range t.points {
			cells := make([]string, len(t.columns))
			for i, c := range t.columns {
				if cells[i] = c.text(p); !c.number {
					cells[i] = code(cells[i])
				}
			}
			md.rows = append(md.rows, cells)
		}
		out = append(out, section{en(t.key), folded(en(t.key)+" ("+strconv.Itoa(len(t.points))+")", m.limited(md))})
	}
	return out
}

func (m markdown) clusters() section {
	if len(m.Clusters) == 0 {
		return section{}
	}
	t := mdTable{head: []string{"Cluster", "Succeeded", "Jobs"}, right: []bool{false, true, true}}
	for _, c := range m.Clusters {
		t.rows = append(t.rows, []string{code(c.Name), itoa(c.Succeeded), itoa(c.Total)})
	}
	return section{en("h-clusters"), folded(en("h-clusters"), m.limited(t))}
}

func (m markdown) remarks() section {
	var b strings.Builder
	shown := 0
	for _, f := range m.Findings {
		if m.opt.Short && f.Severity == "note" {
			continue
		}
		if shown++; shown > m.opt.Rows {
			continue
		}
		b.WriteString("- " + f.Severity + ": " + code(strings.TrimPrefix(f.Place+": ", ": ")+f.Message) + "\n")
	}
	if shown == 0 {
		return section{}
	}
	if left := shown - m.opt.Rows; left > 0 {
		b.WriteString("\n" + en("rows-left-out", "n", strconv.Itoa(left)) + "\n")
	}
	return section{en("h-findings"), folded(en("h-findings")+" ("+strconv.Itoa(shown)+")", b.String())}
}

// chinese says the same in short.
func (m markdown) chinese() string {
	zh := catalog.Chinese
	text := "**" + m.headline(zh) + "** " + m.countLine(zh) + "\n"
	if m.Comparison != nil {
		text += "\n" + m.Comparison.line(zh) + say(zh, "no-repeats") + "\n"
	}
	shown := 0
	for _, p := range m.Points {
		if p.State == results.Passed || p.State == results.Pending {
			continue
		}
		if shown++; shown <= 20 {
			text += "\n- " + code(p.Label) + " " + sayOr(zh, "state-", string(p.State)) + "：" + escapeCell(p.why(zh))
		}
	}
	if shown > 20 {
		text += "\n\n" + say(zh, "rows-left-out", "n", strconv.Itoa(shown-20))
	}
	return folded("中文", text)
}
