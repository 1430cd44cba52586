package results

import (
	"bytes"
	"math"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// EvalRow is the result of one task at one point.
type EvalRow struct {
	// Source is artifact and file of the row, Result the chosen result file.
	Source, Result string
	// Point is the point that served. Its scenario is agentic where no lengths
	// are recorded.
	Point       Point
	Task, Suite string
	Image       string
	// HasSuite, HasImage and HasOffload say what the row records at all; older
	// ones don't.
	HasSuite, HasImage, HasOffload bool
	Identity                       Identity
	// Score is from 0 to 1, NaN without a score; StdErr is NaN where unknown.
	Score, StdErr float64
	ScoreName     string
	// Strict and Flexible are NaN where the task has no such metric.
	Strict, Flexible float64
	// Samples is the effective number, 0 where not recorded.
	Samples float64
	// Broken is the type of the integration error, "" for a sound eval.
	Broken string

	encoded []byte
}

// Document is the row as eval collectors write it.
func (r EvalRow) Document() ordjson.Value {
	v, err := document.Parse(r.encoded, document.Options{})
	if err != nil {
		return ordjson.Map() // encoded was parsed before, so this can't happen
	}
	return v
}

// evalFields is the contract of eval rows (spec/results.md section 8.2).
func evalFields() []field {
	score := orNull(unitNumber)
	stdErr := orNull(stdErrShape)
	return join(
		each(aText, "model_prefix", "model", "hw", "framework", "precision", "spec_decoding"),
		each(nonNegative, "isl", "osl", "tp", "ep", "prefill_tp", "prefill_ep", "prefill_num_workers", "decode_tp", "decode_ep", "decode_num_workers"),
		each(aText, "dp_attention", "prefill_dp_attention", "decode_dp_attention"),
		each(score, "em_strict", "em_flexible", "score"), each(stdErr, "em_strict_se", "em_flexible_se", "score_se"),
		[]field{
			need("is_multinode", aBool), need("conc", positive), need("task", someText), need("source", someText),
			need("n_eff", orNull(nonNegativeNumber)), need("score_name", orNull(oneOf("em_strict", "accuracy", "em_flexible"))),
			may("infrastructure_success", aBool), may("integration_error", orNull(anObject)), may("eval_suite", someText),
			may("image", aText), may("kv_offloading", aText), may("kv_offload_backend", orNull(componentVersion)), may("disagg", aBool),
		},
		optional(each(nonNegative, "num_gpus", "num_prefill_gpu", "num_decode_gpu", "pp", "dcp_size", "pcp_size",
			"prefill_pp", "prefill_dcp_size", "prefill_pcp_size", "decode_pp", "decode_dcp_size", "decode_pcp_size")),
	)
}

func optional(fields []field) []field {
	for i := range fields {
		fields[i].optional = true
	}
	return fields
}

func unitNumber(v ordjson.Value) (kind, text string) {
	if kind, text := aNumber(v); kind != "" {
		return kind, text
	}
	if !isScore(v) {
		return problemAtMost, "must be from 0 to 1"
	}
	return "", ""
}

func nonNegativeNumber(v ordjson.Value) (kind, text string) {
	if kind, text := aNumber(v); kind != "" {
		return kind, text
	}
	if f, _ := document.Finite(v); f < 0 {
		return problemAtLeast, "must be at least 0"
	}
	return "", ""
}

// stdErrShape is a number or the text N/A.
func stdErrShape(v ordjson.Value) (kind, text string) {
	if v.Kind == ordjson.String && v.Text == NotAvailable {
		return "", ""
	}
	return nonNegativeNumber(v)
}

// CheckEvalRow holds an eval row against its contract.
func CheckEvalRow(v ordjson.Value) []Problem {
	if v.Kind != ordjson.Object {
		return []Problem{{Type: problemObject, Field: "row", Text: "must be an object"}}
	}
	return checkFields(v, "", evalFields(), nil)
}

// ReadEvalRow reads an eval row, tolerant of fields that are not known. Layout
// is the metadata of the job, which knows more about the point than the row;
// the zero Value when only the row is at hand.
func ReadEvalRow(source string, v, layout ordjson.Value, rules Rules) (EvalRow, diag.List) {
	if problems := tolerated(v, CheckEvalRow(v)); len(problems) > 0 {
		return EvalRow{}, diag.List{problemFinding(source, problems)}
	}
	if layout.Kind != ordjson.Object {
		layout = v
	}
	r := EvalRow{Source: source, Result: at(v, "source").Text, Point: evalPoint(v, layout), Task: at(v, "task").Text}
	r.Suite, r.HasSuite = document.Text(at(v, "eval_suite"))
	r.Image, r.HasImage = document.Text(at(v, "image"))
	_, r.HasOffload = v.Get("kv_offloading")
	if r.HasOffload {
		r.Point.Offload = offloadName(v)
	}
	r.Identity = EvalIdentity(v, rules)
	r.Score, r.StdErr = numberOrNaN(v, "score"), numberOrNaN(v, "score_se")
	r.Strict, r.Flexible = numberOrNaN(v, "em_strict"), numberOrNaN(v, "em_flexible")
	r.ScoreName, _ = document.Text(at(v, "score_name"))
	if n := numberOrNaN(v, "n_eff"); !math.IsNaN(n) {
		r.Samples = n
	}
	if sound, ok := document.Bool(at(v, "infrastructure_success")); ok && !sound {
		r.Broken, _ = document.Text(at(v, "integration_error", "type"))
		if r.Broken == "" {
			r.Broken = "IntegrationError"
		}
	}
	r.encoded = bytes.Clone(v.Append(nil, ordjson.Compact))
	return r, nil
}

func numberOrNaN(v ordjson.Value, name string) float64 {
	if f, ok := document.Finite(at(v, name)); ok {
		return f
	}
	return math.NaN()
}

// evalPoint is the point that an eval ran on: sizes from the metadata, all else
// from the row.
func evalPoint(row, layout ordjson.Value) Point {
	m := meta{row}
	p := Point{
		Scenario: FixedSequence, Hardware: hardwareLabel(m.text("hw", "")), Prefix: lower(m.text("model_prefix", "")),
		Framework: lower(m.text("framework", "")), Precision: lower(m.text("precision", "")), Spec: lower(m.text("spec_decoding", "none")),
		Multinode: looseBool(at(row, "is_multinode")),
		ISL:       m.integer("isl", 0), OSL: m.integer("osl", 0), Conc: m.integer("conc", 0),
	}
	if p.ISL == 0 && p.OSL == 0 {
		p.Scenario = Agentic
	}
	l := meta{layout}
	if !p.Multinode {
		p.Layout = l.exactRole("")
		p.Layout.Workers = 0
		return p
	}
	p.Prefill, p.Decode = l.exactRole("prefill_"), l.exactRole("decode_")
	p.Disagg = p.Decode.Workers > 0
	p.normalise()
	return p
}

// Scored reports whether the row holds a sound score over a known number of
// samples.
func (r EvalRow) Scored() bool { return r.Broken == "" && !math.IsNaN(r.Score) && r.Samples > 0 }

// Reaches reports whether every metric of the row reaches a bar: strict and
// flexible both, where the task has them. Equal passes.
func (r EvalRow) Reaches(bar Bar) bool {
	if math.IsNaN(r.Strict) && math.IsNaN(r.Flexible) {
		return r.Score >= bar.Minimum
	}
	reaches := func(f float64) bool { return math.IsNaN(f) || f >= bar.Minimum }
	return reaches(r.Strict) && reaches(r.Flexible)
}
