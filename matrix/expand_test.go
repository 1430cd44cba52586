package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// spec/matrix.md section 6.11, the first row byte for byte.
func TestWorkedRow(t *testing.T) {
	rows := mustRows(t, august(t), augustFiles(), Request{Keys: []string{"toy-fp4-nv4-dyn-disagg"}, Filter: Filter{Scenarios: ScenarioSet(AgenticCoding)}})
	want := `{"image": "example/dyn:v2", "model": "acme/Toy-7B", "model-prefix": "toy", "precision": "fp4", "framework": "dynamo-vllm", "runner": "cluster:nv4", "spec-decoding": "none", "prefill": {"num-worker": 1, "tp": 2, "pp": 1, "ep": 1, "dp-attn": false, "dcp-size": 1, "pcp-size": 1}, "decode": {"num-worker": 3, "tp": 4, "ep": 4, "dp-attn": true, "pp": 1, "dcp-size": 1, "pcp-size": 1}, "conc": [2], "kv-offloading": "dram", "total-cpu-dram-gb": 1124, "duration": 3600, "exp-name": "toy_p1x2_d3x4ep4dpa_conc2_kvdram-mooncake", "disagg": true, "scenario-type": "agentic-coding", "kv-offload-backend": {"name": "mooncake", "version": "0.3.13"}, "router": {"name": "dyn", "version": "1.0.0"}, "kv-p2p-transfer": "nixl"}`
	same(t, "row", want, spaced(rows[0].Generator()))
	same(t, "rows", "[2] [16]", briefs(rows))
}

// spec/matrix.md section 6.3, the table of ranges, and 6.2.
func TestConcurrencyRanges(t *testing.T) {
	for _, c := range []struct {
		start, end, step int64
		want             string
	}{
		{4, 50, 2, "4 8 16 32 50"},
		{8, 20, 2, "8 16 20"},
		{4, 50, 3, "4 12 36 50"},
		{8, 8, 2, "8"},
		{1, 1, 2, "1"},
		{1, 1024, 2, "1 2 4 8 16 32 64 128 256 512 1024"},
		// Steps that leave the numbers do not wrap around.
		{4, 1000, 1 << 62, "4 1000"},
		{3, 1 << 62, 1 << 61, "3 4611686018427387904"},
	} {
		var got []string
		for _, conc := range span(yamlpos.NewInt(c.start), yamlpos.NewInt(c.end), c.step) {
			got = append(got, conc.text)
		}
		same(t, fmt.Sprintf("%d..%d step %d", c.start, c.end, c.step), c.want, strings.Join(got, " "))
	}
}

func TestSequenceNames(t *testing.T) {
	for _, c := range []struct {
		isl, osl int64
		want     string
	}{{1024, 1024, "1k1k"}, {8192, 1024, "8k1k"}, {2048, 128, "2048_128"}, {1024, 8192, "1024_8192"}, {0, 0, "0_0"}} {
		same(t, "name", c.want, seqName(&FixedSeq{ISL: yamlpos.NewInt(c.isl), OSL: yamlpos.NewInt(c.osl)}))
	}
}

// spec/matrix.md section 6.1 and the nesting of sections 6.6 to 6.9: configs,
// then fixed blocks before agentic ones, whatever their order in the file;
// concurrency before runner, but runner first on multi-node agentic rows.
func TestTraversalOrder(t *testing.T) {
	files := augustFiles().with(amdFile, `b:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:gx100-a
  multinode: false
  scenarios:
    agentic-coding:
    - search-space:
      - { tp: 1, kv-offloading: none, conc-list: [2, 1] }
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 1, conc-list: [8, 8, 4] }
      - { tp: 2, conc-list: [1] }
`, nvidiaFile, strings.ReplaceAll(toyMulti, "cluster:nv4", "cluster:gx100-a")+strings.Replace(toySingle, "toy-fp8", "a-fp8", 1))
	show := func(r Request) string {
		var out []string
		for _, row := range mustRows(t, august(t), files, r) {
			node := strings.TrimPrefix(row.Runner, "cluster:gx100-a")
			out = append(out, fmt.Sprintf("%s/%s%s%s", row.Config.Key[:1], row.Bucket(), brief(row), node))
		}
		return strings.Join(out, " ")
	}
	same(t, "full-sweep", "b/1k1k8 b/1k1k8 b/1k1k4 b/1k1k1 b/agentic2 b/agentic1 t/8k1k[8,64,32] t/agentic[2] t/agentic[16] "+
		"a/1k1k4gx100 a/1k1k8gx100 a/1k1k16gx100 a/1k1k32gx100 a/1k1k50gx100 a/8k1k4gx100 a/8k1k16gx100 a/8k1k64gx100",
		show(Request{Evals: EvalNone, Filter: Filter{FullSweep: true, StepSize: 2}}))
	same(t, "requested order", "a/8k1k4gx100 a/8k1k16gx100 a/8k1k64gx100 t/8k1k[8,64,32]",
		show(Request{Keys: []string{"a-*", "t*", "a-fp8-gx100-vllm"}, Filter: Filter{SeqLens: []string{"8k1k"}, Scenarios: ScenarioSet(FixedSeqLen)}}))
	same(t, "concurrency outside, runner inside", "b/agentic2gx100-a_00 b/agentic2gx100-a_01 b/agentic1gx100-a_00 b/agentic1gx100-a_01",
		show(Request{Keys: []string{"b"}, Filter: Filter{Node: "_0", Scenarios: ScenarioSet(AgenticCoding)}}))
	same(t, "runner outside, concurrency inside", "t/agentic[2]gx100-a_00 t/agentic[16]gx100-a_00 t/agentic[2]gx100-a_01 t/agentic[16]gx100-a_01",
		show(Request{Keys: []string{"toy-fp4-nv4-dyn-disagg"}, Filter: Filter{Node: "_0", Scenarios: ScenarioSet(AgenticCoding)}}))
}

