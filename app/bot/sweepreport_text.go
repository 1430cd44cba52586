package bot

import (
	"strconv"
)

// reportSections show what the report of a finished run says: the comparison
// first, then the measurements and the scores, folded, and where the plots are.
func (p *Progress) reportSections(w words, r *RunProgress) []section {
	rep := r.Report
	switch {
	case rep == nil:
		return nil
	case rep.Problem != "":
		return []section{{lines: []string{"- " + w.say("bot.report-"+rep.Problem)}}}
	}
	var lines []string
	if c := rep.Compared; c != nil {
		lines = append(lines, "- "+w.say("bot.report-compared", "regressed", c.Regressed, "improved", c.Improved, "noise", c.Noise, "unclear", c.Unclear))
	}
	if rep.Curves > 0 {
		lines = append(lines, "- "+w.say("bot.report-curves", "curves", rep.Curves, "frontier", rep.Frontier, "measured", rep.Measured))
	}
	link := p.Site + "/actions/runs/" + strconv.FormatInt(r.ID, 10) + "/artifacts/" + strconv.FormatInt(rep.Artifact, 10)
	lines = append(lines, "- "+w.say("bot.report-link", "report", markdown(mdLink(w.say("bot.report-name"), link))))
	return []section{{lines: lines}, rowTable(w, rep), scoreTable(w, rep)}
}

// rowTable is the table of the measurements.
func rowTable(w words, rep *RunReport) section {
	s := section{folded: true, fold: w.say("bot.report-rows", "n", len(rep.Rows)+rep.MoreRows), cut: rep.MoreRows, head: []string{
		"| " + w.say("bot.report-point") + " | tok/s/GPU | TTFT p50 (s) | E2EL p50 (s) |", "| --- | ---: | ---: | ---: |"}}
	for _, row := range rep.Rows {
		s.items = append(s.items, "| "+cell(code(row.Label))+" | "+shownNumber(row.Tput)+" | "+shownNumber(row.TTFT)+" | "+shownNumber(row.E2EL)+" |")
	}
	return s
}

// scoreTable is the table of the evals.
func scoreTable(w words, rep *RunReport) section {
	s := section{folded: true, fold: w.say("bot.report-scores", "n", len(rep.Scores)+rep.MoreScores), cut: rep.MoreScores, head: []string{
		"| " + w.say("bot.report-point") + " | " + w.say("bot.report-task") + " | " + w.say("bot.report-score") + " | |", "| --- | --- | ---: | --- |"}}
	for _, e := range rep.Scores {
		s.items = append(s.items, "| "+cell(code(e.Label))+" | "+cell(code(e.Task))+" | "+strconv.FormatFloat(e.Score, 'g', 4, 64)+" | "+w.say("bot.report-score-"+e.Verdict)+" |")
	}
	return s
}

// shownNumber is a number as a comment shows it, "" for none.
func shownNumber(f float64) string {
	if f == 0 {
		return ""
	}
	if text := strconv.FormatFloat(f, 'f', -1, 64); len(text) <= 12 {
		return text
	}
	return strconv.FormatFloat(f, 'g', 4, 64)
}
