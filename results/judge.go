package results

import (
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// EvalInput is what an eval job left in its folder, and how it was asked to be
// judged.
type EvalInput struct {
	// Results are the files results*.json.
	Results []RawFile
	// Meta is the content of meta_env.json, nil when there is none.
	Meta []byte
	// Prefix is the model prefix that overrides the metadata, EnvPrefix the one
	// that stands in for it.
	Prefix, EnvPrefix string
	// MetricPrefixes override the metrics to judge.
	MetricPrefixes []string
	// ExpectedConcs are the concurrencies that the workflow asked for, separated
	// by blanks; nil when it asked for nothing.
	ExpectedConcs *string
}

// EvalCheck is one judged metric.
type EvalCheck struct {
	// Conc is the concurrency in the file's name, 0 for none.
	Conc         int64
	Task, Metric string
	Value        float64
	Bar          Bar
	Pass         bool
}

// EvalFailure is a reason to fail that is no score below its bar. Concs are
// sorted and nil where the code carries none.
type EvalFailure struct {
	Code  string
	Concs []int64
	// File or task that is meant, for messages.
	About string
}

// Finding is the failure as a finding about file.
func (f EvalFailure) Finding(file string) diag.Finding {
	return diag.New("results.judge-"+f.Code, diag.Place{File: file}, "about", f.About, "concs", joinInts(f.Concs, ", ")).In(f.Code)
}

// EvalJudgement is the outcome of an eval job (spec/results.md section 6.5).
type EvalJudgement struct {
	// Prefix is the model prefix used, "" for none.
	Prefix   string
	Checks   []EvalCheck
	Failures []EvalFailure
}

// Passed reports whether something was judged and nothing failed.
func (j EvalJudgement) Passed() bool {
	return len(j.Failures) == 0 && !slices.ContainsFunc(j.Checks, func(c EvalCheck) bool { return !c.Pass })
}

// JudgeEval judges the scores and the completeness of an eval job. A score
// equal to its bar passes; every metric of a task must pass.
func JudgeEval(in EvalInput, bars Thresholds, rules Rules) EvalJudgement {
	j := judge{in: in, bars: bars, rules: rules}
	requested, ok := requestedConcs(in.ExpectedConcs)
	if !ok {
		j.fail("expected-concs-invalid", nil, "")
		return j.out
	}
	meta, err := document.Parse(in.Meta, document.Options{NonFinite: true, LastWins: true})
	j.readable = err == nil && meta.Kind == ordjson.Object
	if j.readable {
		j.meta = meta
	}
	j.out.Prefix = j.prefix()
	j.readResults()
	j.manifest(requested)
	for _, r := range j.results {
		j.file(r)
	}
	if len(j.out.Checks) == 0 {
		j.fail("nothing-checked", nil, "")
	}
	return j.out
}

type judge struct {
	in       EvalInput
	bars     Thresholds
	rules    Rules
	meta     ordjson.Value
	readable bool
	results  []evalResult
	out      EvalJudgement
}

func (j *judge) fail(code string, concs []int64, about string) {
	j.out.Failures = append(j.out.Failures, EvalFailure{Code: code, Concs: concs, About: about})
}

func (j *judge) prefix() string {
	meta, _ := document.Text(at(j.meta, "infmax_model_prefix"))
	switch {
	case j.in.Prefix != "":
		return j.in.Prefix
	case meta != "" && meta != "unknown":
		return meta
	case j.in.EnvPrefix != "unknown":
		return j.in.EnvPrefix
	}
	return ""
}

// readResults parses the result files in name order.
func (j *judge) readResults() {
	files := slices.Clone(j.in.Results)
	slices.SortFunc(files, func(a, b RawFile) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		name := path.Base(f.Name)
		doc, err := document.Parse(f.Data, document.Options{NonFinite: true, LastWins: true})
		if err != nil || doc.Kind != ordjson.Object {
			j.fail("result-unreadable", nil, name)
		}
		r := evalResult{name: name, doc: doc}
		r.conc, _ = concOf(name)
		j.results = append(j.results, r)
	}
}

func (j *judge) file(r evalResult) {
	if broken, ok := r.doc.Get("integration_error"); ok && j.rules.BrokenEvals && !document.IsNull(broken) {
		j.fail("integration-error", nil, r.name)
		return
	}
	tasks, _ := r.doc.Get("results")
	samples, counted := r.doc.Get("n-samples")
	for _, task := range tasks.Members {
		if counted && j.rules.BrokenEvals && !isCount(at(samples, task.Name, "effective")) {
			j.fail("effective-count-invalid", nil, task.Name)
			continue
		}
		j.task(r, task)
	}
}

func (j *judge) task(r evalResult, task ordjson.Member) {
	prefixes := j.metricPrefixes(at(r.doc, "configs", task.Name))
	bar := j.bars.Bar(j.out.Prefix, task.Name)
	for _, m := range task.Value.Members {
		value, isNumber := document.Number(m.Value)
		if !isNumber || strings.Contains(m.Name, "stderr") || !hasAnyPrefix(m.Name, prefixes) {
			continue
		}
		j.out.Checks = append(j.out.Checks, EvalCheck{
			Conc: r.conc, Task: task.Name, Metric: m.Name, Value: value, Bar: bar, Pass: value >= bar.Minimum,
		})
	}
}

func (j *judge) metricPrefixes(config ordjson.Value) []string {
	if j.in.MetricPrefixes != nil {
		return j.in.MetricPrefixes
	}
	var out []string
	if j.rules.DeclaredMetrics {
		list, _ := config.Get("metric_list")
		for _, item := range list.Items {
			if name, ok := document.Text(at(item, "metric")); ok && name != "" {
				out = append(out, name+",")
			}
		}
	}
	if out == nil {
		out = []string{"exact_match,"}
	}
	return out
}

func hasAnyPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}
