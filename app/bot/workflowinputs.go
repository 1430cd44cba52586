package bot

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// dispatchInputs reads the names of the inputs of workflow_dispatch from a
// workflow file. A workflow that cannot be dispatched is refused.
func dispatchInputs(name string, data []byte) ([]string, error) {
	doc, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		return nil, err
	}
	for _, field := range doc.Fields {
		// An unquoted "on" is a boolean to some readers; its text is the same.
		if field.Key.Text != "on" {
			continue
		}
		for _, trigger := range field.Value.Fields {
			if trigger.Key.Text == "workflow_dispatch" {
				return keysOf(trigger.Value.Get("inputs")), nil
			}
		}
	}
	return nil, diag.New("bot.workflow-no-dispatch", diag.Place{File: name})
}

func keysOf(v *yamlpos.Value) []string {
	if v == nil {
		return nil
	}
	var names []string
	for _, field := range v.Fields {
		names = append(names, field.Key.Text)
	}
	return names
}
