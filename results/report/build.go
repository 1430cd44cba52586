package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// Build makes the report. It is a pure function of its input, and the order of
// artifacts, jobs and pages never matters.
func Build(in Input) Report {
	if in.Noise == (results.Noise{}) {
		in.Noise = results.DefaultNoise()
	}
	b := builder{in: in, rows: in.Harvest.Rows(), bySource: make(map[string]string), ids: make(map[string]int)}
	b.out = Report{Version: Version, Run: in.Run, HasPlan: in.HasPlan, Points: []Point{}, Curves: []Curve{}, Findings: []Finding{}}
	planned := make([]results.Planned, len(in.Plan))
	for i, p := range in.Plan {
		planned[i] = p.Planned
	}
	b.gaps = gapsByRow(results.SiblingGaps(in.Harvest.Evals(), b.storedEvals()))
	coverage := results.Cover(planned, in.Harvest, in.Jobs, in.Bars)
	if in.HasPlan {
		b.planned(coverage)
	} else {
		b.found(coverage.Unplanned)
	}
	b.curves()
	b.compare()
	for _, c := range in.Clusters {
		b.out.Clusters = append(b.out.Clusters, Cluster{c.Cluster, c.Succeeded, c.Total})
	}
	b.rerun(coverage)
	b.findings(coverage)
	return b.out
}

// Against returns the report with another comparison: that with base. What the
// report has no row of is not compared.
func (r Report) Against(base Baseline, rules results.Rules) Report {
	rows, _ := r.rows(rules, func(Point) bool { return true })
	b := builder{in: Input{Baseline: &base, Noise: results.DefaultNoise()}, out: r, rows: rows, bySource: make(map[string]string)}
	if r.Run != nil && r.Run.ID > 0 {
		b.in.Curves.Run = RunName(r.Run.ID)
	}
	for _, p := range r.Points {
		if p.Kind == Throughput && p.Artifact != "" {
			b.bySource[p.Artifact] = p.ID
		}
	}
	b.out.Curves = []Curve{}
	b.curves()
	b.compare()
	return b.out
}

// RunName is the run in the keys of curves (spec/results.md section 11).
func RunName(id int64) string { return "run-" + itoa(id) }

type builder struct {
	in  Input
	out Report
	// rows are those of this run.
	rows []results.Row
	// bySource finds the report's point of a row; ids counts ids given.
	bySource map[string]string
	ids      map[string]int
	gaps     map[string]results.Gap
}

func (b *builder) storedEvals() []results.EvalRow {
	if b.in.Baseline == nil {
		return nil
	}
	return b.in.Baseline.Evals
}

// planned takes over what the coverage says about every planned point.
func (b *builder) planned(c results.Coverage) {
	b.out.Outcome = c.Outcome()
	b.out.Coverage = Coverage{
		Total: counts(c.Total), Throughput: counts(c.Throughput), Evals: counts(c.Evals),
		Families: groups(c.ByFamily), Hardware: groups(c.ByHardware), Unplanned: len(c.Unplanned),
	}
	for i, s := range c.Points {
		b.add(b.plannedPoint(b.in.Plan[i], s))
	}
	for _, r := range c.Unplanned {
		p := b.rowPoint(r)
		p.Unplanned = true
		b.add(p)
	}
}

// found makes points of what is there, where no plan is known.
func (b *builder) found(rows []results.Row) {
	var tally results.Coverage
	results.SortForTable(rows)
	for _, r := range rows {
		b.add(b.rowPoint(r))
	}
	for _, group := range evalsByPoint(b.in.Harvest.Evals()) {
		b.add(b.evalPoint(group))
	}
	c := &b.out.Coverage
	c.Families, c.Hardware = []Group{}, []Group{}
	for _, p := range b.out.Points {
		addTo(&c.Total, p.State)
		if p.Kind == Eval {
			addTo(&c.Evals, p.State)
		} else {
			addTo(&c.Throughput, p.State)
		}
		c.Hardware = addToGroup(c.Hardware, p.Hardware, p.State)
	}
	slices.SortFunc(c.Hardware, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	b.out.Outcome = tally.Outcome() // nothing
	if c.Total.Passed > 0 {
		b.out.Outcome = results.Partial
	}
}

// add gives the point an id that no other has.
func (b *builder) add(p Point) {
	if b.ids[p.ID]++; b.ids[p.ID] > 1 {
		p.ID += "-" + itoa(int64(b.ids[p.ID]))
	}
	if p.Artifact != "" && p.Kind == Throughput {
		b.bySource[p.Artifact] = p.ID
	}
	b.out.Points = append(b.out.Points, p)
}

func counts(c results.Counts) Counts {
	return Counts{c.Planned, c.Passed, c.Failed, c.Cancelled, c.Skipped, c.Pending, c.Missing}
}

func groups(list []results.Group) []Group {
	out := make([]Group, len(list))
	for i, g := range list {
		out[i] = Group{g.Name, counts(g.Counts)}
	}
	return out
}

func addTo(c *Counts, s results.State) {
	c.Planned++
	switch s {
	case results.Passed:
		c.Passed++
	case results.Failed:
		c.Failed++
	}
}

func addToGroup(list []Group, name string, s results.State) []Group {
	for i := range list {
		if list[i].Name == name {
			addTo(&list[i].Counts, s)
			return list
		}
	}
	g := Group{Name: name}
	addTo(&g.Counts, s)
	return append(list, g)
}

func gapsByRow(gaps []results.Gap) map[string]results.Gap {
	out := make(map[string]results.Gap, len(gaps))
	for _, g := range gaps {
		out[g.Row.Source+"\x00"+g.Row.Task] = g
	}
	return out
}

// findings gathers every remark: errors first, then by place and code.
func (b *builder) findings(c results.Coverage) {
	list := slices.Concat(b.in.Findings, b.in.Harvest.Findings())
	if b.in.HasPlan {
		list = append(list, c.Findings...)
		list = append(list, results.ImageFindings(c.Points)...)
	}
	evals := b.in.Harvest.Evals()
	list = append(list, results.BarFindings(evals, b.in.Bars)...)
	list = append(list, results.SiblingFindings(results.SiblingGaps(evals, b.storedEvals()))...)
	for _, f := range list {
		b.out.Findings = append(b.out.Findings, findingOf(f))
	}
	slices.SortStableFunc(b.out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)), strings.Compare(a.Place, b.Place),
			strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	b.out.Findings = slices.Compact(b.out.Findings)
}

func findingOf(f diag.Finding) Finding {
	return Finding{
		Severity: f.Severity.String(), Code: f.Code, Place: diag.Printable(f.Place.String()),
		Message: diag.Printable(f.Message(catalog.English)), Mend: f.Mend(catalog.English), Chinese: diag.Printable(f.Message(catalog.Chinese)),
	}
}

func severityRank(severity string) int {
	switch severity {
	case diag.Error.String():
		return 0
	case diag.Warning.String():
		return 1
	}
	return 2
}

// Refused reports whether the report holds an error.
func (r Report) Refused() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == diag.Error.String() })
}

// Good reports whether the results may stand for the sweep: all that was
// planned has passed, or without a plan everything that is there; nothing was
// refused, and there is something.
func (r Report) Good() bool {
	t := r.Coverage.Total
	return t.Planned > 0 && t.Passed == t.Planned && !r.Refused()
}
