package bot

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/config"
)

// A value that could end its line defines no second output: nothing at all is
// written (spec/security.md, output file injection).
func TestWriteOutputsRefusesLineEnds(t *testing.T) {
	for _, o := range []Output{
		{"plan", "a\nreuse-enabled=true"}, {"plan", "a\rb"}, {"plan", "a\x00"}, {"plan", "\xff"},
		{"a\nb", "c"}, {"", "c"}, {"a=b", "c"}, {"a<<EOF", "c"},
	} {
		var b bytes.Buffer
		if err := WriteOutputs(&b, []Output{{"rows", "1"}, o}); err == nil || b.Len() > 0 {
			t.Errorf("%q: wrote %q, error %v", o, b.String(), err)
		}
	}
}

func TestWriteOutputsIsReadBack(t *testing.T) {
	value := rapid.StringMatching(`[^\n\r\x00]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		var want []Output
		for i := range rapid.IntRange(0, 4).Draw(t, "n") {
			want = append(want, Output{"name-" + string(rune('a'+i)), value.Draw(t, "value")})
		}
		var b bytes.Buffer
		if err := WriteOutputs(&b, want); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(b.String(), "\n")
		if len(lines) != len(want)+1 {
			t.Fatalf("%d lines for %d outputs", len(lines)-1, len(want))
		}
		for i, o := range want {
			if lines[i] != o.Name+"="+o.Value+"\n" {
				t.Fatalf("line %q for %v", lines[i], o)
			}
		}
	})
}

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
