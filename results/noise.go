package results

import (
	"math"
	"slices"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Noise says when a difference counts.
type Noise struct {
	// MinRepeats is the number of measurements of one side that show a spread.
	MinRepeats int
	// MinShare is the smallest relative difference that counts even when repeats
	// happen to agree.
	MinShare float64
}

// DefaultNoise takes two measurements as repeats, and one percent as the least
// difference.
func DefaultNoise() Noise { return Noise{MinRepeats: 2, MinShare: 0.01} }

// Verdict is what a difference means.
type Verdict string

// The verdicts. Unclear means that it can't be known: no baseline, or a
// difference while neither side was measured twice.
const (
	Improved    Verdict = "improved"
	Regressed   Verdict = "regressed"
	WithinNoise Verdict = "within-noise"
	Unclear     Verdict = "unclear"
)

// Assessment is the judgement of one metric against its baseline.
type Assessment struct {
	Metric  Metric
	Verdict Verdict
	// Reason is a short stable name: "no-value", "no-baseline", "no-repeats",
	// "beyond-spread", "within-spread", "below-minimum".
	Reason string
	// Current and Base are medians, Delta is current minus base, in the row's
	// unit; NaN where missing.
	Current, Base, Delta float64
	// Spread is the largest distance between repeats of one side, NaN without
	// repeats. Repeats is the larger number of measurements.
	Spread  float64
	Repeats int
}

// Assess judges one metric from all its measurements on both sides. It says
// regressed or improved only when the medians differ by more than the point's
// own spread between repeats; without repeats it says that it can't know.
func Assess(m Metric, current, base []float64, noise Noise) Assessment {
	current, base = finiteValues(current), finiteValues(base)
	a := Assessment{Metric: m, Verdict: Unclear, Current: median(current), Base: median(base), Spread: math.NaN(), Repeats: max(len(current), len(base))}
	a.Delta = a.Current - a.Base
	switch {
	case len(current) == 0:
		a.Reason = "no-value"
		return a
	case len(base) == 0 || a.Base == 0:
		a.Reason = "no-baseline"
		return a
	}
	for _, side := range [][]float64{current, base} {
		if len(side) >= max(noise.MinRepeats, 2) {
			if spread := slices.Max(side) - slices.Min(side); math.IsNaN(a.Spread) || spread > a.Spread {
				a.Spread = spread
			}
		}
	}
	a.judge(noise)
	return a
}

func (a *Assessment) judge(noise Noise) {
	switch size := math.Abs(a.Delta); {
	case math.IsNaN(a.Spread):
		a.Reason = "no-repeats"
	case size <= a.Spread:
		a.Verdict, a.Reason = WithinNoise, "within-spread"
	case size <= noise.MinShare*math.Abs(a.Base):
		a.Verdict, a.Reason = WithinNoise, "below-minimum"
	case a.Delta > 0 == a.Metric.Higher:
		a.Verdict, a.Reason = Improved, "beyond-spread"
	default:
		a.Verdict, a.Reason = Regressed, "beyond-spread"
	}
}

func finiteValues(values []float64) []float64 {
	var out []float64
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// median is that of sorted values, NaN for none.
func median(sorted []float64) float64 { return Percentile(sorted, 50) }

// Comparison is a point against its baseline.
type Comparison struct {
	Point Point
	// Row is the newest measurement, Baseline the newest of the default branch;
	// nil where there is none.
	Row, Baseline *Row
	Changes       []Change
	Assessments   []Assessment
}

// ComparePoints compares the rows of a run with those of the default branch for
// the same dimensions (BaselineKey). Several rows of one side are its repeats,
// the oldest first; rows that stand for no measurement are left out. Agentic rows have no baseline in the reference; they
// are compared with rows of the same point.
func ComparePoints(rows, baseline []Row, noise Noise) []Comparison {
	current, base := byDimension(rows), byDimension(baseline)
	sorted := slices.Clone(rows)
	SortForTable(sorted)
	seen := make(map[string]bool)
	var out []Comparison
	for _, r := range sorted {
		key := dimension(r)
		if seen[key] || !r.Usable() {
			continue
		}
		seen[key] = true
		out = append(out, compareGroup(current[key], base[key], noise))
	}
	return out
}

// dimension is what rows of both sides are matched by.
func dimension(r Row) string {
	if r.Point.Scenario == Agentic {
		return r.Identity.Key() + " " + r.Point.Spec
	}
	return BaselineKey(r.Document()).String()
}

func byDimension(rows []Row) map[string][]Row {
	out := make(map[string][]Row)
	for _, r := range rows {
		if r.Usable() {
			key := dimension(r)
			out[key] = append(out[key], r)
		}
	}
	return out
}

func compareGroup(rows, baseline []Row, noise Noise) Comparison {
	var c Comparison
	currentDocs, baseDocs := documents(rows), documents(baseline)
	if len(rows) > 0 {
		c.Row, c.Point = &rows[len(rows)-1], rows[len(rows)-1].Point
	}
	if len(baseline) > 0 {
		c.Baseline = &baseline[len(baseline)-1]
	}
	c.Changes = Compare(last(currentDocs), last(baseDocs))
	for _, m := range ComparedMetrics() {
		c.Assessments = append(c.Assessments, Assess(m, valuesOf(currentDocs, m.Name), valuesOf(baseDocs, m.Name), noise))
	}
	return c
}

func documents(rows []Row) []ordjson.Value {
	out := make([]ordjson.Value, len(rows))
	for i, r := range rows {
		out[i] = r.Document()
	}
	return out
}

func last(docs []ordjson.Value) ordjson.Value {
	if len(docs) == 0 {
		return ordjson.Value{}
	}
	return docs[len(docs)-1]
}

func valuesOf(docs []ordjson.Value, name string) []float64 {
	out := make([]float64, len(docs))
	for i, doc := range docs {
		out[i] = valueOrNaN(doc, name)
	}
	return out
}
