package results

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Built is a row made from the raw output of a load client.
type Built struct {
	// File is the name under which the row is uploaded.
	File string
	Row  ordjson.Value
	// Failed means that too many requests failed: the row is published, the
	// point is not good (spec/results.md section 3.4).
	Failed bool
}

// BuildFixedRow makes the row of a fixed-sequence point from the environment of
// its job and the raw result of the load client (spec/results.md section 3).
func BuildFixedRow(env Environment, raw ordjson.Value, rules Rules) (Built, diag.List) {
	b := &fixedBuilder{envReader: envReader{env: env, file: env["RESULT_FILENAME"] + ".json"}, raw: raw, rules: rules}
	shape := requiredSingle
	if env.multinode() {
		shape = requiredMulti
	}
	if missing := env.missing(requiredBase, shape); missing != nil {
		b.refuse("results.env-missing", "names", strings.Join(missing, ", "))
		return Built{}, b.list
	}
	out := Built{File: "agg_" + env["RESULT_FILENAME"] + ".json", Row: ordjson.Map()}
	b.build(&out)
	if b.list.Refused() {
		return Built{}, b.list
	}
	return out, b.list
}

type fixedBuilder struct {
	envReader
	raw   ordjson.Value
	rules Rules
	total float64 // tokens/s of the whole deployment
	out   float64
}

func (b *fixedBuilder) build(out *Built) {
	model, _ := b.raw.Get("model_id")
	if model.Kind != ordjson.String || model.Text == "" {
		b.field("model_id", "a text")
	}
	conc, _ := b.raw.Get("max_concurrency")
	if _, ok := document.Int(conc); !ok {
		b.field("max_concurrency", "a whole number")
	}
	b.total, b.out = b.metric("total_token_throughput"), b.metric("output_throughput")
	if b.list.Refused() {
		return
	}
	b.head(&out.Row, conc, model.Text, true)
	out.Row.Add("is_multinode", ordjson.Bool(b.env.multinode()))
	if b.env.multinode() {
		b.multi(&out.Row)
	} else {
		b.single(&out.Row)
	}
	b.times(&out.Row)
	if b.rules.Outcome {
		b.outcome(out)
	}
}

func (b *fixedBuilder) field(name, want string) {
	v, _ := b.raw.Get(name)
	b.refuse("results.raw-field", "field", name, "value", shown(v), "want", want)
}

func (b *fixedBuilder) metric(name string) float64 {
	v, _ := b.raw.Get(name)
	f, ok := numeric(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		b.field(name, "a finite number")
	}
	return f
}

func (b *fixedBuilder) single(row *ordjson.Value) {
	role := b.role("", "TP", "EP_SIZE")
	if b.env.disagg() {
		b.refuse("results.env-disagg")
	}
	addRole(row, "", role, b.flag("DP_ATTENTION"), false)
	gpus := role.GPUs()
	if gpus <= 0 {
		b.refuse("results.env-gpus", "gpus", strconv.FormatInt(gpus, 10))
		return
	}
	n := float64(gpus)
	addThroughput(row, b.total/n, b.out/n, (b.total-b.out)/n)
}

func addThroughput(row *ordjson.Value, total, out, in float64) {
	row.Add("tput_per_gpu", document.Float(total))
	row.Add("output_tput_per_gpu", document.Float(out))
	row.Add("input_tput_per_gpu", document.Float(in))
}

func (b *fixedBuilder) multi(row *ordjson.Value) {
	prefill, decode := b.role("PREFILL_", "TP", "EP"), b.role("DECODE_", "TP", "EP")
	prefill.Workers, decode.Workers = b.number("PREFILL_NUM_WORKERS"), b.number("DECODE_NUM_WORKERS")
	p, d := b.integer("PREFILL_GPUS", 0, 0), b.integer("DECODE_GPUS", 0, 0)
	var shared int64
	if b.rules.AggregateWorkers {
		shared = b.integer("AGGREGATE_GPUS", 0, 0)
	}
	if shared > 0 {
		if p != 0 || d != 0 || b.env.disagg() {
			b.refuse("results.env-aggregate", "gpus", strconv.FormatInt(shared, 10))
		}
		p = shared
	}
	if p <= 0 {
		b.refuse("results.env-gpus", "gpus", strconv.FormatInt(p, 10))
		return
	}
	if d == 0 {
		decode = Role{PP: 1, DCP: 1, PCP: 1, Workers: decode.Workers}
	}
	addRole(row, "prefill_", prefill, b.flag("PREFILL_DP_ATTN"), true)
	addRole(row, "decode_", decode, b.flag("DECODE_DP_ATTN"), true)
	row.Add("num_prefill_gpu", ordjson.Int(p))
	row.Add("num_decode_gpu", ordjson.Int(d))
	if shared > 0 {
		row.Add("num_aggregate_gpu", ordjson.Int(shared))
	}
	all, decoding := float64(p+d), float64(d)
	if d == 0 {
		decoding = all
	}
	addThroughput(row, b.total/all, b.out/decoding, (b.total-b.out)/float64(p))
	b.hardwarePair(row)
}

