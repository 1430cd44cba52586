package matrix

// The toy repository of spec/matrix.md sections 6.11 and 16 in the layout of
// August 2026, with one agentic config in the first master file.

const toyAgentic = `toy-fp4-gx100-sglang:
  image: example/sgl:v1
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp4
  framework: sglang
  runner: cluster:gx100-a
  multinode: false
  scenarios:
    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - { tp: 4, kv-offloading: dram, kv-offload-backend: { name: hicache }, conc-list: [1, 4] }
      - { tp: 8, dp-attn: true, spec-decoding: mtp, kv-offloading: none, conc-list: [8, 16, 20] }
`

const toySingle = `toy-fp8-gx100-vllm:
  image: example/vllm:v1
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp8
  framework: vllm
  runner: gx100
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 4, conc-start: 4, conc-end: 50 }
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, ep: 8, dp-attn: true, spec-decoding: mtp, conc-list: [4, 16, 64] }
`

const toyMulti = `toy-fp4-nv4-dyn-disagg:
  image: example/dyn:v2
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp4
  framework: dynamo-vllm
  runner: cluster:nv4
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [8, 64, 32]
        prefill: { num-worker: 2, tp: 4, ep: 4, dp-attn: true }
        decode: { num-worker: 1, tp: 8, ep: 8, dp-attn: false }
    agentic-coding:
    - dram-utilization: 0.75
      search-space:
      - conc-list: [2, 16]
        kv-offloading: dram
        kv-offload-backend: { name: mooncake, version: 0.3.13 }
        router: { name: dyn, version: 1.0.0 }
        prefill: { num-worker: 1, tp: 2, pp: 1, ep: 1, dp-attn: false }
        decode: { num-worker: 3, tp: 4, ep: 4, dp-attn: true }
`

const toyLabels = `labels:
  gx100: [gx100-a_00, gx100-a_01, gx100-b_00]
  cluster:gx100-a: [gx100-a_00, gx100-a_01]
  cluster:gx100-b: [gx100-b_00]
  cluster:nv4: [nv4_00]
`

const toyHardware = `hardware:
  cluster:gx100-a: { available-cpu-dram-mib: 2_000_000, gpus-per-node: 8 }
  cluster:nv4: { available-cpu-dram-mib: 3_000_000, gpus-per-node: 4 }
`

const toyClusters = `clusters:
  gx100-a: { gpus-per-node: 8, available-cpu-dram-mib: 2_000_000, arch: x86_64, scheduler: slurm, slurm: {} }
  gx100-b: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }
  nv4: { gpus-per-node: 4, available-cpu-dram-mib: 3_000_000, arch: aarch64, scheduler: slurm, slurm: {} }
`

func augustFiles() memFiles {
	return memFiles{
		amdFile:     toyAgentic,
		nvidiaFile:  toySingle + toyMulti,
		runnersFile: toyLabels + toyHardware,
	}
}

// newestFiles are the same configs under the newest runner layout, for
// settings without recipes.
func newestFiles() memFiles {
	return augustFiles().with(runnersFile, toyLabels+toyClusters)
}

// The toy configs in the newest layout, with recipes.

const nextSingle = `toy-fp8-gx100-vllm:
  image: example/vllm:v1
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp8
  framework: vllm
  runner: cluster:gx100-a
  multinode: false
  srt-recipe-dir: toy
  router: { name: dyn, version: 1.0.0 }
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 16, 64], srt-recipe: single.yaml }
    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - { tp: 4, kv-offloading: dram, kv-offload-backend: { name: hicache }, conc-list: [1, 4], srt-recipe: single.yaml }
`

const nextAggregate = `toy-fp8-gx100-agg:
  image: example/agg:v1
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp8
  framework: sglang
  runner: cluster:gx100-a
  multinode: true
  srt-recipe-dir: toy
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      require-power: true
      search-space:
      - conc-list: [8, 64]
        power: true
        num-nodes: 2
        srt-recipe: bundle.yaml:base
        eval-srt-recipe: bundle.yaml:override_eval
        worker: { tp: 16, ep: 1, dp-attn: false, additional-settings: ["A=1"] }
`

const nextMulti = `toy-fp4-nv4-dyn-disagg:
  image: example/dyn:v2
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp4
  framework: dynamo-vllm
  runner: cluster:nv4
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  srt-recipe-dir: toy
  scenarios:
    agentic-coding:
    - dram-utilization: 0.75
      search-space:
      - conc-list: [2, 16]
        kv-offloading: dram
        kv-offload-backend: { name: mooncake, version: null }
        power: true
        srt-recipe: bundle.yaml:zip_override_sizes[1]
        prefill: { num-worker: 2, tp: 4, ep: 1, dp-attn: false, hardware: nv4 }
        decode: { num-worker: 1, tp: 8, ep: 4, dp-attn: true, hardware: nv4, additional-settings: null }
`

const (
	recipeSingle = "benchmarks/single_node/srt-slurm-recipes/toy/single.yaml"
	recipeBundle = "benchmarks/multi_node/srt-slurm-recipes/toy/bundle.yaml"
)

const singleRecipe = "name: single\nschema: 2\nroles: { serve: { nodes: 1 } }\nbenchmark: { concurrencies: [4, 16], env: { CONC: 4, SEED: 1 } }\n"

const bundleRecipe = `schema: 2
base:
  name: bundle
  roles: { prefill: { nodes: 1 }, decode: { nodes: 2 } }
override_eval:
  roles: { decode: { nodes: 3 } }
zip_override_sizes:
  roles: { prefill: { nodes: [1, 2] } }
`

func recipeFiles() memFiles {
	return memFiles{
		amdFile:      nextAggregate,
		nvidiaFile:   nextSingle + nextMulti,
		runnersFile:  toyLabels + toyClusters,
		recipeSingle: singleRecipe,
		recipeBundle: bundleRecipe,
	}
}
