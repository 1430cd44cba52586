package bot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Commits of these tests.
var (
	shaA = strings.Repeat("a1", 20)
	shaB = strings.Repeat("b2", 20)
	shaC = strings.Repeat("c3", 20)
)

const (
	site       = "https://github.com/example/sample-bench"
	visualizer = "https://results.example"
)

func runningSweep() RunProgress {
	families := []FamilyProgress{
		{Name: "canary", Tally: Tally{Planned: 1, Passed: 1}},
		{Name: "single-node 1k1k", Tally: Tally{Planned: 20, Passed: 12, Failed: 1, Running: 3, Waiting: 4}},
		{Name: "multi-node 8k1k", Tally: Tally{Planned: 6, Running: 2, Waiting: 4}},
		{Name: "eval", Tally: Tally{Planned: 4}},
	}
	r := RunProgress{
		ID: 4057, Attempt: 2, SHA: shaA, Label: "full-sweep-enabled", Phase: PhaseRunning, Canary: CanaryPassed,
		Updated: epoch.Unix(), ETA: epoch.Add(2*time.Hour + 40*time.Minute).Unix(), Families: families,
		Failures: []FailedPoint{{Title: "p4.500 | orchid fp8 aurora vllm TP4 c64", JobID: 77, NoRunner: true}},
	}
	for _, f := range families {
		r.Points.add(f.Tally)
	}
	return r
}

func finishedSweep(id int64, sha string, outcome RunOutcome, t Tally) RunProgress {
	return RunProgress{ID: id, Attempt: 1, SHA: sha, Label: "full-sweep-fail-fast", Phase: PhaseFinished, Outcome: outcome, Points: t,
		Updated: epoch.Unix(), Results: outcome == OutcomePassed}
}

func refusedRequest() *SweepRequest {
	return &SweepRequest{
		SHA:    shaB,
		Reason: diag.New("labels.check-failed", diag.Place{}),
		Problems: diag.List{
			diag.New("labels.conflict", diag.Place{File: "perf-changelog.yaml", Line: 31, Column: 3}, "labels", "a and b"),
			diag.New("bot.payload-json", diag.Place{File: "configs/<b>@team`.yaml", Line: 2}, "detail", "@everyone <!-- sweepbot:progress --> [x](http://evil.example) `rm` #12").WithSeverity(diag.Warning),
		},
	}
}

func TestProgressGolden(t *testing.T) {
	started := &SweepRequest{
		SHA: shaA, Starts: true, Reason: note("labels.sweep-runs", "primary", "full-sweep-fail-fast"),
		Points: 31, Evals: 4, Canary: "orchid fp8 cluster:aurora vllm TP4 c4",
		Families: []FamilyProgress{{Name: "canary", Tally: Tally{Planned: 1}}, {Name: "single-node 1k1k", Tally: Tally{Planned: 20}}},
	}
	old := finishedSweep(3999, shaB, OutcomeFailed, Tally{Passed: 28, Failed: 3})
	older := finishedSweep(3900, shaC, OutcomeCancelled, Tally{Passed: 5, Cancelled: 26})
	gateOnly := RunProgress{ID: 4000, Attempt: 1, SHA: shaB, Phase: PhaseFinished, Outcome: OutcomeNothing}
	failed := finishedSweep(4057, shaA, OutcomeFailed, Tally{Passed: 28, Failed: 8})
	failed.Families = []FamilyProgress{{Name: "single-node 1k1k", Tally: Tally{Passed: 28, Failed: 8}}}
	for i := range 5 {
		failed.Failures = append(failed.Failures, FailedPoint{Title: fmt.Sprint("point | `x` @who #", i), JobID: int64(i + 1)})
	}
	failed.MoreFailures = 3
	fork := finishedSweep(4057, shaA, OutcomePassed, Tally{Passed: 31})
	fork.Fork = true
	cases := map[string]Progress{
		"none":     {Head: shaA},
		"starts":   {Head: shaA, Request: started},
		"refused":  {Head: shaB, Request: refusedRequest()},
		"running":  {Head: shaA, Request: started, Runs: []RunProgress{runningSweep(), gateOnly, old, older}},
		"moved":    {Head: shaB, Request: refusedRequest(), Runs: []RunProgress{fork, old}},
		"failures": {Head: shaA, Runs: []RunProgress{failed}},
	}
	for name, p := range cases {
		p.Number, p.Site, p.Visualizer = 12, site, visualizer
		golden(t, "progress/"+name+".md", progressContent{p}.body(seal{repository: repoName, number: 12}, nil))
	}
}

