package results

import (
	"math"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// scores are the values that one task of a result gives.
type scores struct {
	strict, strictSE, flexible, flexibleSE, accuracy, accuracySE ordjson.Value
}

// orNull makes an absent value null.
func orNullJSON(v ordjson.Value) ordjson.Value {
	if v.Kind == ordjson.Literal && v.Text == "" {
		return ordjson.Null()
	}
	return v
}

// baseMetric is the first declared metric of a task, exact_match by default.
func baseMetric(config ordjson.Value) string {
	list, _ := config.Get("metric_list")
	if len(list.Items) > 0 {
		if name, ok := document.Text(at(list.Items[0], "metric")); ok && name != "" {
			return name
		}
	}
	return "exact_match"
}

// filters are the names of the filters of a task in order.
func filters(config ordjson.Value) []string {
	list, _ := config.Get("filter_list")
	var out []string
	for _, item := range list.Items {
		if name, ok := document.Text(at(item, "name")); ok {
			out = append(out, name)
		}
	}
	return out
}

// family files a filter with the strict or the flexible metrics.
func family(filter, base string, rules Rules) string {
	switch {
	case strings.Contains(filter, "strict"), rules.ResolvedIsStrict && strings.Contains(filter, "resolved"):
		return "strict"
	case strings.Contains(filter, "flex"), strings.Contains(filter, "extract"):
		return "flexible"
	case rules.AccuracyFilter && base == "acc" && filter == "none":
		return "accuracy"
	}
	return ""
}

// extract reads the metrics of a task (spec/results.md section 6.3).
func extract(task, config ordjson.Value, rules Rules) scores {
	var s scores
	base := baseMetric(config)
	names := filters(config)
	for _, filter := range names {
		value, err := at(task, base+","+filter), at(task, base+"_stderr,"+filter)
		switch family(filter, base, rules) {
		case "strict":
			s.strict, s.strictSE = value, err
		case "flexible":
			s.flexible, s.flexibleSE = value, err
		case "accuracy":
			s.accuracy, s.accuracySE = value, err
		}
	}
	if len(names) > 0 {
		return s
	}
	if acc, ok := task.Get("acc"); ok {
		s.accuracy, s.accuracySE = acc, at(task, "acc_stderr")
		return s
	}
	s.strict, s.strictSE = at(task, base), at(task, base+"_stderr")
	return s
}

// primary chooses the score: strict, else accuracy, else with FlexibleScore the
// flexible metric.
func (s scores) primary(rules Rules) (score ordjson.Value, name string, err ordjson.Value) {
	given := func(v ordjson.Value) bool { return !document.IsNull(orNullJSON(v)) }
	switch {
	case given(s.strict):
		return s.strict, "em_strict", s.strictSE
	case given(s.accuracy):
		return s.accuracy, "accuracy", s.accuracySE
	case rules.FlexibleScore && given(s.flexible):
		return s.flexible, "em_flexible", s.flexibleSE
	}
	return ordjson.Null(), "", ordjson.Null()
}

// isScore reports whether v is a finite number from 0 to 1.
func isScore(v ordjson.Value) bool {
	f, ok := document.Finite(v)
	return ok && f >= 0 && f <= 1
}

// isCount reports whether v is a finite number above 0.
func isCount(v ordjson.Value) bool {
	f, ok := document.Finite(v)
	return ok && f > 0
}

// spelled is a value in the spelling of the reference's language, as the
// messages of broken evals have it.
func spelled(v ordjson.Value) string {
	switch v.Kind {
	case ordjson.String:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(v.Text) + "'"
	case ordjson.Array, ordjson.Object:
		return string(v.Append(nil, ordjson.Spaced))
	}
	switch v.Text {
	case "", "null":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	case "NaN":
		return "nan"
	case "Infinity":
		return "inf"
	case "-Infinity":
		return "-inf"
	}
	if f, ok := document.Finite(v); ok && !document.IsInt(v) && !math.IsNaN(f) {
		return document.Float(f).Text
	}
	return v.Text
}
