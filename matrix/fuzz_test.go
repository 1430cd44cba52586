package matrix

import (
	"bytes"
	"testing"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// The fuzz targets hold what no input may do: panic, make a finding that the
// catalogue does not know, or a document that is no JSON.

// fuzzSettings are rules that differ as much as possible.
func fuzzSettings(f *testing.F) []config.Settings {
	loose := reference(f, func(s *config.Settings) {
		m := newestMatrix()
		m.LenientTypes, m.UnderscoreKeys, m.LastKeyWins, m.EmptyConcList, m.GlobResolvedKeys, m.NullAsAbsent = true, true, true, true, true, false
		m.TopologyScope, m.TieredOffload = false, true
		s.Matrix = m
	})
	all := []config.Settings{newest(f), newest(f, withoutRecipes), august(f), reference(f), loose}
	for i := range all {
		all[i].Limits.FileBytes, all[i].Limits.ConcPoints = 1<<16, 64
	}
	return all
}

func checkKnown(t *testing.T, list diag.List) {
	t.Helper()
	for _, f := range list {
		if !catalog.Known(f.Code) {
			t.Fatalf("%s is not in the catalogue", f.Code)
		}
		if f.Message(catalog.English) == "" || f.Severity == diag.Error && f.Mend(catalog.Chinese) == "" {
			t.Fatalf("%s says nothing", f.Code)
		}
	}
}

func checkDocument(t *testing.T, v ordjson.Value) {
	t.Helper()
	for _, style := range []ordjson.Style{ordjson.Compact, ordjson.Spaced, ordjson.Canonical, ordjson.ASCII} {
		if _, err := ordjson.Parse(v.Append(nil, style)); err != nil {
			t.Fatalf("%v: %s", err, v)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		okSingle, okMulti, okAgentic, okMultiAgentic, nextSingleOK, nextAggregateOK, nextAgenticOK, nextSingle, nextMulti, nextAggregate, toyAgentic + toySingle + toyMulti,
		"{}", "", "[1]", "a: 1\n", "? [x]\n: 1\n", "a: &a {<<: *a}\n", "k: {image: i, scenarios: {fixed-seq-len: [{isl: 1e3}]}}\n",
		swapText(okSingle, "tp: 4", "tp: 4.0"), swapText(okSingle, "conc-list: [16]", "conc_list: [16]"), swapText(okSingle, "conc-list: [16]", "conc-start: 1.0, conc-end: true"),
		swapText(okAgentic, "kv-offloading: dram", "kv-offloading: [dram, nvme]"), swapText(okAgentic, "0.5", ".nan"), swapText(okMulti, "tp: 4", "tp: -4"),
	} {
		f.Add([]byte(text))
	}
	all := fuzzSettings(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range all {
			files := recipeFiles().with(amdFile, string(text), nvidiaFile, "{}")
			if !s.Matrix.Clusters {
				files = files.with(runnersFile, toyLabels+toyHardware)
			}
			masters, list := ReadMasters(s, files, true)
			checkKnown(t, list)
			if list.Refused() {
				continue
			}
			masters.Expand([]string{"*", "a?", "k"})
			for _, mode := range []EvalMode{EvalNone, EvalDefault, EvalSubset, EvalAll, EvalSmoke} {
				rows, list := Generate(s, files, Request{Evals: mode, Trim: mode == EvalAll})
				checkKnown(t, list)
				for _, r := range rows {
					checkDocument(t, r.Generator())
					checkDocument(t, r.Document())
				}
			}
		}
	})
}

// swapText replaces one part of a text.
func swapText(text, old, new string) string {
	return string(bytes.Replace([]byte(text), []byte(old), []byte(new), 1))
}

func FuzzRunners(f *testing.F) {
	for _, text := range []string{okHardware, okClusters, toyLabels + toyHardware, toyLabels + toyClusters, "", "labels: {}", "labels: []\nclusters: {}\n", "clusters: {1: {}}\nlabels: {1: [1]}\n"} {
		f.Add([]byte(text))
	}
	all := fuzzSettings(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range all {
			inv, list := LoadRunners(Source{"r.yaml", text}, rulesOf(s))
			checkKnown(t, list)
			if list.Refused() {
				continue
			}
			for _, label := range []string{"gx100", "cluster:nv4", "nv4", "c", ""} {
				inv.Nodes(label)
				inv.gpusPerNode(label)
				Filter{Node: "a"}.runners(&Config{Runner: label}, inv)
			}
		}
	})
}

