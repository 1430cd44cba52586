package checks

import (
	"strings"
	"testing"
)

const checklist = "# Checklist\n\n## Template\n```\nAs a PR reviewer and CODEOWNER, I have reviewed this and have:\n" +
	"- [ ] Verified that this is the latest version of [PR_REVIEW_CHECKLIST.md](https://x/y)\n" +
	"- [ ] Verified that this PR has passed PR validation. Please link to the workflow that shows this.\n" +
	"- [ ] Verified that this PR passes evals. Please link to the workflow that shows this.\n" +
	"- [ ] Verified against [MODELS.md](https://x/z) that this PR submits no deprecated model or scenario.\n" +
	"- [ ] Verified that this PR does not patch the inference engine; a waiver is linked below.\n" +
	"- [ ] If this PR uses `append-only: true`, verified that it only adds generated points.\n" +
	"### Additional detail section:\n- insert any additional info here\n\nSigned: `FILL_IN`\n```\n"

// signed is a copy of the template, every item checked, with replacements.
func signed(detail string, replace ...string) string {
	body := checklist[strings.Index(checklist, "As a PR"):strings.LastIndex(checklist, "```")]
	body = strings.ReplaceAll(body, "- [ ]", "- [x]")
	body = strings.Replace(body, "insert any additional info here", detail, 1)
	return strings.NewReplacer(replace...).Replace(body)
}

// TestTemplate has the examples of spec/checks.md, check 5, and the causes T1
// and T2 of spec/verdict-causes.md.
func TestTemplate(t *testing.T) {
	const use = "; use the current [template](https://github.com/acme/bench/blob/" + baseSHA + "/docs/PR_REVIEW_CHECKLIST.md)."
	const evals = "- [x] Verified that this PR passes evals. Please"
	for name, c := range map[string]struct{ body, want string }{
		"complete": {signed("insert any additional info here"), "PASS — all 6 items of the current template are present and checked."},
		"links appended": {
			signed("", evals, "- [x] Verified that this PR passes evals, see https://github.com/acme/bench/actions/runs/1 and enjoy. Please"),
			"PASS — all 6 items of the current template are present and checked.",
		},
		"T1 stale": {
			signed("", "- [x] If this PR uses `append-only: true`, verified that it only adds generated points.\n", ""),
			"FAIL — stale or incomplete checklist: missing \"If this PR uses `append-only: true`, verified that it …\"" + use,
		},
		"explained": {
			signed("evals are not run for this harness change", evals, "- [ ] Verified that this PR passes evals. Please"),
			"PASS — all 6 items of the current template are present; unchecked \"this PR passes evals. Please link to the workflow …\" is explained in the additional detail section.",
		},
		"unchecked, no detail": {
			signed("", "- [x] Verified that this PR does not patch", "- [ ] Verified that this PR does not patch"),
			"FAIL — incomplete checklist: unchecked \"this PR does not patch the inference engine; a …\" without an explanation" + use,
		},
		"unchecked, other detail": {
			signed("The weather is fine.", "- [x] Verified against", "- [ ] Verified against"),
			"WARN — needs human review: \"Verified against MODELS.md that this PR submits no deprecated …\" is unchecked and the additional detail section does not mention it",
		},
		"T2 no checklist": {
			"As a PR reviewer and CODEOWNER I say yes",
			"FAIL — stale or incomplete checklist: missing \"this is the latest version of PR_REVIEW_CHECKLIST.md\", \"this PR has passed PR validation. Please link to …\", \"this PR passes evals. Please link to the workflow …\" and 3 more" + use,
		},
		"not given": {"", "UNAVAILABLE — the body of the sign-off was not given"},
	} {
		s := situation{base: map[string]string{"docs/PR_REVIEW_CHECKLIST.md": checklist}, body: c.body}
		if got := row(s.decide(t, Template())); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if r := (situation{body: "x"}).decide(t, Template()); r.Status != Warn {
		t.Errorf("no document: %s", row(r))
	}
}

// TestTemplateAtTheTargetBranch holds that a pull request can't change the
// template that it is judged by.
func TestTemplateAtTheTargetBranch(t *testing.T) {
	s := situation{
		base: map[string]string{"docs/PR_REVIEW_CHECKLIST.md": checklist},
		head: map[string]string{"docs/PR_REVIEW_CHECKLIST.md": "## Template\n```\n- [ ] fine\n```\n"}, body: "As a PR reviewer and CODEOWNER\n- [x] fine",
	}
	if r := s.decide(t, Template()); r.Status != Fail {
		t.Errorf("%s", row(r))
	}
}
