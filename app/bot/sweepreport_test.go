package bot

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
	"github.com/sweepbot/sweepbot/results/report"
)

// zipped is an archive of files by name.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// reported is a report of a run with so many points.
func reported(run *Run, points int) report.Report {
	r := report.Report{
		Version: report.Version, Outcome: results.Complete, HasPlan: true,
		Run: &report.Run{Repository: repoName, ID: run.ID, Attempt: 1, Head: shaA},
	}
	for i := range points {
		r.Points = append(r.Points, report.Point{
			Kind: report.Throughput, Label: fmt.Sprint("basalt fp4 c", i), State: results.Passed,
			Metrics: map[string]float64{"tput_per_gpu": 1234.5678 + float64(i), "median_ttft": 0.25, "median_e2el": 12},
		})
	}
	value := 0.9375
	r.Points = append(r.Points, report.Point{Kind: report.Eval, Label: "basalt fp4 c8 eval", State: results.Passed,
		Scores: []report.Score{{Task: "gsm8k", Value: &value, Verdict: report.ScorePassed}}})
	r.Curves = []report.Curve{{View: latencyView, Frontier: 3, Measured: points}, {View: "first-token", Frontier: 9, Measured: 9}}
	r.Comparison = &report.Comparison{Improved: 1, Regressed: 2, WithinNoise: 3, Unclear: 4}
	return r
}

// uploaded puts a report into the artifacts of a run.
func (s *stage) uploaded(t *testing.T, run *Run, files map[string]string) {
	t.Helper()
	data := zipped(t, files)
	s.archives = map[int64][]byte{7: data}
	s.artifacts[run.ID] = append(s.artifacts[run.ID], Artifact{ID: 7, Name: reportArtifact, RunID: run.ID, Size: int64(len(data))})
}

