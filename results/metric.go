package results

import (
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
