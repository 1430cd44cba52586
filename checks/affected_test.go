package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// runnersFile is the inventory of the made-up repository.
const runnersFile = `labels:
  b200: [b200_0]
  cluster:b200-x: [b200-x_0]
  cluster:mi355x-y: [mi355x-y_0]
  h100: [h100_0]
  b300: [b300_0]
  mi355x: [mi355x_0]
  mi455x: [mi455x_0]
hardware:
  cluster:b200-x: {gpus-per-node: 8, available-cpu-dram-mib: 1048576}
  cluster:mi355x-y: {gpus-per-node: 8, available-cpu-dram-mib: 1048576}
`

// entry is a config of a master file of the made-up repository.
type entry struct {
	key, image, prefix, precision, framework, runner string
	spec                                             string
	tp                                               int
	conc                                             []int
	scenario                                         string // agentic, 8k1k or 1k1k
}

func (x entry) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n  image: %s\n  model: acme/%s\n  model-prefix: %s\n  precision: %s\n  framework: %s\n  runner: %s\n  multinode: false\n  scenarios:\n",
		x.key, x.image, x.prefix, x.prefix, x.precision, x.framework, x.runner)
	tp := max(x.tp, 1)
	space := fmt.Sprintf("{tp: %d, conc-list: [%s]", tp, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(x.conc)), ", "), "[]"))
	if x.spec != "" {
		space += ", spec-decoding: " + x.spec
	}
	if x.scenario == "agentic" {
		space += ", kv-offloading: none"
	}
	space += "}"
	switch x.scenario {
	case "agentic":
		fmt.Fprintf(&b, "    agentic-coding:\n      - search-space:\n          - %s\n", space)
	case "1k1k":
		fmt.Fprintf(&b, "    fixed-seq-len:\n      - isl: 1024\n        osl: 1024\n        search-space:\n          - %s\n", space)
	default:
		fmt.Fprintf(&b, "    fixed-seq-len:\n      - isl: 8192\n        osl: 1024\n        search-space:\n          - %s\n", space)
	}
	return b.String()
}

// entryDefaults fills in what a test does not care about.
func entryDefaults(x entry) entry {
	for _, f := range []struct {
		field *string
		value string
	}{{&x.image, "vllm/vllm-openai:v1"}, {&x.prefix, "orion2"}, {&x.precision, "fp8"}, {&x.framework, "vllm"}, {&x.runner, "b200"}} {
		if *f.field == "" {
			*f.field = f.value
		}
	}
	if x.scenario == "agentic" && x.runner == "b200" {
		x.runner = "cluster:b200-x"
	}
	if x.conc == nil {
		x.conc = []int{4, 8}
	}
	return x
}

// repo is the made-up repository with configs of both masters.
func repo(changelog string, entries ...entry) map[string]string {
	var text strings.Builder
	for _, x := range entries {
		text.WriteString(entryDefaults(x).String())
	}
	if text.Len() == 0 {
		text.WriteString("{}\n")
	}
	return map[string]string{
		"configs/runners.yaml": runnersFile, "configs/nvidia-master.yaml": text.String(), "configs/amd-master.yaml": "{}\n", "perf-changelog.yaml": changelog,
	}
}

// logged is a changelog entry that names keys.
func logged(keys ...string) string {
	text := "- config-keys:\n"
	for _, key := range keys {
		text += "    - \"" + key + "\"\n"
	}
	return text + "  description:\n    - Something\n  pr-link: https://github.com/acme/bench/pull/12\n"
}

const old = "- config-keys:\n    - gone-again\n  description:\n    - Old\n  pr-link: https://github.com/acme/bench/pull/1\n"

