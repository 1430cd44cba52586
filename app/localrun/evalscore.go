package localrun

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// fallbackBar judges tasks that the threshold file does not name.
const fallbackBar = 0.85

// thresholds are the minimum scores of eval tasks (spec/results.md section
// 6.5).
type thresholds struct {
	defaults map[string]float64
	models   map[string]map[string]float64
}

// readThresholds reads a threshold file, YAML or JSON. A file that is no
// mapping has no bars: every task is then judged by the fallback.
func readThresholds(file string, data []byte) *thresholds {
	t := &thresholds{models: make(map[string]map[string]float64)}
	root, err := yamlpos.Parse(file, data, yamlpos.Options{LastKeyWins: true})
	if err != nil || root.Kind != yamlpos.Mapping {
		return t
	}
	if root.Get("default") == nil && root.Get("models") == nil {
		t.defaults = bars(root)
		return t
	}
	t.defaults = bars(root.Get("default"))
	if models := root.Get("models"); models != nil {
		for _, f := range models.Fields {
			t.models[f.Key.Text] = bars(f.Value)
		}
	}
	return t
}

func bars(v *yamlpos.Value) map[string]float64 {
	out := make(map[string]float64)
	if v == nil {
		return out
	}
	for _, f := range v.Fields {
		switch f.Value.Kind {
		case yamlpos.Float:
			out[f.Key.Text] = f.Value.Float
		case yamlpos.Int:
			out[f.Key.Text] = float64(f.Value.Int)
		}
	}
	return out
}

// bar is the minimum of a task for a model.
func (t *thresholds) bar(model, task string) float64 {
	if t != nil {
		if b, ok := t.models[model][task]; ok {
			return b
		}
		if b, ok := t.defaults[task]; ok {
			return b
		}
	}
	return fallbackBar
}

// scores judges every eval result of a point. All that fails is looked at; the
// first thing is returned.
func (j *judge) scores() error {
	names, err := glob(j.root, "results*.json")
	if err != nil {
		return err
	}
	var failures []diag.Finding
	judged := 0
	for _, name := range names {
		result, err := j.document(name)
		if err != nil {
			return err
		}
		n, found := j.judgeResult(name, result)
		judged += n
		failures = append(failures, found...)
	}
	if missing := j.unevaluated(names); len(missing) > 0 {
		failures = append(failures, diag.New("localrun.eval-missing", diag.Place{}, "concs", strings.Join(missing, ", ")))
	}
	switch {
	case len(failures) > 0:
		return failures[0]
	case judged == 0:
		return diag.New("localrun.eval-nothing", diag.Place{})
	}
	return nil
}

// judgeResult judges one result file and counts the metrics it judged.
func (j *judge) judgeResult(name string, result ordjson.Value) (int, []diag.Finding) {
	place := diag.Place{File: name}
	if e, ok := result.Get("integration_error"); ok && j.contract.Suites {
		return 0, []diag.Finding{diag.New("localrun.eval-integration", place, "detail", cut(diag.Printable(e.String()), 160))}
	}
	judged := 0
	var failures []diag.Finding
	for _, task := range block(result, "results").Members {
		if !j.effective(result, task.Name) {
			failures = append(failures, diag.New("localrun.eval-samples", place, "task", task.Name))
			continue
		}
		prefixes := j.metrics(result, task.Name)
		for _, m := range task.Value.Members {
			value, isNumber := number(m.Value)
			if !isNumber || strings.Contains(m.Name, "stderr") || !hasPrefix(m.Name, prefixes) {
				continue
			}
			judged++
			if bar := j.bars.bar(text(j.point.Row, "model-prefix"), task.Name); !(value >= bar) {
				failures = append(failures, diag.New("localrun.eval-score", place,
					"task", task.Name, "metric", m.Name, "value", decimal(value), "bar", decimal(bar)))
			}
		}
	}
	return judged, failures
}

// effective reports whether the sample count of a task is usable. Only results
// that have counts at all are asked.
func (j *judge) effective(result ordjson.Value, task string) bool {
	counts, ok := result.Get("n-samples")
	if !ok || !j.contract.Suites {
		return true
	}
	n, isNumber := number(block(block(counts, task), "effective"))
	return isNumber && finite(n) && n > 0
}

// metrics are the beginnings of the names of metrics that count: those that
// the result declares, where such declarations are known.
func (j *judge) metrics(result ordjson.Value, task string) []string {
	var prefixes []string
	if j.contract.Suites {
		for _, m := range block(block(block(result, "configs"), task), "metric_list").Items {
			if name := text(m, "metric"); name != "" {
				prefixes = append(prefixes, name+",")
			}
		}
	}
	if prefixes == nil {
		return []string{"exact_match,"}
	}
	return prefixes
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// unevaluated are the concurrencies of a batched eval that have no result.
// Each has a file of its own, whose name ends in _conc<N>.
func (j *judge) unevaluated(names []string) []string {
	want := strings.Fields(j.point.Env.Get("EVAL_CONC"))
	if !j.point.Multinode || len(want) < 2 {
		return nil
	}
	return slices.DeleteFunc(want, func(conc string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			stem := strings.TrimSuffix(name, ".json")
			return strings.HasSuffix(stem, "_conc"+conc) || strings.Contains(stem, "_conc"+conc+"_")
		})
	})
}
