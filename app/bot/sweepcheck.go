package bot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// sweepName is the name under which a dispatched sweep is shown on the head of
// its pull request, as a check run or a status. It stays the same, so that
// branch rules can ask for it.
const sweepName = "sweepbot / sweep"

// partialName is the name of one that was partial: it never answers for the
// other, which branch rules may ask for.
const partialName = "sweepbot / partial sweep"

// sweepCheckName is the name for a run: that of the partial sweep also where it was
// asked for and the full one runs, since names must not change with what a run
// turns out to be.
func sweepCheckName(run *Run, r *RunProgress) string {
	if r.Partial != nil || asksForPartial(run.Title) {
		return partialName
	}
	return sweepName
}

// sweepCheck is the check run that mirrors a dispatched sweep on the head of
// the pull request. It does not count points while they run, so that it changes
// three times in the life of a run; the comment counts. What failed is marked at
// the lines of the configs that ask for it.
func sweepCheck(p Progress, run *Run, failed []failedPoint) *PublishCheck {
	r := &p.Runs[0]
	external := "sweepbot:sweep:"
	if sweepCheckName(run, r) == partialName {
		external = "sweepbot:partial-sweep:"
	}
	check := CheckRun{
		Name: sweepCheckName(run, r), HeadSHA: r.SHA, ExternalID: external + strconv.Itoa(p.Number),
		DetailsURL: p.Site + "/actions/runs/" + strconv.FormatInt(r.ID, 10), Status: checkStatus[r.Phase],
	}
	en, zh := words{catalog.English}, words{catalog.Chinese}
	if r.Phase != PhaseFinished {
		check.Title = en.say("bot.check-" + string(r.Phase))
	}
	check.Summary = layout([]section{
		{lines: p.checkLines(en, run)}, {fold: "中文", folded: true, nested: []section{{lines: p.checkLines(zh, run)}}},
	}, maxCheckText)
	if r.Phase == PhaseFinished {
		check.Conclusion = conclusionOf(r.Outcome, run.Conclusion)
		check.Title = shorten(oneLine(strings.NewReplacer("`", "").Replace(en.headline(r))), maxQuoted)
		check.Text = p.text(maxCheckText / 2)
		if rest := layout([]section{pointsWithoutLine(en, failed)}, maxCheckText/2-2); rest != "" {
			check.Text += "\n\n" + rest
		}
		check.Annotations = annotationsOfPoints(failed)
	}
	return &PublishCheck{Run: check, Rank: rankOf(r)}
}

var checkStatus = map[Phase]string{PhaseQueued: "queued", PhaseRunning: "in_progress", PhaseFinished: "completed"}

// checkLines say which plan of which commit the run measures.
func (p *Progress) checkLines(w words, run *Run) []string {
	r := &p.Runs[0]
	facts := []string{w.say("bot.check-commit", "sha", markdown(code(shortSHA(r.SHA)))), p.runLink(w, r)}
	if r.Attempt > 1 {
		facts = append(facts, w.say("bot.progress-attempt", "n", r.Attempt))
	}
	lines := []string{strings.Join(facts, " · ")}
	if id := planIDOf(run.Title); id != "" {
		lines = append(lines, "", w.say("bot.check-plan-id", "id", markdown(code(id))))
	}
	return lines
}

// conclusionOf maps what a run is worth to a conclusion. Branch rules take
// neutral and skipped for success, so that these never stand for a sweep that
// did not pass.
func conclusionOf(o RunOutcome, run string) string {
	switch {
	case o == OutcomePassed, o == OutcomeCurrent:
		return "success"
	case o == OutcomeWaiting:
		return "action_required"
	case o == OutcomeCancelled, o == OutcomeNothing && run == "cancelled":
		return "cancelled"
	}
	return "failure"
}

// rankOf says which of two states of the sweeps of one commit is newer: of a
// newer run, then of a later attempt, then further on.
func rankOf(r *RunProgress) []int64 {
	return []int64{r.ID, int64(r.Attempt), int64(slices.Index(phaseOrder, r.Phase)), int64(r.Points.Ended()), int64(r.Report.weight())}
}

// planIDOf returns the plan id that the title of a dispatched sweep holds in
// its brackets: the digest of what is measured and that of the wish it fulfils.
func planIDOf(title string) string {
	if _, ours := titleOf(title); !ours {
		return ""
	}
	rest, closed := strings.CutSuffix(title, "]")
	_, id, opened := strings.Cut(rest, "[")
	if !closed || !opened {
		return ""
	}
	return id
}

// failedPoint is a point that failed, the line of the config that asks for it,
// and what is known of the reason.
type failedPoint struct {
	title, url string
	place      diag.Place
	why        diag.Finding
}

// isPlaced reports whether a line of the head is known.
func (f *failedPoint) isPlaced() bool {
	return f.place.File != "" && !strings.HasSuffix(f.place.File, baseMark)
}

// pointsWithoutLine lists the points that no line can be marked for.
func pointsWithoutLine(w words, failed []failedPoint) section {
	s := section{lang: w.lang, fold: w.say("bot.check-unplaced")}
	for i := range failed {
		if f := &failed[i]; !f.isPlaced() {
			s.items = append(s.items, "- "+code(f.title)+" "+mdLink(w.say("bot.progress-log"), f.url))
		}
	}
	if len(s.items) > 0 {
		s.lines = []string{w.say("bot.check-unplaced")}
	}
	return s
}

// annotationsOfPoints marks the lines of points that failed, in the order in
// which they failed.
func annotationsOfPoints(failed []failedPoint) []CheckAnnotation {
	var out []CheckAnnotation
	for _, f := range failed {
		if !f.isPlaced() {
			continue
		}
		parts := []string{diag.Printable(f.title)}
		if f.why.Code != "" {
			parts = append(parts, shorten(diag.Printable(f.why.Message(catalog.English)), maxSentence))
			if mend := f.why.Mend(catalog.English); mend != "" {
				parts = append(parts, diag.Printable(mend))
			}
		}
		line := max(1, f.place.Line)
		out = append(out, CheckAnnotation{
			Path: f.place.File, StartLine: line, EndLine: line, Level: "failure",
			Title: catalog.Message(catalog.English, "bot.check-point"), Message: strings.Join(append(parts, f.url), "\n"),
		})
	}
	return out
}
