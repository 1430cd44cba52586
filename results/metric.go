package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

func compareText(a, b string) int { return strings.Compare(a, b) }

// MetricOf returns a measured value of a row under its flat name, whatever the
// row's shape: agentic rows nest what fixed-sequence rows hold flat
// (spec/results.md section 4.3). Times are in seconds, throughput in
// tokens/s/GPU, interactivity in tokens/s/user. Values that are not finite are
// no values.
func MetricOf(row ordjson.Value, name string) (float64, bool) {
	if v, ok := row.Get(name); ok {
		return document.Finite(v)
	}
	return nestedMetric(row, name)
}

var nestedPaths = map[string][]string{
	"tput_per_gpu":              {"request_metrics", "throughput", "per_gpu", "total_tput_tps"},
	"output_tput_per_gpu":       {"request_metrics", "throughput", "per_gpu", "output_tput_tps"},
	"input_tput_per_gpu":        {"request_metrics", "throughput", "per_gpu", "input_tput_tps"},
	"server_gpu_cache_hit_rate": {"server_metrics", "cache", "gpu_cache_hit_rate"},
	"mean_qps":                  {"request_metrics", "qps", "mean"},
}

// nestedMetric finds a value of an agentic row: p90_e2el is the p90 of latency
// e2el, median_ttft its p50.
func nestedMetric(row ordjson.Value, name string) (float64, bool) {
	if path, ok := nestedPaths[name]; ok {
		return document.Finite(at(row, path...))
	}
	statistic, metric, ok := strings.Cut(name, "_")
	if !ok {
		return 0, false
	}
	if statistic == "median" {
		statistic = "p50"
	}
	return document.Finite(at(row, "request_metrics", "latency", metric, statistic))
}

// at follows a path of object members; a missing one gives the zero Value, which
// is no number, text or object.
func at(v ordjson.Value, path ...string) ordjson.Value {
	for _, name := range path {
		v, _ = v.Get(name)
	}
	return v
}

// flatFamilies are the endings of the metrics that rows hold flat.
var flatFamilies = []string{"_ttft", "_tpot", "_itl", "_e2el", "_intvty", "_per_gpu", "_power_w", "_energy_j", "_token", "_query"}

// Metrics returns every measured value of the row under its flat name, in the
// units of MetricOf. The p50 of an agentic row is named median.
func (r Row) Metrics() map[string]float64 {
	doc := r.Document()
	out := make(map[string]float64)
	for _, m := range doc.Members {
		if f, ok := document.Finite(m.Value); ok && hasAnySuffix(m.Name, flatFamilies) {
			out[m.Name] = f
		}
	}
	for name := range nestedPaths {
		if f, ok := nestedMetric(doc, name); ok {
			out[name] = f
		}
	}
	for _, metric := range at(doc, "request_metrics", "latency").Members {
		for _, statistic := range metric.Value.Members {
			name := statistic.Name
			if name == "p50" {
				name = "median"
			}
			if f, ok := document.Finite(statistic.Value); ok {
				out[name+"_"+metric.Name] = f
			}
		}
	}
	return out
}

func hasAnySuffix(text string, suffixes []string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(text, s) })
}
