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

// told are the topics whose facts belong into the additional detail section.
var told = []checks.Topic{
	checks.TopicSweep, checks.TopicEvals, checks.TopicUpstreamRecipe, checks.TopicImages, checks.TopicEnginePatches, checks.TopicGoldenAL,
	checks.TopicAppendOnly, checks.TopicDraftPrecision, checks.TopicPareto, checks.TopicMetrics,
}

// linked are the topics whose item names the run that shows it.
var linked = []checks.Topic{checks.TopicSweep, checks.TopicEvals, checks.TopicEnginePatches}

// Write fills in a template. An item is checked where its check passed or does
// not apply and it needs no judgement; behind it stand the links that it asks
// for. The detail section gets the facts and, open, what is to be said where a
// check or a fact asks for it.
func Write(template, signer string, results []checks.Result, facts []checks.Statement) string {
	byTopic := make(map[checks.Topic]checks.Result, len(results))
	for _, r := range results {
		byTopic[r.Topic] = r
	}
	lines := strings.Split(strings.TrimRight(template, "\n"), "\n")
	doc := signoff.Parse(template)
	for _, item := range doc.Items {
		s := checks.SubjectOf(item.Text)
		r, known := byTopic[s.Topic]
		if known && !s.Judged && (r.Status == checks.Pass || r.Status == checks.NotApplicable) {
			lines[item.Line-1] = strings.Replace(lines[item.Line-1], "[ ]", "[x]", 1)
		}
		if pages := linksOf(s.Topic, facts); known && pages != "" {
			lines[lastLine(lines, item)-1] += pages
		}
	}
	bullets := details(byTopic, facts)
	var out []string
	done := len(bullets) == 0
	for i, line := range lines {
		bare := strings.ToLower(strings.TrimSpace(line))
		switch signed := strings.HasPrefix(bare, "signed:"); {
		case !done && doc.DetailLine > 0 && i >= doc.DetailLine && strings.Contains(bare, signoff.Placeholder):
			out, done = append(out, bullets...), true
		case signed && !done:
			out, done = append(out, section(doc, bullets)...), true
			out = append(out, "", signature(line, signer))
		case signed:
			out = append(out, signature(line, signer))
		default:
			out = append(out, line)
		}
	}
	if !done {
		out = append(append(out, ""), section(doc, bullets)...)
	}
	return strings.Join(out, "\n") + "\n"
}

// section is the detail section of a template that has no place for it.
func section(doc signoff.Document, bullets []string) []string {
	if doc.DetailLine > 0 {
		return bullets
	}
	return append([]string{"### Additional detail section:"}, bullets...)
}

func signature(line, signer string) string {
	if signer == "" {
		return line
	}
	return "Signed: `" + signer + "`"
}

// lastLine is the number of the last line of an item: deeper lines without a
// bullet go on with it.
func lastLine(lines []string, item signoff.Item) int {
	last := item.Line
	for last < len(lines) {
		line := lines[last]
		bare := strings.TrimLeft(line, " \t")
		if bare == "" || strings.ContainsAny(bare[:1], "-*+#") || len(line)-len(bare) <= item.Indent {
			break
		}
		last++
	}
	return last
}

// linksOf are the pages of a topic's facts, for the line of its item.
func linksOf(topic checks.Topic, facts []checks.Statement) string {
	if !slices.Contains(linked, topic) {
		return ""
	}
	var out []string
	for _, f := range facts {
		for _, c := range f.Citations {
			if f.Topic == topic && c.URL != "" && !slices.Contains(out, c.URL) {
				out = append(out, c.URL)
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out[:min(len(out), 2)], " ")
}

// details are the bullets of the detail section.
func details(byTopic map[checks.Topic]checks.Result, facts []checks.Statement) []string {
	var out []string
	for _, topic := range told {
		r, ok := byTopic[topic]
		if !ok {
			continue
		}
		stated := false
		for _, f := range facts {
			if f.Topic == topic {
				stated = true
				out = append(out, bullet(r.Name, f.Ask, f.Text))
			}
		}
		switch {
		case r.Status == checks.Pass && !stated:
			out = append(out, bullet(r.Name, false, r.Reason)+links(r))
		case r.Status == checks.Warn || r.Status == checks.Fail:
			out = append(out, bullet(r.Name, true, r.Reason)+links(r))
		}
	}
	return out
}

// maxBullet bounds a bullet: facts have more links than rows.
const maxBullet = 2 * verdict.MaxReason

// bullet is a line of the detail section.
func bullet(name string, ask bool, text string) string {
	if ask {
		text = "(please say) " + text
	}
	return "- " + name + ": " + verdict.OneLine(verdict.Safe(text), maxBullet)
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
