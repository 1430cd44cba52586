package localrun

import (
	"errors"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// rules are the rules for results of a contract.
func (c Contract) rules() results.Rules {
	r := results.Newest()
	if !c.Batch {
		r.AggregateWorkers, r.CheckedBatch, r.OmitBadInteractivity, r.Outcome = false, false, false, false
	}
	if !c.Suites {
		r.BrokenEvals, r.DeclaredMetrics = false, false
	}
	return r
}

// variables are the environment of a point as rows are built from it.
func (p *Point) variables() results.Environment {
	out := make(results.Environment, len(p.Env))
	for _, v := range p.Env {
		out[v.Name] = v.Value
	}
	return out
}

// singleFixed builds the row of a single-node point. It is written although too
// many requests failed: it is evidence.
func (j *judge) singleFixed() error {
	raw, err := j.document(j.point.ResultName + ".json")
	if err != nil {
		return err
	}
	built, list := results.BuildFixedRow(j.point.variables(), raw, j.contract.rules())
	if f := list.First(); f != nil {
		return *f
	}
	if err := errors.Join(j.writeRow(built), j.sound(built)); err != nil {
		return firstFinding(err)
	}
	return completed(raw, built.Failed)
}

// sound refuses a row that no measurement can give, as whoever reads it will.
func (j *judge) sound(built results.Built) error {
	_, list := results.ReadRow(built.File, built.Row, j.contract.rules())
	if f := list.First(); f != nil {
		return *f
	}
	return nil
}

// completed refuses a raw result that completed nothing (known failure F45), and
// one of which too many requests failed.
func completed(raw ordjson.Value, failed bool) error {
	if n, ok := number(block(raw, "completed")); ok && n <= 0 {
		return diag.New("localrun.nothing-completed", diag.Place{}, "requested", shown(block(raw, "num_prompts")))
	}
	if failed {
		outcome := block(raw, "benchmark_outcome")
		return diag.New("localrun.requests-failed", diag.Place{}, "failed", shown(block(outcome, "failed")), "requested", shown(block(outcome, "requested")))
	}
	return nil
}

// multiFixed builds the rows of all files of a multi-node point. What is good is
// written, whatever else is wrong.
func (j *judge) multiFixed() error {
	files, err := j.rawFiles(literally(j.point.ResultName) + "_*.json")
	if err != nil {
		return err
	}
	b := results.BuildBatch(j.point.variables(), files, j.contract.rules())
	for _, row := range b.Rows {
		err = errors.Join(err, j.writeRow(row), j.sound(row))
	}
	return firstFinding(errors.Join(batchError(b, j.point.ResultName), err))
}

// batchError is the first reason for a batch to fail: a file, or a concurrency
// that is missing or was not asked for.
func batchError(b results.Batch, name string) error {
	if f := b.Findings.First(); f != nil {
		return *f
	}
	for _, p := range b.Points {
		if p.Failure == "" {
			continue
		}
		if f := p.Findings.First(); f != nil {
			f.File = p.Source
			return *f
		}
		return diag.New("localrun.batch-file", diag.Place{File: p.Source}, "why", p.Failure)
	}
	switch {
	case len(b.Missing)+len(b.Unexpected) > 0:
		return diag.New("localrun.batch-set", diag.Place{}, "missing", numbers(b.Missing), "unexpected", numbers(b.Unexpected))
	case len(b.Rows) == 0:
		return diag.New("localrun.no-results", diag.Place{}, "name", name)
	}
	return nil
}

// numbers joins numbers for a message.
func numbers(list []int64) string {
	if len(list) == 0 {
		return "none"
	}
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = itoa(int(n))
	}
	return strings.Join(texts, ", ")
}

// rawFiles reads the files of a pattern.
func (j *judge) rawFiles(pattern string) ([]results.RawFile, error) {
	names, err := glob(j.root, pattern)
	if err != nil {
		return nil, err
	}
	var out []results.RawFile
	for _, name := range names {
		data, err := readRegular(j.root, name, maxResultBytes)
		if err != nil {
			return nil, err
		}
		out = append(out, results.RawFile{Name: name, Data: data})
	}
	return out, nil
}

// failedRequests is the largest share of failed requests of a single-node
// agentic point, AIPERF_FAILED_REQUEST_THRESHOLD.
const failedRequests = 0.10

// agenticGate is the publication gate of a single-node agentic point
// (spec/results.md section 4.4).
func agenticGate(aggregate ordjson.Value) error {
	if f := results.AgenticGate(aggregate, failedRequests).First(); f != nil {
		return *f
	}
	return nil
}

// scores judges every eval result of a point. All that fails is looked at; the
// first thing is returned.
func (j *judge) scores() error {
	files, err := j.rawFiles("results*.json")
	if err != nil {
		return err
	}
	in := results.EvalInput{Results: files, Prefix: text(j.point.Row, "model-prefix")}
	if want := strings.Join(strings.Fields(j.point.Env.Get("EVAL_CONC")), " "); j.point.Multinode && strings.Contains(want, " ") {
		in.ExpectedConcs = &want
	}
	if meta, err := readRegular(j.root, metaFile, maxResultBytes); err == nil {
		in.Meta = meta
	}
	judged := results.JudgeEval(in, j.bars, j.contract.rules())
	for _, f := range judged.Failures {
		return f.Finding(metaFile)
	}
	for _, c := range judged.Checks {
		if !c.Pass {
			return diag.New("localrun.eval-score", diag.Place{}, "task", c.Task, "metric", c.Metric, "value", decimal(c.Value), "bar", decimal(c.Bar.Minimum))
		}
	}
	return nil
}

// firstFinding is the first finding of joined errors.
func firstFinding(err error) error {
	var f diag.Finding
	if errors.As(err, &f) {
		return f
	}
	return err
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// placed gives a finding without a place the name of its file.
func placed(err error, file string) error {
	if f, ok := err.(diag.Finding); ok && f.File == "" {
		f.File = file
		return f
	}
	return err
}
