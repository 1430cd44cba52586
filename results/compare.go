package results

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Metric is one compared value of a row (spec/results.md section 10).
type Metric struct {
	// Name is the row field, Label the heading of the table.
	Name, Label string
	// Higher says that more is better.
	Higher bool
	// Scale turns the row's unit into the shown one (1000 for ms), Decimals are
	// those shown.
	Scale    float64
	Decimals int
}

// ComparedMetrics are the metrics of the comparison in the order of the table.
func ComparedMetrics() []Metric {
	out := []Metric{{Name: "tput_per_gpu", Label: "TPUT/GPU", Higher: true, Scale: 1, Decimals: 2}}
	statistic := []struct{ name, label string }{{"median", "Median"}, {"p90", "P90"}, {"p99", "P99"}, {"p99.9", "P99.9"}}
	for _, s := range statistic {
		out = append(out, Metric{Name: s.name + "_ttft", Label: "TTFT " + s.label + " (ms)", Scale: msPerSecond, Decimals: 4})
	}
	for _, s := range statistic {
		label := "Intvty@" + s.label + " TPOT"
		if s.name == "median" {
			label = "Intvty Median"
		}
		out = append(out, Metric{Name: s.name + "_intvty", Label: label, Higher: true, Scale: 1, Decimals: 4})
	}
	for _, s := range statistic {
		out = append(out, Metric{Name: s.name + "_e2el", Label: "E2EL " + s.label + " (s)", Scale: 1, Decimals: 4})
	}
	return out
}

// Direction is how a value moved against its baseline.
type Direction string

// The directions; Unknown means that there is nothing to compare with.
const (
	Better  Direction = "better"
	Worse   Direction = "worse"
	Equal   Direction = "equal"
	Unknown Direction = "unknown"
)

// NotAvailable is shown for what is missing.
const NotAvailable = "N/A"

// Change is one metric of a row against its baseline. Value, Delta and Percent
// are as shown; Delta and Percent are NotAvailable when nothing can be compared.
type Change struct {
	Metric                Metric
	Value, Delta, Percent string
	Direction             Direction
	// Current and Base are in the row's unit, NaN when missing.
	Current, Base float64
}

// Compare shows the metrics of a row against a baseline, which may be the zero
// Value for none (spec/results.md section 10).
func Compare(row, baseline ordjson.Value) []Change {
	metrics := ComparedMetrics()
	out := make([]Change, len(metrics))
	for i, m := range metrics {
		out[i] = m.change(valueOrNaN(row, m.Name), valueOrNaN(baseline, m.Name))
	}
	return out
}

func valueOrNaN(row ordjson.Value, name string) float64 {
	if f, ok := MetricOf(row, name); ok {
		return f
	}
	return math.NaN()
}

func (m Metric) change(current, base float64) Change {
	c := Change{Metric: m, Value: NotAvailable, Delta: NotAvailable, Percent: NotAvailable, Direction: Unknown, Current: current, Base: base}
	if math.IsNaN(current) {
		return c
	}
	c.Value = strconv.FormatFloat(current*m.Scale, 'f', m.Decimals, 64)
	if math.IsNaN(base) || base == 0 {
		return c
	}
	delta := current*m.Scale - base*m.Scale
	c.Delta = signed(delta, m.Decimals)
	c.Percent = signed(delta/(base*m.Scale)*100, 1) + "%"
	c.Direction = m.direction(delta)
	return c
}

func (m Metric) direction(delta float64) Direction {
	switch {
	case delta == 0:
		return Equal
	case delta > 0 == m.Higher:
		return Better
	}
	return Worse
}

func signed(f float64, decimals int) string {
	text := strconv.FormatFloat(f, 'f', decimals, 64)
	if !strings.HasPrefix(text, "-") {
		text = "+" + text
	}
	return text
}

// BaselineKey are the dimensions by which the newest row of the default branch
// is found. The model matches when the stored name starts with it.
func BaselineKey(row ordjson.Value) ordjson.Value {
	lower := func(name string) ordjson.Value {
		text, _ := document.Text(at(row, name))
		return ordjson.Str(strings.ToLower(text))
	}
	multi := looseBool(at(row, "is_multinode"))
	out := ordjson.Map()
	out.Add("hardware", ordjson.Str(baseHardware(lower("hw").Text)))
	out.Add("model", lower("infmax_model_prefix"))
	out.Add("framework", lower("framework"))
	out.Add("precision", lower("precision"))
	spec := lower("spec_decoding")
	if spec.Text == "" {
		spec.Text = "none"
	}
	out.Add("spec_method", spec)
	out.Add("disagg", ordjson.Bool(looseBool(at(row, "disagg"))))
	out.Add("is_multinode", ordjson.Bool(multi))
	for _, role := range []string{"prefill_", "decode_"} {
		from := role
		if !multi {
			from = ""
		}
		out.Add(role+"tp", ordjson.Int(looseInt(at(row, from+"tp"), 0)))
		out.Add(role+"ep", ordjson.Int(looseInt(at(row, from+"ep"), 0)))
		out.Add(role+"dp_attention", ordjson.Bool(looseBool(at(row, from+"dp_attention"))))
	}
	for _, name := range []string{"isl", "osl", "conc"} {
		out.Add(name, ordjson.Int(looseInt(at(row, name), 0)))
	}
	return out
}

// baseHardware drops one suffix that names a variant of the same hardware.
func baseHardware(hw string) string {
	for _, suffix := range []string{"-multinode", "-trt", "-disagg"} {
		if base, ok := strings.CutSuffix(hw, suffix); ok {
			return base
		}
	}
	return hw
}

// SortForTable orders rows as the tables do: by model, hardware, framework,
// lengths and concurrency.
func SortForTable(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		p, q := a.Point, b.Point
		for _, c := range []int{
			compareText(p.Prefix, q.Prefix), compareText(p.Hardware, q.Hardware), compareText(p.Framework, q.Framework),
			compareInt(p.ISL, q.ISL), compareInt(p.OSL, q.OSL), compareInt(p.Conc, q.Conc), compareText(p.String(), q.String()),
		} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

func compareInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
