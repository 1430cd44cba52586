package localrun

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Var is one environment variable.
type Var struct{ Name, Value string }

// Environment is what a launcher is given. A later variable of the same name
// replaces an earlier one.
type Environment []Var

// Get returns the value that a program sees.
func (e Environment) Get(name string) string {
	for _, v := range slices.Backward(e) {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// Lines returns NAME=value for each variable.
func (e Environment) Lines() []string {
	lines := make([]string, len(e))
	for i, v := range e {
		lines[i] = v.Name + "=" + v.Value
	}
	return lines
}

// Site is where a sweep runs.
type Site struct {
	// Repo is the checkout, an absolute path; Project is the project directory
	// in it ("" is the repository root).
	Repo, Project string
	Contract      Contract
	// Fast is the fast mode of AgentX throughput points.
	Fast bool
	// Runner names the machine that a runner label stands for.
	Runner func(label string) string
}

// environment is the environment of a point: the table of its template, the
// settings of its workers, and what the launch step adds. The error says which
// setting cannot be exported.
func (s Site) environment(p *Point) (Environment, error) {
	table := s.singleNode
	if p.Multinode {
		table = s.multiNode
	}
	env := append(table(p), s.constants(p)...)
	settings, err := additionalSettings(p.Row)
	if err != nil {
		return nil, err
	}
	env = append(env, settings...)
	return append(env, s.launch(p, env)...), nil
}

// shared are the variables that both templates fill alike.
func (s Site) shared(p *Point) Environment {
	scenario, subdir := "fixed-seq-len", "fixed_seq_len/"
	if p.Agentic {
		scenario, subdir = "agentic-coding", "agentic/"
	}
	r := p.Row
	env := Environment{
		{"EXP_NAME", text(r, "exp-name")},
		{"MODEL", text(r, "model")},
		{"MODEL_PREFIX", text(r, "model-prefix")},
		{"IMAGE", text(r, "image")},
		{"FRAMEWORK", text(r, "framework")},
		{"PRECISION", text(r, "precision")},
		{"SPEC_DECODING", text(r, "spec-decoding")},
		{"RECIPE_FINGERPRINT", text(r, "recipe-fingerprint")},
		{"RUN_EVAL", truthOf(p.evaluates())},
		{"EVAL_ONLY", truthOf(p.EvalOnly)},
		{"EVAL_LIMIT", ""},
		{"SCENARIO_TYPE", scenario},
		{"SCENARIO_SUBDIR", subdir},
		{"IS_AGENTIC", oneOrZero(p.Agentic)},
		{"ROUTER_METADATA", document(r, "router")},
		{"KV_P2P_TRANSFER", text(r, "kv-p2p-transfer")},
		{"DURATION", p.duration()},
		{"REQUIRE_POWER", oneOrZero(text(r, "require-power") == "true" && !p.EvalOnly)},
		{"AIPERF_EXPERIMENTAL_FAST", oneOrZero(s.Fast && p.Agentic && !p.EvalOnly)},
		{"RANDOM_RANGE_RATIO", "0.8"},
		{"SWEBENCH_USE_MODAL", "true"},
		{"PYTHONDONTWRITEBYTECODE", "1"},
		{"PYTHONPYCACHEPREFIX", "/tmp/inferencex-pycache"},
	}
	env = append(env, lengths(p)...)
	env = append(env, offload(p)...)
	if s.Contract.SRTRecipe {
		env = append(env, Var{"SRT_RECIPE", text(r, "srt-recipe")})
	}
	return append(env, s.eval(p)...)
}

// lengths are tokens; agentic points have none, and say 0.
func lengths(p *Point) Environment {
	if p.Agentic {
		return Environment{{"ISL", "0"}, {"OSL", "0"}, {"MAX_MODEL_LEN", "0"}}
	}
	return Environment{{"ISL", text(p.Row, "isl")}, {"OSL", text(p.Row, "osl")}, {"MAX_MODEL_LEN", text(p.Row, "max-model-len")}}
}

// offload is empty but for agentic points.
func offload(p *Point) Environment {
	if !p.Agentic {
		return Environment{{"KV_OFFLOADING", ""}, {"KV_OFFLOAD_BACKEND", ""}, {"KV_OFFLOAD_BACKEND_METADATA", ""}}
	}
	return Environment{
		{"KV_OFFLOADING", offloading(p.Row)},
		{"KV_OFFLOAD_BACKEND", text(block(p.Row, "kv-offload-backend"), "name")},
		{"KV_OFFLOAD_BACKEND_METADATA", document(p.Row, "kv-offload-backend")},
	}
}

// eval are the variables of the eval programs.
func (s Site) eval(p *Point) Environment {
	if !s.Contract.Suites {
		return Environment{{"SWEBENCH_GEN_MODE", ""}}
	}
	env := Environment{{"SWEBENCH_GEN_MODE", "agentic"}}
	if !p.EvalOnly {
		return append(env, Var{"EVAL_FRAMEWORK", ""}, Var{"EVAL_SUITE", ""})
	}
	return append(env,
		Var{"EVAL_FRAMEWORK", textOr(p.Row, "eval-framework", defaultEvalFramework)},
		Var{"EVAL_SUITE", text(p.Row, "eval-suite")})
}

// defaultEvalFramework evaluates rows that name no framework.
const defaultEvalFramework = "lm-eval"

// constants are the same for every point of a repository.
func (s Site) constants(p *Point) Environment {
	env := Environment{{"GITHUB_WORKSPACE", s.Repo}}
	if !s.Contract.Constants {
		if !p.Multinode {
			env = append(env, Var{"SALLOC_EXCLUDE", ""})
		}
		return env
	}
	project := filepath.Join(s.Repo, filepath.FromSlash(s.Project))
	return append(env, Environment{
		{"PORT", "8888"},
		{"INFMAX_CONTAINER_WORKSPACE", "/workspace"},
		{"THINKING_MODE", "thinking_on"},
		{"MODEL_DOWNLOAD_LOCK_TIMEOUT", "21600"},
		{"ENROOT_IMPORT_TIME_LIMIT", "120"},
		{"SALLOC_TIME_LIMIT", "480"},
		{"GPU_MONITOR_INTERVAL", "1"},
		{"GPU_METRICS_CSV", "gpu_metrics.csv"},
		{"KEEP_LOGS", "0"},
		{"DSV41_MIN_CUDAGRAPH_CAPTURE_SIZE", "1"},
		{"PYTHONPATH", project},
		{"INFERENCEX_E2E_ROOT", project},
	}...)
}

// launch are the variables of the launch step.
func (s Site) launch(p *Point, env Environment) Environment {
	out := Environment{
		{"RUNNER_NAME", p.Runner},
		{"RUNNER_TYPE", text(p.Row, "runner")},
		{"RESULT_FILENAME_BASE", p.baseName()},
		{"RESULT_FILENAME", p.ResultName},
	}
	if p.Multinode {
		if env.Get("EVAL_CONC") == "" {
			out = append(out, Var{"EVAL_CONC", largest(p.Concurrencies)})
		}
		return out
	}
	gpus := product(env.Get("TP"), env.Get("PP_SIZE"), env.Get("PCP_SIZE"))
	return append(out, Var{"GPU_COUNT", itoa(gpus)}, Var{"GITHUB_STEP_SUMMARY", ""})
}

// launcherPrefix is the part of a runner name that names its launcher: up to
// the first underscore (spec/labels-and-sweeps.md section 9.6).
func launcherPrefix(runner string) string {
	prefix, _, _ := strings.Cut(runner, "_")
	return prefix
}

// launcherFile is the launcher of a runner by convention, below the
// repository, with slashes.
func launcherFile(folder, runner string) string {
	return path.Join(folder, "launch_"+launcherPrefix(runner)+".sh")
}