// drawRun draws a state of one of a few runs.
func drawRun(t *rapid.T) RunProgress {
	r := RunProgress{
		ID: rapid.Int64Range(1, 5).Draw(t, "id"), Attempt: rapid.IntRange(1, 2).Draw(t, "attempt"),
		SHA: rapid.SampledFrom([]string{shaA, shaB}).Draw(t, "sha"), Phase: rapid.SampledFrom(phaseOrder).Draw(t, "phase"),
		Updated: rapid.Int64Range(0, 3).Draw(t, "updated"),
		Points:  Tally{Passed: rapid.IntRange(0, 3).Draw(t, "passed"), Failed: rapid.IntRange(0, 2).Draw(t, "failed")},
	}
	if r.Phase == PhaseFinished {
		r.Outcome = rapid.SampledFrom(outcomes[1:]).Draw(t, "outcome")
	}
	if rapid.Bool().Draw(t, "detailed") {
		r.Families = []FamilyProgress{{Name: "eval", Tally: r.Points}}
	}
	return r
}

// What a comment remembers does not depend on who wrote it first, or how often.
func TestMergeRunsConverges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lists [][]RunProgress
		for range 3 {
			lists = append(lists, rapid.SliceOfN(rapid.Custom(drawRun), 0, 6).Draw(t, "runs"))
		}
		a, b, c := lists[0], lists[1], lists[2]
		all := writeState(mergeRuns(a, b, c))
		for name, other := range map[string][]RunProgress{
			"reordered":  mergeRuns(c, a, b),
			"in steps":   mergeRuns(a, mergeRuns(b, c)),
			"other step": mergeRuns(mergeRuns(c, a), b),
			"repeated":   mergeRuns(mergeRuns(a, b, c), b, a),
		} {
			if got := writeState(other); got != all {
				t.Fatalf("%s:\n%s\nwant\n%s", name, got, all)
			}
		}
		for i, r := range mergeRuns(a, b, c) {
			if !r.plausible() {
				t.Fatalf("run %d is not taken back: %+v", i, r)
			}
		}
	})
}

// A body that is rendered again from itself stays as it is, and what it says
// is whole: no fold is left open, and all fits.
func TestProgressBodyIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Progress{Number: 12, Head: shaA, Site: site, Visualizer: visualizer,
			Runs: rapid.SliceOfN(rapid.Custom(drawRun), 0, 40).Draw(t, "runs")}
		s := seal{repository: repoName, number: 12, key: rapid.SampledFrom([][]byte{nil, []byte("key")}).Draw(t, "key")}
		c := progressContent{p}
		body := c.body(s, nil)
		if !c.holds(s, body) || c.body(s, []string{body}) != body {
			t.Fatalf("not stable:\n%s", body)
		}
		if len(body) > maxComment {
			t.Fatalf("%d bytes", len(body))
		}
		if strings.Count(body, "<details>") != strings.Count(body, "</details>") {
			t.Fatalf("an open fold:\n%s", body)
		}
	})
}

