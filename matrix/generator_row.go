package matrix

import (
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// agenticDuration is the length of an agentic measurement in seconds.
const agenticDuration = 3600

// Generator is the row as the generator prints it: source values, the field
// order of spec/matrix.md sections 6.6 to 6.9, and only the fields that the
// row has. Fingerprints are taken of this form.
func (r *Row) Generator() ordjson.Value {
	out := ordjson.Value{Kind: ordjson.Object, Members: make([]ordjson.Member, 0, 28)}
	r.generate(&out)
	return out
}

// generate appends the members of Generator to an object.
func (r *Row) generate(out *ordjson.Value) {
	c := r.Config
	out.Add("image", ordjson.Str(c.Image))
	out.Add("model", ordjson.Str(c.Model))
	out.Add("model-prefix", ordjson.Str(c.ModelPrefix))
	out.Add("precision", ordjson.Str(c.Precision))
	out.Add("framework", ordjson.Str(c.Framework))
	out.Add("runner", ordjson.Str(r.Runner))
	switch {
	case r.Agentic() && r.Multinode():
		r.multiAgentic(out)
	case r.Agentic():
		r.singleAgentic(out)
	case r.Multinode():
		r.multiFixed(out)
	default:
		r.singleFixed(out)
	}
	r.evalFields(out)
	if r.Fingerprint != "" {
		out.Add("recipe-fingerprint", ordjson.Str(r.Fingerprint))
	}
}

func (r *Row) sizes(out *ordjson.Value) {
	e := r.Entry
	out.Add("tp", raw(e.TP))
	out.Add("pp", raw(orElse(e.PP, one)))
	out.Add("dcp-size", raw(orElse(e.DCP, one)))
	out.Add("pcp-size", raw(orElse(e.PCP, one)))
}

func (r *Row) singleFixed(out *ordjson.Value) {
	out.Add("isl", raw(r.Seq.ISL))
	out.Add("osl", raw(r.Seq.OSL))
	r.sizes(out)
	out.Add("conc", ordjson.Int(r.Conc[0]))
	out.Add("max-model-len", raw(r.maxModelLen()))
	out.Add("ep", raw(orElse(r.EP, one)))
	out.Add("dp-attn", raw(orElse(r.Entry.DPAttn, falsy)))
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	r.recipeFields(out)
	out.Add("exp-name", ordjson.Str(r.ExpName))
	out.Add("disagg", ordjson.Bool(false))
	r.runEval(out)
	r.components(out, false)
}

func (r *Row) multiFixed(out *ordjson.Value) {
	out.Add("isl", raw(r.Seq.ISL))
	out.Add("osl", raw(r.Seq.OSL))
	if r.requiresPower() {
		out.Add("require-power", ordjson.Bool(true))
	}
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	r.roles(out)
	out.Add("conc", ordjson.Ints(r.Conc))
	out.Add("max-model-len", raw(r.maxModelLen()))
	r.recipeFields(out)
	out.Add("exp-name", ordjson.Str(r.ExpName))
	out.Add("disagg", raw(orElse(r.Config.Disagg, falsy)))
	r.runEval(out)
	r.components(out, true)
	r.nodeFields(out)
}

func (r *Row) singleAgentic(out *ordjson.Value) {
	r.sizes(out)
	out.Add("ep", raw(orElse(r.EP, one)))
	out.Add("dp-attn", raw(orElse(r.Entry.DPAttn, falsy)))
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	out.Add("conc", ordjson.Int(r.Conc[0]))
	r.recipeFields(out)
	r.agenticFields(out)
	out.Add("scenario-type", ordjson.Str(AgenticCoding))
	r.backend(out)
	r.components(out, false)
	r.runEval(out)
}

func (r *Row) multiAgentic(out *ordjson.Value) {
	out.Add("spec-decoding", ordjson.Str(r.Entry.SpecDecoding))
	r.roles(out)
	out.Add("conc", ordjson.Ints(r.Conc))
	r.recipeFields(out)
	r.agenticFields(out)
	out.Add("disagg", raw(orElse(r.Config.Disagg, falsy)))
	out.Add("scenario-type", ordjson.Str(AgenticCoding))
	r.backend(out)
	r.components(out, true)
	r.nodeFields(out)
	r.runEval(out)
}

func (r *Row) agenticFields(out *ordjson.Value) {
	out.Add("kv-offloading", r.offloading())
	out.Add("total-cpu-dram-gb", ordjson.Int(r.DRAM))
	out.Add("duration", ordjson.Int(agenticDuration))
	out.Add("exp-name", ordjson.Str(r.ExpName))
}

func (r *Row) offloading() ordjson.Value {
	switch r.Entry.KVOffloading {
	case offloadTiered:
		return ordjson.Strs([]string{offloadDRAM, "nvme"})
	case "":
		return ordjson.Str(offloadNone)
	}
	return ordjson.Str(r.Entry.KVOffloading)
}

func (r *Row) recipeFields(out *ordjson.Value) {
	if r.recipe != "" {
		out.Add("srt-recipe", ordjson.Str(r.recipe))
	}
	if r.evalRecipe != "" {
		out.Add("eval-srt-recipe", ordjson.Str(r.evalRecipe))
	}
}

func (r *Row) runEval(out *ordjson.Value) {
	if r.RunEval != Unset {
		out.Add("run-eval", ordjson.Bool(r.RunEval == Yes))
	}
}

func (r *Row) backend(out *ordjson.Value) {
	if r.Entry.Backend != nil {
		out.Add("kv-offload-backend", r.Entry.Backend.generator())
	}
}

// components appends router and, for multi-node rows, kv-p2p-transfer.
func (r *Row) components(out *ordjson.Value, transfer bool) {
	if router := r.Router(); router != nil {
		out.Add("router", router.generator())
	}
	if t := r.Transfer(); transfer && t != "" {
		out.Add("kv-p2p-transfer", ordjson.Str(t))
	}
}

func (c *Component) generator() ordjson.Value {
	out := ordjson.Map(ordjson.Member{Name: "name", Value: ordjson.Str(c.Name)})
	switch {
	case c.Version != "":
		out.Add("version", ordjson.Str(c.Version))
	case c.NullVersion:
		out.Add("version", ordjson.Null())
	}
	return out
}

func (r *Row) nodeFields(out *ordjson.Value) {
	if r.NodeCount > 0 {
		out.Add("node-count", ordjson.Int(r.NodeCount))
	}
	if r.Entry.Power {
		out.Add("power", ordjson.Bool(true))
	}
}

// evalFields appends what eval selection adds, in its order.
func (r *Row) evalFields(out *ordjson.Value) {
	if r.HasSuite {
		out.Add("eval-framework", ordjson.Str(r.EvalFramework))
		out.Add("eval-suite", ordjson.Str(r.EvalSuite))
	}
	if r.EvalConc != 0 {
		out.Add("eval-conc", ordjson.Int(r.EvalConc))
	}
	if r.EvalAllConcs != Unset {
		out.Add("eval-all-concs", ordjson.Bool(r.EvalAllConcs == Yes))
	}
	if r.EvalOnly {
		out.Add("eval-only", ordjson.Bool(true))
	}
}

// roles appends the prefill and decode blocks. An aggregate worker becomes a
// prefill of its workers and a decode of none (spec/matrix.md section 6.4).
func (r *Row) roles(out *ordjson.Value) {
	e := r.Entry
	if e.Worker == nil {
		out.Add("prefill", e.Prefill.generator())
		out.Add("decode", e.Decode.generator())
		return
	}
	workers := e.workers()
	out.Add("prefill", e.Worker.aggregate(workers[0], false))
	out.Add("decode", e.Worker.aggregate(workers[1], true))
}

// generator copies a block in source order and appends the sizes it lacks.
func (w *Worker) generator() ordjson.Value {
	out := ordjson.Map()
	for _, f := range w.Source {
		out.Add(f.Key.Text, raw(f.Value))
	}
	return withSizes(out)
}

func (w *Worker) aggregate(workers *yamlpos.Value, decode bool) ordjson.Value {
	out := ordjson.Map(ordjson.Member{Name: "num-worker", Value: raw(workers)})
	for _, f := range w.Source {
		if f.Key.Text == "num-worker" || decode && f.Key.Text == "additional-settings" {
			continue
		}
		out.Add(f.Key.Text, raw(f.Value))
	}
	return withSizes(out)
}

func withSizes(out ordjson.Value) ordjson.Value {
	for _, name := range [...]string{"pp", "dcp-size", "pcp-size"} {
		if _, written := out.Get(name); !written {
			out.Add(name, ordjson.Int(1))
		}
	}
	return out
}
