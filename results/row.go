package results

import (
	"bytes"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Row is one measured point that was read and found sound.
type Row struct {
	// Source is artifact and file, "bmk_.../agg_....json".
	Source string
	Point  Point
	// Identity is that of the row for consumers.
	Identity Identity
	// Image and Fingerprint say what was served, Model the served model.
	Image, Model, Fingerprint string
	// Requests are the requests of an agentic point, -1 where not recorded.
	Requests, Succeeded int64
	// OutcomeFailed means that the point recorded too many failed requests.
	OutcomeFailed bool

	encoded []byte
}

// Document is the row as it was uploaded.
func (r Row) Document() ordjson.Value {
	v, err := document.Parse(r.encoded, document.Options{})
	if err != nil {
		return ordjson.Map() // encoded was parsed before, so this can't happen
	}
	return v
}

// Metric returns a measured value by its flat name (MetricOf).
func (r Row) Metric(name string) (float64, bool) { return MetricOf(r.Document(), name) }

// Empty reports whether an agentic point served no request: its row is no
// measurement and never replaces one (spec/results.md section 4.4).
func (r Row) Empty() bool { return r.Requests >= 0 && r.Succeeded == 0 }

// Usable reports whether the row may stand for its point.
func (r Row) Usable() bool { return !r.Empty() && !r.OutcomeFailed }

// sizesByDefault are the fields that older rows lack, and their meaning then.
var sizesByDefault = []string{"pp", "dcp_size", "pcp_size"}

// ReadRow reads one row: strictly where its identity or a metric is concerned,
// tolerant of fields that are not known. Rows of older shape, without the
// context-parallel sizes, the recipe fingerprint or the number of GPUs, are
// accepted.
func ReadRow(source string, v ordjson.Value, rules Rules) (Row, diag.List) {
	if problems := tolerated(v, CheckRow(v, rules.Bounds)); len(problems) > 0 {
		return Row{}, diag.List{problemFinding(source, problems)}
	}
	r := Row{Source: source, Point: pointOf(v), Requests: -1, encoded: bytes.Clone(v.Append(nil, ordjson.Compact))}
	if r.Point.Scenario == Agentic {
		r.Identity = AgenticIdentity(v)
		r.Requests, _ = intMember(v, "num_requests_total")
		r.Succeeded, _ = intMember(v, "num_requests_successful")
	} else {
		r.Identity = FixedIdentity(v)
	}
	r.Image, r.Model, r.Fingerprint = at(v, "image").Text, at(v, "model").Text, at(v, "recipe_fingerprint").Text
	r.OutcomeFailed = at(v, "benchmark_outcome", "status").Text == "failed"
	return r, nil
}

// tolerated drops the problems that only the collectors mind.
func tolerated(v ordjson.Value, problems []Problem) []Problem {
	var out []Problem
	for _, p := range problems {
		if p.Type == problemUnknown || p.Type == problemMissing && mayBeMissing(p.Field) {
			continue
		}
		if member, ok := v.Get(p.Field); ok && p.Field == "result_schema_version" && document.IsInt(member) {
			continue
		}
		out = append(out, p)
	}
	return out
}

func mayBeMissing(name string) bool {
	switch name {
	case "num_gpus", "recipe_fingerprint", "kv_cache_pool_tokens", "server_metrics", "allocated_cpu_dram_gb",
		"kv_offloading", "kv_offload_backend", "spec_decoding", "request_accounting",
		"output_tput_per_gpu", "input_tput_per_gpu":
		return true
	}
	for _, size := range sizesByDefault {
		if name == size || name == "prefill_"+size || name == "decode_"+size {
			return true
		}
	}
	return false
}

// pointOf reads the logical point of a sound row.
func pointOf(v ordjson.Value) Point {
	m := meta{v}
	p := Point{
		Scenario: FixedSequence, Hardware: hardwareLabel(m.text("hw", "")), Prefix: lower(m.text("infmax_model_prefix", "")),
		Framework: lower(m.text("framework", "")), Precision: lower(m.text("precision", "")), Spec: lower(m.text("spec_decoding", "none")),
		Multinode: looseBool(at(v, "is_multinode")), Disagg: looseBool(at(v, "disagg")),
		ISL: m.integer("isl", 0), OSL: m.integer("osl", 0), Conc: m.integer("conc", 0),
	}
	if _, ok := v.Get("scenario_type"); ok {
		p.Scenario, p.Offload = Agentic, offloadName(v)
	}
	if p.Multinode {
		p.Prefill, p.Decode = m.exactRole("prefill_"), m.exactRole("decode_")
		if gpus, ok := intMember(v, "num_decode_gpu"); ok && gpus == 0 {
			p.Decode.Workers = 0
		}
		p.normalise()
	} else {
		p.Layout = m.exactRole("")
	}
	return p
}

// normalise gives points without separate decode GPUs one form, whatever was
// said about the idle role.
func (p *Point) normalise() {
	if p.Decode.Workers == 0 {
		p.Decode = Role{}
		p.Disagg = false
	}
}

// exactRole reads the fields of a role with its prefix only; sizes that older
// rows lack are 1.
func (m meta) exactRole(prefix string) Role {
	return Role{
		TP: m.integer(prefix+"tp", 0), EP: m.integer(prefix+"ep", 1),
		PP: m.integer(prefix+"pp", 1), DCP: m.integer(prefix+"dcp_size", 1), PCP: m.integer(prefix+"pcp_size", 1),
		DPAttention: looseBool(at(m.doc, prefix+"dp_attention")), Workers: m.integer(prefix+"num_workers", 0),
	}
}

// offloadName is the offload setting of a row in the form of Point.Offload: the
// mode, then name and version of the back end.
func offloadName(v ordjson.Value) string {
	mode, _ := document.Text(at(v, "kv_offloading"))
	if mode == "" || mode == "none" {
		return ""
	}
	for _, name := range []string{"name", "version"} {
		if text, _ := document.Text(at(v, "kv_offload_backend", name)); text != "" {
			mode += " " + text
		}
	}
	return lower(mode)
}
