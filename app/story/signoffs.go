package story

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// policies are the documents that sign-offs are judged by, beside those of the
// sample.
func policies() map[string]string {
	return map[string]string{"docs/MODELS.md": file("MODELS.md"), "docs/PR_REVIEW_CHECKLIST.md": file("PR_REVIEW_CHECKLIST.md")}
}

// signed is a copy of the checklist with every item checked but those that
// begin with one of the texts, and something in its detail section.
func signed(detail string, unchecked ...string) string {
	body := strings.ReplaceAll(signoff.Template(file("PR_REVIEW_CHECKLIST.md")), "- [ ]", "- [x]")
	for _, text := range unchecked {
		body = strings.Replace(body, "- [x] "+text, "- [ ] "+text, 1)
	}
	body = strings.Replace(body, "FILL_IN_YOUR_LOGIN", codeOwner, 1)
	return strings.Replace(body, "insert any additional info here", detail, 1)
}

// playSignOffs goes on with the thread of the nine points: a maintainer names
// the run that is to be published, a first sign-off leaves an item open and is
// rejected, the author corrects the description, and a second sign-off stands.
func playSignOffs(ctx context.Context, s *Stage) error {
	if err := sweepNinePoints(ctx, s); err != nil {
		return err
	}
	run, err := s.newestRun(ctx)
	if err != nil {
		return err
	}
	if err := s.say(ctx, maintainer, fmt.Sprintf("/use %d", run.ID)); err != nil {
		return err
	}
	page := fmt.Sprintf("%s/%s/actions/runs/%d", s.github.URL(), repository, run.ID)
	first := signed("", "Verified that the evals passed")
	if err := s.say(ctx, codeOwner, strings.Replace(first, "with a link to the run", "see "+page, 1)); err != nil {
		return err
	}
	corrected := nineBody + strings.ReplaceAll(s.scenario.claim, wrongClaim, rightClaim)
	if err := s.github.As(author).EditPR(ctx, s.pull, nineTitle, corrected); err != nil {
		return err
	}
	s.tell("story.corrected", "who", author)
	if err := s.quiet(ctx); err != nil {
		return err
	}
	second := signed("The draft is the model's own MTP head, stored and served in BF16.")
	return s.say(ctx, codeOwner, strings.Replace(second, "with a link to the run", "see "+page, 1))
}

// What the description says of a setting, first wrong and then right.
const (
	wrongClaim = "`dram-utilization: 0.8`"
	rightClaim = "`dram-utilization: 1.0`"
)

// newestRun is the sweep that is the newest.
func (s *Stage) newestRun(ctx context.Context) (bot.Run, error) {
	gh, err := s.api(ctx, author)
	if err != nil {
		return bot.Run{}, err
	}
	runs, err := gh.WorkflowRuns(ctx, sweepWorkflow, bot.RunFilter{})
	if err != nil || len(runs) == 0 {
		return bot.Run{}, err
	}
	return runs[0], nil
}

// say lets somebody comment and waits until all is quiet.
func (s *Stage) say(ctx context.Context, who, body string) error {
	if _, err := s.github.As(who).Comment(ctx, s.pull, body); err != nil {
		return err
	}
	line, _, _ := strings.Cut(body, "\n")
	s.tell("story.said", "who", who, "text", diag.Cut(line, 60))
	return s.quiet(ctx)
}

// judgeSignOffs says how the story of the sign-offs must end: one comment for
// each of them, the first rejected for the open item alone, the second with the
// rows of the checks that git, comments and documents decide
// (spec/walkthrough.md, scenario A).
func judgeSignOffs(ctx context.Context, s *Stage) (diag.List, error) {
	first := map[int]checks.Status{0: checks.Pass, 4: checks.Pass, 5: checks.Fail, 15: checks.Warn}
	second := map[int]checks.Status{
		0: checks.Pass, 4: checks.Pass, 5: checks.Pass, 6: checks.Pass, 7: checks.Pass, 12: checks.NotApplicable, 15: checks.Pass, 16: checks.NotApplicable,
	}
	return s.judge(ctx, []expectation{
		once("story.expect-progress", "progress"),
		{"story.expect-verdicts", func(f *facts) (string, bool) { n := len(f.verdicts()); return strconv.Itoa(n), n == 2 }},
		{"story.expect-rejected", func(f *facts) (string, bool) { return verdict(f, 0, "**REJECTED**", first) }},
		{"story.expect-stands", func(f *facts) (string, bool) { return verdict(f, 1, "**Verdict: WARN**", second) }},
	})
}

// verdicts are the verdict comments of sweepbot, oldest first.
func (f *facts) verdicts() []sandbox.CommentState {
	return slices.DeleteFunc(slices.Clone(f.comments), func(c sandbox.CommentState) bool {
		return c.Author != "sweepbot[bot]" || !strings.HasPrefix(c.Body, signoff.Marker)
	})
}

// verdict expects a verdict with a header and rows.
func verdict(f *facts, n int, header string, rows map[int]checks.Status) (string, bool) {
	list := f.verdicts()
	if n >= len(list) {
		return "no verdict", false
	}
	body := list[n].Body
	if !strings.Contains(body, header) {
		return firstLines(body, 3), false
	}
	for number, status := range rows {
		row := rowOf(body, number)
		if !strings.Contains(row, "): "+status.String()+" — ") {
			return fmt.Sprintf("%d is %q, not %s", number, row, status), false
		}
	}
	return "", true
}

// rowOf is the row of a check.
func rowOf(body string, number int) string {
	for line := range strings.Lines(body) {
		if strings.Contains(line, fmt.Sprintf("Check %d (", number)) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], " / ")
}
