package actions

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/app/bot"
)

// A value that could end its line defines no second output: nothing at all is
// written (spec/security.md, output file injection).
func TestWriteOutputsRefusesLineEnds(t *testing.T) {
	for _, o := range []bot.Output{
		{Name: "plan", Value: "a\nreuse-enabled=true"}, {Name: "plan", Value: "a\rb"}, {Name: "plan", Value: "a\x00"}, {Name: "plan", Value: "\xff"},
		{Name: "a\nb", Value: "c"}, {Name: "", Value: "c"}, {Name: "a=b", Value: "c"}, {Name: "a<<EOF", Value: "c"},
	} {
		var b bytes.Buffer
		if err := WriteOutputs(&b, []bot.Output{{Name: "rows", Value: "1"}, o}); err == nil || b.Len() > 0 {
			t.Errorf("%q: wrote %q, error %v", o, b.String(), err)
		}
	}
}

func TestWriteOutputsIsReadBack(t *testing.T) {
	value := rapid.StringMatching(`[^\n\r\x00]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		var want []bot.Output
		for i := range rapid.IntRange(0, 4).Draw(t, "n") {
			want = append(want, bot.Output{Name: "name-" + string(rune('a'+i)), Value: value.Draw(t, "value")})
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
