package checks

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
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
	const use = "; use the current [PR_REVIEW_CHECKLIST.md](https://github.com/acme/bench/blob/" + baseSHA + "/docs/PR_REVIEW_CHECKLIST.md)."
	const evals = "- [x] Verified that this PR passes evals. Please"
	for name, c := range map[string]struct{ body, want string }{
		"complete": {signed("insert any additional info here"), "PASS — all 6 items of the current template are present and checked."},
		"links appended": {
			signed("", evals, "- [x] Verified that this PR passes evals, see https://github.com/acme/bench/actions/runs/1 and enjoy. Please"),
			"PASS — all 6 items of the current template are present and checked.",
		},
		"T1 stale": {
			signed("", "- [x] If this PR uses `append-only: true`, verified that it only adds generated points.\n", ""),
			"FAIL — stale copy: the append-only item is missing" + use,
		},
		"explained": {
			signed("evals are not run for this harness change", evals, "- [ ] Verified that this PR passes evals. Please"),
			"PASS — all items present; the unchecked evals item is explained in the additional detail section.",
		},
		"unchecked, no detail": {
			signed("", "- [x] Verified that this PR does not patch", "- [ ] Verified that this PR does not patch"),
			"FAIL — the engine-patch item is unchecked without an explanation.",
		},
		"unchecked, other detail": {
			signed("The weather is fine.", "- [x] Verified against", "- [ ] Verified against"),
			"WARN — needs human review: the deprecated-model item is unchecked and the additional detail section does not mention it.",
		},
		"T2 no checklist": {
			"As a PR reviewer and CODEOWNER I say yes",
			"FAIL — stale copy: the template-version, validation, evals, deprecated-model and 2 more items are missing" + use,
		},
		"missing and unchecked": {
			signed("", "- [x] If this PR uses `append-only: true`, verified that it only adds generated points.\n", "", "- [x] Verified that this PR does not patch", "- [ ] Verified that this PR does not patch"),
			"FAIL — stale copy: the append-only item is missing, and the engine-patch item is unchecked without an explanation" + use,
		},
		"reworded and reordered": {
			signed("", "- [x] Verified that this PR does not patch the inference engine; a waiver is linked below.\n", "",
				"- [x] Verified that this is the latest", "- [x] Verified: this PR does not patch the inference engine (waiver linked below)\n- [x] Verified that this is the latest"),
			"PASS — all 6 items of the current template are present and checked.",
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

// TestTemplateTellsWhenAnItemWasAdded has cause T1: the topic of a missing item
// and the day on which it came into the template of the target branch.
func TestTemplateTellsWhenAnItemWasAdded(t *testing.T) {
	const item = "- [x] If this PR uses `append-only: true`, verified that it only adds generated points.\n"
	version := func(id, text string, day int) (Version, map[string]string) {
		c := gitrepo.Commit{ID: id}
		c.Committer.When = time.Date(2026, 8, day, 1, 0, 0, 0, time.FixedZone("", 2*3600))
		v := Version{Commit: c, OID: blobID(text)}
		if text == "" {
			v.OID = ""
		}
		return v, map[string]string{"docs/PR_REVIEW_CHECKLIST.md": text}
	}
	without := strings.Replace(checklist, strings.Replace(item, "[x]", "[ ]", 1), "", 1)
	reworded := strings.Replace(checklist, "only adds generated points", "only adds generated points to curves", 1)
	for name, c := range map[string]struct {
		texts []string // newest first, of 9 August and the days before
		want  string
	}{
		"added":                   {[]string{checklist, reworded, without}, " (added 2026-08-07)"},
		"not in the oldest known": {[]string{reworded, checklist}, ""},
		"moved with the document": {[]string{checklist, "", without}, ""},
		"no history":              {nil, ""},
	} {
		s := situation{
			base: map[string]string{"docs/PR_REVIEW_CHECKLIST.md": checklist}, body: signed("", item, ""), older: make(map[string]map[string]string),
		}
		for i, text := range c.texts {
			id := strings.Repeat(string(rune('c'+i)), 40)
			v, files := version(id, text, 9-i)
			s.versions = append(s.versions, v)
			s.older[id] = files
		}
		e := s.evidence(t)
		if name == "not in the oldest known" {
			e.history = cutOff{e.history}
		}
		r, err := Template().Decide(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		want := "stale copy: the append-only item is missing" + c.want + "; use"
		if !strings.HasPrefix(r.Reason, want) || (c.want != "") != (len(r.Citations) == 2) {
			t.Errorf("%s: %s %v", name, r.Reason, r.Citations)
		}
	}
}

func TestDatedItems(t *testing.T) {
	for want, added := range map[string][]string{
		"[a b]": nil, "[a b] (added 1)": {"1", "1"}, "[a (added 1) b (added 2)]": {"1", "2"}, "[a b (added 2)]": {"", "2"}, "[a b] ": {"", ""},
	} {
		each, all := dated([]string{"a", "b"}, added)
		if got := fmt.Sprint(each, all); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%v: %s, want %s", added, got, want)
		}
	}
}

// cutOff is a history of which the clone does not hold the beginning.
type cutOff struct{ History }

func (h cutOff) Versions(ctx context.Context, commit, path string, limit int) ([]Version, bool, error) {
	list, _, err := h.History.Versions(ctx, commit, path, limit)
	return list, false, err
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
