package launch

import (
	"context"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// codesOf are the questions of a recipe, those about a part with a dot behind.
func codesOf(e *recipe.Effective) string {
	var out []string
	for _, q := range e.Open {
		code := q.Code
		if q.Part {
			code += "."
		}
		out = append(out, code)
	}
	return strings.Join(out, " ")
}

// Why a row cannot be served, told as far as its launch path tells it.
func TestReasons(t *testing.T) {
	pick := "A=benchmarks/orchid_vllm.sh\nif [[ -f $A ]]; then S=$A; else S=benchmarks/orchid.sh; fi\nsrun --container-image=x --container-mounts=$GITHUB_WORKSPACE:/w --container-workdir=/w bash $S\n"
	submit := "git clone --branch v1 https://github.com/acme/srt.git srt\ncd srt\nsrtctl apply -f $CONFIG_FILE\n"
	srt := other{"https://github.com/acme/srt.git", "v1", tree("README", "")}
	own := "benchmarks/multi_node/srt-slurm-recipes/x/r.yaml"
	row := multi("fixed-seq-len", "CONFIG_FILE=recipes/x/r.yaml:base")
	for _, c := range []struct {
		name, master string
		tree         memTree
		others       Checkouts
		codes        string
		complete     bool
	}{
		{"the launcher does not know the model", singleYAML, tree(launcher, "case $MODEL_PREFIX in\npoppy) bash s.sh ;;\n*) echo unsupported; exit 3 ;;\nesac\n", "s.sh", serve), nil, "recipe.script-ends", false},
		{"a script ends after it serves", singleYAML, tree(launcher, "bash s.sh\nexit 1\n", "s.sh", serve), nil, "", true},
		{"none of the names is there", singleYAML, tree(launcher, pick), nil, "recipe.script-missing", false},
		{"one of the names is there", singleYAML, tree(launcher, pick, "benchmarks/orchid.sh", serve), nil, "", true},
		{"a recipe that nobody copies", row, tree(launcher, submit, own, bundle), srt, "recipe.not-staged.", true},
		{"likewise without the checkout", row, tree(launcher, submit, own, bundle), nil, "recipe.not-staged.", true},
		{"a recipe that is nowhere", row, tree(launcher, submit), srt, "recipe.external-missing", false},
		{"a recipe of the same base name elsewhere", row, tree(launcher, submit, "benchmarks/multi_node/srt-slurm-recipes/y/r.yaml", bundle), srt, "recipe.external-missing", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := resolve(t, c.tree, c.master, "gx", c.others)
			if got := codesOf(e); got != c.codes || e.Complete() != c.complete {
				t.Errorf("%q, complete %v; want %q, %v\n%s", got, e.Complete(), c.codes, c.complete, shown(e))
			}
		})
	}
}

// Fields of former times reach the launch path under their names.
func TestFormerVariables(t *testing.T) {
	const agentic = "orchid:\n  image: i:1\n  model: meadow/Orchid-9B\n  model-prefix: orchid\n  precision: fp8\n  framework: vllm\n  runner: gx\n  multinode: false\n  scenarios:\n    agentic-coding:\n"
	const echo = "vllm serve \"$MODEL\" --a \"${OFFLOADING:-unset}\" --b \"$DURATION\" --c \"$TOTAL_CPU_DRAM_GB\"\n"
	for _, c := range []struct{ name, block, want string }{
		{"of former times", "    - duration: 1800\n      search-space:\n      - { tp: 2, offloading: cpu, conc-list: [4] }\n", "cpu 1800 600"},
		{"of today", "    - search-space:\n      - { tp: 2, kv-offloading: none, conc-list: [4] }\n", "unset 3600 0"},
		{"memory that nobody knows", "    - search-space:\n      - { tp: 2, kv-offloading: dram, conc-list: [4] }\n", "unset 3600 ?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readRow(t, tree(launcher, echo), agentic+c.block)
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The folder of fixed sequences is named where there is one.
func TestScenarioFolder(t *testing.T) {
	const fixed = "orchid:\n  image: i:1\n  model: meadow/Orchid-9B\n  model-prefix: orchid\n  precision: fp8\n  framework: vllm\n  runner: gx\n  multinode: false\n  seq-len-configs:\n  - isl: 1024\n    osl: 1024\n    search-space:\n    - { tp: 2, conc-list: [4] }\n"
	const run, echo = "bash benchmarks/single_node/${SCENARIO_SUBDIR}s.sh\n", "vllm serve \"$MODEL\" --a \"$0\" --b \"$ISL\" --c \"$CONC\"\n"
	for name, want := range map[string]string{
		"benchmarks/single_node/s.sh":               "benchmarks/single_node/s.sh 1024 4",
		"benchmarks/single_node/fixed_seq_len/s.sh": "benchmarks/single_node/fixed_seq_len/s.sh 1024 4",
	} {
		if got := readRow(t, tree(launcher, run, name, echo), fixed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// readRow reads the only row of a master config of whatever time, and returns
// its flags a, b and c, "?" for one that is not known.
func readRow(t *testing.T, files memTree, master string) string {
	t.Helper()
	for name, text := range map[string]string{"configs/runners.yaml": runnersYAML, "configs/nvidia-master.yaml": master, "configs/amd-master.yaml": "{}\n"} {
		files.MapFS[name] = tree(name, text).MapFS[name]
	}
	s, _ := config.Preset(config.PresetAugust)
	reading, list := matrix.Read(s, files, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() || len(reading.Rows) != 1 {
		t.Fatalf("%d rows, %v, %v", len(reading.Rows), list, reading.Unread)
	}
	r, err := New(s, reading.Inventory, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Row(context.Background(), reading.Rows[0], Throughput)
	if err != nil || len(e.Serving()) != 1 {
		t.Fatalf("%v\n%s", err, shown(e))
	}
	var out []string
	for _, name := range []string{"a", "b", "c"} {
		value, ok := e.Serving()[0].Flag(name).Value()
		if !ok {
			value = "?"
		}
		out = append(out, value)
	}
	return strings.Join(out, " ")
}
