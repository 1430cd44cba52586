package results

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Gap is the distance of a score to the best one of its siblings.
type Gap struct {
	Row, Best EvalRow
	// Gap is best minus score, Limit twice the standard error of that
	// difference; NaN when an error is not known.
	Gap, Limit float64
}

// Known reports whether the limit is known.
func (g Gap) Known() bool { return !math.IsNaN(g.Limit) }

// Wide reports whether the gap is beyond what chance explains.
func (g Gap) Wide() bool { return g.Known() && g.Gap > g.Limit }

const sigmas = 2

// SiblingGaps compares each score with the best one of the same model and task
// among rows and stored (spec/checks.md, check 2). Stored are earlier results
// and count where framework, precision and GPU are the same too. The best score
// itself has no gap; rows without a score are left out.
func SiblingGaps(rows, stored []EvalRow) []Gap {
	var out []Gap
	for _, r := range rows {
		if !r.Scored() {
			continue
		}
		best := r
		for _, s := range rows {
			if s.Scored() && s.siblingOf(r) && s.Score > best.Score {
				best = s
			}
		}
		for _, s := range stored {
			if s.Scored() && s.siblingOf(r) && s.sameCohort(r) && s.Score > best.Score {
				best = s
			}
		}
		if best.Score > r.Score {
			out = append(out, Gap{Row: r, Best: best, Gap: best.Score - r.Score, Limit: sigmas * math.Hypot(r.stdErr(), best.stdErr())})
		}
	}
	return out
}

func (r EvalRow) siblingOf(other EvalRow) bool {
	return r.Point.Prefix == other.Point.Prefix && r.Task == other.Task && r.ScoreName == other.ScoreName
}

func (r EvalRow) sameCohort(other EvalRow) bool {
	p, q := r.Point, other.Point
	return p.Framework == q.Framework && p.Precision == q.Precision && SKU(p.Hardware) == SKU(q.Hardware)
}

// stdErr is the recorded standard error, else that of a share of n samples.
func (r EvalRow) stdErr() float64 {
	if !math.IsNaN(r.StdErr) {
		return r.StdErr
	}
	if r.Samples <= 0 {
		return math.NaN()
	}
	return math.Sqrt(r.Score * (1 - r.Score) / r.Samples)
}

// SiblingFindings warns of every gap that chance does not explain, and of those
// that can't be judged.
func SiblingFindings(gaps []Gap) diag.List {
	var list diag.List
	for _, g := range gaps {
		code := "results.eval-sibling-gap"
		switch {
		case !g.Known():
			code = "results.eval-sibling-unknown"
		case !g.Wide():
			continue
		}
		list = append(list, diag.New(code, diag.Place{File: g.Row.Source}, "task", g.Row.Task, "point", g.Row.Point.String(),
			"score", decimal(g.Row.Score, 3), "best", decimal(g.Best.Score, 3), "gap", decimal(g.Gap, 3), "limit", decimal(g.Limit, 3)).WithSeverity(diag.Warning))
	}
	return list
}

func decimal(f float64, digits int) string { return strconv.FormatFloat(f, 'f', digits, 64) }

// ImageFindings holds the images that evals recorded against those that the plan
// serves: scores of another image say nothing about this one.
func ImageFindings(points []PointState) diag.List {
	var list diag.List
	for _, p := range points {
		for _, e := range p.Evals {
			if !e.HasImage {
				continue
			}
			place := diag.Place{File: e.Source}
			switch CompareImages(e.Image, p.Planned.Image) {
			case DifferentImage:
				list = append(list, diag.New("results.eval-image-differs", place, "point", p.Planned.Point.String(), "ran", e.Image, "planned", p.Planned.Image))
			case OneSidedImage:
				list = append(list, diag.New("results.eval-image-one-sided", place, "point", p.Planned.Point.String(), "ran", e.Image, "planned", p.Planned.Image).WithSeverity(diag.Warning))
			}
		}
	}
	return list
}

// BarFindings reports every eval row that misses its bar, and every broken one.
func BarFindings(rows []EvalRow, bars Thresholds) diag.List {
	var list diag.List
	for _, r := range rows {
		bar := bars.Bar(r.Point.Prefix, r.Task)
		place := diag.Place{File: r.Source}
		switch {
		case !r.Scored():
			list = append(list, diag.New("results.eval-broken", place, "task", r.Task, "point", r.Point.String(), "error", r.brokenBy()))
		case !r.Reaches(bar):
			list = append(list, diag.New("results.eval-below-bar", place, "task", r.Task, "point", r.Point.String(),
				"score", fmt.Sprint(r.Score), "bar", fmt.Sprint(bar.Minimum), "source", bar.Source))
		}
	}
	return list
}

func (r EvalRow) brokenBy() string {
	switch {
	case r.Broken != "":
		return r.Broken
	case math.IsNaN(r.Score):
		return "no score"
	}
	return "no sample count"
}
