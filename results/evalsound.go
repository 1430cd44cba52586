package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Reasons for which a raw eval result can't be reused (spec/results.md section
// 6.6). Three names are fixed, the others follow their manner.
const (
	reasonNoObject     = "not-object"
	reasonIntegration  = "integration-error"
	reasonNoMarker     = "marker-missing"
	reasonNoResults    = "results-missing"
	reasonConfigs      = "configs-invalid"
	reasonSamples      = "samples-invalid"
	reasonTaskName     = "task-name-empty"
	reasonTask         = "task-results-invalid"
	reasonTaskConfig   = "task-config-invalid"
	reasonMetric       = "metric-invalid"
	reasonFilter       = "filter-invalid"
	reasonMetricAbsent = "metric-missing"
	reasonScore        = "invalid-score"
	reasonCount        = "invalid-effective-count"
)

// unsound returns why a raw result can't be reused, "" when it can.
func unsound(doc ordjson.Value, rules Rules) string {
	if doc.Kind != ordjson.Object {
		return reasonNoObject
	}
	if _, ok := doc.Get("integration_error"); ok {
		return reasonIntegration
	}
	if !recognised(doc, rules) {
		return reasonNoMarker
	}
	tasks, _ := doc.Get("results")
	if tasks.Kind != ordjson.Object || len(tasks.Members) == 0 {
		return reasonNoResults
	}
	if configs, ok := doc.Get("configs"); !ok || configs.Kind != ordjson.Object {
		return reasonConfigs
	}
	if samples, ok := doc.Get("n-samples"); ok && samples.Kind != ordjson.Object {
		return reasonSamples
	}
	for _, task := range tasks.Members {
		if reason := unsoundTask(doc, task); reason != "" {
			return reason
		}
	}
	return ""
}

func unsoundTask(doc ordjson.Value, task ordjson.Member) string {
	switch {
	case strings.TrimSpace(task.Name) == "":
		return reasonTaskName
	case task.Value.Kind != ordjson.Object || len(task.Value.Members) == 0:
		return reasonTask
	}
	config := at(doc, "configs", task.Name)
	if reason := unsoundConfig(config); reason != "" {
		return reason
	}
	names := primaryNames(task.Value, config)
	for _, name := range names {
		if _, ok := task.Value.Get(name); !ok {
			return reasonMetricAbsent
		}
	}
	for _, name := range names {
		if !isScore(at(task.Value, name)) {
			return reasonScore
		}
	}
	if !isCount(at(doc, "n-samples", task.Name, "effective")) {
		return reasonCount
	}
	return ""
}

// unsoundConfig holds the declared metrics and filters of a task against their
// shape. A task without configuration is judged by the defaults.
func unsoundConfig(config ordjson.Value) string {
	if config.Kind == ordjson.Literal && config.Text == "" {
		return ""
	}
	if config.Kind != ordjson.Object {
		return reasonTaskConfig
	}
	metrics, hasMetrics := config.Get("metric_list")
	filterList, hasFilters := config.Get("filter_list")
	if hasMetrics && metrics.Kind != ordjson.Array || hasFilters && filterList.Kind != ordjson.Array {
		return reasonTaskConfig
	}
	if len(metrics.Items) > 0 {
		if name, ok := document.Text(at(metrics.Items[0], "metric")); !ok || name == "" {
			return reasonMetric
		}
	}
	for _, f := range filterList.Items {
		if name, ok := document.Text(at(f, "name")); !ok || name == "" {
			return reasonFilter
		}
	}
	return ""
}

// primaryNames are the metrics that decide about a task: with filters the strict
// ones, else the flexible ones, else all; without filters acc, else the base
// metric.
func primaryNames(task, config ordjson.Value) []string {
	base, names := baseMetric(config), filters(config)
	if len(names) == 0 {
		if _, ok := task.Get("acc"); ok {
			return []string{"acc"}
		}
		return []string{base}
	}
	for _, wanted := range []string{"strict", "flexible"} {
		var out []string
		for _, name := range names {
			if family(name, base, Rules{}) == wanted {
				out = append(out, base+","+name)
			}
		}
		if out != nil {
			return out
		}
	}
	out := slices.Clone(names)
	for i := range out {
		out[i] = base + "," + out[i]
	}
	return out
}
