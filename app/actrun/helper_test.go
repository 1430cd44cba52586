package actrun

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// fake stands for act: it notes how it was started, puts artifacts where the
// stand-ins do, prints what a test wants and ends like that.
const fake = `#!/bin/sh
printf '%s\n' "$@" > "$NOTES/arguments"; env > "$NOTES/environment"
while [ "$1" != --env-file ]; do shift; done
shelf=$(sed 's/.*"STANDIN_ARTIFACTS":"\([^"]*\)".*/\1/' "$2")
cp -R "$NOTES/artifacts/." "$shelf/"
cat "$NOTES/records"
. "$NOTES/end"
`

const caller = `name: Run Sweep
on:
  pull_request: { types: [labeled] }
permissions: {}
jobs:
  sweep:
    permissions: { contents: read, pull-requests: read }
    uses: ./.github/workflows/sweep.yml
`

const called = `name: sweep
on: workflow_call
jobs:
  point:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
`

// bench is a sandbox whose runs the fake plays.
type bench struct {
	t      *testing.T
	github *sandbox.Server
	notes  string
	ended  []string
}

// newBench writes the notes of the fake; artifacts maps a path to its content.
func newBench(t *testing.T, records, end string, workflows, artifacts map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, notes: t.TempDir()}
	program := filepath.Join(b.notes, "act")
	b.write("act", fake)
	b.write("records", records)
	b.write("end", end)
	b.write("artifacts/.upload-half/file", "half")
	for name, content := range artifacts {
		b.write("artifacts/"+name, content)
	}
	engine, err := New(Options{
		Program: program, Dir: t.TempDir(), Environment: []string{"PATH=" + os.Getenv("PATH"), "NOTES=" + b.notes}, RunnerName: "here",
		Labels: []string{"cluster:x"}, Ended: func(job, conclusion string) { b.ended = append(b.ended, job+": "+conclusion) },
	})
	b.must(err)
	seed := fstest.MapFS{CallerPath: {Data: []byte(caller)}, workflowsDir + "/sweep.yml": {Data: []byte(called)}}
	for name, text := range workflows {
		seed[workflowsDir+"/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	b.github, err = sandbox.Start(context.Background(), sandbox.Options{
		Seed: seed, Engine: engine, Labels: map[string]string{"go": ""}, Secrets: map[string]string{"MODELS": "a-secret"},
	})
	b.must(err)
	t.Cleanup(func() { b.must(b.github.Close()) })
	return b
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	name = filepath.Join(b.notes, filepath.FromSlash(name))
	b.must(os.MkdirAll(filepath.Dir(name), 0o755))
	b.must(os.WriteFile(name, []byte(text), 0o755))
}

func (b *bench) read(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.notes, name))
	b.must(err)
	return string(data)
}

// label opens a pull request and applies a label, which starts the run.
func (b *bench) label() {
	b.t.Helper()
	walt := b.github.As("walt-write")
	n, err := walt.OpenPR(b.t.Context(), sandbox.PullSpec{Title: "Change", Branch: "change", Edit: sandbox.Edit{Files: map[string]string{"a": "b\n"}}})
	b.must(err)
	b.must(walt.AddLabel(b.t.Context(), n, "go"))
}

// run is the only run, when it is over.
func (b *bench) run() sandbox.RunState {
	b.t.Helper()
	b.must(b.github.Settle(b.t.Context()))
	runs := b.github.Runs()
	if len(runs) != 1 {
		b.t.Fatalf("%d runs", len(runs))
	}
	return runs[0]
}
