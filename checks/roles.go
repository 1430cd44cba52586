package checks

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/matrix"
)

// Role is what a file of the repository is for (spec/checks.md section 1.1).
type Role string

// The roles that the checks tell apart. RoleNone is any other file: it belongs
// to no config and is never scanned.
const (
	RoleNone      Role = ""
	RoleMaster    Role = "master"
	RoleRunners   Role = "runners"
	RoleChangelog Role = "changelog"
	RoleRecipe    Role = "recipe" // a recipe or launch script of single configs
	RoleSetup     Role = "setup"
	RoleShared    Role = "shared-recipe"
	RoleLaunch    Role = "launch"
	RoleClient    Role = "client"
	RoleEval      Role = "eval"
	RoleResult    Role = "result"
	RolePolicy    Role = "policy"
)

// rolePatterns are tried in order; "**" is any number of components. Both
// layouts are here: no path of one means something else in the other.
var rolePatterns = []struct {
	pattern string
	role    Role
}{
	{"benchmarks/single_node/speedbench/**", RoleNone},
	{"configs/srt-recipes/*.yaml", RoleShared},
	{"benchmarks/*/srt-slurm-recipes/configs/**", RoleSetup},
	{"utils/srt-slurm/configs/**", RoleSetup},
	{"benchmarks/benchmark_lib.sh", RoleClient},
	{"benchmarks/srt_agentic.sh", RoleClient},
	{"benchmarks/*/srt_fixed_sequence.sh", RoleClient},
	{"benchmarks/multi_node/agentic_srt.sh", RoleClient},
	{"benchmarks/multi_node/amd_utils/**", RoleLaunch},
	{"benchmarks/multi_node/tilert_utils/**", RoleLaunch},
	{"benchmarks/*/srt-slurm-recipes/**", RoleRecipe},
	{"benchmarks/multi_node/llm-d-recipes/**", RoleRecipe},
	{"benchmarks/single_node/**", RoleRecipe},
	{"benchmarks/multi_node/**", RoleRecipe},
	{"infx/launch/**", RoleLaunch},
	{"infx/srt_slurm/**", RoleLaunch},
	{"infx/clusters/**", RoleLaunch},
	{"runners/**", RoleLaunch},
	{"utils/srt-slurm", RoleLaunch},
	{"infx/bench/eval/**", RoleEval},
	{"infx/bench/**", RoleClient},
	{"infx/bench_serving/**", RoleClient},
	{"utils/bench_serving/**", RoleClient},
	{"utils/aiperf", RoleClient},
	{"utils/aiperf/**", RoleClient},
	{"infx/evals/**", RoleEval},
	{"utils/evals/**", RoleEval},
	{"infx/results/**", RoleResult},
	{"utils/process_result.py", RoleResult},
	{"utils/agentic/**", RoleResult},
}

// Role returns the role of a path of the repository.
func (e *Evidence) Role(name string) Role {
	layout := e.Settings.Layout
	for _, root := range layout.Roots {
		rest := name
		if root != "" {
			var ok bool
			if rest, ok = strings.CutPrefix(name, root+"/"); !ok {
				continue
			}
		}
		switch rest {
		case layout.Runners:
			return RoleRunners
		case layout.Changelog:
			return RoleChangelog
		case layout.Checklist, layout.Models, layout.Thresholds:
			return RolePolicy
		}
		for _, master := range layout.Masters {
			if rest == master {
				return RoleMaster
			}
		}
		if deprecated(rest) {
			return RoleNone
		}
		for _, p := range rolePatterns {
			if under(p.pattern, rest) {
				return p.role
			}
		}
	}
	return RoleNone
}

// deprecated reports whether a path was put aside: retirements move dozens of
// scripts there.
func deprecated(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "deprecated" {
			return true
		}
	}
	return false
}

// under matches a path against a pattern whose components are globs and whose
// last one may be "**".
func under(pattern, name string) bool {
	for pattern != "" {
		first, rest, _ := strings.Cut(pattern, "/")
		if first == "**" {
			return name != ""
		}
		part, after, more := strings.Cut(name, "/")
		if ok, err := path.Match(first, part); err != nil || !ok || (rest == "") == more {
			return false
		}
		pattern, name = rest, after
	}
	return name == ""
}

// nvidia are the established SKUs of one vendor, established those that are no
// new hardware.
var (
	nvidia      = setOf("h100 h200 b200 b300 gb200 gb300 rtx6000pro")
	established = setOf("h100 h200 b200 b300 gb200 gb300 mi300x mi325x mi355x")
)

func setOf(text string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// Vendor is the maker of a SKU, NVIDIA, AMD or "".
func Vendor(sku string) string {
	switch {
	case nvidia[sku], strings.HasPrefix(sku, "vr"), strings.HasPrefix(sku, "rubin"):
		return "NVIDIA"
	case strings.HasPrefix(sku, "mi"):
		return "AMD"
	}
	return ""
}

// Established reports whether a SKU is no new hardware.
func Established(sku string) bool { return established[sku] }

// engines maps a framework to its engine and to whether that is open source.
var engines = map[string]struct {
	name string
	open bool
}{
	"vllm": {"vllm", true}, "dynamo-vllm": {"vllm", true}, "vllm-disagg": {"vllm", true}, "llmd-vllm": {"vllm", true},
	"sglang": {"sglang", true}, "sglang-disagg": {"sglang", true}, "dynamo-sglang": {"sglang", true},
	"trt": {"trtllm", false}, "dynamo-trt": {"trtllm", false}, "atom": {"atom", false}, "atom-disagg": {"atom", false}, "tilert": {"tilert", false},
}

// Engine is the engine of a framework, "" where unknown, and whether it is
// open source (spec/checks.md section 1.4).
func Engine(framework string) (name string, open bool) {
	e := engines[framework]
	return e.name, e.open
}

// scenario names the scenario of a row in the words of the model policy; ""
// where it has no name (spec/checks.md, check 7 step 2).
func scenario(row *matrix.Row) string {
	if row.Agentic() {
		return "Agentic coding"
	}
	name, ok := map[string]string{"1k1k": "Single-turn 1k1k", "8k1k": "Single-turn 8k1k", "1024_8192": "Single-turn 1k8k"}[row.Bucket()]
	if !ok {
		return ""
	}
	return name
}
