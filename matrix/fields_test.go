package matrix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// A field of a config, with the place where its value stands.
type fieldCase struct {
	name, text, old, new string // new has %s for the value
}

// The kinds of spec/matrix.md section 5: values, and whether strict and
// lenient reading accepts them.
var fieldKinds = map[string][]struct {
	value           string
	strict, lenient bool
}{
	"int": {
		{"4", true, true}, {"0x10", true, true}, {"1_000", true, true}, {"010", true, true}, {"+8", true, true},
		{"true", false, true}, {"4.0", false, true}, {`"4"`, false, true}, {`" +4 "`, false, true}, {`"1_000"`, false, true}, {`"4.0"`, false, true}, {"1e3", false, false},
		{"4.5", false, false}, {"x", false, false}, {"[4]", false, false}, {"{ a: 4 }", false, false}, {"2026-11-01", false, false}, {".nan", false, false}, {".inf", false, false},
		{`"4_"`, false, false}, {`"1__0"`, false, false}, {`"4.5"`, false, false}, {`""`, false, false}, {`"--4"`, false, false}, {"0o10", false, false}, {"08", false, true},
		{"3000000000", false, false}, {`"9999999999999999999999"`, false, false},
	},
	"strict int": {
		{"1", true, true}, {"2", true, true},
		{"0", false, false}, {"-1", false, false}, {"true", false, false}, {"1.0", false, false}, {`"1"`, false, false}, {"x", false, false}, {"[1]", false, false},
	},
	"bool": {
		{"true", true, true}, {"false", true, true}, {"yes", true, true}, {"Off", true, true},
		{"1", false, true}, {"0", false, true}, {"1.0", false, true}, {`"true"`, false, true}, {`"No"`, false, true}, {"y", false, true}, {`"T"`, false, true},
		{"2", false, false}, {`"2"`, false, false}, {"x", false, false}, {"[true]", false, false}, {"0.5", false, false},
	},
	"strict bool": {
		{"true", true, true}, {"false", true, true},
		{"1", false, false}, {"0.0", false, false}, {`"true"`, false, false}, {"null", false, false}, {"[]", false, false},
	},
	"float": {
		{"0.5", true, true}, {"1", true, true}, {"1.0e-1", true, true}, {".5", true, true},
		{"true", false, true}, {`"0.5"`, false, true}, {`" 0.5 "`, false, true},
		{"0", false, false}, {"1.5", false, false}, {"-0.5", false, false}, {".nan", false, false}, {".inf", false, false}, {"1e-1", false, true}, {"x", false, false}, {"[0.5]", false, false},
	},
	"string": {
		{"x", true, true}, {`"1"`, true, true}, {"1.0.0", true, true},
		{"1", false, false}, {"1.0", false, false}, {"true", false, false}, {"null", false, false}, {"[x]", false, false}, {"{ a: x }", false, false}, {"2026-11-01", false, false},
	},
	"filled string": {
		{"x", true, true}, {`""`, false, false}, {"1.0", false, false}, {"true", false, false}, {"[x]", false, false},
	},
	"choice": {
		{"mtp", true, true}, {"draft_model", true, true}, {"none", true, true},
		{"MTP", false, false}, {"null", false, false}, {"1", false, false}, {`""`, false, false}, {"[mtp]", false, false},
	},
	"mapping": {
		{"1", false, false}, {"x", false, false}, {"[1]", false, false},
	},
	"list": {
		{"1", false, false}, {"x", false, false}, {"{ a: 1 }", false, false},
	},
}

