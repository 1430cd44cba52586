package labels

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// decisionTable writes examples as a Markdown table. Every cell is made from
// the event or from the decision on it.
func decisionTable(policy config.Labels, examples []example) string {
	rows := [][]string{{"#", "What happens", "Labels then", "Running sweep", "Check", "Gate", "Sweep", "Why"}}
	for _, ex := range examples {
		d := Decide(policy, base, ex.event)
		row := []string{strings.Fields(ex.id)[0], happening(ex.event), codes(ex.event.Labels)}
		if ex.event.Name == Push {
			row[2] = "-"
		}
		row = append(row, decisionCells(d)...)
		rows = append(rows, append(row, escape.Replace(why(ex.event, d).Message(catalog.English))))
	}
	return table(rows...)
}

// why picks what a reader most wants explained: the sweep, why a reuse command
// did not hold it back, or the missing run.
func why(e Event, d Decision) diag.Finding {
	switch {
	case !d.Starts:
		return d.Why
	case d.Sweep.Outcome == Run && e.Name == PullRequest && e.Reuse == ReuseValid:
		return d.Gate.Reason
	}
	return d.Sweep.Reason
}

// happening puts an event into words.
func happening(e Event) string {
	words := map[string]string{
		Synchronize: "push", Labeled: code(e.Label) + " added", Unlabeled: code(e.Label) + " removed",
		ReadyForReview: "marked ready", Closed: "closed",
	}[e.Action]
	switch {
	case e.Name == Push:
		words = "push to " + code(e.BaseBranch)
	case words == "":
		words = e.Action
	}
	return strings.Join(append([]string{words}, circumstances(e)...), ", ")
}

// circumstances lists what is not as usual.
func circumstances(e Event) []string {
	usual := happens()
	return slices.DeleteFunc([]string{
		suffix(!e.SameRepo, "fork"),
		suffix(e.Draft, "draft"),
		suffix(e.BaseBranch != usual.BaseBranch, "to branch "+code(e.BaseBranch)),
		suffix(!e.TouchesChangelog, "changelog untouched"),
		suffix(e.Conflict, "conflict"),
		suffix(e.Validator == Rejected, "changelog rejected"),
		suffix(strings.Contains(*e.HeadMessage, "[skip-sweep]"), "`[skip-sweep]`"),
		suffix(e.Reuse == ReuseValid, "reuse command"),
		suffix(e.Reuse == ReuseInvalid, "reuse command with a bad run"),
	}, func(word string) bool { return word == "" })
}

// decisionCells are the cells from "Running sweep" to "Sweep".
func decisionCells(d Decision) []string {
	if !d.Starts {
		return []string{"goes on, no run", "-", "-", map[bool]string{true: "merge ingest", false: "-"}[d.Ingest]}
	}
	running := map[bool]string{true: "cancelled", false: "goes on"}[d.Cancels]
	check := map[Outcome]string{Run: "passes", Fail: "**fails**", Skip: "-"}[d.Validate.Outcome]
	gate := map[Outcome]string{Run: "lets through", Fail: "**fails**", Skip: "-"}[d.Gate.Outcome]
	if d.Gate.Reason.Code == "labels.gate-reuse" {
		gate = "holds back"
	}
	return []string{running, check, gate, sweepCell(d)}
}

func sweepCell(d Decision) string {
	switch {
	case d.Sweep.Outcome == Fail:
		return "**fails**"
	case d.Sweep.Outcome != Run:
		return "no"
	case d.Reuses:
		return "publishes"
	}
	words := manner(d)
	for i, word := range words {
		words[i] = strings.NewReplacer("trim", "trimmed", "fast", "agentx-fast", "fail-fast", "fail-fast").Replace(word)
	}
	if !d.Canary && d.Primary != nil && d.Primary.Canary {
		words = append([]string{"no canary candidate"}, words...)
	}
	if len(words) == 0 {
		return "**yes**"
	}
	return "**yes**: " + strings.Join(words, ", ")
}
