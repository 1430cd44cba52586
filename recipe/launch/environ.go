package launch

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// Mode says which run of a row is meant.
type Mode string

// A throughput run measures speed, an eval run accuracy. The mode of an
// eval-only row is Eval.
const (
	Throughput Mode = "throughput"
	Eval       Mode = "eval"
)

// ModeOf is the mode in which the plan runs a row.
func ModeOf(row *matrix.Row) Mode {
	if row.EvalOnly {
		return Eval
	}
	return Throughput
}

// environ builds the environment that the benchmark workflow gives a launcher
// (spec/labels-and-sweeps.md sections 9.4 and 9.5).
type environ struct {
	env shell.Env
	at  shell.Origin
	doc ordjson.Value
}

// ofRow is the origin of what the row says, the same for all rows, so that
// those which say the same are evaluated once. A visit knows the place.
var ofRow = shell.Origin{File: "<row>"}

// rowEnvironment is the environment of a row on a runner.
func rowEnvironment(row *matrix.Row, mode Mode, runner, workspace string) shell.Env {
	e := &environ{env: make(shell.Env, 80), doc: row.Document(), at: ofRow}
	e.shared(row, mode)
	if row.Multinode() {
		e.multiNode(row, mode)
	} else {
		e.singleNode(row)
	}
	e.former(row)
	e.set("GITHUB_WORKSPACE", workspace)
	e.set("RUNNER_NAME", runner)
	e.set("RUNNER_TYPE", row.Runner)
	for _, name := range []string{"RESULT_FILENAME", "RESULT_FILENAME_BASE"} {
		e.set(name, "result") // the name of a point's files says nothing about it
	}
	for _, name := range []string{"HF_TOKEN", "MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET", "GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_ACTIONS"} {
		e.env[name] = shell.Unknowable(shell.Unknown{Reason: shell.ReasonHost, Detail: name})
	}
	return e.env
}

func (e *environ) set(name, value string) { e.env[name] = shell.Text(value, e.at) }

func (e *environ) field(doc ordjson.Value, name, otherwise string) string {
	v, ok := doc.Get(name)
	if !ok || v.Kind == ordjson.Literal && v.Text == "null" {
		return otherwise
	}
	return v.Text
}

// object is a member as JSON text, "" where there is none.
func (e *environ) object(name string) string {
	v, ok := e.doc.Get(name)
	if !ok || v.Kind != ordjson.Object {
		return ""
	}
	return v.String()
}

func (e *environ) shared(row *matrix.Row, mode Mode) {
	for _, f := range [][2]string{
		{"EXP_NAME", "exp-name"}, {"MODEL", "model"}, {"MODEL_PREFIX", "model-prefix"}, {"IMAGE", "image"}, {"FRAMEWORK", "framework"},
		{"PRECISION", "precision"}, {"SPEC_DECODING", "spec-decoding"}, {"RECIPE_FINGERPRINT", "recipe-fingerprint"}, {"SRT_RECIPE", "srt-recipe"},
		{"KV_P2P_TRANSFER", "kv-p2p-transfer"}, {"EVAL_FRAMEWORK", "eval-framework"}, {"EVAL_SUITE", "eval-suite"},
	} {
		e.set(f[0], e.field(e.doc, f[1], ""))
	}
	scenario, subdir, agentic := matrix.FixedSeqLen, "fixed_seq_len/", "0"
	if row.Agentic() {
		scenario, subdir, agentic = matrix.AgenticCoding, "agentic/", "1"
	}
	eval := mode == Eval
	for _, f := range [][2]string{
		{"SCENARIO_TYPE", scenario}, {"SCENARIO_SUBDIR", subdir}, {"IS_AGENTIC", agentic}, {"ROUTER_METADATA", e.object("router")},
		{"RUN_EVAL", strconv.FormatBool(eval || row.RunEval == matrix.Yes)}, {"EVAL_ONLY", strconv.FormatBool(eval)},
		{"DURATION", e.field(e.doc, "duration", "3600")}, {"REQUIRE_POWER", "0"}, {"AIPERF_EXPERIMENTAL_FAST", "0"}, {"EVAL_LIMIT", ""}, {"SWEBENCH_GEN_MODE", ""},
		{"RANDOM_RANGE_RATIO", "0.8"}, {"SWEBENCH_USE_MODAL", "true"}, {"PYTHONDONTWRITEBYTECODE", "1"}, {"PYTHONPYCACHEPREFIX", "/tmp/inferencex-pycache"},
		{"DISAGG", e.field(e.doc, "disagg", "false")}, {"KV_OFFLOADING", ""}, {"KV_OFFLOAD_BACKEND", ""}, {"KV_OFFLOAD_BACKEND_METADATA", ""},
		{"ISL", "0"}, {"OSL", "0"}, {"MAX_MODEL_LEN", "0"},
	} {
		e.set(f[0], f[1])
	}
	if !row.Agentic() {
		e.set("ISL", e.field(e.doc, "isl", "0"))
		e.set("OSL", e.field(e.doc, "osl", "0"))
		e.set("MAX_MODEL_LEN", e.field(e.doc, "max-model-len", "0"))
		return
	}
	offloading, _ := e.doc.Get("kv-offloading")
	mode1 := offloading.Text
	if offloading.Kind == ordjson.Array && len(offloading.Items) > 0 {
		mode1 = offloading.Items[0].Text
	}
	e.set("KV_OFFLOADING", mode1)
	backend, _ := e.doc.Get("kv-offload-backend")
	e.set("KV_OFFLOAD_BACKEND", e.field(backend, "name", ""))
	e.set("KV_OFFLOAD_BACKEND_METADATA", e.object("kv-offload-backend"))
}

