package report

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/failure"
)

// Input is what a report is made from.
type Input struct {
	// Run may be nil for results of unknown origin.
	Run     *Run
	Harvest results.Harvest
	// Plan are the planned points; with HasPlan false they are not known.
	Plan    []PlannedPoint
	HasPlan bool
	// Jobs are those of all attempts, Clusters their success by cluster.
	Jobs     []results.Job
	Clusters []results.ClusterSuccess
	Bars     results.Thresholds
	// Baseline are the newest results of the default branch, nil for none.
	Baseline *Baseline
	// Noise is results.DefaultNoise when zero.
	Noise  results.Noise
	Curves results.CurveOptions
	// Rerun are the bounds of automatic re-runs, off or on; nil says nothing
	// about them. The run is taken for the one that counts.
	Rerun *failure.Policy
	// Findings are remarks on what was read besides the artifacts.
	Findings diag.List
}

// Baseline are results to compare with, the oldest first.
type Baseline struct {
	// Source says where they come from, for people.
	Source string
	Rows   []results.Row
	Evals  []results.EvalRow
}

// PlannedPoint is a planned point with what the plan document says about it.
type PlannedPoint struct {
	results.Planned
	// PlanID and Key are the id of the plan's row and its config key.
	PlanID, Key string
	Canary      bool
	// Place is the line of the config, nil where the plan does not say it.
	Place *Place
	// Row is the row of the plan.
	Row ordjson.Value
	// Serve are the commands that serve the point, where they are known.
	Serve []Command
}

// ReadPlan lists the points of a plan document (docs/schema/plan.schema.json),
// and warns of a partial plan: what its run measured is not all that the change
// asks for. Whether the document is whole and unchanged is for its owner to check.
func ReadPlan(doc ordjson.Value) ([]PlannedPoint, diag.List) {
	var out []PlannedPoint
	list := partialOf(doc)
	canary, _ := document.Text(member(doc, "canary", "point"))
	for _, f := range member(doc, "families").Items {
		job, prefix := member(f, "job").Text, member(f, "prefix").Text
		for _, p := range member(f, "points").Items {
			row := member(p, "row")
			points, findings := results.PlannedRow(row, job, prefix)
			list = append(list, findings...)
			id, _ := document.Text(member(p, "id"))
			key, _ := document.Text(member(p, "key"))
			for _, planned := range points {
				out = append(out, PlannedPoint{
					Planned: planned, PlanID: id, Key: key, Row: row, Place: placeOf(p),
					Canary: id != "" && id == canary && !planned.Eval,
				})
			}
		}
	}
	return out, list
}

// partialOf is the warning of a partial plan.
func partialOf(doc ordjson.Value) diag.List {
	partial, ok := doc.Get("partial")
	if !ok || document.IsNull(partial) {
		return nil
	}
	since, _ := document.Text(member(partial, "since"))
	args := []string{"current", diag.Printable(member(partial, "current").Text), "since", diag.Cut(diag.Printable(since), 12)}
	if run := member(partial, "run").Text; run != "" {
		return diag.List{diag.New("results.partial-run", diag.Place{}, append(args, "run", diag.Printable(run))...).WithSeverity(diag.Warning)}
	}
	return diag.List{diag.New("results.partial", diag.Place{}, args...).WithSeverity(diag.Warning)}
}

// placeOf reads the place of a point, file:line:column.
func placeOf(point ordjson.Value) *Place {
	text, _ := document.Text(member(point, "source"))
	file, line := cutNumber(text)
	if other, first := cutNumber(file); first > 0 {
		file, line = other, first
	}
	if file == "" || line < 1 {
		return nil
	}
	return &Place{File: diag.Printable(file), Line: line}
}

// cutNumber cuts ":number" off the end of a text.
func cutNumber(text string) (string, int) {
	i := strings.LastIndexByte(text, ':')
	n, err := strconv.Atoi(text[i+1:])
	if i < 0 || err != nil {
		return text, 0
	}
	return text[:i], n
}

// settings lists the members of a plan row, nested ones by their path.
func settings(row ordjson.Value) []Setting {
	var out []Setting
	for _, m := range row.Members {
		out = appendSetting(out, m.Name, m.Value)
	}
	return out
}

func appendSetting(out []Setting, name string, v ordjson.Value) []Setting {
	switch {
	case document.IsNull(v):
		return out
	case v.Kind == ordjson.Object:
		for _, m := range v.Members {
			out = appendSetting(out, name+"."+m.Name, m.Value)
		}
		return out
	case v.Kind == ordjson.Array:
		words := make([]string, len(v.Items))
		for i, item := range v.Items {
			words[i] = item.Text
			if item.Kind == ordjson.Object || item.Kind == ordjson.Array {
				words[i] = item.String()
			}
		}
		return append(out, Setting{name, strings.Join(words, " ")})
	}
	return append(out, Setting{name, v.Text})
}

// member follows a path of object members; a missing one gives the zero Value.
func member(v ordjson.Value, path ...string) ordjson.Value {
	for _, name := range path {
		v, _ = v.Get(name)
	}
	return v
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
