package report

import (
	"encoding/json"
	"io"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/pareto"
)

const recommended = pareto.Recommended

// WriteJSON writes report.json.
func (r Report) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(r)
}

// MaxBytes bounds a report.json that is read.
const MaxBytes = 256 << 20

// Read reads a report.json of this version. Members that it does not know are
// passed over: they are only added within a version.
func Read(file string, data []byte) (Report, diag.List) {
	refuse := func(detail string) (Report, diag.List) {
		return Report{}, diag.List{diag.New("results.report-unreadable", diag.Place{File: file}, "detail", detail)}
	}
	if len(data) > MaxBytes {
		return refuse("it is larger than 256 MiB")
	}
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return refuse(err.Error())
	}
	if head.Version == nil || *head.Version != Version {
		return refuse("it is no report of version 1")
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return refuse(err.Error())
	}
	return r, nil
}

// Baseline are the results of the report that passed, for another report to
// compare with. What is no sound row is a finding.
func (r Report) Baseline(source string, rules results.Rules) (Baseline, diag.List) {
	out := Baseline{Source: source}
	var list diag.List
	out.Rows, list = r.rows(rules, func(p Point) bool { return p.State == results.Passed })
	for _, p := range r.Points {
		for _, s := range p.Scores {
			doc, err := document.Parse(s.Row, document.Options{})
			if err != nil {
				continue // a report by hand, without rows
			}
			row, findings := results.ReadEvalRow(p.Artifact, doc, ordjson.Value{}, rules)
			list = append(list, findings...)
			if !findings.Refused() {
				out.Evals = append(out.Evals, row)
			}
		}
	}
	return out, list
}

// rows are the rows of the points that are wanted.
func (r Report) rows(rules results.Rules, wanted func(Point) bool) ([]results.Row, diag.List) {
	var out []results.Row
	var list diag.List
	for _, p := range r.Points {
		if p.Kind != Throughput || p.Row == nil || !wanted(p) {
			continue
		}
		doc, err := document.Parse(p.Row, document.Options{})
		if err != nil {
			continue
		}
		row, findings := results.ReadRow(p.Artifact, doc, rules)
		list = append(list, findings...)
		if !findings.Refused() {
			out = append(out, row)
		}
	}
	return out, list
}
