package results

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

var requiredAgentic = []string{"RUNNER_TYPE", "FRAMEWORK", "PRECISION", "SPEC_DECODING", "RESULT_FILENAME", "DISAGG", "MODEL_PREFIX", "IMAGE", "MODEL", "CONC"}

// AgenticInput is what an agentic point left behind.
type AgenticInput struct {
	Env      Environment
	Requests *Requests
	// Aggregate is the load generator's summary, Server the metrics of the
	// server, an object.
	Aggregate, Server ordjson.Value
	Warnings          []string
}

// BuildAgenticRow makes the row of an agentic point (spec/results.md section
// 4.1).
func BuildAgenticRow(in AgenticInput) (ordjson.Value, diag.List) {
	b := &agenticBuilder{envReader: envReader{env: in.Env, file: in.Env["RESULT_FILENAME"] + ".json"}, in: in}
	shape := requiredSingle
	if in.Env.multinode() {
		shape = requiredMulti[2:] // GPU counts follow from the layout
	}
	if missing := in.Env.missing(requiredAgentic, shape); missing != nil {
		b.refuse("results.env-missing", "names", joinNames(missing))
		return ordjson.Value{}, b.list
	}
	row := b.build()
	if b.list.Refused() {
		return ordjson.Value{}, b.list
	}
	return row, b.list
}

type agenticBuilder struct {
	envReader
	in AgenticInput
}

// agenticLayout is the layout of an agentic row, with what the row says about
// all GPUs together.
type agenticLayout struct {
	single, prefill, decode       Role
	prefillFlag, decodeFlag, flag string
	gpus, tp, ep                  int64
}

func (b *agenticBuilder) build() ordjson.Value {
	row := ordjson.Map()
	b.head(&row, ordjson.Int(b.integer("CONC", 1, 0)), b.env["MODEL"], false)
	row.Add("scenario_type", ordjson.Str(string(Agentic)))
	row.Add("is_multinode", ordjson.Bool(b.env.multinode()))
	l := b.layout()
	row.Add("num_gpus", ordjson.Int(l.gpus))
	row.Add("tp", ordjson.Int(l.tp))
	row.Add("ep", ordjson.Int(l.ep))
	row.Add("dp_attention", ordjson.Str(l.flag))
	b.offload(&row)
	row.Add("allocated_cpu_dram_gb", ordjson.Int(b.integer("TOTAL_CPU_DRAM_GB", 0, 0)))
	row.Add("num_requests_total", ordjson.Int(b.in.Requests.Total()))
	row.Add("num_requests_successful", ordjson.Int(b.in.Requests.Used()))
	row.Add("request_accounting", b.in.Requests.Accounting())
	b.addLayout(&row, l)
	if dataset := at(b.in.Aggregate, "metadata", "dataset"); dataset.Kind == ordjson.Object {
		row.Add("dataset", dataset)
	}
	if b.in.Warnings != nil {
		row.Add("warnings", ordjson.Strs(b.in.Warnings))
	}
	row.Add("request_metrics", b.in.Requests.Metrics(l.gpus, b.in.Aggregate))
	server := b.in.Server
	if server.Kind != ordjson.Object {
		server = ordjson.Map()
	}
	row.Add("server_metrics", server)
	row.Add("kv_cache_pool_tokens", orNullJSON(at(server, "kv_cache", "gpu_total_tokens")))
	return row
}

func (b *agenticBuilder) layout() agenticLayout {
	var l agenticLayout
	if !b.env.multinode() {
		l.single, l.flag = b.role("", "TP", "EP_SIZE"), b.flag("DP_ATTENTION")
		l.gpus, l.tp, l.ep = l.single.perWorker(), l.single.TP, l.single.EP
		return l
	}
	l.prefill, l.decode = b.role("PREFILL_", "TP", "EP"), b.role("DECODE_", "TP", "EP")
	l.prefill.Workers, l.decode.Workers = b.number("PREFILL_NUM_WORKERS"), b.number("DECODE_NUM_WORKERS")
	l.prefillFlag, l.decodeFlag = b.flag("PREFILL_DP_ATTN"), b.flag("DECODE_DP_ATTN")
	if l.decode.Workers*l.decode.perWorker() == 0 {
		l.decode = Role{PP: 1, DCP: 1, PCP: 1}
	}
	l.gpus = l.prefill.Workers*l.prefill.perWorker() + l.decode.Workers*l.decode.perWorker()
	l.tp, l.ep = l.prefill.TP+l.decode.TP, max(l.prefill.EP, l.decode.EP)
	l.flag = strconv.FormatBool(l.prefillFlag == "true" || l.decodeFlag == "true")
	return l
}

func (b *agenticBuilder) addLayout(row *ordjson.Value, l agenticLayout) {
	if !b.env.multinode() {
		row.Add("pp", ordjson.Int(l.single.PP))
		row.Add("dcp_size", ordjson.Int(l.single.DCP))
		row.Add("pcp_size", ordjson.Int(l.single.PCP))
		return
	}
	addRole(row, "prefill_", l.prefill, l.prefillFlag, true)
	row.Add("num_prefill_gpu", ordjson.Int(l.prefill.Workers*l.prefill.perWorker()))
	addRole(row, "decode_", l.decode, l.decodeFlag, true)
	row.Add("num_decode_gpu", ordjson.Int(l.decode.Workers*l.decode.perWorker()))
	b.hardwarePair(row)
}

// offload appends mode and back end, which must agree.
func (b *agenticBuilder) offload(row *ordjson.Value) {
	mode, name := b.env["KV_OFFLOADING"], b.env["KV_OFFLOAD_BACKEND"]
	if mode == "" {
		mode = "none"
	}
	row.Add("kv_offloading", ordjson.Str(mode))
	text := b.env["KV_OFFLOAD_BACKEND_METADATA"]
	if mode == "none" {
		if name != "" || text != "" && text != "null" {
			b.bad("KV_OFFLOADING", "a mode other than none where a back end is named")
		}
		row.Add("kv_offload_backend", ordjson.Null())
		return
	}
	v, err := document.Parse([]byte(text), document.Options{})
	if err != nil || len(checkComponent(v, "kv_offload_backend", true)) > 0 || name == "none" || at(v, "name").Text != name {
		b.bad("KV_OFFLOAD_BACKEND_METADATA", "an object whose name is that of KV_OFFLOAD_BACKEND")
		return
	}
	row.Add("kv_offload_backend", v)
}

// AgenticGate says whether a single-node agentic point may be published, from
// the load generator's summary (spec/results.md section 4.4). Limit is the
// largest share of failed requests; equal to it passes.
func AgenticGate(aggregate ordjson.Value, limit float64) diag.List {
	refuse := func(code string, args ...string) diag.List {
		return diag.List{diag.New(code, diag.Place{}, args...)}
	}
	count := func(name string) (float64, bool) { return document.Finite(at(aggregate, name, "avg")) }
	successes, ok := count("request_count")
	if !ok || successes < 0 {
		return refuse("results.agentic-no-count")
	}
	failures, _ := count("error_request_count")
	completed, ok := count("completed_request_count")
	if !ok {
		completed = successes + failures
	}
	if completed <= 0 {
		return refuse("results.agentic-no-request")
	}
	if failures/completed > limit {
		return refuse("results.agentic-failures", "share", strconv.FormatFloat(failures/completed, 'f', 4, 64), "limit", strconv.FormatFloat(limit, 'f', -1, 64))
	}
	return nil
}

func joinNames(names []string) string {
	out := ""
	for i, name := range names {
		if i > 0 {
			out += ", "
		}
		out += name
	}
	return out
}
