package localrun

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// checkRow returns everything that makes a row unusable: what breaks the row
// contract, and a throughput of nothing (spec/results.md section 8.2,
// spec/security.md S55). Identity is never defaulted (known failure F43).
func checkRow(row ordjson.Value, name string) diag.List {
	read, list := results.ReadRow(name, row, results.Newest())
	switch {
	case list.Refused():
		return list
	case !read.Usable():
		return diag.List{diag.New("localrun.no-successes", diag.Place{File: name}, "file", name)}
	}
	for _, field := range []string{"hw", "infmax_model_prefix", "framework", "precision", "model", "image"} {
		if text(row, field) == "" {
			return diag.List{diag.New("localrun.row-text", diag.Place{File: name}, "field", field)}
		}
	}
	switch tput := throughputOf(row); {
	case tput == nil:
		return diag.List{diag.New("localrun.row-number-missing", diag.Place{File: name}, "field", throughputName(row))}
	case *tput == 0:
		return diag.List{diag.New("localrun.row-zero", diag.Place{File: name}, "field", throughputName(row))}
	}
	return nil
}

// agenticRow tells the two shapes of rows apart.
func agenticRow(row ordjson.Value) bool {
	_, ok := row.Get("scenario_type")
	return ok
}

// measured is the line of a row. It is made of invalid rows too, for their
// identity.
func measured(row ordjson.Value) *Line {
	l := &Line{id: resultIdentity(row), Throughput: throughputOf(row)}
	l.Label = l.id.label()
	if agenticRow(row) {
		latency := block(block(row, "request_metrics"), "latency")
		l.TTFT = firstNumber(block(latency, "ttft"), "p50", "mean")
		l.E2EL = firstNumber(block(latency, "e2el"), "p50", "mean")
		return l
	}
	l.TTFT = firstNumber(row, "median_ttft", "mean_ttft")
	l.E2EL = firstNumber(row, "median_e2el", "mean_e2el")
	return l
}

func throughputName(row ordjson.Value) string {
	if agenticRow(row) {
		return "request_metrics.throughput.per_gpu.total_tput_tps"
	}
	return "tput_per_gpu"
}

// throughputOf is in tokens per second and GPU.
func throughputOf(row ordjson.Value) *float64 {
	if agenticRow(row) {
		return firstNumber(block(block(block(row, "request_metrics"), "throughput"), "per_gpu"), "total_tput_tps")
	}
	return firstNumber(row, "tput_per_gpu")
}

// firstNumber is the first of some members that is a number.
func firstNumber(v ordjson.Value, names ...string) *float64 {
	for _, name := range names {
		if f, ok := number(block(v, name)); ok {
			return &f
		}
	}
	return nil
}

func shortNumber(f *float64, decimals int) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', decimals, 64)
}
