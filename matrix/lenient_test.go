package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// spec/matrix.md section 5: with lenient types the source value flows into the
// generator's row and the fingerprint, its coerced form into the document.
func TestLenientValuesFlow(t *testing.T) {
	for _, c := range []struct{ field, text, old, new, generator, document string }{
		{"tp", okSingle, "tp: 4", `tp: "4"`, `"4"`, "4"},
		{"tp", okSingle, "tp: 4", `tp: " 1_6 "`, `" 1_6 "`, "16"},
		{"tp", okSingle, "tp: 4", "tp: 4.0", "4.0", "4"},
		{"tp", okSingle, "tp: 4", "tp: true", "true", "1"},
		{"ep", okSingle, "tp: 4", "tp: 4, ep: 2.0", "2.0", "2"},
		{"dp-attn", okSingle, "tp: 4", `tp: 4, dp-attn: "yes"`, `"yes"`, "true"},
		{"dp-attn", okSingle, "tp: 4", "tp: 4, dp-attn: 0", "0", "false"},
		{"isl", okSingle, "isl: 8192", "isl: 8192.0", "8192.0", "8192"},
		{"disagg", okMulti, "disagg: true", "disagg: 1", "1", "true"},
	} {
		files := augustFiles().with(amdFile, swap(t, c.text, c.old, c.new), nvidiaFile, "{}")
		p := mustPlan(t, reference(t), changeOf(files, files, entryText("k")))
		row := throughput(p)[0]
		got, _ := row.Generator().Get(c.field)
		same(t, c.new+", generator", c.generator, compact(got))
		got, _ = row.Document().Get(c.field)
		same(t, c.new+", document", c.document, compact(got))
		same(t, c.new+", fingerprint", fingerprint(row.Generator()), row.Fingerprint)
	}
	// A float length makes a float of what is computed from it.
	files := augustFiles().with(amdFile, swap(t, okSingle, "isl: 8192", "isl: 8192.0"), nvidiaFile, "{}")
	row := mustRows(t, reference(t), files, Request{})[0]
	length, _ := row.Generator().Get("max-model-len")
	same(t, "max-model-len", "9472.0", compact(length))
	same(t, "bucket", "8k1k", row.Bucket())
}

// What the reference accepts and then fails on: a finding of the expansion,
// with its place.
func TestAcceptedThenFails(t *testing.T) {
	const singleEntry = "- { tp: 4, conc-list: [16] }"
	for _, c := range []struct {
		name, text string
		swaps      []string
		want       string
	}{
		{"length as text", okSingle, []string{"isl: 8192", `isl: §"8192"`}, "matrix.length-as-text"},
		{"concurrency as text", okSingle, []string{"[16]", `[§"16"]`}, "matrix.conc-as-text"},
		{"range as text", okSingle, []string{singleEntry, `- { tp: 4, conc-start: §"1", conc-end: 2 }`}, "matrix.conc-as-text"},
		{"agentic concurrency as text", okAgentic, []string{"[16]", `[§"16"]`}, "matrix.conc-as-text"},
		{"tp as text with a budget", okAgentic, []string{"- { tp: 4", `- §{ tp: "4"`}, "matrix.tp-as-text"},
		{"null list next to a range", okSingle, []string{singleEntry, "- §{ tp: 4, conc-list: null, conc-start: 1, conc-end: 2 }"}, "matrix.null-conc-list"},
		{"null scenario", okSingle, []string{"    fixed", "    agentic-coding: §null\n    fixed"}, "matrix.null-scenario"},
		{"null offloading", okMultiAgentic, []string{"- conc", "- §kv-offloading: null\n        conc"}, "matrix.null-offloading"},
		{"hidden list", okSingle, []string{singleEntry, "- §{ tp: 4, conc_list: [16] }"}, "matrix.hidden-field"},
		{"hidden range", okSingle, []string{singleEntry, "- §{ tp: 4, conc_start: 1, conc_end: 2 }"}, "matrix.hidden-field"},
		{"hidden offloading", okAgentic, []string{"- { tp: 4, kv-offloading:", "- §{ tp: 4, kv_offloading:"}, "matrix.hidden-field"},
		{"hidden prefix", okSingle, []string{"  image", "  §image", "model-prefix", "model_prefix"}, "matrix.hidden-field"},
		{"hidden search space", okSingle, []string{"isl", "§isl", "search-space", "search_space"}, "matrix.hidden-field"},
		{"hidden worker field", okMultiAgentic, []string{"- conc", "- §conc", "num-worker: 1", "num_worker: 1"}, "matrix.hidden-worker-field"},
		{"single-node agentic with workers", strings.Replace(okMultiAgentic, "multinode: true\n  disagg: true\n  kv-p2p-transfer: nixl", "multinode: false", 1), []string{"- conc", "- §conc"}, "matrix.single-node-without-tp"},
		{"multi-node agentic with tp", strings.Replace(okAgentic, "multinode: false", "multinode: true", 1), []string{"- { tp", "- §{ tp"}, "matrix.multi-node-without-workers"},
	} {
		text, places := marked(swap(t, c.text, c.swaps...))
		s := reference(t)
		if problems := loadCodes(t, s, text); problems != nil {
			t.Errorf("%s: the schema refuses it: %v", c.name, problems)
			continue
		}
		_, list := Generate(s, augustFiles().with(amdFile, strings.Replace(text, "cluster:c", "cluster:gx100-a", 1), nvidiaFile, "{}"), Request{})
		got := codes(t, list)
		if len(got) == 0 {
			t.Errorf("%s: generated", c.name)
			continue
		}
		same(t, c.name, places[0]+" "+c.want, got[0])
		if !strings.HasPrefix(list[0].Category, "unhandled-") {
			t.Errorf("%s: category %s", c.name, list[0].Category)
		}
	}
}

