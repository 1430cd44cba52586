package checks

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/results"
)

// sweep names the newest sweep with its jobs, and what the newest one that
// succeeded measured (checks 1, 2 and 14).
func (s *stating) sweep(ctx context.Context) error {
	newest, ok, err := s.e.NewestSweep(ctx)
	switch {
	case broken(err):
		return err
	case err != nil:
		return nil
	case !ok:
		s.ask(TopicSweep, "no sweep of this pull request was found; which run shows that it passed?")
		return nil
	}
	if err := s.lanes(ctx, newest); err != nil {
		return err
	}
	read := newest
	if newest.Conclusion != "success" {
		if green, ok, err := s.e.GreenSweep(ctx); err != nil {
			return err
		} else if ok {
			read = green
			if err := s.lanes(ctx, green); err != nil {
				return err
			}
		}
	}
	if err := s.scores(ctx, read); err != nil {
		return err
	}
	return s.curves(ctx, read)
}

// lanes states how the jobs of a run ended.
func (s *stating) lanes(ctx context.Context, run Run) error {
	where := "in-PR commit " + short(run.HeadSHA)
	if run.HeadSHA == s.e.Head {
		where = "head " + short(run.HeadSHA)
	}
	text := fmt.Sprintf("run %s on %s: %s", run.link(), where, cond(run.Conclusion, run.Status))
	sweep, err := s.e.SweepOf(ctx, run)
	if broken(err) {
		return err
	}
	var parts, evals []string
	for _, lane := range sweep.Lanes {
		part := fmt.Sprintf("%d/%d %s", lane.Succeeded, lane.Succeeded+lane.Failed+lane.Open, lane.Name)
		parts = append(parts, part)
		if strings.HasSuffix(lane.Name, "eval") {
			evals = append(evals, part)
		}
	}
	if len(parts) > 0 {
		text += "; jobs " + joined(parts, ", ", len(laneNames))
	}
	if n := len(sweep.Failed); n > 0 {
		failed := make([]string, n)
		for i, job := range sweep.Failed {
			failed[i] = jobLink(job)
		}
		text += "; failed " + joined(failed, ", ", 4)
	}
	var shows []Citation // what a checklist can link to as proof
	if run.Conclusion == "success" {
		shows = []Citation{run.cite("the sweep")}
	}
	s.say(TopicSweep, text+".", shows...)
	if len(evals) > 0 {
		s.say(TopicEvals, fmt.Sprintf("run %s: %s jobs succeeded.", run.link(), joined(evals, ", ", 4)), shows...)
	}
	return nil
}

// jobLink is a job as a link to its page.
func jobLink(job Job) string {
	label := strings.NewReplacer("[", "(", "]", ")").Replace(quoted(job.Name))
	if job.URL == "" {
		return label
	}
	return "[" + label + "](" + job.URL + ")"
}

// scored are the rows of one task and bar on one image.
type scored struct {
	task, metric, prefix, image string
	bar                         results.Bar
	low, high, fewest           float64
	rows, below                 int
}

// scores states the scores of the evals of a run, by task, model and image.
func (s *stating) scores(ctx context.Context, run Run) error {
	found, err := s.e.Scores(ctx, run)
	if err != nil {
		if broken(err) {
			return err
		}
		return nil
	}
	var groups []*scored
	for _, row := range found.Rows {
		g := groupOf(&groups, row)
		g.rows++
		g.low, g.high = math.Min(g.low, row.Score), math.Max(g.high, row.Score)
		g.fewest = math.Min(g.fewest, row.Samples)
		if !row.Reaches(row.Bar) {
			g.below++
		}
	}
	for _, g := range groups[:min(len(groups), maxStated)] {
		s.say(TopicEvals, g.String()+" (run "+run.link()+").", run.cite("the evals"))
	}
	if found.Unread > 0 {
		s.ask(TopicEvals, fmt.Sprintf("%s of run %s could not be read.", count(found.Unread, "eval row", "eval rows"), run.link()))
	}
	return nil
}