// former are the variables of fields of former times, and those that cannot be
// computed (matrix.Reading).
func (e *environ) former(row *matrix.Row) {
	if row.Entry.FormerOffloading != "" {
		e.set("OFFLOADING", row.Entry.FormerOffloading)
	}
	if row.Entry.FormerDuration > 0 {
		e.set("DURATION", strconv.FormatInt(row.Entry.FormerDuration, 10))
	}
	if row.DRAMUnknown {
		e.env["TOTAL_CPU_DRAM_GB"] = shell.Unknowable(shell.Unknown{Reason: shell.ReasonGiven, Detail: "total-cpu-dram-gb", Origin: e.at})
	}
}

// scenarioFolder takes the subfolder of fixed sequences back where the revision
// has no such folder: then its workflow names none.
func (v *visit) scenarioFolder() {
	names, ok := v.r.files.List(path.Join(v.r.project, v.r.settings.Layout.Recipes.SingleNode))
	if ok && !v.row.Agentic() && !v.row.Multinode() && !slices.Contains(names, "fixed_seq_len/") {
		v.start["SCENARIO_SUBDIR"] = shell.Text("", shell.Origin{File: v.row.Entry.Place.File, Line: v.row.Entry.Place.Line})
	}
}

func (e *environ) singleNode(row *matrix.Row) {
	for _, f := range [][2]string{{"TP", "tp"}, {"PP_SIZE", "pp"}, {"DCP_SIZE", "dcp-size"}, {"PCP_SIZE", "pcp-size"}, {"EP_SIZE", "ep"}} {
		e.set(f[0], e.field(e.doc, f[1], "1"))
	}
	gpus := 1
	for _, name := range []string{"tp", "pp", "pcp-size"} {
		n, _ := strconv.Atoi(e.field(e.doc, name, "1"))
		gpus *= max(n, 1)
	}
	for _, f := range [][2]string{
		{"DP_ATTENTION", e.field(e.doc, "dp-attn", "false")}, {"CONC", numbers(row.Conc)}, {"TOTAL_CPU_DRAM_GB", e.field(e.doc, "total-cpu-dram-gb", "0")},
		{"GPU_COUNT", strconv.Itoa(gpus)}, {"IS_MULTINODE", "false"}, {"HF_HUB_CACHE", "/mnt/hf_hub_cache/"}, {"RESULT_DIR", "/workspace/results"},
		{"AIPERF_FAILED_REQUEST_THRESHOLD", "0.10"}, {"SALLOC_EXCLUDE", ""}, {"GITHUB_STEP_SUMMARY", ""},
	} {
		e.set(f[0], f[1])
	}
}

func (e *environ) multiNode(row *matrix.Row, mode Mode) {
	first := ""
	if len(row.Conc) > 0 {
		first = strconv.FormatInt(row.Conc[0], 10)
	}
	for _, f := range [][2]string{
		{"IS_MULTINODE", "true"}, {"CONC_LIST", numbers(row.Conc)}, {"CONC", first}, {"TOTAL_CPU_DRAM_GB", e.field(e.doc, "total-cpu-dram-gb", "600")}, {"POWER_PRODUCER_SHA", ""},
	} {
		e.set(f[0], f[1])
	}
	conc := e.field(e.doc, "eval-conc", "")
	if conc == "" {
		largest := int64(0)
		for _, c := range row.Conc {
			largest = max(largest, c)
		}
		conc = strconv.FormatInt(largest, 10)
	}
	e.set("EVAL_CONC", conc)
	for _, side := range []struct{ prefix, field string }{{"PREFILL", "prefill"}, {"DECODE", "decode"}} {
		block, _ := e.doc.Get(side.field)
		e.side(side.prefix, block)
	}
}

// side are the variables of the workers of one role, then its settings.
func (e *environ) side(prefix string, block ordjson.Value) {
	e.set(prefix+"_HARDWARE", e.field(block, "hardware", ""))
	for _, f := range [][2]string{{"_NUM_WORKERS", "num-worker"}, {"_TP", "tp"}, {"_PP_SIZE", "pp"}, {"_DCP_SIZE", "dcp-size"}, {"_PCP_SIZE", "pcp-size"}, {"_EP", "ep"}} {
		e.set(prefix+f[0], e.field(block, f[1], "1"))
	}
	e.set(prefix+"_DP_ATTN", e.field(block, "dp-attn", "false"))
	settings, _ := block.Get("additional-settings")
	for _, s := range settings.Items {
		if name, value, ok := strings.Cut(s.Text, "="); ok && isName(name) {
			e.set(name, strings.Trim(value, `"'`))
		}
	}
}

func isName(text string) bool {
	for i, r := range text {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}

func numbers(list []int64) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, " ")
}
