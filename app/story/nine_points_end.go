package story

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// judgeNinePoints says how the story of the nine points must end.
func judgeNinePoints(ctx context.Context, s *Stage) (diag.List, error) {
	expected := []expectation{
		once("story.expect-welcome", "welcome"),
		once("story.expect-progress", "progress"),
		{"story.expect-points", func(f *facts) (string, bool) {
			got := f.titles()
			return strings.Join(got, "; "), slices.Equal(got, ninePoints())
		}},
		{"story.expect-canary", canaryFirst},
		{"story.expect-green", allGreen},
		{"story.expect-artifacts", func(f *facts) (string, bool) { return artifactsOf(f, 9, 3) }},
		{"story.expect-result", func(f *facts) (string, bool) { return saysPassed(f, 12) }},
	}
	expected = append(expected,
		expectation{"story.expect-collected", collected},
		expectation{"story.expect-table", func(f *facts) (string, bool) { return tabled(f, 9, 3) }})
	if s.options.Engine != Act { // where GitHub shows the run by itself
		expected = append(expected, expectation{"story.expect-reported", reported})
	}
	return s.judge(ctx, expected)
}

// ninePoints are the titles of the points: nine of throughput and, of each
// topology, an eval at its highest concurrency.
func ninePoints() []string {
	var titles []string
	for _, t := range []struct {
		decode string
		concs  []int
	}{{"1D (TP4/DCP4)", []int{56, 72, 96, 112, 128}}, {"2D (TP4/DCP4)", []int{56}}, {"3D (TP4)", []int{12, 16, 24}}} {
		for i, c := range t.concs {
			title := fmt.Sprintf("basalt fp4 cluster:boreal dynamo-vllm 1P (TP1/PP4) x %s mtp c%d", t.decode, c)
			titles = append(titles, title)
			if i == len(t.concs)-1 {
				titles = append(titles, title+" | eval-only")
			}
		}
	}
	slices.Sort(titles)
	return titles
}

// artifactsOf expects one artifact for each point, and the one of all rows.
func artifactsOf(f *facts, rows, evals int) (string, bool) {
	count := make(map[string]int)
	for _, a := range f.artifacts {
		switch {
		case a.Name == "results_bmk":
			count["all"]++
		case strings.HasPrefix(a.Name, "bmk_agentic_"):
			count["rows"]++
		case strings.HasPrefix(a.Name, "eval_") && a.Name != "eval_results_all":
			count["evals"]++
		}
	}
	return fmt.Sprint(count), count["all"] == 1 && count["rows"] == rows && count["evals"] == evals
}

// collected expects what the collecting jobs leave.
func collected(f *facts) (string, bool) {
	var names []string
	for _, a := range f.artifacts {
		if slices.Contains([]string{"changelog-metadata", "eval_results_all", "results_bmk", "run-stats", "sweep-report"}, a.Name) {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", "), len(names) == 5
}

// saysPassed expects the comment to say in its headline that all points passed.
func saysPassed(f *facts, points int) (string, bool) {
	comments := f.byBot("progress")
	if len(comments) != 1 {
		return "no comment", false
	}
	for line := range strings.Lines(comments[0].Body) {
		if headline, ok := strings.CutPrefix(line, "### "); ok {
			return strings.TrimSpace(headline), strings.HasPrefix(headline, "✅") && strings.Contains(headline, strconv.Itoa(points))
		}
	}
	return "no headline", false
}
