package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// The row contract, version 1 (spec/results.md sections 3.4, 4.1 and 8.2).

const contractVersion = 1

func join(lists ...[]field) []field { return slices.Concat(lists...) }

var (
	positive    = atLeast(1)
	nonNegative = atLeast(0)

	headFields = []field{
		may("result_schema_version", schemaVersion), need("hw", aText), need("conc", positive), need("image", aText),
		need("model", aText), need("infmax_model_prefix", aText), need("framework", aText), need("precision", aText),
		need("spec_decoding", aText), need("disagg", aBool), need("recipe_fingerprint", fingerprint),
	}
	lengthFields = each(positive, "isl", "osl")
	shapeField   = []field{need("is_multinode", aBool)}
	tailFields   = []field{may("router", component), may("kv_p2p_transfer", aText)}
	singleSizes  = each(positive, "pp", "dcp_size", "pcp_size")
	topSizes     = append(each(positive, "tp", "ep"), need("dp_attention", flagText))
	multiSizes   = join(
		each(positive, "prefill_tp", "prefill_pp", "prefill_dcp_size", "prefill_pcp_size", "prefill_ep", "num_prefill_gpu"),
		each(flagText, "prefill_dp_attention", "decode_dp_attention"),
		each(nonNegative, "prefill_num_workers", "decode_num_workers", "decode_tp", "decode_ep", "num_decode_gpu"),
		each(positive, "decode_pp", "decode_dcp_size", "decode_pcp_size"),
		[]field{may("prefill_hw", aText), may("decode_hw", aText)},
	)

	fixedHead = join(headFields, lengthFields, shapeField)
	fixedTail = join(each(aNumber, "tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu"), tailFields,
		[]field{may("benchmark_outcome", closed(
			need("status", oneOf("passed", "failed")), need("requested", positive), need("completed", nonNegative),
			need("failed", nonNegative), need("max_failure_rate", aNumber)))},
	)
	fixedSingle = join(fixedHead, topSizes[:1], singleSizes, topSizes[1:], fixedTail)
	fixedMulti  = join(fixedHead, multiSizes, []field{may("num_aggregate_gpu", positive)}, fixedTail)

	agenticFields = join(headFields, shapeField, topSizes, tailFields, []field{
		need("scenario_type", oneOf(string(Agentic))), need("num_gpus", positive),
		need("kv_offloading", aText), need("kv_offload_backend", orNull(componentVersion)),
		need("allocated_cpu_dram_gb", nonNegative),
		need("num_requests_total", nonNegative), need("num_requests_successful", nonNegative),
		need("request_accounting", closed(append(
			each(nonNegative, "records_total", "records_profiled", "records_dropped_total", "records_warmup_dropped", "records_error_dropped"),
			need("error_categories", countsByName))...)),
		need("request_metrics", finiteObject), need("server_metrics", finiteObject),
		need("kv_cache_pool_tokens", orNull(nonNegative)),
		may("dataset", anObject), may("warnings", textList),
	})
	agenticSingle = join(agenticFields, singleSizes)
	agenticMulti  = join(agenticFields, multiSizes)
)

func schemaVersion(v ordjson.Value) (kind, text string) {
	n, ok := document.Int(v)
	switch {
	case !ok:
		return problemInt, "must be a whole number"
	case n != contractVersion:
		return problemLiteral, "is a version that is not supported"
	}
	return "", ""
}

func countsByName(v ordjson.Value) (kind, text string) {
	if kind, text := anObject(v); kind != "" {
		return kind, text
	}
	for _, m := range v.Members {
		if kind, text := nonNegative(m.Value); kind != "" {
			return kind, m.Name + " " + text
		}
	}
	return "", ""
}

// finiteObject is an open object whose numbers are all finite.
func finiteObject(v ordjson.Value) (kind, text string) {
	if kind, text := anObject(v); kind != "" {
		return kind, text
	}
	if !allFinite(v) {
		return problemFinite, "holds a number that is not finite"
	}
	return "", ""
}

func allFinite(v ordjson.Value) bool {
	if document.IsNumber(v) {
		_, ok := document.Finite(v)
		return ok
	}
	infinite := func(v ordjson.Value) bool { return !allFinite(v) }
	return !slices.ContainsFunc(v.Items, infinite) &&
		!slices.ContainsFunc(v.Members, func(m ordjson.Member) bool { return infinite(m.Value) })
}

func textList(v ordjson.Value) (kind, text string) {
	if kind, text := aList(v); kind != "" {
		return kind, text
	}
	for _, item := range v.Items {
		if kind, text := aText(item); kind != "" {
			return kind, "each entry " + text
		}
	}
	return "", ""
}

// metricFamily returns which family a measured value of a fixed-sequence row
// belongs to: (mean|median|std|p<number>)_(ttft|tpot|itl|e2el|intvty), where the
// number may have a fraction.
func metricFamily(name string) (string, bool) {
	statistic, family, ok := strings.Cut(name, "_")
	if !ok || !slices.Contains(metricFamilies, family) {
		return "", false
	}
	if statistic == "mean" || statistic == "median" || statistic == "std" {
		return family, true
	}
	number, ok := strings.CutPrefix(statistic, "p")
	whole, fraction, hasFraction := strings.Cut(number, ".")
	return family, ok && isDigits(whole) && (!hasFraction || isDigits(fraction))
}

