package results

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/results/document"
)

// Planned is one point that a sweep is to measure or to evaluate.
type Planned struct {
	Point Point
	// Family is the id of the job family, Prefix the display prefix of its jobs.
	Family, Prefix string
	// Eval says that a score is wanted, for Suite where one is named; otherwise
	// a row is.
	Eval  bool
	Suite string
	// Image and Fingerprint are what the plan would serve.
	Image, Fingerprint string
	// Title is the title of the job without priority (spec/labels-and-sweeps.md
	// section 9.3); the points of one multi-node row share it.
	Title string
	// Artifact is what the name of the point's artifact begins with, up to the
	// physical runner; "" for evals.
	Artifact string
}

// PlannedPoints lists the points of job families: one for each concurrency of a
// row, and for eval rows those that are evaluated.
func PlannedPoints(families []matrix.Family) ([]Planned, diag.List) {
	var out []Planned
	var list diag.List
	for _, f := range families {
		for _, r := range f.Rows {
			points, findings := PlannedRow(r.Document(), f.Job, f.Prefix)
			out, list = append(out, points...), append(list, findings...)
		}
	}
	return out, list
}

// PlannedRow lists the points of one row of a plan document (spec/matrix.md
// section 13).
func PlannedRow(row ordjson.Value, family, prefix string) ([]Planned, diag.List) {
	p := Planned{Point: plannedPoint(row), Family: family, Prefix: prefix, Image: at(row, "image").Text}
	p.Fingerprint, _ = document.Text(at(row, "recipe-fingerprint"))
	concs, ok := plannedConcs(row)
	if !ok || p.Point.Hardware == "" || p.Point.Prefix == "" {
		return nil, diag.List{diag.New("results.planned-row", diag.Place{}, "row", shown(row))}
	}
	evalOnly, _ := document.Bool(at(row, "eval-only"))
	runEval, _ := document.Bool(at(row, "run-eval"))
	p.Title = title(row, p.Point, concs, evalOnly, runEval)
	p.Artifact = artifactPrefix(row, p.Point, concs)
	var out []Planned
	if !evalOnly {
		for _, conc := range concs {
			q := p
			q.Point.Conc = conc
			out = append(out, q)
		}
	}
	if evalOnly || runEval {
		for _, conc := range evalConcs(row, concs) {
			q := p
			q.Point.Conc, q.Eval, q.Artifact = conc, true, ""
			q.Suite, _ = document.Text(at(row, "eval-suite"))
			out = append(out, q)
		}
	}
	return out, nil
}

// artifactPrefix is the name of the point's artifact up to the physical runner
// (spec/results.md sections 1 and 2).
func artifactPrefix(row ordjson.Value, p Point, concs []int64) string {
	name := PointName{
		Experiment: at(row, "exp-name").Text, Precision: at(row, "precision").Text, Framework: at(row, "framework").Text,
		Spec: at(row, "spec-decoding").Text, Multinode: p.Multinode, Layout: p.Layout, Conc: concs,
	}
	name.Disagg, _ = document.Bool(at(row, "disagg"))
	if p.Multinode {
		name.Prefill, name.Decode = plannedRole(at(row, "prefill")), plannedRole(at(row, "decode"))
	}
	if p.Scenario == Agentic {
		return "bmk_agentic_" + name.String()
	}
	return "bmk_" + name.String()
}

// plannedPoint reads everything but the concurrency.
func plannedPoint(row ordjson.Value) Point {
	m := meta{row}
	p := Point{
		Scenario: FixedSequence, Hardware: hardwareLabel(m.text("runner", "")), Prefix: lower(m.text("model-prefix", "")),
		Framework: lower(m.text("framework", "")), Precision: lower(m.text("precision", "")), Spec: lower(m.text("spec-decoding", "none")),
		ISL: m.integer("isl", 0), OSL: m.integer("osl", 0),
	}
	p.Disagg, _ = document.Bool(at(row, "disagg"))
	if m.text("scenario-type", "") == string(Agentic) {
		p.Scenario = Agentic
		p.Offload = plannedOffload(row)
	}
	prefill, multi := row.Get("prefill")
	if !multi {
		p.Layout = plannedRole(row)
		p.Layout.Workers = 0
		return p
	}
	p.Multinode = true
	p.Prefill, p.Decode = plannedRole(prefill), plannedRole(at(row, "decode"))
	p.normalise()
	return p
}

func plannedRole(v ordjson.Value) Role {
	m := meta{v}
	return Role{
		TP: m.integer("tp", 0), PP: m.integer("pp", 1), DCP: m.integer("dcp-size", 1), PCP: m.integer("pcp-size", 1),
		EP: m.integer("ep", 1), DPAttention: looseBool(at(v, "dp-attn")), Workers: m.integer("num-worker", 0),
	}
}

func plannedOffload(row ordjson.Value) string {
	return offloadName(ordjson.Map(
		ordjson.Member{Name: "kv_offloading", Value: at(row, "kv-offloading")},
		ordjson.Member{Name: "kv_offload_backend", Value: at(row, "kv-offload-backend")}))
}

func plannedConcs(row ordjson.Value) ([]int64, bool) {
	v, _ := row.Get("conc")
	if n, ok := document.Int(v); ok {
		return []int64{n}, n > 0
	}
	concs, ok := concList(v)
	return concs, ok && len(concs) > 0
}

// evalConcs are the concurrencies of a row that are evaluated: all of them, the
// named one, or the highest (spec/labels-and-sweeps.md sections 8.1 and 9.5).
func evalConcs(row ordjson.Value, concs []int64) []int64 {
	if all, _ := document.Bool(at(row, "eval-all-concs")); all {
		return concs
	}
	if n, ok := document.Int(at(row, "eval-conc")); ok {
		return []int64{n}
	}
	return unique(concs)[len(unique(concs))-1:]
}

// shortFrameworks are the frameworks that titles shorten.
var shortFrameworks = map[string]string{"sglang": "sgl", "dynamo-sglang": "dyn-sgl", "sglang-disagg": "sgl-disagg"}

// title is the title of a row's job behind its priority.
func title(row ordjson.Value, p Point, concs []int64, evalOnly, runEval bool) string {
	framework := at(row, "framework").Text
	if short, ok := shortFrameworks[framework]; ok {
		framework = short
	}
	parts := []string{at(row, "model-prefix").Text, at(row, "precision").Text, at(row, "runner").Text, framework}
	parts = append(parts, titleTopology(row, p)...)
	if spec, _ := document.Text(at(row, "spec-decoding")); spec != "none" {
		parts = append(parts, spec)
	}
	if mode, _ := document.Text(at(row, "kv-offloading")); mode != "" && mode != "none" {
		parts = append(parts, mode+" KV offload")
	}
	if name, _ := document.Text(at(row, "kv-offload-backend", "name")); name != "none" && name != "default" {
		parts = append(parts, name)
	}
	parts = append(parts, "c"+joinInts(concs, "x"))
	out := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	switch {
	case evalOnly:
		out += " | eval-only"
	case runEval:
		out += " | eval"
	}
	return out
}

func titleTopology(row ordjson.Value, p Point) []string {
	if !p.Multinode {
		return []string{p.Layout.short()}
	}
	prefill := plannedRole(at(row, "prefill"))
	if disagg, _ := document.Bool(at(row, "disagg")); !disagg {
		return []string{"(" + prefill.short() + ")"}
	}
	decode := plannedRole(at(row, "decode"))
	return []string{
		fmt.Sprintf("%dP (%s)", prefill.Workers, prefill.short()),
		fmt.Sprintf("x %dD (%s)", decode.Workers, decode.short()),
	}
}
