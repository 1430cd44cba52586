package launch

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// memTree is a tree in memory.
type memTree struct{ fstest.MapFS }

func (t memTree) ReadFile(name string) ([]byte, error) {
	if _, ok := t.MapFS[name]; !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist} // a folder too
	}
	return t.MapFS.ReadFile(name)
}

func (t memTree) List(dir string) ([]string, bool) {
	if dir == "" {
		dir = "."
	}
	entries, err := t.MapFS.ReadDir(dir)
	if err != nil {
		return nil, false
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

func (t memTree) ReadLink(name string) (string, bool) {
	f, ok := t.MapFS[name]
	if !ok || f.Mode&os.ModeSymlink == 0 {
		return "", false
	}
	return string(f.Data), true
}

// other is one other repository.
type other struct {
	address, ref string
	tree         memTree
}

func (o other) Checkout(address, ref string) (Tree, bool) {
	return o.tree, address == o.address && ref == o.ref
}

const runnersYAML = "labels:\n  gx: [gx-a_0, gx-a_1]\n  cluster:gx: [gx-a_0]\n  two: [gx-a_0, gx-b_0]\nhardware:\n  cluster:gx: { available-cpu-dram-mib: 1000, gpus-per-node: 8 }\n"

const singleYAML = `orchid:
  image: registry.example/vllm:1
  model: meadow/Orchid-9B
  model-prefix: orchid
  precision: fp8
  framework: vllm
  runner: RUNNER
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 2, conc-list: [4], spec-decoding: mtp }
`

const multiYAML = `orchid:
  image: registry.example/vllm:1
  model: meadow/Orchid-9B
  model-prefix: orchid
  precision: fp8
  framework: dynamo-vllm
  runner: RUNNER
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  scenarios:
    SCENARIO:
    - SEARCH
`

func multi(scenario string, settings ...string) string {
	space := "isl: 1024\n      osl: 1024\n      search-space:\n      "
	if scenario == "agentic-coding" {
		space = "search-space:\n      "
	}
	space += "- { conc-list: [4], spec-decoding: mtp, prefill: { num-worker: 1, tp: 4, ep: 1, dp-attn: false, additional-settings: [" + strings.Join(settings, ", ") +
		"] }, decode: { num-worker: 1, tp: 4, ep: 1, dp-attn: false } }"
	return strings.NewReplacer("SCENARIO", scenario, "SEARCH", space).Replace(multiYAML)
}

// resolve resolves the only row of a master config.
func resolve(t *testing.T, tree memTree, master, runner string, others Checkouts) *recipe.Effective {
	t.Helper()
	tree.MapFS["configs/runners.yaml"] = &fstest.MapFile{Data: []byte(runnersYAML)}
	tree.MapFS["configs/nvidia-master.yaml"] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(master, "RUNNER", runner))}
	tree.MapFS["configs/amd-master.yaml"] = &fstest.MapFile{Data: []byte("{}\n")}
	s, _ := config.Preset(config.PresetAugust)
	rows, list := matrix.Generate(s, tree, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() || len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), list)
	}
	inventory, list := matrix.ReadRunners(s, tree)
	if list.Refused() {
		t.Fatal(list)
	}
	r, err := New(s, inventory, tree, others)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Row(context.Background(), rows[0], Throughput)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tree builds a tree of name, content pairs.