func TestFieldTypes(t *testing.T) {
	const single, worker = "{ tp: 4, conc-list: [16] }", "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false }"
	entry := func(name string) fieldCase {
		return fieldCase{name, okSingle, single, "{ tp: 4, conc-list: [16], " + name + ": %s }"}
	}
	inWorker := func(name string) fieldCase {
		return fieldCase{"prefill." + name, okMulti, worker, "{ num-worker: 1, tp: 4, ep: 1, dp-attn: false, " + name + ": %s }"}
	}
	for kind, fields := range map[string][]fieldCase{
		"int": {
			{"isl", okSingle, "isl: 8192", "isl: %s"}, {"osl", okSingle, "osl: 1024", "osl: %s"},
			{"tp", okSingle, "tp: 4", "tp: %s"}, entry("ep"),
			{"prefill.num-worker", okMulti, "num-worker: 1", "num-worker: %s"}, {"prefill.tp", okMulti, "tp: 4", "tp: %s"}, {"prefill.ep", okMulti, "ep: 1", "ep: %s"},
			{"agentic tp", okAgentic, "tp: 4", "tp: %s"},
		},
		"strict int": {entry("pp"), entry("dcp-size"), entry("pcp-size"), inWorker("pp"), inWorker("dcp-size"), inWorker("pcp-size")},
		"bool":       {entry("dp-attn"), {"disagg", okMulti, "disagg: true", "disagg: %s"}, {"decode.dp-attn", okMulti, "dp-attn: true", "dp-attn: %s"}},
		"float":      {{"dram-utilization", okAgentic, "dram-utilization: 0.5", "dram-utilization: %s"}},
		"string": {
			{"image", okSingle, "image: i", "image: %s"}, {"model", okSingle, "model: m", "model: %s"}, {"model-prefix", okSingle, "model-prefix: p", "model-prefix: %s"},
			{"precision", okSingle, "precision: fp8", "precision: %s"}, {"framework", okSingle, "framework: f", "framework: %s"}, {"runner", okSingle, "runner: cluster:c", "runner: %s"},
		},
		"filled string": {
			{"kv-p2p-transfer", okMulti, "kv-p2p-transfer: nixl", "kv-p2p-transfer: %s"}, inWorker("hardware"),
			{"backend name", okAgentic, "name: b", "name: %s"},
			{"router name", okSingle, "  scenarios:", "  router: { version: v, name: %s }\n  scenarios:"},
			{"router version", okSingle, "  scenarios:", "  router: { name: v, version: %s }\n  scenarios:"},
			{"backend version", okAgentic, "name: b", "name: b, version: %s"},
		},
		"choice":  {entry("spec-decoding")},
		"mapping": {entry("router"), {"prefill", okMulti, worker, "%s"}, {"entry", okSingle, single, "%s"}, {"scenarios", strings.SplitAfter(okSingle, "scenarios:")[0], "scenarios:", "scenarios: %s"}, {"block", okSingle, "- isl: 8192\n      osl: 1024\n      search-space:\n      - { tp: 4, conc-list: [16] }", "- %s"}},
		"list":    {{"search-space", okSingle, "\n      - { tp: 4, conc-list: [16] }", " %s"}, {"conc-list", okSingle, "conc-list: [16]", "conc-list: %s"}, inWorker("additional-settings"), {"fixed-seq-len", okSingle, "\n    - isl: 8192\n      osl: 1024\n      search-space:\n      - { tp: 4, conc-list: [16] }", " %s"}},
	} {
		for _, f := range fields {
			for _, v := range fieldKinds[kind] {
				for _, lenient := range []bool{false, true} {
					checkField(t, f, v.value, lenient, v.strict && !lenient || v.lenient && lenient)
				}
			}
		}
	}
}

// checkField puts a value into a field; a refusal must name the place of the
// value.
func checkField(t *testing.T, f fieldCase, value string, lenient, accepted bool) {
	t.Helper()
	s := august(t, func(s *config.Settings) { s.Matrix.LenientTypes = lenient })
	text, places := marked(swap(t, f.text, f.old, fmt.Sprintf(f.new, marker+value)))
	got := loadCodes(t, s, text)
	// Rules about other fields may follow from a value that is accepted.
	got = slices.DeleteFunc(got, func(code string) bool {
		return strings.Contains(code, "r3-tp") || strings.Contains(code, "r5-") || strings.Contains(code, "r10-") || strings.Contains(code, "r13-") || strings.Contains(code, "r1-") || strings.Contains(code, "r2-missing")
	})
	if accepted != (len(got) == 0) {
		t.Errorf("%s: %s, lenient %v: accepted is %v, findings %v", f.name, value, lenient, !accepted, got)
		return
	}
	if !accepted && !strings.HasPrefix(got[0], places[0]+" matrix.") {
		t.Errorf("%s: %s: finding %s, the value stands at %s", f.name, value, got[0], places[0])
	}
}

