package localrun

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// rowEnv is the environment that a row is built from.
type rowEnv map[string]string

// rowEnvOf takes the variables that describe a fixed-sequence row.
func rowEnvOf(env Environment) rowEnv {
	out := make(rowEnv, len(env))
	for _, v := range env {
		out[v.Name] = v.Value
	}
	return out
}

// builder turns a raw result into a row; the first error stays.
type builder struct {
	env rowEnv
	raw ordjson.Value
	row ordjson.Value
	err error
	// lenient overlooks values that are not finite, and reciprocals of zero.
	lenient bool
}

func (b *builder) fail(code string, args ...string) {
	if b.err == nil {
		b.err = diag.New(code, diag.Place{}, args...)
	}
}

// The variables that a row needs (spec/results.md section 3.2). An empty value
// counts as present.
var (
	rowNeeds    = []string{"RUNNER_TYPE", "FRAMEWORK", "PRECISION", "SPEC_DECODING", "RESULT_FILENAME", "ISL", "OSL", "DISAGG", "MODEL_PREFIX", "IMAGE"}
	singleNeeds = []string{"TP", "EP_SIZE", "DP_ATTENTION"}
	multiNeeds  = []string{
		"PREFILL_GPUS", "DECODE_GPUS", "PREFILL_NUM_WORKERS", "PREFILL_TP", "PREFILL_EP", "PREFILL_DP_ATTN",
		"DECODE_NUM_WORKERS", "DECODE_TP", "DECODE_EP", "DECODE_DP_ATTN",
	}
)

// fixedRow builds the row of a fixed-sequence result (spec/results.md
// sections 3.2 to 3.4). lenient is the rule of the newest profile for numbers
// that cannot be used: leave them out.
func fixedRow(env rowEnv, raw ordjson.Value, lenient bool) (ordjson.Value, error) {
	b := &builder{env: env, raw: raw, row: ordjson.Map(), lenient: lenient}
	multi := strings.EqualFold(env["IS_MULTINODE"], "true")
	needs := append(rowNeeds[:len(rowNeeds):len(rowNeeds)], singleNeeds...)
	if multi {
		needs = append(rowNeeds[:len(rowNeeds):len(rowNeeds)], multiNeeds...)
	}
	var missing []string
	for _, name := range needs {
		if _, ok := env[name]; !ok {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		b.fail("localrun.row-environment", "names", strings.Join(missing, ", "))
		return b.row, b.err
	}
	b.head(multi)
	if multi {
		b.multi()
	} else {
		b.single()
	}
	b.metrics()
	return b.row, b.err
}

func (b *builder) text(name, variable string) { b.row.Add(name, ordjson.Str(b.env[variable])) }

// integer reads a variable; otherwise stands for an absent or empty one.
func (b *builder) integer(variable string, otherwise int64) int64 {
	text := strings.TrimSpace(b.env[variable])
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		b.fail("localrun.row-number", "name", variable, "value", cut(diag.Printable(text), 60))
	}
	return n
}

// positive is integer for sizes that must be greater than 0.
func (b *builder) positive(variable string) int64 {
	n := b.integer(variable, 1)
	if n <= 0 {
		b.fail("localrun.row-number", "name", variable, "value", b.env[variable])
	}
	return n
}

func (b *builder) head(multi bool) {
	disagg := strings.EqualFold(b.env["DISAGG"], "true")
	if disagg && !multi {
		b.fail("localrun.row-disagg")
	}
	conc, isNumber := number(block(b.raw, "max_concurrency"))
	if !isNumber || !finite(conc) || conc != float64(int64(conc)) || conc <= 0 {
		b.fail("localrun.raw-member", "member", "max_concurrency", "value", shown(block(b.raw, "max_concurrency")))
	}
	b.text("hw", "RUNNER_TYPE")
	b.row.Add("conc", ordjson.Int(int64(conc)))
	b.text("image", "IMAGE")
	b.row.Add("model", ordjson.Str(block(b.raw, "model_id").Text))
	b.text("infmax_model_prefix", "MODEL_PREFIX")
	b.text("framework", "FRAMEWORK")
	b.text("precision", "PRECISION")
	b.text("spec_decoding", "SPEC_DECODING")
	b.row.Add("disagg", ordjson.Bool(disagg))
	b.text("recipe_fingerprint", "RECIPE_FINGERPRINT")
	b.row.Add("isl", ordjson.Int(b.integer("ISL", 0)))
	b.row.Add("osl", ordjson.Int(b.integer("OSL", 0)))
	b.router()
	if b.env["KV_P2P_TRANSFER"] != "" {
		b.text("kv_p2p_transfer", "KV_P2P_TRANSFER")
	}
	b.row.Add("is_multinode", ordjson.Bool(multi))
}

// router copies ROUTER_METADATA: exactly a name and a version.
func (b *builder) router() {
	text := b.env["ROUTER_METADATA"]
	if text == "" || text == "null" {
		return
	}
	v, err := parseDocument([]byte(text))
	name, version := block(v, "name"), block(v, "version")
	if err != nil || len(v.Members) != 2 || name.Kind != ordjson.String || version.Kind != ordjson.String || name.Text == "" || version.Text == "" {
		b.fail("localrun.row-router", "value", cut(diag.Printable(text), 80))
		return
	}
	b.row.Add("router", v)
}