const msPerSecond = 1000

// times converts every time of the raw result to seconds, and every time per
// token also to an interactivity in tokens/s/user.
func (b *fixedBuilder) times(row *ordjson.Value) {
	for _, m := range b.raw.Members {
		isTime, perToken := strings.HasSuffix(m.Name, "ms"), strings.Contains(m.Name, "tpot")
		if !isTime && !perToken {
			continue
		}
		value, ok := numeric(m.Value)
		if !ok {
			b.field(m.Name, "a number")
			continue
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			if !b.rules.OmitBadInteractivity {
				b.field(m.Name, "a finite number")
			}
			continue
		}
		name := strings.ReplaceAll(m.Name, "_ms", "")
		if isTime {
			set(row, name, document.Float(value/msPerSecond))
		}
		if perToken {
			b.interactivity(row, m.Name, value)
		}
	}
}

func (b *fixedBuilder) interactivity(row *ordjson.Value, name string, ms float64) {
	switch {
	case ms > 0 || ms < 0 && !b.rules.OmitBadInteractivity:
		name = strings.ReplaceAll(strings.ReplaceAll(name, "_ms", ""), "tpot", "intvty")
		set(row, name, document.Float(msPerSecond/ms))
	case !b.rules.OmitBadInteractivity:
		b.field(name, "a number above 0")
	}
}

// numeric returns the number of v; texts that are numbers count.
func numeric(v ordjson.Value) (float64, bool) {
	if text, ok := document.Text(v); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return f, err == nil
	}
	return document.Number(v)
}

// set replaces a member in its place or appends it.
func set(v *ordjson.Value, name string, value ordjson.Value) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members[i].Value = value
			return
		}
	}
	v.Add(name, value)
}

// maxFailureRate is the share of failed requests that a point may have.
const maxFailureRate = 0.05

// outcome recomputes the request outcome of the raw result and repeats it in
// the row.
func (b *fixedBuilder) outcome(out *Built) {
	given, ok := b.raw.Get("benchmark_outcome")
	if !ok {
		return
	}
	requested, okRequested := intMember(given, "requested")
	completed, okCompleted := intMember(given, "completed")
	if !okRequested || !okCompleted || requested <= 0 || completed < 0 || completed > requested {
		b.field("benchmark_outcome", "an object with counts of requested and completed requests")
		return
	}
	failed := requested - completed
	status := "passed"
	if float64(failed) > maxFailureRate*float64(requested) {
		status = "failed"
	}
	statusGiven, _ := given.Get("status")
	failedGiven, okFailed := intMember(given, "failed")
	rate, _ := given.Get("max_failure_rate")
	rateGiven, okRate := document.Finite(rate)
	if statusGiven.Text != status || !okFailed || failedGiven != failed || !okRate || rateGiven != maxFailureRate ||
		b.differs("completed", completed) || b.differs("num_prompts", requested) {
		b.field("benchmark_outcome", "what the counts give: "+status+" with "+strconv.FormatInt(failed, 10)+" failed")
		return
	}
	out.Row.Add("benchmark_outcome", given)
	out.Failed = status == "failed"
}

// differs reports whether the raw result has a count under name that is not n.
func (b *fixedBuilder) differs(name string, n int64) bool {
	v, ok := b.raw.Get(name)
	if !ok {
		return false
	}
	given, isInt := document.Int(v)
	return !isInt || given != n
}

func intMember(v ordjson.Value, name string) (int64, bool) {
	member, _ := v.Get(name)
	return document.Int(member)
}

// shown is a value in messages: short, and never more than one line.
func shown(v ordjson.Value) string {
	const longest = 80
	text := v.Text
	switch {
	case v.Kind == ordjson.Literal && text == "":
		return "nothing"
	case v.Kind == ordjson.String:
		text = strconv.Quote(text)
	case v.Kind != ordjson.Literal:
		text = string(v.Append(nil, ordjson.ASCII))
	}
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
