package bot

import (
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// words writes for people in one language. Arguments are made inert; those
// that are Markdown of ours are given as such.
type words struct{ lang catalog.Language }

// markdown is an argument that is ours already.
type markdown string

func (w words) say(name string, args ...any) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		switch a := arg.(type) {
		case markdown:
			texts[i] = string(a)
		case int:
			texts[i] = strconv.Itoa(a)
		case string:
			texts[i] = a
			if i%2 == 1 {
				texts[i] = prosely(a, maxQuoted)
			}
		}
	}
	return catalog.Message(w.lang, name, texts...)
}

// text writes the comment in at most so many bytes: English first, Chinese
// folded below it.
func (p Progress) text(limit int) string {
	sections := p.sections(words{catalog.English})
	sections = append(sections, section{lang: catalog.Chinese, fold: "中文", folded: true, nested: p.sections(words{catalog.Chinese})})
	return layout(sections, limit)
}

// sections are the parts of the comment in one language.
func (p Progress) sections(w words) []section {
	run := p.newest()
	var out []section
	if run == nil {
		out = append(out, p.requestTitle(w))
	} else {
		out = append(out, p.runTitle(w, run), p.familyTable(w, run.Families), p.notes(w, run), p.failureList(w, run))
		out = append(out, p.reportSections(w, run)...)
	}
	if p.Request != nil && (run == nil || run.SHA != p.Request.SHA || p.Request.Problems.Refused()) {
		out = append(out, p.requestSections(w, run != nil)...)
	}
	out = append(out, p.earlier(w, run))
	for i := range out {
		out[i].lang = w.lang
	}
	return out
}

// newest is the run that the comment is about, nil for none: the newest that
// people should hear of. One that has no points yet waits behind an older one
// that is measuring: it may be the run of a label that means nothing.
func (p *Progress) newest() *RunProgress {
	var first *RunProgress
	for i := range p.Runs {
		r := &p.Runs[i]
		if !r.shown() {
			continue
		}
		if first == nil {
			first = r
		}
		if first.Phase == PhaseFinished || first.measures() {
			return first
		}
		if r.Phase != PhaseFinished && r.measures() {
			return r
		}
	}
	return first
}

// marks show at a glance how a run stands.
var marks = map[RunOutcome]string{
	"": "⏳", OutcomePassed: "✅", OutcomeFailed: "❌", OutcomeCancelled: "⏹️", OutcomeIncomplete: "⚠️",
	OutcomeNoResults: "⚠️", OutcomeRefused: "❌", OutcomeWaiting: "⏸️", OutcomeNothing: "➖", OutcomeCurrent: "➖",
}

func (r *RunProgress) mark() string {
	if r.stuck() {
		return "⚠️"
	}
	return marks[r.Outcome]
}

// stuck says that nothing goes on since runners do not come.
func (r *RunProgress) stuck() bool {
	return r.Phase != PhaseFinished && len(r.Stalled) > 0 && r.Points.Running == 0
}

// runTitle is the headline of a run, and the line that identifies it.
func (p *Progress) runTitle(w words, r *RunProgress) section {
	facts := []string{}
	if r.Label != "" {
		facts = append(facts, w.say("bot.progress-label", "label", markdown(code(r.Label))))
	}
	facts = append(facts, p.runLink(w, r))
	if r.Attempt > 1 {
		facts = append(facts, w.say("bot.progress-attempt", "n", r.Attempt))
	}
	if r.Partial != nil {
		facts = append(facts, w.say("bot.progress-partial"))
	}
	if r.Phase != PhaseFinished {
		facts = append(facts, w.counts(r.Points)...)
	}
	return section{lines: []string{"### " + r.mark() + " " + w.headline(r), "", strings.Join(facts, " · ")}}
}

// headline says in a few words how a run stands.
func (w words) headline(r *RunProgress) string {
	name := string(r.Outcome)
	if r.Phase != PhaseFinished {
		name = string(r.Phase)
		switch {
		case r.stuck():
			name = "stuck"
		case r.Phase == PhaseRunning && !r.measures():
			name = string(PhaseQueued)
		}
	}
	t := r.Points
	return w.say("bot.progress-is-"+name, "sha", markdown(code(shortSHA(r.SHA))), "ended", t.Ended(), "passed", t.Passed,
		"failed", t.Failed, "total", t.Total())
}

// counts lists what is not over yet.
func (w words) counts(t Tally) []string {
	var parts []string
	if t.Running > 0 {
		parts = append(parts, w.say("bot.progress-running-n", "n", t.Running))
	}
	if waiting := t.Total() - t.Ended() - t.Running; waiting > 0 {
		parts = append(parts, w.say("bot.progress-waiting-n", "n", waiting))
	}
	return parts
}

func (p *Progress) runLink(w words, r *RunProgress) string {
	id := strconv.FormatInt(r.ID, 10)
	return mdLink(w.say("bot.progress-run", "id", markdown(id)), p.Site+"/actions/runs/"+id)
}