func FuzzPriority(f *testing.F) {
	const row = `{"a": [{"runner": "r", "framework": "vllm", "node-count": 2, "prefill": {}, "eval-only": true}]}`
	for _, text := range []string{augustPolicy, newestPolicy, "version: 1\n", "version: 1\nbase-score: 1.0e+300\n", "version: 1\nadjustments: {event: {push: 1e9}}\n"} {
		f.Add([]byte(text), []byte(row), "push", "fp4")
	}
	f.Add([]byte(augustPolicy), []byte(`[1, "x", {"runner": null, "framework": []}]`), "", "patchwork")
	f.Fuzz(func(t *testing.T, text, doc []byte, event, word string) {
		for _, labels := range []bool{false, true} {
			p, list := LoadPriority(Source{"p.yaml", text}, config.Sweep{PriorityLabels: labels})
			checkKnown(t, list)
			if (p == nil) != list.Refused() {
				t.Fatal("a policy with findings, or none without")
			}
			v, err := ordjson.Parse(doc)
			if p == nil || err != nil {
				return
			}
			for _, criteria := range [][]string{nil, {}, {word}} {
				out, list := p.Annotate(v, Scoring{Event: event, Namespace: word, Criteria: criteria, Labels: []string{word}, PR: 7})
				checkKnown(t, list)
				if list == nil {
					checkDocument(t, out)
				}
			}
		}
	})
}

func FuzzPlan(f *testing.F) {
	for _, head := range []string{
		entryText("k"), entryText(`"*"`, "all-evals: true"), entryText("k", "append-only: true"), entryText("k", "evals-only: true") + "\n" + entryText("k"),
		entryText("k", "scenario-type: [agentic-coding]"), entryText("k", "eval-min-prefill-ep: 2"), entryText("k", "no-evals: true"), "- config-keys: [k?]\n", "",
	} {
		for _, text := range []string{okSingle, okAgentic, okMulti} {
			f.Add([]byte(oldEntry), []byte(oldEntry+"\n"+head), []byte(text))
		}
	}
	f.Add([]byte(""), []byte(entryText("toy-fp8-gx100-agg")), []byte(nextAggregate))
	f.Add([]byte("[]\n"), []byte(entryText(`"toy*"`)), []byte(nextSingle+nextMulti))
	all := fuzzSettings(f)
	f.Fuzz(func(t *testing.T, base, head, text []byte) {
		if len(base)+len(head)+len(text) > 1<<14 {
			return
		}
		for _, s := range all {
			runners := toyLabels + toyClusters
			if !s.Matrix.Clusters {
				runners = toyLabels + toyHardware
			}
			was := recipeFiles().with(amdFile, okSingle, nvidiaFile, "{}", runnersFile, runners)
			is := was.with(amdFile, string(text))
			was[changelogFile], is[changelogFile] = string(base), string(head)
			change := Change{Base: Revision{Ref: "b", Files: was}, Head: Revision{Ref: "h", Files: is}, PR: changelog.PR(7)}
			p, list := NewPlan(s, change)
			checkKnown(t, list)
			if (p == nil) != list.Refused() {
				t.Fatalf("plan %v, findings %v", p, list)
			}
			if p == nil {
				continue
			}
			checkDocument(t, p.Reference())
			families, list := Families(p, s.Sweep)
			checkKnown(t, list)
			for _, family := range families {
				_, list := family.Shards(s.Limits)
				checkKnown(t, list)
			}
			PickCanary(p, s.Sweep)
		}
	})
}
