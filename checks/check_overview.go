package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results"
)

// Overview is check 16: an NVIDIA submission must not leave its cell of the
// overview empty at 50 tokens/s/user. It never fails.
func Overview() Check {
	return Check{Topic: TopicOverview, Needs: []Need{NeedGit, NeedRuns, NeedArtifacts}, Decide: decideOverview}
}

// primaryTier is the interactivity, in tokens/s/user, at which a cell is read.
const primaryTier = 50

// overviewSKUs are the NVIDIA columns of the overview.
var overviewSKUs = []string{"b200", "b300", "gb200", "gb300"}

func decideOverview(ctx context.Context, e *Evidence) (Result, error) {
	if e.Settings.Checks.Overview == config.OverviewOff {
		return Result{Status: NotApplicable, Reason: "the check is switched off by the settings."}, nil
	}
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	if r, over := e.nothing(affected); over {
		return e.alsoReached(affected, r), nil
	}
	keys := affected.Submitted()
	if reason, ok := withoutNVIDIA(keys); ok {
		return Result{Status: NotApplicable, Reason: reason}, nil
	}
	if e.Settings.Checks.Overview == config.OverviewSummary {
		return summary(keys), nil
	}
	wanted, reason := overviewCells(keys)
	emptied, err := e.emptied(ctx, affected)
	switch {
	case err != nil:
		return Result{}, err
	case emptied != "":
		return Result{Status: Warn, Reason: emptied + ": the cell becomes empty."}, nil
	case len(wanted) == 0:
		return Result{Status: NotApplicable, Reason: "no affected NVIDIA point feeds the overview (" + reason + ")."}, nil
	}
	return e.readCells(ctx, wanted)
}

// withoutNVIDIA words the case that only other hardware is affected.
func withoutNVIDIA(keys []AffectedKey) (string, bool) {
	byVendor := make(map[string][]string)
	for _, key := range keys {
		sku := results.SKU(key.Config.Runner)
		vendor := Vendor(sku)
		if vendor == "NVIDIA" {
			return "", false
		}
		if name := strings.ToUpper(sku); !slices.Contains(byVendor[vendor], name) {
			byVendor[vendor] = append(byVendor[vendor], name)
		}
	}
	var parts []string
	for _, vendor := range []string{"AMD", ""} {
		if list := byVendor[vendor]; len(list) > 0 {
			slices.Sort(list)
			parts = append(parts, strings.TrimSpace(vendor+" "+series(list, 6)))
		}
	}
	return "The only affected hardware is " + strings.Join(parts, " and ") + ".", true
}

// summary lists what is affected, in the mode that judges nothing.
func summary(keys []AffectedKey) Result {
	var parts []string
	for _, key := range keys {
		k := key.Config
		if sku := results.SKU(k.Runner); Vendor(sku) == "NVIDIA" {
			for _, name := range scenariosOf(key.Rows) {
				parts = append(parts, fmt.Sprintf("%s %s %s %s", strings.ToUpper(sku), k.Framework, k.Precision, name))
			}
		}
	}
	return Result{Status: Pass, Reason: joined(unique(parts), "; ", 8) + "."}
}

