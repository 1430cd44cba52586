package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/results"
)

// compare holds the run against its baseline.
func (b *builder) compare() {
	base := b.in.Baseline
	if base == nil {
		return
	}
	out := Comparison{Source: base.Source, Rows: len(base.Rows), Points: []Compared{}}
	for _, c := range results.ComparePoints(b.rows, base.Rows, b.in.Noise) {
		p := Compared{Point: b.bySource[c.Row.Source], Label: c.Point.String(), Changes: []Change{}}
		for i, a := range c.Assessments {
			if math.IsNaN(a.Current) && math.IsNaN(a.Base) {
				continue
			}
			p.Changes = append(p.Changes, change(a, c.Changes[i]))
		}
		p.Verdict = overall(p.Changes)
		switch p.Verdict {
		case results.Regressed:
			out.Regressed++
		case results.Improved:
			out.Improved++
		case results.WithinNoise:
			out.WithinNoise++
		default:
			out.Unclear++
		}
		out.Points = append(out.Points, p)
	}
	b.out.Comparison = &out
}

func change(a results.Assessment, c results.Change) Change {
	scale := cmp.Or(a.Metric.Scale, 1)
	out := Change{
		Metric: a.Metric.Name, Label: c.Metric.Label, Verdict: a.Verdict, Reason: a.Reason, Repeats: a.Repeats,
		Current: finite(a.Current * scale), Base: finite(a.Base * scale), Delta: finite(a.Delta * scale), Spread: finite(a.Spread * scale),
	}
	if a.Base != 0 {
		out.Percent = finite(a.Delta / a.Base * 100)
	}
	return out
}

// overall is the verdict on a point: one metric that got worse outweighs all
// that got better.
func overall(changes []Change) results.Verdict {
	has := func(v results.Verdict) bool {
		return slices.ContainsFunc(changes, func(c Change) bool { return c.Verdict == v })
	}
	for _, v := range []results.Verdict{results.Regressed, results.Improved, results.WithinNoise} {
		if has(v) {
			return v
		}
	}
	return results.Unclear
}

// notableShare is the relative difference that is shown although nobody can
// tell whether it is chance.
const notableShare = 5.0

// notable reports whether a change is worth being seen unfolded.
func (c Change) notable() bool {
	switch c.Verdict {
	case results.Regressed, results.Improved:
		return true
	case results.WithinNoise:
		return false
	}
	return c.Percent != nil && math.Abs(*c.Percent) >= notableShare
}

// The views that curves are drawn in.
const (
	viewLatency    = "latency"
	viewFirstToken = "first-token"
)

// curves builds every series in both views, with the older measurements beside.
func (b *builder) curves() {
	for _, view := range []struct{ name, latency string }{{viewLatency, "e2el"}, {viewFirstToken, "ttft"}} {
		opt := b.in.Curves
		opt.Latency = view.latency
		before := make(map[string]results.CurveResult)
		if b.in.Baseline != nil {
			for _, c := range results.Curves(newest(b.in.Baseline.Rows), opt) {
				before[c.Key] = c
			}
		}
		for _, c := range results.Curves(b.rows, opt) {
			out := b.curve(c, view.name, opt)
			if old, ok := before[c.Key]; ok {
				out.Before = &Series{b.in.Baseline.Source, old.Measured, old.Invalid, len(old.Frontier), b.marks(old, false)}
			}
			// A view beside the one that counts is for looking at only.
			if view.name == viewLatency || out.Frontier > 0 {
				b.out.Curves = append(b.out.Curves, out)
			}
		}
	}
	slices.SortStableFunc(b.out.Curves, func(a, b Curve) int { return strings.Compare(a.Key, b.Key) })
}

func (b *builder) curve(c results.CurveResult, view string, opt results.CurveOptions) Curve {
	p := c.Points[0].Row.Point
	name := []string{p.Prefix, p.Precision, results.SKU(p.Hardware), p.Framework}
	if p.Scenario != results.Agentic && p.Spec != "" && p.Spec != "none" {
		name = append(name, p.Spec)
	}
	name = append(name, p.Lengths())
	return Curve{
		Key: c.Key, Name: strings.Join(name, " "), View: view, X: opt.LatencyOf(p.Scenario), Status: string(c.Status),
		Measured: c.Measured, Invalid: c.Invalid, Frontier: len(c.Frontier), Recommended: recommended, Restricted: c.Restricted,
		Points: b.marks(c, true),
	}
}

func (b *builder) marks(c results.CurveResult, current bool) []Mark {
	out := make([]Mark, len(c.Points))
	for i, p := range c.Points {
		out[i] = Mark{Conc: p.Row.Point.Conc, Topology: p.Row.Point.Topology(), X: finite(p.X), Y: finite(p.Y), Kept: p.OnFrontier}
		if current {
			out[i].Point = b.bySource[p.Row.Source]
		}
	}
	slices.SortStableFunc(out, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(orZero(a.X), orZero(b.X)), cmp.Compare(orZero(a.Y), orZero(b.Y)), cmp.Compare(a.Conc, b.Conc))
	})
	return out
}

func orZero(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}

// newest are the last rows of every point: older repeats show spread, they are
// no further points of a curve.
func newest(rows []results.Row) []results.Row {
	at := make(map[results.Point]int)
	var out []results.Row
	for _, r := range rows {
		if i, ok := at[r.Point]; ok {
			out[i] = r
			continue
		}
		at[r.Point] = len(out)
		out = append(out, r)
	}
	return out
}