// familyTable has a line for every job family.
func (p *Progress) familyTable(w words, families []FamilyProgress) section {
	s := section{fold: w.say("bot.progress-families"), head: []string{
		"| " + w.say("bot.progress-family") + " | | " + w.say("bot.progress-done") + " | " + w.say("bot.progress-failed") + " |",
		"| --- | --- | ---: | ---: |",
	}}
	for _, f := range families {
		failed := ""
		if n := f.Failed + f.Cancelled + f.Unclear; n > 0 {
			failed = strconv.Itoa(n)
		}
		s.items = append(s.items, "| "+cell(code(f.Name))+" | `"+f.bar()+"` | "+
			strconv.Itoa(f.Passed)+" / "+strconv.Itoa(f.Total())+" | "+failed+" |")
	}
	return s
}

// notes are the sentences about a run: its canary, when it will be done, what
// it does not prove, and where its results are shown.
func (p *Progress) notes(w words, r *RunProgress) section {
	lines := p.partialNote(w, r)
	if r.Canary != CanaryNone {
		lines = append(lines, "- "+w.say("bot.progress-canary-"+string(r.Canary)))
	}
	if r.Phase != PhaseFinished {
		for _, p := range r.Stalled {
			lines = append(lines, "- "+w.say("bot.progress-stalled", "n", p.Points, "pool", markdown(code(p.Pool)), "time", markdown(clockTime(p.Since))))
		}
	}
	if r.ETA > 0 && r.Phase != PhaseFinished {
		lines = append(lines, "- "+w.say("bot.progress-eta", "time", markdown(clockTime(r.ETA)), "n", r.Points.Passed))
	}
	if r.Fork {
		lines = append(lines, "- "+w.say("bot.progress-fork", "sha", markdown(code(shortSHA(r.SHA)))))
	}
	if p.Head != "" && p.Head != r.SHA {
		lines = append(lines, "- "+w.say("bot.progress-outdated", "sha", markdown(code(shortSHA(r.SHA))), "head", markdown(code(shortSHA(p.Head)))))
	}
	if links := p.links(w, r); links != "" {
		lines = append(lines, "- "+w.say("bot.progress-results")+" "+links)
	}
	return section{lines: lines}
}

// partialNote says what a partial sweep runs and what stands, and that it is
// none for a full one.
func (p *Progress) partialNote(w words, r *RunProgress) []string {
	switch {
	case r.FullInstead:
		return []string{"- " + w.say("bot.progress-full-instead")}
	case r.Partial == nil:
		return nil
	case !r.Partial.known():
		return []string{"- " + w.say("bot.progress-partial-unknown")}
	}
	id := strconv.FormatInt(r.Partial.Run, 10)
	run := mdLink(w.say("bot.progress-run", "id", markdown(id)), p.Site+"/actions/runs/"+id)
	return []string{"- " + w.say("bot.progress-partial-note", "points", r.Points.Total(), "total", r.Points.Total()+r.Partial.Current, "count", r.Partial.Current,
		"run", markdown(run), "sha", markdown(code(shortSHA(r.Partial.Since))))}
}

// clockTime is a time as a comment shows it. GitHub shows none in the zone of
// the reader, so that the zone is named.
func clockTime(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04 UTC") }

// links lead to the pages that show the results of a run, which exist as soon
// as it measured something (spec/labels-and-sweeps.md section 11).
func (p *Progress) links(w words, r *RunProgress) string {
	if p.Visualizer == "" || !r.measures() {
		return ""
	}
	root, id := strings.TrimSuffix(p.Visualizer, "/"), strconv.FormatInt(r.ID, 10)
	return mdLink(w.say("bot.progress-performance"), root+"/inference?unofficialRun="+id) + " · " +
		mdLink(w.say("bot.progress-accuracy"), root+"/evaluation?unofficialRun="+id)
}

// failureList names the points that failed, the first one first.
func (p *Progress) failureList(w words, r *RunProgress) section {
	s := section{fold: w.say("bot.progress-failures"), cut: r.MoreFailures}
	if len(r.Failures) == 0 {
		return section{}
	}
	s.lines = []string{w.say("bot.progress-first-failures")}
	for _, f := range r.Failures {
		link := p.Site + "/actions/runs/" + strconv.FormatInt(r.ID, 10) + "/job/" + strconv.FormatInt(f.JobID, 10)
		text := "- " + code(f.Title) + " " + mdLink(w.say("bot.progress-log"), link)
		if f.NoRunner {
			text += " " + w.say("bot.progress-no-runner")
		}
		s.items = append(s.items, text)
	}
	return s
}

// maxEarlier is the number of earlier runs that are listed.
const maxEarlier = 10

// earlier lists the runs before the newest, folded.
func (p *Progress) earlier(w words, newest *RunProgress) section {
	var s section
	for i := range p.Runs {
		r := &p.Runs[i]
		if r == newest || !r.shown() {
			continue
		}
		if len(s.items) == maxEarlier {
			s.cut++
			continue
		}
		s.items = append(s.items, "| "+p.runLink(w, r)+" | "+r.mark()+" "+cell(w.headline(r))+" | "+cell(p.links(w, r))+" |")
	}
	if len(s.items) == 0 {
		return section{}
	}
	s.folded, s.fold = true, w.say("bot.progress-earlier", "n", len(s.items)+s.cut)
	s.head = []string{"| " + w.say("bot.progress-run-column") + " | " + w.say("bot.progress-state-column") + " | |", "| --- | --- | --- |"}
	return s
}
