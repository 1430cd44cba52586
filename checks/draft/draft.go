// Package draft fills in the checklist of a sign-off with what the evidence
// shows. It decides nothing for the signer: items of judgement stay open, and
// everything that it writes is a fact that a check cites.
package draft

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/checks/verdict"
)

// subject is what an item of the template is about, by words of which it holds
// all of one group. Judged subjects stay open whatever a check says.
type subject struct {
	words  [][]string
	topic  checks.Topic
	judged bool
}

// subjects are tried in order; the first that fits is the item's.
var subjects = []subject{
	{[][]string{{"latest version of"}, {"additional reasoning"}, {"code quality"}}, "", true},
	// Before the images, which this item speaks of too.
	{[][]string{{"does not patch"}, {"engine patch"}, {"engine-patch"}}, checks.TopicEnginePatches, false},
	{[][]string{{"draft", "precision"}}, checks.TopicDraftPrecision, true},
	{[][]string{{"publication"}, {"publish", "metrics"}}, checks.TopicMetrics, false},
	{[][]string{{"append-only"}}, checks.TopicAppendOnly, false},
	{[][]string{{"pareto"}, {"frontier"}}, checks.TopicPareto, false},
	{[][]string{{"golden"}, {"synthetic acceptance"}}, checks.TopicGoldenAL, false},
	{[][]string{{"chat template"}}, checks.TopicChatTemplate, false},
	{[][]string{{"deprecated"}}, checks.TopicDeprecated, false},
	{[][]string{{"upstream", "docker"}, {"first class"}, {"upstream", "image"}}, checks.TopicImages, false},
	{[][]string{{"architecture"}}, checks.TopicArchitecture, false},
	{[][]string{{"recipe", "documented"}, {"upstream pr"}, {"cookbook"}}, checks.TopicUpstreamRecipe, true},
	{[][]string{{"evals"}}, checks.TopicEvals, false},
	{[][]string{{"validation"}, {"full sweep"}, {"sweep passed"}}, checks.TopicSweep, false},
}

// subjectOf finds what an item is about; one that fits nothing is judged.
func subjectOf(text string) subject {
	text = strings.ToLower(text)
	for _, s := range subjects {
		for _, group := range s.words {
			if !slices.ContainsFunc(group, func(word string) bool { return !strings.Contains(text, word) }) {
				return s
			}
		}
	}
	return subject{judged: true}
}

// told are the topics whose facts belong into the additional detail section.
var told = []checks.Topic{
	checks.TopicSweep, checks.TopicEvals, checks.TopicUpstreamRecipe, checks.TopicEnginePatches, checks.TopicGoldenAL, checks.TopicDraftPrecision,
	checks.TopicPareto, checks.TopicMetrics,
}

// Write fills in a template. An item is checked where its check passed or does
// not apply and it needs no judgement; the detail section gets the facts of
// passed checks and, open, what is to be said where a check asks for it.
func Write(template, signer string, results []checks.Result) string {
	byTopic := make(map[checks.Topic]checks.Result, len(results))
	for _, r := range results {
		byTopic[r.Topic] = r
	}
	lines := strings.Split(strings.TrimRight(template, "\n"), "\n")
	doc := signoff.Parse(template)
	for _, item := range doc.Items {
		s := subjectOf(item.Text)
		r, known := byTopic[s.topic]
		if known && !s.judged && (r.Status == checks.Pass || r.Status == checks.NotApplicable) {
			lines[item.Line-1] = strings.Replace(lines[item.Line-1], "[ ]", "[x]", 1)
		}
	}
	var out []string
	done := false
	for i, line := range lines {
		bare := strings.ToLower(line)
		switch {
		case !done && i >= doc.DetailLine && doc.DetailLine > 0 && strings.Contains(bare, signoff.Placeholder):
			out = append(out, details(byTopic)...)
			done = true
		case strings.HasPrefix(strings.TrimSpace(bare), "signed:") && signer != "":
			out = append(out, "Signed: `"+signer+"`")
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// details are the bullets of the detail section.
func details(byTopic map[checks.Topic]checks.Result) []string {
	var out []string
	for _, topic := range told {
		r, ok := byTopic[topic]
		if !ok {
			continue
		}
		switch r.Status {
		case checks.Pass:
			out = append(out, "- "+r.Name+": "+verdict.OneLine(verdict.Safe(r.Reason), verdict.MaxReason)+links(r))
		case checks.Warn, checks.Fail:
			out = append(out, "- "+r.Name+": (please say) "+verdict.OneLine(verdict.Safe(r.Reason), verdict.MaxReason)+links(r))
		}
	}
	if len(out) == 0 {
		out = []string{"- " + signoff.Placeholder}
	}
	return out
}

// links are the pages of runs, waivers and pull requests that the reason does
// not link already, three at most.
func links(r checks.Result) string {
	var out []string
	for _, c := range r.Citations {
		if c.URL != "" && !strings.Contains(r.Reason, c.URL) && !slices.Contains(out, c.URL) && len(out) < 3 {
			out = append(out, c.URL)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out, " ")
}