func tree(pairs ...string) memTree {
	out := memTree{fstest.MapFS{}}
	for i := 0; i < len(pairs); i += 2 {
		out.MapFS[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func shown(e *recipe.Effective) string {
	var b strings.Builder
	for _, f := range e.Facts() {
		fmt.Fprintf(&b, "%s %s %s = %s  (%s)\n", f.Role, f.Kind, f.Name, f.Display(), f.Place)
	}
	for _, q := range e.Open {
		fmt.Fprintf(&b, "? %s %v part=%v\n", q.Code, q.Args, q.Part)
	}
	var files []string
	for _, f := range e.Closure {
		files = append(files, fmt.Sprintf("%+v", f))
	}
	sort.Strings(files)
	return b.String() + strings.Join(files, "\n") + "\n"
}

const launcher = "runners/launch_gx-a.sh"

const serve = "#!/bin/bash\nvllm serve \"$MODEL\" --tensor-parallel-size \"$TP\" --max-num-seqs \"$CONC\" --port \"$PORT\" &\n"

const bundle = `base:
  model: { path: orchid, container: dynamo-vllm, precision: fp8 }
  resources: { prefill_workers: 1, decode_workers: 2, gpus_per_prefill: 4, gpus_per_decode: 4 }
  backend:
    type: vllm
    decode_environment: { DROP_ME: "1", KEEP_ME: "1" }
    vllm_config:
      prefill: { tensor-parallel-size: 4 }
      decode: { tensor-parallel-size: 4, speculative-config: '{"method":"mtp","num_speculative_tokens":3}' }
override_a:
  backend: { vllm_config: { decode: { max-num-seqs: 8 } } }
`

// The launch paths of the census, one by one; golden files say what each would
// serve, where every value comes from, and which files were read.
func TestGolden(t *testing.T) {
	submit := func(lines string) string { return "#!/bin/bash\n" + lines }
	srt := other{"https://github.com/acme/srt.git", "v1", tree("recipes/there.yaml", bundle, "configs/deps.sh", "#!/bin/bash\npip install left-pad==1\nsed -i s/a/b/ /opt/engine/x.py\n")}
	for _, test := range []struct {
		name, runner, master string
		tree                 memTree
	}{
		{"container", "gx", singleYAML, tree(launcher, "export PORT=1 LAUNCHER_KNOB=2\nJOB=$(squeue -h)\nsrun --jobid=$JOB --container-image=/squash/registry.example_vllm_1.sqsh --container-mounts=$GITHUB_WORKSPACE:/ws,/models:/models --container-workdir=/ws --export=ALL,ADDED=3 bash benchmarks/s.sh\n", "benchmarks/s.sh", serve)},
		{"docker", "gx", singleYAML, tree(launcher, "docker run --rm -v $GITHUB_WORKSPACE:/ws -w /ws -e MODEL -e TP=8 -e CONC --entrypoint=/bin/bash other/image:2 benchmarks/s.sh\n", "benchmarks/s.sh", serve)},
		{"fallback-name", "gx", singleYAML, tree(launcher, "S=benchmarks/orchid_vllm.sh\nif [[ ! -f $S ]]; then S=benchmarks/orchid.sh; fi\nsrun --container-image=x --container-mounts=$GITHUB_WORKSPACE:/w --container-workdir=/w bash $S\n", "benchmarks/orchid.sh", serve)},
		{"copied-workspace", "gx", singleYAML, tree(launcher, "J=$(squeue)\nsrun --container-image=x --container-mounts=/tmp/copy-$J:/w --container-workdir=/w bash s.sh\n", "s.sh", serve)},
		{"link", "gx", singleYAML, memTree{fstest.MapFS{launcher: {Data: []byte("real.sh"), Mode: os.ModeSymlink}, "runners/real.sh": {Data: []byte("bash s.sh\n")}, "s.sh": {Data: []byte(serve)}}}},
		{"no-launcher", "gx", singleYAML, tree("benchmarks/single_node/fixed_seq_len/orchid_fp8_gx_mtp.sh", serve)},
		{"launchers-agree", "two", singleYAML, tree(launcher, "PORT=1 bash s.sh\n", "runners/launch_gx-b.sh", "export MODEL_PATH=/m/x; export MODEL=$MODEL_PATH PORT=2; bash s.sh\n", "s.sh", serve)},
		{"launchers-differ", "two", singleYAML, tree(launcher, "bash s.sh\n", "runners/launch_gx-b.sh", "export TP=1; bash s.sh\n", "s.sh", serve)},
		{"missing-script", "gx", singleYAML, tree(launcher, "srun --container-image=x --container-mounts=$GITHUB_WORKSPACE:/w --container-workdir=/w bash none.sh\n")},
		{"two-ways", "gx", singleYAML, tree(launcher, "if nvidia-smi | grep -q H100; then vllm serve $MODEL --max-num-seqs 1; else vllm serve $MODEL --max-num-seqs 2; fi\n")},
		{"guards", "gx", singleYAML, tree(launcher, "if ! nvidia-smi; then exit 1; fi\nif prepare; then vllm serve $MODEL --port 1; else vllm serve $MODEL --port 2; fi\n")},
		{"engine-file", "gx", singleYAML, tree(launcher, "H=$(hostname)\ncat > e.yaml <<EOF\nkv_cache_config:\n  dtype: fp8\n  host: $H\nmax_batch_size: $CONC\nEOF\nmpirun -n 1 trtllm-serve $MODEL --config e.yaml\n")},
		{"embedded-python", "gx", singleYAML, tree(launcher, "eval \"$(python3 - <<PY\nimport yaml\nm = yaml.safe_load(open('$GITHUB_WORKSPACE/models.yaml'))['$MODEL_PREFIX']\nprint(f'FLAGS=\"{m.get(\"flags\", \"\")}\"')\nPY\n)\"\nvllm serve $MODEL $FLAGS\n", "models.yaml", "orchid: { flags: --max-num-seqs 7 --enforce-eager }\n")},
		{"job-of-tasks", "gx", singleYAML, tree(launcher, "cat > /tmp/knobs.env <<EOF\nKNOB=5\nEOF\nsbatch -N 2 -n 2 --parsable job.slurm\n", "job.slurm",
			"srun bash -lc \"docker run -e RANK=\\$SLURM_PROCID -e MODEL -v $GITHUB_WORKSPACE:/ws -v /tmp/knobs.env:/etc/knobs.env $IMAGE bash /ws/node.sh\"\n",
			"node.sh", "if [ \"$RANK\" -eq 0 ]; then R=prefill; else R=decode; fi\npython3 -m sglang.launch_server --model-path $MODEL --disaggregation-mode $R\n")},
		{"recipe", "gx", multi("fixed-seq-len", "CONFIG_FILE=recipes/x/r.yaml:override_a"), tree(launcher, submit("git clone https://github.com/acme/srt.git srt\ncd srt\ngit checkout v1\nmkdir -p recipes/x\ncp -rT \"$GITHUB_WORKSPACE/ours\" recipes/x\nsed -i '/DROP_ME/d' \"${CONFIG_FILE%%:*}\"\nOUT=$(srtctl apply -f \"$CONFIG_FILE\" --setup-script deps.sh 2>&1)\n"), "ours/r.yaml", bundle)},
		{"external-recipe", "gx", multi("fixed-seq-len", "CONFIG_FILE=recipes/there.yaml:base"), tree(launcher, submit("git clone --branch v1 https://github.com/acme/srt.git srt-$RANDOM\ncd srt-$RANDOM\nsrtctl apply -f $CONFIG_FILE\n"))},
		{"external-unknown", "gx", multi("fixed-seq-len", "CONFIG_FILE=recipes/there.yaml"), tree(launcher, submit("git clone https://github.com/acme/other.git srt\ncd srt\nsrtctl apply -f $CONFIG_FILE\n"))},
		{"acceptance", "cluster:gx", multi("agentic-coding", "CONFIG_FILE=r.yaml:base", "SYNTHETIC_ACCEPTANCE=true"), tree(launcher, submit("python3 $GITHUB_WORKSPACE/runners/inject_synthetic_acceptance.py r.yaml $FRAMEWORK\nsrtctl apply -f $CONFIG_FILE\n"), "r.yaml", bundle,
			"golden_al_distribution/orchid_mtp.yaml", "orchid:\n  thinking_on: { 1: 1.8, 2: 2.5, 3: 2.99 }\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := shown(resolve(t, test.tree, test.master, test.runner, srt))
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("run with -update if that is meant (-want +got):\n%s", d)
			}
		})
	}
}

func TestCacheFollowsContent(t *testing.T) {
	a := tree(launcher, "if [ -f knobs.sh ]; then . knobs.sh; fi\nbash s.sh\n", "s.sh", serve)
	first := resolve(t, a, singleYAML, "gx", nil)
	s, _ := config.Preset(config.PresetAugust)
	cache := &Cache{}
	again := func(change func(memTree)) *recipe.Effective {
		next := memTree{maps.Clone(a.MapFS)}
		change(next)
		rows, _ := matrix.Generate(s, next, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
		inventory, _ := matrix.ReadRunners(s, next)
		r, err := New(s, inventory, next, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Cache = cache
		e, err := r.Row(context.Background(), rows[0], Throughput)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	base := again(func(memTree) {})
	if base.Fingerprint() != first.Fingerprint() {
		t.Error("the cache changes the result")
	}
	if again(func(n memTree) { n.MapFS["README"] = &fstest.MapFile{Data: []byte("x")} }) != base {
		t.Error("a file that nobody reads makes the row be read again")
	}
	for name, change := range map[string]func(memTree){
		"changed": func(n memTree) { n.MapFS["s.sh"] = &fstest.MapFile{Data: []byte(serve + "# x\n")} },
		"gone":    func(n memTree) { delete(n.MapFS, "s.sh") },
		"added":   func(n memTree) { n.MapFS["knobs.sh"] = &fstest.MapFile{Data: []byte("export KNOB=1\n")} },
	} {
		if again(change) == base {
			t.Errorf("%s: the old result is given for another file", name)
		}
	}
	if e := again(func(n memTree) { n.MapFS["knobs.sh"] = &fstest.MapFile{Data: []byte("export KNOB=1\n")} }); len(recipe.Diff(base, e)) != 1 {
		t.Errorf("a file that was absent before: %+v", recipe.Diff(base, e))
	}
}
