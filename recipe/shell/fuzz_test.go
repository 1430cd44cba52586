package shell

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// FuzzRun holds on every script: the run ends within its limits, its error is
// a finding about the file, and running again gives the same commands.
func FuzzRun(f *testing.F) {
	for _, h := range hostile {
		if len(h.script) < 2000 {
			f.Add(h.script)
		}
	}
	for _, s := range samples(f) {
		f.Add(s.script)
	}
	limits := Limits{Steps: 20_000, ValueBytes: 64 << 10, TotalBytes: 4 << 20, Words: 2_000, Depth: 100, LoopTurns: 200, Commands: 300}
	f.Fuzz(func(t *testing.T, script string) {
		o := Options{Files: memory{"s.sh": script, "lib.sh": "helper() { echo help; }\n"}, Script: "s.sh", Env: row("TP=8", "CONC=4"), Limits: limits}
		tr, err := Run(context.Background(), o)
		if err != nil {
			var finding diag.Finding
			if !errors.As(err, &finding) {
				t.Fatalf("not a finding: %v", err)
			}
			return
		}
		if tr.Steps > limits.Steps || len(tr.Commands) > limits.Commands {
			t.Fatalf("%d steps, %d commands", tr.Steps, len(tr.Commands))
		}
		for _, c := range tr.Commands {
			for _, a := range c.Argv {
				if s, ok := a.Known(); ok && len(s) > limits.ValueBytes {
					t.Fatalf("an argument of %d bytes", len(s))
				}
			}
		}
		again, err := Run(context.Background(), o)
		if err != nil || commandLines(again) != commandLines(tr) {
			t.Fatalf("second run differs: %v\n%s\n%s", err, commandLines(tr), commandLines(again))
		}
	})
}

func commandLines(tr Trace) string {
	var b strings.Builder
	for _, c := range tr.Commands {
		b.WriteString(line(c))
		for _, e := range c.Env {
			b.WriteString(" " + e.Name + "=" + e.Value.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}
