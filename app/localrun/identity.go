package localrun

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// identity says which planned row a result belongs to. It holds the texts of
// both sides in one form: what the row asked for, without where and when it
// was measured (spec/results.md section 7).
type identity struct {
	hw, model, framework, precision, spec, fingerprint string
	disagg, multinode                                  bool
	// scenario is <isl>/<osl>, or agentic.
	scenario        string
	layout          string // sizes of the one worker, or of both roles
	offload         string
	conc            string
	eval            bool
	topology, shape string // for people
}

// key joins what makes a row different from others. The metadata of an eval
// does not reliably say disaggregation and fingerprint, so evals are told apart
// without them.
func (id identity) key() string {
	parts := []string{id.hw, id.model, id.framework, id.precision, id.spec, truthOf(id.multinode), id.scenario, id.layout, id.offload, id.conc}
	if id.eval {
		return strings.Join(append(parts, "eval"), "\x00")
	}
	return strings.Join(append(parts, id.fingerprint, truthOf(id.disagg)), "\x00")
}

// at is the identity of one concurrency of a row.
func (id identity) at(conc string) identity {
	id.conc = conc
	return id
}

// label names a row in one line.
func (id identity) label() string {
	parts := []string{id.model, id.precision, id.hw, id.framework, id.shape, id.topology}
	if id.spec != "" && id.spec != "none" {
		parts = append(parts, id.spec)
	}
	if id.offload != "" && id.offload != "none" {
		parts = append(parts, "kv "+id.offload)
	}
	return strings.Join(append(parts, "c"+id.conc), " ")
}

// hardware is a runner label or hardware name without what says that it is a
// whole cluster.
func hardware(name string) string { return strings.TrimPrefix(strings.ToLower(name), "cluster:") }

// names are the spellings of the members that plan rows and result rows call
// differently.
type spelling struct {
	hw, model, spec, dcp, pcp, dp, workers, offload, backend string
}

var (
	planSpelling   = spelling{"runner", "model-prefix", "spec-decoding", "dcp-size", "pcp-size", "dp-attn", "num-worker", "kv-offloading", "kv-offload-backend"}
	resultSpelling = spelling{"hw", "infmax_model_prefix", "spec_decoding", "dcp_size", "pcp_size", "dp_attention", "num_workers", "kv_offloading", "kv_offload_backend"}
)

// planIdentity is the identity of a row of a plan. Its concurrency is the whole
// list; a result of a multi-node row has one of them.
func planIdentity(row ordjson.Value) identity {
	id := common(row, planSpelling)
	id.fingerprint = text(row, "recipe-fingerprint")
	prefill, multi := row.Get("prefill")
	id.multinode = multi
	if multi {
		decode := block(row, "decode")
		id.disagg = text(row, "disagg") == "true"
		id.layout = layout(id.disagg, sizes(prefill, "", planSpelling), sizes(decode, "", planSpelling))
		id.topology = roles(prefill, decode, "", "", planSpelling)
	} else {
		id.layout, id.topology = sizes(row, "", planSpelling), shortTopology(row, "", planSpelling)
	}
	id.conc = strings.Join(words(row, "conc"), "x")
	return id
}

// resultIdentity is the identity of a result row, or of the metadata of an
// eval.
func resultIdentity(row ordjson.Value) identity {
	id := common(row, resultSpelling)
	id.fingerprint = text(row, "recipe_fingerprint")
	id.multinode = text(row, "is_multinode") == "true"
	if id.multinode {
		id.disagg = text(row, "disagg") == "true"
		id.layout = layout(id.disagg, sizes(row, "prefill_", resultSpelling), sizes(row, "decode_", resultSpelling))
		id.topology = roles(row, row, "prefill_", "decode_", resultSpelling)
	} else {
		id.layout, id.topology = sizes(row, "", resultSpelling), shortTopology(row, "", resultSpelling)
	}
	id.conc = text(row, "conc")
	return id
}

func common(row ordjson.Value, s spelling) identity {
	id := identity{
		hw: hardware(text(row, s.hw)), model: text(row, s.model), framework: text(row, "framework"),
		precision: text(row, "precision"), spec: textOr(row, s.spec, "none"),
	}
	id.scenario, id.shape = scenario(text(row, "isl"), text(row, "osl"))
	if id.scenario != "agentic" {
		return id
	}
	id.offload = textOr(row, s.offload, "none")
	if mode := offloading(row); mode != "" {
		id.offload = mode
	}
	if backend := text(block(row, s.backend), "name"); backend != "" {
		id.offload += "-" + backend
	}
	return id
}

// scenario names a pair of lengths. Rows without lengths, or with both 0, are
// agentic.
func scenario(isl, osl string) (name, short string) {
	if (isl == "" || isl == "0") && (osl == "" || osl == "0") {
		return "agentic", "agentic"
	}
	name = isl + "/" + osl
	switch name {
	case "1024/1024":
		return name, "1k1k"
	case "8192/1024":
		return name, "8k1k"
	}
	return name, isl + "_" + osl
}

// layout joins both roles. Where one worker does both, results describe the
// decode side in several ways; the prefill side says all.
func layout(disagg bool, prefill, decode string) string {
	if !disagg {
		return prefill
	}
	return prefill + "+" + decode
}

// sizes joins the layout of a worker: tp, pp, dcp, pcp, ep, attention, workers.
// A role without GPUs has one form, however its sizes are written.
func sizes(w ordjson.Value, prefix string, s spelling) string {
	workers := text(w, prefix+s.workers)
	if workers == "0" {
		return "none"
	}
	return strings.Join([]string{
		text(w, prefix+"tp"), textOr(w, prefix+"pp", "1"), textOr(w, prefix+s.dcp, "1"), textOr(w, prefix+s.pcp, "1"),
		textOr(w, prefix+"ep", "1"), textOr(w, prefix+s.dp, "false"), workers,
	}, ".")
}

func shortTopology(w ordjson.Value, prefix string, s spelling) string {
	out := "TP" + text(w, prefix+"tp")
	for _, size := range [][2]string{{"/PP", "pp"}, {"/DCP", s.dcp}, {"/PCP", s.pcp}, {"/EP", "ep"}} {
		if n := text(w, prefix+size[1]); n != "" && n != "1" {
			out += size[0] + n
		}
	}
	if text(w, prefix+s.dp) == "true" {
		out += "/DPA"
	}
	return out
}

func roles(prefill, decode ordjson.Value, a, b string, s spelling) string {
	out := text(prefill, a+s.workers) + "P(" + shortTopology(prefill, a, s) + ")"
	if workers := text(decode, b+s.workers); workers != "" && workers != "0" {
		out += " " + workers + "D(" + shortTopology(decode, b, s) + ")"
	}
	return out
}
