package results

import (
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Environment holds the variables of a point's job (spec/results.md section
// 3.2, spec/labels-and-sweeps.md section 9).
type Environment map[string]string

var (
	requiredBase   = []string{"RUNNER_TYPE", "FRAMEWORK", "PRECISION", "SPEC_DECODING", "RESULT_FILENAME", "ISL", "OSL", "DISAGG", "MODEL_PREFIX", "IMAGE"}
	requiredSingle = []string{"TP", "EP_SIZE", "DP_ATTENTION"}
	requiredMulti  = []string{
		"PREFILL_GPUS", "DECODE_GPUS", "PREFILL_NUM_WORKERS", "PREFILL_TP", "PREFILL_EP", "PREFILL_DP_ATTN",
		"DECODE_NUM_WORKERS", "DECODE_TP", "DECODE_EP", "DECODE_DP_ATTN",
	}
)

func (e Environment) multinode() bool { return strings.EqualFold(e["IS_MULTINODE"], "true") }

func (e Environment) disagg() bool { return strings.EqualFold(e["DISAGG"], "true") }

// missing names the required variables that are not set, in the order of the
// lists.
func (e Environment) missing(lists ...[]string) []string {
	var out []string
	for _, list := range lists {
		for _, name := range list {
			if _, ok := e[name]; !ok {
				out = append(out, name)
			}
		}
	}
	return out
}

// envReader reads typed variables and keeps every finding.
type envReader struct {
	env  Environment
	file string
	list diag.List
}

func (r *envReader) refuse(code string, args ...string) {
	r.list = append(r.list, diag.New(code, diag.Place{File: r.file}, args...))
}

func (r *envReader) bad(name, want string) {
	r.refuse("results.env-value", "name", name, "value", r.env[name], "want", want)
}

// integer reads a whole number that is at least least; fallback stands for an
// absent one.
func (r *envReader) integer(name string, least, fallback int64) int64 {
	text, ok := r.env[name]
	if !ok {
		return fallback
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < least {
		r.bad(name, "a whole number of at least "+strconv.FormatInt(least, 10))
	}
	return n
}

// number reads an integer that a row repeats; its range is the contract's
// business.
func (r *envReader) number(name string) int64 { return r.integer(name, math.MinInt64, 0) }

// flag reads a boolean text and returns it as the row spells it.
func (r *envReader) flag(name string) string { return strings.ToLower(r.env[name]) }

// role reads the layout of one role; the sizes that may be absent are 1 then.
func (r *envReader) role(prefix, tp, ep string) Role {
	return Role{
		TP: r.number(prefix + tp), EP: r.number(prefix + ep),
		PP: r.integer(prefix+"PP_SIZE", 1, 1), DCP: r.integer(prefix+"DCP_SIZE", 1, 1), PCP: r.integer(prefix+"PCP_SIZE", 1, 1),
	}
}

// router reads ROUTER_METADATA: an object of exactly a name and a version.
func (r *envReader) router() (ordjson.Value, bool) {
	text := r.env["ROUTER_METADATA"]
	if text == "" || text == "null" {
		return ordjson.Value{}, false
	}
	v, err := document.Parse([]byte(text), document.Options{})
	if err != nil || len(checkComponent(v, "router", false)) > 0 {
		r.bad("ROUTER_METADATA", `an object of exactly "name" and "version", both texts`)
		return ordjson.Value{}, false
	}
	return v, true
}

// head appends the fields that all rows begin with (spec/results.md section
// 3.4). Agentic rows have no lengths.
func (r *envReader) head(row *ordjson.Value, conc ordjson.Value, model string, lengths bool) {
	row.Add("hw", ordjson.Str(r.env["RUNNER_TYPE"]))
	row.Add("conc", conc)
	row.Add("image", ordjson.Str(r.env["IMAGE"]))
	if !lengths {
		row.Add("recipe_fingerprint", ordjson.Str(r.env["RECIPE_FINGERPRINT"]))
	}
	row.Add("model", ordjson.Str(model))
	row.Add("infmax_model_prefix", ordjson.Str(r.env["MODEL_PREFIX"]))
	row.Add("framework", ordjson.Str(r.env["FRAMEWORK"]))
	row.Add("precision", ordjson.Str(r.env["PRECISION"]))
	row.Add("spec_decoding", ordjson.Str(r.env["SPEC_DECODING"]))
	row.Add("disagg", ordjson.Bool(r.env.disagg()))
	if lengths {
		row.Add("recipe_fingerprint", ordjson.Str(r.env["RECIPE_FINGERPRINT"]))
		row.Add("isl", ordjson.Int(r.number("ISL")))
		row.Add("osl", ordjson.Int(r.number("OSL")))
	}
	if router, ok := r.router(); ok {
		row.Add("router", router)
	}
	if transfer := r.env["KV_P2P_TRANSFER"]; transfer != "" {
		row.Add("kv_p2p_transfer", ordjson.Str(transfer))
	}
}

// hardwarePair appends the hardware of both roles, which come together or not
// at all.
func (r *envReader) hardwarePair(row *ordjson.Value) {
	prefill, decode := r.env["PREFILL_HARDWARE"], r.env["DECODE_HARDWARE"]
	switch {
	case (prefill == "") != (decode == ""):
		r.refuse("results.env-pair", "first", "PREFILL_HARDWARE", "second", "DECODE_HARDWARE")
	case prefill != "":
		row.Add("prefill_hw", ordjson.Str(prefill))
		row.Add("decode_hw", ordjson.Str(decode))
	}
}

// addRole appends the layout fields of a role in the order of the rows.
func addRole(row *ordjson.Value, prefix string, role Role, attention string, workers bool) {
	row.Add(prefix+"tp", ordjson.Int(role.TP))
	row.Add(prefix+"pp", ordjson.Int(role.PP))
	row.Add(prefix+"dcp_size", ordjson.Int(role.DCP))
	row.Add(prefix+"pcp_size", ordjson.Int(role.PCP))
	row.Add(prefix+"ep", ordjson.Int(role.EP))
	row.Add(prefix+"dp_attention", ordjson.Str(attention))
	if workers {
		row.Add(prefix+"num_workers", ordjson.Int(role.Workers))
	}
}