// A comment at its limits is cut with counts and still fits.
func TestProgressFits(t *testing.T) {
	r := refusedRequest()
	for i := range 3000 {
		r.Problems = append(r.Problems, diag.New("bot.payload-json", diag.Place{File: strings.Repeat("很长/", 20), Line: i}, "detail", strings.Repeat("x", 300)))
	}
	p := Progress{Number: 12, Head: shaB, Request: r, Site: site}
	for i := range maxRuns {
		p.Runs = append(p.Runs, finishedSweep(int64(i+1), shaA, OutcomeFailed, Tally{Failed: 1}))
	}
	body := progressContent{p}.body(seal{}, nil)
	if len(body) > maxComment {
		t.Fatalf("%d bytes", len(body))
	}
	for _, want := range []string{"more.", "另有", "</details>\n\n<!-- sweepbot-state "} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if got := len(readState(mustRead(t, body).State)); got != maxRuns {
		t.Errorf("%d runs are remembered, want %d", got, maxRuns)
	}
}

func mustRead(t *testing.T, body string) envelope {
	t.Helper()
	env, ok := seal{}.read(body)
	if !ok {
		t.Fatal("no envelope")
	}
	return env
}

// Whatever stands in the hidden part, reading it gives plausible runs or none.
func TestReadStateDistrustsEdits(t *testing.T) {
	good := writeState([]RunProgress{runningSweep()})
	for name, edit := range map[string]func(string) string{
		"not JSON":      func(s string) string { return s[:len(s)-2] },
		"other version": func(s string) string { return strings.Replace(s, `"v":1`, `"v":2`, 1) },
		"negative id":   func(s string) string { return strings.Replace(s, `"id":4057`, `"id":-1`, 1) },
		"no commit":     func(s string) string { return strings.Replace(s, shaA, "HEAD", 1) },
		"unknown phase": func(s string) string { return strings.Replace(s, `"running"`, `"victory"`, 1) },
		"huge count":    func(s string) string { return strings.Replace(s, `"passed":1`, `"passed":999999`, 1) },
		"overflow":      func(s string) string { return strings.Replace(s, `"passed":1`, `"passed":1e400`, 1) },
		"outcome too soon": func(s string) string {
			return strings.Replace(s, `"phase":"running"`, `"phase":"running","outcome":"passed"`, 1)
		},
		"long label": func(s string) string {
			return strings.Replace(s, "full-sweep-enabled", strings.Repeat("x", 500), 1)
		},
		"too long": func(string) string { return strings.Repeat(" ", maxState) + good },
	} {
		if runs := readState(edit(good)); len(runs) != 0 {
			t.Errorf("%s: %+v", name, runs)
		}
	}
	if runs := readState(good); len(runs) != 1 {
		t.Fatalf("the unedited state gives %d runs", len(runs))
	}
}

func FuzzReadState(f *testing.F) {
	f.Add(writeState([]RunProgress{runningSweep()}))
	f.Add(`{"v":1,"runs":[{"id":1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		runs := readState(text)
		if len(runs) > maxRuns || slices.ContainsFunc(runs, func(r RunProgress) bool { return !r.plausible() }) {
			t.Fatal("implausible runs")
		}
		p := progressContent{Progress{Number: 1, Site: site, Runs: runs}}
		if body := p.body(seal{}, nil); len(body) > maxComment || !p.holds(seal{}, body) {
			t.Fatal("a body that is too long or not stable")
		}
	})
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		tally Tally
		want  string
	}{
		{Tally{}, ""},
		{Tally{Passed: 10}, strings.Repeat("█", 20)},
		{Tally{Planned: 10, Passed: 5}, strings.Repeat("█", 10) + strings.Repeat("░", 10)},
		{Tally{Passed: 997, Failed: 1, Running: 1, Waiting: 1}, strings.Repeat("█", 17) + "▚▒░"},
		{Tally{Planned: 4, Cancelled: 2}, strings.Repeat("╳", 10) + strings.Repeat("░", 10)},
	} {
		if got := c.tally.bar(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.tally, got, c.want)
		}
	}
}
