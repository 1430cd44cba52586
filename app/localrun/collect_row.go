package localrun

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// rowChecker gathers what is wrong with one row.
type rowChecker struct {
	row  ordjson.Value
	list []diag.Finding
}

// checkRow returns everything that makes a row unusable: identity that is
// missing (it is never defaulted, known failure F43), and numbers that cannot
// be (spec/security.md S55).
func checkRow(row ordjson.Value) []diag.Finding {
	c := &rowChecker{row: row}
	if row.Kind != ordjson.Object {
		c.add("localrun.row-object", "")
		return c.list
	}
	for _, name := range []string{"hw", "infmax_model_prefix", "framework", "precision", "model", "image"} {
		if v := block(row, name); v.Kind != ordjson.String || v.Text == "" {
			c.add("localrun.row-text", name)
		}
	}
	multi := block(row, "is_multinode")
	if multi.Kind != ordjson.Literal || multi.Text != "true" && multi.Text != "false" {
		c.add("localrun.row-boolean", "is_multinode")
	}
	c.counts(multi.Text == "true")
	c.numbers(row, "", 0)
	if tput := throughputOf(row); tput == nil {
		c.add("localrun.row-number-missing", throughputName(row))
	} else if *tput == 0 {
		c.add("localrun.row-zero", throughputName(row))
	}
	return c.list
}

func (c *rowChecker) add(code, field string) {
	c.list = append(c.list, diag.New(code, diag.Place{}, "field", field).At(field))
}

// counts are the integers that belong to the identity of a row.
func (c *rowChecker) counts(multi bool) {
	need := []string{"conc"}
	if agenticRow(c.row) {
		need = append(need, "num_requests_successful")
	} else {
		need = append(need, "isl", "osl")
	}
	if multi {
		need = append(need, "prefill_tp", "prefill_ep", "num_prefill_gpu")
	} else {
		need = append(need, "tp", "ep")
	}
	for _, name := range need {
		f, ok := number(block(c.row, name))
		if !ok || f <= 0 || f != math.Trunc(f) || f > math.MaxInt32 {
			c.add("localrun.row-count", name)
		}
	}
}

// maxFindings bounds what is said about one row.
const maxFindings = 50

// numbers refuses every number of the row that is not finite or is negative.
func (c *rowChecker) numbers(v ordjson.Value, at string, depth int) {
	if len(c.list) >= maxFindings || depth > maxDepth {
		return
	}
	for _, m := range v.Members {
		c.numbers(m.Value, strings.TrimPrefix(at+"."+m.Name, "."), depth+1)
	}
	for i, item := range v.Items {
		c.numbers(item, at+"."+itoa(i), depth+1)
	}
	f, ok := number(v)
	switch {
	case !ok:
	case !finite(f):
		c.list = append(c.list, diag.New("localrun.row-not-finite", diag.Place{}, "field", at, "value", shown(v)).At(at))
	case f < 0:
		c.list = append(c.list, diag.New("localrun.row-negative", diag.Place{}, "field", at, "value", shown(v)).At(at))
	}
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