// The fields of the newest layout.
func TestNewestFieldTypes(t *testing.T) {
	const aggregate = "{ tp: 4, ep: 1, dp-attn: false }"
	in := func(name string) fieldCase {
		return fieldCase{"worker." + name, nextAggregateOK, aggregate, "{ tp: 4, ep: 1, dp-attn: false, " + name + ": %s }"}
	}
	check := func(kind string, f fieldCase) {
		for _, v := range fieldKinds[kind] {
			text, places := marked(swap(t, f.text, f.old, fmt.Sprintf(f.new, marker+v.value)))
			got := loadCodes(t, newest(t), text)
			if v.strict != (len(got) == 0) {
				t.Errorf("%s: %s: %v", f.name, v.value, got)
			} else if !v.strict && !strings.HasPrefix(got[0], places[0]+" ") {
				t.Errorf("%s: %s: %v, the value stands at %s", f.name, v.value, got, places[0])
			}
		}
	}
	check("strict int", fieldCase{"num-nodes", nextAggregateOK, "num-nodes: 2", "num-nodes: %s"})
	check("strict int", in("num-worker"))
	check("strict bool", fieldCase{"power", nextAggregateOK, "num-nodes: 2", "num-nodes: 2\n        power: %s"})
	check("strict bool", fieldCase{"require-power", nextAggregateOK, "osl: 1024", "osl: 1024\n      require-power: %s"})
	check("filled string", fieldCase{"srt-recipe", nextAggregateOK, "r.yaml", "%s"})
	check("filled string", fieldCase{"srt-recipe-dir", nextAggregateOK, "srt-recipe-dir: d", "srt-recipe-dir: %s"})
}

