package matrix

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Repositories for property tests. Configs are drawn as JSON documents, which
// are YAML, too, so that the order of their keys can be shuffled.

type drawing struct {
	*rapid.T
	newest bool
}

func members(pairs ...any) ordjson.Value {
	out := ordjson.Map()
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case nil:
		case ordjson.Value:
			out.Add(pairs[i].(string), v)
		case int:
			out.Add(pairs[i].(string), ordjson.Int(int64(v)))
		case bool:
			out.Add(pairs[i].(string), ordjson.Bool(v))
		case string:
			out.Add(pairs[i].(string), ordjson.Str(v))
		}
	}
	return out
}

func pick[T any](d drawing, label string, of ...T) T { return rapid.SampledFrom(of).Draw(d.T, label) }

func (d drawing) maybe(label string) bool { return rapid.Bool().Draw(d.T, label) }

// concs adds concurrencies to an entry, without repeats.
func (d drawing) concs(entry *ordjson.Value) {
	if d.maybe("range") {
		start := rapid.IntRange(1, 40).Draw(d.T, "start")
		entry.Add("conc-start", ordjson.Int(int64(start)))
		entry.Add("conc-end", ordjson.Int(int64(start+rapid.IntRange(0, 90).Draw(d.T, "length"))))
		return
	}
	list := rapid.SliceOfNDistinct(rapid.SampledFrom([]int64{1, 2, 4, 8, 12, 16, 32, 64, 128}), 1, 5, rapid.ID).Draw(d.T, "concs")
	entry.Add("conc-list", ordjson.Ints(list))
}

func (d drawing) worker(label string, withCount bool) ordjson.Value {
	out := members("tp", pick(d, label+" tp", 1, 2, 4), "ep", pick(d, label+" ep", 1, 4), "dp-attn", d.maybe(label+" attention"))
	if withCount {
		out.Add("num-worker", ordjson.Int(int64(pick(d, label+" workers", 1, 2))))
	}
	if d.maybe(label + " settings") {
		out.Add("additional-settings", ordjson.Strs(rapid.SliceOfN(rapid.SampledFrom([]string{"A=1", "B=2", "世"}), 0, 2).Draw(d.T, label+" list")))
	}
	return out
}

// topology adds the serving side of a multi-node entry.
func (d drawing) topology(entry *ordjson.Value, disagg bool) {
	if d.newest && !disagg {
		entry.Add("worker", d.worker("worker", d.maybe("count")))
		entry.Add("num-nodes", ordjson.Int(int64(pick(d, "nodes", 1, 2))))
		return
	}
	entry.Add("prefill", d.worker("prefill", true))
	entry.Add("decode", d.worker("decode", true))
}

func (d drawing) entry(multinode, disagg, agentic bool) ordjson.Value {
	out := members("spec-decoding", pick(d, "spec", "none", "mtp", "draft_model"))
	if !multinode {
		out.Add("tp", ordjson.Int(int64(pick(d, "tp", 1, 2, 4))))
		if d.maybe("ep") {
			out.Add("ep", ordjson.Int(int64(pick(d, "ep size", 1, 2))))
		}
		if d.maybe("dp") {
			out.Add("dp-attn", ordjson.Bool(d.maybe("dp-attn")))
		}
	} else {
		d.topology(&out, disagg)
	}
	if agentic {
		if d.maybe("dram") {
			out.Add("kv-offloading", ordjson.Str("dram"))
			out.Add("kv-offload-backend", members("name", pick(d, "backend", "b1", "b2")))
		} else {
			out.Add("kv-offloading", ordjson.Str("none"))
		}
	}
	d.concs(&out)
	return out
}

func (d drawing) entries(multinode, disagg, agentic bool) ordjson.Value {
	out := ordjson.List()
	for range rapid.IntRange(1, 3).Draw(d.T, "entries") {
		out.Items = append(out.Items, d.entry(multinode, disagg, agentic))
	}
	return out
}

// config draws one config.
func (d drawing) config() ordjson.Value {
	multinode := d.maybe("multinode")
	disagg := multinode && d.maybe("disagg")
	scenarios := ordjson.Map()
	fixed := d.maybe("fixed")
	if fixed {
		block := members("isl", pick(d, "isl", 1024, 8192, 8192, 2048), "osl", pick(d, "osl", 1024, 1024, 128), "search-space", d.entries(multinode, disagg, false))
		scenarios.Add(FixedSeqLen, ordjson.List(block))
	}
	if !fixed || d.maybe("agentic") {
		scenarios.Add(AgenticCoding, ordjson.List(members("dram-utilization", ordjson.Value{Text: "0.5"}, "search-space", d.entries(multinode, disagg, true))))
	}
	out := members("image", pick(d, "image", "i1", "i2"), "model", pick(d, "model", "m1", "m2"), "model-prefix", pick(d, "prefix", "p1", "kimik3"),
		"precision", pick(d, "precision", "fp4", "fp8"), "framework", pick(d, "framework", "vllm", "dynamo-vllm"),
		"runner", pick(d, "runner", "cluster:gx100-a", "cluster:nv4"), "multinode", multinode, "scenarios", scenarios)
	if disagg {
		out.Add("disagg", ordjson.Bool(true))
		out.Add("kv-p2p-transfer", ordjson.Str("nixl"))
	}
	if d.maybe("router") {
		out.Add("router", members("name", "r", "version", "v"))
	}
	return out
}

// configs draws some configs with the keys c0, c1 ...
func (d drawing) configs() []ordjson.Value {
	out := make([]ordjson.Value, rapid.IntRange(1, 4).Draw(d.T, "configs"))
	for i := range out {
		out[i] = d.config()
	}
	return out
}

// masterText writes configs as one master file.
func masterText(configs []ordjson.Value) string {
	var out strings.Builder
	for i, c := range configs {
		fmt.Fprintf(&out, "c%d: %s\n", i, c.Append(nil, ordjson.Spaced))
	}
	return out.String()
}

// shuffled returns a document with the members of every object in another
// order.
func (d drawing) shuffled(v ordjson.Value) ordjson.Value {
	out := v
	out.Items = make([]ordjson.Value, len(v.Items))
	for i, item := range v.Items {
		out.Items[i] = d.shuffled(item)
	}
	order := make([]int, len(v.Members))
	for i := range order {
		order[i] = i
	}
	out.Members = make([]ordjson.Member, len(v.Members))
	for i, from := range rapid.Permutation(order).Draw(d.T, "order") {
		out.Members[i] = ordjson.Member{Name: v.Members[from].Name, Value: d.shuffled(v.Members[from].Value)}
	}
	return out
}

// changelogEntries draws entries that name some of n configs.
func (d drawing) changelogEntries(n int) []string {
	out := make([]string, rapid.IntRange(1, 4).Draw(d.T, "changelog"))
	for i := range out {
		key := pick(d, "key", `"c*"`, fmt.Sprintf("c%d", rapid.IntRange(0, n-1).Draw(d.T, "which")))
		var more []string
		switch pick(d, "flags", "", "", "evals-only", "all-evals", "fixed", "agentic", "ep") {
		case "evals-only":
			more = append(more, "evals-only: true")
		case "all-evals":
			more = append(more, "all-evals: true")
		case "fixed":
			more = append(more, "scenario-type: [fixed-seq-len]")
		case "agentic":
			more = append(more, "scenario-type: [agentic-coding]")
		case "ep":
			more = append(more, "eval-min-prefill-ep: 2")
		}
		out[i] = entryText(key, more...)
	}
	return out
}
