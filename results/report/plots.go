package report

import (
	"math"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results/plot"
)

// Chart is the picture of a curve. Width and height are in pixels, 0 for the
// usual size; with anchors, points lead to their details in the page.
func (c Curve) Chart(r Report, width, height int, anchors bool) plot.Chart {
	out := plot.Chart{
		Title: oneLine(c.Name), XLabel: c.axisName(), YLabel: "tokens/s/GPU",
		Width: width, Height: height, Empty: say(catalog.English, "plot-empty"),
	}
	if c.Before != nil {
		out.Series = append(out.Series, plot.Series{Name: oneLine(c.Before.Source), Marks: c.marks(c.Before.Points, oneLine(c.Before.Source), false)})
	}
	now := "now"
	if r.Run != nil && r.Run.ID > 0 {
		now = "run " + itoa(r.Run.ID)
	}
	out.Series = append(out.Series, plot.Series{Name: now, Color: 1, Marks: c.marks(c.Points, now, anchors)})
	return out
}

func (c Curve) axisName() string {
	statistic, _, _ := strings.Cut(c.X, "_")
	if c.View == viewFirstToken {
		return "time to first token, " + statistic + " (s)"
	}
	return "end-to-end latency, " + statistic + " (s)"
}

func (c Curve) marks(marks []Mark, source string, anchors bool) []plot.Mark {
	out := make([]plot.Mark, len(marks))
	for i, m := range marks {
		out[i] = plot.Mark{X: orNaN(m.X), Y: orNaN(m.Y), Kept: m.Kept, Label: "c" + itoa(m.Conc)}
		if severalTopologies(marks) {
			out[i].Label = m.Topology + " " + out[i].Label
		}
		out[i].Title = oneLine(source + ": " + m.Topology + " c" + itoa(m.Conc) + ", " + numberOf(m.X) + " s, " + numberOf(m.Y) + " tokens/s/GPU")
		if m.Kept {
			out[i].Title += ", " + say(catalog.English, "on-frontier")
		}
		if anchors && m.Point != "" {
			out[i].Link = "#point-" + m.Point
		}
	}
	return out
}

// severalTopologies reports whether the points have several topologies.
func severalTopologies(marks []Mark) bool {
	for _, m := range marks {
		if m.Topology != marks[0].Topology {
			return true
		}
	}
	return false
}

func orNaN(f *float64) float64 {
	if f == nil {
		return math.NaN()
	}
	return *f
}

// FileName is a name for the picture of a curve that is safe on every system
// and different for every curve of the report.
func (c Curve) FileName(ending string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, c.Name)
	return "pareto-" + name[:min(len(name), 80)] + "-" + c.View + "-" + shortHash(c.Key, c.View)[:6] + ending
}