func scenariosOf(rows []*matrix.Row) []string {
	var names []string
	for _, row := range rows {
		if name := row.Bucket(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// cell is a cell of the overview.
type cell struct{ prefix, scenario, sku string }

func (c cell) String() string {
	return fmt.Sprintf("%s %s on %s", c.prefix, c.scenario, strings.ToUpper(c.sku))
}

// overviewCells are the cells that the affected points feed, in order; without
// any, why the last candidate does not (step 1).
func overviewCells(keys []AffectedKey) (cells []cell, reason string) {
	for _, key := range keys {
		k := key.Config
		sku := results.SKU(k.Runner)
		engine, open := Engine(k.Framework)
		switch {
		case Vendor(sku) != "NVIDIA":
		case !slices.Contains(overviewSKUs, sku):
			reason = strings.ToUpper(sku) + " has no column"
		case !open:
			reason = cmp.Or(map[string]string{"trtllm": "TensorRT-LLM", "atom": "ATOM", "tilert": "TileRT"}[engine], k.Framework) + " is outside its default engine scope"
		case k.Precision != "fp4" && k.Precision != "fp8":
			reason = "it shows fp4 and fp8 only"
		default:
			for _, name := range scenariosOf(key.Rows) {
				if name != "8k1k" && name != "agentic" {
					reason = "it shows 8k1k and agentic only"
					continue
				}
				if c := (cell{k.ModelPrefix, name, sku}); !slices.Contains(cells, c) {
					cells = append(cells, c)
				}
			}
		}
	}
	return cells, reason
}

// emptied names a cell whose last config the pull request removes (step 4).
func (e *Evidence) emptied(ctx context.Context, affected *Affected) (string, error) {
	head, err := e.Revision(ctx, e.Head)
	if err != nil {
		return "", err
	}
	var left []AffectedKey
	for _, k := range head.configs() {
		left = append(left, AffectedKey{Config: k, Rows: head.RowsOf(k.Key)})
	}
	still, _ := overviewCells(left)
	for _, key := range affected.Keys {
		if key.Label != KeyRemoved {
			continue
		}
		key.Rows = key.Base
		gone, _ := overviewCells([]AffectedKey{key})
		for _, c := range gone {
			if !slices.Contains(still, c) {
				return c.String(), nil
			}
		}
	}
	return "", nil
}

// readCells reads each cell from the aggregate of the sweep (steps 2, 3 and 5).
func (e *Evidence) readCells(ctx context.Context, cells []cell) (Result, error) {
	run, err := e.SweepRun(ctx)
	if err != nil {
		return e.withoutRun(err)
	}
	rows, artifact, err := e.aggregate(ctx, run, "results_bmk", "agg_bmk.json")
	if err != nil {
		return e.withoutRun(err)
	}
	r := Result{Citations: []Citation{run.cite("the sweep"), {Kind: CiteArtifact, ID: artifact.ID, Text: "results_bmk"}}}
	var fine, short []string
	for _, c := range cells {
		text, ok := readCell(c, rows)
		if ok {
			fine = append(fine, text)
		} else {
			short = append(short, text)
		}
	}
	if len(short) > 0 {
		r.Status, r.Reason = Warn, joined(short, "; ", 4)+" (run "+run.link()+")."
		return r, nil
	}
	r.Status, r.Reason = Pass, joined(fine, "; ", 4)+" (run "+run.link()+")."
	return r, nil
}

// withoutRun is the outcome where the sweep could not be read.
func (e *Evidence) withoutRun(err error) (Result, error) {
	switch {
	case errors.Is(err, ErrNotGiven):
		return unavailable("the sweep that the overview is read from was not given", NeedRuns, NeedArtifacts), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrUnreadable):
		return Result{Status: Warn, Reason: review("the overview could not be read: " + reasonOf(err) + "."), Missing: []string{string(NeedRuns)}}, nil
	}
	return Result{}, err
}

// reasonOf is the sentence of an error without the sentinel that it wraps.
func reasonOf(err error) string {
	text := err.Error()
	for _, tail := range []error{fs.ErrNotExist, ErrUnreadable} {
		text = strings.TrimSuffix(text, ": "+tail.Error())
	}
	return text
}

// reading is a measured point of a cell: interactivity against throughput.
type reading struct{ interactivity, throughput float64 }

// readCell reads a cell from the rows: the best of its series at the primary
// tier, or how far it reaches.
func readCell(c cell, rows []ordjson.Value) (string, bool) {
	series := make(map[string][]reading)
	for _, row := range rows {
		if name, point, ok := c.takes(row); ok {
			series[name] = append(series[name], point)
		}
	}
	best, top, covered := 0.0, 0.0, false
	for _, points := range series {
		curve := frontier(points)
		top = max(top, curve[len(curve)-1].interactivity)
		if value, ok := interpolate(curve, primaryTier); ok {
			best, covered = max(best, value), true
		}
	}
	switch {
	case len(series) == 0:
		return fmt.Sprintf("%s has no row in the sweep", c), false
	case covered:
		return fmt.Sprintf("%s reads %s tok/s/GPU at %d tok/s/user", c, thousands(best), primaryTier), true
	case top < primaryTier:
		return fmt.Sprintf("%s cannot reach %d tok/s/user (best %.0f)", c, primaryTier, top), false
	}
	return fmt.Sprintf("%s: %d tok/s/user is not bracketed", c, primaryTier), false
}

// takes reads a row that belongs to the cell, with the name of its series.
func (c cell) takes(row ordjson.Value) (series string, point reading, ok bool) {
	text := func(name string) string { v, _ := row.Get(name); return strings.ToLower(v.Text) }
	_, agentic := row.Get("scenario_type")
	fits := text("infmax_model_prefix") == strings.ToLower(c.prefix) && results.SKU(text("hw")) == c.sku && agentic == (c.scenario == "agentic")
	if !fits || !agentic && (text("isl") != "8192" || text("osl") != "1024") {
		return "", point, false
	}
	metric, spec := "median_intvty", text("spec_decoding")
	if agentic {
		metric, spec = "p90_intvty", ""
	}
	var known bool
	if point.interactivity, known = results.MetricOf(row, metric); !known {
		return "", point, false
	}
	if point.throughput, known = results.MetricOf(row, "tput_per_gpu"); !known {
		return "", point, false
	}
	parts := []string{text("framework"), spec, text("precision"), text("disagg"), text("is_multinode"), text("kv_offloading")}
	return strings.Join(parts, "|"), point, true
}

// frontier keeps the points that no other beats in both, by rising
// interactivity.
func frontier(points []reading) []reading {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.interactivity, a.interactivity), cmp.Compare(b.throughput, a.throughput))
	})
	var out []reading
	for _, p := range sorted {
		if len(out) == 0 || p.throughput > out[len(out)-1].throughput {
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

// interpolate is the throughput at an interactivity within the span of a curve.
func interpolate(curve []reading, at float64) (float64, bool) {
	for i, p := range curve {
		switch {
		case p.interactivity == at:
			return p.throughput, true
		case p.interactivity > at && i == 0:
			return 0, false
		case p.interactivity > at:
			q := curve[i-1]
			share := (at - q.interactivity) / (p.interactivity - q.interactivity)
			return q.throughput + share*(p.throughput-q.throughput), true
		}
	}
	return 0, false
}

// thousands is a rounded number with separators.
func thousands(x float64) string {
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
