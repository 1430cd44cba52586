package reuse

import (
	"testing"

	"pgregory.net/rapid"
)

func goodRun() Run {
	return Run{
		ID: 7, Event: "pull_request", Status: "completed", Conclusion: "success", Path: ".github/workflows/run-sweep.yml", HeadSHA: "aaaa",
		Artifacts: []Artifact{{Name: "run-stats"}, {Name: "results_bmk"}},
	}
}

// TestValidate are the rules of spec/reuse.md section 5, one broken at a time,
// and ours.
func TestValidate(t *testing.T) {
	for category, breaks := range map[string]func(*Run){
		"":                        func(*Run) {},
		"run-event":               func(r *Run) { r.Event, r.Status = "workflow_dispatch", "queued" },
		"run-not-completed":       func(r *Run) { r.Status, r.Conclusion = "in_progress", "" },
		"run-conclusion":          func(r *Run) { r.Conclusion, r.Path = "timed_out", "x" },
		"run-workflow":            func(r *Run) { r.Path = ".github/workflows/other.yml" },
		"run-no-head-sha":         func(r *Run) { r.HeadSHA = "" },
		"run-head-not-in-pr":      func(r *Run) { r.HeadSHA = "cccc" },
		"run-no-result-artifacts": func(r *Run) { r.Artifacts[1].Expired = true },
		"run-partial":             func(r *Run) { r.Artifacts = append(r.Artifacts, Artifact{Name: PartialMark, Expired: true}) },
	} {
		r := goodRun()
		breaks(&r)
		got := ""
		if why := Validate(r, "run-sweep.yml", []string{"aaaa", "bbbb"}, true); why != nil {
			got = why.Category
		}
		if got != category {
			t.Errorf("got %q, want %q", got, category)
		}
	}
	for _, conclusion := range []string{"failure", "cancelled"} {
		r := goodRun()
		r.Conclusion = conclusion
		if Validate(r, ".github/workflows/run-sweep.yml", []string{"aaaa"}, true) != nil || Validate(r, "run-sweep.yml", []string{"aaaa"}, false) == nil {
			t.Errorf("%s: pinned is refused, or unpinned is not", conclusion)
		}
	}
}

// TestPartialIsNeverASource: whatever else is true of a run, its mark refuses
// it, pinned or not.
func TestPartialIsNeverASource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Run{
			ID: rapid.Int64Min(1).Draw(t, "id"), Event: "pull_request", Status: "completed", HeadSHA: "aaaa",
			Conclusion: rapid.SampledFrom([]string{"success", "failure", "cancelled"}).Draw(t, "conclusion"),
		}
		names := []string{"results_bmk", "eval_results_all", "bmk_agentic_x", "run-stats", PartialMark}
		marked := false
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			a := Artifact{rapid.SampledFrom(names).Draw(t, "name"), rapid.Bool().Draw(t, "expired")}
			marked = marked || a.Name == PartialMark
			r.Artifacts = append(r.Artifacts, a)
		}
		why := Validate(r, "run-sweep.yml", []string{"aaaa"}, rapid.Bool().Draw(t, "pinned"))
		if marked && why == nil {
			t.Fatalf("%+v is a source", r)
		}
	})
}
