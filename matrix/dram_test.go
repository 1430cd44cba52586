package matrix

import (
	"fmt"
	"testing"
)

// spec/matrix.md section 7, the table.
func TestDRAMBudget(t *testing.T) {
	const backend = "kv-offloading: dram, kv-offload-backend: { name: h }"
	single := func(tp string) string { return "tp: " + tp + ", " + backend }
	prefill := func(sizes string) string {
		return backend + ", prefill: { num-worker: 3, " + sizes + ", ep: 1, dp-attn: false }, decode: { num-worker: 1, tp: 64, ep: 1, dp-attn: false }"
	}
	for _, c := range []struct {
		mib, gpus   int
		utilization string
		entry       string
		multi       bool
		want        int64
		code        string
	}{
		{2_000_000, 8, "0.8", single("4"), false, 838, ""},
		{2_000_000, 8, "0.8", single("8"), false, 1677, ""},
		{3_095_781, 8, "1.0", single("8"), false, 2999, ""},
		{3_095_781, 8, "1.0", single("4"), false, 1499, ""},
		{3_095_781, 8, "1", single("4"), false, 1499, ""},
		{3_095_781, 8, "0.14", single("4"), false, 209, ""},
		{860_160, 4, "0.8", prefill("tp: 4, pp: 2"), true, 721, ""},
		{860_160, 4, "0.8", prefill("tp: 1"), true, 180, ""},
		{860_160, 4, "0.8", prefill("tp: 1, dcp-size: 1"), true, 180, ""},
		{1_000_000, 3, "0.7", single("2"), false, 489, ""},
		{3_000_000, 4, "0.75", prefill("tp: 2"), true, 1124, ""},
		{2_000_000, 8, "0.8", single("16"), false, 0, "matrix.dram-tp-exceeds-node"},
		{2_000_000, 8, "0.8", "tp: 16, kv-offloading: none", false, 0, ""},
		{3_000_000, 4, "0.75", prefill("tp: 6"), true, 0, "matrix.dram-worker-span"},
		{3_000_000, 4, "0.75", prefill("tp: 3"), true, 0, "matrix.dram-worker-tile"},
		{3_000_000, 4, "0.75", prefill("tp: 0"), true, 0, "matrix.dram-worker-tile"},
		{3_000_000, 4, "0.75", prefill("tp: 2147483647, pp: 2147483647, pcp-size: 2147483647"), true, 0, "matrix.dram-worker-span"},
	} {
		text := fmt.Sprintf(`k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:c
  multinode: %v
  scenarios:
    agentic-coding:
    - dram-utilization: %s
      search-space:
      - { conc-list: [1], %s }
`, c.multi, c.utilization, c.entry)
		files := memFiles{amdFile: text, nvidiaFile: "{}", runnersFile: fmt.Sprintf("labels: {}\nhardware:\n  cluster:c: { available-cpu-dram-mib: %d, gpus-per-node: %d }\n", c.mib, c.gpus)}
		rows, list := Generate(august(t), files, Request{})
		name := fmt.Sprintf("%d MiB, %d GPUs, %s, %s", c.mib, c.gpus, c.utilization, c.entry)
		if f := list.First(); f != nil || c.code != "" {
			same(t, name, []string{"13:9 " + c.code}, codes(t, list))
			continue
		}
		same(t, name, c.want, rows[0].DRAM)
	}
}

// The budget belongs to the config's label, not to a filtered node, and is
// computed before concurrencies are filtered out.
func TestDRAMFacts(t *testing.T) {
	files := augustFiles().with(runnersFile, toyLabels+"hardware:\n  cluster:nv4: { available-cpu-dram-mib: 1, gpus-per-node: 4 }\n  zz: { available-cpu-dram-mib: 1, gpus-per-node: 4 }\n")
	_, list := Generate(august(t), files, Request{Filter: Filter{FullSweep: true, MinConc: new(int64(1_000_000))}})
	same(t, "finding", []string{"13:9 matrix.dram-facts-missing"}, codes(t, list))
	same(t, "message", "configs/amd-master.yaml:13:9: toy-fp4-gx100-sglang: DRAM offloading on 'cluster:gx100-a' needs its record, which the runner file does not give (it knows cluster:nv4, zz) [matrix.dram-facts-missing] - add the facts of this runner to the runner file", list[0].Error())

	rows := mustRows(t, august(t), augustFiles(), Request{Keys: []string{"toy-fp4-gx100-sglang"}, Filter: Filter{Node: "a_01"}})
	same(t, "on a node", int64(838), rows[0].DRAM)
	same(t, "runner", "gx100-a_01", rows[0].Runner)

	// Newest: the memory of a cluster is optional until a budget needs it.
	noMemory := newestFiles().edited(t, runnersFile, "nv4: { gpus-per-node: 4, available-cpu-dram-mib: 3_000_000,", "nv4: { gpus-per-node: 4,")
	_, list = Generate(newest(t, withoutRecipes), noMemory, Request{Keys: []string{"toy-fp4-nv4-dyn-disagg"}})
	if f := list.First(); f == nil || f.Args[3] != "available-cpu-dram-mib" {
		t.Errorf("findings: %v", list)
	}
}

// Newest: an aggregate worker's share is that of the worker.
func TestDRAMOfAggregateWorker(t *testing.T) {
	text := `k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: cluster:gx100-a
  multinode: true
  scenarios:
    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - { conc-list: [1], num-nodes: 2, kv-offloading: dram, kv-offload-backend: { name: h }, worker: { num-worker: 2, tp: 4, ep: 1, dp-attn: false } }
`
	rows := mustRows(t, newest(t, withoutRecipes), newestFiles().with(amdFile, text, nvidiaFile, "{}"), Request{})
	same(t, "total-cpu-dram-gb", int64(838), rows[0].DRAM)
	same(t, "node-count", int64(2), rows[0].NodeCount)
	same(t, "name", "p_p2x4_d0x4_conc1_kvdram-h", rows[0].ExpName)
}
