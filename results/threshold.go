package results

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// FallbackBar is the minimum score of a task without any bar.
const FallbackBar = 0.85

// Thresholds are the minimum scores of eval tasks (spec/results.md section 6.5).
// The zero value has none: every task has the fallback.
type Thresholds struct {
	// Fallback replaces FallbackBar for tasks without a bar; nil keeps it.
	Fallback *float64
	// Loaded is false when the file could not be used.
	Loaded  bool
	byTask  map[string]float64
	byModel map[string]map[string]float64
}

// Bar is a minimum score and where it comes from: "models.<prefix>", "default"
// or "min-score".
type Bar struct {
	Minimum float64
	Source  string
}

// ReadThresholds reads a thresholds file, YAML or JSON. A file that can't be
// used is a warning: the bars are then those of the zero value.
func ReadThresholds(name string, data []byte) (Thresholds, diag.List) {
	root, err := yamlpos.Parse(name, data, yamlpos.Options{LastKeyWins: true})
	if err != nil || root.Kind != yamlpos.Mapping {
		detail := "not a mapping"
		if err != nil {
			detail = err.Error()
		}
		return Thresholds{}, diag.List{diag.New("results.thresholds-unreadable", diag.Place{File: name}, "error", detail).WithSeverity(diag.Warning)}
	}
	t := Thresholds{Loaded: true, byTask: map[string]float64{}, byModel: map[string]map[string]float64{}}
	var list diag.List
	section, models := root.Get("default"), root.Get("models")
	if section == nil && models == nil {
		section = root
	}
	list = append(list, readBars(name, section, t.byTask)...)
	if models != nil {
		for _, f := range models.Fields {
			bars := map[string]float64{}
			list = append(list, readBars(name, f.Value, bars)...)
			t.byModel[f.Key.Text] = bars
		}
	}
	return t, list
}

// readBars reads a mapping of tasks to scores. What is no score is a warning and
// sets no bar.
func readBars(file string, section *yamlpos.Value, into map[string]float64) diag.List {
	var list diag.List
	if section == nil {
		return nil
	}
	for _, f := range section.Fields {
		switch f.Value.Kind {
		case yamlpos.Int:
			into[f.Key.Text] = float64(f.Value.Int)
		case yamlpos.Float:
			into[f.Key.Text] = f.Value.Float
		default:
			list = append(list, diag.New("results.threshold-value", f.Value.Place(file), "task", f.Key.Text, "value", f.Value.Text).WithSeverity(diag.Warning))
		}
	}
	return list
}

// Bar returns the bar of a task for a model prefix ("" for an unknown one).
func (t Thresholds) Bar(prefix, task string) Bar {
	if minimum, ok := t.byModel[prefix][task]; ok && prefix != "" {
		return Bar{minimum, "models." + prefix}
	}
	if minimum, ok := t.byTask[task]; ok {
		return Bar{minimum, "default"}
	}
	if t.Fallback != nil {
		return Bar{*t.Fallback, "min-score"}
	}
	return Bar{FallbackBar, "min-score"}
}