// spec/matrix.md section 5: underscore spellings pass the schema and are
// invisible to the expansion.
func TestHiddenFields(t *testing.T) {
	for _, c := range []struct{ name, text, old, new, field, want string }{
		{"spec-decoding", okSingle, "tp: 4", "tp: 4, spec_decoding: mtp", "spec-decoding", `"none"`},
		{"dcp-size", okSingle, "tp: 4", "tp: 4, dcp_size: 2", "dcp-size", "1"},
		{"pcp-size", okSingle, "tp: 4", "tp: 4, pcp_size: 2", "pcp-size", "1"},
		{"dp-attn", okSingle, "tp: 4", "tp: 4, dp_attn: true", "dp-attn", "false"},
		{"conc-list next to a range", okSingle, "conc-list: [16]", "conc_list: [], conc-start: 2, conc-end: 2", "conc", "2"},
		{"conc-start next to a list", okSingle, "conc-list: [16]", "conc-list: [16], conc_start: 1", "conc", "16"},
	} {
		files := augustFiles().with(amdFile, swap(t, c.text, c.old, c.new), nvidiaFile, "{}")
		v, _ := mustRows(t, reference(t), files, Request{})[0].Document().Get(c.field)
		same(t, c.name, c.want, compact(v))
	}
	// A hidden scenario yields nothing.
	hidden := augustFiles().with(amdFile, swap(t, okSingle, "fixed-seq-len", "fixed_seq_len"), nvidiaFile, "{}")
	same(t, "scenario", 0, len(mustRows(t, reference(t), hidden, Request{})))
	// A hidden transfer of the config is none.
	transfer := augustFiles().with(amdFile, swap(t, okMulti, "kv-p2p-transfer", "kv_p2p_transfer"), nvidiaFile, "{}")
	_, list := Generate(reference(t), transfer, Request{})
	same(t, "transfer", []string{"1:1 matrix.r10-disagg-needs-transfer"}, codes(t, list))
}

// spec/matrix.md section 6.3: an empty list next to a range, in the three
// places that look at it.
func TestEmptyConcList(t *testing.T) {
	single := swap(t, okSingle, "conc-list: [16]", "conc-list: [], conc-start: 2, conc-end: 4")
	double := swap(t, okMulti, "conc-list: [16]", "conc-list: []\n        conc-start: 2\n        conc-end: 4")
	files := augustFiles().with(amdFile, single, nvidiaFile, strings.Replace(double, "k:\n", "m:\n", 1))
	same(t, "test-config", "[]", generated(t, reference(t), files, CommandTestConfig, "--config-keys k m --no-evals"))
	same(t, "full-sweep", "2 4 [2,4]", generated(t, reference(t), files, CommandFullSweep, "--no-evals"))
	agentic := augustFiles().with(amdFile, swap(t, okAgentic, "conc-list: [16]", "conc-list: [], conc-start: 2, conc-end: 4", "cluster:c", "cluster:gx100-a"), nvidiaFile, "{}")
	same(t, "agentic", "2 4", generated(t, reference(t), agentic, CommandTestConfig, "--config-keys k --no-evals"))
	same(t, "without the switch", "matrix.empty-conc-list", generated(t, august(t), files, CommandFullSweep, ""))
}

// A multi-node row without a concurrency survives every selection.
func TestRowWithoutConcurrency(t *testing.T) {
	double := swap(t, okMulti, "conc-list: [16]", "conc-list: []\n        conc-start: 2\n        conc-end: 4")
	s := reference(t, func(s *config.Settings) { s.Sweep.UndispatchedBuckets = config.UndispatchedRefuse })
	files := augustFiles().with(amdFile, double, nvidiaFile, "{}")
	for _, mode := range []Modifiers{{}, {Trim: true}, {AllEvals: true}, {EvalsOnly: true}} {
		change := changeOf(files, files, entryText("k"))
		change.Modifiers = mode
		p := mustPlan(t, s, change)
		PickCanary(p, s.Sweep)
		p.Reference()
	}
}
