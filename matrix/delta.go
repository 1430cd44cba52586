package matrix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// delta returns the points of head that base does not have, and refuses when
// anything that base has changed or disappeared (spec/changelog.md section
// 7.2).
func delta(base, head []*Row, was, is curves) ([]*Row, *diag.Finding) {
	refuse := func(code, category string, r *Row, args ...string) ([]*Row, *diag.Finding) {
		f := diag.New(code, r.Entry.Place, append(args, "key", r.Config.Key, "name", r.ExpName)...).In(category).At(r.Config.Key)
		return nil, &f
	}
	if len(base) == 0 {
		f := diag.New("plan.append-no-base-curve", diag.Place{}).In("append-only-no-base-curve")
		return nil, &f
	}
	for _, c := range was.order {
		if is.byKey[c.key] == nil {
			return refuse("plan.append-recipe-changed", "append-only-recipe-changed", c.first)
		}
	}
	for _, c := range was.order {
		now := is.byKey[c.key]
		if missing := c.missing(now); missing != nil {
			return refuse("plan.append-point-removed", "append-only-point-removed", now.first, "concs", joinInts(missing))
		}
	}
	added := newPoints(was, is, head)
	if len(added) == 0 {
		return refuse("plan.append-no-delta", "append-only-no-delta", base[0])
	}
	series := seriesImages(base)
	for _, r := range added {
		if images := series[r.seriesKey()]; len(images) != 1 || images[0] != r.Config.Image {
			return refuse("plan.append-new-series", "append-only-image", r, "images", strings.Join(images, ", "), "image", r.Config.Image)
		}
	}
	return added, nil
}

// newPoints reduces head rows to the concurrencies that are new for their
// curve, each value once.
func newPoints(was, is curves, head []*Row) []*Row {
	type point struct {
		curve *curve
		conc  int64
	}
	emitted := make(map[point]bool)
	var out []*Row
	for i, r := range head {
		old := was.byKey[is.of[i].key]
		var fresh []int64
		for _, conc := range r.Conc {
			at := point{is.of[i], conc}
			if !old.has(conc) && !emitted[at] {
				emitted[at] = true
				fresh = append(fresh, conc)
			}
		}
		if fresh == nil {
			continue
		}
		row := *r
		row.Conc = fresh
		out = append(out, &row)
	}
	return out
}

// seriesImages collects the images of every visual series.
func seriesImages(rows []*Row) map[string][]string {
	out := make(map[string][]string)
	for _, r := range rows {
		key := r.seriesKey()
		if !slices.Contains(out[key], r.Config.Image) {
			out[key] = append(out[key], r.Config.Image)
		}
	}
	return out
}

// seriesKey identifies the curve that a point is drawn on.
func (r *Row) seriesKey() string {
	c := r.Config
	parts := []string{c.Model, c.ModelPrefix, c.Precision, c.Framework, r.Runner, strconv.FormatBool(c.disaggregated())}
	if r.Agentic() {
		parts = append(parts, "agentic_traces", strconv.FormatBool(r.offloads()))
	} else {
		parts = append(parts, "single_turn", equalKey(r.Seq.ISL), equalKey(r.Seq.OSL), r.Entry.SpecDecoding)
	}
	if r.Multinode() {
		prefill, decode := r.Entry.sides()
		parts = append(parts, prefill.Hardware, decode.Hardware)
	}
	return strings.Join(parts, "\x00")
}

func joinInts(values []int64) string {
	return strings.Trim(ordjson.Ints(values).String(), "[]")
}