// spec/matrix.md section 6.5: an explicit null in an entry suppresses the
// value of the config.
func TestComponentsOfEntries(t *testing.T) {
	text := strings.Replace(toySingle, "  multinode: false\n", "  multinode: false\n  router: { name: top, version: v1 }\n", 1)
	for _, c := range []struct{ name, entry, want string }{
		{"absent", "", "top"},
		{"null", "router: null, ", ""},
	} {
		files := augustFiles().with(nvidiaFile, strings.Replace(text, "{ tp: 4, ", "{ tp: 4, "+c.entry, 1))
		row := mustRows(t, august(t), files, Request{Keys: []string{"toy-fp8-gx100-vllm"}})[0]
		got := ""
		if r := row.Router(); r != nil {
			got = r.Name
		}
		same(t, c.name, c.want, got)
		if _, written := row.Generator().Get("router"); written != (c.want != "") {
			t.Errorf("%s: router in the row: %v", c.name, written)
		}
	}
}

// spec/matrix.md sections 6.8 and 6.9: the names of agentic rows.
func TestAgenticNames(t *testing.T) {
	rows := mustRows(t, august(t), augustFiles(), Request{Filter: Filter{Scenarios: ScenarioSet(AgenticCoding)}})
	var names []string
	for _, r := range rows {
		names = append(names, r.ExpName)
	}
	same(t, "names", []string{
		"toy_tp4_conc1_kvdram-hicache", "toy_tp4_conc4_kvdram-hicache",
		"toy_tp8_conc8_kvnone_spec-mtp", "toy_tp8_conc16_kvnone_spec-mtp", "toy_tp8_conc20_kvnone_spec-mtp",
		"toy_p1x2_d3x4ep4dpa_conc2_kvdram-mooncake", "toy_p1x2_d3x4ep4dpa_conc16_kvdram-mooncake",
	}, names)
}

// spec/matrix.md section 6.4: the two blocks of an aggregate worker.
func TestAggregateWorkerBlocks(t *testing.T) {
	row := mustRows(t, newest(t), recipeFiles(), Request{Keys: []string{"toy-fp8-gx100-agg"}})[0].Generator()
	prefill, _ := row.Get("prefill")
	decode, _ := row.Get("decode")
	same(t, "prefill", `{"num-worker":1,"tp":16,"ep":1,"dp-attn":false,"additional-settings":["A=1"],"pp":1,"dcp-size":1,"pcp-size":1}`, compact(prefill))
	same(t, "decode", `{"num-worker":0,"tp":16,"ep":1,"dp-attn":false,"pp":1,"dcp-size":1,"pcp-size":1}`, compact(decode))
}

// The keys of the generator's rows in order, spec/matrix.md sections 6.6 to
// 6.9. A "?" marks what a row may lack, "+" what only the newest rows have.
func TestGeneratorFieldOrder(t *testing.T) {
	shapes := map[string]string{
		"A": "image model model-prefix precision framework runner isl osl tp pp dcp-size pcp-size conc max-model-len ep dp-attn spec-decoding srt-recipe+ exp-name disagg run-eval router?",
		"B": "image model model-prefix precision framework runner isl osl require-power+? spec-decoding prefill decode conc max-model-len srt-recipe+ eval-srt-recipe+? exp-name disagg run-eval router? kv-p2p-transfer? node-count+ power+?",
		"C": "image model model-prefix precision framework runner tp pp dcp-size pcp-size ep dp-attn spec-decoding conc srt-recipe+ kv-offloading total-cpu-dram-gb duration exp-name scenario-type kv-offload-backend? router?",
		"D": "image model model-prefix precision framework runner spec-decoding prefill decode conc srt-recipe+ eval-srt-recipe+? kv-offloading total-cpu-dram-gb duration exp-name disagg scenario-type kv-offload-backend? router? kv-p2p-transfer? node-count+ power+?",
	}
	seen := make(map[string]bool)
	for _, era := range []struct {
		newest bool
		s      config.Settings
		files  memFiles
	}{{false, august(t), augustFiles()}, {true, newest(t), recipeFiles()}} {
		for _, r := range mustRows(t, era.s, era.files, Request{Evals: EvalNone}) {
			seen[fmt.Sprint(shape(r), era.newest)] = true
			checkOrder(t, shapes[shape(r)], era.newest, r.Generator())
		}
	}
	if len(seen) != 8 {
		t.Errorf("the toy files cover only %v", seen)
	}
}

// shape is the letter of the row's type in spec/matrix.md section 6.
func shape(r *Row) string {
	switch {
	case r.Agentic() && r.Multinode():
		return "D"
	case r.Agentic():
		return "C"
	case r.Multinode():
		return "B"
	}
	return "A"
}
