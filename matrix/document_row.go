package matrix

import (
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Document is the row as the plan document prints it: coerced values, the
// schema's field order, defaults filled in, nulls dropped (spec/matrix.md
// section 13).
func (r *Row) Document() ordjson.Value {
	out := ordjson.Value{Kind: ordjson.Object, Members: make([]ordjson.Member, 0, 32)}
	switch {
	case r.Agentic() && r.Multinode():
		r.documentD(&out)
	case r.Agentic():
		r.documentC(&out)
	case r.Multinode():
		r.documentB(&out)
	default:
		r.documentA(&out)
	}
	if r.Fingerprint != "" {
		out.Add("recipe-fingerprint", ordjson.Str(r.Fingerprint))
	}
	return out
}

// head appends the fields that all four shapes begin with; single-node shapes
// put the recipe behind the image.
func (r *Row) head(out *ordjson.Value, recipe bool) {
	c := r.Config
	out.Add("image", ordjson.Str(c.Image))
	if recipe {
		r.recipeFields(out)
	}
	out.Add("model", ordjson.Str(c.Model))
	out.Add("model-prefix", ordjson.Str(c.ModelPrefix))
	out.Add("precision", ordjson.Str(c.Precision))
	out.Add("framework", ordjson.Str(c.Framework))
}

func (r *Row) documentSizes(out *ordjson.Value) {
	e := r.Entry
	out.Add("tp", number(e.TP))
	out.Add("pp", number(orElse(e.PP, one)))
	out.Add("dcp-size", number(orElse(e.DCP, one)))
	out.Add("pcp-size", number(orElse(e.PCP, one)))
	out.Add("ep", number(orElse(r.EP, one)))
	out.Add("dp-attn", boolean(orElse(e.DPAttn, falsy)))
}

func (r *Row) lengths(out *ordjson.Value) {
	out.Add("isl", number(r.Seq.ISL))
	out.Add("osl", number(r.Seq.OSL))
}

// documentA is the single-node fixed-sequence shape.
func (r *Row) documentA(out *ordjson.Value) {
	r.head(out, true)
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	out.Add("runner", ordjson.Str(r.Runner))
	r.lengths(out)
	r.documentSizes(out)
	out.Add("conc", ordjson.Int(r.Conc[0]))
	out.Add("max-model-len", number(r.maxModelLen()))
	out.Add("exp-name", ordjson.Str(r.ExpName))
	out.Add("disagg", ordjson.Bool(false))
	r.documentFixedEval(out)
	r.suite(out)
	r.documentComponents(out, false)
}

// documentB is the multi-node fixed-sequence shape.
func (r *Row) documentB(out *ordjson.Value) {
	r.multiHead(out)
	r.lengths(out)
	if r.powerFields {
		out.Add("require-power", ordjson.Bool(r.requiresPower()))
		out.Add("power", ordjson.Bool(r.Entry.Power))
	}
	r.documentRoles(out)
	out.Add("conc", ordjson.Ints(r.Conc))
	out.Add("max-model-len", number(r.maxModelLen()))
	out.Add("exp-name", ordjson.Str(r.ExpName))
	out.Add("disagg", ordjson.Bool(r.Config.disaggregated()))
	r.documentFixedEval(out)
	if r.EvalConc != 0 {
		out.Add("eval-conc", ordjson.Int(r.EvalConc))
	}
	out.Add("eval-all-concs", ordjson.Bool(r.EvalAllConcs == Yes))
	r.suite(out)
	r.documentComponents(out, true)
}

// documentC is the single-node agentic shape.
func (r *Row) documentC(out *ordjson.Value) {
	r.head(out, true)
	out.Add("runner", ordjson.Str(r.Runner))
	r.documentSizes(out)
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	out.Add("conc", ordjson.Int(r.Conc[0]))
	r.documentOffload(out)
	if router := r.Router(); router != nil {
		out.Add("router", router.document())
	}
	r.documentAgentic(out)
	out.Add("scenario-type", ordjson.Str(AgenticCoding))
	r.documentAgenticEval(out)
	r.suite(out)
}

// documentD is the multi-node agentic shape.
func (r *Row) documentD(out *ordjson.Value) {
	r.multiHead(out)
	if r.powerFields {
		out.Add("power", ordjson.Bool(r.Entry.Power))
	}
	r.documentRoles(out)
	out.Add("conc", ordjson.Ints(r.Conc))
	r.documentOffload(out)
	r.documentComponents(out, true)
	r.documentAgentic(out)
	out.Add("disagg", ordjson.Bool(r.Config.disaggregated()))
	out.Add("scenario-type", ordjson.Str(AgenticCoding))
	r.documentAgenticEval(out)
	if r.EvalConc != 0 {
		out.Add("eval-conc", ordjson.Int(r.EvalConc))
	}
	r.suite(out)
}

func (r *Row) multiHead(out *ordjson.Value) {
	r.head(out, false)
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	out.Add("runner", ordjson.Str(r.Runner))
	r.recipeFields(out)
	if r.NodeCount > 0 {
		out.Add("node-count", ordjson.Int(r.NodeCount))
	}
}

func (r *Row) documentFixedEval(out *ordjson.Value) {
	out.Add("run-eval", ordjson.Bool(r.RunEval == Yes))
	out.Add("eval-only", ordjson.Bool(r.EvalOnly))
}

func (r *Row) documentAgenticEval(out *ordjson.Value) {
	r.runEval(out)
	if r.EvalOnly {
		out.Add("eval-only", ordjson.Bool(true))
	}
}

func (r *Row) suite(out *ordjson.Value) {
	if r.HasSuite {
		out.Add("eval-framework", ordjson.Str(r.EvalFramework))
		out.Add("eval-suite", ordjson.Str(r.EvalSuite))
	}
}

func (r *Row) documentOffload(out *ordjson.Value) {
	out.Add("kv-offloading", r.offloading())
	if b := r.Entry.Backend; b != nil {
		out.Add("kv-offload-backend", b.document())
	}
}

func (r *Row) documentAgentic(out *ordjson.Value) {
	out.Add("total-cpu-dram-gb", ordjson.Int(r.DRAM))
	out.Add("duration", ordjson.Int(agenticDuration))
	out.Add("exp-name", ordjson.Str(r.ExpName))
}

func (r *Row) documentComponents(out *ordjson.Value, transfer bool) {
	if router := r.Router(); router != nil {
		out.Add("router", router.document())
	}
	if t := r.Transfer(); transfer && t != "" {
		out.Add("kv-p2p-transfer", ordjson.Str(t))
	}
}

func (c *Component) document() ordjson.Value {
	out := ordjson.Map(ordjson.Member{Name: "name", Value: ordjson.Str(c.Name)})
	if c.Version != "" {
		out.Add("version", ordjson.Str(c.Version))
	}
	return out
}

func (r *Row) documentRoles(out *ordjson.Value) {
	prefill, decode := r.Entry.sides()
	workers := r.Entry.workers()
	out.Add("prefill", prefill.document(workers[0], false))
	out.Add("decode", decode.document(workers[1], r.Entry.Worker != nil))
}

// document prints a worker block; bare drops the settings, as the decode side
// of an aggregate worker does.
func (w *Worker) document(workers *yamlpos.Value, bare bool) ordjson.Value {
	out := ordjson.Map()
	out.Add("num-worker", number(workers))
	out.Add("tp", number(w.TP))
	out.Add("pp", number(orElse(w.PP, one)))
	out.Add("dcp-size", number(orElse(w.DCP, one)))
	out.Add("pcp-size", number(orElse(w.PCP, one)))
	out.Add("ep", number(w.EP))
	out.Add("dp-attn", boolean(w.DPAttn))
	if w.Hardware != "" {
		out.Add("hardware", ordjson.Str(w.Hardware))
	}
	switch {
	case bare || !w.SettingsSet:
		out.Add("additional-settings", ordjson.List())
	case !w.SettingsNull:
		out.Add("additional-settings", ordjson.Strs(w.Settings))
	}
	return out
}