// groupOf finds the group of a row, or begins one.
func groupOf(groups *[]*scored, row EvalScore) *scored {
	key := scored{task: row.Task, metric: row.ScoreName, prefix: row.Point.Prefix, image: row.Image, bar: row.Bar}
	for _, g := range *groups {
		if g.task == key.task && g.metric == key.metric && g.prefix == key.prefix && g.image == key.image {
			return g
		}
	}
	key.low, key.high, key.fewest = math.Inf(1), math.Inf(-1), math.Inf(1)
	*groups = append(*groups, &key)
	return &key
}

// String says what the rows score.
func (g *scored) String() string {
	span := fmt.Sprintf("%.3f", g.low)
	switch {
	case math.IsNaN(g.low) || math.IsInf(g.low, 0):
		span = "no score"
	case fmt.Sprintf("%.3f", g.high) != span:
		span = fmt.Sprintf("%.3f-%.3f", g.low, g.high)
	}
	text := fmt.Sprintf("%s %s %s %s over %s", quoted(g.prefix), quoted(g.task), g.metric, span, count(g.rows, "row", "rows"))
	if g.fewest > 0 && !math.IsInf(g.fewest, 0) {
		text += fmt.Sprintf(" (n_eff %.0f)", g.fewest)
	}
	text += fmt.Sprintf(" against %.2f", g.bar.Minimum)
	if g.below > 0 {
		text += fmt.Sprintf(", %d below", g.below)
	}
	if g.image != "" {
		text += ", on " + quoted(ParseImage(g.image).String())
	}
	return text
}

// curves states how many points of each curve are on its frontier.
func (s *stating) curves(ctx context.Context, run Run) error {
	found, err := s.e.Measured(ctx, run)
	if err != nil {
		if broken(err) {
			return err
		}
		return nil
	}
	for _, c := range found.Curves[:min(len(found.Curves), maxStated)] {
		text := fmt.Sprintf("%s: %d of %s on the frontier (run %s)", seriesName(c), len(c.Frontier), count(c.Measured, "measured point", "measured points"), run.link())
		if c.Invalid > 0 {
			text += fmt.Sprintf(", %d invalid", c.Invalid)
		}
		s.say(TopicPareto, text+".", run.cite("the points"))
	}
	if n := len(found.Curves) - maxStated; n > 0 {
		s.say(TopicPareto, fmt.Sprintf("%s more.", count(n, "curve", "curves")))
	}
	if found.Unread > 0 {
		s.ask(TopicPareto, fmt.Sprintf("%s of run %s could not be read.", count(found.Unread, "row", "rows"), run.link()))
	}
	return nil
}

// seriesName is a curve as people call it.
func seriesName(c results.CurveResult) string {
	p := c.Points[0].Row.Point
	scenario := "agentic"
	if p.Scenario != results.Agentic {
		scenario = p.Lengths()
	}
	text := fmt.Sprintf("%s %s, %s %s %s", p.Prefix, scenario, results.SKU(p.Hardware), p.Framework, p.Precision)
	if p.Scenario != results.Agentic && p.Spec != "" {
		text += ", " + p.Spec
	}
	return quoted(text)
}

// drafting states golden lengths and what is known of drafts (checks 11 and
// 13).
func (s *stating) drafting(ctx context.Context) error {
	for _, key := range s.keys() {
		list, incomplete, err := s.e.Draftings(ctx, key)
		if err != nil {
			return err
		}
		folded := foldDraftings(list)
		for _, d := range folded[:min(len(folded), maxStated)] {
			if d.Agentic {
				s.golden(key, d)
			}
			s.draft(key, d)
		}
		if len(list) == 0 && incomplete && labelled(key) {
			s.ask(TopicDraftPrecision, fmt.Sprintf("%s drafts by its label, and its launch is not fully known.", quoted(key.Key)))
		}
	}
	s.rest(TopicGoldenAL)
	s.rest(TopicDraftPrecision)
	return nil
}

// alike are draftings that differ in places only: the first with the
// concurrencies of all, and how many other places there are.
type alike struct {
	Drafting
	others int
}

// foldDraftings joins draftings that say the same in several recipes.
func foldDraftings(list []Drafting) []alike {
	var out []alike
	for _, d := range list {
		i := slices.IndexFunc(out, func(o alike) bool { return o.saying() == d.saying() })
		if i < 0 {
			out = append(out, alike{Drafting: d})
			continue
		}
		out[i].others++
		out[i].Concs = append(slices.Clone(out[i].Concs), d.Concs...)
		slices.Sort(out[i].Concs)
		out[i].Concs = slices.Compact(out[i].Concs)
	}
	return out
}

