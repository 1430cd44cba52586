package matrix

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// junk are values that stand in the wrong place.
var junk = []ordjson.Value{
	ordjson.Null(), ordjson.Int(0), ordjson.Int(-3), ordjson.Int(1 << 40), ordjson.Int(1), {Text: "4.0"}, {Text: "0.5"}, {Text: ".nan"}, ordjson.Bool(true),
	ordjson.Str(""), ordjson.Str("4"), ordjson.Str("mtp"), ordjson.Str("dram"), ordjson.List(), ordjson.List(ordjson.Int(2)), ordjson.Map(), members("name", "x"),
	members("tp", 1, "ep", 1, "dp-attn", false), members("num-worker", 1, "tp", 4, "ep", 1, "dp-attn", true),
}

var names = []string{
	"tp", "ep", "pp", "dcp-size", "pcp_size", "dp_attn", "worker", "prefill", "decode", "num-nodes", "kv-offloading", "kv-offload-backend", "router", "kv-p2p-transfer",
	"conc-list", "conc-start", "conc_end", "srt-recipe", "eval-srt-recipe", "power", "require-power", "disagg", "multinode", "fixed-seq-len", "agentic-coding", "search-space",
	"isl", "additional-settings", "hardware", "dram-utilization", "spec-decoding", "srt-recipe-dir",
}

// spoiled returns a document with some members dropped, added or replaced.
func (d drawing) spoiled(v ordjson.Value) ordjson.Value {
	out := v
	out.Items = nil
	for _, item := range v.Items {
		out.Items = append(out.Items, d.spoiled(item))
	}
	out.Members = nil
	if v.Kind != ordjson.Object {
		return out
	}
	used := make(map[string]bool)
	for _, m := range v.Members {
		used[m.Name] = true
		// Small numbers are drawn more often than large ones.
		switch rapid.IntRange(0, 200).Draw(d.T, "fate") {
		case 150: // dropped
			continue
		case 151, 152, 153:
			m.Value = rapid.SampledFrom(junk).Draw(d.T, "junk")
		default:
			m.Value = d.spoiled(m.Value)
		}
		out.Members = append(out.Members, m)
	}
	if name := rapid.SampledFrom(names).Draw(d.T, "name"); !used[name] && rapid.IntRange(0, 50).Draw(d.T, "more") > 46 {
		out.Add(name, rapid.SampledFrom(junk).Draw(d.T, "value"))
	}
	return out
}

// switched draws any combination of the switches, also those that the
// settings file cannot express.
func (d drawing) switched(s config.Settings) config.Settings {
	v := reflect.ValueOf(&s.Matrix).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Bool {
			v.Field(i).SetBool(rapid.Bool().Draw(d.T, v.Type().Field(i).Name))
		}
	}
	// The drawn configs name no recipe.
	s.Matrix.Recipes = s.Matrix.Recipes && rapid.IntRange(0, 20).Draw(d.T, "recipes") == 20
	return s
}

// Whatever stands in a config and whatever the switches are, the answer is a
// list of rows or of findings that people can read.
func TestAnyConfigAnySwitches(t *testing.T) {
	base := newest(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := drawing{T: rt}
		s := d.switched(base)
		d.newest = s.Matrix.AggregateWorker
		configs := d.configs()
		for i, c := range configs {
			configs[i] = d.spoiled(c)
		}
		runners := toyLabels + toyHardware
		if s.Matrix.Clusters {
			runners = toyLabels + toyClusters
		}
		head := recipeFiles().with(amdFile, masterText(configs), nvidiaFile, "{}", runnersFile, runners)
		was := head.with(amdFile, masterText(d.configs()))
		entry := entryText(`"*"`)
		if rapid.Bool().Draw(rt, "append") {
			entry = entryText(`"*"`, "append-only: true")
		}
		p, list := NewPlan(s, changeOf(was, head, entry))
		for _, f := range list {
			checkTexts(t, f)
		}
		if (p == nil) != list.Refused() {
			d.Fatalf("plan %v, findings %v", p != nil, list)
		}
		for _, mode := range []EvalMode{EvalDefault, EvalAll, EvalSmoke} {
			rows, list := Generate(s, head, Request{Evals: mode, Filter: Filter{FullSweep: true}})
			for _, f := range list {
				checkTexts(t, f)
			}
			for _, r := range Trim(rows, s.Matrix) {
				r.Document()
			}
		}
		if p != nil {
			p.Reference()
		}
		if t.Failed() {
			d.Fatal("see above")
		}
	})
}
