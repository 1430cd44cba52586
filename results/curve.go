package results

import (
	"cmp"
	"slices"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/pareto"
)

// CurveOptions say how rows become curves.
type CurveOptions struct {
	// Run names the run or date that the points belong to; points of other runs
	// must not be given.
	Run string
	// Percentile is that of agentic latencies, "p90" by default; fixed-sequence
	// rows always use the median.
	Percentile string
	// Latency is the latency that curves are drawn over, "e2el" by default. Only
	// that one counts for coverage (spec/results.md section 11); "ttft" is a view
	// beside it.
	Latency string
	// Series renames frameworks, for frameworks that are drawn as one series.
	Series map[string]string
}

// CurvePoint is the measurement behind a point of a curve.
type CurvePoint struct {
	Row Row
	// X is in seconds, Y in tokens/s/GPU; NaN where the row has none.
	X, Y float64
	// OnFrontier is set for the points that were kept.
	OnFrontier bool
}

// CurveResult is a curve with its measurements.
type CurveResult struct {
	pareto.Result
	Points []CurvePoint
}

// Curves groups the rows of one run into series and counts their frontiers.
// Several configs, images and topologies of one series are one curve; fixed
// sequences also separate the speculative method and the lengths (spec/
// results.md section 11). Curves come sorted by key.
func Curves(rows []Row, opt CurveOptions) []CurveResult {
	if opt.Percentile == "" {
		opt.Percentile = "p90"
	}
	byKey := make(map[string][]CurvePoint)
	for _, r := range rows {
		doc := r.Document()
		p := CurvePoint{Row: r, X: valueOrNaN(doc, opt.LatencyOf(r.Point.Scenario)), Y: valueOrNaN(doc, "tput_per_gpu")}
		key := opt.key(r.Point)
		byKey[key] = append(byKey[key], p)
	}
	var out []CurveResult
	for key, points := range byKey {
		out = append(out, curveOf(key, points))
	}
	slices.SortFunc(out, func(a, b CurveResult) int { return compareText(a.Key, b.Key) })
	return out
}

// LatencyOf is the flat name of the metric on the x axis for a scenario.
func (o CurveOptions) LatencyOf(s Scenario) string {
	statistic, latency := "median_", cmp.Or(o.Latency, "e2el")
	if s == Agentic {
		statistic = cmp.Or(o.Percentile, "p90") + "_"
	}
	return statistic + latency
}

// key names the series of a point.
func (o CurveOptions) key(p Point) string {
	framework := p.Framework
	if series, ok := o.Series[framework]; ok {
		framework = series
	}
	hardware := SKU(p.Hardware) + "_" + framework
	scenario, percentile := p.Lengths(), "median"
	if p.Scenario == Agentic {
		scenario, percentile = string(Agentic), o.Percentile
	} else if p.Spec != "" && p.Spec != "none" {
		hardware += "_" + p.Spec
	}
	return p.Prefix + "/" + scenario + "/" + hardware + "/" + p.Precision + "/" + o.Run + "/" + percentile
}

// curveOf builds the frontier of one series. Each point carries its position as
// a field, so that what was kept is found again.
func curveOf(key string, points []CurvePoint) CurveResult {
	const position = "position"
	slices.SortStableFunc(points, func(a, b CurvePoint) int { return compareText(a.Row.Source, b.Row.Source) })
	c := pareto.Curve{Key: key}
	for i, p := range points {
		q, valid := pareto.NewPoint(ordjson.Map(
			ordjson.Member{Name: "x", Value: document.Float(p.X)}, ordjson.Member{Name: "y", Value: document.Float(p.Y)},
			ordjson.Member{Name: "conc", Value: ordjson.Int(p.Row.Point.Conc)},
			ordjson.Member{Name: "topology", Value: ordjson.Str(p.Row.Point.Topology())},
			ordjson.Member{Name: position, Value: ordjson.Int(int64(i))}))
		if valid && p.Row.Usable() {
			c.Points = append(c.Points, q)
		} else {
			c.Invalid++
		}
	}
	out := CurveResult{Result: c.Frontier(false), Points: points}
	for i, q := range out.Frontier {
		at, _ := intMember(q.Fields, position)
		out.Points[at].OnFrontier = true
		out.Frontier[i].Fields.Members = q.Fields.Members[:len(q.Fields.Members)-1]
	}
	return out
}
