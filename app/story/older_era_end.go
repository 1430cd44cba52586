package story

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// judgeOlderEra says how the story of the older era must end.
func judgeOlderEra(ctx context.Context, s *Stage) (diag.List, error) {
	return s.judge(ctx, []expectation{
		once("story.expect-welcome", "welcome"),
		once("story.expect-progress", "progress"),
		{"story.expect-five-points", func(f *facts) (string, bool) {
			got := f.titles()
			return strings.Join(got, "; "), slices.Equal(got, fivePoints())
		}},
		{"story.expect-green", allGreen},
		{"story.expect-artifacts", func(f *facts) (string, bool) { return artifactsOf(f, 5, 1) }},
		{"story.expect-result", func(f *facts) (string, bool) { return saysPassed(f, 6) }},
		{"story.expect-by-commit", verdictOfCommit},
		{"story.expect-older-rows", olderRows},
		{"story.expect-status", statusAgrees},
	})
}

// fivePoints are the titles of the points: one for each concurrency, and the
// eval of the highest.
func fivePoints() []string {
	var titles []string
	for _, c := range []int{2, 4, 8, 16, 32} {
		titles = append(titles, fmt.Sprintf("basalt fp4 cluster:boreal sgl-disagg 1P (TP8) x 1D (TP8) mtp dram KV offload hicache c%d", c))
	}
	titles = append(titles, titles[len(titles)-1]+" | eval-only")
	slices.Sort(titles)
	return titles
}

// verdictOfCommit expects one verdict, which belongs to the head commit.
func verdictOfCommit(f *facts) (string, bool) {
	list := f.verdicts()
	if len(list) != 1 {
		return strconv.Itoa(len(list)) + " verdicts", false
	}
	marker, _, _ := strings.Cut(list[0].Body, "\n")
	return marker, marker == signoff.Marker+" sha="+f.pull.HeadSHA+" -->"
}

// olderRows expects the thirteen rows of August 2026 in the order of their
// numbers and none of them folded, and those that git, comments and documents
// decide.
func olderRows(f *facts) (string, bool) {
	decided := map[int]checks.Status{
		0: checks.Pass, 4: checks.Pass, 5: checks.Pass, 6: checks.Pass, 7: checks.Pass, 12: checks.NotApplicable,
	}
	if got, ok := verdict(f, 0, "## ", decided); !ok {
		return got, false
	}
	body, n := f.verdicts()[0].Body, 0
	for line := range strings.Lines(body) {
		if strings.Contains(line, fmt.Sprintf(" Check %d (", n)) {
			n++
		}
	}
	return fmt.Sprintf("%d rows in order", n), n == 13 && strings.Count(body, " Check ") == 13 && !strings.Contains(body, "<details>")
}

// statusAgrees expects the status of the head to be a success exactly when the
// verdict passes: one that asks for human review is none yet.
func statusAgrees(f *facts) (string, bool) {
	want := "failure"
	if list := f.verdicts(); len(list) == 1 && strings.Contains(list[0].Body, "**Verdict: PASS**") {
		want = "success"
	}
	for _, status := range f.statuses {
		if status.Context == "codeowner-signoff-verify" { // the newest comes first
			return status.State + ", not " + want, status.State == want
		}
	}
	return fmt.Sprintf("%d statuses, none of sign-offs", len(f.statuses)), false
}
