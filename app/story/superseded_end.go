package story

import (
	"context"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// walkthrough are the rows of spec/walkthrough.md, scenario A, that git,
// comments, documents and runs decide; second are those after the correction.
var (
	walkthrough = map[int]checks.Status{
		0: checks.Pass, 1: checks.Fail, 4: checks.Pass, 5: checks.Pass, 6: checks.Pass, 7: checks.Pass,
		12: checks.NotApplicable, 15: checks.Warn, 16: checks.NotApplicable,
	}
	second = map[int]checks.Status{
		0: checks.Pass, 1: checks.Pass, 4: checks.Pass, 5: checks.Pass, 6: checks.Pass, 7: checks.Pass,
		12: checks.NotApplicable, 15: checks.Pass, 16: checks.NotApplicable,
	}
)

// judgeSuperseded says how the story must end: one comment for each sign-off
// with the rows of the walkthrough, and reasons that a person can act on.
func judgeSuperseded(ctx context.Context, s *Stage) (diag.List, error) {
	return s.judge(ctx, []expectation{
		once("story.expect-progress", "progress"),
		{"story.expect-verdicts", func(f *facts) (string, bool) { n := len(f.verdicts()); return strconv.Itoa(n), n == 2 }},
		{"story.expect-rejected", func(f *facts) (string, bool) { return verdict(f, 0, "**REJECTED**", walkthrough) }},
		{"story.expect-stands", func(f *facts) (string, bool) { return verdict(f, 1, "**Verdict: WARN**", second) }},
		{"story.expect-says-why", saysWhy},
		{"story.expect-superseded", func(f *facts) (string, bool) {
			row := ""
			if list := f.verdicts(); len(list) > 0 {
				row = rowOf(list[0].Body, 4)
			}
			return row, strings.Contains(row, "It names the superseded run, which Check 1 covers.")
		}},
	})
}

// saysWhy expects the rows of the sweep to name what changed and what did not.
func saysWhy(f *facts) (string, bool) {
	for i, wants := range [][]string{
		{"predates a material change", "KV connector", "Of 9 points, 9 changed", "LarderConnector", "is not current", "failed the multi-node agentic point at c16"},
		{"9/9 multi-node agentic and 3/3 multi-node agentic eval", "base merge", "none of the 9 points"},
	} {
		list := f.verdicts()
		if i >= len(list) {
			return "no verdict", false
		}
		row := rowOf(list[i].Body, 1)
		for _, want := range wants {
			if !strings.Contains(row, want) {
				return "without " + want + ": " + row, false
			}
		}
	}
	return "", true
}
