package verdict

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

// stories are the three overall words and the older layouts.
var stories = map[string]story{
	"rejected.md": {rows: map[int]checks.Result{
		0:  {Status: checks.Pass, Reason: "@nia is a named owner of `configs/nvidia-master.yaml`; 3 other paths fall to the catch-all."},
		3:  fail("sgl-project/sglang#40110 is not merged (state open); the affected variants are orion2-fp4-b300-sglang TP4 and TP8."),
		4:  {Status: checks.Pass, Reason: "COLLABORATOR @rae posted `/use 49100200301`."},
		12: na("the new changelog entry has no append-only: true."),
		14: warn("orion2 agentic, b300 SGLang fp4, p90 E2EL: 4/5 frontier points (run [49100200301](https://github.com/acme/bench/actions/runs/49100200301))."),
		17: na("no Dynamo TRT-LLM serving path is affected."),
		18: fail("(f2) the new perf-changelog.yaml entry omits `kv-cache-dtype: fp8_e4m3`. Other parts pass: (a) 6 points generate; (b) topology agrees."),
	}},
	"warn.md": {key: "pullrequestreview-3300412207", moved: "b7e0c9d1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", rows: map[int]checks.Result{
		3:  na("only an atom serving configuration is affected."),
		4:  warn("No authorized reuse command has been posted on this PR; an authorized maintainer should comment `/use <run_id>` before merging by reuse."),
		15: warn("body claims `dram-utilization: 0.20`; amd-master.yaml:1713 sets 0.14."),
	}},
	"pass.md": {key: "discussion_r2411905513", rows: map[int]checks.Result{15: na("the body makes no technical claim.")}},
	"august-rejected.md": {era: "2026-08", mode: config.VerdictBySHA, rows: map[int]checks.Result{
		4: fail("No authorized reuse command has been posted on this PR; an OWNER, MEMBER or COLLABORATOR must comment `/reuse-sweep-run`."),
	}},
	"august-pass.md": {era: "2026-08", mode: config.VerdictBySHA},
	"carry.md":       {era: "2026-09", mode: config.VerdictCarry, rows: map[int]checks.Result{14: warn("no run can be read.")}},
	"july.md":        {era: "2026-07", mode: config.VerdictBySHA},
	"append.md":      {era: "2026-10", mode: config.VerdictAppend},
	"many.md": {rows: map[int]checks.Result{
		1: fail("no passing sweep on an in-PR commit."), 2: fail("no eval was executed."), 3: fail("no link in the sign-off."), 5: fail("stale checklist: missing \"chat template\"."),
	}},
}

func TestRenderGolden(t *testing.T) {
	for name, s := range stories {
		t.Run(name, func(t *testing.T) {
			c, results := s.make(t)
			comment, err := Render(c, results)
			if err != nil || comment.Findings.Refused() {
				t.Fatal(err, comment.Findings)
			}
			golden(t, name, comment.Body)
			roundTrip(t, comment.Body, results)
		})
	}
}

// roundTrip reads a comment again: the same checks with the same statuses, and
// the same word.
func roundTrip(t *testing.T, body string, results []checks.Result) {
	t.Helper()
	rows, malformed := ParseRows(body)
	if len(malformed) > 0 || len(rows) != len(results) {
		t.Fatalf("%d rows, malformed %v, want %d rows", len(rows), malformed, len(results))
	}
	for _, r := range rows {
		if want := results[r.Number]; r.Status != want.Status || r.Name != want.Name || !r.Agrees {
			t.Errorf("read %+v, want %+v", r, want)
		}
	}
	reading, ok := Read(body)
	if !ok || reading.Assessed != headSHA || reading.Overall != Of(results) {
		t.Errorf("read as %+v, %v", reading, ok)
	}
}

// Layout rules of section 3 that hold for every verdict.
func TestRenderLayout(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := story{rows: make(map[int]checks.Result)}
		for n := range 19 {
			status := rapid.SampledFrom([]checks.Status{checks.Pass, checks.Fail, checks.NotApplicable, checks.Warn}).Draw(rt, "status")
			if status == checks.Fail && (n == 4 || n >= 14 && n <= 16) {
				status = checks.Warn
			}
			s.rows[n] = checks.Result{Status: status, Reason: rapid.String().Draw(rt, "reason")}
		}
		c, results := s.make(t)
		comment, err := Render(c, results)
		if err != nil || comment.Findings.Refused() {
			rt.Fatal(err, comment.Findings, comment.Body)
		}
		body := comment.Body
		if !strings.HasSuffix(body, "`.\n") || strings.HasSuffix(body, "\n\n") || strings.Contains(body, "\n\n\n") {
			rt.Fatalf("ends or gaps: %q", body)
		}
		inside := false
		for line := range strings.Lines(body) {
			line = strings.TrimSuffix(line, "\n")
			if strings.TrimRight(line, " \t") != line {
				rt.Fatalf("trailing blank: %q", line)
			}
			inside = inside && line != "</details>" || line == "<details>"
			if m := rowForm().FindStringSubmatch(line); m != nil {
				if quiet := m[4] == "PASS" || m[4] == "N/A"; quiet != inside {
					rt.Fatalf("%s inside=%v", line, inside)
				}
			}
		}
		if strings.Contains(body, "Pareto coverage needs additional review") != (results[14].Status == checks.Warn) {
			rt.Fatalf("escalation:\n%s", body)
		}
	})
}

func TestRenderRefuses(t *testing.T) {
	c, results := story{key: "issuecomment-1 --> x"}.make(t)
	if _, err := Render(c, results); err == nil {
		t.Error("a key that is none was written")
	}
	c, results = story{rows: map[int]checks.Result{16: fail("it may not")}}.make(t)
	comment, err := Render(c, results)
	if err != nil || !comment.Findings.Refused() || comment.Overall != Rejected || comment.Body != Fallback(comment.Marker, headSHA) {
		t.Errorf("%+v, %v", comment, err)
	}
	c, results = story{rows: map[int]checks.Result{3: {Status: checks.Unavailable, Reason: "not given"}}}.make(t)
	if comment, _ := Render(c, results); !comment.Findings.Refused() {
		t.Error("a comment with an offline status was rendered")
	}
	settled := Settle(results, c.Profile, c.Settings.Checks)
	if comment, _ := Render(c, settled); comment.Overall != Warned || !strings.Contains(comment.Body, "needs human review: not given") {
		t.Errorf("%s", comment.Body)
	}
}

// A comment above the limit keeps every row; passed reasons give way first.
func TestRenderFits(t *testing.T) {
	long := strings.Repeat("words of a reason ", 60)
	s := story{rows: make(map[int]checks.Result)}
	for n := range 19 {
		s.rows[n] = checks.Result{Status: checks.Pass, Reason: long}
	}
	s.rows[1] = fail(long)
	c, results := s.make(t)
	w := writer{c: c, overall: Of(results)}
	for _, r := range results {
		w.rows = append(w.rows, row{r, w.reason(r.Reason)})
	}
	w.marker, _ = NewMarker(config.VerdictBySignOff, c.SignOff.Key, headSHA)
	body := w.fit(5000)
	if len(body) > 5000 || len(w.rows[1].text) < 600 {
		t.Errorf("%d bytes, failing reason %d bytes", len(body), len(w.rows[1].text))
	}
	roundTrip(t, body, results)
}