func document(t *testing.T, r report.Report) string {
	t.Helper()
	var out strings.Builder
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The comment of a finished run has the table of its report, and one download
// costs one request of ours.
func TestReportIsShown(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	s.uploaded(t, run, map[string]string{reportFile: document(t, reported(run, 3)), "report.html": "<html>"})
	s.handle(s.runEvent(run))
	if s.total() != 9 || s.calls["OpenArtifact"] != 1 {
		t.Errorf("%d requests: %v", s.total(), s.log)
	}
	body := s.bodies(12)[0]
	seen, _, _ := strings.Cut(strings.ReplaceAll(body, fmt.Sprint(run.ID), "RUN"), stateStart)
	golden(t, "progress/report.md", seen)
	// It stays when something else is told about the pull request.
	later := s.start(maintainer)
	later.Status, later.Conclusion = "completed", "cancelled"
	s.handle(s.runEvent(later))
	if now := s.bodies(12)[0]; !strings.Contains(now, "| 1235 | 0.25 | 12 |") {
		t.Errorf("%s", now)
	}
}

// A report comes from a run of the pull request: what is wrong with it is said
// in one line, and fails nothing.
func TestReportThatCannotBeShown(t *testing.T) {
	edit := func(change func(r *report.Report)) func(*testing.T, *stage, *Run) {
		return func(t *testing.T, s *stage, run *Run) {
			r := reported(run, 2)
			change(&r)
			s.uploaded(t, run, map[string]string{reportFile: document(t, r)})
		}
	}
	text := func(files map[string]string) func(*testing.T, *stage, *Run) {
		return func(t *testing.T, s *stage, run *Run) { s.uploaded(t, run, files) }
	}
	head := `{"version":1,"points":[`
	for name, c := range map[string]struct {
		upload  func(*testing.T, *stage, *Run)
		problem string
	}{
		"none": {func(*testing.T, *stage, *Run) {}, reportAbsent},
		"expired": {func(_ *testing.T, s *stage, r *Run) {
			s.artifacts[r.ID] = []Artifact{{ID: 7, Name: reportArtifact, Expired: true}}
		}, reportAbsent},
		"says it is large": {func(_ *testing.T, s *stage, r *Run) {
			s.artifacts[r.ID] = []Artifact{{ID: 7, Name: reportArtifact, Size: maxReportArchive + 1}}
		}, reportTooLarge},
		"cannot be downloaded": {func(t *testing.T, s *stage, r *Run) {
			text(nil)(t, s, r)
			s.fail = failing("OpenArtifact", ErrForbidden)
		}, reportUnreadable},
		"no archive": {func(t *testing.T, s *stage, r *Run) { text(nil)(t, s, r); s.archives[7] = []byte("<html>") }, reportUnreadable},
		"longer than it says": {func(t *testing.T, s *stage, r *Run) {
			text(nil)(t, s, r)
			s.archives[7] = make([]byte, maxReportArchive+1)
		}, reportTooLarge},
		"another archive": {func(t *testing.T, s *stage, r *Run) {
			edit(func(*report.Report) {})(t, s, r)
			s.artifacts[r.ID][1].Digest = "sha256:" + strings.Repeat("0", 64)
		}, reportUnreadable},
		"no document":           {text(map[string]string{"other.json": "{}"}), reportUnreadable},
		"path that leaves":      {text(map[string]string{"../" + reportFile: "{}"}), reportUnreadable},
		"no JSON":               {text(map[string]string{reportFile: "{"}), reportUnreadable},
		"other version":         {text(map[string]string{reportFile: `{"version":2}`}), reportUnreadable},
		"other kind":            {text(map[string]string{reportFile: head + `1]}`}), reportUnreadable},
		"deep":                  {text(map[string]string{reportFile: strings.Repeat("[", 200_000)}), reportUnreadable},
		"S53 bomb":              {text(map[string]string{reportFile: head + strings.Repeat(" ", maxReportBytes) + "]}"}), reportUnreadable},
		"points without end":    {text(map[string]string{reportFile: head + strings.Repeat("null,", maxReportPoints) + "null]}"}), reportTooLarge},
		"of no run":             {edit(func(r *report.Report) { r.Run = nil }), reportInconsistent},
		"of another run":        {edit(func(r *report.Report) { r.Run.ID++ }), reportInconsistent},
		"of another repository": {edit(func(r *report.Report) { r.Run.Repository = "somebody/else" }), reportInconsistent},
		"of another commit":     {edit(func(r *report.Report) { r.Run.Head = shaB }), reportInconsistent},
		"of a later attempt":    {edit(func(r *report.Report) { r.Run.Attempt = 2 }), reportInconsistent},
		"green, and a job failed": {func(t *testing.T, s *stage, r *Run) {
			edit(func(r *report.Report) { r.Coverage.Total = report.Counts{Planned: 3, Passed: 3} })(t, s, r)
			s.jobs[r.ID] = append(s.jobs[r.ID], job(9, "eval / b", "failure"))
		}, reportInconsistent},
	} {
		t.Run(name, func(t *testing.T) {
			s, run := sweeping(t)
			s.finish(run, "eval / a")
			c.upload(t, s, run)
			_, results := s.handle(s.runEvent(run))
			if err := results.Err(); err != nil {
				t.Fatal(err)
			}
			known := readState(mustState(s.bodies(12)[0]))
			if len(known) != 1 || known[0].Report == nil || known[0].Report.Problem != c.problem {
				t.Errorf("%+v", known)
			}
			if body := s.bodies(12)[0]; !strings.Contains(body, "There is no table of results") {
				t.Errorf("%s", body)
			}
		})
	}
}

// A document that takes far more memory than its text is refused before it is
// read.
func TestModestReports(t *testing.T) {
	for text, want := range map[string]error{
		`{"points":[` + strings.Repeat("null,", maxReportPoints-1) + "null]}":     nil,
		`{"points":[` + strings.Repeat("null,", maxReportPoints) + "null]}":       errReportTooLarge,
		`{"findings":[` + strings.Repeat("null,", maxReportValues) + "null]}":     errReportTooLarge,
		`{"findings":` + strings.Repeat("[", maxReportValues+1):                   errReportTooLarge,
		`{"findings":[` + strings.Repeat(`{"a":{}},`, maxReportValues/2) + "{}]}": errReportTooLarge,
	} {
		if got := modest([]byte(text)); got != want {
			t.Errorf("%.40s...: %v, want %v", text, got, want)
		}
	}
}

// What a report says can do nothing to the comment but be read.
func TestReportIsMadeInert(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	evil := "`</details> | @everyone <!-- sweepbot-state x --> [x](https://evil.example) \n# big" + strings.Repeat("x", 300)
	r := reported(run, 400)
	for i := range r.Points {
		r.Points[i].Label = evil
	}
	r.Points[0].Metrics["tput_per_gpu"] = 1e300
	r.Points[len(r.Points)-1].Scores[0].Task = evil
	r.Curves[0].Frontier, r.Curves[0].Measured, r.Comparison.Improved = math.MaxInt, -5, math.MaxInt
	s.uploaded(t, run, map[string]string{reportFile: document(t, r)})
	s.handle(s.runEvent(run))
	body := s.bodies(12)[0]
	seen, state, _ := strings.Cut(body, stateStart)
	if len(state) > maxState || len(readState(mustState(body))) != 1 {
		t.Errorf("%d bytes of state", len(state))
	}
	for line := range strings.Lines(seen) {
		if strings.Contains(line, "@everyone") && !strings.HasPrefix(line, "| ``") || strings.HasPrefix(line, "# big") {
			t.Errorf("%q", line)
		}
	}
	if strings.Contains(seen, "<!-- sweepbot-state") || !strings.Contains(seen, "376 more") {
		t.Errorf("%s", seen)
	}
}

// What the comment remembers of a report is held to its form.
func TestRememberedReportIsChecked(t *testing.T) {
	good := RunProgress{ID: 5, Attempt: 1, SHA: shaA, Phase: PhaseFinished, Outcome: OutcomePassed}
	for name, c := range map[string]struct {
		report RunReport
		kept   bool
	}{
		"good":         {RunReport{Artifact: 1, Rows: []ReportRow{{Label: "a", Tput: 1}}, Scores: []ReportEval{{"a", "t", 1, report.ScorePassed}}}, true},
		"problem":      {RunReport{Problem: "because"}, false},
		"many rows":    {RunReport{Rows: make([]ReportRow, maxReportRows+1)}, false},
		"long label":   {RunReport{Rows: []ReportRow{{Label: strings.Repeat("x", maxTitle+1)}}}, false},
		"verdict":      {RunReport{Scores: []ReportEval{{"a", "t", 1, "great"}}}, false},
		"negative":     {RunReport{MoreRows: -1}, false},
		"large change": {RunReport{Compared: &ReportChange{Improved: maxCount + 1}}, false},
	} {
		r := good
		r.Report = &c.report
		text, err := json.Marshal(progressState{stateVersion, []RunProgress{r}})
		if err != nil {
			t.Fatal(err)
		}
		if kept := len(readState(string(text))) == 1; kept != c.kept {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
}

// A report names the classes of failures; what is no class names nothing.
func TestReasonsOfAReport(t *testing.T) {
	r := &report.Report{Points: []report.Point{
		{PlanID: "a", Failure: &report.Failure{Class: failure.OutOfMemory, Line: "CUDA out of memory"}},
		{PlanID: "b", Failure: &report.Failure{Class: "approved"}}, {PlanID: "c"}, {Failure: &report.Failure{Class: failure.Runtime}},
	}}
	want := map[string]failure.Verdict{"a": {Class: failure.OutOfMemory, Line: "CUDA out of memory"}}
	if diff := cmp.Diff(want, reasonsOf(r)); diff != "" || len(reasonsOf(nil)) != 0 {
		t.Error(diff)
	}
}
