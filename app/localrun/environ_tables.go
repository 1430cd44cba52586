package localrun

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// singleNode is the table of spec/labels-and-sweeps.md section 9.4.
func (s Site) singleNode(p *Point) Environment {
	r := p.Row
	env := append(s.shared(p), Environment{
		{"TP", text(r, "tp")},
		{"PP_SIZE", textOr(r, "pp", "1")},
		{"DCP_SIZE", textOr(r, "dcp-size", "1")},
		{"PCP_SIZE", textOr(r, "pcp-size", "1")},
		{"EP_SIZE", textOr(r, "ep", "1")},
		{"DP_ATTENTION", truth(r, "dp-attn")},
		{"CONC", strings.Join(p.Concurrencies, " ")},
		{"DISAGG", p.disaggregated()},
		{"TOTAL_CPU_DRAM_GB", p.memory("0")},
		{"AIPERF_FAILED_REQUEST_THRESHOLD", "0.10"},
		{"RESULT_DIR", "/workspace/results"},
		{"HF_HUB_CACHE", "/mnt/hf_hub_cache/"},
	}...)
	if s.Contract.Constants {
		env = append(env, Var{"IS_MULTINODE", "false"})
	}
	return env
}

// multiNode is the table of spec/labels-and-sweeps.md section 9.5.
func (s Site) multiNode(p *Point) Environment {
	env := append(s.shared(p), Environment{
		{"IS_MULTINODE", "true"},
		{"CONC_LIST", strings.Join(s.concurrencies(p), " ")},
		{"CONC", s.firstConcurrency(p)},
		{"EVAL_CONC", evalConcurrencies(p)},
		{"DISAGG", p.disaggregated()},
		{"TOTAL_CPU_DRAM_GB", p.memory("600")},
		{"POWER_PRODUCER_SHA", ""},
	}...)
	env = append(env, role("PREFILL", block(p.Row, "prefill"))...)
	return append(env, role("DECODE", block(p.Row, "decode"))...)
}

// role are the variables of one side.
func role(prefix string, worker ordjson.Value) Environment {
	return Environment{
		{prefix + "_HARDWARE", text(worker, "hardware")},
		{prefix + "_NUM_WORKERS", text(worker, "num-worker")},
		{prefix + "_TP", text(worker, "tp")},
		{prefix + "_PP_SIZE", textOr(worker, "pp", "1")},
		{prefix + "_DCP_SIZE", textOr(worker, "dcp-size", "1")},
		{prefix + "_PCP_SIZE", textOr(worker, "pcp-size", "1")},
		{prefix + "_EP", textOr(worker, "ep", "1")},
		{prefix + "_DP_ATTN", truth(worker, "dp-attn")},
	}
}

// concurrencies is CONC_LIST: the whole list, but for agentic evals only the
// concurrency that is evaluated where suites are known.
func (s Site) concurrencies(p *Point) []string {
	if p.EvalOnly && p.Agentic && s.Contract.Suites {
		return words(p.Row, "eval-conc")
	}
	return p.Concurrencies
}

// firstConcurrency is CONC, which only agentic points of several nodes have.
func (s Site) firstConcurrency(p *Point) string {
	switch {
	case !p.Agentic:
		return ""
	case p.EvalOnly:
		return text(p.Row, "eval-conc")
	case len(p.Concurrencies) > 0:
		return p.Concurrencies[0]
	}
	return ""
}

// evalConcurrencies is EVAL_CONC: one concurrency, or with eval-all-concs the
// whole list, which only the default framework can evaluate in one job.
func evalConcurrencies(p *Point) string {
	if !p.EvalOnly {
		return ""
	}
	whole := text(p.Row, "eval-all-concs") == "true" && !p.Agentic
	if whole && textOr(p.Row, "eval-framework", defaultEvalFramework) == defaultEvalFramework {
		return strings.Join(p.Concurrencies, " ")
	}
	return text(p.Row, "eval-conc")
}

// setting is the form of an additional setting.
var setting = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_]*=`)

// additionalSettings are the settings of both workers as variables. They are
// data: nothing of them is ever given to a shell, and a setting of any other
// form fails the point.
func additionalSettings(row ordjson.Value) (Environment, error) {
	var env Environment
	for _, side := range []string{"prefill", "decode"} {
		for i, text := range words(block(row, side), "additional-settings") {
			if !setting().MatchString(text) || strings.ContainsRune(text, 0) {
				place := fmt.Sprintf("%s.additional-settings.%d", side, i)
				return nil, diag.New("localrun.setting-form", diag.Place{}, "setting", strconv.Quote(text)).At(place)
			}
			name, value, _ := strings.Cut(text, "=")
			env = append(env, Var{name, value})
		}
	}
	return env, nil
}

func truthOf(b bool) string { return strconv.FormatBool(b) }

func itoa(n int) string { return strconv.Itoa(n) }
