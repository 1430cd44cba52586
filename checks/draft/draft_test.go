package draft

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
)

const template = `As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [ ] Verified that this is the latest version of the checklist
- [ ] Verified that this PR has passed PR validation. Please link the workflow
- [ ] Verified that this PR passes evals. Please link the workflow
- [ ] Verified that no deprecated model is submitted
- [ ] Verified that the recipe is documented upstream
  - [ ] I linked the upstream PR
- [ ] Something that nobody knows

### Additional detail section:
- insert any additional info here

Signed: ` + "`FILL_IN`\n"

func TestWrite(t *testing.T) {
	run := checks.Citation{Kind: checks.CiteRun, URL: "https://github.com/acme/bench/actions/runs/77"}
	got := Write(template, "nia", []checks.Result{
		{Topic: checks.TopicSweep, Name: "Passing sweep", Status: checks.Pass, Reason: "run 77: 6/6.", Citations: []checks.Citation{run, run}},
		{Topic: checks.TopicEvals, Name: "Evals", Status: checks.Fail, Reason: "no eval ran; ask @mallory"},
		{Topic: checks.TopicDeprecated, Name: "Deprecated models", Status: checks.NotApplicable, Reason: "none"},
		{Topic: checks.TopicUpstreamRecipe, Name: "Upstream recipe", Status: checks.Pass, Reason: "engine#1 is merged."},
		{Topic: checks.TopicDraftPrecision, Name: "Draft precision", Status: checks.Unavailable, Reason: "not given"},
	})
	want := `As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [ ] Verified that this is the latest version of the checklist
- [x] Verified that this PR has passed PR validation. Please link the workflow
- [ ] Verified that this PR passes evals. Please link the workflow
- [x] Verified that no deprecated model is submitted
- [ ] Verified that the recipe is documented upstream
  - [ ] I linked the upstream PR
- [ ] Something that nobody knows

### Additional detail section:
- Passing sweep: run 77: 6/6. https://github.com/acme/bench/actions/runs/77
- Evals: (please say) no eval ran; ask @` + "\u200b" + `mallory
- Upstream recipe: engine#1 is merged.

Signed: ` + "`nia`\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if matches := signoff.Compare(signoff.Parse(template).Items, signoff.Parse(got).Items, signoff.MinScore); len(matches) != 7 || !signoff.Is(got) {
		t.Errorf("%+v", matches)
	}
	if got := Write(template, "", nil); got != template {
		t.Errorf("of no evidence: %s", cmp.Diff(template, got))
	}
}

// TestSubjects holds that an item is not ticked by the check of another one.
func TestSubjects(t *testing.T) {
	for text, want := range map[string]checks.Topic{
		"Verified that this PR does not patch the inference engine - the pinned image must run as shipped, why the unmodified upstream image cannot": checks.TopicEnginePatches,
		"If a company supports it as first class engine, the submission uses the upstream https://hub.docker.com/u/vllm docker repo":                 checks.TopicImages,
		"Verified that the model architecture isn't changed":                                      checks.TopicArchitecture,
		"If this PR uses `append-only: true`, it only adds points of the same-image visual curve": checks.TopicAppendOnly,
		"Verified against the current MODELS.md that no deprecated model is submitted":            checks.TopicDeprecated,
	} {
		if got := subjectOf(text).topic; got != want {
			t.Errorf("%q is about %s, not %s", text, got, want)
		}
	}
}