// TestAffected has the labels of spec/checks.md section 1.3.
func TestAffected(t *testing.T) {
	keep := entry{key: "keep"}
	for name, c := range map[string]struct {
		base, head map[string]string
		want       []string
	}{
		"nothing":     {repo(old, keep), map[string]string{"README.md": "x"}, nil},
		"added":       {repo(old, keep), repo(old+logged("new"), keep, entry{key: "new"}), []string{"new added selected"}},
		"re-enabled":  {repo(old, keep), repo(old+logged("gone-again"), keep, entry{key: "gone-again"}), []string{"gone-again re-enabled selected"}},
		"selected":    {repo(old, keep), repo(old+logged("keep"), keep), []string{"keep modified selected"}},
		"wildcard":    {repo(old, keep, entry{key: "kept"}), repo(old+logged("ke*"), keep, entry{key: "kept"}), []string{"keep modified selected", "kept modified selected"}},
		"image":       {repo(old, keep), repo(old, entry{key: "keep", image: "vllm/vllm-openai:v2"}), []string{"keep modified"}},
		"more points": {repo(old, keep), repo(old, entry{key: "keep", conc: []int{4, 8, 16}}), []string{"keep modified"}},
		"fewer":       {repo(old, keep), repo(old, entry{key: "keep", conc: []int{4}}), []string{"keep reduced"}},
		"fewer, selected": {
			repo(old, keep), repo(old+logged("keep"), entry{key: "keep", conc: []int{4}}), []string{"keep modified selected"},
		},
		"removed":        {repo(old, keep, entry{key: "b"}), repo(old, keep), []string{"b removed"}},
		"link corrected": {repo(old, keep), repo(strings.Replace(old, "pull/1", "pull/7", 1), keep), nil},
	} {
		e := situation{base: c.base, head: c.head}.evidence(t)
		a, err := e.Affected(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a.Findings.Refused() {
			t.Errorf("%s: %v", name, a.Findings)
		}
		var got []string
		for _, k := range a.Keys {
			text := k.Key + " " + string(k.Label)
			if k.Selected {
				text += " selected"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestAffectedByAScript holds that a change of the launch script that a config
// runs makes it modified, and no other.
func TestAffectedByAScript(t *testing.T) {
	script := "benchmarks/single_node/fixed_seq_len/orion2_fp8_b200_vllm.sh"
	base := repo(old, entry{key: "a"}, entry{key: "b", prefix: "other"})
	base[script] = "#!/bin/bash\nvllm serve $MODEL --tensor-parallel-size $TP\n"
	e := situation{base: base, head: map[string]string{script: "#!/bin/bash\nvllm serve $MODEL --tensor-parallel-size $TP --async\n"}}.evidence(t)
	a, err := e.Affected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Keys) != 1 || a.Keys[0].Key != "a" || a.Keys[0].Label != KeyModified || !slices.Equal(a.Keys[0].Files, []string{script}) {
		t.Errorf("affected: %+v", a.Keys)
	}
}

func TestAffectedOfBrokenConfigs(t *testing.T) {
	e := situation{base: repo(old, entry{key: "a"}), head: map[string]string{"configs/nvidia-master.yaml": "a: [\n"}}.evidence(t)
	a, err := e.Affected(t.Context())
	if err != nil || !a.Findings.Refused() {
		t.Errorf("findings %v, %v", a.Findings, err)
	}
}

func TestRoles(t *testing.T) {
	e := situation{}.evidence(t)
	e.Settings.Layout.Roots = []string{"inferencex-e2e", ""}
	for name, want := range map[string]Role{
		"configs/nvidia-master.yaml":                                        RoleMaster,
		"inferencex-e2e/configs/amd-master.yaml":                            RoleMaster,
		"perf-changelog.yaml":                                               RoleChangelog,
		"docs/MODELS.md":                                                    RolePolicy,
		"benchmarks/single_node/agentic/a_fp4_b200_vllm.sh":                 RoleRecipe,
		"benchmarks/single_node/agentic/deprecated/a_fp4_b200_vllm.sh":      RoleNone,
		"benchmarks/single_node/speedbench/a.sh":                            RoleNone,
		"benchmarks/multi_node/srt-slurm-recipes/configs/setup.sh":          RoleSetup,
		"inferencex-e2e/benchmarks/multi_node/srt-slurm-recipes/a/b/c.yaml": RoleRecipe,
		"benchmarks/multi_node/amd_utils/server_sglang.sh":                  RoleLaunch,
		"benchmarks/benchmark_lib.sh":                                       RoleClient,
		"runners/launch_b200.sh":                                            RoleLaunch,
		"infx/bench/eval/x.py":                                              RoleEval,
		"infx/bench/x.py":                                                   RoleClient,
		"README.md":                                                         RoleNone,
		"configs/deprecated/x-master.yaml":                                  RoleNone,
	} {
		if got := e.Role(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
