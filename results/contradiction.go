package results

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// repeated reports points that more than one row measures. They are never
// merged: which one is right is not ours to guess (spec/results.md section 9).
func (h Harvest) repeated() diag.List {
	byPoint := make(map[Point][]Row)
	var order []Point
	for _, r := range h.Rows() {
		if byPoint[r.Point] == nil {
			order = append(order, r.Point)
		}
		byPoint[r.Point] = append(byPoint[r.Point], r)
	}
	var list diag.List
	for _, p := range order {
		rows := byPoint[p]
		if len(rows) < 2 {
			continue
		}
		var sources, images []string
		for _, r := range rows {
			sources, images = append(sources, r.Source), append(images, r.Image+" "+r.Fingerprint)
		}
		slices.Sort(images)
		code := "results.point-twice"
		if images = slices.Compact(images); len(images) > 1 {
			code = "results.point-contradiction"
		}
		list = append(list, diag.New(code, diag.Place{File: sources[0]}, "point", p.String(),
			"rows", strings.Join(sources, ", "), "images", strings.Join(images, ", ")).WithSeverity(diag.Warning))
	}
	return list
}

// stale reports an aggregate that can't be the sum of the points: it is older
// than one of them, or holds other points.
func (h Harvest) stale() diag.List {
	aggregate, ok := h.artifacts["results_bmk"]
	if !ok || aggregate.Refused {
		return nil
	}
	points := make(map[Point]bool)
	for _, a := range h.Artifacts() {
		if a.Kind != FixedPoint && a.Kind != AgenticPoint {
			continue
		}
		if a.Upload.Created.After(aggregate.Upload.Created) {
			return diag.List{diag.New("results.aggregate-stale", aggregate.Upload.place(), "artifact", a.Upload.Name).WithSeverity(diag.Warning)}
		}
		for _, r := range a.Rows {
			points[r.Point] = true
		}
	}
	return aggregate.differences(points)
}

// differences compares an aggregate with the points of the run. A run that has
// kept no point artifacts has nothing to compare.
func (a Artifact) differences(points map[Point]bool) diag.List {
	if len(points) == 0 {
		return nil
	}
	beyond, known := 0, make(map[Point]bool)
	for _, r := range a.Rows {
		known[r.Point] = true
		if !points[r.Point] {
			beyond++
		}
	}
	missing := 0
	for p := range points {
		if !known[p] {
			missing++
		}
	}
	if beyond+missing == 0 {
		return nil
	}
	return diag.List{diag.New("results.aggregate-differs", a.Upload.place(), "missing", strconv.Itoa(missing), "beyond", strconv.Itoa(beyond)).WithSeverity(diag.Warning)}
}
