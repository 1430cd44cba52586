package bot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// shortFrameworks are the abbreviations of job titles.
var shortFrameworks = map[string]string{
	"sglang": "sgl", "dynamo-sglang": "dyn-sgl", "sglang-disagg": "sgl-disagg",
}

// JobTitle is the title of a point's job without its priority
// (spec/labels-and-sweeps.md section 9.3). It names the runner, which run
// statistics read from it.
func JobTitle(r *matrix.Row) string {
	doc := r.Document()
	framework := text(doc, "framework")
	if short := shortFrameworks[framework]; short != "" {
		framework = short
	}
	return strings.Join([]string{text(doc, "model-prefix"), text(doc, "precision"), text(doc, "runner"), framework, shapeTitle(r, doc)}, " ")
}

// shapeTitle is the part of a job title that differs within a config.
func shapeTitle(r *matrix.Row, doc ordjson.Value) string {
	spec, mode, backend := extras(doc)
	if mode != "" {
		mode += " KV offload"
	}
	parts := []string{topology(doc)}
	for _, part := range []string{spec, mode, backend} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	concs := make([]string, len(r.Conc))
	for i, c := range r.Conc {
		concs[i] = strconv.FormatInt(c, 10)
	}
	title := strings.Join(append(parts, "c"+strings.Join(concs, "x")), " ")
	switch {
	case r.EvalOnly:
		title += " | eval-only"
	case r.RunEval == matrix.Yes:
		title += " | eval"
	}
	return title
}

// extras are what a recipe has beyond its topology, each "" where it has none:
// speculative decoding, and the mode and backend of KV offloading.
func extras(doc ordjson.Value) (spec, mode, backend string) {
	other, _ := doc.Get("kv-offload-backend")
	return unless(text(doc, "spec-decoding"), "none"), unless(text(doc, "kv-offloading"), "none"), unless(text(other, "name"), "none", "default")
}

// unless returns text unless it is one of the words that mean nothing.
func unless(text string, words ...string) string {
	if slices.Contains(words, text) {
		return ""
	}
	return text
}

// text is a member of a row as text, "" when absent.
func text(doc ordjson.Value, name string) string {
	v, ok := doc.Get(name)
	if !ok {
		return ""
	}
	if v.Kind == ordjson.Literal || v.Kind == ordjson.String {
		return v.Text
	}
	return v.String()
}

// topology writes parallelism as job titles do: TP8/EP8/DPA, or
// 2P (TP4) x 1D (TP8/EP8/DPA) for prefill and decode workers.
func topology(doc ordjson.Value) string {
	prefill, multi := doc.Get("prefill")
	if !multi {
		return parallelism(doc)
	}
	decode, _ := doc.Get("decode")
	if workers := text(decode, "num-worker"); text(doc, "disagg") == "true" || workers != "" && workers != "0" {
		return text(prefill, "num-worker") + "P (" + parallelism(prefill) + ") x " + text(decode, "num-worker") + "D (" + parallelism(decode) + ")"
	}
	if workers := text(prefill, "num-worker"); workers != "1" {
		return workers + "P (" + parallelism(prefill) + ")"
	}
	return "(" + parallelism(prefill) + ")"
}

func parallelism(doc ordjson.Value) string {
	out := "TP" + text(doc, "tp")
	for _, size := range [][2]string{{"PP", "pp"}, {"DCP", "dcp-size"}, {"PCP", "pcp-size"}, {"EP", "ep"}} {
		if n := text(doc, size[1]); n != "" && n != "1" {
			out += "/" + size[0] + n
		}
	}
	if text(doc, "dp-attn") == "true" {
		out += "/DPA"
	}
	return out
}
