package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// failAt makes the launchers of the sample fail a point, by a part of the name
// of its result.
func failAt(part string) []string { return []string{"SAMPLE_FAIL=" + part} }

// judgeFailingPoint says how a sweep must end in which one point of nine fails:
// its family is cut short, the other one goes on, and nothing that was measured
// is lost (spec/labels-and-sweeps.md section 7).
func judgeFailingPoint(ctx context.Context, s *Stage) (diag.List, error) {
	return s.judge(ctx, []expectation{
		once("story.expect-progress", "progress"),
		{"story.expect-canary", canaryFirst},
		{"story.expect-one-failed", func(f *facts) (string, bool) { return oneFailed(f, "c72") }},
		{"story.expect-family-cut", familyCut},
		{"story.expect-other-family", otherFamily},
		{"story.expect-kept", keptArtifacts},
		{"story.expect-says-failed", func(f *facts) (string, bool) { return says(f, "c72") }},
		{"story.expect-marked", func(f *facts) (string, bool) { return markedAt(f, "c72") }},
	})
}

// judgeFailingCanary says how a sweep must end whose canary fails: no other
// point starts, evals included.
func judgeFailingCanary(ctx context.Context, s *Stage) (diag.List, error) {
	return s.judge(ctx, []expectation{
		once("story.expect-progress", "progress"),
		{"story.expect-one-failed", func(f *facts) (string, bool) { return oneFailed(f, "c12") }},
		{"story.expect-nothing-else", nothingElse},
		{"story.expect-says-failed", func(f *facts) (string, bool) { return says(f, "canary") }},
		{"story.expect-marked", func(f *facts) (string, bool) { return markedAt(f, "c12") }},
	})
}

// points are the jobs of points.
func (f *facts) points() []bot.Job {
	return slices.DeleteFunc(slices.Clone(f.jobs), func(j bot.Job) bool { _, ok := pointOf(j.Name); return !ok })
}

// evaluates reports whether a job is that of an eval.
func evaluates(j bot.Job) bool { return strings.HasSuffix(j.Name, "| eval-only") }

// oneFailed expects exactly one point to have failed, and the run with it.
func oneFailed(f *facts, conc string) (string, bool) {
	var failed []string
	for _, j := range f.points() {
		if j.Conclusion == "failure" {
			failed = append(failed, j.Name)
		}
	}
	ok := len(failed) == 1 && strings.HasSuffix(failed[0], " "+conc) && len(f.runs) == 1 && f.runs[0].Conclusion == "failure"
	return strings.Join(failed, "; "), ok
}

// familyCut expects that no throughput point started after one had failed.
func familyCut(f *facts) (string, bool) {
	points := slices.DeleteFunc(f.points(), evaluates)
	at := slices.IndexFunc(points, func(j bot.Job) bool { return j.Conclusion == "failure" })
	if at < 0 {
		return "no failed point", false
	}
	cancelled := 0
	for _, j := range points {
		if j.Conclusion == "success" && j.StartedAt.After(points[at].CompletedAt) {
			return j.Name, false
		}
		if j.Conclusion == "cancelled" || j.Conclusion == "skipped" {
			cancelled++
		}
	}
	return fmt.Sprint(cancelled), cancelled > 0 || len(points) < 9
}

// otherFamily expects all evals to have passed: another family's failure is
// none of theirs.
func otherFamily(f *facts) (string, bool) {
	passed := 0
	for _, j := range f.points() {
		if evaluates(j) && j.Conclusion == "success" {
			passed++
		}
	}
	return fmt.Sprint(passed), passed == 3
}

// keptArtifacts expects an artifact of every throughput point that passed.
func keptArtifacts(f *facts) (string, bool) {
	passed, rows := 0, 0
	for _, j := range f.points() {
		if !evaluates(j) && j.Conclusion == "success" {
			passed++
		}
	}
	for _, a := range f.artifacts {
		if strings.HasPrefix(a.Name, "bmk_agentic_") {
			rows++
		}
	}
	return fmt.Sprintf("%d points passed, %d artifacts", passed, rows), passed > 0 && passed == rows
}

// nothingElse expects no point but the canary to have run.
func nothingElse(f *facts) (string, bool) {
	var ran []string
	for _, j := range f.points() {
		if j.Conclusion == "success" || j.Conclusion == "failure" {
			ran = append(ran, j.Name)
		}
	}
	return strings.Join(ran, "; "), len(ran) == 1 && strings.Contains(ran[0], "canary")
}

// says expects the progress comment to say that the sweep failed, and where.
func says(f *facts, where string) (string, bool) {
	comments := f.byBot("progress")
	if len(comments) == 0 {
		return "no comment", false
	}
	text := strings.ToLower(comments[0].Body)
	return diag.Cut(text, 400), strings.Contains(text, "failed") && strings.Contains(text, where)
}
