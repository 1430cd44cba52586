package reuse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Run is what counts of a run that a command names, as GitHub tells it.
type Run struct {
	ID                                       int64
	Event, Status, Conclusion, Path, HeadSHA string
	Artifacts                                []Artifact
}

// Artifact is an upload of a run.
type Artifact struct {
	Name    string
	Expired bool
}

// PartialMark is the artifact of a run whose plan left points out because an
// earlier run stands for them. Its name alone says so, expired or not.
const PartialMark = "sweepbot-partial"

// Validate holds a run against the rules for a source, in their order; nil
// means that it may be published (spec/reuse.md section 5). The categories are
// those of the specification. workflow is the id of the sweep workflow, commits
// are those of the pull request now. Pinned admits a sweep of which points
// failed or were cancelled, which is what "partial" means there.
//
// The last rule is ours and knows no exception: a run of a partial plan is none
// of the whole change, however green it is.
func Validate(r Run, workflow string, commits []string, pinned bool) *diag.Finding {
	conclusions := []string{"success"}
	if pinned {
		conclusions = []string{"success", "failure", "cancelled"}
	}
	path := workflow
	if !strings.HasPrefix(path, ".github/") {
		path = ".github/workflows/" + path
	}
	for _, rule := range []struct {
		holds       bool
		code, found string
	}{
		{r.Event == "pull_request", "reuse.run-event", r.Event},
		{r.Status == "completed", "reuse.run-not-completed", r.Status},
		{slices.Contains(conclusions, r.Conclusion), "reuse.run-conclusion", r.Conclusion},
		{r.Path == "" || r.Path == path, "reuse.run-workflow", r.Path},
		{r.HeadSHA != "", "reuse.run-no-head-sha", ""},
		{slices.Contains(commits, r.HeadSHA), "reuse.run-head-not-in-pr", r.HeadSHA},
		{slices.ContainsFunc(r.Artifacts, isResult), "reuse.run-no-result-artifacts", ""},
		{!slices.ContainsFunc(r.Artifacts, func(a Artifact) bool { return a.Name == PartialMark }), "reuse.run-partial", ""},
	} {
		if !rule.holds {
			why := diag.New(rule.code, diag.Place{}, "run", strconv.FormatInt(r.ID, 10), "found", diag.Cut(diag.Printable(rule.found), 80)).
				In(strings.TrimPrefix(rule.code, "reuse."))
			return &why
		}
	}
	return nil
}

// isResult reports whether an upload holds results that can be published.
func isResult(a Artifact) bool {
	return !a.Expired && (a.Name == "results_bmk" || a.Name == "eval_results_all" || strings.HasPrefix(a.Name, "bmk_agentic_"))
}
