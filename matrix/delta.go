package matrix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// curves holds the concurrencies of every recipe, in the order in which the
// recipes first occur.
type curves struct {
	order []string
	first map[string]*Row
	concs map[string][]int64
}

// curveKey compares rows in everything but concurrency and name.
func (r *Row) curveKey(drop ...string) string {
	return r.signature(append(drop, "conc", "exp-name", "recipe-fingerprint")...)
}

func curvesOf(rows []*Row, drop []string) curves {
	c := curves{first: make(map[string]*Row), concs: make(map[string][]int64)}
	for _, r := range rows {
		key := r.curveKey(drop...)
		if c.first[key] == nil {
			c.order = append(c.order, key)
			c.first[key] = r
		}
		c.concs[key] = append(c.concs[key], r.Conc...)
	}
	return c
}

// delta returns the points of head that base does not have, and refuses when
// anything that base has changed or disappeared (spec/changelog.md section
// 7.2). drop names row fields that only one side's dialect writes.
func delta(base, head []*Row, drop []string) ([]*Row, *diag.Finding) {
	refuse := func(code, category string, r *Row, args ...string) ([]*Row, *diag.Finding) {
		f := diag.New(code, r.Entry.Place, append(args, "key", r.Config.Key, "name", r.ExpName)...).In(category).At(r.Config.Key)
		return nil, &f
	}
	if len(base) == 0 {
		f := diag.New("plan.append-no-base-curve", diag.Place{}).In("append-only-no-base-curve")
		return nil, &f
	}
	was, is := curvesOf(base, drop), curvesOf(head, drop)
	for _, key := range was.order {
		if is.first[key] == nil {
			return refuse("plan.append-recipe-changed", "append-only-recipe-changed", was.first[key])
		}
	}
	for _, key := range was.order {
		var missing []int64
		for _, conc := range sortedDistinct(was.concs[key]) {
			if !slices.Contains(is.concs[key], conc) {
				missing = append(missing, conc)
			}
		}
		if missing != nil {
			return refuse("plan.append-point-removed", "append-only-point-removed", is.first[key], "concs", joinInts(missing))
		}
	}
	added := newPoints(was, head, drop)
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
// recipe, each value once.
func newPoints(was curves, head []*Row, drop []string) []*Row {
	emitted := make(map[string][]int64)
	var out []*Row
	for _, r := range head {
		key := r.curveKey(drop...)
		var fresh []int64
		for _, conc := range r.Conc {
			if !slices.Contains(was.concs[key], conc) && !slices.Contains(emitted[key], conc) {
				emitted[key] = append(emitted[key], conc)
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
	for _, w := range []*Worker{r.Entry.Prefill, r.Entry.Decode, r.Entry.Worker} {
		if w != nil {
			parts = append(parts, w.Hardware)
		}
	}
	return strings.Join(parts, "\x00")
}

func joinInts(values []int64) string {
	return strings.Trim(ordjson.Ints(values).String(), "[]")
}
