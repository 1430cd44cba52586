package launch

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/srt"
)

// choose returns the variant that is the row's, nil where none or several are.
// A row of many nodes must name one; of a single-node row every variant is
// tried (spec/checks.md section 1.7, form A, step 2).
func (v *visit) choose(file string, variants []srt.Variant) *srt.Recipe {
	ask := func(code string, args ...string) *srt.Recipe {
		v.ask(code, v.row.Entry.Place, append(args, "file", file)...)
		return nil
	}
	if v.row.Multinode() {
		if len(variants) != 1 {
			return ask("recipe.srt-ambiguous", "count", strconv.Itoa(len(variants)))
		}
		return variants[0].Recipe
	}
	var chosen *srt.Recipe
	var fit, reasons []string
	for _, candidate := range variants {
		why := v.misfit(candidate.Recipe)
		if why == "" {
			chosen = candidate.Recipe
			fit = append(fit, candidate.Selector)
			continue
		}
		if candidate.Selector != "" {
			why = candidate.Selector + ": " + why
		}
		if len(reasons) < maxReasons {
			reasons = append(reasons, why)
		}
	}
	switch len(fit) {
	case 0:
		return ask("recipe.srt-no-fit", "reasons", strings.Join(reasons, "; "))
	case 1:
		return chosen
	}
	return ask("recipe.srt-several-fit", "variants", strings.Join(fit, ", "))
}

// maxReasons bounds the variants that a message speaks of.
const maxReasons = 8

// misfit says in what a variant is not that of a single-node row, "" where it
// is: in topology, model, precision, speculation, and in the conditions that it
// names by itself.
func (v *visit) misfit(variant *srt.Recipe) string {
	worker := generation(variant.Effective(v.binding()))
	if worker == nil {
		return "no worker"
	}
	t := topologyOf(worker)
	var why []string
	differ := func(name, has, want string) {
		if text := name + " " + has + " instead of " + want; has != "" && !srt.Same(has, want) && !in(why, text) {
			why = append(why, text)
		}
	}
	for _, f := range [...][3]string{
		{"TP", strconv.Itoa(t.tp), known(v.start["TP"])}, {"EP", strconv.Itoa(t.ep), known(v.start["EP_SIZE"])},
		{"DP attention", strconv.FormatBool(t.dpAttention), known(v.start["DP_ATTENTION"])}, {"GPUs", strconv.Itoa(t.gpus), known(v.start["GPU_COUNT"])},
	} {
		differ(f[0], f[1], f[2])
	}
	label := v.row.Entry.SpecDecoding
	if speculative := speculates(worker); speculative != (label != "none" && label != "") {
		differ("speculation", strconv.FormatBool(speculative), label)
	}
	text := func(value *yamlpos.Value) string {
		if value == nil {
			return ""
		}
		return value.Text
	}
	differ("precision", text(variant.Named("model", "precision")), v.row.Config.Precision)
	differ("model", text(variant.Named("model", "path")), v.row.Config.Model)
	differ("model", text(variant.Own("identity", "model", "repo")), v.row.Config.Model)
	for _, name := range []string{"CONC", "KV_OFFLOADING"} {
		differ(name, text(variant.Named("benchmark", "env", name)), known(v.start[name]))
	}
	if v.row.Agentic() { // where it is no bound key, the base may name it too
		differ("CONC", text(variant.Own("benchmark", "env", "CONC")), known(v.start["CONC"]))
	}
	return strings.Join(why, ", ")
}

// generation is the worker that generates: decode, else the aggregate; nil
// without one.
func generation(e *recipe.Effective) *recipe.Command {
	var out *recipe.Command
	for _, c := range e.Serving() {
		if c.Role != recipe.RolePrefill {
			out = c
		}
	}
	return out
}

// speculates reports whether a worker has a method of speculation and does not
// draft nothing.
func speculates(c *recipe.Command) bool {
	if c == nil {
		return false
	}
	_, ok := SpeculationOf(c)
	if !ok {
		return false
	}
	for _, name := range []string{"speculative-num-steps", "num-speculative-tokens", "speculative-config.max-draft-len", "num-mtp"} {
		if f := c.Flag(name); f != nil {
			value, _ := f.Value()
			return value != "0"
		}
	}
	if f := c.Flag("speculative-config"); f != nil && f.JSON != nil {
		n, ok := f.JSON.Get("num_speculative_tokens")
		return !ok || n.Text != "0"
	}
	return true
}

// topology is how a worker spreads over GPUs, in the terms of a row: with data
// parallelism of its own, vLLM's share of it counts as tensor parallelism.
type topology struct {
	tp, ep, gpus int
	dpAttention  bool
}

func topologyOf(c *recipe.Command) topology {
	size := func(name string) int {
		if f := c.Flag(name); f != nil {
			value, _ := f.Value()
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				return n
			}
		}
		return 1
	}
	on := func(name string) bool {
		f := c.Flag(name)
		if f == nil {
			return false
		}
		value, _ := f.Value()
		return len(f.Values) == 0 || strings.EqualFold(value, "true") || value == "1"
	}
	t := topology{tp: size("tensor-parallel-size"), ep: size("expert-parallel-size"), dpAttention: on("enable-dp-attention")}
	if replicas := size("data-parallel-size"); c.Engine == recipe.EngineVLLM && replicas > 1 {
		t.tp *= replicas
		t.dpAttention = true
	}
	if on("enable-expert-parallel") {
		t.ep = t.tp
	}
	t.gpus = c.GPUs
	if t.gpus == 0 {
		t.gpus = t.tp * size("pipeline-parallel-size") * size("prefill-context-parallel-size")
	}
	return t
}
