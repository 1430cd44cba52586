package bot

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// requestTitle is the headline where there is no run to speak of.
func (p *Progress) requestTitle(w words) section {
	r := p.Request
	switch {
	case r == nil:
		return section{lines: []string{"### ➖ " + w.say("bot.progress-none")}}
	case r.Problems.Refused():
		return section{lines: []string{"### ❌ " + w.say("bot.progress-refused", "sha", markdown(code(shortSHA(r.SHA))))}}
	case r.Starts:
		return section{lines: []string{"### ⏳ " + w.say("bot.progress-starts", "sha", markdown(code(shortSHA(r.SHA))), "total", r.Points)}}
	}
	return section{lines: []string{"### ➖ " + w.say("bot.progress-idle", "sha", markdown(code(shortSHA(r.SHA))))}}
}

// requestSections say what the head asks for: why it sweeps or not, what would
// run, and what is wrong with it and where.
func (p *Progress) requestSections(w words, titled bool) []section {
	r := p.Request
	var lines []string
	if titled {
		lines = append(lines, "**"+w.say("bot.progress-head", "sha", markdown(code(shortSHA(r.SHA))))+"**", "")
	}
	if r.Reason.Code != "" {
		lines = append(lines, "- "+w.finding(r.Reason))
	}
	if r.Points > 0 && !r.Problems.Refused() {
		lines = append(lines, "- "+w.say("bot.progress-plan", "total", r.Points, "evals", r.Evals))
		if r.Canary != "" {
			lines = append(lines, "- "+w.say("bot.progress-plan-canary", "title", markdown(code(r.Canary))))
		}
	}
	out := []section{{lines: lines}}
	if !r.Problems.Refused() {
		out = append(out, p.planTable(w, r.Families))
	}
	return append(out, problemList(w, r.Problems))
}

// planTable lists the families of a plan.
func (p *Progress) planTable(w words, families []FamilyProgress) section {
	s := section{fold: w.say("bot.progress-families"), head: []string{
		"| " + w.say("bot.progress-family") + " | " + w.say("bot.progress-points") + " |", "| --- | ---: |"}}
	for _, f := range families {
		s.items = append(s.items, "| "+cell(code(f.Name))+" | "+strconv.Itoa(f.Total())+" |")
	}
	return s
}

// maxListed is the number of findings that one list shows.
const maxListed = 300

// problemList lists findings, refusals first, each with its place.
func problemList(w words, list diag.List) section {
	s := section{fold: w.say("bot.progress-problems", "n", len(list))}
	for _, refuses := range []bool{true, false} {
		for _, f := range list {
			if (f.Severity == diag.Error) != refuses {
				continue
			}
			if len(s.items) == maxListed {
				s.cut++
				continue
			}
			mark := "⚠️"
			if refuses {
				mark = "❌"
			}
			text := "- " + mark + " "
			if place := f.Place.String(); place != "" {
				text += code(place) + " "
			}
			s.items = append(s.items, text+w.finding(f))
		}
	}
	return s
}

// finding writes what a finding says, and how to mend it.
func (w words) finding(f diag.Finding) string {
	text := prosely(f.Message(w.lang), maxSentence)
	if mend := f.Mend(w.lang); mend != "" {
		text += w.say("bot.mend-joint") + prosely(mend, maxSentence)
	}
	return text
}
