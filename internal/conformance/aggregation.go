package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/document"
)

// aggregate answers the cases of the kind aggregation.
func aggregate(c ResultCase, rules results.Rules) (map[string]any, error) {
	shapes := map[string]func(ResultInput, results.Rules) (map[string]any, error){
		"fixed-row":          fixedRow,
		"multinode-batch":    batch,
		"agentic-metrics":    agenticMetrics,
		"eval-rows":          evalRows,
		"collect-benchmarks": collectBenchmarks,
		"run-stats":          runStats,
		"compare":            compareRow,
	}
	shape := shapes[c.What]
	if shape == nil {
		return nil, errors.New("no shape " + c.What)
	}
	return shape(c.Input, rules)
}

// raw parses a member as hostile data, numbers that are none included.
func raw(data []byte) (ordjson.Value, error) {
	if len(data) == 0 {
		return ordjson.Map(), nil
	}
	return document.Parse(data, document.Options{NonFinite: true})
}

func fixedRow(in ResultInput, rules results.Rules) (map[string]any, error) {
	benchmark, err := raw(in.Benchmark)
	if err != nil {
		return nil, err
	}
	built, list := results.BuildFixedRow(in.Env, benchmark, rules)
	if list.Refused() {
		return map[string]any{"error": true}, nil
	}
	return map[string]any{"file": built.File, "row": value(built.Row)}, nil
}

func batch(in ResultInput, rules results.Rules) (map[string]any, error) {
	var files []results.RawFile
	for name, data := range in.Files {
		files = append(files, results.RawFile{Name: name, Data: data})
	}
	b := results.BuildBatch(in.Env, files, rules)
	rows := make(map[string]any)
	for _, built := range b.Rows {
		rows[built.File] = value(built.Row)
	}
	return map[string]any{"summary": value(b.Summary()), "rows": rows}, nil
}

func agenticMetrics(in ResultInput, _ results.Rules) (map[string]any, error) {
	var lines bytes.Buffer
	for _, record := range in.Records {
		if err := json.Compact(&lines, record); err != nil {
			return nil, err
		}
		lines.WriteByte('\n')
	}
	requests, err := results.ReadRequests(&lines)
	if err != nil {
		return nil, err
	}
	summary, err := raw(in.Aggregate)
	if err != nil {
		return nil, err
	}
	return map[string]any{"request_accounting": value(requests.Accounting()), "request_metrics": value(requests.Metrics(0, summary))}, nil
}

func evalRows(in ResultInput, rules results.Rules) (map[string]any, error) {
	files, err := content(in.Tree)
	if err != nil {
		return nil, err
	}
	made, _, err := results.EvalRows(files, rules)
	rows := []any{}
	for _, row := range made {
		rows = append(rows, value(row))
	}
	return map[string]any{"rows": rows}, err
}

func collectBenchmarks(in ResultInput, rules results.Rules) (map[string]any, error) {
	var entries []TreeEntry
	for name, data := range in.Files {
		entries = append(entries, TreeEntry{Path: path.Clean(name), JSON: data})
	}
	files, err := content(entries)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	collected, err := results.CollectBenchmarks(files, &file, rules)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"accepted": texts(collected.Accepted), "exit": float64(0)}
	if collected.Failed() {
		out["exit"] = float64(1)
	}
	rejected := []any{}
	for _, r := range collected.Rejected {
		var fields []any
		for _, p := range r.Problems {
			fields = append(fields, p.Field)
		}
		rejected = append(rejected, map[string]any{"source": r.Source, "fields": fields})
	}
	out["rejected"] = rejected
	var rows []any
	if err := json.Unmarshal(file.Bytes(), &rows); err != nil || len(rows) != len(collected.Accepted) {
		return nil, errors.Join(err, errors.New("the file does not hold the accepted rows"))
	}
	return out, nil
}

func runStats(in ResultInput, _ results.Rules) (map[string]any, error) {
	var jobs []results.JobOutcome
	for _, j := range in.Jobs {
		jobs = append(jobs, results.JobOutcome{Name: j.Name, Conclusion: j.Conclusion})
	}
	stats, _ := value(results.RunStatsDocument(results.CountSuccess(in.Clusters, jobs))).(map[string]any)
	return stats, nil
}

func compareRow(in ResultInput, _ results.Rules) (map[string]any, error) {
	row, err := raw(in.Row)
	if err != nil {
		return nil, err
	}
	baseline, err := raw(in.Baseline)
	if err != nil {
		return nil, err
	}
	metrics := []any{}
	for _, change := range results.Compare(row, baseline) {
		item := map[string]any{"metric": change.Metric.Name, "value": change.Value, "delta": nil}
		if change.Direction != results.Unknown {
			item["delta"], item["percent"], item["direction"] = change.Delta, change.Percent, string(change.Direction)
		}
		metrics = append(metrics, item)
	}
	return map[string]any{"lookup": value(results.BaselineKey(row)), "metrics": metrics}, nil
}
