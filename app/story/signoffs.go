package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// say lets somebody comment and waits until all is quiet.
func (s *Stage) say(ctx context.Context, who, body string) error {
	if _, err := s.github.As(who).Comment(ctx, s.pull, body); err != nil {
		return err
	}
	line, _, _ := strings.Cut(body, "\n")
	s.tell("story.said", "who", who, "text", diag.Cut(line, 60))
	return s.quiet(ctx)
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
