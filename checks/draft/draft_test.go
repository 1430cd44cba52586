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
  that shows it
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
		{Topic: checks.TopicPareto, Name: "Pareto coverage", Status: checks.Unavailable, Reason: "not given"},
	}, []checks.Statement{
		{Topic: checks.TopicEvals, Text: "gsm8k 0.96 <!-- of --> @mallory", Citations: []checks.Citation{run, run}},
		{Topic: checks.TopicDraftPrecision, Text: "`a` drafts MTP3. Stored precision?", Ask: true},
		{Topic: checks.TopicPareto, Text: "5 of 7 points"},
	})
	want := `As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [ ] Verified that this is the latest version of the checklist
- [x] Verified that this PR has passed PR validation. Please link the workflow
- [ ] Verified that this PR passes evals. Please link the workflow
  that shows it https://github.com/acme/bench/actions/runs/77
- [x] Verified that no deprecated model is submitted
- [ ] Verified that the recipe is documented upstream
  - [ ] I linked the upstream PR
- [ ] Something that nobody knows

### Additional detail section:
- Passing sweep: run 77: 6/6. https://github.com/acme/bench/actions/runs/77
- Evals: gsm8k 0.96 of --> @` + "\u200b" + `mallory
- Evals: (please say) no eval ran; ask @` + "\u200b" + `mallory
- Upstream recipe: engine#1 is merged.
- Draft precision: (please say) ` + "`a`" + ` drafts MTP3. Stored precision?
- Pareto coverage: 5 of 7 points

Signed: ` + "`nia`\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if matches := signoff.Compare(signoff.Parse(template).Items, signoff.Parse(got).Items, signoff.MinScore); len(matches) != 7 || !signoff.Is(got) {
		t.Errorf("%+v", matches)
	}
	if got := Write(template, "", nil, nil); got != template {
		t.Errorf("of no evidence: %s", cmp.Diff(template, got))
	}
}

// TestWriteWithoutASection holds that facts find a place in a template that has
// none for them, and that no facts add none.
func TestWriteWithoutASection(t *testing.T) {
	results := []checks.Result{{Topic: checks.TopicPareto, Name: "Pareto coverage", Status: checks.Unavailable}}
	facts := []checks.Statement{{Topic: checks.TopicPareto, Text: "5 of 7"}}
	const bare = "As a PR reviewer and CODEOWNER\n- [ ] fine\n"
	for template, want := range map[string]string{
		bare:                   bare + "\n### Additional detail section:\n- Pareto coverage: 5 of 7\n",
		bare + "Signed: `x`\n": bare + "### Additional detail section:\n- Pareto coverage: 5 of 7\n\nSigned: `nia`\n",
		bare + "### Additional detail section:\nSigned: `x`\n": bare + "### Additional detail section:\n- Pareto coverage: 5 of 7\n\nSigned: `nia`\n",
	} {
		got := Write(template, "nia", results, facts)
		if got != want {
			t.Errorf("%s", cmp.Diff(want, got))
		}
		if doc := signoff.Parse(got); doc.Detail != "- Pareto coverage: 5 of 7" {
			t.Errorf("the section reads %q", doc.Detail)
		}
	}
	if got := Write(bare, "nia", results, nil); got != bare {
		t.Errorf("no facts: %s", got)
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
		if got := checks.SubjectOf(text).Topic; got != want {
			t.Errorf("%q is about %s, not %s", text, got, want)
		}
	}
}