// Required fields, and fields that are not known, at every level.
func TestFieldNames(t *testing.T) {
	const single = "{ tp: 4, conc-list: [16] }"
	for _, b := range []broken{
		{"image", okSingle, []string{"  image", "  §image", "image: i\n  ", ""}, []string{"matrix.missing-field"}},
		{"multinode", okSingle, []string{"  image", "  §image", "  multinode: false\n", ""}, []string{"matrix.missing-field"}},
		{"scenarios", okSingle, []string{"  image", "  §image", strings.SplitAfterN(okSingle, "false\n", 2)[1], ""}, []string{"matrix.missing-field"}},
		{"isl", okSingle, []string{"isl: 8192\n      osl", "§osl"}, []string{"matrix.missing-field"}},
		{"search-space", okSingle, []string{"isl", "§isl", "\n      search-space:\n      - " + single, ""}, []string{"matrix.missing-field"}},
		{"agentic search-space", okAgentic, []string{"dram-ut", "§dram-ut", "\n      search-space:\n      - " + agenticEntry, ""}, []string{"matrix.missing-field"}},
		{"tp", okSingle, []string{single, "§{ conc-list: [16] }"}, []string{"matrix.missing-field"}},
		{"tp null", okSingle, []string{single, "{ tp: §null, conc-list: [16] }"}, []string{"matrix.wrong-type"}},
		{"prefill", okMulti, []string{"      - conc", "      - §conc", "        prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false }\n", ""}, []string{"matrix.missing-field"}},
		{"decode", okMulti, []string{"      - conc", "      - §conc", "        decode: { num-worker: 2, tp: 8, ep: 2, dp-attn: true }\n", ""}, []string{"matrix.missing-field"}},
		{"worker fields", okMulti, []string{"{ num-worker: 1, tp: 4, ep: 1, dp-attn: false }", "§{}"}, []string{"matrix.missing-field", "17:18 matrix.missing-field", "17:18 matrix.missing-field", "17:18 matrix.missing-field"}},
		{"router version", okSingle, []string{"  scen", "  router: §{ name: a }\n  scen"}, []string{"matrix.missing-field"}},
		{"router image", okSingle, []string{"  scen", "  router: { name: a, version: §\"image:x\" }\n  scen"}, []string{"matrix.component-version-is-image"}},
		{"router image tag", okSingle, []string{"  scen", "  router: { name: a, version: repo/img:tag }\n  scen"}, nil},
		{"backend without version", okAgentic, []string{"{ name: b }", "{ name: b, version: null }"}, nil},
		{"backend image", okAgentic, []string{"{ name: b }", "{ name: b, version: §\"image:x\" }"}, []string{"matrix.component-version-is-image"}},

		{"top", okSingle, []string{"  scen", "  §zzzzzz: 1\n  scen"}, []string{"matrix.unknown-field"}},
		{"top, close", okSingle, []string{"  scen", "  §imagee: 1\n  scen"}, []string{"matrix.unknown-field-near"}},
		{"top, number", okSingle, []string{"  scen", "  §1: 1\n  scen"}, []string{"matrix.unknown-field"}},
		{"transfer on one node", okSingle, []string{"  scen", "  §kv-p2p-transfer: nixl\n  scen"}, []string{"matrix.unknown-field"}},
		{"recipes in the older layout", okSingle, []string{"  scen", "  §srt-recipe-dir: d\n  scen"}, []string{"matrix.unknown-field"}},
		{"scenario", okSingle, []string{"    fixed", "    §other: []\n    fixed"}, []string{"matrix.unknown-field"}},
		{"block", okSingle, []string{"      osl", "      §require-power: true\n      osl"}, []string{"matrix.unknown-field"}},
		{"agentic block", okAgentic, []string{"      search", "      §trace-source: x\n      §duration: 1\n      search"}, []string{"matrix.unknown-field", "matrix.unknown-field"}},
		{"entry", okSingle, []string{single, "{ tp: 4, conc-list: [16], §num-nodes: 1, §kv-offloading: none }"}, []string{"matrix.unknown-field", "matrix.unknown-field"}},
		{"worker", okMulti, []string{"tp: 4,", "tp: 4, §zz-zz: 1,"}, []string{"matrix.unknown-field"}},
		{"router", okSingle, []string{"  scen", "  router: { name: a, version: b, §zzzzzz: c }\n  scen"}, []string{"matrix.unknown-field"}},
		{"underscore", okSingle, []string{"conc-list", "§conc_list"}, []string{"14:9 matrix.r2-missing", "matrix.unknown-field-near"}},

		{"single-node disagg", okSingle, []string{"  scen", "  disagg: §true\n  scen"}, []string{"matrix.disagg-single-node"}},
		{"single-node disagg false", okSingle, []string{"  scen", "  disagg: false\n  scen"}, nil},
		// Text picks the multi-node schema, which the entry breaks as well.
		{"multinode text", okSingle, []string{"multinode: false", `multinode: §"false"`}, []string{"matrix.bad-value", "14:9 matrix.missing-field", "14:9 matrix.missing-field", "14:11 matrix.unknown-field"}},
		{"multinode number", okSingle, []string{"multinode: false", "multinode: §0"}, []string{"matrix.bad-value"}},
		{"settings", okMulti, []string{"tp: 4,", "tp: 4, additional-settings: [a, §1, §null],"}, []string{"matrix.wrong-type", "matrix.wrong-type"}},
	} {
		b.run(t, august(t))
	}
}

// Messages of close names show the name that was meant.
func TestSuggestions(t *testing.T) {
	_, list := Load([]Source{{masterName, []byte(swap(t, okSingle, "image: i", "imge: i", "conc-list", "conc_list"))}}, rulesOf(august(t)), false)
	var got []string
	for _, f := range list {
		if strings.HasSuffix(f.Code, "-near") {
			got = append(got, f.Error())
		}
	}
	same(t, "findings", []string{
		"configs/m.yaml:14:18: k.scenarios.fixed-seq-len.0.search-space.0.conc_list: field 'conc_list' is not known here [matrix.unknown-field-near] - did you mean 'conc-list'?",
		"configs/m.yaml:2:3: k.imge: field 'imge' is not known here [matrix.unknown-field-near] - did you mean 'image'?",
	}, got)
}
