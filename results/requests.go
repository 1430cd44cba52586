package results

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// maxRecords bounds the records of one point, and with them the memory: the
// largest published points have a few ten thousand.
const maxRecords = 1_000_000

// ErrTooManyRecords means that a request export is larger than any point's.
var ErrTooManyRecords = errors.New("more request records than a point can have")

// Requests gathers the records of a load generator's request export (spec/
// results.md section 4). Only numbers are kept, so that an export of gigabytes
// needs some ten megabytes.
type Requests struct {
	total, warmup, failed, used int64
	categories                  ordjson.Value

	ttft, latency, itl, fullITL, perToken []float64 // seconds
	input, output                         []float64 // tokens
	inputSum, outputSum                   float64
	ends                                  []int64 // nanoseconds
	first, last                           int64   // start of the first and end of the last request
}

// NewRequests returns an empty gatherer.
func NewRequests() *Requests {
	return &Requests{categories: ordjson.Map(), first: math.MaxInt64}
}

// ReadRequests gathers a request export: one JSON object a line. A line that
// can't be read is an error that names its number.
func ReadRequests(in io.Reader) (*Requests, error) {
	const longestLine = 8 << 20
	r := NewRequests()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		record, err := document.Parse(line, document.Options{NonFinite: true, LastWins: true})
		if err != nil {
			return nil, &LineError{Line: n, Err: err}
		}
		if err := r.Add(record); err != nil {
			return nil, &LineError{Line: n, Err: err}
		}
	}
	return r, lines.Err()
}

// LineError is an error in one line of an export.
type LineError struct {
	Line int
	Err  error
}

// Error returns the error with its line.
func (e *LineError) Error() string {
	return "line " + ordjson.Int(int64(e.Line)).Text + ": " + e.Err.Error()
}

// Unwrap returns the error itself.
func (e *LineError) Unwrap() error { return e.Err }

// Add counts one record. Only records that are neither warm-up nor error enter
// the metrics.
func (r *Requests) Add(record ordjson.Value) error {
	if r.total++; r.total > maxRecords {
		return ErrTooManyRecords
	}
	phase := at(record, "metadata", "benchmark_phase")
	warmup := !absent(phase) && (phase.Kind != ordjson.String || phase.Text != "profiling")
	problem, _ := record.Get("error")
	failed := truthy(problem)
	if warmup {
		r.warmup++
	}
	if failed {
		r.failed++
		r.category(errorCategory(problem))
	}
	if !warmup && !failed {
		r.used++
		r.use(record)
	}
	return nil
}

func absent(v ordjson.Value) bool {
	return v.Kind == ordjson.Literal && (v.Text == "" || v.Text == "null")
}

// maxCategories bounds the different errors that are told apart.
const maxCategories = 1000

func (r *Requests) category(name string) {
	for i, m := range r.categories.Members {
		if m.Name == name {
			n, _ := document.Int(m.Value)
			r.categories.Members[i].Value = ordjson.Int(n + 1)
			return
		}
	}
	if len(r.categories.Members) < maxCategories {
		r.categories.Add(name, ordjson.Int(1))
	}
}

// errorCategory names an error: by the first of its fields that says what kind
// it is, else by its message.
func errorCategory(problem ordjson.Value) string {
	if problem.Kind != ordjson.Object {
		return messageCategory(plainText(problem))
	}
	for _, name := range []string{"type", "error_type", "code", "class", "status"} {
		if v, _ := problem.Get(name); truthy(v) {
			return messageHead(plainText(v))
		}
	}
	for _, name := range []string{"message", "error"} {
		if v, _ := problem.Get(name); truthy(v) {
			return messageCategory(plainText(v))
		}
	}
	return "unknown"
}

func plainText(v ordjson.Value) string {
	if v.Kind == ordjson.String {
		return v.Text
	}
	return spelled(v)
}

func messageCategory(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	head, _, _ := strings.Cut(line, ":")
	if head = messageHead(strings.TrimSpace(head)); head == "" {
		return "unknown"
	}
	return head
}

func messageHead(text string) string {
	const longest = 120
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest])
	}
	return text
}

// metricOf returns metrics.<name>, or its value.
func metricOf(record ordjson.Value, name string) (float64, bool) {
	v := at(record, "metrics", name)
	if v.Kind == ordjson.Object {
		v, _ = v.Get("value")
	}
	return document.Finite(v)
}

// seconds returns a time of a record, which is in milliseconds and above 0.
func seconds(record ordjson.Value, name string) (float64, bool) {
	ms, ok := metricOf(record, name)
	return ms / msPerSecond, ok && ms > 0
}

func (r *Requests) use(record ordjson.Value) {
	for _, m := range []struct {
		name string
		into *[]float64
	}{
		{"time_to_first_token", &r.ttft}, {"request_latency", &r.latency},
		{"inter_token_latency", &r.itl}, {"full_response_inter_token_latency", &r.fullITL},
	} {
		if v, ok := seconds(record, m.name); ok {
			*m.into = append(*m.into, v)
		}
	}
	if n, ok := metricOf(record, "input_sequence_length"); ok {
		r.input, r.inputSum = append(r.input, n), r.inputSum+n
	}
	n, ok := metricOf(record, "output_sequence_length")
	if ok {
		r.output, r.outputSum = append(r.output, n), r.outputSum+n
	}
	if latency, okLatency := seconds(record, "request_latency"); ok && okLatency && n > 0 {
		r.perToken = append(r.perToken, latency/n)
	}
	r.span(record)
}

func (r *Requests) span(record ordjson.Value) {
	if start, ok := nanoseconds(record, "request_start_ns"); ok {
		r.first = min(r.first, start)
	}
	if end, ok := nanoseconds(record, "request_end_ns"); ok {
		r.last = max(r.last, end)
		r.ends = append(r.ends, end)
	}
}

// latestEnd bounds the times of records: the year 2116.
const latestEnd = 1 << 62

// nanoseconds returns a time of a record; zero is none. Whole numbers keep all
// their digits, which a double would not.
func nanoseconds(record ordjson.Value, name string) (int64, bool) {
	v := at(record, "metadata", name)
	if n, ok := document.Int(v); ok {
		return n, n > 0 && n < latestEnd
	}
	f, ok := document.Finite(v)
	return int64(f), ok && f >= 1 && f < latestEnd
}