func (b *builder) single() {
	sizes := []struct{ name, variable string }{
		{"tp", "TP"}, {"pp", "PP_SIZE"}, {"dcp_size", "DCP_SIZE"}, {"pcp_size", "PCP_SIZE"}, {"ep", "EP_SIZE"},
	}
	at := make(map[string]int64)
	for _, s := range sizes {
		at[s.name] = b.positive(s.variable)
		b.row.Add(s.name, ordjson.Int(at[s.name]))
	}
	b.text("dp_attention", "DP_ATTENTION")
	gpus := float64(at["tp"] * at["pp"] * at["pcp_size"])
	b.throughput(gpus, gpus, gpus)
}

func (b *builder) multi() {
	prefill, decode := b.integer("PREFILL_GPUS", 0), b.integer("DECODE_GPUS", 0)
	aggregate := b.integer("AGGREGATE_GPUS", 0)
	if aggregate > 0 {
		if prefill != 0 || decode != 0 || strings.EqualFold(b.env["DISAGG"], "true") {
			b.fail("localrun.row-aggregate")
		}
		prefill = aggregate
	}
	if prefill <= 0 || decode < 0 {
		b.fail("localrun.row-gpus", "prefill", strconv.FormatInt(prefill, 10), "decode", strconv.FormatInt(decode, 10))
		return
	}
	b.side("prefill", "PREFILL", true)
	b.side("decode", "DECODE", decode > 0)
	b.row.Add("num_prefill_gpu", ordjson.Int(prefill))
	b.row.Add("num_decode_gpu", ordjson.Int(decode))
	if aggregate > 0 {
		b.row.Add("num_aggregate_gpu", ordjson.Int(aggregate))
	}
	b.hardware()
	output := float64(decode)
	if decode == 0 {
		output = float64(prefill)
	}
	b.throughput(float64(prefill+decode), output, float64(prefill))
}

// side writes the layout of one role. A role without GPUs has none, whatever
// the environment says.
func (b *builder) side(role, prefix string, has bool) {
	size := func(name, variable string, absent int64) {
		n := b.integer(prefix+variable, 1)
		if !has {
			n = absent
		}
		b.row.Add(role+name, ordjson.Int(n))
	}
	size("_tp", "_TP", 0)
	size("_pp", "_PP_SIZE", 1)
	size("_dcp_size", "_DCP_SIZE", 1)
	size("_pcp_size", "_PCP_SIZE", 1)
	size("_ep", "_EP", 0)
	b.text(role+"_dp_attention", prefix+"_DP_ATTN")
	b.row.Add(role+"_num_workers", ordjson.Int(b.integer(prefix+"_NUM_WORKERS", 0)))
}

func (b *builder) hardware() {
	prefill, decode := b.env["PREFILL_HARDWARE"], b.env["DECODE_HARDWARE"]
	if (prefill == "") != (decode == "") {
		b.fail("localrun.row-hardware")
	}
	if prefill != "" {
		b.text("prefill_hw", "PREFILL_HARDWARE")
		b.text("decode_hw", "DECODE_HARDWARE")
	}
}

// throughput writes tokens per second and GPU; the arguments are the GPUs that
// all, output and input tokens are shared by.
func (b *builder) throughput(all, output, input float64) {
	total := b.measure("total_token_throughput")
	out := b.measure("output_throughput")
	b.row.Add("tput_per_gpu", floating(total/all))
	b.row.Add("output_tput_per_gpu", floating(out/output))
	b.row.Add("input_tput_per_gpu", floating((total-out)/input))
}

// measure reads a number without which there is no row.
func (b *builder) measure(member string) float64 {
	f, ok := number(block(b.raw, member))
	if !ok || !finite(f) || f < 0 {
		b.fail("localrun.raw-member", "member", member, "value", shown(block(b.raw, member)))
		return 0
	}
	return f
}

// metrics converts every latency to seconds, and every time per token to
// tokens per second and user too (spec/results.md section 3.3).
func (b *builder) metrics() {
	for _, m := range b.raw.Members {
		isLatency, perToken := strings.HasSuffix(m.Name, "ms"), strings.Contains(m.Name, "tpot")
		if !isLatency && !perToken {
			continue
		}
		f, ok := number(m.Value)
		switch {
		case ok && finite(f):
		case b.lenient && ok:
			continue
		default:
			b.fail("localrun.raw-member", "member", m.Name, "value", shown(m.Value))
			return
		}
		name := strings.ReplaceAll(m.Name, "_ms", "")
		if isLatency {
			b.row.Add(name, floating(f/1000))
		}
		if perToken {
			b.interactivity(m.Name, name, f)
		}
	}
}

func (b *builder) interactivity(member, name string, perToken float64) {
	if perToken <= 0 || !finite(1000/perToken) {
		if !b.lenient {
			b.fail("localrun.raw-member", "member", member, "value", strconv.FormatFloat(perToken, 'g', -1, 64))
		}
		return
	}
	b.row.Add(strings.ReplaceAll(name, "tpot", "intvty"), floating(1000/perToken))
}
