package bot

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// GitHub counts two bytes for every UTF-16 unit.
func TestOutputCharsCountsUTF16(t *testing.T) {
	if got := OutputChars([]Output{{"ab", "xyz"}, {"c", "键\U0001f600"}}); got != 5+1+3 {
		t.Errorf("got %d", got)
	}
}

func TestFitOutputs(t *testing.T) {
	p := Planned{Settings: config.Settings{Limits: config.Limits{OutputChars: 120, MatrixRows: 256}}}
	doc := []byte(`{"version":1}`)
	names := func(outputs []Output) string {
		var out []string
		for _, o := range outputs {
			out = append(out, o.Name)
		}
		return strings.Join(out, " ")
	}
	outputs, list := FitOutputs(p, doc, "")
	if list != nil || names(outputs) != "rows families canary fail-fast plan too-large" {
		t.Errorf("fits: %v, %v", names(outputs), list)
	}
	large := bytes.Repeat([]byte("x"), 100)
	outputs, list = FitOutputs(p, large, "plan.json")
	if list != nil || names(outputs) != "rows families canary fail-fast plan-file too-large" || outputs[5].Value != "true" {
		t.Errorf("too large: %v, %v", outputs, list)
	}
	if _, list = FitOutputs(p, large, ""); !list.Refused() || list[0].Code != "cli.plan-too-large" {
		t.Errorf("too large without a file: %v", list)
	}
	p.Settings.Limits.OutputChars = 10
	if _, list = FitOutputs(p, doc, "plan.json"); !list.Refused() || list[0].Code != "cli.outputs-too-large" {
		t.Errorf("matrices too large: %v", list)
	}
}
