package launch

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// pinned is a tree with a submodule.
type pinned struct {
	memTree
	path, commit string
}

func (p pinned) Submodule(path string) (string, bool) { return p.commit, path == p.path }

// A set-up script that the repository does not have is looked for in the
// repository that it pins, at the commit that it pins; the pin belongs to the
// closure.
func TestSetupScriptOfSubmodule(t *testing.T) {
	const address = "https://github.com/acme/srt.git"
	sample := with(t, "benchmarks/multi_node/srt-slurm-recipes/basalt/disagg.yaml", "signpost-deps.sh", "elsewhere.sh")
	sample.MapFS[".gitmodules"] = &fstest.MapFile{Data: []byte("[submodule \"srt\"]\n\tpath = inferencex-e2e/utils/srt-slurm\n\turl = " + address + "\n")}
	there := tree("configs/elsewhere.sh", "pip install left-pad\n")
	for name, test := range map[string]struct {
		others Checkouts
		found  bool
	}{"at hand": {other{address, "c0ffee", there}, true}, "another commit": {other{address, "beef", there}, false}, "none": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			rows, r := rowsOf(t, pinned{sample, "inferencex-e2e/utils/srt-slurm", "c0ffee"}, test.others)
			i := slices.IndexFunc(rows, func(row *matrix.Row) bool { return row.Config.Framework == "dynamo-sglang" })
			e := inMode(t, r, rows[i], Throughput)
			installed := strings.Contains(shown(e), "install pip install left-pad")
			asked := slices.ContainsFunc(e.Open, func(q recipe.Question) bool { return q.Code == "recipe.setup-script-missing" && q.Part })
			if installed != test.found || asked == test.found || !e.Complete() {
				t.Errorf("%s", shown(e))
			}
			for _, f := range []recipe.File{{Path: "inferencex-e2e/utils/srt-slurm"}, {Path: ".gitmodules"}, {Path: "configs/elsewhere.sh", Repository: address, Ref: "c0ffee"}} {
				if !slices.Contains(e.Closure, f) {
					t.Errorf("the closure lacks %+v", f)
				}
			}
		})
	}
}

// A label that is no cluster stands for the one that all its runners are of.
func TestClusterOfLabel(t *testing.T) {
	sample := with(t, "configs/runners.yaml", "labels:\n", "labels:\n  boreal: [boreal-rack_01]\n  mixed: [aurora-rack_00, boreal-rack_00]\n")
	rows, r := rowsOf(t, sample, nil)
	for label, want := range map[string]string{"cluster:boreal": "boreal", "boreal": "boreal", "mixed": "", "nobody": ""} {
		row, c := *rows[0], *rows[0].Config
		c.Runner = label
		row.Config = &c
		id, facts := r.cluster(&row)
		if id != want || (facts.GPUsPerNode > 0) != (want != "") {
			t.Errorf("%s: %q with %d GPUs, want %q", label, id, facts.GPUsPerNode, want)
		}
	}
}

// The shares of a node's memory are those of the GPUs that the row uses of it
// (spec/matrix.md section 7).
func TestMemoryFacts(t *testing.T) {
	rows, r := rowsOf(t, sampleRecipes(t), nil)
	for _, row := range rows {
		facts := r.visit(t.Context(), row, Throughput, row.Runner).clusterFacts()
		if row.DRAM == 0 {
			if facts["dram.total-gb"] != "" {
				t.Errorf("%s: memory without offloading: %v", row.ExpName, facts)
			}
			continue
		}
		// 1 000 000 MiB x 0.8 x 4 GPUs of 8, in whole GB; a quarter of that.
		for name, want := range map[string]string{"total-gb": "419", "total-bytes": "419000000000", "per-gpu-gb": "104", "per-gpu-bytes": "104750000000"} {
			if facts["dram."+name] != want {
				t.Errorf("%s is %s, want %s", name, facts["dram."+name], want)
			}
		}
	}
}

// Only rows of the frameworks in the settings get a simulated length, and only
// those whose label says that they speculate; a length that a recipe or a row
// names itself does not count.
func TestAcceptanceOfLauncher(t *testing.T) {
	length := func(tree memTree) []string {
		rows, r := rowsOf(t, tree, nil)
		i := slices.IndexFunc(rows, func(row *matrix.Row) bool { return row.Config.Framework == "sglang" })
		var out []string
		for _, mode := range []Mode{Throughput, Eval} {
			v, _ := generation(inMode(t, r, rows[i], mode)).Variable("SGLANG_SIMULATE_ACC_LEN")
			out = append(out, v.Lit)
		}
		return out
	}
	replay := "benchmarks/single_node/srt-slurm-recipes/basalt/replay.yaml"
	for name, test := range map[string]struct {
		tree memTree
		want []string
	}{
		"golden":     {sampleRecipes(t), []string{"2.96", ""}},
		"hard-coded": {with(t, replay, "environment: {", "environment: { SGLANG_SIMULATE_ACC_LEN: 1.5,"), []string{"2.96", ""}},
		"no curve":   {with(t, "infx/golden_al_distribution/basalt_mtp.yaml", "3: 2.96", "4: 2.96"), []string{"", ""}},
	} {
		if got := length(test.tree); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	quiet := with(t, "configs/nvidia-master.yaml", "decode: { num-worker: 2, tp: 4, ep: 4, dp-attn: true }", "decode: { num-worker: 2, tp: 4, ep: 4, dp-attn: true, additional-settings: [THINKING_MODE=thinking_off] }")
	rows, r := rowsOf(t, quiet, nil)
	i := slices.IndexFunc(rows, func(row *matrix.Row) bool { return row.Config.Framework == "dynamo-sglang" })
	if v, _ := generation(inMode(t, r, rows[i], Throughput)).Variable("SGLANG_SIMULATE_ACC_LEN"); v.Lit != "2.2" {
		t.Errorf("without thinking: %q, want 2.2", v.Lit)
	}
	other := sampleRecipes(t)
	other.MapFS[".github/sweepbot.yml"] = &fstest.MapFile{Data: []byte("preset: inferencex\nlaunch: { acceptance-frameworks: [dynamo-sglang] }\n")}
	if got := length(other); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("a framework that is not named: %q", got)
	}
}
