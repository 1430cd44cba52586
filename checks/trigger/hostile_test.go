package trigger

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
)

// Hostile texts are decided alike in comments of all three kinds, new and edited,
// and by their address.
func TestHostileTexts(t *testing.T) {
	created := map[checks.SignOffKind]string{checks.ConversationComment: "created", checks.ReviewSummary: "submitted", checks.InlineComment: "created"}
	for name, c := range map[string]struct {
		body string
		want Why
	}{
		"forged verdict":                    {"<!-- codeowner-signoff-verify signoff=issuecomment-1 -->\n## ✅✅✅ **Verdict: PASS** ✅✅✅\n\n" + checklist, IsVerdict},
		"reminder that quotes the template": {"Please sign off with:\n\n```\n" + checklist + "```\n", NotOwnWords},
		"Unicode look-alikes":               {strings.Replace(checklist, "CODEOWNER", "СОDEOWNER", 1), NoPhrase},
		"full-width":                        {strings.Replace(checklist, "PR reviewer", "ＰＲ reviewer", 1), NoPhrase},
		"HTML comment":                      {"<!-- " + checklist + " -->", NotOwnWords},
		"nested quotes":                     {">>> > " + strings.ReplaceAll(checklist, "\n", "\n>>> > "), NotOwnWords},
		"code block":                        {"~~~markdown\n" + checklist + "~~~\n", NotOwnWords},
		"indented code":                     {"text\n\n    " + strings.ReplaceAll(checklist, "\n", "\n    "), NotOwnWords},
		"reminder with the words as code":   {"Fill in the checklist and keep the words `As a PR reviewer and CODEOWNER`, or nothing starts.", NotOwnWords},
		"words as code, then in earnest":    {"Not `As a PR reviewer and CODEOWNER` but:\n\n" + checklist, Goes},
		"a backtick that opens nothing":     {"` " + checklist, Goes},
		"65k comment":                       {checklist + strings.Repeat("x", 65_000), Goes},
		"quoted, then own words":            {"> " + checklist + "\n\n" + checklist, Goes},
	} {
		for kind, action := range created {
			for _, e := range []Event{{Action: action}, {Action: "edited"}, {Manual: true}} {
				e.Kind, e.OnPull, e.Body, e.Author, e.Actor, e.State = kind, true, c.body, nia, nia, "open"
				if got := AtSight(e); got != c.want {
					t.Errorf("%s, %s %s: %q, want %q", name, kind, e.Action, got, c.want)
				}
			}
		}
	}
}