// saying is what a drafting says apart from its points and places.
func (d Drafting) saying() string {
	text := fmt.Sprint(d.Agentic, d.Speculation, d.Simulated.Knob, d.Simulated.Value, d.Simulated.Known)
	for _, s := range d.Settings {
		text += "|" + s.Name + "=" + s.Value
	}
	return text
}

// elsewhere counts the places that are not shown.
func (d alike) elsewhere() string {
	if d.others == 0 {
		return ""
	}
	return fmt.Sprintf(" and %s", count(d.others, "other recipe", "other recipes"))
}

// labelled reports whether a row of the key says that it drafts.
func labelled(key AffectedKey) bool {
	for _, row := range key.Rows {
		if spec := row.Entry.SpecDecoding; spec != "" && spec != "none" {
			return true
		}
	}
	return false
}

// method is a drafting method with its number of tokens, such as MTP3.
func (d Drafting) method() string {
	name := armName(d.Method)
	switch {
	case d.Tokens == 0:
		return name
	case strings.ContainsAny(name[len(name)-1:], "0123456789"):
		return fmt.Sprintf("%s with %s", name, count(d.Tokens, "token", "tokens"))
	}
	return fmt.Sprintf("%s%d", name, d.Tokens)
}

func (s *stating) golden(key AffectedKey, d alike) {
	text := fmt.Sprintf("%s%s drafts %s; ", quoted(key.Key), shownConcs(key, d.Concs), d.method())
	from := []Citation{}
	asks := false
	switch g := d.Golden; {
	case g.Length != "":
		curve := s.e.at(s.e.Target, g.File, g.Line, fmt.Sprintf("%s:%d", path.Base(g.File), g.Line))
		text += fmt.Sprintf("golden AL %s (%s, %s); ", g.Length, curve, thinking)
		from = append(from, s.e.cite(Document{Path: g.File}, g.Line, "the golden curve"))
	case d.Tokens == 0:
		text += "its draft length is not known; "
	default:
		text += fmt.Sprintf("no golden AL: %s has no value for it at the target branch (where is the AL from?); ", quoted(g.File))
		asks = true
	}
	switch sim := d.Simulated; {
	case sim.Knob == "":
		text += "the effective recipe shows no simulated AL."
		asks = true
	case !sim.Known:
		text += fmt.Sprintf("the value of %s is not known.", quoted(sim.Knob))
		asks = true
	default:
		text += fmt.Sprintf("the effective recipe simulates AL %s (%s%s).", trimmed(sim.Length), s.set(sim.Knob, sim.Value, sim.Place.File, sim.Place.Line), d.elsewhere())
	}
	if asks {
		s.ask(TopicGoldenAL, text, from...)
		return
	}
	s.say(TopicGoldenAL, text, from...)
}

// set is a setting with the line that it is from.
func (s *stating) set(name, value, file string, line int) string {
	text := quoted(name + "=" + value)
	if file == "" {
		return text
	}
	return text + ", " + s.e.at(s.e.Head, file, line, fmt.Sprintf("%s:%d", path.Base(file), line))
}

// trimmed is a length without needless digits.
func trimmed(length float64) string {
	text := fmt.Sprintf("%.4f", length)
	text = strings.TrimRight(text, "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return text
}

// draft states what the launch tells of a draft, and asks for what no launch
// can tell.
func (s *stating) draft(key AffectedKey, d alike) {
	model := "the launch names no draft model beside " + quoted(d.Model)
	if d.Draft != "" {
		model = "draft model " + quoted(d.Draft)
	}
	text := fmt.Sprintf("%s%s drafts %s; %s; ", quoted(key.Key), shownConcs(key, d.Concs), d.method(), model)
	if len(d.Settings) == 0 {
		text += "no setting of the draft's precision is seen"
	}
	for i, setting := range d.Settings {
		if i > 0 {
			text += ", "
		}
		text += s.set(setting.Name, setting.Value, setting.Place.File, setting.Place.Line)
	}
	if len(d.Settings) > 0 {
		text += d.elsewhere()
	}
	s.ask(TopicDraftPrecision, text+". Draft checkpoint or embedded head? Stored precision? How does the image handle it, and in which precision is it served?")
}