var metricFamilies = []string{"ttft", "tpot", "itl", "e2el", "intvty"}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// powerNames are the power fields that are numbers (spec/results.md section 5).
var powerNames = []string{
	"power_metric_schema_version", "power_valid", "avg_power_w", "avg_total_gpu_power_w", "total_gpu_energy_j",
	"joules_per_successful_query", "joules_per_input_token", "joules_per_output_token", "joules_per_total_token",
	"p75_power_w", "p75_total_gpu_power_w", "p90_power_w", "p90_total_gpu_power_w",
	"prefill_gpu_energy_j", "decode_gpu_energy_j", "prefill_avg_power_w", "decode_avg_power_w",
	"prefill_joules_per_input_token", "decode_joules_per_output_token",
	"cpu_power_valid", "avg_cpu_socket_power_w", "avg_total_cpu_power_w", "total_cpu_energy_j",
	"avg_total_module_power_w", "total_module_energy_j",
}

func powerField(name string) shape {
	switch {
	case slices.Contains(powerNames, name):
		return aNumber
	case name == "power_invalid_reasons":
		return aList
	case name == "power_audit":
		return anObject
	}
	return nil
}

func measuredField(name string) shape {
	if _, ok := metricFamily(name); ok {
		return aNumber
	}
	return powerField(name)
}

// CheckRow holds a row against the row contract. Bounds adds the values that no
// measurement can have. An unknown field is a problem of type
// "extra_forbidden", which readers other than the collectors pass over.
func CheckRow(v ordjson.Value, bounds Bounds) []Problem {
	if v.Kind != ordjson.Object {
		return []Problem{{Type: problemObject, Field: "row", Text: "must be an object"}}
	}
	multi, given := v.Get("is_multinode")
	isMulti, ok := document.Bool(multi)
	switch {
	case !given:
		return []Problem{{Type: problemMissing, Field: "is_multinode", Text: "is missing"}}
	case !ok: // no schema can be chosen
		return []Problem{{Type: problemBool, Field: "is_multinode", Text: "must be true or false"}}
	}
	_, agentic := v.Get("scenario_type")
	var out []Problem
	switch {
	case agentic && isMulti:
		out = checkFields(v, "", agenticMulti, powerField)
	case agentic:
		out = checkFields(v, "", agenticSingle, powerField)
	case isMulti:
		out = checkFields(v, "", fixedMulti, measuredField)
	default:
		out = checkFields(v, "", fixedSingle, measuredField)
	}
	out = append(out, checkTogether(v, agentic)...)
	return append(out, bounds.check(v)...)
}

// checkTogether holds fields against each other.
func checkTogether(v ordjson.Value, agentic bool) []Problem {
	var out []Problem
	_, prefill := v.Get("prefill_hw")
	_, decode := v.Get("decode_hw")
	if prefill != decode {
		out = append(out, Problem{problemMismatch, "prefill_hw", "comes together with decode_hw"})
	}
	if !agentic {
		return out
	}
	mode, _ := v.Get("kv_offloading")
	backend, _ := v.Get("kv_offload_backend")
	if mode.Kind == ordjson.String && (mode.Text == "none") != document.IsNull(backend) {
		out = append(out, Problem{problemMismatch, "kv_offload_backend", "is null exactly when nothing is offloaded"})
	}
	return out
}

// check refuses values that no measurement can have: negative ones, and those
// beyond the bounds.
func (b Bounds) check(v ordjson.Value) []Problem {
	if b == (Bounds{}) {
		return nil
	}
	var out []Problem
	for _, m := range v.Members {
		most := b.of(m.Name)
		f, ok := document.Finite(m.Value)
		if most == 0 || !ok {
			continue
		}
		switch {
		case f < 0:
			out = append(out, Problem{problemAtLeast, m.Name, "must not be negative"})
		case f > most:
			out = append(out, Problem{problemAtMost, m.Name, "is beyond anything that can be measured"})
		}
	}
	return append(out, b.checkNested(v)...)
}

// of returns the bound of a field, 0 for none.
func (b Bounds) of(name string) float64 {
	switch name {
	case "conc":
		return float64(b.Conc)
	case "isl", "osl":
		return float64(b.Length)
	case "tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu":
		return b.Throughput
	case "num_gpus", "num_prefill_gpu", "num_decode_gpu", "num_aggregate_gpu", "tp", "ep", "pp":
		return float64(b.GPUs)
	}
	switch family, ok := metricFamily(name); {
	case !ok:
		return 0
	case family == "intvty":
		return b.Interactivity
	}
	return b.Seconds
}

// checkNested holds the measured values of an agentic row against the bounds.
func (b Bounds) checkNested(v ordjson.Value) []Problem {
	var out []Problem
	for name, most := range map[string]float64{
		"tput_per_gpu": b.Throughput, "output_tput_per_gpu": b.Throughput, "input_tput_per_gpu": b.Throughput,
		"p50_ttft": b.Seconds, "p90_ttft": b.Seconds, "p50_e2el": b.Seconds, "p75_e2el": b.Seconds, "p90_e2el": b.Seconds,
		"p90_e2e_norm_intvty": b.Interactivity,
	} {
		if f, ok := nestedMetric(v, name); ok && (f < 0 || most > 0 && f > most) {
			out = append(out, Problem{problemAtMost, "request_metrics", name + " is beyond anything that can be measured"})
		}
	}
	slices.SortFunc(out, func(a, b Problem) int { return compareText(a.Text, b.Text) })
	return out
}
