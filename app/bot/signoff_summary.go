package bot

import (
	"fmt"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// verdictSummary is a verdict as the summary of its job shows it: the rows in
// English, and folded below them the same with headings, names and words in
// Chinese. Reasons are English in both.
func verdictSummary(v *bundle.Verification, overall verdict.Overall, results []checks.Result) string {
	chinese := verdictTable(words{catalog.Chinese}, v, overall, results)
	return layout([]section{
		verdictTable(words{catalog.English}, v, overall, results),
		{lang: catalog.Chinese, fold: "中文", folded: true, nested: []section{chinese}},
	}, maxSummary)
}

// overallEmojis are those of the rows that decide.
var overallEmojis = map[verdict.Overall]string{
	verdict.Passed: checks.Pass.Emoji(), verdict.Warned: checks.Warn.Emoji(), verdict.Rejected: checks.Fail.Emoji(),
}

func verdictTable(w words, v *bundle.Verification, overall verdict.Overall, results []checks.Result) section {
	title := w.say("signoff.status", "overall", w.say("bot.overall-"+strings.ToLower(string(overall))), "signer", v.Signer)
	assessed := w.say("signoff.assessed", "head", markdown(code(shortSHA(v.Head))), "base", markdown(code(shortSHA(v.Base))), "profile", v.Profile.Era,
		"date", v.Date.Format(time.DateOnly))
	if plainAddress(v.SignOff.URL) {
		assessed += " · " + mdLink(w.say("bot.signoff-link"), v.SignOff.URL)
	}
	s := section{
		lang:  w.lang,
		lines: []string{"### " + overallEmojis[overall] + " " + title, "", assessed},
		head: []string{
			fmt.Sprintf("| | | %s | %s | %s |", w.say("bot.signoff-check"), w.say("bot.signoff-word"), w.say("bot.signoff-reason")), "| --- | --- | --- | --- | --- |",
		},
	}
	for _, r := range results {
		reason := verdict.OneLine(verdict.Safe(r.Reason, v.Signer), verdict.MaxReason)
		s.items = append(s.items, fmt.Sprintf("| %s | %d | %s | %s | %s |",
			r.Status.Emoji(), r.Number, w.say("bot.check-"+string(r.Topic)), w.say("bot.status-"+statusWord(r.Status)), cell(reason)))
	}
	return s
}

// statusWord is the end of the code of a status. A row of a verdict has no
// other.
func statusWord(s checks.Status) string {
	return map[checks.Status]string{checks.Pass: "pass", checks.Fail: "fail", checks.Warn: "warn", checks.NotApplicable: "na"}[s]
}
